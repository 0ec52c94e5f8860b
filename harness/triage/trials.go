package triage

import (
	"agentd/domains"
	"agentd/environments"
	"agentd/harness"
)

// Judged is a trial with what is to be said of it.
type Judged struct {
	harness.Trial
	Judgement
}

// Trials judges all trials of one edit together; there is at least one. find finds a
// domain by name.
func Trials(trials []harness.Trial, find func(name string) (domains.Domain, bool)) []Judged {
	env := trials[0].Environment
	d, built := env.Scoring(find)
	attempts := make([]Attempt, len(trials))
	for i, t := range trials {
		attempts[i] = attemptOf(t, env, d, built)
	}
	all := make([]Judged, len(trials))
	for i, j := range Judge(env.Seed, attempts) {
		all[i] = Judged{trials[i], j}
	}
	return all
}

func attemptOf(t harness.Trial, env *environments.Environment, d domains.Domain, built bool) Attempt {
	a := Attempt{Output: t.Backward.Output.Match(env.Targets), Failure: t.Forward.Failure, Detail: "forward, " + t.Forward.Detail}
	if a.Failure == "" && t.Backward.Failure != "" {
		a.Failure, a.Detail = t.Backward.Failure, "backward, "+t.Backward.Detail
	}
	if built {
		a.Score = d.Compare(env.Seed, a.Output)
		if a.Score.Basis != domains.Computed { // an opinion, or what stands in for one, says nothing of the evaluator
			a.Score.Value, a.Score.Problem = a.Score.Strict, ""
		}
		a.Differences = d.Differences(env.Seed, a.Output)
		if a.Score.Fault != nil {
			a.Failure, a.Detail = Unscored, a.Score.Problem
		}
	} else if a.Failure == "" {
		a.Failure, a.Detail = Unscored, "the domain "+env.Domain+" is not built yet"
	}
	return a
}
