package report

import "fmt"

// mostFaults is the share of an arm's interactions lost to unavailable services above which its RS is put in brackets.
const mostFaults = 0.05

// Doubtful reports whether the RS of the arm says little because too many interactions have no score, or were given up, since a service was unavailable.
func (a *Arm) Doubtful() bool {
	return float64(a.Faults+a.GivenUp) > mostFaults*float64(a.Total+a.GivenUp)
}

// Doubt returns an error if the scores of an arm are doubtful because services were unavailable;
// otherwise nil.
func (r *Report) Doubt() error {
	faults, tooLong, doubtful := 0, 0, false
	for i := range r.Arms {
		faults, tooLong = faults+r.Arms[i].Faults, tooLong+r.Arms[i].TooLong
		doubtful = doubtful || r.Arms[i].Doubtful()
	}
	if !doubtful {
		return nil
	}
	return fmt.Errorf("no score of %s, %s", count(faults, "interaction"), withoutScore(faults, tooLong, "the same command with --retry faults takes the relays up again"))
}

// withoutScore says why interactions have no score, and what helps. Those whose documents are too long are among the faults.
func withoutScore(faults, tooLong int, retry string) string {
	switch {
	case tooLong == 0:
		return "as a server or the sandbox failed; " + retry
	case tooLong == faults:
		return "as the documents are too long for the model; a model with a larger context or shorter documents help"
	}
	return fmt.Sprintf("as a server or the sandbox failed, or the documents are too long for the model (%d of them); %s but not those", tooLong, retry)
}

// givenUp counts the interactions that will never run because a service was unavailable.
func (r *Report) givenUp() int {
	n := 0
	for i := range r.Arms {
		n += r.Arms[i].GivenUp
	}
	return n
}

// workNotes names reasons to doubt the scores: work that was not done, services that were
// unavailable, documents that only one of the scores could read.
func (r *Report) workNotes() []string {
	var notes []string
	undone, unreadable, approximate, unscored, faults, tooLong := false, 0, 0, 0, 0, 0
	for i := range r.Arms {
		a := &r.Arms[i]
		undone = undone || a.Done.Exists() && a.Done.Estimate < 1
		unreadable, approximate, unscored = unreadable+a.Unreadable, approximate+a.Approximate, unscored+a.Unscored
		faults, tooLong = faults+a.Faults-a.TooLong, tooLong+a.TooLong
		if a.Doubtful() {
			notes = append(notes, fmt.Sprintf("(…): of %s, %s, %s of %d planned have no score, %s.",
				name(a.Model, a.StandIn), a.Policy, count(a.Faults+a.GivenUp, "interaction"), a.Total+a.GivenUp+a.Missing,
				withoutScore(a.Faults, a.TooLong, "--retry faults takes them up again")))
		}
	}
	if undone {
		notes = append(notes, "done: share of forward steps that were carried out. What no one edits survives whole, so RS means little where done is low.")
	}
	if unscored > 0 {
		how := "left out of means"
		if r.UnscoredZero {
			how = "counted as 0"
		}
		notes = append(notes, fmt.Sprintf("unscored: %s without a score, as a file is missing or one too many; they are %s.", count(unscored, "round trip"), how))
	}
	if unreadable > 0 {
		notes = append(notes, fmt.Sprintf("unreadable: %s of RS 0 that the published reader cannot read, and Strict can; nothing of them counts as deleted.", count(unreadable, "document")))
	}
	if approximate > 0 {
		notes = append(notes, fmt.Sprintf("≈: scores of %s are approximate, as the documents are very large; agentd trace says which.", count(approximate, "interaction")))
	}
	if faults > 0 {
		notes = append(notes, fmt.Sprintf("no service: %s without a score, as a server or the sandbox failed.", count(faults, "interaction")))
	}
	if tooLong > 0 {
		notes = append(notes, fmt.Sprintf("too long: %s without a score, as the documents are longer than the model takes.", count(tooLong, "interaction")))
	}
	return notes
}
