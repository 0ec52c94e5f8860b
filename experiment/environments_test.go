package experiment

import (
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/environments"
	"agentd/internal/usage"
	"agentd/vfs"
)

// A program is scored by its tests; without them no score can be had.
func TestTheFirstEnvironmentsOfADomainThatCanBeScored(t *testing.T) {
	t.Parallel()
	tests := vfs.Files{"testing.py": "pass"}
	envs := []environments.Environment{
		{Name: "chess2", Domain: "chess"}, {Name: "python1", Domain: "python"}, {Name: "chess1", Domain: "chess"},
		{Name: "python2", Domain: "python", Scaffold: tests}, {Name: "chess3", Domain: "chess"}, {Name: "python3", Domain: "python", Scaffold: tests},
	}
	for n, want := range map[int][]string{
		1: {"chess2", "python2"},
		2: {"chess2", "chess1", "python2", "python3"},
		9: {"chess2", "chess1", "python2", "chess3", "python3"},
	} {
		first, err := firstOfEach(envs, n)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, env := range first {
			names = append(names, env.Name)
		}
		if diff := cmp.Diff(want, names); diff != "" {
			t.Errorf("%d of each: %s", n, diff)
		}
	}
	none := slices.DeleteFunc(slices.Clone(envs), func(e environments.Environment) bool { return e.Name != "python1" })
	var wrong usage.Error
	if _, err := firstOfEach(none, 1); !errors.As(err, &wrong) {
		t.Errorf("nothing that can be scored: %v", err)
	}
}
