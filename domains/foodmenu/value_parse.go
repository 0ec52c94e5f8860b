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

// parse reads every file of a document as a menu of its own, under any name.
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
