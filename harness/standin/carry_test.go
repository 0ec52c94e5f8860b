package standin

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"agentd/vfs"
)

func TestCarryingThereAndBackGivesTheDocumentsAgain(t *testing.T) {
	t.Parallel()
	text := rapid.StringOf(rapid.SampledFrom([]rune("aé𝄞 \n\r\n=")))
	documents := rapid.MapOfN(rapid.StringMatching(`(part/)?[ab]{1,2}\.(srt|txt)`), text, 1, 5)
	target := rapid.StringMatching(`(out/)?([xy]|\*|\*_\*|\?\*|[a-c]?\[0-9\]|\[^a-z\]\*|\\\*)\.(txt|csv)|\[\*?|\*`)
	rapid.Check(t, func(t *rapid.T) {
		seed := vfs.Files(documents.Draw(t, "documents"))
		targets := rapid.SliceOfN(target, 1, 4).Draw(t, "targets")
		home := seed.Names()
		if rapid.Bool().Draw(t, "home by patterns") {
			home = nil
			for _, pattern := range []string{"*.srt", "*.txt"} {
				if len(seed.Match([]string{pattern})) > 0 {
					home = append(home, pattern)
				}
			}
		}
		there := carry(seed, targets)
		for _, target := range targets {
			if len(there.Match([]string{target})) == 0 {
				t.Fatalf("nothing fits %s in %q", target, there)
			}
		}
		if strays := len(there) - len(there.Match(targets)); strays > 0 {
			t.Fatalf("%d files fit no target: %q", strays, there)
		}
		if diff := cmp.Diff(seed, carry(there, home)); diff != "" {
			t.Fatalf("%s\non the way: %q", diff, there)
		}
	})
}

func TestCarriedFilesCanBeRead(t *testing.T) {
	t.Parallel()
	one, two := vfs.Files{"en.srt": "1\n"}, vfs.Files{"en.srt": "1\n", "de.srt": "2"}
	for name, c := range map[string]struct {
		files   vfs.Files
		targets []string
		want    vfs.Files
	}{
		"one into one":             {one, []string{"all.json"}, vfs.Files{"all.json": "=== carried: en.srt\n1\n"}},
		"two into one":             {two, []string{"all.json"}, vfs.Files{"all.json": "=== carried: de.srt\n2\n=== carried: en.srt\n1\n"}},
		"a pattern takes the name": {one, []string{"out/*.vtt"}, vfs.Files{"out/en.vtt": "=== carried: en.srt\n1\n"}},
		"what fits stays":          {two, []string{"*.srt", "index.md"}, vfs.Files{"en.srt": "1\n", "de.srt": "2", "index.md": spareText}},
		"no targets, no files":     {two, nil, vfs.Files{}},
		"no files, spare targets":  {nil, []string{"a.md", "*.srt"}, vfs.Files{"a.md": spareText, "spare1.srt": spareText}},
	} {
		if diff := cmp.Diff(c.want, carry(c.files, c.targets)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestCarriedFilesAreCarriedOnUnnested(t *testing.T) {
	t.Parallel()
	files := vfs.Files{"a.txt": "A", "b.txt": ""}
	for n := range 3 {
		files = carry(files, []string{fmt.Sprintf("bundle%d.md", n), "spare.md"})
	}
	if n := strings.Count(files["bundle2.md"], bundleMark); n != 2 {
		t.Errorf("%d marks in %q", n, files)
	}
}

// A document that is given back unchanged has a name that is asked for, and none is lost
// where a name can be had for it.
func TestAnEchoGivesDocumentsTheNamesThatAreAskedFor(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		sources, targets, files []string
		want                    map[string]string
		left                    []string
	}{
		"one to one":                   {[]string{"a.txt"}, []string{"a.csv"}, []string{"a.txt", "notes.md"}, map[string]string{"a.csv": "a.txt"}, nil},
		"one to several":               {[]string{"a.txt"}, []string{"x.csv", "y.csv"}, []string{"a.txt"}, map[string]string{"x.csv": "a.txt", "y.csv": "a.txt"}, nil},
		"one to a pattern":             {[]string{"a.txt"}, []string{"parts/*.csv"}, []string{"a.txt"}, map[string]string{"parts/a.csv": "a.txt"}, nil},
		"several to one":               {[]string{"*.txt"}, []string{"x.csv"}, []string{"b.txt", "a.txt"}, map[string]string{"x.csv": "a.txt"}, []string{"b.txt"}},
		"several to a pattern":         {[]string{"*.txt"}, []string{"*.csv"}, []string{"b.txt", "a.txt"}, map[string]string{"a.csv": "a.txt", "b.csv": "b.txt"}, nil},
		"a name that is asked for":     {[]string{"*.txt"}, []string{"a.txt", "b.csv"}, []string{"a.txt", "b.txt"}, map[string]string{"a.txt": "a.txt", "b.csv": "b.txt"}, nil},
		"one that was kept, back":      {[]string{"x.csv"}, []string{"*.txt"}, []string{"x.csv", "b.txt"}, map[string]string{"b.txt": "b.txt", "x.txt": "x.csv"}, nil},
		"nothing to be done":           {[]string{"a.txt"}, []string{"a.txt"}, []string{"a.txt", "notes.md"}, map[string]string{"a.txt": "a.txt"}, nil},
		"one that stays, and another":  {[]string{"a.txt"}, []string{"a.txt", "b.csv"}, []string{"a.txt"}, map[string]string{"a.txt": "a.txt", "b.csv": "a.txt"}, nil},
		"several, in order":            {[]string{"b.obj", "a.mtl"}, []string{"z.json", "y.json"}, []string{"b.obj", "a.mtl"}, map[string]string{"y.json": "a.mtl", "z.json": "b.obj"}, nil},
		"no documents":                 {[]string{"a.txt"}, []string{"x.csv"}, []string{"notes.md"}, map[string]string{}, nil},
		"a distractor is no document":  {[]string{"*.md"}, []string{"x.csv"}, []string{"notes.md", "text.md"}, map[string]string{"x.csv": "text.md"}, nil},
		"a distractor is not in place": {[]string{"a.txt"}, []string{"*.md"}, []string{"notes.md", "a.txt"}, map[string]string{"a.md": "a.txt"}, nil},
	} {
		s := step{sources: c.sources, targets: c.targets, distractors: vfs.Files{"notes.md": ""}}
		names, left := s.renamed(c.files)
		if diff := cmp.Diff(c.want, names) + cmp.Diff(c.left, left); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
