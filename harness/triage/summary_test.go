package triage_test

import (
	"testing"

	"agentd/environments"
	"agentd/harness/triage"
	"agentd/results"
)

// judged is a trial of an edit by an arm with a verdict and a score, if it has one.
func judged(env *environments.Environment, edit, model string, verdict triage.Verdict, score *float64) triage.Judged {
	forward := 0.5
	j := triage.Judged{Judgement: triage.Judgement{Verdict: verdict}}
	j.Environment, j.Edit.Name, j.Model = env, edit, model
	j.Forward = &results.Interaction{Forward: &forward}
	j.Backward = &results.Interaction{}
	if score != nil {
		j.Backward.Score = &results.Score{RS: *score, Strict: *score}
	}
	return j
}

func TestSummariesAreByEditAndArm(t *testing.T) {
	t.Parallel()
	env := &environments.Environment{Name: "a"}
	one, half, little := 1.0, 0.5, 0.05
	failed := judged(env, "e", "m", triage.Broken, nil)
	failed.Backward = nil
	all := triage.Summaries([]triage.Judged{
		judged(env, "e", "m", triage.Warranted, &half), judged(env, "e", "m", triage.Broken, &half), failed,
		judged(env, "e", "n", triage.Sound, &one), judged(env, "e", "n", triage.Warranted, &little),
		judged(env, "f", "n", triage.Ambiguous, nil),
	})
	if len(all) != 3 {
		t.Fatalf("%d summaries, want 3", len(all))
	}
	for i, want := range []struct{ scored, forward, broken, below, doubtful int }{{1, 1, 2, 3, 2}, {2, 2, 0, 1, 1}, {0, 1, 0, 1, 1}} {
		s := all[i]
		if len(s.RS) != want.scored || len(s.Strict) != want.scored || len(s.Forward) != want.forward ||
			s.Verdicts[triage.Broken] != want.broken || len(s.Doubtful()) != want.doubtful || len(s.BelowOne()) != want.below {
			t.Errorf("summary %d: %+v, want %+v", i, s, want)
		}
	}
	if len(all[0].Trials) != 3 {
		t.Errorf("its trials are changed: %+v", all[0].Trials)
	}
}
