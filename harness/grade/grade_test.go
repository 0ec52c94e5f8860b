package grade_test

import (
	"maps"
	"strings"
	"sync"
	"testing"

	"agentd/domains/catalog"
	"agentd/environments"
	"agentd/harness/grade"
	"agentd/results"
	"agentd/vfs"
)

// builtin are the built-in environments.
var builtin = sync.OnceValues(environments.Builtin)

// asked is an edit of a built-in environment.
func asked(t *testing.T, environment, edit string, direction results.Direction) (*grade.Asked, environments.Environment) {
	t.Helper()
	all, err := builtin()
	if err != nil {
		t.Fatal(err)
	}
	for _, env := range all {
		if env.Name != environment {
			continue
		}
		e, err := env.EditNamed(edit)
		if err != nil {
			t.Fatal(err)
		}
		d, ok := env.Scoring(catalog.Lookup)
		if !ok {
			t.Fatalf("%s cannot be scored", environment)
		}
		a, err := grade.Ask(&env, d, e, direction)
		if err != nil {
			t.Fatal(err)
		}
		return a, env
	}
	t.Fatalf("there is no environment %s", environment)
	return nil, environments.Environment{}
}

func with(files, others vfs.Files) vfs.Files {
	all := files.Clone()
	maps.Copy(all, others)
	return all
}

// What the exact program makes is worth 1, in both directions of every built-in edit; what was there before is
// worth nothing.
func TestExactIsOneAndNothingIsNothing(t *testing.T) {
	t.Parallel()
	all, err := builtin()
	if err != nil {
		t.Fatal(err)
	}
	for i := range all {
		env := &all[i]
		d, ok := env.Scoring(catalog.Lookup)
		if !ok {
			continue
		}
		t.Run(env.Name, func(t *testing.T) {
			t.Parallel()
			for _, edit := range env.Edits {
				for _, direction := range []results.Direction{results.Forward, results.Backward} {
					a, err := grade.Ask(env, d, edit, direction)
					if err != nil {
						t.Error(err)
						continue
					}
					g := a.Grade(with(env.Distractors, a.Expected))
					if g.Reward != 1 || !g.Done || !g.Format || g.Kept != 1 || len(g.Files) != 0 {
						t.Errorf("%s %s, done exactly: %+v", edit.Name, direction, g)
					}
					if g := a.Grade(with(env.Distractors, a.Documents)); g.Reward != 0 || g.Done {
						t.Errorf("%s %s, nothing done: %+v", edit.Name, direction, g)
					}
				}
			}
		})
	}
}

// Each kind of damage lowers the reward, and the grade says which part of it.
func TestDamageLowersTheReward(t *testing.T) {
	t.Parallel()
	a, env := asked(t, "accounting1", "1", results.Forward)
	if len(a.Expected) < 2 {
		t.Fatal("the edit makes one file; take another one")
	}
	exact := with(env.Distractors, a.Expected)
	document, table := "", ""
	for _, name := range a.Expected.Names() {
		if strings.HasSuffix(name, ".ledger") {
			document = name
		} else {
			table = name
		}
	}
	changed := func(change func(vfs.Files)) vfs.Files {
		files := exact.Clone()
		change(files)
		return files
	}
	distractor := env.Distractors.Names()[0]
	for what, c := range map[string]struct {
		left vfs.Files
		says string
		kept bool // nothing of what is to be kept is gone
	}{
		"other letters":            {changed(func(f vfs.Files) { f[document] = strings.ToUpper(f[document]) }), "", false},
		"a file is empty":          {changed(func(f vfs.Files) { f[document] = "" }), "cannot be read: ", false},
		"half of a file is gone":   {changed(func(f vfs.Files) { f[document] = f[document][:len(f[document])/2] }), "", false},
		"a table is missing":       {changed(func(f vfs.Files) { delete(f, table) }), "missing: " + table, true},
		"a distractor was changed": {changed(func(f vfs.Files) { f[distractor] += "x" }), "distractor changed: " + distractor, false},
		"a distractor is gone":     {changed(func(f vfs.Files) { delete(f, distractor) }), "distractor deleted: " + distractor, false},
	} {
		g := a.Grade(c.left)
		if g.Reward >= 1 || g.Kept == 1 != c.kept {
			t.Errorf("%s: %+v", what, g)
		}
		if !strings.Contains(strings.Join(g.Files, "\n"), c.says) {
			t.Errorf("%s: the grade says %q", what, g.Files)
		}
	}
}

// A result without any distractor is the result alone: those who score a folder need not copy them.
func TestAResultAloneIsGradedAsIfTheDistractorsWereThere(t *testing.T) {
	t.Parallel()
	a, env := asked(t, "accounting1", "1", results.Forward)
	if g := a.Grade(a.WithDistractors(a.Expected)); g.Reward != 1 {
		t.Errorf("%+v", g)
	}
	part := with(a.Expected, vfs.Files{env.Distractors.Names()[0]: "changed"})
	if g := a.Grade(a.WithDistractors(part)); g.Kept == 1 {
		t.Errorf("a changed distractor does not count: %+v", g)
	}
}
