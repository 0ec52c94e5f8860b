package environments

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/domains/edit"
	"agentd/vfs"
)

// Bounds on what derived edits are worth.
const (
	trivial    = 0.5  // the most that doing nothing may score as a forward step
	copied     = 0.75 // the most that the document may, copied to the name under which the edit saves it
	leastVerbs = 4    // of edits that are enough, where the document offers as many
)

// mostWords is how long an instruction may be, so that it reads like one of a colleague's.
const mostWords = 60

// ErrNoEdits says that fewer edits than one can be derived for a document.
var ErrNoEdits = errors.New("no edits can be derived")

// Derive proposes up to so many edits of documents, each with an exact program from the domain's
// vocabulary. It returns only those that lead there and back with both scores 1, of which doing
// nothing is at most half, and whose instructions have at most 60 words, tell of no round trip
// and are no other edit's. The choice depends on the seed; an ErrNoEdits wraps why there is none.
func Derive(d domains.Domain, documents vfs.Files, count int, seed uint64) ([]Edit, error) {
	format := d.Vocabulary()
	if format == nil {
		return nil, fmt.Errorf("%w: the domain %s has no vocabulary", ErrNoEdits, d.Info().Name)
	}
	proposals, err := format.Propose(documents, seed)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoEdits, err)
	}
	reference := d.Against(documents)
	var edits []Edit
	var last error
	seen := map[string]int{} // verbs
	for _, p := range proposals {
		full := len(edits) == count
		if full && (len(seen) >= min(leastVerbs, count) || seen[p.Kind()] > 0) {
			continue
		}
		var made Edit
		if made, last = worthwhile(d, reference, documents, format, p, edits); last != nil {
			continue
		}
		if full {
			edits = withoutOneOfMany(edits, seen)
		}
		edits = append(edits, made)
		seen[p.Kind()]++
	}
	if len(edits) == 0 {
		return nil, fmt.Errorf("%w: of %d possible ones none leads there and back; the last: %w", ErrNoEdits, len(proposals), last)
	}
	return edits, nil
}

// withoutOneOfMany leaves out the last edit whose verb most edits have.
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

// worded returns why the instructions of a proposal cannot be given beside those of other edits;
// nil if they can.
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

// errTooEasy says that doing nothing is nearly all of an edit.
var errTooEasy = errors.New("doing nothing")

// worthwhile makes an edit of a proposal, or returns why it is none to use. Where the document counts as its own
// result, the edit is saved under another name.
func worthwhile(d domains.Domain, reference domains.Reference, documents vfs.Files, format *edit.Format, p edit.Proposal, others []Edit) (Edit, error) {
	err := worded(p, others)
	if err == nil {
		err = tried(d, reference, documents, format, p)
	}
	if errors.Is(err, errTooEasy) && p.Renamed != nil {
		p = *p.Renamed
		if err = worded(p, others); err == nil {
			err = tried(d, reference, documents, format, p)
		}
	}
	return Edit{
		Name: p.Verb.Name(), Operations: p.Operations, Forward: p.Forward, Backward: p.Backward, Targets: p.Targets, Oracle: Oracle{Verb: p.Verb},
	}, err
}

// tried returns why a proposal is no edit to use; nil if it is one. The way back begins at the
// state that the forward step makes, and at what the published protocol carries on of it; what it leads to must survive
// being carried on, too.
func tried(d domains.Domain, reference domains.Reference, documents vfs.Files, format *edit.Format, p edit.Proposal) error {
	program, err := format.Program(p.Verb)
	if err != nil {
		return err
	}
	there, err := program.Forward(documents)
	if err != nil {
		return err
	}
	if err := reaches(there, p.Targets); err != nil {
		return fmt.Errorf("%s: %w", p.Verb, err)
	}
	expected := domains.Expect(d, documents, there)
	// The published protocol scores all files that a step leaves, the clean one those that fit its targets.
	for _, left := range []vfs.Files{documents, documents.Match(p.Targets)} {
		if nothing, _ := expected.Score(left); nothing > trivial {
			return fmt.Errorf("%s: %w scores %.2f", p.Verb, errTooEasy, nothing)
		}
	}
	if p.Verb.Convert == "" && p.Verb.To != "" {
		copy := maps.Clone(documents)
		delete(copy, p.Verb.Document)
		copy[p.Verb.To] = documents[p.Verb.Document]
		if score, _ := expected.Score(copy); score > copied {
			return fmt.Errorf("%s: a copy scores %.2f", p.Verb, score)
		}
	}
	states := []vfs.Files{there}
	if carried := carried(there); !carried.Equal(there) {
		states = append(states, carried)
	}
	for _, state := range states {
		if score, _ := expected.Score(state); score != 1 {
			return fmt.Errorf("%s: what the published protocol carries on scores %.4f", p.Verb, score)
		}
		back, err := program.Backward(state)
		if err != nil {
			return err
		}
		for _, reached := range []vfs.Files{back, carried(back)} {
			if reached.Equal(documents) { // so there is nothing to compare, and programs need not run
				continue
			}
			if score := reference.Compare(reached); score.RS != 1 || score.Strict != 1 {
				return fmt.Errorf("%s: there and back scores %s", p.Verb, Shortfall(score, reference.Differences(reached)))
			}
		}
	}
	return nil
}
