package prompt

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

// folder makes a folder of files, by name and content.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// mine are the replacements in a folder of one policy's prompts; an empty name means
// none.
func mine(dir string) Replacements {
	if dir == "" {
		return nil
	}
	return FolderOf(dir)
}

func TestWhereAPromptComesFrom(t *testing.T) {
	t.Parallel()
	own := fstest.MapFS{"user.md": {Data: []byte("own")}}
	all := folder(t, map[string]string{"editor/user.md": "of all"})
	one := folder(t, map[string]string{"user.md": "of one"})
	for name, c := range map[string]struct {
		dir          string // of replacements for all
		policy, mine string // name, and folder of its own
		want, key    string
	}{
		"the policy's own":        {"", "", "", "own", "editor/user.md"},
		"replaced for all":        {all, "", "", "of all", "editor/user.md"},
		"replaced, another name":  {all, "editor(max_turns=4)", "", "of all", "editor(max_turns=4)/user.md"},
		"replaced for one":        {all, "mine", one, "of one", "mine/user.md"},
		"replaced for one, alone": {"", "mine", one, "of one", "mine/user.md"},
	} {
		base, err := NewSource(c.dir)
		if err != nil {
			t.Fatal(err)
		}
		source := base.For(c.policy, mine(c.mine))
		if _, err := source.Load(own, "editor", "user.md"); err != nil {
			t.Fatal(err)
		}
		if got := base.Texts()[c.key]; got != c.want || len(base.Texts()) != 1 {
			t.Errorf("%s: %v, want %s as %s", name, base.Texts(), c.want, c.key)
		}
		// A worker has the texts and no folders.
		stored := NewStored(base.Texts()).For(c.policy, nil)
		if loaded, err := stored.Load(own, "editor", "user.md"); err != nil {
			t.Error(err)
		} else if got, err := Render(loaded, Values{}); err != nil || got != c.want {
			t.Errorf("%s: a worker has %q, %v", name, got, err)
		}
	}
}

func TestOneNameHasOneText(t *testing.T) {
	t.Parallel()
	own := fstest.MapFS{"user.md": {Data: []byte("own")}}
	base, err := NewSource("")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := base.Load(own, "editor", "user.md"); err != nil {
		t.Fatal(err)
	}
	if _, err := base.Load(own, "editor", "user.md"); err != nil {
		t.Errorf("the same text again: %v", err)
	}
	other := base.For("editor", FolderOf(folder(t, map[string]string{"user.md": "other"})))
	if _, err := other.Load(own, "editor", "user.md"); err == nil || !strings.Contains(err.Error(), "two texts") {
		t.Errorf("another text: %v", err)
	}
}

func TestATextThatAPolicyCanDoWithout(t *testing.T) {
	t.Parallel()
	const text = "{\"a\": \"{{.Instruction}}\"}\n" // no template
	for name, c := range map[string]struct {
		source *Source
		there  bool
	}{
		"none":                {NewReplaced(nil), false},
		"among others":        {NewReplaced(Named(map[string]string{"editor/user.md": "x"})), false},
		"of another policy":   {NewReplaced(Named(map[string]string{"agentic/tools.json": text})), false},
		"replaced for all":    {NewReplaced(Named(map[string]string{"editor/tools.json": text})), true},
		"replaced for one":    {NewReplaced(nil).For("", FolderOf(folder(t, map[string]string{"tools.json": text}))), true},
		"of a store":          {NewStored(map[string]string{"editor/tools.json": text}), true},
		"of a store, renamed": {NewStored(map[string]string{"mine/tools.json": text}).For("mine", nil), true},
	} {
		got, there, err := c.source.Text("editor", "tools.json")
		if err != nil || there != c.there || there && got != text {
			t.Errorf("%s: %q, %v, %v, want %v", name, got, there, err, c.there)
		}
		if kept := len(c.source.Texts()) == 1; kept != c.there {
			t.Errorf("%s: the manifest has it: %v, want %v", name, kept, c.there)
		}
	}
}

func TestAFolderHoldsKnownPromptsAlone(t *testing.T) {
	t.Parallel()
	known := []string{"direct/prompt.md", "editor/user.md"}
	for name, c := range map[string]struct {
		files map[string]string
		says  []string // nothing if the folder is taken
	}{
		"some":              {map[string]string{"editor/user.md": "x"}, nil},
		"all":               {map[string]string{"editor/user.md": "x", "direct/prompt.md": "x"}, nil},
		"a misspelt file":   {map[string]string{"editor/user.md": "x", "editor/usr.md": "x"}, []string{"editor/usr.md is no prompt", "direct/prompt.md, editor/user.md"}},
		"a misspelt policy": {map[string]string{"editr/user.md": "x"}, []string{"editr/user.md is no prompt"}},
		"no policy":         {map[string]string{"user.md": "x"}, []string{"user.md is no prompt"}},
		"another file":      {map[string]string{"editor/user.md": "x", "README": "x"}, []string{"README is no prompt"}},
		"too many folders":  {map[string]string{"a/b/c/user.md": "x"}, []string{"more than 2 folders in each other"}},
		"nothing":           {nil, []string{"holds none; there are direct/prompt.md, editor/user.md"}},
	} {
		err := CheckFolder(folder(t, c.files), known)
		if (err == nil) != (c.says == nil) {
			t.Errorf("%s: %v", name, err)
		}
		for _, says := range c.says {
			if err == nil || !strings.Contains(err.Error(), says) {
				t.Errorf("%s: %v, want %s", name, err, says)
			}
		}
	}
	if err := CheckFolder(filepath.Join(t.TempDir(), "no"), known); err == nil {
		t.Error("a missing folder was accepted")
	}
	linked := folder(t, nil)
	if err := os.Symlink("/etc", filepath.Join(linked, "editor")); err != nil {
		t.Fatal(err)
	}
	if err := CheckFolder(linked, known); err == nil || !strings.Contains(err.Error(), "not a regular file but a link") {
		t.Errorf("a linked folder: %v", err)
	}
}
