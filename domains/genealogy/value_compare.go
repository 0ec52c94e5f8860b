package genealogy

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentd/domains"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
)

const counted = "individual"

func stats(t tree) domains.Stats {
	dated, children := 0, 0
	for i := range t.individuals {
		if t.individuals[i].birthDate != "" {
			dated++
		}
	}
	for i := range t.families {
		children += len(t.families[i].children)
	}
	return domains.Stats{Elements: len(t.individuals), Counts: []domains.Count{
		{Name: "Individuals", Value: strconv.Itoa(len(t.individuals))},
		{Name: "Families", Value: strconv.Itoa(len(t.families))},
		{Name: "With Birth Date", Value: strconv.Itoa(dated)},
		{Name: "Children", Value: strconv.Itoa(children)},
	}}
}

// score is 0.45 · coverage² · accuracy + 0.35 · relationships + 0.20 · events.
// The weights are hundredths here, so that a document against itself has 1.
func score(reference, candidate tree) domains.Reading {
	ref, got := printsOf(reference), printsOf(candidate)
	coverage, accuracy := individualScores(ref, got)
	relationships, events := familyScores(ref, got)
	individuals := coverage * coverage * accuracy
	return domains.Reading{
		Value: (float64(45*individuals) + float64(35*relationships) + float64(20*events)) / 100,
		Components: map[string]float64{
			"individual_coverage": coverage, "individual_accuracy": accuracy,
			"relationships": relationships, "events": events,
		},
		Elements: domains.Elements{Reference: len(reference.individuals), Candidate: len(candidate.individuals)},
	}
}

// prints are the individuals and families of a tree by fingerprint, which is
// how the published score finds them again. Of several with one fingerprint
// the last one counts.
type prints struct {
	individuals map[string]*individual
	families    map[string]*family
	ofPointer   map[string]string // of individuals
	// The fingerprints in order of first appearance.
	individualOrder, familyOrder []string
}

func printsOf(t tree) prints {
	p := prints{
		individuals: make(map[string]*individual, len(t.individuals)),
		families:    make(map[string]*family, len(t.families)),
		ofPointer:   make(map[string]string, len(t.individuals)),
	}
	for i := range t.individuals {
		person := &t.individuals[i]
		print := person.fingerprint()
		p.ofPointer[person.pointer] = print
		if p.individuals[print] == nil {
			p.individualOrder = append(p.individualOrder, print)
		}
		p.individuals[print] = person
	}
	for i := range t.families {
		f := &t.families[i]
		print := p.spouse(f.husband) + "+" + p.spouse(f.wife)
		if p.families[print] == nil {
			p.familyOrder = append(p.familyOrder, print)
		}
		p.families[print] = f
	}
	return p
}

func (p *prints) spouse(pointer string) string {
	if pointer == "" {
		return ""
	}
	return p.ofPointer[pointer]
}

func (i *individual) fingerprint() string {
	return normal(i.name) + "|" + fourDigits(i.birthDate)
}

func normal(s string) string { return pytext.Strip(pytext.Lower(s)) }

// fourDigits is the first word of a date that consists of four digits.
func fourDigits(date string) string {
	for _, word := range pytext.Fields(date) {
		if utf8.RuneCountInString(word) == 4 && strings.TrimFunc(word, unicode.IsDigit) == "" {
			return word
		}
	}
	return ""
}

func individualScores(ref, got prints) (coverage, accuracy float64) {
	if len(ref.individuals) == 0 || len(got.individuals) == 0 {
		both := whole(len(ref.individuals) == len(got.individuals))
		return both, both
	}
	shared, sum := 0, 0.0
	for _, print := range ref.individualOrder {
		was, is := ref.individuals[print], got.individuals[print]
		if is == nil {
			continue
		}
		shared++
		sum += fields(
			was.sex, is.sex, was.birthDate, is.birthDate, was.birthPlace, is.birthPlace,
			was.deathDate, is.deathDate, was.deathPlace, is.deathPlace)
	}
	if shared == 0 {
		return 0, 0
	}
	return jaccard(shared, len(ref.individuals), len(got.individuals)), sum / float64(shared)
}

func familyScores(ref, got prints) (relationships, events float64) {
	if len(ref.families) == 0 || len(got.families) == 0 {
		both := whole(len(ref.families) == len(got.families))
		return both, both
	}
	shared, children := 0, 0.0
	for _, print := range ref.familyOrder {
		was, is := ref.families[print], got.families[print]
		if is == nil {
			continue
		}
		shared++
		children += sets.Jaccard(ref.children(was), got.children(is))
		events += fields(was.marriageDate, is.marriageDate, was.marriagePlace, is.marriagePlace)
	}
	if shared == 0 {
		return 0, 0
	}
	found := jaccard(shared, len(ref.families), len(got.families))
	n := float64(shared)
	return (float64(3*found) + float64(2*(children/n))) / 5, events / n
}

// children are the fingerprints of a family's children. A pointer that leads
// nowhere stands for itself.
func (p *prints) children(f *family) []string {
	children := make([]string, len(f.children))
	for n, pointer := range f.children {
		print, known := p.ofPointer[pointer]
		if !known {
			print = pointer
		}
		children[n] = print
	}
	return children
}

// fields is the mean similarity of pairs of values, of which those that are
// empty on both sides do not count; 1 if none counts.
func fields(pairs ...string) float64 {
	filled, sum := 0, 0.0
	for n := 0; n < len(pairs); n += 2 {
		was, is := normal(pairs[n]), normal(pairs[n+1])
		if was == "" && is == "" {
			continue
		}
		filled++
		switch {
		case was == is:
			sum++
		case was != "" && is != "":
			sum += float64(0.5 * ratio.Of(was, is))
		}
	}
	if filled == 0 {
		return 1
	}
	return sum / float64(filled)
}

func jaccard(shared, ref, got int) float64 { return float64(shared) / float64(ref+got-shared) }

func whole(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// surname is what stands between slashes.
func surname(individual domains.Element) string {
	_, after, _ := strings.Cut(individual.Value("NAME"), "/")
	name, _, _ := strings.Cut(after, "/")
	return name
}
