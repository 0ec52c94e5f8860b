package weaving

import (
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

func TestFilesAreMergedEntryByEntry(t *testing.T) {
	t.Parallel()
	files := vfs.Files{"a.wif": "[THREADING]\n1=1\n2=2\n", "b.wif": "[THREADING]\n2=3\n", "c.WIF": "[THREADING]\n9=1\n", "d.wif": "x"}
	d, err := Parse(files)
	if err != nil || len(d.faults) != 1 {
		t.Fatalf("%v, %v", err, d.faults)
	}
	if diff := cmp.Diff([]option{{"1", "1"}, {"2", "3"}}, d.threading, cmp.AllowUnexported(option{})); diff != "" {
		t.Error(diff)
	}
}
