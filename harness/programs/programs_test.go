package programs_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"agentd/domains/catalog"
	"agentd/domains/domaintest"
	"agentd/environments"
	"agentd/harness/programs"
	"agentd/harness/programs/programstest"
	"agentd/sandbox"
	"agentd/vfs"
)

func TestEachRunHasAFolderOfItsOwn(t *testing.T) {
	t.Parallel()
	p := programstest.New(t)
	var running sync.WaitGroup
	for n := range 6 {
		running.Go(func() {
			files := vfs.Files{fmt.Sprintf("%d.txt", n): "x"}
			got, err := p.RunPython(files, "import os, sys\nprint(os.listdir('.'))\nopen('left.txt', 'w').close()\nsys.exit(3)")
			if want := fmt.Sprintf("['%d.txt']\n", n); err != nil || got.Stdout != want || got.ExitCode != 3 || got.Ended != "" {
				t.Errorf("%+v, %v, want %q", got, err, want)
			}
		})
	}
	running.Wait()
}

func TestFilesThatNoFolderTakesAreAnOutcome(t *testing.T) {
	t.Parallel()
	got, err := programstest.New(t).RunPython(vfs.Files{"../a.py": ""}, "")
	if err != nil || got.Ended == "" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestAScriptChangesTheFiles(t *testing.T) {
	t.Parallel()
	p := programstest.New(t)
	files := vfs.Files{"a.txt": "one\n", "sub/b.txt": "two\n"}
	const script = "import os, random\n" +
		"open('c.txt', 'w').write(open('a.txt').read().upper() + str(random.random()))\nos.remove('sub/b.txt')\n"
	first, err := p.Transform(files, script)
	if err != nil || first["a.txt"] != "one\n" || !strings.HasPrefix(first["c.txt"], "ONE\n0.") || len(first) != 2 {
		t.Fatalf("%v, %v", first, err)
	}
	if len(files) != 2 {
		t.Errorf("the files that were given are changed: %v", files)
	}
	first["a.txt"] = "changed by its owner"
	again, err := p.Transform(files, script)
	if err != nil || again["c.txt"] != first["c.txt"] || again["a.txt"] != "one\n" {
		t.Errorf("it was run again, or its result is shared: %v, %v", again, err)
	}
	other, err := p.Transform(vfs.Files{"a.txt": "one\n", "sub/b.txt": "2\n"}, script)
	if err != nil || other["c.txt"] == first["c.txt"] {
		t.Errorf("other files have the same result: %v, %v", other, err)
	}
}

func TestAScriptThatFailsSaysWhy(t *testing.T) {
	t.Parallel()
	p := programstest.New(t)
	for script, want := range map[string]string{
		"raise ValueError('no column Region')": "status 1: ValueError: no column Region",
		"import sys; sys.exit(3)":              "status 3",
		"x = bytearray(1 << 40)":               "ended by the limit on memory",
	} {
		if after, err := p.Transform(vfs.Files{"a.txt": ""}, script); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v, want %q", script, after, err, want)
		}
	}
}

func TestWithoutASandboxEachRunSaysWhy(t *testing.T) {
	t.Parallel()
	opened := 0
	p := programs.Opening(func() (sandbox.Backend, error) {
		opened++
		return nil, fmt.Errorf("%w: bwrap is not installed", sandbox.ErrUnavailable)
	})
	d, _ := catalog.Running(p)("python")
	seed := domaintest.Seed(t, "python1")
	d = environments.WithScaffold(d, vfs.Files{"testing.py": ""})
	for range 2 {
		score := d.Compare(seed, seed)
		if !errors.Is(score.Fault, sandbox.ErrUnavailable) || !strings.Contains(score.Problem, "bwrap is not installed") {
			t.Errorf("%+v", score)
		}
	}
	if opened != 1 {
		t.Errorf("the sandbox was opened %d times", opened)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if _, err := p.RunPython(nil, ""); err == nil {
		t.Error("it runs after it was closed")
	}
}
