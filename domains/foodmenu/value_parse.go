package foodmenu

import (
	"regexp"
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

// menuItem is a priced line of a menu. Codes are in order, each once, with blanks between
// them; a section is empty where no header stands above the item.
type menuItem struct {
	name, description string
	section           string
	price             float64
	codes             string
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
	inTitle := strings.HasPrefix(pytext.StripLeft(text), "=")
	for line := range strings.SplitSeq(text, "\n") {
		line = pytext.Strip(line)
		switch {
		case line == "" || line[0] == '=' || line[0] == '-' && headerStart.MatchString(line):
		case !inTitle && len(line) <= longestHeader && bareHeader.MatchString(line) && !noHeader.MatchString(line):
			line = "--- " + line + " ---"
		default:
			inTitle = inTitle && (strings.HasPrefix(line, "Location:") || strings.HasPrefix(line, "Date:"))
			line = pytext.Strip(repaired(line))
		}
		if found := header.FindStringSubmatch(line); found != nil {
			section = pytext.StripRight(found[1])
			m.headers = append(m.headers, section)
		} else if item, ok := readMenuItem(line); ok && !isSkipped(line) {
			item.section = section
			m.items = plain.Append(m.items, item)
		}
	}
}

var (
	header      = pytext.Pattern(`^---\s*([A-Za-z](?:[A-Za-z]|\s)+)---$`)
	headerStart = pytext.Pattern(`^---\s*[A-Za-z]`)
	// bareHeader is a line in capitals. It is a header unless it is too long or matches noHeader.
	bareHeader = regexp.MustCompile(`^[A-Z][A-Z &/'-]+$`)
	noHeader   = regexp.MustCompile(`^(?:ALLERGEN|OTHER|LOCATION|DATE)`)
)

// longestHeader is the number of characters of a header without dashes.
const longestHeader = 40

// skipped are the beginnings of lines that the published reader passes over.
var skipped = []string{
	"=", "---", "Location:", "Date:", "ALLERGEN", "OTHER",
	"[Sh]", "[F]", "[G]", "[E]", "[N]", "[Se]", "[So]", "(A)", "(V)",
}

func isSkipped(line string) bool {
	return slices.ContainsFunc(skipped, func(begin string) bool { return strings.HasPrefix(line, begin) })
}

// mostCodes is the number of an item's different codes that are compared.
const mostCodes = 256

func readMenuItem(line string) (item menuItem, ok bool) {
	at, end := findPrice(line)
	if at < 0 {
		return item, false
	}
	item.price, _ = pytext.Float(line[at+1 : end])
	item.name, item.description = divideName(line[:at])
	var codes []string
	eachTag(line[end:], func(brackets bool, text string) {
		switch {
		case brackets:
			if len(codes) < mostCodes && !slices.Contains(codes, text) {
				codes = append(codes, text)
			}
		case text == "A":
			item.flags[alcoholic] = true
		case text == "VG":
			item.flags[vegetarian], item.flags[vegan] = true, true
		case text == "V":
			item.flags[vegetarian] = true
		}
	})
	slices.Sort(codes)
	item.codes = joined(codes)
	return item, true
}

// findPrice returns where the first price with two decimals stands, -1 if there is none.
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

// eachTag visits the tags in a text: letters in brackets, and A, V and G in parentheses.
func eachTag(text string, visit func(brackets bool, text string)) {
	for at := strings.IndexAny(text, "[("); at >= 0; at = strings.IndexAny(text, "[(") {
		brackets := text[at] == '['
		fits, closing := "AVG", ")"
		if brackets {
			fits, closing = asciiLetters, "]"
		}
		text = text[at+1:]
		rest := strings.TrimLeft(text, fits)
		if after, closed := strings.CutPrefix(rest, closing); closed && len(rest) < len(text) {
			visit(brackets, text[:len(text)-len(rest)])
			text = after
		}
	}
}

const asciiLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// divideName divides a text into the words in capitals at its beginning and a description, if two or more such words
// stand before a text that has a small letter soon.
func divideName(text string) (name, description string) {
	const soon = 30
	capitals := 0
	for word := range strings.FieldsFuncSeq(text, pytext.IsSpace) {
		if !inCapitals(word) {
			break
		}
		capitals++
	}
	if capitals < 2 {
		return pytext.Strip(text), ""
	}
	words := pytext.Fields(text)
	description = joined(words[capitals:])
	if !strings.ContainsFunc(pytext.First(description, soon), unicode.IsLower) {
		return pytext.Strip(text), ""
	}
	return joined(words[:capitals]), description
}

func joined(words []string) string { return strings.Join(words, " ") }

// inCapitals reports whether a word has at least two ASCII letters, all capitals.
func inCapitals(word string) bool {
	letters := 0
	for i := range len(word) {
		switch c := word[i]; {
		case 'a' <= c && c <= 'z':
			return false
		case 'A' <= c && c <= 'Z':
			letters++
		}
	}
	return letters >= 2
}

// repaired is the line of an item without list marks and leaders, its price after the words.
func repaired(line string) string {
	line = cutMarks(line)
	if strings.Contains(line, "...") {
		line = leaders.ReplaceAllString(line, gap)
	}
	if strings.Contains(line, "---") {
		line = dashes.ReplaceAllString(line, gap+"$$")
	}
	if strings.Contains(line, "—") || strings.Contains(line, "–") {
		line = longDash.ReplaceAllString(line, gap+"$$")
	}
	if strings.HasPrefix(pytext.StripLeft(line), "$") {
		line = priceFirst.ReplaceAllString(line, "${words}"+gap+"${price}"+gap+"${tags}")
	}
	return line
}

// gap stands for leaders that were removed.
const gap = "  "

var (
	bullet   = pytext.Pattern(`^\s*[-•*]\s+`)
	marks    = pytext.Pattern(`^(?:\s*[-•*]\s+)?(?:\s*\d+[.)]\s+)?`)
	leaders  = pytext.Pattern(`\s*\.{3,}\s*`)
	dashes   = pytext.Pattern(`\s*-{3,}\s*\$`)
	longDash = pytext.Pattern(`\s*[—–]\s*\$`)
	// priceFirst is a line with the price at its beginning. It goes after the words, before the tags.
	priceFirst = pytext.Pattern(`^\s*(?P<price>\$\d+\.\d\d)\s+(?P<words>.*?)(?P<tags>(?:(?:\[[A-Za-z]+\]|\([AVG]+\))\s*)*)$`)
)

// cutMarks removes a list mark and then a number such as "12." or "3)", and the blanks around them.
func cutMarks(line string) string {
	if text := pytext.StripLeft(line); text == "" || 'A' <= text[0] && text[0] <= 'z' {
		return line // as most are
	}
	return line[len(marks.FindString(line)):]
}
