package crystal

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"agentd/domains"
	"agentd/domains/internal/element"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/sets"
	published "agentd/domains/published/crystal"
	"agentd/internal/lazyregexp"
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
	"_space_group_symop_operation_xyz": published.OperationTag,
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
		text = plain.SingleBlanks(v.text())
	}
	switch {
	case v.form != bareForm && (text == "?" || text == "."):
		return "'" + text + "'"
	case v.form == bareForm && text == "1_555" && strings.Contains(tag, "_site_symmetry"):
		return "."
	case tag != published.OperationTag:
		return normalNumber(text)
	}
	if o, ok := readOperation(text); ok {
		return o.String()
	}
	return plain.SingleBlanks(text)
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

// isListing reports whether the lines of a text have a meaning of their own, as in a program's input file.
func isListing(tag string) bool {
	return strings.HasPrefix(tag, "_shelx") || strings.HasPrefix(tag, "_iucr_refine_")
}

// isOpen reports whether a text field has no end of its own.
func (v value) isOpen() bool {
	return v.form == fieldForm && v.raw[0] == ';' && (len(v.raw) < 2 || v.raw[len(v.raw)-1] != ';')
}

// notClosed is a field of what has an open text field.
var notClosed = domains.Field{Name: element.EndOfText, Value: element.Missing}

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
	text := plain.SingleBlanks(strings.TrimLeft(comment, "#"))
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
var signedTerm = lazyregexp.New(`([+-]?)([^+-]*)`)

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

// lexKind is a kind of word in a file as CIF 1.1 has it.
type lexKind uint8

const (
	lexEnd lexKind = iota
	lexComment
	lexTag
	lexValue
	lexLoop
	lexBlock // data_ with a name
)

// lexeme is a word with its place in the text.
type lexeme struct {
	kind       lexKind
	form       form // of a value
	opens      bool // it is the first of its line
	start, end int
}

// form is how a value is delimited.
type form uint8

const (
	bareForm form = iota
	quotedForm
	fieldForm // a text field, or a text between lines that are only quotes
)

// lexer divides any text into words. Where text fields are damaged they end
// before the next item, so that little is lost.
type lexer struct {
	text    string
	at      int
	broken  bool // text fields are known to be damaged
	damaged bool // a text field has no proper end
	state   lexState
}

// lexState says whether a value may follow.
type lexState uint8

const (
	afterItem lexState = iota // no value may
	afterTag
	afterLoop // or a tag of the loop
	amongValues
)

func (l *lexer) next() lexeme {
	opens := l.skipBlanks()
	w := lexeme{start: l.at, opens: opens}
	if l.at == len(l.text) {
		w.end = l.at
		return w
	}
	rest := l.text[l.at:]
	switch c := rest[0]; {
	case c == '#':
		w.kind, w.end = lexComment, l.at+lineLength(rest)
	case c == ';' && l.atLineStart():
		w.kind, w.form, w.end = lexValue, fieldForm, l.at+l.fieldLength(rest)
	case c == '\'' || c == '"':
		w.kind, w.form, w.end = lexValue, quotedForm, l.at+quotedLength(rest)
		if length := betweenQuoteLines(rest, opens); length > 0 {
			w.form, w.end = fieldForm, l.at+length
		}
	default:
		length := wordLength(rest)
		w.kind, w.end = kindOfWord(rest[:length]), l.at+length
	}
	l.at = w.end
	l.note(w.kind)
	return w
}

// note remembers what decides whether a value may follow.
func (l *lexer) note(kind lexKind) {
	switch kind {
	case lexTag:
		if l.state != afterLoop {
			l.state = afterTag
		}
	case lexLoop:
		l.state = afterLoop
	case lexBlock:
		l.state = afterItem
	case lexValue:
		if l.state == afterLoop {
			l.state = amongValues
		} else if l.state == afterTag {
			l.state = afterItem
		}
	}
}

// skipBlanks reports whether it came to the beginning of a line.
func (l *lexer) skipBlanks() bool {
	from := l.at
	l.at = len(l.text) - len(strings.TrimLeftFunc(l.text[from:], isBlank))
	return from == 0 || strings.IndexByte(l.text[from:l.at], '\n') >= 0
}

func isBlank(r rune) bool { return r <= ' ' || unicode.IsSpace(r) }

func (l *lexer) atLineStart() bool { return l.at == 0 || l.text[l.at-1] == '\n' }

func lineLength(text string) int {
	if end := strings.IndexByte(text, '\n'); end >= 0 {
		return end
	}
	return len(text)
}

func wordLength(text string) int {
	if end := strings.IndexFunc(text, isBlank); end >= 0 {
		return end
	}
	return len(text)
}

func kindOfWord(word string) lexKind {
	switch {
	case len(word) > 1 && word[0] == '_':
		return lexTag
	case strings.EqualFold(word, published.LoopWord):
		return lexLoop
	case published.HasWord(word, "data_") && len(word) > len("data_"):
		return lexBlock
	}
	return lexValue
}

// quotedLength is the length of a text in quotes: up to a quote that white space
// follows, or to the end of the line if there is none.
func quotedLength(text string) int {
	line := text[:lineLength(text)]
	for i := 1; i < len(line); i++ {
		if line[i] == line[0] && (i+1 == len(line) || line[i+1] <= ' ') {
			return i + 1
		}
	}
	return len(strings.TrimRight(line, " \t"))
}

// betweenQuoteLines is the length of a text that begins with a line that is only
// a quote and ends with a line that ends in one, 0 if the text is no such.
func betweenQuoteLines(text string, opens bool) int {
	if !opens || strings.TrimSpace(text[1:lineLength(text)]) != "" {
		return 0
	}
	const most = 100 // lines
	end := lineLength(text)
	for range most {
		if end == len(text) {
			return 0
		}
		line := text[end+1:][:lineLength(text[end+1:])]
		if strings.HasSuffix(strings.TrimRight(line, " \t"), text[:1]) {
			return end + 1 + len(strings.TrimRight(line, " \t"))
		}
		end += 1 + len(line)
	}
	return 0
}

// fieldLength is the length of a text field with both semicolons.
func (l *lexer) fieldLength(text string) int {
	first := lineLength(text)
	if l.broken {
		if line := strings.TrimRight(text[:first], " \t"); len(line) > 2 && line[len(line)-1] == ';' || l.state == afterItem {
			return len(line)
		}
	}
	for at := first; at < len(text); {
		line := text[at+1:][:lineLength(text[at+1:])]
		switch {
		case strings.HasPrefix(line, ";"):
			l.damaged = l.damaged || wordLength(line) > 1
			return at + len("\n;")
		case l.broken && beginsItem(line):
			return at
		}
		at += 1 + len(line)
	}
	l.damaged = true
	return len(text)
}

func beginsItem(line string) bool {
	line = strings.TrimLeft(line, " \t")
	return kindOfWord(line[:wordLength(line)]) != lexValue
}
