package results

import (
	"encoding/json"
	"testing"
)

// An experiment that was begun before manifests had traits can be gone on with.
func TestTraitsThatWereNotStoredAreNoDifference(t *testing.T) {
	t.Parallel()
	with := Manifest{Policies: []string{"direct"}, Traits: map[string]Traits{"direct": {Use: "direct", Baseline: true}}}
	if got := with.Differences(Manifest{Policies: []string{"direct"}}); got != nil {
		t.Errorf("differences: %v", got)
	}
	if got := with.Differences(Manifest{Policies: []string{"direct"}, Traits: map[string]Traits{"direct": {Use: "agentic"}}}); len(got) != 1 {
		t.Errorf("other traits: %v", got)
	}
}

// What a policy is stands in the traits; in manifests without them it follows from the stored
// spec, or from the name where there is none.
func TestWhatAPolicyIsHasNothingToDoWithItsName(t *testing.T) {
	t.Parallel()
	direct, loop, tools := Traits{Use: "direct", Baseline: true}, Traits{Use: "agentic", Tools: true, PublishedLoop: true}, Traits{Use: "exec", Tools: true}
	for name, c := range map[string]struct {
		policy, spec string
		stored       *Traits
		want         Traits
	}{
		"its traits":                        {"direct", `{"use":"direct"}`, &tools, tools},
		"its spec":                          {"agentic", `{"use":"direct","name":"agentic"}`, nil, direct},
		"a spec with options":               {"agentic(max_turns=9)", `{"use":"agentic","max_turns":9}`, nil, loop},
		"its name":                          {"direct", "", nil, direct},
		"one that no early version had":     {"mine", "", nil, Traits{Use: "mine", Tools: true}},
		"one that does nothing":             {"noop", "", nil, Traits{Use: "noop"}},
		"one that looks over direct's work": {"verify(direct)", `{"use":"verify","of":{"use":"direct"}}`, nil, Traits{Use: "verify", Tools: true}},
	} {
		m := Manifest{Policies: []string{c.policy}}
		if c.spec != "" {
			m.PolicySpecs = map[string]json.RawMessage{c.policy: json.RawMessage(c.spec)}
		}
		if c.stored != nil {
			m.Traits = map[string]Traits{c.policy: *c.stored}
		}
		if got := m.TraitsOf(c.policy); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
		if got := m.Baseline() != ""; got != c.want.Baseline {
			t.Errorf("%s: a baseline is %t", name, got)
		}
	}
}
