package vector

import (
	"slices"

	"agentd/domains/internal/notes"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
)

// mostTextPairs is the product of the numbers of texts, above which only equal
// ones are paired.
const mostTextPairs = 1 << 22

// textSimilarity gives each text of the reference, in order, the unused text of
// the candidate that is most similar to it, of equals the first. Letter case does
// not count.
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
			known = &pooledText{}
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

// prepare makes the texts ready to be compared.
func (p *textPool) prepare() {
	if len(p.all) == 0 || p.all[0].prepared != nil {
		return
	}
	for text, t := range p.byText {
		runes := p.beginning(text)
		t.profile = ratio.ProfileOf(runes)
		t.prepared = ratio.Prepare(string(runes))
	}
}

// takeNearest uses up the text that is most similar to another, which none
// equals, and returns its similarity.
func (p *textPool) takeNearest(text string) float64 {
	p.prepare()
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
