// Package foodmenu is the published reading and score of the domain foodmenu.
//
// Item similarity of reference item r and candidate item c:
//
//	| Dimension | Similarity s | Severity |
//	| price | equal 1; one is 0 → 0; else min/max | 0.8 |
//	| section | equal 1 else 0 (nil equals nil) | 0.6 |
//	| allergens | Jaccard of the sets, both empty 1 | 0.7 |
//	| flags | equal ones of (alcoholic, vegetarian, vegan) / 3 | 0.6 |
//	| description | both: SequenceMatcher ratio of lower-cased texts; exactly one: 0.5; none: 1 | 0.3 |
//
// sim = name_ratio × Π (1 − severity·(1 − s)), where name_ratio = SequenceMatcher(ref, cand) ratio of the lower-cased
// names, on characters, autojunk on (bites only from 200 characters). An empty string also counts as "no description".
//
// Items. R reference items, C candidate items: R = 0 → 1 if C = 0 else 0; C = 0 → 0. Otherwise an optimal assignment
// (Hungarian, rectangular, maximising Σ sim, min(R, C) pairs); ties do not matter since only the sum is used. items = Σ
// sim / R × (0.5 + 0.5·min(R,C)/max(R,C)).
//
// Sections. Jaccard of the sets of section headers seen (items or not); both empty → 1.
//
// score = 0.85·items + 0.15·sections. No rounding, no gate. Details: score_items, score_sections, count_items,
// count_sections.
//
// Consequences: prose without headers scores 0, prose with no header against a menu without headers 0.15; a copy whose
// prices are all unreadable 0.15; renaming the only section of a menu costs 0.66: 0.15 for the header, 0.51 for the
// section severity on every item.
package foodmenu

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// Menu is a document as the published evaluator reads it.
type Menu struct {
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

// Parse reads every file of a document as a menu of its own, under any name.
func Parse(files vfs.Files) (Menu, error) {
	var m Menu
	for _, name := range files.Names() {
		m.read(files[name])
	}
	return m, nil
}

// read adds the sections and items of a text.
func (m *Menu) read(text string) {
	section := ""
	inTitle := strings.HasPrefix(pytext.StripLeft(text), "=")
	for line := range strings.SplitSeq(text, "\n") {
		line = pytext.Strip(line)
		switch {
		case line == "" || line[0] == '=' || line[0] == '-' && headerStart.MatchString(line):
		case !inTitle && len(line) <= longestHeader && bareHeader.MatchString(line) && !NoHeader.MatchString(line):
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

// Forms of lines.
var (
	header      = pytext.Pattern(`^---\s*([A-Za-z](?:[A-Za-z]|\s)+)---$`)
	headerStart = pytext.Pattern(`^---\s*[A-Za-z]`)
	// bareHeader is a line in capitals. It is a header unless it is too long or matches NoHeader.
	bareHeader = regexp.MustCompile(`^[A-Z][A-Z &/'-]+$`)
	NoHeader   = regexp.MustCompile(`^(?:ALLERGEN|OTHER|LOCATION|DATE)`)
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
	at, end := FindPrice(line)
	if at < 0 {
		return item, false
	}
	item.price, _ = pytext.Float(line[at+1 : end])
	item.name, item.description = divideName(line[:at])
	var codes []string
	for _, tag := range tags.FindAllStringSubmatch(line[end:], -1) {
		switch code := tag[1]; {
		case code != "" && len(codes) < mostCodes && !slices.Contains(codes, code):
			codes = append(codes, code)
		case tag[2] == "A":
			item.flags[alcoholic] = true
		case tag[2] == "VG":
			item.flags[vegetarian], item.flags[vegan] = true, true
		case tag[2] == "V":
			item.flags[vegetarian] = true
		}
	}
	slices.Sort(codes)
	item.codes = Joined(codes)
	return item, true
}

var (
	price = pytext.Pattern(`\$\d+\.\d\d`)
	// tags are letters in brackets, and A, V and G in parentheses.
	tags = regexp.MustCompile(`\[([A-Za-z]+)\]|\(([AVG]+)\)`)
)

// FindPrice returns where the first price with two decimals stands, -1 if there is none.
func FindPrice(line string) (at, end int) {
	if found := price.FindStringIndex(line); found != nil {
		return found[0], found[1]
	}
	return -1, -1
}

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
	description = Joined(words[capitals:])
	if !strings.ContainsFunc(pytext.First(description, soon), unicode.IsLower) {
		return pytext.Strip(text), ""
	}
	return Joined(words[:capitals]), description
}

// Joined joins words by blanks.
func Joined(words []string) string { return strings.Join(words, " ") }

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
	line = CutMarks(line)
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
	marks    = pytext.Pattern(`^(?:\s*[-•*]\s+)?(?:\s*\d+[.)]\s+)?`)
	leaders  = pytext.Pattern(`\s*\.{3,}\s*`)
	dashes   = pytext.Pattern(`\s*-{3,}\s*\$`)
	longDash = pytext.Pattern(`\s*[—–]\s*\$`)
	// priceFirst is a line with the price at its beginning. It goes after the words, before the tags.
	priceFirst = pytext.Pattern(`^\s*(?P<price>\$\d+\.\d\d)\s+(?P<words>.*?)(?P<tags>(?:(?:\[[A-Za-z]+\]|\([AVG]+\))\s*)*)$`)
)

// CutMarks removes a list mark and then a number such as "12." or "3)", and the blanks around them.
func CutMarks(line string) string {
	if text := pytext.StripLeft(line); text == "" || 'A' <= text[0] && text[0] <= 'z' {
		return line // as most are
	}
	return line[len(marks.FindString(line)):]
}
