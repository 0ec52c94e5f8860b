// Package triage says why the round trips of an edit did not score 1: because
// the document was damaged, because the evaluator errs, or because the
// instruction can be understood in several ways (paper, Appendix K.3). Rules
// judge this, as far as they go. Flagged edits a model sorts (Appendix K.6).
package triage

import (
	"fmt"
	"math"
	"strings"

	"agentd/domains"
	"agentd/policies"
	"agentd/vfs"
)

// Verdict is the cause of a lower score.
type Verdict string

const (
	// Sound round trips score 1 by both scores.
	Sound Verdict = "sound"
	// Broken ones were not done or not scored: no completion, no sandbox, no
	// oracle, no domain.
	Broken Verdict = "broken"
	// Warranted scores are what the work deserves: the document is damaged, or a
	// file is missing.
	Warranted Verdict = "warranted"
	// Evaluator: the published score is far from what the differences say.
	Evaluator Verdict = "evaluator"
	// Ambiguous: most runs do the same other thing, or no rule decides. A person
	// should look at the instruction.
	Ambiguous Verdict = "ambiguous"
)

// Verdicts lists the verdicts, the best first.
func Verdicts() []Verdict { return []Verdict{Sound, Warranted, Evaluator, Ambiguous, Broken} }

// Unscored is the failure of an attempt that no domain can score.
const Unscored = "not scored"

// Attempt is one round trip of an edit.
type Attempt struct {
	// Failure and Detail say why a step of it failed; empty if none did.
	Failure, Detail string
	Score           domains.Score
	Differences     []domains.Difference
	Output          vfs.Files // what is compared with the seed
}

// Judgement is the verdict on an attempt with its reason as text.
type Judgement struct {
	Verdict Verdict
	Why     string
}

// Thresholds of the rules.
const (
	nearly      = 0.9  // share of lines from which a text is nearly the seed's
	disagreeing = 0.25 // distance of the scores from which one of them must err
	fewest      = 4    // attempts from which something is said of most of them
	mostRuns    = 0.75 // share of attempts that are most
)

// Judge judges all attempts at one edit. The first rule that fits decides:
//
//  1. a step could not be done or scored, for reasons of the model's server or
//     of agentd: broken;
//  2. both scores are 1: sound;
//  3. the published reading fails though nine tenths of the lines are the
//     seed's: evaluator;
//  4. nothing differs and yet the published score is below 1, or the scores are
//     a quarter or more apart: evaluator;
//  5. three quarters of four or more attempts fail in the same way or have the
//     same difference: ambiguous;
//  6. a file is missing, the answer was unusable, or an element is lost, added
//     or changed: warranted;
//  7. otherwise, as where elements only moved: ambiguous.
//
// Rules 2 to 4 are for attempts of which no step failed.
func Judge(seed vfs.Files, attempts []Attempt) []Judgement {
	common := inMost(attempts)
	judgements := make([]Judgement, len(attempts))
	for i := range attempts {
		judgements[i] = attempts[i].judge(seed, common)
	}
	return judgements
}

func (a *Attempt) judge(seed vfs.Files, common map[string]int) Judgement {
	switch policies.Reason(a.Failure) {
	case policies.ModelError, policies.SandboxFailure, policies.NoOracle, Unscored:
		return Judgement{Broken, a.Failure + ": " + a.Detail}
	}
	if a.Failure == "" {
		if j, decided := a.byScores(seed); decided {
			return j
		}
	}
	for _, mark := range a.marks() {
		if times, ok := common[mark]; ok {
			return Judgement{Ambiguous, fmt.Sprintf("%d attempts have it: %s", times, mark)}
		}
	}
	if a.Failure != "" {
		return Judgement{Warranted, a.Failure + ": " + a.Detail}
	}
	for _, d := range a.Differences {
		if d.Kind != domains.Moved {
			return Judgement{Warranted, counted(d.String(), len(a.Differences))}
		}
	}
	return Judgement{Ambiguous, counted(a.Differences[0].String(), len(a.Differences))}
}

// byScores decides by the scores and the text alone.
func (a *Attempt) byScores(seed vfs.Files) (Judgement, bool) {
	s := a.Score
	switch {
	case s.RS == 1 && s.Strict == 1:
		return Judgement{Verdict: Sound}, true
	case s.Problem != "" && likeness(seed, a.Output) >= nearly:
		return Judgement{Evaluator, fmt.Sprintf("%.1f %% of the lines are the seed's, yet: %s", 100*likeness(seed, a.Output), s.Problem)}, true
	case len(a.Differences) == 0:
		return Judgement{Evaluator, fmt.Sprintf("nothing differs, yet it scores %.4f", s.RS)}, true
	case math.Abs(s.RS-s.Strict) >= disagreeing:
		return Judgement{Evaluator, fmt.Sprintf("it scores %.4f, strict %.4f: %s", s.RS, s.Strict,
			counted(a.Differences[0].String(), len(a.Differences)))}, true
	}
	return Judgement{}, false
}

// marks returns the features of an attempt that other attempts may share.
func (a *Attempt) marks() []string {
	if a.Failure != "" {
		return []string{a.Failure + ": " + a.Detail}
	}
	marks := make([]string, len(a.Differences))
	for i, d := range a.Differences {
		marks[i] = d.String()
	}
	return marks
}

// inMost returns the marks shared by most attempts, with the number of attempts.
func inMost(attempts []Attempt) map[string]int {
	common := map[string]int{}
	if len(attempts) < fewest {
		return common
	}
	for i := range attempts {
		seen := map[string]bool{}
		for _, mark := range attempts[i].marks() {
			if !seen[mark] {
				seen[mark] = true
				common[mark]++
			}
		}
	}
	for mark, times := range common {
		if float64(times) < mostRuns*float64(len(attempts)) {
			delete(common, mark)
		}
	}
	return common
}

func counted(first string, differences int) string {
	if differences == 1 {
		return first
	}
	return fmt.Sprintf("%s, and %d more", first, differences-1)
}

// likeness is the share of the lines of both texts that have an equal on the
// other side, blank lines and blanks at the ends apart.
func likeness(a, b vfs.Files) float64 {
	lines := map[string]int{}
	total, common := 0, 0
	each(a, func(line string) { lines[line]++; total++ })
	each(b, func(line string) {
		total++
		if lines[line] > 0 {
			lines[line]--
			common++
		}
	})
	if total == 0 {
		return 1
	}
	return float64(2*common) / float64(total)
}

func each(files vfs.Files, do func(line string)) {
	for _, name := range files.Names() {
		for line := range strings.Lines(files[name]) {
			if line = strings.TrimSpace(line); line != "" {
				do(line)
			}
		}
	}
}
