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
		source, err := base.For(c.policy, c.mine)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := source.Load(own, "editor", "user.md"); err != nil {
			t.Fatal(err)
		}
		if got := base.Texts()[c.key]; got != c.want || len(base.Texts()) != 1 {
			t.Errorf("%s: %v, want %s as %s", name, base.Texts(), c.want, c.key)
		}
		// A worker has the texts and no folders.
		stored, err := NewStored(base.Texts()).For(c.policy, "")
		if err != nil {
			t.Fatal(err)
		}
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
	other, err := base.For("editor", folder(t, map[string]string{"user.md": "other"}))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := other.Load(own, "editor", "user.md"); err == nil || !strings.Contains(err.Error(), "two texts") {
		t.Errorf("another text: %v", err)
	}
	if _, err := base.For("x", "no/such/folder"); err == nil {
		t.Error("a missing folder was accepted")
	}
}
