package filesystem

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/vfs"
)

func TestPublishedReading(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct {
		line, path, mode string
		size             float64
		sized            bool
	}{
		"a file":                            {"100644 434 a/b.c", "a/b.c", "100644", 434, true},
		"a directory":                       {"  040000        - docs\r", "docs", "040000", 0, false},
		"a path with blanks":                {"100644\t7\ta  b c ", "a  b c", "100644", 7, true},
		"a path that begins like a comment": {"100644 7 #a", "#a", "100644", 7, true},
		"a path of one dash":                {"100644 - -", "-", "100644", 0, false},
		"a slash after a directory":         {"040000 - docs/", "docs/", "040000", 0, false},
		"digits that are no octal ones":     {"999999 7 a", "a", "999999", 7, true},
		"digits of another script":          {"100644 ٤٣٤ a", "a", "100644", 434, true},
		"no-break spaces":                   {"100644\u00a07\u00a0a", "a", "100644", 7, true},
		"a size beyond all numbers":         {"100644 1" + zeros(400) + " a", "a", "100644", math.MaxFloat64, true},
		"a comment":                         {line: "# 100644 434 a"},
		"five digits":                       {line: "40000 - docs"},
		"seven digits":                      {line: "0100644 7 a"},
		"letters for a mode":                {line: "drwxr-xr-x - docs"},
		"a separator in a size":             {line: "100644 1,024 a"},
		"a negative size":                   {line: "100644 -7 a"},
		"no path":                           {line: "100644 7 "},
		"no size":                           {line: "100644 a"},
		"prose":                             {line: "The tree has 7 files."},
		"nothing":                           {line: ""},
	} {
		got, err := Parse(vfs.Files{"a.txt": c.line})
		if err != nil {
			t.Fatal(err)
		}
		want := Tree{of: map[string]listed{}}
		if c.path != "" {
			want = Tree{paths: []string{c.path}, of: map[string]listed{c.path: {c.mode, c.size, c.sized}}}
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(Tree{}, listed{})); diff != "" {
			t.Errorf("%s: %s", rule, diff)
		}
	}
}

func zeros(n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = '0'
	}
	return string(b)
}
