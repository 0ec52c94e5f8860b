package triage_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"agentd/domains"
	"agentd/harness/triage"
	"agentd/policies"
	"agentd/vfs"
)

var seed = vfs.Files{"x.srt": "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n"}

func lost(where string) domains.Difference {
	return domains.Difference{Kind: domains.Lost, Where: where}
}

func scored(value, strict float64, differences ...domains.Difference) triage.Attempt {
	return triage.Attempt{Score: domains.Score{RS: value, Strict: strict}, Differences: differences, Output: seed}
}

func unread(output string) triage.Attempt {
	return triage.Attempt{
		Score:       domains.Score{Strict: 0.95, Problem: "line 3: no time"},
		Differences: []domains.Difference{lost("cue 3")}, Output: vfs.Files{"x.srt": output},
	}
}

func failed(reason policies.Reason) triage.Attempt {
	return triage.Attempt{Failure: string(reason), Detail: "why"}
}

func TestRules(t *testing.T) {
	t.Parallel()
	moved := domains.Difference{Kind: domains.Moved, Where: "cue 1", Was: "1", Is: "2"}
	for name, c := range map[string]struct {
		attempt triage.Attempt
		want    triage.Verdict
		why     string
	}{
		"all is there":                   {scored(1, 1), triage.Sound, ""},
		"an element is lost":             {scored(0.9, 0.9, lost("cue 3"), lost("cue 5")), triage.Warranted, "cue 3: lost (), and 1 more"},
		"the score does not see it":      {scored(1, 0.99, lost("cue 3")), triage.Warranted, "cue 3: lost"},
		"elements only moved":            {scored(0.9, 0.95, moved), triage.Ambiguous, "cue 1: moved"},
		"a loss after a move":            {scored(0.9, 0.9, moved, lost("cue 3")), triage.Warranted, "cue 3: lost"},
		"unread though nearly the seed":  {unread(strings.Replace(seed["x.srt"], "three", "3", 1)), triage.Evaluator, "90.0 % of the lines are the seed's, yet: line 3: no time"},
		"unread and another text":        {unread("an apology\n"), triage.Evaluator, "it scores 0.0000, strict 0.9500"},
		"nothing differs":                {scored(0.97, 1), triage.Evaluator, "nothing differs, yet it scores 0.9700"},
		"the scores disagree":            {scored(0.5, 0.8, lost("cue 3")), triage.Evaluator, "it scores 0.5000, strict 0.8000"},
		"the scores disagree upwards":    {scored(0.99, 0.6, lost("cue 3")), triage.Evaluator, "it scores 0.9900"},
		"a file is missing":              {failed(policies.MissingTarget), triage.Warranted, "missing target: why"},
		"no completion":                  {failed(policies.ModelError), triage.Broken, "model error: why"},
		"no sandbox":                     {failed(policies.SandboxFailure), triage.Broken, "sandbox failure"},
		"no oracle for the oracle's arm": {failed(policies.NoOracle), triage.Broken, "no oracle"},
	} {
		got := triage.Judge(seed, []triage.Attempt{c.attempt})[0]
		if got.Verdict != c.want || !strings.Contains(got.Why, c.why) {
			t.Errorf("%s: %+v, want %s with %q", name, got, c.want, c.why)
		}
	}
}

func TestWhatMostAttemptsDoIsAmbiguous(t *testing.T) {
	t.Parallel()
	same := scored(0.9, 0.9, lost("cue 3"))
	var other []triage.Attempt
	for i := range 4 {
		other = append(other, scored(0.9, 0.9, lost(fmt.Sprint("cue ", 4+i))))
	}
	for name, c := range map[string]struct {
		attempts []triage.Attempt
		want     string
	}{
		"three of four":        {[]triage.Attempt{same, same, other[0], same}, "ambiguous ambiguous warranted ambiguous"},
		"two of four":          {[]triage.Attempt{same, same, other[0], other[1]}, "warranted warranted warranted warranted"},
		"three of three":       {[]triage.Attempt{same, same, same}, "warranted warranted warranted"},
		"the same missing":     {slices.Repeat([]triage.Attempt{failed(policies.MissingTarget)}, 4), "ambiguous ambiguous ambiguous ambiguous"},
		"broken ones stay so":  {slices.Repeat([]triage.Attempt{failed(policies.ModelError)}, 4), "broken broken broken broken"},
		"twice in one is once": {[]triage.Attempt{scored(0.8, 0.8, lost("cue 3"), lost("cue 3"), lost("cue 3")), other[0], other[1], other[2]}, "warranted warranted warranted warranted"},
	} {
		var got []string
		for _, j := range triage.Judge(seed, c.attempts) {
			got = append(got, string(j.Verdict))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, want %s", name, got, c.want)
		}
	}
}
