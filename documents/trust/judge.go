package trust

import (
	"fmt"
	"slices"
	"strings"

	"agentd/internal/usage"
)

// DefaultFailUnder is the default of Rule.FailUnder, in percent: at least 98 % of the edits must keep
// at least 98 % of the document.
const DefaultFailUnder = 98

// Rule says when the verdict is yes.
type Rule struct {
	// FailUnder, in percent, is how much of a document must survive, and how many of the edits must
	// keep that much (Keeps). It is from 0 to 100, but no number of edits can show 100.
	FailUnder float64
	// Baseline is an earlier answer; nil for none. With a baseline, only what got worse fails.
	Baseline *Answer
}

// Check returns a usage error if FailUnder is out of range.
func (r Rule) Check() error {
	if !(r.FailUnder >= 0 && r.FailUnder <= 100) {
		return usage.Errorf("--fail-under %g: use a percentage from 0 to 100", r.FailUnder)
	}
	return nil
}

// Judge sets the verdicts, with reasons for those that are not Yes.
//
// The verdict is Yes if every arm keeps the documents taken together. It is No if an arm does not
// keep them, does not keep one of them, or does not carry out its edits. Any of these tests can lead
// to a No, so they share the allowed error of one in twenty equally (Bonferroni). A Yes needs all
// arms, so no correction is needed.
func (a *Answer) Judge(rule Rule) {
	a.FailUnder = rule.FailUnder
	questions := len(a.Arms) * (len(a.Documents) + 1)
	if len(a.Documents) > 1 {
		questions += len(a.Arms)
	}
	a.Verdict = Yes
	for i := range a.Arms {
		o := &a.Arms[i]
		b := bar{rule.FailUnder, o.Length, float64(evidence * questions)}
		a.judgeArm(o, b)
		if o.Verdict == No || a.Verdict == Yes {
			a.Verdict = o.Verdict
		}
	}
	untested := slices.ContainsFunc(a.Skipped, func(s Skipped) bool { return s.Asked })
	if len(a.Arms) == 0 || untested && a.Verdict == Yes {
		a.Verdict = Unknown
	}
	a.Trusted, a.Needed = a.Verdict == Yes, nil
	if a.Verdict == Unknown && !untested {
		a.Needed = a.needed()
	}
	if rule.Baseline != nil {
		a.compare(rule.Baseline)
	}
}

// judgeArm sets the verdicts on an arm: for each document, and for all together. With one document its verdict is the arm's.
func (a *Answer) judgeArm(o *Overall, b bar) {
	var relays []Relay
	var open, against []string // reasons against a Yes, and for a No
	done, forward := 0, 0
	for i := range a.Documents {
		d := &a.Documents[i]
		arm := d.arm(o.Model, o.Policy)
		if arm == nil {
			continue
		}
		arm.judge(arm.Relays, arm.Planned, b)
		for _, why := range d.unfit(arm) {
			arm.doubt(Unknown, why)
			open = append(open, why)
		}
		if arm.Verdict == No {
			against = append(against, fmt.Sprintf("%s: %s", d.Path, strings.Join(arm.Reasons, "; ")))
		}
		relays = append(relays, arm.Relays...)
		done, forward = done+arm.Done, forward+arm.Forward
	}
	o.judge(relays, o.Planned, b)
	if undone(relays) >= b.toRefuse {
		o.doubt(No, fmt.Sprintf("%d of %d forward edits were carried out, %.0f %% are needed", done, forward, 100*leastDone))
	}
	for _, why := range open {
		o.doubt(Unknown, why)
	}
	if len(a.Documents) > 1 {
		for _, why := range against {
			o.doubt(No, why)
		}
	} else if arm := a.Documents[0].arm(o.Model, o.Policy); arm != nil {
		arm.Judged = o.Judged
	}
	if o.Verdict == Unknown && len(open) == 0 && !o.unfinished() {
		o.repeats = (b.needed(o.Keeps, len(a.Documents)) + len(a.Documents) - 1) / len(a.Documents)
	}
}

// unfit says why no number of relays like these can show that an arm keeps the document.
func (d *Document) unfit(a *Arm) (why []string) {
	if n := len(d.Edits); n < leastEdits {
		why = append(why, fmt.Sprintf("too few edits are possible on %s (%d; %d are needed)", d.Path, n, leastEdits))
	}
	if len(a.Relays) > 0 && a.idle() {
		why = append(why, fmt.Sprintf("%d of %d forward edits were carried out on %s, so what survives says nothing", a.Done, a.Forward, d.Path))
	}
	return why
}

// unfinished reports whether relays of an arm have no score.
func (o *Overall) unfinished() bool { return o.Keeps.Relays < o.Planned }

// Needed estimates what is still needed for an answer, if further edits go like those so far.
type Needed struct {
	Repeats int      `json:"repeats"` // total relays of each document with each arm
	Edits   int      `json:"edits"`   // in addition to those already done
	USD     *float64 `json:"usd"`     // estimated by what edits have cost so far; nil if unknown
}

// needed estimates what is still needed for an answer; nil if no number of edits is enough.
func (a *Answer) needed() *Needed {
	n := Needed{USD: new(0.0)}
	for _, o := range a.Arms {
		if o.Verdict == Unknown && o.repeats == 0 {
			return nil
		}
		n.Repeats = max(n.Repeats, o.repeats)
	}
	for _, o := range a.Arms {
		edits := max(n.Repeats*len(a.Documents)-o.Planned, 0) * o.Length
		n.Edits += edits
		if o.USD == nil || o.Interactions == 0 {
			n.USD = nil
		} else if n.USD != nil {
			*n.USD += *o.USD / float64(o.Interactions) * float64(edits)
		}
	}
	if n.Edits == 0 {
		return nil
	}
	return &n
}

// Passed reports whether models can safely edit the documents.
func (a *Answer) Passed() bool { return a.Trusted || a.NoWorse }

// Faults returns how many edits failed because of a server or the sandbox.
func (a *Answer) Faults() int {
	n := 0
	for _, d := range a.Documents {
		for _, arm := range d.Arms {
			n += arm.Faults
		}
	}
	return n
}

// arm finds an arm by its model and policy; nil if it has no relays on the document.
func (d *Document) arm(model, policy string) *Arm {
	for i := range d.Arms {
		if arm := &d.Arms[i]; arm.Model == model && arm.Policy == policy {
			return arm
		}
	}
	return nil
}

// Headline returns the answer in one line.
func (a *Answer) Headline() string {
	said := map[Verdict]string{Yes: "yes", No: "not without review", Unknown: string(Unknown)}[a.Verdict]
	if a.NoWorse {
		said += ", but no worse than the baseline"
	}
	return fmt.Sprintf("%s (asked: %s %%)", said, percent(a.FailUnder))
}

// doubts names every arm that is not trusted, with the reasons, and what is still needed.
func (a *Answer) doubts() []string {
	var all []string
	for _, s := range a.Skipped {
		if s.Asked {
			all = append(all, s.Path+": not tested")
		}
	}
	for i := range a.Arms {
		o := &a.Arms[i]
		where := fmt.Sprintf("%d documents", len(a.Documents))
		if len(a.Documents) == 1 {
			where = a.Documents[0].Path
		}
		if !o.Trusted {
			all = append(all, fmt.Sprintf("%s, %s: %s", where, title(o.Model, o.Policy, true), strings.Join(o.Reasons, "; ")))
		}
	}
	if a.Needed != nil {
		all = append(all, a.Needed.String())
	}
	return all
}

// String says what is needed, and how to go on.
func (n *Needed) String() string {
	cost := "of which the price is not known"
	switch {
	case n.USD != nil && *n.USD == 0:
		cost = "at no cost"
	case n.USD != nil:
		cost = fmt.Sprintf("about %.2f USD", *n.USD)
	}
	return fmt.Sprintf("if it goes on like this, %d more edits will tell (%s): the same command with --repeats %d", n.Edits, cost, n.Repeats)
}

// title names an arm, with or without its model.
func title(model, policy string, whole bool) string {
	if whole && model != "" {
		return model + " " + policy
	}
	return policy
}
