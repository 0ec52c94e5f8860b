package vfs

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

func TestCleanName(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"accounting1", "a b", "résumé", "x-1000", "x.y", strings.Repeat("n", 255)} {
		if err := CleanName(name); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, name := range []string{
		"", ".", "..", "../x", "a/b", "a/", "./a", "/a", `a\b`, ".git", "-rf", "a\x00", "a\nb", "a\x1b[31m", "a\u009b", "a\xff", strings.Repeat("n", 256),
	} {
		if err := CleanName(name); !errors.Is(err, ErrPath) {
			t.Errorf("%q: %v, want ErrPath", name, err)
		}
	}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	many := Files{}
	for i := range MaxFiles {
		many[fmt.Sprint(i)] = ""
	}
	for name, c := range map[string]struct {
		documents, distractors Files
		ok                     bool
	}{
		"files and folders":             {Files{"a": "", "b/c": ""}, Files{"b/d": ""}, true},
		"none":                          {nil, nil, true},
		"as many as there may be":       {many, nil, true},
		"one more":                      {many, Files{"x": ""}, false},
		"a name in both":                {Files{"a": ""}, Files{"a": ""}, false},
		"a file below a file":           {Files{"a": "", "a/b": ""}, nil, false},
		"a distractor below a document": {Files{"a": ""}, Files{"a/b/c": ""}, false},
		"a name that leads out":         {Files{"../a": ""}, nil, false},
		"a name that is not canonical":  {Files{"./a": ""}, nil, false},
		"a file that is too large":      {Files{"a": strings.Repeat("x", MaxFileBytes+1)}, nil, false},
	} {
		if err := Check(c.documents, c.distractors); (err == nil) != c.ok {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := New(c.documents, c.distractors); (err == nil) != c.ok {
			t.Errorf("%s, as a workspace: %v", name, err)
		}
	}
}

// A path that Clean accepts stays below any folder that it is joined to, and is
// its own canonical form.
func FuzzClean(f *testing.F) {
	for _, name := range []string{"a", "a/../b", "..", "a//b", "a/./b", "..a", "\x00", "a\\..\\b"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		clean, err := Clean(name)
		if err != nil {
			return
		}
		if !filepath.IsLocal(clean) || !strings.HasPrefix(filepath.Join("/to", clean), "/to/") {
			t.Errorf("%q leads to %q", name, clean)
		}
		if again, err := Clean(clean); again != clean || err != nil {
			t.Errorf("%q became %q, and that %q, %v", name, clean, again, err)
		}
		if CleanName(name) == nil && (filepath.Base(name) != name || !filepath.IsLocal(name)) {
			t.Errorf("%q names no folder", name)
		}
	})
}
