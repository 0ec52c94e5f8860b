package report

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"agentd/domains"
	"agentd/internal/opinion"
	"agentd/results"
	"agentd/vfs"
)

// FailureKinds are the kinds of critical failures (paper, Figure A3). The first two are deletion,
// the others corruption.
var FailureKinds = []opinion.Category{
	{Name: "content_loss", Head: "content loss", Meaning: "parts of the document are gone, here and there"},
	{Name: "truncation", Head: "truncation", Meaning: "the document is cut short"},
	{Name: "hallucination", Head: "hallucination", Meaning: "there is content that was never there, or that took the place of what was"},
	{Name: "structure_change", Head: "structure change", Meaning: "the same content stands in another structure or in other files"},
	{Name: "skipped_backward", Head: "skipped backward edit", Meaning: "the way back was not gone: the document is as the forward edit left it"},
	{Name: "syntax_error", Head: "syntax error", Meaning: "the document breaks the rules of its format"},
	{Name: "mathematical_error", Head: "mathematical error", Meaning: "numbers were computed wrongly"},
	{Name: "duplicated_content", Head: "duplicated content", Meaning: "parts of the document are there more than once"},
	{Name: "reordering", Head: "reordering", Meaning: "parts of the document stand in another order"},
	{Name: "templated_completion", Head: "templated completion", Meaning: "details were filled in by a pattern or a placeholder in place of what was there"},
	{Name: "other", Head: "other", Meaning: "anything else"},
}

// failureParts groups the kinds: the first two are deletion, the others corruption.
var failureParts = []opinion.Category{{Name: "deletion", Head: "deletion"}, {Name: "corruption", Head: "corruption"}}

// Places in FailureKinds that files can show, and the last one.
const (
	contentLoss      = 0
	truncation       = 1
	hallucination    = 2
	structureChange  = 3
	skippedBackward  = 4
	syntaxError      = 5
	duplicated       = 7
	reordering       = 8
	otherFailure     = 10
	undecidedFailure = -1
)

// roundTrip holds the data that determine the kind of a failure.
type roundTrip struct {
	domain                 domains.Domain
	before, between, after vfs.Files
	score                  *results.Score
}

// nothingFound reports whether the problem is that the reader found no counted element.
func nothingFound(problem string) bool {
	return strings.HasPrefix(problem, domains.ErrNothingFound.Error()) || strings.HasPrefix(problem, domains.ErrNoneRead.Error())
}

// kind classifies a failure by its files, as an index into FailureKinds. The first rule that
// applies decides: the files are those of the forward edit; the document cannot be read; there are
// other files, or one kind of element replaced another; more than half of the differences are
// losses, additions or moves. Any other failure, such as altered fields, is undecidedFailure.
func (t *roundTrip) kind() int {
	switch {
	case inked(t.after) > 0 && sameContents(t.between, t.after) && !sameContents(t.before, t.after):
		return skippedBackward
	case inked(t.after) > 0 && t.score.Problem != "" && (t.score.Unreadable || !nothingFound(t.score.Problem)):
		return syntaxError
	}
	was, is := t.domain.Elements(t.before), t.domain.Elements(t.after)
	if !slices.Equal(t.before.Names(), t.after.Names()) && len(t.after) > 0 || replacedKinds(was, is) {
		return structureChange
	}
	counts := map[domains.Change]int{}
	differences := t.domain.Differences(t.before, t.after)
	for _, d := range differences {
		counts[d.Kind]++
	}
	most := func(change domains.Change) bool { return 2*counts[change] > len(differences) }
	switch {
	case most(domains.Lost) && cutShort(was, is):
		return truncation
	case most(domains.Lost):
		return contentLoss
	case most(domains.Added) && repeats(was, is):
		return duplicated
	case most(domains.Added):
		return hallucination
	case most(domains.Moved):
		return reordering
	}
	return undecidedFailure
}

// replacedKinds reports whether one kind of element disappeared and another appeared.
func replacedKinds(was, is []domains.Element) bool {
	kinds := func(all []domains.Element) map[string]bool {
		met := map[string]bool{}
		for i := range all {
			met[all[i].Kind] = true
		}
		return met
	}
	before, after := kinds(was), kinds(is)
	gone, came := 0, 0
	for kind := range before {
		gone += int(when(!after[kind]))
	}
	for kind := range after {
		came += int(when(!before[kind]))
	}
	return gone > 0 && came > 0
}

// identity identifies an element by everything that is compared.
func identity(e *domains.Element) string {
	fields := make([]string, len(e.Fields))
	for i, f := range e.Fields {
		fields[i] = f.Name + "\x00" + f.Value
	}
	slices.Sort(fields)
	return e.Kind + "\x01" + strings.Join(fields, "\x01")
}

func multiset(all []domains.Element) map[string]int {
	counts := map[string]int{}
	for i := range all {
		counts[identity(&all[i])]++
	}
	return counts
}

// atTheEnd is the least share of lost elements, at the end of a document, that counts as truncation.
const atTheEnd = 0.9

// cutShort reports whether the document was truncated: some elements are left, and at least nine
// tenths of the lost ones, and at least two, came after the last of these.
func cutShort(was, is []domains.Element) bool {
	left := multiset(is)
	gone, atEnd, kept := 0, 0, 0
	for i := range was {
		if id := identity(&was[i]); left[id] > 0 {
			left[id]--
			kept++
			atEnd = 0
			continue
		}
		gone++
		atEnd++
	}
	return kept > 0 && atEnd >= 2 && float64(atEnd) >= atTheEnd*float64(gone)
}

// repeats reports whether at least half of the added elements are copies of existing ones.
func repeats(was, is []domains.Element) bool {
	before := multiset(was)
	came, copies := 0, 0
	for id, n := range multiset(is) {
		more := max(0, n-before[id])
		came += more
		if before[id] > 0 {
			copies += more
		}
	}
	return came > 0 && 2*copies >= came
}

// failure is a critical failure with its kind, and whether the judge chose it.
type failure struct {
	arm, place, kind, number int
	relay                    int64
	judged                   bool
}

// nameFailures classifies the critical failures (paper, Figure A3): by their files and, where these
// do not decide, by a judge; judging is nil for no judge. find finds a domain by name. All stored
// documents are read.
func (r *Report) nameFailures(ctx context.Context, store *results.Store, find func(name string) (domains.Domain, bool), judging *Judging) error {
	var mu sync.Mutex
	var all []failure
	err := r.eachRelay(ctx, store, func(read relayRead) error {
		d, ok := find(read.env.Domain)
		if !ok {
			return nil
		}
		found, err := failuresOf(read, d.With(read.env.Metadata), judging)
		mu.Lock()
		defer mu.Unlock()
		all = append(all, found...)
		return err
	})
	if err != nil {
		return err
	}
	slices.SortFunc(all, func(x, y failure) int {
		return cmp.Or(cmp.Compare(x.arm, y.arm), cmp.Compare(x.relay, y.relay), x.number-y.number)
	})
	kinds, judged := counting{b: r.source, categories: FailureKinds}, 0
	parts := counting{b: r.source, categories: failureParts}
	for _, f := range all {
		kinds.add(r.Arms[f.arm].row(), f.place, f.kind)
		parts.add(r.Arms[f.arm].row(), f.place, int(when(f.kind > truncation)))
		judged += int(when(f.judged))
	}
	t := kinds.list(Table{Name: "failures", Labels: armLabels, Title: "Kinds of critical failures, in % (paper, Figure A3)"}, "failures")
	t.Plot = kinds.bars(t.Title)
	t.Notes = []string{"by what the files show; what they leave open is “other”."}
	shares := parts.fill(Table{Name: "failure_shares", Labels: armLabels, Title: "Critical failures of the kinds of deletion and of corruption, in % (paper, Figure A3)"}, "failures")
	shares.Plot = parts.bars(shares.Title)
	shares.Notes = []string{"deletion: content loss, truncation; corruption: all other kinds."}
	if judging != nil {
		r.judgedBy(judging)
		t.Notes = []string{"by what the files show; what they leave open, " + count(judged, "failure") + ", is the opinion of " + judging.who()}
	}
	r.add("failures", t, shares)
	return nil
}

func failuresOf(read relayRead, d domains.Domain, judging *Judging) ([]failure, error) {
	var all []failure
	value, before := 1.0, read.env.Seed
	for _, stored := range results.Trips(read.steps) {
		in := stored.Backward
		if in == nil || stored.Forward == nil || in.Unscored == results.ServiceFault {
			continue
		}
		if in.Score != nil && IsCritical(value-in.Score.RS) {
			trip := roundTrip{d, before, stored.Forward.Output, in.Output, in.Score}
			f := failure{arm: read.arm, place: read.curve.place, relay: in.Relay, number: in.Number, kind: trip.kind()}
			if f.kind == undecidedFailure {
				f.kind = otherFailure
				choice, err := judging.named(&trip, instructionOf(read.env, in))
				if err != nil {
					return nil, err
				}
				if choice != nil {
					f.kind, f.judged = choice.Category, true
				}
			}
			all = append(all, f)
		}
		if in.Score != nil {
			value = in.Score.RS
		}
		before = in.Output
	}
	return all, nil
}

// mostNamed is how many differences a judge is shown at most.
const mostNamed = 60

// named returns the judge's opinion of a failure, nil if there is none.
func (j *Judging) named(t *roundTrip, instruction string) (*opinion.Choice, error) {
	if j == nil {
		return nil, nil
	}
	var lines []string
	for _, d := range t.domain.Differences(t.before, t.after) {
		if len(lines) < mostNamed {
			lines = append(lines, d.String())
		}
	}
	prompt, err := opinion.Prompt(prompts, "prompts/failure.md", map[string]any{
		"Instruction": opinion.FramedText("the last instruction", instruction), "Before": opinion.Framed("the document before", t.before),
		"After": opinion.Framed("the document after", t.after), "Differences": opinion.FramedText("the differences", strings.Join(lines, "\n")),
	})
	if err != nil {
		return nil, err
	}
	choice, err := j.Ask.Choose(prompt, FailureKinds)
	if errors.Is(err, domains.ErrNoAnswer) {
		return nil, nil
	}
	return &choice, err
}
