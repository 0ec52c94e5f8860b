package trust

import (
	"fmt"
	"math"

	"agentd/report/statistics"
)

// Verdict answers whether editing can be delegated.
type Verdict string

// The verdicts. Yes and No are each wrong at most once in twenty, even if measuring continues until
// one of them is reached.
const (
	Yes     Verdict = "yes"
	No      Verdict = "no"
	Unknown Verdict = "not measured enough"
)

// evidence is the threshold for an answer. Chance alone reaches it at most once in twenty.
const evidence = 20

// Limits of the rule.
const (
	// leastDone is the share of forward edits that a relay must have carried out to count as
	// keeping the document.
	leastDone = 0.95
	// idleDone is the share of forward edits below which survival says nothing about an arm.
	idleDone = 0.5
	// leastEdits is how many different edits a document must allow.
	leastEdits = 3
	// mostRelays is the largest number of needed relays that is reported.
	mostRelays = 20_000
)

// Keeps is how often an arm keeps a document. A relay keeps it if its final strict score is at least
// FailUnder, the tools of the format can still read it, and at least 95 % of the relay's forward edits
// were carried out. Rate is the probability, in percent, that one edit keeps the document, assuming that
// all edits of a relay are alike: a relay of n edits keeps it with probability Rate^n. Relays are
// counted, not edits, since the edits of one relay depend on each other.
type Keeps struct {
	Relays int `json:"relays"` // with a score
	Kept   int `json:"kept"`
	// Rate is nil without a relay. Low is above the true rate at most once in twenty; High is below
	// it at most once in twenty over all tests of an answer (Answer.Judge).
	Rate *float64 `json:"rate"`
	Low  *float64 `json:"low"`
	High *float64 `json:"high"`
}

// Judged is the verdict on an arm.
type Judged struct {
	Keeps   Keeps   `json:"keeps"`
	Verdict Verdict `json:"verdict"`
	Trusted bool    `json:"trusted"` // the verdict is Yes
	// Reasons say why the verdict is not Yes.
	Reasons []string `json:"reasons,omitempty"`
}

// bar is what a rule requires of relays of one length.
type bar struct {
	failUnder float64 // percent
	length    int     // edits of a relay
	// toRefuse is the evidence that a No needs.
	toRefuse float64
}

// share returns the share of relays that must keep the document.
func (b bar) share() float64 { return math.Pow(b.failUnder/100, float64(b.length)) }

// rate converts a share of relays to the rate of one edit, in percent.
func (b bar) rate(share float64) *float64 {
	return new(rounded(100 * math.Pow(share, 1/float64(max(b.length, 1)))))
}

// judge sets the verdict from the relays that have a score. Planned relays without a score count
// against the verdict: as lost when testing for a Yes, as kept when testing for a No.
func (j *Judged) judge(relays []Relay, planned int, b bar) {
	k := Keeps{Relays: len(relays)}
	for i := range relays {
		k.Kept += one(relays[i].keeps(b.failUnder))
	}
	worst := statistics.Share{Succeeded: float64(k.Kept), Failed: float64(max(planned, k.Relays) - k.Kept)}
	best := statistics.Share{Failed: float64(k.Relays - k.Kept)}
	best.Succeeded = worst.Succeeded + worst.Failed - best.Failed
	*j = Judged{Verdict: b.verdict(worst, best)}
	j.Trusted = j.Verdict == Yes
	if k.Relays > 0 {
		k.Rate = b.rate(float64(k.Kept) / float64(k.Relays))
		k.Low, k.High = b.rate(worst.Least(evidence)), b.rate(best.Most(b.toRefuse))
	}
	j.Keeps = k
	switch {
	case j.Verdict == No:
		j.doubt(No, fmt.Sprintf("at most %s %% of the edits keep the document (the upper end of the interval), asked: %s %%", percent(*k.High), percent(b.failUnder)))
	case k.Relays < planned:
		j.doubt(Unknown, fmt.Sprintf("%d of %d relays have no score", planned-k.Relays, planned))
	case j.Verdict == Unknown && k.Relays > 0:
		j.doubt(Unknown, fmt.Sprintf("%s to %s %% of the edits keep the document, asked: %s %%", percent(*k.Low), percent(*k.High), percent(b.failUnder)))
	}
}

// verdict returns Yes if there is enough evidence that more relays keep the document than the bar
// requires, and No if there is enough that fewer do.
func (b bar) verdict(worst, best statistics.Share) Verdict {
	switch {
	case worst.Above(b.share()) >= evidence:
		return Yes
	case best.Below(b.share()) >= b.toRefuse:
		return No
	}
	return Unknown
}

// doubt lowers the verdict and adds the reason. Reasons for a No replace all others.
func (j *Judged) doubt(to Verdict, why string) {
	switch {
	case to == No && len(j.Reasons) > 0 && j.Verdict != No:
		j.Reasons = nil
	case to != No && j.Verdict == No:
		return
	}
	j.Verdict, j.Trusted = to, false
	j.Reasons = append(j.Reasons, why)
}

// needed estimates how many relays an answer needs, in multiples of step, if further relays go like
// those so far; 0 if more than mostRelays.
func (b bar) needed(k Keeps, step int) int {
	if k.Relays == 0 {
		return 0
	}
	for n := k.Relays + step; n <= mostRelays; n += max(1, n/step/64) * step {
		kept := math.Round(float64(n) * float64(k.Kept) / float64(k.Relays))
		s := statistics.Share{Succeeded: kept, Failed: float64(n) - kept}
		if b.verdict(s, s) != Unknown {
			return n
		}
	}
	return 0
}

// keeps reports whether a relay kept its document.
func (r *Relay) keeps(failUnder float64) bool {
	return !below(r.Strict, failUnder) && len(r.Broken) == 0 && float64(r.Done) >= leastDone*float64(r.Forward) && r.Forward > 0
}

// idle reports whether an arm did too few of its edits for what survives to say anything.
func (a *Arm) idle() bool { return float64(a.Done) < idleDone*float64(a.Forward) || a.Forward == 0 }

// undone returns the evidence that an arm carries out too few of its forward edits, from the share
// that each relay carried out.
func undone(relays []Relay) float64 {
	var s statistics.Share
	for _, r := range relays {
		done := float64(r.Done) / float64(max(r.Forward, 1))
		s.Succeeded, s.Failed = s.Succeeded+done, s.Failed+1-done
	}
	return s.Below(leastDone)
}

// below compares percentages without regard to rounding errors.
func below(value, least float64) bool { return value < least-1e-9 }
