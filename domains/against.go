package domains

import (
	"errors"
	"maps"
	"strings"
	"sync"

	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// Reference is a document that others are compared with. Its methods may be called concurrently.
type Reference interface {
	// Compare is Domain.Compare.
	Compare(candidate vfs.Files) Score
	// Differences is Domain.Differences.
	Differences(candidate vfs.Files) []Difference
	// Review is Strict with its reasons, without the cost of RS.
	Review(candidate vfs.Files) Review
	// Broken are the slips of form that the candidate has and the reference does not, see Domain.Slips. Where there are
	// any, form is lost: the tools of the format could read the reference, and cannot read the candidate. No score
	// depends on it.
	Broken(candidate vfs.Files) []Slip
}

// Review is what became of a reference, by the format's own rules.
type Review struct {
	// Strict is Score.Strict. Where it is below 1 and nothing differs, the reference or the
	// candidate could not be read.
	Strict      float64
	Differences []Difference
	Parts       []Part // of each of the differences
}

// Same reports whether a candidate is the reference, in whatever form it is written. It is the one rule for what is done right,
// restored or exact. Strict alone does not tell: a comment that is lost may cost nothing (Element.Weightless), and is named.
func (r Review) Same() bool { return r.Strict == 1 && len(r.Differences) == 0 }

// against is a reference that is read when it is first needed.
type against[T any] struct {
	spec     *Spec[T]
	files    vfs.Files // with line feeds alone
	raw      vfs.Files // as they are
	parsed   func() (T, error)
	elements func() []Element
	fenced   bool // it has code fences of its own
	legible  func() bool
	slips    func() []Slip
}

// same reports whether a candidate is the reference to the letter, so that it need not be read as well.
func (a *against[T]) same(candidate vfs.Files) bool { return maps.Equal(a.files, candidate) }

// read returns a candidate's elements.
func (a *against[T]) read(candidate vfs.Files) []Element {
	if a.same(candidate) {
		return a.elements()
	}
	return a.spec.Elements(candidate)
}

// Compare makes both scores at the same time: most of the work is reading, which each does in its own way.
func (a *against[T]) Compare(candidate vfs.Files) Score {
	if a.spec.Parse == nil {
		return a.unpublished(candidate)
	}
	go a.elements() // meanwhile, unless they are known
	elements := sync.OnceValue(func() []Element { return a.read(candidate) })
	var forValue, forStrict Notes
	strict := make(chan float64, 1)
	go func() {
		own, ownElements := a.document(candidate, elements())
		strict <- a.strict(own, ownElements, &forStrict)
	}()
	score, failed := a.published(candidate, elements, &forValue)
	score.Strict = <-strict
	score.Approximate = Approximate(&forValue, &forStrict)
	switch counted := score.Elements; {
	case failed:
		score.Unreadable = a.spec.evidence(candidate, elements()) > 0
	case counted.Candidate == 0 && counted.Reference > 0:
		score.Unreadable = countKinds(elements(), a.spec.Info.Element) > 0
	}
	return score
}

// unpublished is the score where no evaluator is published.
func (a *against[T]) unpublished(candidate vfs.Files) Score {
	var noted Notes
	candidate, elements := a.document(candidate, a.read(candidate))
	strict, counted := a.strict(candidate, elements, &noted), a.spec.Info.Element
	score := Score{
		RS: strict, Strict: strict, Basis: Own, Approximate: Approximate(&noted, &noted),
		Elements: Elements{Reference: countKinds(a.elements(), counted), Candidate: countKinds(elements, counted)},
	}
	if score.Elements.Candidate == 0 && score.Elements.Reference > 0 {
		score.Problem = ErrNoneRead.Error() + " " + counted
	}
	return score
}

// Approximate is Score.Approximate by what was noted of each score; nil is nothing.
func Approximate(value, strict *Notes) string {
	var parts []string
	if noted := value.String(); noted != "" {
		parts = append(parts, "RS: "+noted)
	}
	if noted := strict.String(); noted != "" {
		parts = append(parts, "Strict: "+noted)
	}
	return strings.Join(parts, "; ")
}

// strict is Score.Strict; elements are those of the candidate.
func (a *against[T]) strict(candidate vfs.Files, elements []Element, noted *Notes) float64 {
	ref, got := a.forgiven(elements)
	strict := a.spec.by().Strict(ref, got, noted)
	if strict == 1 && a.legible() {
		strict = a.overlooked(candidate).Strict
	}
	return a.readable(strict, candidate, elements)
}

// readable is the strict score of elements, or 0 where the texts were not read.
func (a *against[T]) readable(strict float64, candidate vfs.Files, elements []Element) float64 {
	if !a.legible() || strict == 1 && !a.spec.legible(candidate, elements) {
		return 0
	}
	return strict
}

// published is the score as the published evaluator has it, and whether its reader
// gives up on the candidate, whose elements are given.
func (a *against[T]) published(candidate vfs.Files, elements func() []Element, noted *Notes) (score Score, failed bool) {
	reference, err := a.parsed()
	if err != nil {
		score.Problem, score.Crash = "the reference cannot be read: "+err.Error(), errors.Is(err, ErrCrash)
		return score, false
	}
	parsed := reference
	if !a.same(candidate) {
		parsed, err = a.spec.Parse(candidate)
	}
	if err != nil {
		score.Problem, score.Crash = err.Error(), errors.Is(err, ErrCrash)
		score.Elements.Reference = a.spec.Stats(reference).Elements
		return score, true
	}
	reading := a.spec.Score(reference, parsed, noted)
	if counted := a.spec.Counted; counted != nil {
		number := func(document T, elements func() []Element) int {
			if counted(document) {
				return countKinds(elements(), a.spec.Info.Element)
			}
			return a.spec.Stats(document).Elements
		}
		reading.Elements = Elements{Reference: number(reference, a.elements), Candidate: number(parsed, elements)}
	}
	if reading.Crash != nil {
		return Score{Elements: reading.Elements, Problem: reading.Crash.Error(), Crash: true}, true
	}
	score.RS, score.Basis = min(max(reading.RS, 0), 1), reading.Basis
	score.Components = reading.Components
	score.Elements = reading.Elements
	score.Problem, score.Fault = reading.Problem, reading.Fault
	if score.Fault != nil {
		score.Problem = score.Fault.Error()
		return score, false
	}
	if score.Problem == "" && reading.Elements.Candidate == 0 && reading.Elements.Reference > 0 {
		score.Problem = ErrNothingFound.Error() + " " + a.spec.Info.Element
		return score, false
	}
	return score, score.Problem != "" && score.Basis == Computed
}

func (a *against[T]) Differences(candidate vfs.Files) []Difference {
	return a.Review(candidate).Differences
}

func (a *against[T]) Review(candidate vfs.Files) Review {
	candidate, elements := a.document(candidate, a.read(candidate))
	ref, got := a.forgiven(elements)
	c := a.spec.by().Compare(ref, got)
	if c.Strict == 1 && len(c.Differences) == 0 {
		c = a.overlooked(candidate)
	}
	if shown := a.spec.Shown; shown != nil {
		for i := range c.Differences {
			d := &c.Differences[i]
			d.Where, d.Was, d.Is = shown(d.Where), shown(d.Was), shown(d.Is)
		}
	}
	return Review{a.readable(c.Strict, candidate, elements), c.Differences, c.Parts}
}

// forgiven are the elements on both sides that Strict compares.
func (a *against[T]) forgiven(candidate []Element) (ref, got []Element) {
	return domain[T]{spec: *a.spec}.Forgiven(a.elements(), candidate)
}

// ErrNothingFound begins the Problem of a candidate in which the published reader finds no counted
// element, ErrNoneRead where the format's own reader finds none and no evaluator is published.
var (
	ErrNothingFound = errors.New("the published reading finds no")
	ErrNoneRead     = errors.New("the format's own reader finds no")
)

// normalized gives a reference universal newlines, as the published loader does; a candidate's text stays as it is.
func normalized(files vfs.Files) vfs.Files {
	normal := make(vfs.Files, len(files))
	for name, content := range files {
		if !vfs.Binary(name) {
			content = pytext.UniversalNewlines(content)
		}
		normal[name] = content
	}
	return normal
}
