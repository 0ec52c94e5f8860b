package ratio

import "agentd/domains/internal/notes"

// Table has the ratios of texts of which any two may be compared, such as the titles of two lists
// of items. Texts are given by numbers, equal texts by equal ones: each is made ready once, and
// each ratio found once. It is not for concurrent use.
type Table struct {
	// Most is the product of the lengths of two texts, in characters, above which what
	// they share at most stands for their ratio; 0 for none.
	Most int

	noted   *notes.Notes
	numbers map[string]int
	texts   []tableText
	known   map[[2]int]float64
}

// tableText is a text of a table.
type tableText struct {
	text    string
	runes   []rune
	profile Profile
	read    bool  // runes and profile are those of the text
	second  *Text // nil until the text is the second of two
}

// Empty is the number of the empty text.
const Empty = 0

// NewTable returns a table that notes where Most acts.
func NewTable(noted *notes.Notes) *Table {
	return &Table{
		noted: noted, numbers: map[string]int{"": Empty}, texts: make([]tableText, 1), known: map[[2]int]float64{},
	}
}

// Number takes a text in.
func (t *Table) Number(text string) int {
	number, known := t.numbers[text]
	if !known {
		number = len(t.texts)
		t.numbers[text] = number
		t.texts = append(t.texts, tableText{text: text})
	}
	return number
}

// Bytes is how long the different texts of some numbers are together.
func (t *Table) Bytes(numbers []int) int {
	counted := make([]bool, len(t.texts))
	n := 0
	for _, number := range numbers {
		if !counted[number] {
			counted[number] = true
			n += len(t.texts[number].text)
		}
	}
	return n
}

func (t *Table) text(number int) *tableText {
	x := &t.texts[number]
	if !x.read {
		x.runes, x.read = []rune(x.text), true
		x.profile = ProfileOf(x.runes)
	}
	return x
}

// Of is the ratio of two texts.
func (t *Table) Of(a, b string) float64 { return t.Ratio(t.Number(a), t.Number(b)) }

// Ratio is that of the texts of two numbers.
func (t *Table) Ratio(a, b int) float64 {
	switch {
	case a == b:
		return 1
	case a == Empty || b == Empty:
		return 0
	}
	pair := [2]int{a, b}
	known, ok := t.known[pair]
	if !ok {
		known = t.ratio(t.text(a), t.text(b))
		t.known[pair] = known
	}
	return known
}

func (t *Table) ratio(a, b *tableText) float64 {
	if t.Most > 0 && len(a.runes)*len(b.runes) > t.Most {
		t.noted.Add(notes.AnyOrder)
		return a.profile.AtMost(&b.profile)
	}
	if b.second == nil {
		b.second = Prepare(b.text)
	}
	return b.second.RatioRunes(a.runes)
}

// AtMost is a number that Ratio does not exceed, found at a fraction of its price.
func (t *Table) AtMost(a, b int) float64 {
	switch {
	case a == b:
		return 1
	case a == Empty || b == Empty:
		return 0
	}
	return t.text(a).profile.AtMost(&t.text(b).profile)
}
