package weaving

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/vfs"
)

func TestReadingAsConfigparserDoes(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct {
		text string
		want []option // of the section A
	}{
		"entries":                         {"[A]\na=1\nb : 2\nc=\n", []option{{"a", "1"}, {"b", "2"}, {"c", ""}}},
		"the first of both signs divides": {"[A]\na:b=c\nd=e:f\n", []option{{"a", "b=c"}, {"d", "e:f"}}},
		"comments":                        {"; x\n[A]\na=1\n  # y\n b=2\n", []option{{"a", "1\nb=2"}}},
		"no comment after a value":        {"[A]\na=1 ; x\n", []option{{"a", "1 ; x"}}},
		"a line that is indented more":    {"[A]\na=1\n b=2\nc=3\n", []option{{"a", "1\nb=2"}, {"c", "3"}}},
		"lines that are indented equally": {"[A]\n  a=1\n  b=2\n", []option{{"a", "1"}, {"b", "2"}}},
		"no option goes on in a section":  {"[A]\n  a=1\n", []option{{"a", "1"}}},
		"blank lines belong to a value":   {"[A]\na=1\n\n  b\n\n", []option{{"a", "1\n\nb"}}},
		"text after a section":            {"[A] x\na=1\n", []option{{"a", "1"}}},
		"names to the last bracket":       {"[B]]\nb=1\n[A]\na=1\n", []option{{"a", "1"}}},
		"defaults come last":              {"[DEFAULT]\na=1\nd=2\n[A]\na=3\n[DEFAULT]\ne=4\n", []option{{"a", "3"}, {"d", "2"}, {"e", "4"}}},
		"carriage returns":                {"[A]\r\na=1\r\n", []option{{"a", "1"}}},
	} {
		got, err := readINI(c.text)
		if err != nil {
			t.Errorf("%s: %v", rule, err)
			continue
		}
		if diff := cmp.Diff(c.want, got.of("A"), cmp.AllowUnexported(option{})); diff != "" {
			t.Errorf("%s: %s", rule, diff)
		}
	}
}

func TestWhatConfigparserRefuses(t *testing.T) {
	t.Parallel()
	for rule, text := range map[string]string{
		"text before the first section": "a=1\n[A]\n",
		"a code fence":                  "[A]\na=1\n```\n",
		"an entry without a name":       "[A]\n=1\n",
		"a section twice":               "[A]\n[A]\n",
		"an entry twice":                "[A]\na=1\na=1\n",
		"a default twice":               "[DEFAULT]\na=1\n[DEFAULT]\na=1\n",
		"a section without a name":      "[A]\n[]\n",
		"a byte order mark":             "\ufeff[A]\n",
	} {
		if got, err := readINI(text); err == nil {
			t.Errorf("%s: %v, want an error", rule, got.sections)
		}
	}
}

func TestIntegers(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"4": "4", " 04 ": "4", "+4": "4", "-4": "-4", "-0": "0", "1_000": "1000", "٤": "4",
		"": "none", "4.0": "none", "_4": "none", "4_": "none", "1__0": "none", "0x4": "none", "+-4": "none", "4 ; x": "none",
		strings.Repeat("1", 4300): strings.Repeat("1", 4300), strings.Repeat("1", 4301): "none",
	} {
		got, ok := integer(text)
		if !ok {
			got = "none"
		}
		if got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
}

func TestPublishedScore(t *testing.T) {
	t.Parallel()
	const reference = "[WEAVING]\nShafts=4\n[WARP]\nThreads=2\nSpacing=0.5\n[THREADING]\n1=1\n2=2,3\n[TREADLING]\n1=1\n2=2\n" +
		"[TIEUP]\n1=1,2\n2=3\n[COLOR TABLE]\n1=0,0,0\n2=9,9,9\n"
	for rule, c := range map[string]struct {
		was, is string
		want    float64
	}{
		"nothing":                            {"", "", 1},
		"a list in another order":            {"2=2,3", "2=3,2", 1},
		"another shaft":                      {"1=1\n2=2,3", "1=2\n2=2,3", 1 - 0.15},
		"a lost thread":                      {"2=2,3\n", "", 1 - 0.15 - 0.1*(1-0.75*0.75)},
		"an unreadable thread":               {"2=2,3\n", "2=2,\n", 1 - 0.15 - 0.1*(1-0.75*0.75)},
		"an invented thread":                 {"2=2,3\n", "2=2,3\n3=1\n", 1 - 0.1},
		"a lost tie":                         {"2=3\n", "", 1 - 0.1},
		"a colour":                           {"9,9,9", "9,9,10", 1 - 0.05/(999*math.Sqrt(3))},
		"a lost colour":                      {"2=9,9,9\n", "", 1 - 0.05},
		"another number of shafts":           {"Shafts=4", "Shafts=5", 1 - 0.1/3},
		"a decimal in another notation":      {"0.5", "5e-1", 1},
		"a section in lower case":            {"[TIEUP]", "[tieup]", 1 - 0.2},
		"a word among numbers stops reading": {"Threads=2", "Threads=two", 0},
		"what was refused leaves nothing":    {"[TIEUP]", "and so on\n[TIEUP]", 0},
		"the liftplan is not seen":           {"[TIEUP]", "[LIFTPLAN]\n1=1\n[TIEUP]", 1},
		"an added setting":                   {"Shafts=4", "Shafts=4\nTreadles=2", 1 - 0.1/4},
		"a number that is none in the picks": {"2=2\n[TIEUP]", "x=2\n2=2\n[TIEUP]", 1},
		"a continued value is none":          {"1=1\n2=2\n[TIEUP]", "1=1\n 2=2\n[TIEUP]", 1 - 0.3 - 0.1*(1-0.25)},
	} {
		candidate := vfs.Files{"a.wif": strings.Replace(reference, c.was, c.is, 1)}
		score := New().Compare(vfs.Files{"a.wif": reference}, candidate)
		if math.Abs(score.RS-c.want) > 1e-9 {
			t.Errorf("%s: Value %.9f, want %.9f; %v", rule, score.RS, c.want, score.Components)
		}
	}
}

func TestALiftplanIsNotCompared(t *testing.T) {
	t.Parallel()
	lifted := vfs.Files{"a.wif": "[THREADING]\n1=1\n[LIFTPLAN]\n1=1\n"}
	if score := New().Compare(lifted, vfs.Files{"a.wif": ""}); math.Abs(score.RS-0.7) > 1e-9 || score.Problem == "" {
		t.Errorf("of an empty file Value %v, problem %q", score.RS, score.Problem)
	}
}

func TestFilesAreMergedEntryByEntry(t *testing.T) {
	t.Parallel()
	files := vfs.Files{"a.wif": "[THREADING]\n1=1\n2=2\n", "b.wif": "[THREADING]\n2=3\n", "c.WIF": "[THREADING]\n9=1\n", "d.wif": "x"}
	d, err := parse(files)
	if err != nil || len(d.faults) != 1 {
		t.Fatalf("%v, %v", err, d.faults)
	}
	if diff := cmp.Diff([]option{{"1", "1"}, {"2", "3"}}, d.threading, cmp.AllowUnexported(option{})); diff != "" {
		t.Error(diff)
	}
}

func TestWithoutADraftThereAreNoCounts(t *testing.T) {
	t.Parallel()
	if stats, err := New().Statistics(vfs.Files{"a.txt": "[THREADING]\n1=1\n"}); err != nil || len(stats.Counts) > 0 {
		t.Errorf("%v, %v", stats, err)
	}
}
