package vector

import (
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"

	"agentd/domains"
	"agentd/domains/internal/notes"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
)

// Stats counts the parts of a document.
func Stats(d Document) domains.Stats {
	tags := map[string]bool{}
	for _, s := range d.shapes {
		tags[s.tag] = true
	}
	return domains.StatsOf(d.elements, "Elements", d.elements, "Groups", len(d.groups), "Text Labels", len(d.texts),
		"Defs", len(d.defined), "Element Types", strings.Join(slices.Sorted(maps.Keys(tags)), ", "))
}

// Score is groups · texts · √((2 visual + spatial + structure) / 4), less where hardly anything of the drawing's size
// is left. The conversions keep products and sums from being fused on some machines.
func Score(reference, candidate Document, noted *notes.Notes) domains.Reading {
	groups, structure := groupSimilarity(&reference, &candidate)
	texts := textSimilarity(reference.texts, candidate.texts, noted)
	visual, spatial := shapeSimilarity(&reference, &candidate, noted)
	size := sizeSimilarity(reference.metadata, candidate.metadata, noted)
	value := groups * texts * math.Sqrt((float64(2*visual)+spatial+structure)/4)
	if size < 0.5 {
		value *= 0.5 + size
	}
	return domains.Reading{
		RS: value,
		Components: map[string]float64{
			"group_coverage": groups, "text_accuracy": texts, "visual_fidelity": visual,
			"spatial_accuracy": spatial, "structure_score": structure, "metadata_score": size,
		},
		Elements: domains.Elements{Reference: reference.elements, Candidate: candidate.elements},
		Problem:  candidate.problem,
	}
}

// groupSimilarity looks at the ids of groups and, a little, at the number of
// elements; structure, at those ids and the children of groups.
func groupSimilarity(reference, candidate *Document) (groups, structure float64) {
	if s, empty := sets.EitherEmpty(reference.groups, candidate.groups); empty {
		return s, s
	}
	sum, common := 0.0, 0
	for _, ref := range reference.groups {
		if got := candidate.byID[ref.id]; got != nil {
			sum += sets.Jaccard(ref.children, got.children)
			common++
		}
	}
	ids := float64(common) / float64(len(reference.groups)+len(candidate.groups)-common)
	structure = ids / 2
	if common > 0 {
		structure = (ids + sum/float64(common)) / 2
	}
	ref, got := float64(reference.elements), float64(candidate.elements)
	number := max(0.5, min(ref, got)/max(ref, got))
	return float64(0.8*ids) + float64(0.2*number), structure
}

// shapeSimilarity compares paint and geometry of the elements with a common fingerprint, of each the first.
func shapeSimilarity(reference, candidate *Document, noted *notes.Notes) (visual, spatial float64) {
	if s, empty := sets.EitherEmpty(reference.shapes, candidate.shapes); empty {
		return s, s
	}
	var paint, geometry sets.Mean
	for _, ref := range reference.shapes {
		if got := candidate.known[ref.fingerprint]; got != nil {
			ref.comparePaint(got, &paint)
			geometry.Add(ref.geometrySimilarity(got, noted))
		}
	}
	if geometry.Empty() {
		return 0, 0
	}
	return paint.Or(1), geometry.Or(0)
}

var (
	paints    = []string{"fill", "stroke", "opacity", "fill-opacity", "stroke-opacity"}
	distances = []string{"x", "y", "cx", "cy", "x1", "y1", "x2", "y2", "width", "height", "r", "rx", "ry", "font-size", "stroke-width"}
	outlines  = []string{"d", "points", "transform"}
)

func (s *shape) comparePaint(other *shape, m *sets.Mean) {
	for _, p := range paints {
		ref, got := s.value(p), other.value(p)
		if ref == "" && got == "" {
			continue
		}
		if p == "fill" || p == "stroke" {
			ref, got = PublishedColour(ref), PublishedColour(got)
		}
		m.Add(sets.OneIf(ref == got))
	}
}

// PublishedColour is a colour as the published evaluator compares it.
func PublishedColour(text string) string {
	text = pytext.Lower(pytext.Strip(text))
	if len(text) != len("#abc") || text[0] != '#' {
		return text
	}
	return "#" + strings.Repeat(text[1:2], 2) + strings.Repeat(text[2:3], 2) + strings.Repeat(text[3:4], 2)
}

func (s *shape) geometrySimilarity(other *shape, noted *notes.Notes) float64 {
	var m sets.Mean
	for _, p := range properties {
		if slices.Contains(paints, p) {
			continue
		}
		isOfP := func(a attribute) bool { return a.name == p }
		if slices.ContainsFunc(s.attributes, isOfP) || slices.ContainsFunc(other.attributes, isOfP) {
			m.Add(valueSimilarity(p, s.value(p), other.value(p), noted))
		}
	}
	return m.Or(1)
}

func valueSimilarity(p, ref, got string, noted *notes.Notes) float64 {
	switch {
	case ref == got:
		return 1
	case slices.Contains(distances, p):
		return distanceSimilarity(ref, got)
	case ref == "" || got == "":
		return 0
	case slices.Contains(outlines, p):
		return ratio.Share(ref, got, noted)
	}
	if ref, got = pytext.Lower(ref), pytext.Lower(got); ref == got {
		return 1
	}
	return 0.7 * ratio.Share(ref, got, noted)
}

func distanceSimilarity(ref, got string) float64 {
	a, okA := pytext.Float(ref)
	b, okB := pytext.Float(got)
	if !okA || !okB {
		return 0
	}
	switch apart := math.Abs(a - b); {
	case apart <= 1:
		return 1
	case apart <= 5:
		return 0.7
	}
	return 0
}

// sizeSimilarity compares width, height and viewBox of the drawing.
func sizeSimilarity(reference, candidate map[string]string, noted *notes.Notes) float64 {
	var m sets.Mean
	for _, name := range []string{"width", "height", "viewBox"} {
		m.AddTexts(reference[name], candidate[name], func(ref, got string) float64 {
			if name == "viewBox" {
				return ratio.Share(ref, got, noted)
			}
			return lengthSimilarity(ref, got, noted)
		})
	}
	if m.Empty() && (reference == nil) != (candidate == nil) {
		return 0
	}
	return m.Or(1)
}

func lengthSimilarity(ref, got string, noted *notes.Notes) float64 {
	a, okA := pytext.Float(digits(ref))
	b, okB := pytext.Float(digits(got))
	if !okA || !okB {
		return ratio.Share(ref, got, noted)
	}
	switch apart := math.Abs(a - b); {
	case apart < 1:
		return 1
	case apart/max(a, 1) < 0.05:
		return 0.8
	}
	return 0
}

// digits are the digits and dots of a text.
func digits(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '.' || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, text)
}

// mostTextPairs is the product of the numbers of texts, above which only equal ones are paired.
const mostTextPairs = 1 << 22

// textSimilarity gives each text of the reference, in order, the unused text of the candidate that is most similar to
// it, of equals the first. Letter case does not count.
func textSimilarity(reference, candidate []string, noted *notes.Notes) float64 {
	if s, empty := sets.EitherEmpty(reference, candidate); empty {
		return s
	}
	if slices.Equal(reference, candidate) {
		return 1
	}
	pool := newTextPool(candidate, noted)
	large := len(reference)*len(candidate) > mostTextPairs
	sum := 0.0
	for _, text := range reference {
		text = pytext.Lower(text)
		if equal := pool.byText[text]; equal != nil && len(equal.places) > 0 {
			equal.places = equal.places[1:]
			sum++
		} else if large {
			noted.Add(notes.Paired)
		} else {
			sum += pool.takeNearest(text)
		}
	}
	return sum / float64(max(len(reference), len(candidate)))
}

// textPool are the texts of a candidate that are not used yet.
type textPool struct {
	all    []*pooledText // each different one once
	byText map[string]*pooledText
	noted  *notes.Notes
}

type pooledText struct {
	places   []int // where it stands, unused
	prepared *ratio.Text
	profile  ratio.Profile
}

func newTextPool(texts []string, noted *notes.Notes) *textPool {
	p := &textPool{noted: noted, byText: make(map[string]*pooledText, len(texts))}
	for place, text := range texts {
		text = pytext.Lower(text)
		known := p.byText[text]
		if known == nil {
			runes := p.beginning(text)
			known = &pooledText{profile: ratio.ProfileOf(runes), prepared: ratio.Prepare(string(runes))}
			p.byText[text] = known
			p.all = plain.Append(p.all, known)
		}
		known.places = append(known.places, place)
	}
	return p
}

// longestText is how many code points of a text are compared with an unequal one.
const longestText = 1 << 14

func (p *textPool) beginning(text string) []rune {
	runes := []rune(text[:min(len(text), 4*longestText)])
	p.noted.AddIf(len(text) > 4*longestText || len(runes) > longestText, notes.Beginnings)
	return runes[:min(len(runes), longestText)]
}

// takeNearest uses up the text that is most similar to another, which none equals, and returns its similarity.
func (p *textPool) takeNearest(text string) float64 {
	runes := p.beginning(text)
	profile := ratio.ProfileOf(runes)
	var nearest *pooledText
	best := 0.0
	for _, t := range p.all {
		if len(t.places) == 0 || profile.AtMost(&t.profile) < best {
			continue
		}
		similarity := t.prepared.RatioRunes(runes)
		if similarity > best || similarity == best && nearest != nil && t.places[0] < nearest.places[0] {
			best, nearest = similarity, t
		}
	}
	if nearest != nil {
		nearest.places = nearest.places[1:]
	}
	return best
}
