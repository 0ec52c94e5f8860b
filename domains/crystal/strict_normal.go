package crystal

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"agentd/domains"
	"agentd/domains/internal/sets"
)

// mostFields is how many fields of an element are compared one with the other.
const mostFields = 200

// aliases are the tags of later core dictionaries that say the same as one of its first version, in lower case.
var aliases = map[string]string{
	"_space_group_crystal_system":      "_symmetry_cell_setting",
	"_space_group_it_number":           "_symmetry_int_tables_number",
	"_space_group_name_h-m_alt":        "_symmetry_space_group_name_h-m",
	"_space_group_name_hall":           "_symmetry_space_group_name_hall",
	"_space_group_symop_id":            "_symmetry_equiv_pos_site_id",
	"_space_group_symop_operation_xyz": operationTag,
}

// normalTag is a tag as it is compared. A dot divides category and name in later dictionaries.
func normalTag(tag string) string {
	tag = strings.ReplaceAll(strings.ToLower(tag), ".", "_")
	if old, ok := aliases[tag]; ok {
		return old
	}
	return tag
}

// normal is what a value under a normal tag says, without what means nothing.
// The bare signs for unknown and inapplicable values are not the same as texts.
func (v value) normal(tag string) string {
	text := v.raw
	if v.form != bareForm {
		text = oneLine(v.text())
	}
	switch {
	case v.form != bareForm && (text == "?" || text == "."):
		return "'" + text + "'"
	case v.form == bareForm && text == "1_555" && strings.Contains(tag, "_site_symmetry"):
		return "."
	case tag != operationTag:
		return normalNumber(text)
	}
	if o, ok := readOperation(text); ok {
		return o.String()
	}
	return oneLine(text)
}

// normalNumber gives a number that begins with a dot its zero and takes off a
// plus sign. Zeros at the end are kept: they say how exact it is.
func normalNumber(text string) string {
	if text == "" || strings.IndexByte("+-.", text[0]) < 0 {
		return text
	}
	number := text
	if text[0] != '.' {
		number = text[1:]
	}
	if strings.HasPrefix(number, ".") && len(number) > 1 {
		number = "0" + number
	}
	if len(number) == 0 || number[0] < '0' || number[0] > '9' {
		return text
	}
	if text[0] == '-' {
		return "-" + number
	}
	return number
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// isListing reports whether the lines of a text have a meaning of their own, as in a program's input file.
func isListing(tag string) bool {
	return strings.HasPrefix(tag, "_shelx") || strings.HasPrefix(tag, "_iucr_refine_")
}

// isOpen reports whether a text field has no end of its own.
func (v value) isOpen() bool {
	return v.form == fieldForm && v.raw[0] == ';' && (len(v.raw) < 2 || v.raw[len(v.raw)-1] != ';')
}

// notClosed is a field of what has an open text field.
var notClosed = domains.Field{Name: "end of the text", Value: "missing"}

// fields are the value of an item: of a longer text its paragraphs, of a listing its lines.
func (v value) fields(tag string) []domains.Field {
	var fields []domains.Field
	var all []string
	isField := v.form == fieldForm
	if isField {
		all = paragraphs(v.text())
	}
	switch {
	case isField && isListing(tag):
		for line := range strings.SplitSeq(v.text(), "\n") {
			if line = strings.TrimRight(line, " \t"); line != "" {
				fields = append(fields, domains.Field{Name: "line", Value: line})
			}
		}
	case len(all) > 1:
		for i, text := range all {
			fields = append(fields, domains.Field{Name: fmt.Sprintf("paragraph %d", i+1), Value: text})
		}
	default:
		fields = []domains.Field{{Name: "value", Value: v.normal(tag)}}
	}
	fields = domains.Bounded(fields, mostFields)
	if v.isOpen() {
		fields = append(fields, notClosed)
	}
	return fields
}

// paragraphs divides a text at blank lines.
func paragraphs(text string) []string {
	var all, open []string
	for line := range strings.SplitSeq(text+"\n", "\n") {
		if words := strings.Fields(line); len(words) > 0 {
			open = append(open, words...)
		} else if len(open) > 0 {
			all = append(all, strings.Join(open, " "))
			open = nil
		}
	}
	return all
}

// unitWords are the words of remarks that only repeat the unit that the dictionary prescribes.
var unitWords = sets.Words(`
	in cubic per angstrom angstroms ångström å a å3 a3 å^3 a^3 degree degrees deg deg. ° k kelvin mm mm-1 mm^-1 g
	mg m-3 cm-3 m^-3 cm^-3 g/cm3 g/cm^3 da daltons`)

// remark is what a comment says; empty if that is nothing, a rule of signs, or the unit of the value before it.
func remark(comment string) string {
	text := oneLine(strings.TrimLeft(comment, "#"))
	words := strings.Fields(strings.ToLower(strings.Trim(text, "()[]")))
	says := slices.ContainsFunc(words, func(word string) bool { return !unitWords[word] })
	if !says || !strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
		return ""
	}
	return text
}

// operation is a symmetry operation: a rotation and a shift in 24ths of the cell's edges.
type operation struct {
	rotation [3][3]int
	shift    [3]int
}

const whole = 24

// readOperation reads an operation such as "x+1/2, -y, z-x".
func readOperation(text string) (operation, bool) {
	var o operation
	parts := strings.Split(strings.ToLower(strings.Join(strings.Fields(text), "")), ",")
	if len(parts) != 3 {
		return o, false
	}
	for i, part := range parts {
		for _, term := range signedTerm.FindAllStringSubmatch(part, -1) {
			sign := 1
			if term[1] == "-" {
				sign = -1
			}
			if axis := strings.Index("xyz", term[2]); axis >= 0 && len(term[2]) == 1 {
				o.rotation[i][axis] += sign
				continue
			}
			shift, ok := in24ths(term[2])
			if !ok {
				return o, false
			}
			o.shift[i] += sign * shift
		}
	}
	return o, true
}

// signedTerm is a part of a sum.
var signedTerm = regexp.MustCompile(`([+-]?)([^+-]*)`)

// in24ths reads a fraction or decimal number that is a multiple of 1/24.
func in24ths(text string) (int, bool) {
	const most = 1000
	above, below, divided := strings.Cut(text, "/")
	numerator, err := strconv.ParseFloat(above, 64)
	denominator := 1.0
	if divided && err == nil {
		denominator, err = strconv.ParseFloat(below, 64)
	}
	parts := numerator * whole / denominator
	if err != nil || denominator == 0 || numerator < 0 || parts > most || parts != float64(int(parts)) {
		return 0, false
	}
	return int(parts), true
}

// String is an operation as "-x+y, z+1/2, …": the axes in order, then the shift.
func (o operation) String() string {
	parts := make([]string, 3)
	for i := range parts {
		for axis, n := range o.rotation[i] {
			for range max(n, -n) {
				parts[i] += sign(n) + "xyz"[axis:axis+1]
			}
		}
		if shift := o.shift[i]; shift != 0 || parts[i] == "" {
			parts[i] += sign(shift) + fraction(max(shift, -shift))
		}
		parts[i] = strings.TrimPrefix(parts[i], "+")
	}
	return strings.Join(parts, ", ")
}

func sign(n int) string {
	if n < 0 {
		return "-"
	}
	return "+"
}

// fraction is a number of 24ths in lowest terms.
func fraction(parts int) string {
	a, b := parts, whole
	for b != 0 {
		a, b = b, a%b
	}
	if a == whole {
		return strconv.Itoa(parts / whole)
	}
	return fmt.Sprintf("%d/%d", parts/a, whole/a)
}
