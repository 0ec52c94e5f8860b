package results

import "fmt"

// LeastDone is the share of an arm's edits that have to be carried out before its RS and Strict
// say anything: a document that is left alone survives whole.
const LeastDone = 0.5

// Work counts the edits of an arm, which are its forward steps of which it is recorded whether
// they were carried out, and those that were.
type Work struct{ Done, Edits int }

// Add counts a forward step; executed is nil where it was not recorded.
func (w *Work) Add(executed *bool) {
	if executed == nil {
		return
	}
	w.Edits++
	if *executed {
		w.Done++
	}
}

// TooLittle reports whether so little was done that RS and Strict say nothing.
func (w Work) TooLittle() bool { return float64(w.Done) < LeastDone*float64(w.Edits) }

// None reports whether there were edits, and none was carried out.
func (w Work) None() bool { return w.Edits > 0 && w.Done == 0 }

// String says what was done, as in "did 0 of 9 edits".
func (w Work) String() string {
	if w.Edits == 1 {
		return fmt.Sprintf("did %d of 1 edit", w.Done)
	}
	return fmt.Sprintf("did %d of %d edits", w.Done, w.Edits)
}

// Percent says which share was done, as in "did 12 % of the edits". A share above 0 is at least 1 %.
func (w Work) Percent() string {
	percent := 100 * w.Done / max(w.Edits, 1)
	if w.Done > 0 {
		percent = max(percent, 1)
	}
	return fmt.Sprintf("did %d %% of the edits", percent)
}

// NoOpsZero is what the score of a round trip, RS or Strict, counts where no-ops count as 0: its
// score if its forward step was carried out or that is not recorded, else 0. So after a step that
// was not carried out a relay scores 0 until one is. The 0 is also that of round trips which the
// protocol leaves unscored. It is nil where there is no score for want of a service, or of anything
// that scores such documents. executed is that of the forward step.
func NoOpsZero(score *float64, unscored Unscored, executed *bool) *float64 {
	idle := executed != nil && !*executed
	if !idle || unscored == ServiceFault || score == nil && unscored == "" {
		return score
	}
	return new(float64)
}

// End is how an arm stands after the last round trip that one of its relays has a score of. Means
// are nil where no relay has one.
type End struct {
	At                                       int // interactions
	RS, Strict, RSNoOpsZero, StrictNoOpsZero *float64
}

// Ends are the ends of the arms of an experiment, by model and policy; arms without a score are
// left out. Means are those of reports: over relays, and under the schedule every-edit over
// the means of environments.
func (m *Manifest) Ends(relays []Relay, curves map[int64]Curve) map[[2]string]End {
	ends := map[[2]string]End{}
	for _, r := range relays {
		if trips := curves[r.ID].trips(); trips > 0 {
			arm := [2]string{r.Model, r.Policy}
			ends[arm] = End{At: max(ends[arm].At, 2*trips)}
		}
	}
	for arm, end := range ends {
		of := func(scores func(Curve) []*float64) *float64 {
			var all []located
			for _, r := range relays {
				if s := scores(curves[r.ID]); r.Model == arm[0] && r.Policy == arm[1] && len(s) >= end.At/2 && s[end.At/2-1] != nil {
					all = append(all, located{r.Environment, *s[end.At/2-1]})
				}
			}
			return m.mean(all)
		}
		end.RS, end.Strict = of(func(c Curve) []*float64 { return c.Scores }), of(func(c Curve) []*float64 { return c.Strict })
		end.RSNoOpsZero, end.StrictNoOpsZero = of(func(c Curve) []*float64 { return c.NoOpsZero }), of(func(c Curve) []*float64 { return c.StrictNoOpsZero })
		ends[arm] = end
	}
	return ends
}

// located is a score of a relay on an environment.
type located struct {
	environment string
	score       float64
}

// everyEdit is the schedule under which every edit of an environment has relays of its own.
const everyEdit = "every-edit"

func (m *Manifest) mean(all []located) *float64 {
	sums, order := map[string][2]float64{}, []string{}
	for _, l := range all {
		key := ""
		if m.Schedule == everyEdit {
			key = l.environment
		}
		sum, known := sums[key]
		if !known {
			order = append(order, key)
		}
		sums[key] = [2]float64{sum[0] + l.score, sum[1] + 1}
	}
	if len(order) == 0 {
		return nil
	}
	total := 0.0
	for _, key := range order {
		total += sums[key][0] / sums[key][1]
	}
	return new(total / float64(len(order)))
}
