package genealogy

import (
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	published "agentd/domains/published/genealogy"
	"agentd/internal/lazyregexp"
	"agentd/vfs"
)

// maxLevel is the largest level that the specification allows.
const maxLevel = 99

// read takes in any text as a list of records, indented or not. Blank lines
// are left out; a line that is none of GEDCOM stays below the line it follows.
func read(text string) []*published.Line {
	root := &published.Line{Level: -1}
	open := []*published.Line{root} // the last line and those it is below
	for _, text := range plain.Lines(text) {
		l := readLine(strings.TrimLeft(text, " \t\ufeff"))
		switch {
		case l.Tag != "":
			for open[len(open)-1].Level >= l.Level {
				open = open[:len(open)-1]
			}
		case strings.Trim(l.Value, " \t") == "":
			continue
		}
		parent := open[len(open)-1]
		parent.Lines = plain.Append(parent.Lines, l)
		l.Jumped = l.Level > parent.Level+1
		if l.Tag != "" {
			open = append(open, l)
		}
	}
	return root.Lines
}

func readLine(text string) *published.Line {
	foreign := func() *published.Line { return &published.Line{Value: text} }
	digits := len(text) - len(strings.TrimLeft(text, "0123456789"))
	level, err := strconv.Atoi(text[:digits])
	if err != nil || level > maxLevel {
		return foreign()
	}
	rest := strings.TrimLeft(text[digits:], " \t")
	if len(rest) == len(text)-digits {
		return foreign()
	}
	l := &published.Line{Level: level}
	if pointer, after, ok := published.CutPointer(rest); ok {
		l.Pointer, rest = pointer, strings.TrimLeft(after, " \t")
	}
	tag, value := published.CutTag(rest)
	if tag == "" || value != "" && value[0] != ' ' && value[0] != '\t' {
		return foreign()
	}
	l.Tag = tag
	if value != "" {
		l.Value = value[1:]
	}
	return l
}

// print is the reverse of read, without indentation.
func print(records []*published.Line) string {
	var b strings.Builder
	for _, r := range records {
		printTo(r, &b)
	}
	return b.String()
}

func printTo(l *published.Line, b *strings.Builder) {
	b.WriteString(lineText(l) + "\n")
	for _, below := range l.Lines {
		printTo(below, b)
	}
}

// text is the line as it stands in a file.
func lineText(l *published.Line) string {
	if l.Tag == "" {
		return l.Value
	}
	text := strconv.Itoa(l.Level) + " "
	if l.Pointer != "" {
		text += l.Pointer + " "
	}
	text += l.Tag
	if l.Value != "" {
		text += " " + l.Value
	}
	return text
}

// first returns the first line of a tag below the line, nil if there is none.
func first(l *published.Line, tag string) *published.Line {
	for _, below := range l.Lines {
		if below.Tag == tag {
			return below
		}
	}
	return nil
}

// below returns the value at a path of tags, empty if there is none.
func lineBelow(l *published.Line, path ...string) string {
	for _, tag := range path {
		if l = first(l, tag); l == nil {
			return ""
		}
	}
	return strings.Trim(l.Value, " \t")
}

// link is the pointer that is the line's value, empty if the value is none.
func lineLink(l *published.Line) string {
	value := strings.Trim(l.Value, " \t")
	pointer, rest, ok := published.CutPointer(value)
	if !ok || rest != "" || pointer[1] == '#' {
		return ""
	}
	return pointer
}

// fullText is the line's value with those of its CONC and CONT lines.
func fullText(l *published.Line) string {
	if !slices.ContainsFunc(l.Lines, (*published.Line).IsText) {
		return l.Value
	}
	var b strings.Builder
	b.WriteString(l.Value)
	for _, below := range l.Lines {
		switch below.Tag {
		case "CONT":
			b.WriteString("\n" + below.Value)
		case "CONC":
			b.WriteString(below.Value)
		}
	}
	return b.String()
}

// each calls do with the line and all lines below it.
func each(l *published.Line, do func(*published.Line)) {
	do(l)
	for _, below := range l.Lines {
		each(below, do)
	}
}

// without leaves out individuals, with every line that points to them, and the families that have no spouse left.
func without(files vfs.Files, leave func() bool) vfs.Files {
	gone, kept := map[*published.Line]bool{}, map[string]bool{}
	pointers := map[string]bool{} // of what is left out
	records := map[string][]*published.Line{}
	var families []*published.Line
	for _, name := range files.Names() {
		records[name] = read(files[name])
		for _, r := range records[name] {
			switch {
			case r.Tag == "FAM":
				families = append(families, r)
			case r.Tag != "INDI":
			case leave():
				gone[r], pointers[r.Pointer] = true, true
			default:
				kept[r.Pointer] = true
			}
		}
	}
	for pointer := range kept {
		delete(pointers, pointer) // of a record that was there twice
	}
	delete(pointers, "")
	for _, r := range families {
		if losesSpouses(r, pointers) {
			gone[r] = true
		}
	}
	for r := range gone {
		if r.Tag == "FAM" {
			pointers[r.Pointer] = true
		}
	}
	left := vfs.Files{}
	for name, all := range records {
		all = slices.DeleteFunc(all, func(r *published.Line) bool { return gone[r] })
		for _, r := range all {
			unlink(r, pointers)
		}
		left[name] = print(all)
	}
	return left
}

// losesSpouses reports whether a family has spouses and all of them are left out.
func losesSpouses(family *published.Line, pointers map[string]bool) bool {
	had := false
	for _, l := range family.Lines {
		if l.Tag == "HUSB" || l.Tag == "WIFE" {
			if !pointers[lineLink(l)] {
				return false
			}
			had = true
		}
	}
	return had
}

// unlink takes out the lines below that point to one of the pointers.
func unlink(l *published.Line, pointers map[string]bool) {
	l.Lines = slices.DeleteFunc(l.Lines, func(below *published.Line) bool { return pointers[lineLink(below)] })
	for _, below := range l.Lines {
		unlink(below, pointers)
	}
}

// normalText is a text in a form that is equal where GEDCOM means the same:
// runs of blanks are one, "@@" is "@". Line breaks count.
func normalText(text string) string {
	text = strings.ReplaceAll(text, "@@", "@")
	if !strings.Contains(text, "\n") {
		return plain.SingleBlanks(text)
	}
	lines := lists.Map(strings.Split(text, "\n"), plain.SingleBlanks)
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

// normalPlace has one blank after each comma of a place.
func normalPlace(place string) string {
	return strings.Join(lists.Map(strings.Split(place, ","), plain.SingleBlanks), ", ")
}

// personalName is a name in its parts, as they are written.
type personalName struct{ given, surname, suffix string }

// readName takes a name apart. Without a value it is what the lines below it
// say; a surname that is repeated after the given names is left out.
func readName(l *published.Line) personalName {
	value := plain.SingleBlanks(fullText(l))
	if value == "" {
		return personalName{
			given:   plain.SingleBlanks(lineBelow(l, "NPFX") + " " + lineBelow(l, "GIVN")),
			surname: plain.SingleBlanks(lineBelow(l, "SPFX") + " " + lineBelow(l, "SURN")),
			suffix:  plain.SingleBlanks(lineBelow(l, "NSFX")),
		}
	}
	given, rest, _ := strings.Cut(value, "/")
	surname, suffix, _ := strings.Cut(rest, "/")
	n := personalName{strings.TrimSpace(given), strings.TrimSpace(surname), strings.TrimSpace(suffix)}
	if begin := len(n.given) - len(n.surname) - 1; n.surname != "" && begin >= 0 && strings.EqualFold(n.given[begin:], " "+n.surname) {
		n.given = n.given[:begin]
	}
	return n
}

func foldedLower(text string) string { return pytext.Lower(plain.SingleBlanks(text)) }

func (n personalName) String() string {
	surname := ""
	if n.surname != "" {
		surname = "/" + n.surname + "/"
	}
	words := []string{n.given, surname, n.suffix}
	return strings.Join(slices.DeleteFunc(words, func(word string) bool { return word == "" }), " ")
}

// repeats reports whether a line below the name only says again what the name says.
func (n personalName) repeats(part *published.Line) bool {
	if len(part.Lines) > 0 {
		return false
	}
	return part.Tag == "GIVN" && foldedLower(part.Value) == pytext.Lower(n.given) ||
		part.Tag == "SURN" && foldedLower(part.Value) == pytext.Lower(n.surname)
}

// months are the English names; GEDCOM has their first three letters.
var months = []string{
	"JANUARY", "FEBRUARY", "MARCH", "APRIL", "MAY", "JUNE",
	"JULY", "AUGUST", "SEPTEMBER", "OCTOBER", "NOVEMBER", "DECEMBER",
}

// keywords are the words of date phrases that are often written out.
var keywords = map[string]string{
	"ABOUT": "ABT", "CIRCA": "ABT", "BEFORE": "BEF", "AFTER": "AFT", "BETWEEN": "BET",
	"ESTIMATED": "EST", "CALCULATED": "CAL", "INTERPRETED": "INT",
}

// normalDate writes a date as the specification has it: capitals, months in three letters, days without a leading zero,
// also where it was written as in 1836-03-13. What stands in parentheses is a phrase, to be left as it is.
func normalDate(date string) string {
	date, phrase, _ := strings.Cut(date, "(")
	var words []string
	for _, word := range strings.Fields(strings.ToUpper(date)) {
		words = append(words, dateWords(strings.TrimRight(word, ".,"))...)
	}
	if phrase != "" {
		words = append(words, "("+plain.SingleBlanks(phrase))
	}
	return strings.Join(words, " ")
}

func dateWords(word string) []string {
	if word == "@#DGREGORIAN@" { // which it is unless another is named
		return nil
	}
	if year, month, day, ok := readISO(word); ok {
		words := []string{months[month-1][:3], year}
		if day > 0 {
			words = append([]string{strconv.Itoa(day)}, words...)
		}
		return words
	}
	if full, ok := keywords[word]; ok {
		return []string{full}
	}
	if month := monthNumber(word); month > 0 {
		return []string{months[month-1][:3]}
	}
	if len(word) == 2 && word[0] == '0' {
		word = word[1:]
	}
	return []string{word}
}

// monthNumber is the number of a month by its name or the beginning of it, 0 if it is none.
func monthNumber(word string) int {
	for n, name := range months {
		if len(word) >= 3 && strings.HasPrefix(name, word) {
			return n + 1
		}
	}
	return 0
}

var isoDate = lazyregexp.New(`^([0-9]{4})-([0-9]{2})(?:-([0-9]{2}))?$`)

// readISO reads 1836-03-13, and 1836-03 with a day of 0.
func readISO(word string) (year string, month, day int, ok bool) {
	parts := isoDate.FindStringSubmatch(word)
	if parts == nil {
		return "", 0, 0, false
	}
	month, _ = strconv.Atoi(parts[2])
	day, _ = strconv.Atoi(parts[3])
	return parts[1], month, day, month >= 1 && month <= len(months) && day <= 31 && parts[3] != "00"
}

// yearIn is the first number of four digits in a normal date, empty if there is none.
func yearIn(date string) string {
	for word := range strings.FieldsSeq(date) {
		if len(word) == 4 && plain.IsDigits(word) {
			return word
		}
	}
	return ""
}
