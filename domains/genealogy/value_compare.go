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
	individuals byPrint[individual]
	families    byPrint[family]
	ofPointer   map[string]string // of individuals
}

// byPrint are things by their fingerprints, with these in order of first appearance.
type byPrint[T any] struct {
	of    map[string]*T
	order []string
}

func (b *byPrint[T]) put(print string, t *T) {
	if b.of[print] == nil {
		b.order = append(b.order, print)
	}
	b.of[print] = t
}

func printsOf(t tree) prints {
	p := prints{
		individuals: byPrint[individual]{of: make(map[string]*individual, len(t.individuals))},
		families:    byPrint[family]{of: make(map[string]*family, len(t.families))},
		ofPointer:   make(map[string]string, len(t.individuals)),
	}
	for i := range t.individuals {
		person := &t.individuals[i]
		p.ofPointer[person.pointer] = person.fingerprint()
		p.individuals.put(p.ofPointer[person.pointer], person)
	}
	for i := range t.families {
		f := &t.families[i]
		p.families.put(p.spouse(f.husband)+"+"+p.spouse(f.wife), f)
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

// compareShared calls compare with those of each fingerprint that both sides have. found is the
// share of these among all; where a side has none, it is 1 or 0, and known is false.
func compareShared[T any](ref, got byPrint[T], compare func(was, is *T)) (found float64, known bool) {
	if len(ref.of) == 0 || len(got.of) == 0 {
		if len(ref.of) == len(got.of) {
			return 1, false
		}
		return 0, false
	}
	shared := 0
	for _, print := range ref.order {
		if is := got.of[print]; is != nil {
			shared++
			compare(ref.of[print], is)
		}
	}
	return float64(shared) / float64(len(ref.of)+len(got.of)-shared), true
}

func individualScores(ref, got prints) (coverage, accuracy float64) {
	var same sets.Mean
	coverage, known := compareShared(ref.individuals, got.individuals, func(was, is *individual) {
		same.Add(fields(
			was.sex, is.sex, was.birthDate, is.birthDate, was.birthPlace, is.birthPlace,
			was.deathDate, is.deathDate, was.deathPlace, is.deathPlace))
	})
	if !known {
		return coverage, coverage
	}
	return coverage, same.Or(0)
}

func familyScores(ref, got prints) (relationships, events float64) {
	var children, marriages sets.Mean
	found, known := compareShared(ref.families, got.families, func(was, is *family) {
		children.Add(sets.Jaccard(ref.children(was), got.children(is)))
		marriages.Add(fields(was.marriageDate, is.marriageDate, was.marriagePlace, is.marriagePlace))
	})
	if !known {
		return found, found
	}
	return (float64(3*found) + float64(2*children.Or(0))) / 5, marriages.Or(0)
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
	var same sets.Mean
	for n := 0; n < len(pairs); n += 2 {
		switch was, is := normal(pairs[n]), normal(pairs[n+1]); {
		case was == "" && is == "":
		case was == is:
			same.Add(1)
		case was == "" || is == "":
			same.Add(0)
		default:
			same.Add(0.5 * ratio.Of(was, is))
		}
	}
	return same.Or(1)
}

// surname is what stands between slashes.
func surname(individual domains.Element) string {
	_, after, _ := strings.Cut(individual.Value("NAME"), "/")
	name, _, _ := strings.Cut(after, "/")
	return name
}
