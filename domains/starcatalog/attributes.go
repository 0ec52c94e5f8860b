package starcatalog

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/edit"
	"agentd/internal/lazyregexp"
)

// vocabulary makes parts of the rows of the first table that has any, whose fields are their attributes.
func vocabulary() edit.Format {
	format := edit.Format{
		Document: "star catalogue", Part: "row", Parts: "rows", Cut: edit.Outer("TR"),
		Remark: " <!-- computed: {} -->", RemarkAt: edit.End,
		Tree: edit.XMLTree(),
	}
	adapted := format
	format.Adapt = func(_, text string) edit.Format {
		adapted := adapted
		adapted.Attributes = fieldsOf(adapted.Cut(text))
		return adapted
	}
	return format
}

var (
	tableStart = lazyregexp.New(`<(?:[\w.-]+:)?TABLE[\s>]`)
	fieldStart = lazyregexp.New(`<(?:[\w.-]+:)?FIELD\s[^<>]*>`)
	fieldName  = lazyregexp.New(edit.ValueOf("FIELD", "name"))
	fieldUCD   = lazyregexp.New(edit.ValueOf("FIELD", "ucd"))
)

// fieldsOf makes an attribute of each field of the table that the rows are from, of the first letter where it has
// one, as spectral types do, and of what follows from magnitude and parallax.
func fieldsOf(rows edit.Pieces) []edit.Attribute {
	head := rows.Before
	if tables := tableStart.FindAllStringIndex(head, -1); tables != nil {
		head = head[tables[len(tables)-1][0]:]
	}
	const cell = `\s*<(?:\w+:)?TD(?:\s[^<>]*)?(?:/>|>[^<>]*</(?:\w+:)?TD\s*>)`
	var all []edit.Attribute
	var s star
	for k, field := range fieldStart.FindAllString(head, -1) {
		named := fieldName.FindStringSubmatch(field)
		if named == nil {
			continue
		}
		place := fmt.Sprintf(`\A<[^<>]*>(?:%s){%d}\s*<(?:\w+:)?TD(?:\s[^<>]*)?>\s*`, cell, k)
		name := strings.ToLower(named[1])
		value := edit.Sized(edit.Has(name, name+" values", place+`([^<>]*[^<>\s])`), rows.Parts)
		all = append(all, value)
		letter := edit.Has("first letter of "+name, "first letters of "+name, place+`([A-Za-z])`)
		if slices.ContainsFunc(rows.Parts, letter.Find.MatchString) {
			all = append(all, letter)
		}
		if ucd := fieldUCD.FindStringSubmatch(field); ucd != nil {
			s.take(ucd[1], value)
		}
	}
	return append(all, s.attributes()...)
}

// star is where the rows of a table have a magnitude and a parallax in milliarcseconds, by the UCDs of its fields; nil
// for what they do not have.
type star struct{ magnitude, parallax *lazyregexp.Regexp }

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
func number(field *lazyregexp.Regexp, row string) (float64, bool) {
	m := field.FindStringSubmatch(row)
	if m == nil {
		return 0, false
	}
	n, err := strconv.ParseFloat(m[1], 64)
	return n, err == nil
}
