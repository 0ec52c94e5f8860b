package environments

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"agentd/domains"
	"agentd/domains/edit"
	"agentd/vfs"
	"agentd/vfs/fenced"
)

// Limits that a derived edit must meet to be worthwhile.
const (
	trivial    = 0.5  // highest allowed forward score for doing nothing
	copied     = 0.75 // highest allowed score for copying the document to the edit's new name
	leastVerbs = 4    // least number of different verbs, if the document offers as many
)

// mostAnswer is how long an answer with all files of a step may be as JSON, in bytes: a model's answer has at most
// 8 MiB, of which some are not files.
const mostAnswer = 8<<20 - 64<<10

// mostWords is how long an instruction may be, so that it reads like one of a colleague's.
const mostWords = 60

// ErrNoEdits means that no edit can be derived for a document.
var ErrNoEdits = errors.New("no edits can be derived")

// Derive derives a limited number of edits of documents, each with an exact program from the
// domain's vocabulary. An edit is only returned if its round trip has both scores 1, if doing
// nothing scores at most 0.5 as its forward step, and if its instructions have at most 60 words, do
// not reveal the round trip and differ from those of other edits. The choice depends on the seed. If
// there is none, the error is ErrNoEdits, with the reason.
func Derive(d domains.Domain, documents vfs.Files, count int, seed uint64) ([]Edit, error) {
	format := d.Vocabulary()
	if format == nil {
		return nil, fmt.Errorf("%w: the domain %s has no vocabulary", ErrNoEdits, d.Info().Name)
	}
	if err := answerable(documents); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoEdits, err)
	}
	format = format.Remembering(documents)
	proposals, err := format.Proposals(documents, seed)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoEdits, err)
	}
	t := newTrial(d, format, documents)
	var edits []Edit
	var last error
	seen := map[string]int{} // verbs
	possible := 0
	for p := range proposals {
		possible++
		full := len(edits) == count
		if full && len(seen) >= min(leastVerbs, count) {
			break
		}
		if full && seen[p.Kind()] > 0 {
			continue
		}
		var made Edit
		if made, last = t.worthwhile(p, edits); last != nil {
			continue
		}
		if full {
			edits = withoutOneOfMany(edits, seen)
		}
		edits = append(edits, made)
		seen[p.Kind()]++
	}
	if len(edits) == 0 {
		return nil, fmt.Errorf("%w: of %d possible ones none leads there and back; the last: %w", ErrNoEdits, possible, last)
	}
	return edits, nil
}

// withoutOneOfMany removes the last edit with the most frequent verb.
func withoutOneOfMany(edits []Edit, seen map[string]int) []Edit {
	most := 0
	for i, e := range edits {
		if seen[e.Oracle.Verb.Kind()] >= seen[edits[most].Oracle.Verb.Kind()] {
			most = i
		}
	}
	seen[edits[most].Oracle.Verb.Kind()]--
	return slices.Delete(edits, most, most+1)
}

// worded returns why the instructions of a proposal cannot be used together with those of other
// edits; nil if they can.
func worded(p edit.Proposal, others []Edit) error {
	if words := max(len(strings.Fields(p.Forward)), len(strings.Fields(p.Backward))); words > mostWords {
		return fmt.Errorf("%s: its instruction has %d words", p.Verb, words)
	}
	for _, instruction := range []string{p.Forward, p.Backward} {
		if word := cmp.Or(Reveals(instruction), Hints(instruction)); word != "" {
			return fmt.Errorf("%s: its instruction tells of a round trip by the word %q", p.Verb, word)
		}
	}
	for _, e := range others {
		if p.Forward == e.Forward || p.Backward == e.Backward || p.Verb.Name() == e.Name {
			return fmt.Errorf("%s: an instruction or the name of it is that of %s", p.Verb, e.Name)
		}
	}
	return nil
}

// answerable returns why no model could answer with the files; nil if one can.
func answerable(files vfs.Files) error {
	const longest = 6 // bytes of JSON for a byte of text
	if files.Bytes() <= mostAnswer/longest {
		return nil
	}
	answer, err := json.Marshal(fenced.Format(files, files.Names()))
	if err == nil && len(answer) > mostAnswer {
		err = fmt.Errorf("the files are too long for a model's answer: as JSON they have %d bytes, and %d are the most", len(answer), mostAnswer)
	}
	return err
}

// easyError says that doing nothing is nearly all of an edit.
type easyError struct {
	score  float64
	copied float64 // what a copy of the documents under the new name scores; unknown if it must be tried
}

func (e *easyError) Error() string { return fmt.Sprintf("doing nothing scores %.2f", e.score) }

// unknown is a score that is not known.
const unknown = -1

// trial tries proposals on documents. It computes once what is the same for all of them.
type trial struct {
	domain    domains.Domain
	format    *edit.Format
	documents vfs.Files
	start     *domains.Start
	reference domains.Reference
	carried   func() error // why the documents do not survive being carried on by the published protocol; nil if they do
}

func newTrial(d domains.Domain, format *edit.Format, documents vfs.Files) *trial {
	t := &trial{domain: d, format: format, documents: documents, start: domains.StartWith(d, documents), reference: d.Against(documents)}
	t.carried = sync.OnceValue(func() error { return t.backTo(carried(documents)) })
	return t
}

// backTo returns why the result of a backward step differs from the original documents; nil if it does not.
func (t *trial) backTo(reached vfs.Files) error {
	if reached.Equal(t.documents) { // skip the comparison, and running programs
		return nil
	}
	if score := t.reference.Compare(reached); score.RS != 1 || score.Strict != 1 {
		return fmt.Errorf("there and back scores %s", Shortfall(score, t.reference.Differences(reached)))
	}
	return nil
}

// worthwhile makes an edit from a proposal, or returns why it cannot be used. If the unchanged document would count as
// the result, the edit saves it under another name.
func (t *trial) worthwhile(p edit.Proposal, others []Edit) (Edit, error) {
	err := worded(p, others)
	if err == nil {
		err = t.try(p, unknown)
	}
	if easy := new(easyError); errors.As(err, &easy) && p.Renamed != nil {
		p = *p.Renamed
		if err = worded(p, others); err == nil {
			err = t.try(p, easy.copied)
		}
	}
	return Edit{
		Name: p.Verb.Name(), Operations: p.Operations, Forward: p.Forward, Backward: p.Backward, Targets: p.Targets, Oracle: Oracle{Verb: p.Verb},
	}, err
}

// try returns why a proposal cannot be used; nil if it can. The backward step must work both on the result of the
// forward step and on that result as the published protocol passes it on. Its own result must survive being passed on,
// too. copying is what a copy of the document under the edit's new name scores, or unknown.
func (t *trial) try(p edit.Proposal, copying float64) error {
	if copying > copied {
		return copyError(p, copying)
	}
	program, err := t.format.Program(p.Verb)
	if err != nil {
		return err
	}
	there, err := program.Attempt(t.documents)
	if err != nil {
		return err
	}
	err = reaches(there, p.Targets)
	if err == nil {
		err = answerable(there)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", p.Verb, err)
	}
	expected := t.start.Expect(there)
	if err := t.tooEasy(expected, p, copying); err != nil { // of most proposals that cannot be used, so it comes before the way back
		return err
	}
	if err := program.Exact(t.documents, there); err != nil {
		return err
	}
	if err := t.carried(); err != nil {
		return fmt.Errorf("%s: %w", p.Verb, err)
	}
	state := carried(there)
	if state.Equal(there) {
		return nil
	}
	if score, _ := expected.Score(state); score != 1 {
		return fmt.Errorf("%s: what the published protocol carries on scores %.4f", p.Verb, score)
	}
	back, err := program.Backward(state)
	if err != nil {
		return err
	}
	if err = t.backTo(back); err == nil {
		err = t.backTo(carried(back))
	}
	if err != nil {
		return fmt.Errorf("%s: %w", p.Verb, err)
	}
	return nil
}

// tooEasy returns an error if the expected result hardly differs from the documents. copying is as in try.
func (t *trial) tooEasy(expected *domains.Expectation, p edit.Proposal, copying float64) error {
	// The published protocol scores all files that a step leaves, the clean one those that fit its targets.
	fitting := t.documents.Match(p.Targets)
	easy := easyError{copied: unknown}
	if easy.score, _ = expected.Score(t.documents); easy.score > trivial {
		if p.Renamed != nil && t.readAlike(p.Verb.Document, p.Renamed.Verb.To) {
			easy.copied = easy.score // of the same texts under two names
		}
	} else if !fitting.Equal(t.documents) {
		easy.score, _ = expected.Score(fitting)
	}
	if easy.score > trivial {
		return fmt.Errorf("%s: %w", p.Verb, &easy)
	}
	if p.Verb.Convert == "" && p.Verb.To != "" {
		if copying == unknown {
			copy := maps.Clone(t.documents)
			delete(copy, p.Verb.Document)
			copy[p.Verb.To] = t.documents[p.Verb.Document]
			copying, _ = expected.Score(copy)
		}
		if copying > copied {
			return copyError(p, copying)
		}
	}
	return nil
}

func copyError(p edit.Proposal, score float64) error {
	return fmt.Errorf("%s: a copy scores %.2f", p.Verb, score)
}

// readAlike reports whether the domain reads a text the same under both names.
func (t *trial) readAlike(a, b string) bool {
	return path.Ext(a) == path.Ext(b) && !slices.ContainsFunc(t.domain.Info().Patterns, func(pattern string) bool {
		return vfs.Matches(pattern, a) != vfs.Matches(pattern, b)
	})
}
