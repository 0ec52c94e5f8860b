package trust

import (
	"strings"
	"testing"

	"agentd/environments"
)

func TestLeastRepeatsAreTheFewestForAYes(t *testing.T) {
	t.Parallel()
	for _, documents := range []int{1, 2, 5} {
		for _, failUnder := range []float64{50, 90, 98} {
			least := Rule{FailUnder: failUnder}.leastRepeats(10, documents)
			verdict := func(repeats int) Verdict {
				var j Judged
				j.judge(kept(repeats*documents), repeats*documents, bar{failUnder, 10, evidence})
				return j.Verdict
			}
			if got, fewer := verdict(least), verdict(least-1); got != Yes || fewer == Yes {
				t.Errorf("%d documents, %g %%: %d repeats give %s, one fewer %s", documents, failUnder, least, got, fewer)
			}
		}
	}
}

// kept returns relays that keep their document.
func kept(n int) []Relay {
	all := make([]Relay, n)
	for i := range all {
		all[i] = Relay{Strict: 100, Done: 5, Forward: 5}
	}
	return all
}

func TestThePlanSaysWhetherAYesIsPossible(t *testing.T) {
	t.Parallel()
	envs := []environments.Environment{{Name: "stock.csv", Edits: []environments.Edit{{Name: "split_by_qty"}, {Name: "sort_by_qty"}}}}
	for name, c := range map[string]struct {
		failUnder float64
		repeats   int
		want      string
	}{
		"too few":   {98, 3, "60 edits can end in a no, never in a yes. For a yes: --repeats 17 (340 edits)."},
		"enough":    {98, 17, "sort by qty\n"},
		"never":     {100, 3, "No number of edits can show that 100 % of them keep a document."},
		"documents": {98, 3, "stock.csv, 2 kinds of edit: split by qty; sort by qty"},
	} {
		var b strings.Builder
		Rule{FailUnder: c.failUnder}.WritePlan(&b, envs, 2, 10, c.repeats)
		got := strings.Join(strings.Fields(b.String()), " ")
		if !strings.Contains(got, strings.TrimSpace(c.want)) || name == "enough" && !strings.HasSuffix(b.String(), c.want) {
			t.Errorf("%s: %q", name, b.String())
		}
	}
}
