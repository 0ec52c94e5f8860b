package doc

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"agentd/domains/internal/element"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// words is the format of the package comment, in which a line of hyphens heads a file.
var words = Format{
	Counted: "word",
	Orders:  map[string]Order{"word": InOrder, "remark": OpeningInOrder},
	Read: func(text string) []Part {
		var parts []Part
		for _, line := range Lines(text) {
			remark, isRemark := strings.CutPrefix(line.Text, "#")
			switch {
			case strings.TrimSpace(line.Text) == "":
			case strings.HasPrefix(line.Text, "-"):
				p := Loose(line, "head", "head", line.Text)
				p.Head = true
				parts = append(parts, p)
			case isRemark:
				parts = append(parts, Loose(line, "remark", "remark", remark))
			default:
				parts = append(parts, Loose(line, "word", line.Text, line.Text))
			}
		}
		return parts
	},
}

func TestLinesAreThoseOfPlain(t *testing.T) {
	t.Parallel()
	texts := rapid.SliceOf(rapid.SampledFrom([]string{"\ufeff", "a", "b ", "\n", "\r", "\r\n", "```", "```go", " "}))
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(texts.Draw(t, "text"), "")
		var got []string
		end := 0
		for _, line := range Lines(text) {
			got = append(got, line.Text)
			if line.From < end || !strings.HasPrefix(text[line.From:line.To], line.Text) {
				t.Fatalf("%q stands at %d to %d, after %d", line.Text, line.From, line.To, end)
			}
			if rest := strings.TrimPrefix(text[line.From:line.To], line.Text); rest != "\n" && rest != "\r" && rest != "\r\n" && line.To < len(text) {
				t.Fatalf("%q ends with %q", line.Text, rest)
			}
			end = line.To
		}
		want := plain.Lines(text)
		if len(want) == 0 && strings.Join(got, "") == "" {
			return // plain has no lines in a lone line end, and here it is an empty one
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%q: %s", text, diff)
		}
	})
}

func TestPlacesRunThroughAllFiles(t *testing.T) {
	t.Parallel()
	got := words.Elements(vfs.Files{"a": "#one\n#two\nx\n#three\n", "b": "#four\ny\n"})
	var places []int
	for i := range got {
		places = append(places, got[i].Position)
	}
	// Of the remarks, the first two have an order, and the others share the place after them.
	if diff := cmp.Diff([]int{1, 2, 1, 3, 3, 2}, places); diff != "" {
		t.Error(diff)
	}
}

func TestHeadsThatFilesRepeatCountOnce(t *testing.T) {
	t.Parallel()
	kinds := func(files vfs.Files) (all []string) {
		for _, e := range words.Elements(files) {
			all = append(all, e.Fields[0].Value)
		}
		return all
	}
	for name, c := range map[string]struct {
		files vfs.Files
		want  []string
	}{
		"one file":                 {vfs.Files{"a": "-\n-\nx\n"}, []string{"-", "-", "x"}},
		"the same in two files":    {vfs.Files{"a": "-\nx\n", "b": "-\ny\n"}, []string{"-", "x", "y"}},
		"more in the second":       {vfs.Files{"a": "-\nx\n", "b": "-\n-\ny\n"}, []string{"-", "x", "-", "y"}},
		"another in the second":    {vfs.Files{"a": "-\nx\n", "b": "--\ny\n"}, []string{"-", "x", "--", "y"}},
		"words are counted always": {vfs.Files{"a": "x\n", "b": "x\n"}, []string{"x", "x"}},
	} {
		if diff := cmp.Diff(c.want, kinds(c.files)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestWithoutCutsSpansAndKeepsTheRestToTheByte(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		left []bool // out, for each word
		want string
	}{
		"nothing":                     {"\ufeff#a \r\nx\r\n\r\ny", []bool{false, false}, "\ufeff#a \r\nx\r\n\r\ny"},
		"the first with its blanks":   {"#a \r\nx\r\n\r\n y\r\n", []bool{true, false}, "#a \r\n y\r\n"},
		"the last":                    {"x\n\n\ny", []bool{false, true}, "x\n\n\n"},
		"all":                         {"-\nx\n#a\ny\n \nz\n", []bool{true, true, true}, "-\n#a\n"},
		"a fence stays":               {"```\nx\ny\n```\n", []bool{true, false}, "```\ny\n```\n"},
		"the indentation of the next": {"x\n  y\n", []bool{true, false}, "  y\n"},
	} {
		n := 0
		got := words.Without("a.txt", c.text, func() bool { n++; return c.left[n-1] })
		if got != c.want || n != len(c.left) {
			t.Errorf("%s: %q is left after %d questions, want %q", name, got, n, c.want)
		}
	}
}

func TestWithoutKeepsWhatStandsWithinASpan(t *testing.T) {
	t.Parallel()
	pairs := Format{Counted: "pair", Read: func(text string) []Part {
		parts := words.Read(text)
		pair := Part{Element: element.Element{Kind: "pair"}, From: parts[0].From, To: parts[len(parts)-1].To}
		return append([]Part{pair}, parts[1])
	}}
	if got := pairs.Without("a.txt", "x\n#one\ny\n", func() bool { return true }); got != "#one\n" {
		t.Errorf("%q is left", got)
	}
}

func TestEmptyFieldsAreNotAdded(t *testing.T) {
	t.Parallel()
	var p Part
	p.Add("a", "")
	p.Add("b", "1")
	if diff := cmp.Diff([]element.Field{{Name: "b", Value: "1"}}, p.Fields); diff != "" {
		t.Error(diff)
	}
}
