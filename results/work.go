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
