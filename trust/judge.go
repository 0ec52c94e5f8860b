package trust

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"agentd/internal/datafile"
	"agentd/internal/usage"
)

// What the verdict needs in addition to what the user asks for.
const (
	// leastDone is the share of forward edits that must have been carried out.
	leastDone = 0.95
	// leastEdits is how many different edits a document must allow.
	leastEdits = 3
	// leastRelays is how many relays an interval needs.
	leastRelays = 2
)

// DefaultFailUnder is what the lower bound of the strict score must reach if nothing else is
// asked for, in percent.
const DefaultFailUnder = 98

// Rule says when the answer is yes.
type Rule struct {
	FailUnder float64 // percent, 0 to 100
	// Baseline is an answer from before; nil for none. With one, only what got worse fails.
	Baseline *Answer
}

// Check returns a usage error for a rule that nothing could meet or fail.
func (r Rule) Check() error {
	if !(r.FailUnder >= 0 && r.FailUnder <= 100) {
		return usage.Errorf("--fail-under %g: use a percentage from 0 to 100", r.FailUnder)
	}
	return nil
}

// ReadBaseline reads an answer that was written as JSON.
func ReadBaseline(file string) (*Answer, error) {
	const most = 64 << 20
	text, err := datafile.Read(file, most)
	if err != nil {
		return nil, usage.Errorf("reading the baseline: %w", err)
	}
	var a Answer
	if err := json.Unmarshal(text, &a); err != nil {
		return nil, usage.Errorf("%s is not an answer as agentd trust --format json writes it: %w", file, err)
	}
	if a.Documents == nil && a.Skipped == nil {
		return nil, usage.Errorf("%s has no documents; agentd trust --format json writes a baseline", file)
	}
	return &a, nil
}

// Judge sets who is trusted, and why others are not.
func (a *Answer) Judge(rule Rule) {
	a.FailUnder = rule.FailUnder
	a.Trusted, a.NoWorse = len(a.Documents) > 0, rule.Baseline != nil && len(a.Documents) > 0
	for _, s := range a.Skipped {
		if s.Asked {
			a.Trusted, a.NoWorse = false, a.NoWorse && rule.Baseline.skipped(s.Path)
		}
	}
	for i := range a.Documents {
		d := &a.Documents[i]
		for k := range d.Arms {
			arm := &d.Arms[k]
			arm.Reasons = arm.doubts(d, rule.FailUnder)
			arm.Trusted = len(arm.Reasons) == 0
			a.Trusted = a.Trusted && arm.Trusted
			if rule.Baseline != nil && !arm.Trusted {
				before := rule.Baseline.arm(d.Path, arm.Model, arm.Policy)
				arm.NoWorse = before != nil && !arm.worseThan(before)
				a.NoWorse = a.NoWorse && arm.NoWorse
			}
		}
	}
	a.NoWorse = a.NoWorse && !a.Trusted
}

// Passed reports whether nothing stands against handing the documents over.
func (a *Answer) Passed() bool { return a.Trusted || a.NoWorse }

// Faults is how many edits a server or the sandbox failed.
func (a *Answer) Faults() int {
	n := 0
	for _, d := range a.Documents {
		for _, arm := range d.Arms {
			n += arm.Faults
		}
	}
	return n
}

// doubts are the reasons not to trust an arm with a document.
func (a *Arm) doubts(d *Document, failUnder float64) []string {
	var why []string
	if n := len(d.Edits); n < leastEdits {
		why = append(why, fmt.Sprintf("too few edits are possible on the document (%d; %d are needed)", n, leastEdits))
	}
	if n := len(a.Relays); n < a.Planned {
		why = append(why, fmt.Sprintf("%d of %d relays have no score", a.Planned-n, a.Planned))
	} else if n < leastRelays {
		why = append(why, fmt.Sprintf("one relay has no interval; %d are needed (--repeats)", leastRelays))
	}
	if float64(a.Done) < leastDone*float64(a.Forward) || a.Forward == 0 {
		why = append(why, fmt.Sprintf("%d of %d forward edits were carried out, %.0f %% are needed", a.Done, a.Forward, 100*leastDone))
	}
	if low := a.Survives.Low; low != nil && below(*low, failUnder) {
		why = append(why, fmt.Sprintf("of what survives the lower bound is %s %%, asked: %s %%", percent(*low), percent(failUnder)))
	}
	return why
}

// below compares percentages, whose last digits come from adding and dividing.
func below(value, least float64) bool { return value < least-1e-9 }

// worseThan reports whether an arm did worse than before: it was trusted then, its mean is
// below the interval of then, or it carried out fewer edits by more than the rule allows.
func (a *Arm) worseThan(before *Arm) bool {
	if before.Trusted || len(a.Relays) < a.Planned {
		return true
	}
	then := before.Survives.Low
	if then == nil {
		then = before.Survives.Mean
	}
	if then != nil && (a.Survives.Mean == nil || below(*a.Survives.Mean, *then)) {
		return true
	}
	return a.doneShare() < before.doneShare()-(1-leastDone)
}

func (a *Arm) doneShare() float64 { return float64(a.Done) / float64(max(a.Forward, 1)) }

func (a *Answer) arm(path, model, policy string) *Arm {
	for i := range a.Documents {
		for k := range a.Documents[i].Arms {
			if arm := &a.Documents[i].Arms[k]; a.Documents[i].Path == path && arm.Model == model && arm.Policy == policy {
				return arm
			}
		}
	}
	return nil
}

func (a *Answer) skipped(path string) bool {
	return slices.ContainsFunc(a.Skipped, func(s Skipped) bool { return s.Path == path })
}

// Verdict is the answer in one line.
func (a *Answer) Verdict() string {
	asked := fmt.Sprintf("(asked: %s %%)", percent(a.FailUnder))
	switch {
	case a.Trusted:
		return "yes " + asked
	case a.NoWorse:
		return "not without review, but no worse than the baseline " + asked
	}
	return "not without review " + asked
}

// doubts names every arm that is not trusted, with the reasons.
func (a *Answer) doubts() []string {
	var all []string
	for _, s := range a.Skipped {
		if s.Asked {
			all = append(all, s.Path+": not tested")
		}
	}
	for _, d := range a.Documents {
		for _, arm := range d.Arms {
			if !arm.Trusted {
				all = append(all, fmt.Sprintf("%s, %s: %s", d.Path, arm.title(true), strings.Join(arm.Reasons, "; ")))
			}
		}
	}
	return all
}

// title names an arm, with its model or without.
func (a *Arm) title(model bool) string {
	if model && a.Model != "" {
		return a.Model + " " + a.Policy
	}
	return a.Policy
}
