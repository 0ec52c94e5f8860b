package starcatalog

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"agentd/domains/edit"
)

// star is where the rows of a table have a magnitude and a parallax in milliarcseconds, by the UCDs of its fields; nil
// for what they do not have.
type star struct{ magnitude, parallax *regexp.Regexp }

// take takes in the first field of each kind.
func (s *star) take(ucd string, field edit.Attribute) {
	switch {
	case s.magnitude == nil && strings.HasPrefix(ucd, "phot.mag"):
		s.magnitude = field.Find
	case s.parallax == nil && strings.HasPrefix(ucd, "pos.parallax"):
		s.parallax = field.Find
	}
}

// attributes are those that can be computed.
func (s *star) attributes() []edit.Attribute {
	if s.parallax == nil {
		return nil
	}
	all := []edit.Attribute{edit.ComputedNumber("distance", "distances", s.distance)}
	if s.magnitude != nil {
		all = append(all, edit.ComputedNumber("absolute magnitude", "absolute magnitudes", s.absolute))
	}
	return all
}

// distance is 1000/parallax, in parsecs with two decimals; empty if the parallax is not above zero.
func (s *star) distance(row string) string {
	parallax, ok := number(s.parallax, row)
	if !ok || parallax <= 0 {
		return ""
	}
	return strconv.FormatFloat(1000/parallax, 'f', 2, 64)
}

// absolute is the magnitude at a distance of 10 parsecs, m + 5 + 5 log10(parallax/1000), with two decimals; empty if
// there is no magnitude or the parallax is not above zero.
func (s *star) absolute(row string) string {
	magnitude, has := number(s.magnitude, row)
	parallax, ok := number(s.parallax, row)
	if !has || !ok || parallax <= 0 {
		return ""
	}
	return strconv.FormatFloat(magnitude+5+5*math.Log10(parallax/1000), 'f', 2, 64)
}

// number is the number that a row has in a field.
func number(field *regexp.Regexp, row string) (float64, bool) {
	m := field.FindStringSubmatch(row)
	if m == nil {
		return 0, false
	}
	n, err := strconv.ParseFloat(m[1], 64)
	return n, err == nil
}
