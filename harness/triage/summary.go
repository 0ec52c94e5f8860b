package triage

import "slices"

// Summary is what one arm made of one edit, over all runs.
type Summary struct {
	Trials   []Judged // at least one
	Verdicts map[Verdict]int
	// RS, Strict and Forward are the scores of the trials that have one and are not
	// broken, from 0 to 1.
	RS, Strict, Forward []float64
}

// Summaries sums up trials, which stand in the order of Stored, by edit and arm.
func Summaries(trials []Judged) []Summary {
	var all []Summary
	for _, arm := range Groups(trials, (*Trial).SameArm) {
		all = append(all, summarise(arm))
	}
	return all
}

func summarise(arm []Judged) Summary {
	s := Summary{Trials: arm, Verdicts: map[Verdict]int{}}
	for _, j := range arm {
		s.Verdicts[j.Verdict]++
		if j.Verdict == Broken || j.Backward == nil {
			continue
		}
		if score := j.Backward.Score; score != nil {
			s.RS, s.Strict = append(s.RS, score.RS), append(s.Strict, score.Strict)
		}
		if j.Forward.Forward != nil {
			s.Forward = append(s.Forward, *j.Forward.Forward)
		}
	}
	return s
}

// Doubtful returns the trials that a person should look at: those that are neither sound nor
// warranted, and those below LookedAtBelow.
func (s *Summary) Doubtful() []Judged {
	return slices.DeleteFunc(s.BelowOne(), func(j Judged) bool { return j.Verdict == Warranted && !j.low() })
}

// BelowOne returns the trials that are not sound.
func (s *Summary) BelowOne() []Judged {
	return slices.DeleteFunc(slices.Clone(s.Trials), func(j Judged) bool { return j.Verdict == Sound })
}

// low reports whether a round trip scored so little that it is looked at in any case.
func (j *Judged) low() bool {
	return j.Backward != nil && j.Backward.Score != nil && j.Backward.Score.RS < LookedAtBelow
}
