package filesystem

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

// document is the file of the listings in these tests.
const document = "tidewrack.txt"

func TestSuite(t *testing.T) {
	t.Parallel()
	domaintest.Suite{
		Domain:   New(),
		Seed:     domaintest.Seed(t, "filesystem1"),
		Generate: rapid.Custom(drawListing),
	}.Run(t)
}

func FuzzCompare(f *testing.F) {
	domaintest.Fuzz(f, New(), domaintest.Seed(f, "filesystem1"))
}

func BenchmarkCompare(b *testing.B) {
	domaintest.BenchmarkCompare(b, New(), domaintest.Seed(b, "filesystem1"))
}

// drawListing draws a few lines in no order: paths may repeat, and not every
// line is an entry. None lies in a directory that an edit makes.
func drawListing(t *rapid.T) vfs.Files {
	one := func(label string, among ...string) string { return rapid.SampledFrom(among).Draw(t, label) }
	gap := one("gap", " ", "     ", "\t")
	lines := []string{one("first", "100644 12 README.md", "# tree of main, \"signed\"\n\n100755 0 run")}
	for range rapid.IntRange(0, 14).Draw(t, "lines") {
		directory := one("directory", "", "", "base/", "base/tests/", "debian/", "docs/", "docs/field sheets/", "firmware/a-b/", "gàidhlig/", ".github/", "web/js/vendor/", "Web/")
		switch rapid.IntRange(0, 9).Draw(t, "line") {
		case 0:
			lines = append(lines, one("text", "", "# vendored, see \"NOTES\"", "#", "total 24", "-rw-r--r-- 12 a.c", "Here is the tree:", "## docs (2 files, 30 bytes)"))
		case 1, 2:
			path := directory + one("name", "img", "src", "v1.2", "a b")
			lines = append(lines, one("mode", "040000", "040000", "040555", "40000")+gap+one("size", "-", "-", "0")+gap+path+one("slash", "", "", "/"))
		default:
			path := directory + one("name", "main.c", "Main.C", "a.tar.gz", "Makefile", ".keep", "x|y.c", `"caf\303\251.md"`, "two  blanks, and a comma.pdf", "àirde.md", "end.", "[D1]", "e\\|f")
			lines = append(lines, one("mode", "100644", "100644", "100755", "120000", "160000", "100664", "100444")+gap+
				one("size", "0", "7", "256", "1536", "39999", "40000", "72935", "2318336", "1,946", "72_935", "007", "1.9K", "-")+gap+path)
		}
	}
	return vfs.Files{document: strings.Join(lines, "\n") + one("end", "", "\n", "\n\n")}
}

const sample = `# sluice, branch main
# commit 31c0ffb

100644      498 .gitignore
100644    18092 COPYING
040000        - docs
100644    72935 docs/gate-log 1998.csv
120000       12 docs/latest.csv
# generated, do not edit
040000        - src
100644     2106 src/gate.c
100755      340 src/gen.sh
160000        - src/libmodbus
`

// change is the sample with one text replaced by another.
func change(t *testing.T, was, is string) vfs.Files {
	t.Helper()
	if !strings.Contains(sample, was) {
		t.Fatalf("the sample has no %q", was)
	}
	return vfs.Files{"sluice.txt": strings.ReplaceAll(sample, was, is)}
}

const gate = "100644     2106 src/gate.c\n"

func TestStrictSees(t *testing.T) {
	t.Parallel()
	for rule, edit := range map[string][2]string{
		"a size off by one":                           {"72935", "72936"},
		"digits of a size swapped":                    {"72935", "72395"},
		"a size erased to a dash":                     {"2106", "-"},
		"a size given to a submodule":                 {"- src/libmodbus", "5 src/libmodbus"},
		"a directory given a size":                    {"040000        - docs", "040000     4096 docs"},
		"a size in another unit":                      {"2106", "2.1K"},
		"separators that make no thousands":           {"18092", "1,8092"},
		"two separators in one size":                  {"18092", "1,80_92"},
		"a file made executable":                      {"100644     2106", "100755     2106"},
		"a file made read-only":                       {"100644     2106", "100444     2106"},
		"a directory's permissions":                   {"040000        - src", "040555        - src"},
		"a symlink made a file":                       {"120000", "100644"},
		"a submodule made a directory":                {"160000", "040000"},
		"a mode with a digit lost":                    {"100755", "10755"},
		"a mode in letters":                           {"100755", "-rwxr-xr-x"},
		"letter case in a path":                       {"COPYING", "copying"},
		"a letter in a path":                          {"gate.c", "gates.c"},
		"a blank in a path":                           {"log 1998", "log  1998"},
		"a slash after a file":                        {"COPYING", "COPYING/"},
		"a path that lost its directory":              {"src/gate.c", "gate.c"},
		"a path that moved to another directory":      {"docs/latest.csv", "src/latest.csv"},
		"an entry that was lost":                      {gate, ""},
		"an entry that was added":                     {gate, gate + "100644     2106 src/gate.h\n"},
		"an entry that was repeated":                  {gate, gate + gate},
		"a contradicting entry before":                {gate, "100644        1 src/gate.c\n" + gate},
		"a contradicting entry after":                 {gate, gate + "100644        1 src/gate.c\n"},
		"a comment that was changed":                  {"branch main", "branch stable"},
		"a comment's letter case":                     {"branch main", "Branch main"},
		"one comment that was lost":                   {"# commit 31c0ffb\n", ""},
		"a comment that was added":                    {"# commit", "# checked\n# commit"},
		"a comment that was repeated":                 {"# commit 31c0ffb\n", "# commit 31c0ffb\n# commit 31c0ffb\n"},
		"a comment that became text":                  {"# commit 31c0ffb", "commit 31c0ffb"},
		"an entry that became a comment":              {"100644     2106", "# 100644     2106"},
		"prose around the listing":                    {"# sluice", "Here is the updated listing:\n\n# sluice"},
		"a column that was lost":                      {gate, "100644 src/gate.c\n"},
		"a listing that is cut off":                   {sample[len(sample)/2:], ""},
		"all comments made into another kind of them": {"# ", "// "},
		"no comments, but something in their place":   {"# ", "Note: "},
		"no comments and no entries":                  {sample, "\n"},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			score := New().Compare(vfs.Files{"sluice.txt": sample}, change(t, edit[0], edit[1]))
			if score.Strict >= 1 {
				t.Errorf("Strict is %v", score.Strict)
			}
		})
	}
}

func TestStrictForgives(t *testing.T) {
	t.Parallel()
	reversed := strings.Split(strings.TrimSpace(sample), "\n")
	for n, last := 0, len(reversed)-1; n < last; n, last = n+1, last-1 {
		reversed[n], reversed[last] = reversed[last], reversed[n]
	}
	for rule, edit := range map[string][2]string{
		"lines in another order":        {sample, strings.Join(reversed, "\n")},
		"columns that are narrow":       {"        ", " "},
		"tabs between columns":          {"    18092 ", "\t18092\t"},
		"indentation":                   {"\n", "\n  "},
		"trailing blanks":               {"\n", "  \n"},
		"CRLF":                          {"\n", "\r\n"},
		"no blank lines":                {"\n\n", "\n"},
		"a byte order mark":             {"# sluice", "\ufeff# sluice"},
		"a code fence":                  {"# sluice", "```text\n# sluice"},
		"separators in sizes":           {"72935", "72,935"},
		"underscores in sizes":          {"72935", "72_935"},
		"zeros before a size":           {"340", "0340"},
		"modes of directories unpadded": {"040000", "40000"},
		"modes with another zero":       {"100644", "0100644"},
		"a slash after directories":     {"- docs", "- docs/"},
		"a size of 0 for directories":   {"- docs", "0 docs"},
		"a size of 0 for submodules":    {"- src/libmodbus", "0 src/libmodbus"},
		"./ before paths":               {" src/", " ./src/"},
		"a typographic dash":            {"- docs", "– docs"},
		"blanks inside comments":        {"branch main", "branch   main"},
		"no blank after the hash":       {"# commit", "#commit"},
		"several hashes":                {"# commit", "## commit"},
		"empty comments":                {"# commit", "#\n# commit"},
		"all comments left out": {
			sample, strings.NewReplacer("# sluice, branch main\n", "", "# commit 31c0ffb\n", "", "# generated, do not edit\n", "").Replace(sample),
		},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			reference := vfs.Files{"sluice.txt": sample}
			candidate := change(t, edit[0], edit[1])
			if score := New().Compare(reference, candidate); score.Strict != 1 {
				t.Errorf("Strict is %v: %v", score.Strict, New().Differences(reference, candidate))
			}
		})
	}
}

func TestStrictReadsFilesOfAnyNameAndNumber(t *testing.T) {
	t.Parallel()
	const header = "# sluice, branch main\n# commit 31c0ffb\n"
	at := strings.Index(sample, "# generated")
	for rule, candidate := range map[string]vfs.Files{
		"upper case":              {"sluice.TXT": sample},
		"another extension":       {"out/sluice.lst": sample},
		"two files":               {"sluice.txt": sample[:at], "sluice_2.txt": sample[at:]},
		"two files with a header": {"sluice.txt": sample[:at], "sluice_2.txt": header + sample[at:]},
	} {
		reference := vfs.Files{"sluice.txt": sample}
		if score := New().Compare(reference, candidate); score.Strict != 1 {
			t.Errorf("%s: Strict is %v: %v", rule, score.Strict, New().Differences(reference, candidate))
		}
	}
	twice := vfs.Files{"sluice.txt": sample, "sluice_copy.txt": sample}
	if score := New().Compare(vfs.Files{"sluice.txt": sample}, twice); score.Strict > 0.5 || score.RS != 1 {
		t.Errorf("the listing twice: Value %v, Strict %v", score.RS, score.Strict)
	}
}

func TestStrictNamesWhatChanged(t *testing.T) {
	t.Parallel()
	want := []domains.Difference{
		{Kind: domains.Changed, Where: "docs/gate-log 1998.csv, size", Was: "72935", Is: "72395"},
		{Kind: domains.Added, Where: "src/gate.c", Is: "src/gate.c | 100644 | 2106"},
	}
	candidate := change(t, "72935", "72395")
	candidate["sluice.txt"] += gate
	if diff := cmp.Diff(want, New().Differences(vfs.Files{"sluice.txt": sample}, candidate)); diff != "" {
		t.Error(diff)
	}
}

func TestStrictFallsInProportion(t *testing.T) {
	t.Parallel()
	seed := domaintest.Seed(t, "filesystem1")
	text := seed[document]
	for rule, c := range map[string]struct {
		candidate    string
		least, below float64
	}{
		"one wrong size":        {strings.Replace(text, "184213", "148213", 1), 0.998, 1},
		"one invented entry":    {text + "100644     1024 web/invented.css\n", 0.996, 1},
		"one wrong comment":     {strings.Replace(text, "branch main", "branch next", 1), 0.99, 1},
		"a sentence in front":   {"I have put everything together as you asked.\n" + text, 0.996, 1},
		"half of the listing":   {text[:len(text)/2], 0.4, 0.6},
		"every size made twice": {doubled(text), 0.6, 0.8},
	} {
		score := New().Compare(seed, vfs.Files{document: c.candidate})
		if score.Strict < c.least || score.Strict >= c.below {
			t.Errorf("%s leaves Strict at %v, want it from %v to below %v", rule, score.Strict, c.least, c.below)
		}
	}
}

// doubled is a listing with every size but 0 made another.
func doubled(text string) string {
	return regexp.MustCompile(`(?m)^(\d{6} +)([1-9]\d*) `).ReplaceAllStringFunc(text, func(columns string) string {
		fields := strings.Fields(columns)
		size, _ := strconv.Atoi(fields[1])
		return fields[0] + " " + strconv.Itoa(2*size) + " "
	})
}

func TestHostileInputScores(t *testing.T) {
	t.Parallel()
	reference := domaintest.Seed(t, "filesystem1")
	for label, content := range domaintest.Hostile() {
		score := New().Compare(reference, vfs.Files{document: content})
		if score.RS != 0 || score.Strict != 0 || score.Problem == "" {
			t.Errorf("%s: Value %v, Strict %v, problem %q", label, score.RS, score.Strict, score.Problem)
		}
	}
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
