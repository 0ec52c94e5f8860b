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
	"slices"
	"strconv"
	"strings"
	"unicode"

	"agentd/domains"
	"agentd/domains/internal/assign"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/notes"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
	"agentd/internal/lazyregexp"
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
	bareHeader = lazyregexp.New(`^[A-Z][A-Z &/'-]+$`)
	NoHeader   = lazyregexp.New(`^(?:ALLERGEN|OTHER|LOCATION|DATE)`)
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
	tags = lazyregexp.New(`\[([A-Za-z]+)\]|\(([AVG]+)\)`)
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

// Stats counts the parts of a document.
func Stats(m Menu) domains.Stats {
	sections := map[string]bool{}
	for i := range m.items {
		sections[m.items[i].section] = true
	}
	delete(sections, "")
	meatless := lists.Count(m.items, func(item *menuItem) bool { return item.flags[vegetarian] })
	withCodes := lists.Count(m.items, func(item *menuItem) bool { return item.codes != "" })
	return domains.Stats{Elements: len(m.items), Counts: []domains.Count{
		{Name: "Menu Items", Value: strconv.Itoa(len(m.items))},
		{Name: "Sections", Value: strconv.Itoa(len(sections))},
		{Name: "Vegetarian", Value: strconv.Itoa(meatless)},
		{Name: "With Allergens", Value: strconv.Itoa(withCodes)},
	}}
}

// Score is 0.85 items + 0.15 sections.
func Score(reference, candidate Menu, noted *notes.Notes) domains.Reading {
	items := similarity(reference.items, candidate.items, noted)
	sections := sets.Jaccard(reference.headers, candidate.headers)
	return domains.Reading{
		RS:         float64(0.85*items) + float64(0.15*sections),
		Components: map[string]float64{"items": items, "sections": sections},
		Elements:   domains.Elements{Reference: len(reference.items), Candidate: len(candidate.items)},
	}
}

// similarity is the mean similarity of the reference's items to their partners,
// less up to half where one side has more items than the other.
func similarity(ref, got []menuItem, noted *notes.Notes) float64 {
	switch {
	case len(ref) == 0 && len(got) == 0:
		return 1
	case len(ref) == 0 || len(got) == 0:
		return 0
	case slices.Equal(ref, got):
		return 1
	}
	c := newComparison(ref, got, noted)
	sum := 0.0
	for _, p := range c.pairs() {
		sum += c.likeness(p.Row, p.Col, c.Ratio)
	}
	shorter, longer := min(len(ref), len(got)), max(len(ref), len(got))
	share := float64(shorter) / float64(longer)
	return sum / float64(len(ref)) * (0.5 + float64(0.5*share))
}

// pairs match the items so that the summed likeness is largest.
func (c *comparison) pairs() []assign.Pair {
	return assign.MinByLabel(assign.Costs{
		Rows: len(c.ref), Cols: len(c.got),
		Cost:  func(i, j int) float64 { return 1 - c.likeness(i, j, c.Ratio) },
		Bound: func(i, j int) float64 { return 1 - c.likeness(i, j, c.AtMost) },
	}, func(i int) entered { return c.ref[i] }, func(j int) entered { return c.got[j] }, c.noted)
}

// likeness is the published similarity of two items, by the ratio of texts that is given.
func (c *comparison) likeness(i, j int, ratio func(ref, got int) float64) float64 {
	ref, got := &c.ref[i], &c.got[j]
	return ratio(ref.name, got.name) *
		lessened(0.8, sets.Quotient(ref.price, got.price)) *
		lessened(0.6, sets.OneIf(ref.section == got.section)) *
		lessened(0.7, c.jaccard(ref.codes, got.codes)) *
		lessened(0.6, sameFlags(ref.flags, got.flags)) *
		lessened(0.3, sameDescription(ref.description, got.description, ratio))
}

// lessened is what a similarity leaves of an item's likeness.
func lessened(severity, similarity float64) float64 { return 1 - float64(severity*(1-similarity)) }

func sameFlags(ref, got [3]bool) float64 {
	same := 0
	for k := range ref {
		if ref[k] == got[k] {
			same++
		}
	}
	return float64(same) / float64(len(ref))
}

func sameDescription(ref, got int, similarity func(ref, got int) float64) float64 {
	switch {
	case ref == ratio.Empty && got == ratio.Empty:
		return 1
	case ref == ratio.Empty || got == ratio.Empty:
		return 0.5
	}
	return similarity(ref, got)
}

const (
	// longestText is the number of bytes of a name or a description that are compared.
	longestText = 16_384
	// mostWork is the product of the lengths of all different texts of both sides up to which any two are compared by
	// their ratio. Two menus of 50,000 tokens have less. Beyond, texts the product of whose lengths is above mostPair
	// are compared by the characters that they share.
	mostWork, mostPair = 1 << 36, 1 << 12
)

// comparison is of two lists of items, the texts of which are entered once.
type comparison struct {
	ref, got []entered
	*ratio.Table
	lists map[string]int // of codes, by what they are together
	codes [][]string     // by their number
	noted *notes.Notes
}

// entered is an item with numbers for texts.
type entered struct {
	name, description, section, codes int
	price                             float64
	flags                             [3]bool
}

func newComparison(ref, got []menuItem, noted *notes.Notes) *comparison {
	c := &comparison{Table: ratio.NewTable(noted), lists: map[string]int{}, noted: noted}
	c.ref, c.got = c.enter(ref), c.enter(got)
	if c.Bytes(texts(c.ref))*c.Bytes(texts(c.got)) > mostWork {
		c.Most = mostPair
	}
	return c
}

// texts are the numbers of all names and descriptions.
func texts(items []entered) []int {
	var all []int
	for i := range items {
		all = append(all, items[i].name, items[i].description)
	}
	return all
}

func (c *comparison) enter(items []menuItem) []entered {
	all := make([]entered, len(items))
	for i := range items {
		item := &items[i]
		all[i] = entered{
			name:        c.Number(c.lowered(item.name)),
			description: c.Number(c.lowered(item.description)),
			section:     c.Number(item.section),
			codes:       c.list(item.codes),
			price:       item.price,
			flags:       item.flags,
		}
	}
	return all
}

func (c *comparison) list(codes string) int {
	number, known := c.lists[codes]
	if !known {
		number = len(c.codes)
		c.lists[codes] = number
		c.codes = append(c.codes, strings.Fields(codes))
	}
	return number
}

func (c *comparison) lowered(text string) string {
	c.noted.AddIf(len(text) > longestText, notes.Beginnings)
	return pytext.Lower(text[:min(len(text), longestText)])
}

// jaccard is the share of common codes in the union of two sets, given by their numbers.
func (c *comparison) jaccard(ref, got int) float64 {
	if ref == got {
		return 1
	}
	a, b := c.codes[ref], c.codes[got]
	common, all := 0, len(a)+len(b)
	for len(a) > 0 && len(b) > 0 {
		order := strings.Compare(a[0], b[0])
		if order == 0 {
			common++
		}
		if order <= 0 {
			a = a[1:]
		}
		if order >= 0 {
			b = b[1:]
		}
	}
	return float64(common) / float64(all-common)
}
