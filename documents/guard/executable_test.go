package guard

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// bits are the rights of a file.
func (g *guardedFolder) bits(name string) os.FileMode {
	g.t.Helper()
	info, err := os.Stat(filepath.Join(g.dir, name))
	if err != nil {
		g.t.Fatal(err)
	}
	return info.Mode().Perm()
}

func (g *guardedFolder) chmod(name string, mode os.FileMode) {
	g.t.Helper()
	if err := os.Chmod(filepath.Join(g.dir, name), mode); err != nil {
		g.t.Fatal(err)
	}
}

const script = "#!/bin/sh\necho tides\necho winds\n"

// A hook names a script that lost its executable bit and gives it back, alone or with its contents.
func TestAHookGivesBackTheExecutableBit(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		deny    []string
		change  func(g *guardedFolder)
		refused string // part of what is said; "" for nothing
		want    os.FileMode
	}{
		"the bit alone":                {[]string{"bytes"}, func(g *guardedFolder) { g.chmod("run.sh", 0o640) }, "executable bit", 0o750},
		"the bit by its name":          {[]string{"bytes:executable_bit"}, func(g *guardedFolder) { g.chmod("run.sh", 0o600) }, "executable bit", 0o750},
		"another property":             {[]string{"bytes:encoding"}, func(g *guardedFolder) { g.chmod("run.sh", 0o640) }, "", 0o640},
		"another rule":                 {[]string{"lost"}, func(g *guardedFolder) { g.chmod("run.sh", 0o640) }, "", 0o640},
		"other rights":                 {[]string{"bytes"}, func(g *guardedFolder) { g.chmod("run.sh", 0o700) }, "", 0o700},
		"a bit more":                   {[]string{"bytes"}, func(g *guardedFolder) { g.chmod("rules.md", 0o750) }, "rules.md", 0o750},
		"the bit and a line":           {[]string{"lost"}, func(g *guardedFolder) { g.replace("run.sh", "#!/bin/sh\necho tides\n") }, "echo winds", 0o750},
		"the bit, at a line that grew": {[]string{"bytes:executable_bit"}, func(g *guardedFolder) { g.replace("run.sh", script+"echo rain\n") }, "executable bit", 0o750},
	} {
		g := newGuarded(t, nil, c.deny)
		g.write("run.sh", script)
		g.chmod("run.sh", 0o750)
		g.hook(Claude, "s SessionStart")
		c.change(g)
		answer := g.hook(Claude, `s PostToolUse Bash {"command":"chmod"}`)
		if (answer.Reason == "") != (c.refused == "") || !strings.Contains(answer.Reason, c.refused) {
			t.Errorf("%s: it says %q", name, answer.Reason)
		}
		if got := g.bits("run.sh"); got != c.want {
			t.Errorf("%s: %o, want %o", name, got, c.want)
		}
		if c.refused != "" && g.read("run.sh") != script {
			t.Errorf("%s: %q", name, g.read("run.sh"))
		}
		if again := g.hook(Claude, `s PostToolUse Bash {"command":"ls"}`); again.Reason != "" {
			t.Errorf("%s: said again: %q", name, again.Reason)
		}
	}
}

// replace puts another file, which nobody may execute, in the place of one, as programs do that write a file anew.
func (g *guardedFolder) replace(name, content string) {
	g.t.Helper()
	g.write(name+".tmp", content)
	if err := os.Rename(filepath.Join(g.dir, name+".tmp"), filepath.Join(g.dir, name)); err != nil {
		g.t.Fatal(err)
	}
}

func TestWatchGivesBackTheExecutableBit(t *testing.T) {
	t.Parallel()
	g := newGuarded(t, nil, []string{"bytes"})
	g.write("run.sh", script)
	g.chmod("run.sh", 0o750)
	ctx, end := context.WithCancel(t.Context())
	told, ended := make(chan string, 1), make(chan error, 1)
	go func() {
		ready := func() error { g.chmod("run.sh", 0o640); return nil }
		ended <- g.live.Watch(ctx, time.Millisecond, time.Millisecond, ready, func(f Finding) error {
			told <- f.Refused
			return nil
		})
	}()
	if said := <-told; !strings.Contains(said, "executable bit") || g.bits("run.sh") != 0o750 {
		t.Errorf("told %q, and the file has %o", said, g.bits("run.sh"))
	}
	end()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
