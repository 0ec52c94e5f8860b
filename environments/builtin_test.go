package environments_test

import (
	"path"
	"testing"

	"agentd/domains/catalog"
	"agentd/environments"
)

// A built-in environment passes all checks (see environments/checks) and more:
// what these tests ask for.

func builtin(t *testing.T) []environments.Environment {
	t.Helper()
	envs, err := environments.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	return envs
}

func TestDistractorsOfBuiltInEnvironments(t *testing.T) {
	t.Parallel()
	for _, env := range builtin(t) {
		formats := map[string]bool{}
		for name := range env.Distractors {
			formats[path.Ext(name)] = true
		}
		if n := len(env.Distractors); n < 3 || n > 5 || len(formats) < 2 {
			t.Errorf("%s: %d distractors in %d formats, want 3 to 5 in at least 2", env.Name, n, len(formats))
		}
	}
}

func TestEditsOfBuiltInEnvironments(t *testing.T) {
	t.Parallel()
	for _, env := range builtin(t) {
		d, ok := catalog.Lookup(env.Domain)
		if !ok {
			t.Errorf("%s: domain %s is not built", env.Name, env.Domain)
			continue
		}
		used := map[string]bool{}
		several := false
		for _, edit := range env.Edits {
			for _, operation := range edit.Operations {
				used[operation] = true
			}
			oracle, ok := env.OracleFor(edit, d)
			if !ok {
				t.Errorf("%s, %s: no oracle %q", env.Name, edit.Name, edit.Oracle)
				continue
			}
			there, err := oracle.Forward(env.Seed)
			several = several || err == nil && len(there) > 1
		}
		if len(env.Edits) < 6 || len(used) < 5 || !several {
			t.Errorf("%s: %d edits with %d operations, several files: %v", env.Name, len(env.Edits), len(used), several)
		}
	}
}
