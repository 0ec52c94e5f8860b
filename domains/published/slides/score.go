package slides

import (
	"slices"
	"strconv"

	"agentd/domains"
	"agentd/domains/internal/assign"
	"agentd/domains/internal/lists"
	limits "agentd/domains/internal/notes"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
)

// Stats counts the parts of a document.
func Stats(d Deck) domains.Stats {
	counts := [TablePart + 1]int{}
	for i := range d {
		counts[d[i].kind]++
	}
	return domains.StatsOf(len(d), "Slides", counts[HeadingPart], "Elements", len(d), "Bullets", counts[BulletPart],
		"Images", counts[ImagePart], "Notes", counts[NotesPart])
}

// Score is the published formula: 0.20 titles + 0.10 order + 0.40 content +
// 0.075 images + 0.075 image order + 0.15 positions.
func Score(reference, candidate Deck, noted *limits.Notes) domains.Reading {
	refTitles, gotTitles := titles(reference), titles(candidate)
	named, inOrder := coverage(refTitles, gotTitles), order(refTitles, gotTitles, noted)
	text := content(reference, candidate, noted)
	refImages, gotImages := images(reference), images(candidate)
	shown := sets.Jaccard(refImages, gotImages)
	shownInOrder := order(refImages, gotImages, noted)
	places := positions(reference, candidate)
	return domains.Reading{
		// Conversions keep the compiler from fusing products into the sums.
		RS: float64(0.20*named) + float64(0.10*inOrder) + float64(0.40*text) +
			float64(0.075*shown) + float64(0.075*shownInOrder) + float64(0.15*places),
		Components: map[string]float64{
			"titles": named, "order": inOrder, "content": text,
			"images": shown, "image order": shownInOrder, "positions": places,
		},
		Elements: domains.Elements{Reference: len(reference), Candidate: len(candidate)},
	}
}

// textsOf are the texts of the items of a kind, in their order.
func textsOf(items []item, kind PartKind) (texts []string) {
	for i := range items {
		if items[i].kind == kind {
			texts = append(texts, items[i].text)
		}
	}
	return texts
}

// titles are those of the slides in small letters.
func titles(items []item) []string {
	return lists.Map(textsOf(items, HeadingPart), func(text string) string { return pytext.Strip(pytext.Lower(text)) })
}

// coverage compares the sets of titles, placeholders left out. Where one side has
// nothing but placeholders the numbers of slides are compared.
func coverage(reference, candidate []string) float64 {
	ref, got := named(reference), named(candidate)
	if (len(ref) == 0) != (len(got) == 0) {
		fewer, more := min(len(reference), len(candidate)), max(len(reference), len(candidate))
		return float64(fewer) / float64(more)
	}
	return sets.Jaccard(ref, got)
}

// named are the titles that are not empty and no placeholder such as "Slide 3".
func named(titles []string) []string {
	return slices.DeleteFunc(slices.Clone(titles), func(text string) bool { return text == "" || isPlaceholder(text) })
}

// isPlaceholder reports whether a title in small letters is "slide" and a number.
func isPlaceholder(text string) bool {
	const word = "slide "
	if len(text) <= len(word) || text[:len(word)] != word {
		return false
	}
	_, end := scanDigits(text, len(word))
	return end == len(text)
}

// images are the names of the images in their order.
func images(items []item) []string {
	return slices.DeleteFunc(textsOf(items, ImagePart), func(name string) bool { return name == "" })
}

// content is the mean similarity of the reference's texts to their partners, less
// up to half where one side has more texts than the other.
func content(reference, candidate []item, noted *limits.Notes) float64 {
	ref, got := texts(reference), texts(candidate)
	if similarity, empty := sets.EitherEmpty(ref, got); empty {
		return similarity
	}
	if slices.Equal(ref, got) {
		return 1
	}
	c := newComparison(ref, got, noted)
	sum := 0.0
	for _, p := range c.pairs() {
		sum += c.likeness(p.Row, p.Col, c.Ratio)
	}
	fewer, more := min(len(ref), len(got)), max(len(ref), len(got))
	return sum / float64(len(ref)) * (0.5 + float64(0.5*(float64(fewer)/float64(more))))
}

// texts are the items of which the published score compares the texts.
func texts(items []item) []item {
	return slices.DeleteFunc(slices.Clone(items), func(it item) bool { return it.kind > NotesPart })
}

// pairs match the texts so that the summed likeness is largest.
func (c *comparison) pairs() []assign.Pair {
	return assign.MinByLabel(assign.Costs{
		Rows: len(c.ref), Cols: len(c.got),
		Cost:  func(i, j int) float64 { return 1 - c.likeness(i, j, c.Ratio) },
		Bound: func(i, j int) float64 { return 1 - c.likeness(i, j, c.AtMost) },
	}, func(i int) entered { return c.ref[i] }, func(j int) entered { return c.got[j] }, c.noted)
}

// likeness is the published similarity of two items, by the ratio of texts that
// is given. An item without a position is as near as can be to any other.
func (c *comparison) likeness(i, j int, ratio func(ref, got int) float64) float64 {
	ref, got := &c.ref[i], &c.got[j]
	kinds, near, levels := 0.5, 1.0, 0.7
	if ref.kind == got.kind {
		kinds = 1
	}
	if ref.at.given && got.at.given {
		const reach = 20
		near = nearness(ref.at, got.at, reach)
	}
	if ref.level == got.level {
		levels = 1
	}
	return float64(0.55*ratio(ref.number, got.number)) + float64(0.20*kinds) + float64(0.15*near) + float64(0.10*levels)
}

// nearness falls from 1 to 0 as the distance of two positions grows to reach.
func nearness(a, b position, reach float64) float64 {
	return max(0, 1-float64(max(a.x-b.x, b.x-a.x)+max(a.y-b.y, b.y-a.y))/reach)
}

// positions is the mean nearness of the reference's positions to the candidate's
// of the same kind and text; of one that repeats the last counts.
func positions(reference, candidate []item) float64 {
	places := sets.PairByName(placedItems(reference), placedItems(candidate), (*item).placeKey)
	if places.Refs == 0 {
		return 1
	}
	sum := 0.0
	for _, p := range places.Both {
		const reach = 10
		sum += nearness(p[0].at, p[1].at, reach)
	}
	return sum / float64(places.Refs)
}

// placedItems are the items with a text and a position.
func placedItems(items []item) []item {
	return slices.DeleteFunc(slices.Clone(items), func(it item) bool { return it.text == "" || !it.at.given })
}

// placeKey is what the published score knows a position by: a kind and the beginning of a text.
func (it *item) placeKey() string {
	const compared = 50 // characters
	return strconv.Itoa(int(it.kind)) + pytext.First(pytext.Lower(it.text), compared)
}

const (
	// longestText is the number of bytes of a text that are compared.
	longestText = 16_384
	// mostWork is the product of the lengths of all different texts of both sides up to which any two are compared by
	// their ratio. Two decks of 50,000 tokens have less. Beyond, texts the product of whose lengths is above mostPair
	// are compared by the characters that they share.
	mostWork, mostPair = 1 << 36, 1 << 12
	// mostSteps is the product of the lengths of two lists up to which they are
	// compared by their ratio, and from which by what they share.
	mostSteps = 1 << 26
)

// comparison is of two lists of items, the texts of which are entered once.
type comparison struct {
	ref, got []entered
	*ratio.Table
	noted *limits.Notes
}

// entered is an item with a number for its text.
type entered struct {
	item   // without its text
	number int
}

func newComparison(ref, got []item, noted *limits.Notes) *comparison {
	c := &comparison{Table: ratio.NewTable(noted), noted: noted}
	c.ref, c.got = lists.Map(ref, c.enter), lists.Map(got, c.enter)
	number := func(e *entered) int { return e.number }
	if c.Bytes(lists.Each(c.ref, number))*c.Bytes(lists.Each(c.got, number)) > mostWork {
		c.Most = mostPair
	}
	return c
}

// enter gives the text of an item its number.
func (c *comparison) enter(it item) entered {
	c.noted.AddIf(len(it.text) > longestText, limits.Beginnings)
	number := c.Number(pytext.Lower(it.text[:min(len(it.text), longestText)]))
	it.text = ""
	return entered{it, number}
}

// order is the ratio of two lists.
func order(ref, got []string, noted *limits.Notes) float64 {
	return ratio.Bounded(ref, got, ratio.Limits{Work: mostSteps}, noted)
}

// KindNames are what parts of slides are called.
var KindNames = [TablePart + 1]string{
	HeadingPart: "title", BulletPart: "bullet", SubtitlePart: "subtitle", RowPart: "table row", NotesPart: "notes",
	ImagePart: "image", ChartPart: "chart", TablePart: "table placeholder",
}
