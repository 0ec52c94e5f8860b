package viewer

import (
	"strings"
	"testing"

	"agentd/results"
	"agentd/vfs"
)

// Why an interaction failed is above all that it lost; so is what a command complained of.
func TestWhyItFailedIsAtTheTop(t *testing.T) {
	t.Parallel()
	s := newSite(t, Options{})
	crash := "Traceback:\nKeyError: 'date'"
	crashed := results.Interaction{
		Relay: s.relays[1].ID, Number: 2, Edit: "split", Direction: results.Backward,
		Failure: "command failure", Detail: "exit code 1; KeyError: 'date'", Complaint: &crash, Score: &results.Score{}, Output: vfs.Files{},
	}
	if err := s.store.Append(t.Context(), &crashed, nil); err != nil {
		t.Fatal(err)
	}
	for path, c := range map[string]struct {
		before string // what stands after the reasons
		says   []string
	}{
		relayAddress(s.relays[1].ID) + "/2": {"Against the seed", []string{
			"What failed command failed: exit code 1; KeyError: 'date'", "Traceback: KeyError: 'date'", "In the whole relay: 1 × command failed: exit code 1; KeyError: 'date'; 1 × missing_target.",
		}},
		name: {"RS@4", []string{"What failed: 1 ×", "1 × command failed: exit code 1; KeyError: 'date'"}},
	} {
		said := strings.ReplaceAll(pageText(s.get(path).Body.String()), "&#39;", "'")
		top, _, found := strings.Cut(said, c.before)
		for _, want := range c.says {
			if !found || !strings.Contains(top, want) {
				t.Errorf("%s does not say %q before %q: %s", path, want, c.before, said)
			}
		}
	}
}
