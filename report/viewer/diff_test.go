package viewer

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"agentd/vfs"
)

// drawn is a diff as text: a sign, both numbers and both sides of each row, changed
// words in brackets.
func drawn(f fileDiff) string {
	var b strings.Builder
	side := func(l *line) string {
		if l == nil {
			return "-"
		}
		out := fmt.Sprintf("%d:", l.Number)
		for _, p := range l.Parts {
			if p.Marked {
				out += "[" + p.Text + "]"
			} else {
				out += p.Text
			}
		}
		return out
	}
	for _, r := range f.Rows {
		if r.Kind == "skipped" {
			fmt.Fprintf(&b, "skipped %d\n", r.Skipped)
			continue
		}
		fmt.Fprintf(&b, "%s %s | %s\n", r.Kind, side(r.Was), side(r.Is))
	}
	return b.String()
}

func diffTexts(was, is string) fileDiff {
	return diffFiles(vfs.Files{"f": was}, vfs.Files{"f": is}).Files[0]
}

func TestDiffsLayAlikeLinesSideBySide(t *testing.T) {
	t.Parallel()
	lines := func(from, to int) string {
		var b strings.Builder
		for i := from; i <= to; i++ {
			fmt.Fprintf(&b, "line %d\n", i)
		}
		return b.String()
	}
	for name, c := range map[string]struct{ was, is, want string }{
		"changed words are marked": {"a\nUber 6.55 USD\nb\n", "a\nUber 65.50 USD\nb\n",
			"same 1:a | 1:a\nchanged 2:Uber [6.55] USD | 2:Uber [65.50] USD\nsame 3:b | 3:b\n"},
		"lines that are not alike stand alone": {"one two\n", "three four\n", "lost 1:one two | -\nadded - | 1:three four\n"},
		"a lost line does not shift the others": {"rent 1\nuber 22\nfood 3\n", "uber 23\nfood 4\n",
			"lost 1:rent 1 | -\nchanged 2:uber [22] | 1:uber [23]\nchanged 3:food [3] | 2:food [4]\n"},
		"equal lines far from changes are left out": {"x\n" + lines(1, 10) + "y\n", lines(1, 10) + "z\n",
			"lost 1:x | -\nsame 2:line 1 | 1:line 1\nsame 3:line 2 | 2:line 2\nsame 4:line 3 | 3:line 3\nskipped 4\n" +
				"same 9:line 8 | 8:line 8\nsame 10:line 9 | 9:line 9\nsame 11:line 10 | 10:line 10\nlost 12:y | -\nadded - | 11:z\n"},
		"the beginning and the end are left out": {lines(1, 5) + "x\n" + lines(6, 10), lines(1, 5) + "y\n" + lines(6, 10),
			"skipped 2\nsame 3:line 3 | 3:line 3\nsame 4:line 4 | 4:line 4\nsame 5:line 5 | 5:line 5\nlost 6:x | -\nadded - | 6:y\n" +
				"same 7:line 6 | 7:line 6\nsame 8:line 7 | 8:line 7\nsame 9:line 8 | 9:line 8\nskipped 2\n"},
		"signs are words": {"a(b)\n", "a[b]\n", "changed 1:a[(]b[)] | 1:a[[]b[]]\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, drawn(diffTexts(c.was, c.is))); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

func TestFilesThatComeAndGo(t *testing.T) {
	t.Parallel()
	body := "one\ntwo\nthree\n"
	got := diffFiles(
		vfs.Files{"same": "s", "old.md": body + "four\n", "gone": "g\n", "x": "1\n"},
		vfs.Files{"same": "s", "new.md": body + "5\n", "made": "m\n", "x": "1"})
	var states []string
	for _, f := range got.Files {
		states = append(states, strings.TrimSpace(f.Name+" "+f.State+" "+f.Was+strings.Join(f.Notes, "")))
	}
	want := []string{"x changed Only the end of the last line differs.", "new.md renamed old.md", "made new", "gone gone", "same unchanged"}
	if diff := cmp.Diff(want, states); diff != "" {
		t.Error(diff)
	}
	many := vfs.Files{}
	for i := range mostFiles + 3 {
		many[fmt.Sprint(i)] = "x"
	}
	if d := diffFiles(nil, many); len(d.Files) != mostFiles || d.Left != 3 {
		t.Errorf("%d files are shown and %d left out", len(d.Files), d.Left)
	}
}

// For any texts, both sides can be read back from the diff.
func TestDiffsLoseNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.Custom(func(t *rapid.T) []string {
			return rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b b", "c 1", "c 2", "d e f", "d é f", "", "g"}), 0, 30).Draw(t, "lines")
		})
		was, is := text.Draw(t, "was"), text.Draw(t, "is")
		d := differ{rows: 1_000, pairs: mostPaired}
		d.lines(was, is)
		var left, right []string
		join := func(l *line) string {
			out := ""
			for _, p := range l.Parts {
				out += p.Text
			}
			return out
		}
		nextA, nextB := 0, 0
		for _, r := range d.out {
			if r.Kind == "skipped" {
				left, right = append(left, was[nextA:nextA+r.Skipped]...), append(right, is[nextB:nextB+r.Skipped]...)
				nextA += r.Skipped
				nextB += r.Skipped
				continue
			}
			if r.Was != nil {
				nextA++
				if left = append(left, join(r.Was)); r.Was.Number != nextA {
					t.Fatalf("line %d has the number %d", nextA, r.Was.Number)
				}
			}
			if r.Is != nil {
				nextB++
				if right = append(right, join(r.Is)); r.Is.Number != nextB {
					t.Fatalf("line %d has the number %d", nextB, r.Is.Number)
				}
			}
		}
		if strings.Join(was, "\n") == strings.Join(is, "\n") && len(d.out) == 0 {
			return
		}
		if a, b := strings.Join(left, "\n"), strings.Join(right, "\n"); a != strings.Join(was, "\n") || b != strings.Join(is, "\n") {
			t.Fatalf("%q and %q read back as %q and %q", was, is, left, right)
		}
	})
}

// Five megabytes of any shape must not keep a page waiting.
func TestLargeDocumentsAreBounded(t *testing.T) {
	t.Parallel()
	const size = 5_000_000
	random := rand.New(rand.NewPCG(1, 2))
	words := func() string {
		var b strings.Builder
		for b.Len() < size {
			fmt.Fprintf(&b, "%d ", random.IntN(1000))
			if random.IntN(8) == 0 {
				b.WriteByte('\n')
			}
		}
		return b.String()
	}
	ledger := strings.Repeat("2016-06-02 * Uber\n    Expenses:Transport  6.55 USD\n    Assets:Cash\n\n", size/68)
	for name, c := range map[string][2]string{
		"every line differs":          {words(), words()},
		"a number in every posting":   {ledger, strings.ReplaceAll(ledger, "6.55", "65.50")},
		"every other line is lost":    {ledger, strings.ReplaceAll(ledger, "    Assets:Cash\n", "")},
		"one line of five megabytes":  {strings.Repeat("word ", size/5), strings.Repeat("word ", size/5-7) + "end"},
		"nothing but line ends":       {strings.Repeat("\n", size), strings.Repeat("\n", size-1000)},
		"two lines that take turns":   {strings.Repeat("a\nb\n", size/4), strings.Repeat("b\na\na\n", size/6)},
		"a sign on each line":         {strings.Repeat("a\nb\nc\nd\n", size/8), strings.Repeat("d\nc\na\nb\n", size/8)},
		"no UTF-8":                    {strings.Repeat("\xff\xfe\n", size/3), strings.Repeat("\xff\xfd", size/2)},
		"replaced by something short": {ledger, "x"},
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			d := diffTexts(c[0], c[1])
			if took := time.Since(start); took > 5*time.Second {
				t.Errorf("it took %v", took)
			}
			shown := len(drawn(d))
			if len(d.Rows) > mostRows || shown > mostRows*2*(mostLine+50) || len(d.Rows) == 0 && len(d.Notes) == 0 {
				t.Errorf("%d rows, %d bytes, notes %v", len(d.Rows), shown, d.Notes)
			}
			t.Logf("%v, %d rows, %v", time.Since(start), len(d.Rows), d.Notes)
		})
	}
}
