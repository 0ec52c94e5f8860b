package starcatalog

import (
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
		Document: "star catalogue", Part: "row", Parts: "rows", Cut: edit.Outer("TR"), OneCut: true,
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
	var all []edit.Attribute
	var s star
	for k, field := range fieldStart.FindAllString(head, -1) {
		named := fieldName.FindStringSubmatch(field)
		if named == nil {
			continue
		}
		name := strings.ToLower(named[1])
		text := func(row string) (from, to int) { return cellText(row, k) }
		all = append(all, edit.Sized(edit.Placed(name, name+" values", text), rows.Parts))
		letter := func(row string) (from, to int) {
			if from, to = text(row); from < to && isLetter(row[from]) {
				return from, from + 1
			}
			return 0, 0
		}
		if slices.ContainsFunc(rows.Parts, func(row string) bool { _, to := letter(row); return to > 0 }) {
			all = append(all, edit.Placed("first letter of "+name, "first letters of "+name, letter))
		}
		if ucd := fieldUCD.FindStringSubmatch(field); ucd != nil {
			s.take(ucd[1], text)
		}
	}
	return append(all, s.attributes()...)
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

const space = " \t\n\f\r"

// cellText is where the text in the cell after so many others stands in a row, without the white space around it; nowhere if there
// is no such cell, or an element in it or in one of those. It reads by hand, since rows have many cells and catalogues many rows.
func cellText(row string, k int) (from, to int) {
	at := strings.IndexByte(row, '>') + 1
	if at == 0 || row[0] != '<' || strings.Contains(row[1:at], "<") {
		return 0, 0
	}
	for ; ; k-- {
		rest, ok := strings.CutPrefix(strings.TrimLeft(row[at:], space), "<")
		tag, after, closed := strings.Cut(rest, ">")
		name, attributes := cutName(tag)
		bare := attributes == "" || strings.IndexByte(space, attributes[0]) >= 0
		if !ok || !closed || name != "TD" || strings.Contains(tag, "<") || !bare && attributes != "/" {
			return 0, 0
		}
		at = len(row) - len(after)
		end := strings.IndexAny(after, "<>")
		if k == 0 && bare {
			text := after[:max(end, 0)]
			if end < 0 {
				text = after
			}
			from = at + len(text) - len(strings.TrimLeft(text, space))
			return from, max(from, at+len(strings.TrimRight(text, space)))
		}
		switch next := closing(after[max(end, 0):]); {
		case k == 0:
			return 0, 0
		case bare && next > 0:
			at += end + next
		case !strings.HasSuffix(attributes, "/"):
			return 0, 0
		}
	}
}

// closing is how long the end tag of a cell is with which a text begins; 0 if it does not begin so.
func closing(text string) int {
	tag, _, closed := strings.Cut(text, ">")
	bare, ok := strings.CutPrefix(tag, "</")
	name, blanks := cutName(bare)
	if !ok || !closed || name != "TD" || strings.Trim(blanks, space) != "" {
		return 0
	}
	return len(tag) + 1
}

// cutName cuts the name, without its prefix, off what stands in a tag.
func cutName(tag string) (name, rest string) {
	n := wordLength(tag)
	if n > 0 && n < len(tag) && tag[n] == ':' {
		tag = tag[n+1:]
		n = wordLength(tag)
	}
	return tag[:n], tag[n:]
}

// wordLength is how many ASCII letters, digits and underscores a text begins with.
func wordLength(text string) (n int) {
	for n < len(text) && (isLetter(text[n]) || text[n] >= '0' && text[n] <= '9' || text[n] == '_') {
		n++
	}
	return n
}

// star is where the rows of a table have a magnitude and a parallax in milliarcseconds, by the UCDs of its fields; nil
// for what they do not have.
type star struct {
	magnitude, parallax func(row string) (from, to int)
}

// take takes in the first field of each kind.
func (s *star) take(ucd string, field func(row string) (from, to int)) {
	switch {
	case s.magnitude == nil && strings.HasPrefix(ucd, "phot.mag"):
		s.magnitude = field
	case s.parallax == nil && strings.HasPrefix(ucd, "pos.parallax"):
		s.parallax = field
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
func number(field func(row string) (from, to int), row string) (float64, bool) {
	from, to := field(row)
	n, err := strconv.ParseFloat(row[from:to], 64)
	return n, err == nil
}
