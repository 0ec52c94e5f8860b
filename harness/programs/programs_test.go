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
