package environments_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/domains"
	"agentd/domains/catalog"
	"agentd/environments"
	"agentd/vfs"
)

// scripted writes an environment whose only edit has scripts as its oracle, without those in
// leave, and returns its folder.
func scripted(t *testing.T, oracle string, leave ...string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "own1")
	write := func(name, text string) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("seed/a.srt", "1\n00:00:01,000 --> 00:00:02,000\nOne\n")
	write("environment.yaml", "name: own1\ntitle: t\ndomain: subtitles\nlicence: MIT\norigin: o\nedits:\n"+
		"  - {name: upper, operations: [], forward: f, backward: b, targets: [a.srt], oracle: "+oracle+"}\n")
	for _, name := range []string{"upper.py", "lower.py"} {
		if len(leave) == 0 || leave[0] != name {
			write(name, "print('"+name+"')\n")
		}
	}
	return dir
}

func TestScriptsAreLoadedAndSaved(t *testing.T) {
	t.Parallel()
	envs, err := environments.Load(scripted(t, "{forward: upper.py, backward: lower.py}"))
	if err != nil {
		t.Fatal(err)
	}
	want := vfs.Files{"upper.py": "print('upper.py')\n", "lower.py": "print('lower.py')\n"}
	if diff := cmp.Diff(want, envs[0].Scripts); diff != "" || !envs[0].HasScripts() {
		t.Error(diff)
	}
	to := t.TempDir()
	if err := envs[0].Save(to); err != nil {
		t.Fatal(err)
	}
	saved, err := environments.Load(to)
	if err != nil {
		t.Fatal(err)
	}
	stored, err := environments.Decode(envs[0].Encode())
	if err != nil {
		t.Fatal(err)
	}
	for _, got := range []environments.Environment{saved[0], stored} {
		if diff := cmp.Diff(envs[0], got); diff != "" {
			t.Error(diff)
		}
	}
	changed := envs[0]
	changed.Scripts = vfs.Files{"upper.py": "print('other')\n", "lower.py": want["lower.py"]}
	if changed.Hash() == envs[0].Hash() {
		t.Error("another script is the same environment")
	}
}

func TestScriptsThatCannotBeOraclesAreTold(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ oracle, leave, want string }{
		"no backward":    {"{forward: upper.py}", "", "needs both"},
		"no file":        {"{forward: upper.py, backward: lower.py}", "lower.py", "lower.py is not there; put it next to environment.yaml"},
		"another folder": {"{forward: ../upper.py, backward: lower.py}", "", "../upper.py"},
		"no Python":      {"{forward: a.srt, backward: lower.py}", "", "a.srt is no Python file"},
		"unknown key":    {"{forward: upper.py, backwards: lower.py}", "", "backwards"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := environments.Load(scripted(t, c.oracle, c.leave))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

// upperPrograms plays a sandbox in which every script does what its name says.
type upperPrograms struct{ domains.Programs }

func (upperPrograms) Transform(files vfs.Files, script string) (vfs.Files, error) {
	after := vfs.Files{}
	for name, text := range files {
		switch {
		case strings.Contains(script, "upper"):
			after[name] = strings.Replace(text, "One", "ONE", 1)
		case strings.Contains(script, "lower"):
			after[name] = strings.Replace(text, "ONE", "One", 1)
		}
	}
	return after, nil
}

func TestScriptsAreExactPrograms(t *testing.T) {
	t.Parallel()
	envs, err := environments.Load(scripted(t, "{forward: upper.py, backward: lower.py}"))
	if err != nil {
		t.Fatal(err)
	}
	env := envs[0]
	d, _ := catalog.Lookup(env.Domain)
	if err := env.Exact(env.Edits[0], d); !errors.Is(err, domains.ErrNoPrograms) {
		t.Errorf("without a sandbox: %v", err)
	}
	env.Programs = upperPrograms{}
	if err := env.Exact(env.Edits[0], d); err != nil {
		t.Error(err)
	}
	env.Scripts["lower.py"] = "print('upper.py')\n" // it does not lead back
	if err := env.Exact(env.Edits[0], d); err == nil || !strings.Contains(err.Error(), "there and back scores") {
		t.Error(err)
	}
}

func TestParametersOfAnEditAreLoadedSavedAndChecked(t *testing.T) {
	t.Parallel()
	const times = "<gpx version=\"1.1\"><wpt lat=\"1\" lon=\"2\"><time>2024-05-01T09:20:00Z</time></wpt></gpx>\n"
	for oracle, want := range map[string]string{
		"{document: a.gpx, rewrite: time, by: {clock: 60m}, to: moved.gpx}": "",
		"move_zone":                      `the domain has no oracle "move_zone"`,
		"{edit: paint, document: a.gpx}": `the domain has no oracle "paint"`,
		"{document: a.gpx, split_into: [{file: moved.gpx, if: {colour: is red}}], table: t.csv}": `forward: waypoint has no attribute "colour"; it has`,
	} {
		envs, err := environments.Load(scripted(t, oracle))
		if err != nil {
			t.Fatal(err)
		}
		env := envs[0]
		env.Domain, env.Seed = "geotrack", vfs.Files{"a.gpx": times}
		env.Edits[0].Targets, env.Targets = []string{"moved.gpx"}, []string{"a.gpx"}
		track, _ := catalog.Lookup(env.Domain)
		err = env.Exact(env.Edits[0], track)
		if want == "" && err != nil || want != "" && (err == nil || !strings.HasPrefix(err.Error(), want)) {
			t.Errorf("%s: error %v, want %s", oracle, err, want)
		}
		again, err := environments.Decode(env.Encode())
		if diff := cmp.Diff(env.Edits, again.Edits); err != nil || diff != "" {
			t.Errorf("%s: %v %s", oracle, err, diff)
		}
		to := t.TempDir()
		if err := env.Save(to); err != nil {
			t.Fatal(err)
		}
		saved, err := environments.Load(to)
		if err != nil || len(saved) != 1 {
			t.Fatal(err)
		}
		if diff := cmp.Diff(env.Edits, saved[0].Edits); diff != "" {
			t.Errorf("%s: %s", oracle, diff)
		}
	}
}
