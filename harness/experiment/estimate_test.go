package experiment

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/policies/catalog"
)

// What an arm takes follows from what it is. Two names that are exchanged change no estimate.
func TestNoEstimateDependsOnWhatPoliciesAreCalled(t *testing.T) {
	t.Parallel()
	estimates := func(named ...catalog.Spec) (all []Estimate, plan string) {
		x, err := planned(t, func(s *Spec) { s.Models, s.Policies = []Model{Named("gpt-5.4")}, named })
		if err != nil {
			t.Fatal(err)
		}
		all = x.Estimates()
		for i := range all {
			all[i].Policy = named[i].Use
		}
		var b strings.Builder
		if err := x.WritePlan(&b, 4); err != nil {
			t.Fatal(err)
		}
		plan = b.String()
		return all, plan[strings.Index(plan, "total"):]
	}
	want, plan := estimates(catalog.Spec{Use: "direct"}, catalog.Spec{Use: "agentic"})
	if want[0].Usage == want[1].Usage || *want[0].Cost == *want[1].Cost {
		t.Fatalf("both take the same: %+v", want)
	}
	got, renamed := estimates(catalog.Spec{Use: "direct", Name: "agentic"}, catalog.Spec{Use: "agentic", Name: "direct"})
	if diff := cmp.Diff(want, got); diff != "" || renamed != plan {
		t.Errorf("%s\n%s, want %s", diff, renamed, plan)
	}
}
