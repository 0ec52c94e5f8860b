package environments_test

import (
	"path"
	"strings"
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

// So they can be chosen by name and domain before they are read.
func TestListedEnvironmentsAreThoseThatAreRead(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct {
		listed []environments.Listed
		read   func() ([]environments.Environment, error)
	}{"built-in": {environments.ListBuiltin(), environments.Builtin}, "pictures": {environments.ListPictures(), environments.Pictures}} {
		all, err := c.read()
		if err != nil {
			t.Fatal(err)
		}
		some, err := environments.Embedded(c.listed)
		if err != nil {
			t.Fatal(err)
		}
		if len(some) != len(all) {
			t.Fatalf("%s: %d environments are listed, %d are there", what, len(some), len(all))
		}
		for i := range all {
			if c.listed[i] != (environments.Listed{Name: all[i].Name, Domain: all[i].Domain}) || some[i].Hash() != all[i].Hash() {
				t.Errorf("%s: %v is listed, %s of %s is there", what, c.listed[i], all[i].Name, all[i].Domain)
			}
		}
	}
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

// mostWords is how long an instruction may be, so that it reads like one of a colleague's. Those of
// the released environments have 34 on average.
const mostWords = 60

func TestInstructionsOfBuiltInEnvironmentsAreShort(t *testing.T) {
	t.Parallel()
	for _, env := range builtin(t) {
		for _, edit := range env.Edits {
			longest := max(len(strings.Fields(edit.Forward)), len(strings.Fields(edit.Backward)))
			if longest > mostWords {
				t.Errorf("%s, %s: %d words in an instruction", env.Name, edit.Name, longest)
			}
		}
	}
}

// TestDistractorsOfBuiltInEnvironmentsDiffer holds that the environments' distractors are not of one kind.
func TestDistractorsOfBuiltInEnvironmentsDiffer(t *testing.T) {
	t.Parallel()
	envs, mails := builtin(t), 0
	for _, env := range envs {
		for name := range env.Distractors {
			if path.Ext(name) == ".eml" {
				mails++
				break
			}
		}
	}
	if mails*4 > len(envs)*3 {
		t.Errorf("%d of %d environments have a mail among their distractors", mails, len(envs))
	}
}
