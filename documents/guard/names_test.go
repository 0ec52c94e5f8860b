package guard

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentd/documents/compare"
	"agentd/vfs"
)

func TestNamesThatAreAskedForByThemselves(t *testing.T) {
	t.Parallel()
	for name, asked := range map[string]bool{
		".git": true, ".GIT": true, ".Git": true, "sub/.git": true, ".git\u200c": true, "\u200d.git": true, ".g\ufeffit": true, ".gıt": true,
		"．git": true, "․git": true, ".git.": true, ".git ": true, ".git::$INDEX_ALLOCATION": true, "git~1": true, "GITMOD~1": true,
		"gi7eba~1": true, `.git\config`: true, `sub\.git`: true,
		".gitmodules": true, ".gitattributes": true, ".gitconfig": true, ".envrc": true, ".env": true, ".env.local": true, ".npmrc": true,
		".yarnrc.yml": true, ".bashrc": true, ".zshenv": true, ".profile": true, ".pre-commit-config.yaml": true, ".editorconfig": true,
		".eslintrc.js": true, ".mcp.json": true, ".cursorrules": true, "AGENTS.md": true, "docs/CLAUDE.md": true, "team.code-workspace": true,
		"start.desktop": true, "HEAD": true, "bare/HEAD": true, "bare/commondir": true, ".agentd-guard-x": true, ".a": true,
		"a.txt": false, "Makefile": false, "package.json": false, "git": false, "gitconfig": false, "config": false, "sub/config": false,
		"a.git": false, "notes~": false, "a~b.txt": false, "longer-name~1.txt": false, "agents.txt": false, "heading.md": false, "...a": true, "...": true, "..": true,
	} {
		if got := whyProtected(name, func(string) bool { return false }); (got != "") != asked {
			t.Errorf("%q: %q, want a reason: %v", name, got, asked)
		}
	}
	if whyProtected("bare/config", func(name string) bool { return name == "bare/HEAD" }) == "" {
		t.Error("the configuration of a bare repository is not asked for")
	}
}

// The page has every pattern and reason.
func TestNamesAreInTheManual(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/guard.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range readByTools() {
		said := "| `" + strings.Join(strings.Fields(row.patterns), "` `") + "` | " + row.why + " |"
		if !strings.Contains(string(page), said) {
			t.Errorf("docs/guard.md has no line\n%s", said)
		}
	}
}

// Each change is agreed to in general, by --yes, by a rule that allows all, by a rule without a person, and on a terminal: only its own
// name lets it through.
func TestNamesNeedAYesOfTheirOwn(t *testing.T) {
	t.Parallel()
	before := vfs.Files{"a.txt": "a\n", "run.sh": "echo\n", "tool": "#!/bin/sh\n", "x.txt": "x\n", ".npmrc": "ignore-scripts=true\n"}
	with := func(change func(vfs.Files)) vfs.Files { after := before.Clone(); change(after); return after }
	for what, c := range map[string]struct {
		name  string
		after vfs.Files
	}{
		"a new .git":                  {".git", with(func(f vfs.Files) { f[".git"] = "gitdir: evil\n" })},
		"a new .git below":            {"sub/.GIT", with(func(f vfs.Files) { f["sub/.GIT"] = "gitdir: evil\n" })},
		"a changed hidden file":       {".npmrc", with(func(f vfs.Files) { f[".npmrc"] = "script-shell=evil\n" })},
		"a hidden file that goes":     {".npmrc", with(func(f vfs.Files) { delete(f, ".npmrc") })},
		"a renaming to a hidden file": {".envrc", with(func(f vfs.Files) { f[".envrc"] = f["x.txt"]; delete(f, "x.txt") })},
		"a changed executable":        {"tool", with(func(f vfs.Files) { f["tool"] = "#!/bin/sh\nevil\n" })},
		"a set-uid program":           {"run.sh", with(func(f vfs.Files) { f["run.sh"] = "evil\n" })},
		"a renamed executable":        {"ls", with(func(f vfs.Files) { f["ls"] = f["tool"]; delete(f, "tool") })},
		"a bare repository":           {"sub/HEAD", with(func(f vfs.Files) { f["sub/HEAD"], f["sub/objects/x"] = "ref: refs/heads/x\n", "" })},
	} {
		for way, consent := range map[string]struct {
			yes     bool
			allow   []string
			files   []string
			answers string
			want    bool
		}{
			"--yes":                   {yes: true},
			"--allow":                 {allow: []string{"added", "changed", "lost", "moved"}},
			"a general yes":           {answers: "y\nn\n"},
			"a general yes alone":     {answers: "y\n"},
			"document by document":    {answers: strings.Repeat("y\nn\n", 9)},
			"another file's name":     {yes: true, files: []string{"a.txt"}},
			"--allow-file":            {yes: true, files: []string{c.name, "tool"}, want: true},
			"--allow and a yes":       {allow: []string{"added", "changed", "lost", "moved"}, answers: "y\ny\n", want: true},
			"yes, and yes to it":      {answers: "y\ny\ny\n", want: true},
			"document and name alike": {answers: strings.Repeat("y\n", 9), want: true},
		} {
			t.Run(what+"/"+way, func(t *testing.T) {
				t.Parallel()
				f, dir := opened(t, before)
				if err := errors.Join(os.Chmod(filepath.Join(dir, "tool"), 0o755), os.Chmod(filepath.Join(dir, "run.sh"), 0o755|os.ModeSetuid)); err != nil {
					t.Fatal(err)
				}
				rule, err := NewRule(consent.allow, nil)
				if err == nil {
					rule, err = rule.ForFiles(consent.files)
				}
				if err != nil {
					t.Fatal(err)
				}
				p := Proposal{before: before}
				if err := f.propose(&p, c.after); err != nil {
					t.Fatal(err)
				}
				asks := Consent{Yes: consent.yes, Out: io.Discard, Errors: io.Discard}
				if consent.answers != "" {
					asks.In = strings.NewReader(consent.answers)
					if strings.HasPrefix(way, "document") {
						asks.In = strings.NewReader("d\n" + consent.answers)
					}
				}
				decision, err := asks.Decide(t.Context(), &p, rule)
				if err == nil {
					_, err = f.Accept(t.Context(), &p, decision)
				}
				if err != nil && !errors.Is(err, ErrRefused) {
					t.Fatal(err)
				}
				got, is := on(t, dir)[c.name]
				want, shall := before[c.name]
				if consent.want {
					want, shall = c.after[c.name]
				}
				if got != want || is != shall {
					t.Errorf("%s is %q (there: %v), %v; want %q (%v)", c.name, got, is, err, want, shall)
				}
			})
		}
	}
}

// Whoever calls Apply cannot forget to ask.
func TestNamesAreRefusedByApplyItself(t *testing.T) {
	t.Parallel()
	f, dir := opened(t, vfs.Files{"a": "a\n"})
	for _, after := range []vfs.Files{{"a": "a\n", ".git": "x"}, {"a": "a\n", ".git/config": "x"}, {".bashrc": "a\n"}} {
		if _, err := f.Apply(t.Context(), changed(vfs.Files{"a": "a\n"}, after), Acceptance{}); !errors.Is(err, ErrRefused) {
			t.Errorf("%v: %v", after.Names(), err)
		}
	}
	if got := on(t, dir); !got.Equal(vfs.Files{"a": "a\n"}) {
		t.Errorf("the folder is %v", got)
	}
}

func TestFoldersAndFilesTakeEachOthersPlaces(t *testing.T) {
	t.Parallel()
	before := vfs.Files{"file": "f\n", "folder/a": "a\n", "folder/b": "b\n", "deep/er/c": "c\n", "stays": "s\n"}
	after := vfs.Files{"file/in/side": "new\n", "folder": "a file now\n", "deep": "c\n", "stays": "s\n"}
	f, dir := opened(t, before)
	if err := errors.Join(os.Chmod(filepath.Join(dir, "folder"), 0o710), os.Chmod(filepath.Join(dir, "file"), 0o600)); err != nil {
		t.Fatal(err)
	}
	p := Proposal{before: before}
	if err := f.propose(&p, after); err != nil {
		t.Fatal(err)
	}
	number, err := f.Accept(t.Context(), &p, Decision{Reason: "x", takes: func(compare.Document) bool { return true }})
	if err != nil || !on(t, dir).Equal(after) {
		t.Fatalf("%v: %v", err, on(t, dir))
	}
	back, err := f.Undo(t.Context(), number)
	if err != nil || !on(t, dir).Equal(before) {
		t.Fatalf("undone: %v: %v", err, on(t, dir))
	}
	for name, mode := range map[string]os.FileMode{"folder": 0o710, "file": 0o600} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
	if _, err := f.Undo(t.Context(), back); err != nil || !on(t, dir).Equal(after) {
		t.Fatalf("the undo undone: %v: %v", err, on(t, dir))
	}
	// What somebody put there since is not in the way of being found.
	put(t, filepath.Join(dir, "file/mine"), "mine\n")
	if _, err := f.Undo(t.Context(), number); err == nil || !strings.Contains(err.Error(), "holds more") || on(t, dir)["file/mine"] != "mine\n" {
		t.Errorf("%v: %v", err, on(t, dir))
	}
}

func TestFoldersThatHoldMoreAreNotReplaced(t *testing.T) {
	t.Parallel()
	before := vfs.Files{"deep/er/c": "c\n"}
	for _, more := range []string{"deep/d", "deep/er/d", "deep/.git/config", "deep/new/d"} {
		f, dir := opened(t, before)
		put(t, filepath.Join(dir, more), "d\n")
		was := on(t, dir)
		_, err := f.Apply(t.Context(), changed(before, vfs.Files{"deep": "a file\n"}), Acceptance{})
		if err == nil || !strings.Contains(err.Error(), "holds more") || !on(t, dir).Equal(was) {
			t.Errorf("%s: %v, and the folder is %v", more, err, on(t, dir))
		}
	}
}

func TestAnUndoLooksAtContents(t *testing.T) {
	t.Parallel()
	before, after := vfs.Files{"a": "a\n", "b": "b\n"}, vfs.Files{"a": "A\n", "b": "b\n", "c": "c\n"}
	for name, text := range map[string]string{"a": "mine\n", "c": "mine\n"} {
		f, dir := opened(t, before)
		number, err := f.Apply(t.Context(), changed(before, after), Acceptance{})
		if err != nil {
			t.Fatal(err)
		}
		put(t, filepath.Join(dir, name), text)
		was := on(t, dir)
		if _, err := f.Undo(t.Context(), number); !errors.Is(err, ErrRace) || !on(t, dir).Equal(was) {
			t.Errorf("%s: %v, %v", name, err, on(t, dir))
		}
	}
}
