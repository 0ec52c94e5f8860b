package trust

import (
	"encoding/json"
	"slices"

	"agentd/internal/datafile"
	"agentd/internal/usage"
	"agentd/report/statistics"
)

// ReadBaseline reads an answer that was written as JSON.
func ReadBaseline(file string) (*Answer, error) {
	const most = 64 << 20
	text, err := datafile.Read(file, most)
	if err != nil {
		return nil, usage.Errorf("reading the baseline: %w", err)
	}
	var a Answer
	if err := json.Unmarshal(text, &a); err != nil {
		return nil, usage.Errorf("%s is not an answer as agentd trust --format json writes it: %w", file, err)
	}
	if a.Documents == nil && a.Skipped == nil {
		return nil, usage.Errorf("%s has no documents; agentd trust --format json writes a baseline", file)
	}
	if a.Verdict == "" {
		return nil, usage.Errorf("%s has no verdict: another version of agentd wrote it; make the baseline again", file)
	}
	return &a, nil
}

// atRandom is the p-value up to which a drop is significant.
const atRandom = 1.0 / evidence

// compare marks the untrusted arms that are no worse than in the baseline: they were measured with
// the same documents, were not trusted then either, and show no significant drop of survival. An
// arm is called worse only if all arms together dropped significantly, so that the chance of a
// false alarm is at most one in twenty for any number of arms.
func (a *Answer) compare(before *Answer) {
	var all []statistics.Samples
	drops, known := make([]float64, len(a.Arms)), make([]bool, len(a.Arms))
	for i, o := range a.Arms {
		var samples []statistics.Samples
		known[i] = !before.trusts(o.Model, o.Policy)
		for _, d := range a.Documents {
			then, now := before.document(d.Path).arm(o.Model, o.Policy), d.arm(o.Model, o.Policy)
			if then == nil || now == nil {
				known[i] = false
				continue
			}
			samples = append(samples, statistics.Samples{Before: worth(then), After: worth(now)})
		}
		all = append(all, samples...)
		drops[i] = statistics.DropP(samples)
	}
	together := statistics.DropP(all) <= atRandom
	someAlone := slices.ContainsFunc(drops, func(p float64) bool { return p <= atRandom })
	a.NoWorse = !a.Trusted && len(a.Arms) > 0
	for i := range a.Arms {
		o := &a.Arms[i]
		worse := together && (drops[i] <= atRandom || !someAlone)
		if worse && !o.Trusted && known[i] {
			o.doubt(No, "less survives than in the baseline")
			a.Verdict, a.Needed = No, nil
		}
		o.NoWorse = !o.Trusted && known[i] && !worse && !o.unfinished()
		a.NoWorse = a.NoWorse && (o.Trusted || o.NoWorse)
	}
	for _, s := range a.Skipped {
		if s.Asked {
			a.NoWorse = a.NoWorse && slices.ContainsFunc(before.Skipped, func(b Skipped) bool { return b.Path == s.Path })
		}
	}
}

// worth returns, for each relay of an arm, its survival times the share of its forward edits that
// were carried out. It is 0 for a document with syntax errors.
func worth(a *Arm) []float64 {
	values := make([]float64, len(a.Relays))
	for i, r := range a.Relays {
		if len(r.Broken) > 0 {
			continue
		}
		values[i] = r.Strict * float64(r.Done) / float64(max(r.Forward, 1))
	}
	return values
}

// trusts reports whether an answer trusts an arm.
func (a *Answer) trusts(model, policy string) bool {
	return slices.ContainsFunc(a.Arms, func(o Overall) bool { return o.Model == model && o.Policy == policy && o.Trusted })
}

// document returns the document of a path, or one without arms if there is none.
func (a *Answer) document(path string) *Document {
	for i := range a.Documents {
		if a.Documents[i].Path == path {
			return &a.Documents[i]
		}
	}
	return &Document{}
}
