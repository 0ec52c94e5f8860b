package filesystem

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/domains"
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
		got, err := parse(vfs.Files{"a.txt": c.line})
		if err != nil {
			t.Fatal(err)
		}
		want := tree{of: map[string]listed{}}
		if c.path != "" {
			want = tree{paths: []string{c.path}, of: map[string]listed{c.path: {c.mode, c.size, c.sized}}}
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(tree{}, listed{})); diff != "" {
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

func TestPublishedScore(t *testing.T) {
	t.Parallel()
	const reference = "100644 10 a\n100755 20 b\n040000 - c\n160000 - d\n"
	for rule, c := range map[string]struct {
		candidate vfs.Files
		want      float64
	}{
		"the same":                               {vfs.Files{"x.txt": reference}, 1},
		"another order":                          {vfs.Files{"x.txt": "160000 - d\n040000 - c\n100755 20 b\n100644 10 a\n"}, 1},
		"half of the entries":                    {vfs.Files{"x.txt": "100644 10 a\n100755 20 b\n"}, 0.5 * (0.30*0.5 + 0.70)},
		"an added entry":                         {vfs.Files{"x.txt": reference + "100644 1 e\n"}, 0.30*0.8 + 0.70},
		"a path renamed":                         {vfs.Files{"x.txt": "100644 10 A\n100755 20 b\n040000 - c\n160000 - d\n"}, 0.75 * (0.30*0.6 + 0.70)},
		"a mode of the same type":                {vfs.Files{"x.txt": "100444 10 a\n100755 20 b\n040000 - c\n160000 - d\n"}, 1 - 0.20/4},
		"a mode of another type":                 {vfs.Files{"x.txt": "100755 10 a\n100755 20 b\n040000 - c\n160000 - d\n"}, 1 - 0.45/4},
		"a submodule made a file":                {vfs.Files{"x.txt": "100644 10 a\n100755 20 b\n040000 - c\n100644 - d\n"}, 1 - 0.20/4},
		"half a size":                            {vfs.Files{"x.txt": "100644 5 a\n100755 20 b\n040000 - c\n160000 - d\n"}, 1 - 0.25*0.25},
		"a size of 0":                            {vfs.Files{"x.txt": "100644 0 a\n100755 20 b\n040000 - c\n160000 - d\n"}, 1 - 0.25*0.5},
		"all sizes erased":                       {vfs.Files{"x.txt": "100644 - a\n100755 - b\n040000 - c\n160000 - d\n"}, 1},
		"the last line of a path counts":         {vfs.Files{"x.txt": "100755 1 a\n" + reference}, 1},
		"the last file of a path counts":         {vfs.Files{"x.txt": reference, "y.txt": "100644 5 a\n"}, 1 - 0.25*0.25},
		"files of another name are none":         {vfs.Files{"x.TXT": reference}, 0},
		"a file without entries does not matter": {vfs.Files{"x.txt": reference, "y.txt": "Done.\n"}, 1},
	} {
		if got := New().Compare(vfs.Files{"x.txt": reference}, c.candidate).RS; math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: Value %v, want %v", rule, got, c.want)
		}
	}
	empty := vfs.Files{"x.txt": "# nothing tracked\n"}
	if got := New().Compare(empty, empty); math.Abs(got.RS-0.55) > 1e-12 || got.Strict != 1 {
		t.Errorf("nothing against nothing: Value %v, Strict %v, want 0.55 and 1", got.RS, got.Strict)
	}
	if got := New().Compare(empty, vfs.Files{"x.txt": reference}); got.RS != 0 {
		t.Errorf("entries against nothing: Value %v, want 0", got.RS)
	}
}

func TestStatistics(t *testing.T) {
	t.Parallel()
	got, err := New().Statistics(vfs.Files{"x.txt": "100644 1000 a\n100755 234567 b\n120000 3 l\n040555 - c\n100644 999 a\n"})
	want := domains.Stats{Elements: 4, Counts: []domains.Count{
		{Name: "Entries", Value: "4"}, {Name: "Directories", Value: "1"}, {Name: "Files", Value: "2"},
		{Name: "Executables", Value: "1"}, {Name: "Total Size", Value: "235,569 B"},
	}}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
}
