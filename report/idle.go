package report

import (
	"fmt"
	"strings"

	"agentd/report/statistics"
)

// title names the arm.
func (a *Arm) title() string {
	if a.Model == "" {
		return a.Policy
	}
	return name(a.Model, a.StandIn) + " " + a.Policy
}

// published returns the scores that are shown for the arm: none if it did too little.
func (a *Arm) published() (scores struct{ RS, Strict []statistics.Interval }) {
	if !a.Work.TooLittle() {
		scores.RS, scores.Strict = a.RS, a.Strict
	}
	return scores
}

// sayingNothing says which arms did too little, and how much; "" if none did.
func (r *Report) sayingNothing() string {
	var did []string
	for i := range r.Arms {
		if a := &r.Arms[i]; a.Work.TooLittle() {
			did = append(did, a.title()+" "+a.Work.Percent())
		}
	}
	if len(did) == 0 {
		return ""
	}
	return strings.Join(did, ", ") + ": RS says nothing."
}

// NothingDoneError says which arms carried out none of their edits.
type NothingDoneError struct{ Arms []string }

func (e *NothingDoneError) Error() string {
	return fmt.Sprintf("%s: nothing was done, so scores say nothing", strings.Join(e.Arms, ", "))
}

// NothingDone returns a *NothingDoneError if an arm had edits and carried out none of them;
// otherwise nil.
func (r *Report) NothingDone() error {
	var e NothingDoneError
	for _, one := range r.each() {
		for _, part := range []*Report{one, one.pictures, one.general} {
			if part == nil || len(e.Arms) > 0 {
				continue
			}
			for i := range part.Arms {
				if a := &part.Arms[i]; a.Work.None() {
					e.Arms = append(e.Arms, a.title()+" "+a.Work.String())
				}
			}
		}
	}
	if len(e.Arms) == 0 {
		return nil
	}
	return &e
}
