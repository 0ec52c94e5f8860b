package triage

import (
	"embed"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/internal/opinion"
	"agentd/vfs"
)

const (
	// FlaggedBelow is the mean score that all arms stay below on a flagged edit (paper,
	// Appendix K.6).
	FlaggedBelow = 0.80
	// LookedAtBelow is the score from which a round trip is shown for any verdict
	// (paper, Appendix K.3).
	LookedAtBelow = 0.10
)

// Mean is the mean published score of the trials of one arm with one edit: of those that were
// scored, 0 if the protocol gave none of them a score. It is NaN if services failed all that
// could be scored.
func Mean(arm []Judged) float64 {
	sum, scored, tried := 0.0, 0, 0
	for i := range arm {
		t := &arm[i].Trial
		if t.saysNothing() {
			continue
		}
		tried++
		if s := t.Backward.Score; s != nil {
			sum += s.RS
			scored++
		}
	}
	switch {
	case tried == 0:
		return math.NaN()
	case scored == 0:
		return 0
	}
	return sum / float64(scored)
}

// Flagged reports whether all arms that tried an edit stay below FlaggedBelow. The trials are
// all those of the edit.
func Flagged(edit []Judged) bool {
	tried := false
	for _, arm := range Groups(edit, (*Trial).SameArm) {
		mean := Mean(arm)
		if mean >= FlaggedBelow {
			return false
		}
		tried = tried || !math.IsNaN(mean)
	}
	return tried
}

// unscored counts the edits of which nothing could score any trial that services did not fail.
func unscored(edits [][]Judged) int {
	n := 0
	for _, edit := range edits {
		says := func(t Judged) bool { return !t.saysNothing() }
		if !slices.ContainsFunc(edit, says) && slices.ContainsFunc(edit, func(t Judged) bool { return t.unscorable() }) {
			n++
		}
	}
	return n
}

// Causes are what a low score of a flagged edit may come from (paper, Appendix K.6).
func Causes() []opinion.Category {
	return []opinion.Category{
		{Name: "parser", Head: "evaluation parser error", Meaning: "the result is right, and the score is low because the evaluator does not read it as what it is"},
		{Name: "prompt", Head: "prompt error", Meaning: "the instructions are at fault: even a perfect worker could not come back to the documents with them, as they are ambiguous, incomplete or lose something"},
		{Name: "model", Head: "model error", Meaning: "the instructions can be carried out, and the model made mistakes"},
	}
}

//go:embed prompts
var prompts embed.FS

// Sorted is what a judge says of a trial of a flagged edit.
type Sorted struct {
	Trial  *Judged
	Choice opinion.Choice // a place in Causes
}

// Sort has a judge say of each trial of a flagged edit what its score comes from. Those that
// scored 1, that services failed or nothing could score, or to which it gave no answer that can
// be read are left out. find finds a domain by name.
func Sort(ask opinion.Asker, edit []Judged, find func(name string) (domains.Domain, bool)) ([]Sorted, error) {
	var all []Sorted
	for i := range edit {
		t := &edit[i]
		if t.Verdict == Sound || t.saysNothing() {
			continue
		}
		prompt, err := sortPrompt(&t.Trial, find)
		if err != nil {
			return nil, err
		}
		choice, err := ask.Choose(prompt, Causes())
		if errors.Is(err, domains.ErrNoAnswer) {
			continue
		}
		if err != nil {
			return nil, err
		}
		all = append(all, Sorted{t, choice})
	}
	return all, nil
}

// mostShown is how many differences a judge is told of.
const mostShown = 40

func sortPrompt(t *Trial, find func(name string) (domains.Domain, bool)) (string, error) {
	score, found := "none: "+string(t.Backward.Unscored), ""
	if s := t.Backward.Score; s != nil {
		score = fmt.Sprintf("%.3f of 1", s.RS)
		if s.Problem != "" {
			score += "; the evaluator says: " + s.Problem
		}
	}
	if d, ok := t.Environment.Scoring(find); ok {
		var lines []string
		for _, difference := range d.Differences(t.Environment.Seed, t.Backward.Output) {
			lines = append(lines, difference.String())
		}
		if more := len(lines) - mostShown; more > 0 {
			lines = append(lines[:mostShown], fmt.Sprintf("and %d more", more))
		}
		found = strings.Join(lines, "\n")
	}
	return opinion.Prompt(prompts, "prompts/sort.md", map[string]any{
		"Forward": opinion.FramedText("the first instruction", t.Edit.Forward), "Backward": opinion.FramedText("the second instruction", t.Edit.Backward),
		"Seed": opinion.Framed("the documents at first", t.Environment.Seed), "Between": opinion.Framed("the documents after the first instruction", t.Forward.Output),
		"Result": opinion.Framed("the documents after the second instruction", t.Backward.Output),
		"Score":  opinion.Framed("the score", vfs.Files{"score": score}), "Differences": opinion.Framed("the differences", vfs.Files{"differences": found}),
	})
}
