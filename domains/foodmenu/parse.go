package foodmenu

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// menu is a document as the published evaluator reads it.
type menu struct {
	headers []string // of sections, with items or not, as often as they stand there
	items   []menuItem
}

// menuItem is a priced line of a menu. Codes are in order, each once; a section
// is empty where no header stands above the item.
type menuItem struct {
	name, description string
	section           string
	price             float64
	codes             []string
	flags             [3]bool
}

// The flags of an item.
const (
	alcoholic = iota
	vegetarian
	vegan
)

// parse reads every file of a document as a menu of its own, whatever its name.
func parse(files vfs.Files) (menu, error) {
	var m menu
	for _, name := range files.Names() {
		m.read(files[name])
	}
	return m, nil
}

// read adds the sections and items of a text.
func (m *menu) read(text string) {
	section := ""
	repairs := repairer{inHeader: strings.HasPrefix(pytext.StripLeft(text), "=")}
	for line := range strings.SplitSeq(text, "\n") {
		line = pytext.Strip(repairs.line(line))
		if header, ok := cutHeader(line); ok {
			section = header
			m.headers = append(m.headers, header)
			continue
		}
		if isSkipped(line) || strings.HasPrefix(line, "---") {
			continue
		}
		if item, ok := readMenuItem(line); ok {
			item.section = section
			m.items = plain.Append(m.items, item)
		}
	}
}

// repairer is the first pass over a text, which puts odd layouts right.
type repairer struct{ inHeader bool }

func (r *repairer) line(line string) string {
	text := pytext.Strip(line)
	if text == "" || text[0] == '=' || opensHeader(text) {
		return line
	}
	if !r.inHeader && isBareHeader(text) {
		return "--- " + text + " ---"
	}
	if !strings.HasPrefix(text, "Location:") && !strings.HasPrefix(text, "Date:") {
		r.inHeader = false
	}
	return repaired(line)
}

// repaired is the line of an item without list marks and leaders, its price
// behind the words.
func repaired(line string) string {
	return priceLast(withoutDashes(withoutLeaders(cutNumber(cutBullet(line)))))
}

// opensHeader reports whether a text begins as "--- DRINKS" does.
func opensHeader(text string) bool {
	rest, ok := strings.CutPrefix(text, "---")
	if !ok {
		return false
	}
	rest = pytext.StripLeft(rest)
	return rest != "" && isLetter(rest[0])
}

// isBareHeader reports whether a line in capitals is taken for a header.
func isBareHeader(text string) bool {
	const longest = 40
	if len(text) < 2 || len(text) > longest || text[0] < 'A' || text[0] > 'Z' {
		return false
	}
	for _, begin := range []string{"ALLERGEN", "OTHER", "LOCATION", "DATE"} {
		if strings.HasPrefix(text, begin) {
			return false
		}
	}
	for i := 1; i < len(text); i++ {
		if c := text[i]; (c < 'A' || c > 'Z') && !strings.ContainsRune(" &/'-", rune(c)) {
			return false
		}
	}
	return true
}

// cutBullet removes a list mark and the blanks around it.
func cutBullet(line string) string {
	text := pytext.StripLeft(line)
	for _, mark := range []string{"-", "•", "*"} {
		if rest, ok := strings.CutPrefix(text, mark); ok {
			if after := pytext.StripLeft(rest); after != rest {
				return after
			}
		}
	}
	return line
}

// cutNumber removes a number such as "12." or "3)" and the blanks around it.
func cutNumber(line string) string {
	text := pytext.StripLeft(line)
	rest := strings.TrimLeftFunc(text, unicode.IsDigit)
	if rest == text || rest == "" || rest[0] != '.' && rest[0] != ')' {
		return line
	}
	if after := pytext.StripLeft(rest[1:]); after != rest[1:] {
		return after
	}
	return line
}

// gap stands for leaders that were removed.
const gap = "  "

// withoutLeaders puts a gap for every run of three or more points.
func withoutLeaders(line string) string {
	const leader = "..."
	at := strings.Index(line, leader)
	if at < 0 {
		return line
	}
	var b strings.Builder
	for ; at >= 0; at = strings.Index(line, leader) {
		b.WriteString(pytext.StripRight(line[:at]))
		b.WriteString(gap)
		line = pytext.StripLeft(strings.TrimLeft(line[at:], "."))
	}
	return b.String() + line
}

// withoutDashes puts a gap for three or more dashes in front of a dollar sign, and
// then for one em or en dash there.
func withoutDashes(line string) string {
	if !strings.Contains(line, "$") {
		return line
	}
	if strings.Contains(line, "---") {
		line = beforeDollars(line, func(before string) (string, bool) {
			bare := strings.TrimRight(before, "-")
			return bare, len(before)-len(bare) >= 3
		})
	}
	if !strings.ContainsAny(line, "—–") {
		return line
	}
	return beforeDollars(line, func(before string) (string, bool) {
		if bare, ok := strings.CutSuffix(before, "—"); ok {
			return bare, true
		}
		return strings.CutSuffix(before, "–")
	})
}

// beforeDollars cuts a leader off the text in front of each dollar sign.
func beforeDollars(line string, cut func(before string) (bare string, found bool)) string {
	parts := strings.Split(line, "$")
	for i, part := range parts[:len(parts)-1] {
		if bare, found := cut(pytext.StripRight(part)); found {
			parts[i] = pytext.StripRight(bare) + gap
		}
	}
	return strings.Join(parts, "$")
}

// priceLast moves a price at the beginning of a line behind the words, before the
// tags at its end.
func priceLast(line string) string {
	text := pytext.Strip(line)
	at, end := findPrice(text)
	if at != 0 {
		return line
	}
	rest := pytext.StripLeft(text[end:])
	if rest == "" || len(rest) == len(text)-end {
		return line
	}
	words := rest
	for {
		bare, ok := cutTag(pytext.StripRight(words))
		if !ok {
			break
		}
		words = bare
	}
	return words + gap + text[:end] + gap + rest[len(words):]
}

// cutTag removes the tag at the end of a text.
func cutTag(text string) (bare string, ok bool) {
	var open string
	var fits func(byte) bool
	switch {
	case strings.HasSuffix(text, "]"):
		open, fits = "[", isLetter
	case strings.HasSuffix(text, ")"):
		open, fits = "(", isMark
	default:
		return text, false
	}
	at := strings.LastIndex(text, open)
	return text[:max(at, 0)], at >= 0 && allBytes(text[at+1:len(text)-1], fits)
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func isMark(c byte) bool { return c == 'A' || c == 'V' || c == 'G' }

func allBytes(text string, fit func(byte) bool) bool {
	for i := range len(text) {
		if !fit(text[i]) {
			return false
		}
	}
	return text != ""
}

// cutHeader returns the name of a section, which has letters and blanks only.
func cutHeader(line string) (name string, ok bool) {
	const ruler = "---"
	if len(line) < len("---AB---") || !strings.HasPrefix(line, ruler) || !strings.HasSuffix(line, ruler) {
		return "", false
	}
	inner := pytext.StripLeft(line[len(ruler) : len(line)-len(ruler)])
	if len(inner) < 2 || !isLetter(inner[0]) {
		return "", false
	}
	for _, r := range inner {
		if !pytext.IsSpace(r) && (r >= utf8.RuneSelf || !isLetter(byte(r))) {
			return "", false
		}
	}
	return pytext.StripRight(inner), true
}

// skipped are the beginnings of lines that the published reader passes over.
var skipped = []string{
	"Location:", "Date:", "ALLERGEN", "OTHER", "[Sh]", "[F]", "[G]", "[E]", "[N]", "[Se]", "[So]", "(A)", "(V)",
}

func isSkipped(line string) bool {
	if line == "" || line[0] == '=' {
		return true
	}
	return slices.ContainsFunc(skipped, func(begin string) bool { return strings.HasPrefix(line, begin) })
}

// mostCodes is the number of an item's different codes that are compared.
const mostCodes = 256

func readMenuItem(line string) (menuItem, bool) {
	at, end := findPrice(line)
	if at < 0 {
		return menuItem{}, false
	}
	var item menuItem
	item.price, _ = pytext.Float(line[at+1 : end])
	item.name, item.description = divideName(line[:at])
	eachTag(line[end:], func(brackets bool, text string) {
		switch {
		case brackets:
			if len(item.codes) < mostCodes && !slices.Contains(item.codes, text) {
				item.codes = append(item.codes, text)
			}
		case text == "A":
			item.flags[alcoholic] = true
		case text == "VG":
			item.flags[vegetarian], item.flags[vegan] = true, true
		case text == "V":
			item.flags[vegetarian] = true
		}
	})
	slices.Sort(item.codes)
	return item, true
}

// findPrice returns where the first price with two decimals stands, -1 if there
// is none.
func findPrice(line string) (at, end int) {
	for at = 0; ; at++ {
		next := strings.IndexByte(line[at:], '$')
		if next < 0 {
			return -1, -1
		}
		at += next
		rest := strings.TrimLeftFunc(line[at+1:], unicode.IsDigit)
		cents, ok := strings.CutPrefix(rest, ".")
		if !ok || len(rest) == len(line)-at-1 {
			continue
		}
		first, size := utf8.DecodeRuneInString(cents)
		second, more := utf8.DecodeRuneInString(cents[size:])
		if unicode.IsDigit(first) && unicode.IsDigit(second) {
			return at, len(line) - len(cents) + size + more
		}
	}
}

// eachTag visits the tags in a text: letters in brackets, and A, V and G in
// parentheses.
func eachTag(text string, visit func(brackets bool, text string)) {
	for {
		at := strings.IndexAny(text, "[(")
		if at < 0 {
			return
		}
		brackets := text[at] == '['
		text = text[at+1:]
		fits, closing := isMark, byte(')')
		if brackets {
			fits, closing = isLetter, ']'
		}
		n := 0
		for n < len(text) && fits(text[n]) {
			n++
		}
		if n > 0 && n < len(text) && text[n] == closing {
			visit(brackets, text[:n])
			text = text[n+1:]
		}
	}
}

// divideName divides a text into the words in capitals at its beginning and a
// description, if two or more such words stand before a text that has a small
// letter soon.
func divideName(text string) (name, description string) {
	const soon = 30
	rest, capitals := pytext.StripLeft(text), 0
	for rest != "" {
		end := strings.IndexFunc(rest, pytext.IsSpace)
		if end < 0 {
			end = len(rest)
		}
		if !inCapitals(rest[:end]) {
			break
		}
		capitals++
		rest = pytext.StripLeft(rest[end:])
	}
	if capitals < 2 || rest == "" {
		return pytext.Strip(text), ""
	}
	description = joined(pytext.Fields(rest))
	n := 0
	for _, r := range description {
		if n == soon {
			break
		}
		if unicode.IsLower(r) {
			return joined(pytext.Fields(text[:len(text)-len(rest)])), description
		}
		n++
	}
	return pytext.Strip(text), ""
}

func joined(words []string) string { return strings.Join(words, " ") }

// inCapitals reports whether a word has at least two ASCII letters, all capitals.
func inCapitals(word string) bool {
	letters := 0
	for i := range len(word) {
		if isLetter(word[i]) {
			if word[i] >= 'a' {
				return false
			}
			letters++
		}
	}
	return letters >= 2
}
