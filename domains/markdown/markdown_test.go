package markdown

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

func suite(t testing.TB) domaintest.Suite {
	t.Helper()
	word := rapid.SampledFrom(strings.Fields("tide buoy chain mast keel lamp quay rope hull sail"))
	text := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(word, 2, 7).Draw(t, "words"), " ")
	})
	return domaintest.Suite{
		Domain: New(), Seed: domaintest.Seed(t, "markdown1"),
		Generate: rapid.Custom(func(t *rapid.T) vfs.Files {
			var b strings.Builder
			for i := range rapid.IntRange(4, 7).Draw(t, "sections") {
				fmt.Fprintf(&b, "## %s %d\n\n%s %d.\n\n", text.Draw(t, "heading"), i, text.Draw(t, "paragraph"), i)
				switch rapid.IntRange(0, 3).Draw(t, "kind") {
				case 0:
					fmt.Fprintf(&b, "- %s\n- %s\n\n", text.Draw(t, "item"), text.Draw(t, "item"))
				case 1:
					fmt.Fprintf(&b, "| name | use |\n| --- | --- |\n| %s | %s |\n\n", text.Draw(t, "cell"), text.Draw(t, "cell"))
				case 2:
					fmt.Fprintf(&b, "```sh\n%s\n```\n\n", text.Draw(t, "code"))
				}
			}
			return vfs.Files{"guide.md": b.String()}
		}),
	}
}

func TestSuite(t *testing.T) {
	t.Parallel()
	suite(t).Run(t)
}

func FuzzCompare(f *testing.F) { domaintest.Fuzz(f, New(), domaintest.Seed(f, "markdown1")) }

func BenchmarkCompare(b *testing.B) {
	domaintest.BenchmarkCompare(b, New(), domaintest.Seed(b, "markdown1"))
}

const sample = `---
title: Pump house
---
# Pump house

The *spare* key hangs **inside**; see the [rota](rota.md "Who is on").

1. Open the valve.
2. Wait.
   - [x] listen
   - [ ] look

| part | count |
| :-- | --: |
| seal | 4 |

` + "```sh\nstart --slow\n```\n\n> Never alone.\n\n***\n\n<div>x</div>\n"

func TestWhatADocumentHolds(t *testing.T) {
	t.Parallel()
	var got []string
	for _, e := range elements(vfs.Files{"a.md": sample}) {
		line := e.Key
		for _, f := range e.Fields {
			line += "; " + f.Name + "=" + f.Value
		}
		got = append(got, line)
	}
	want := []string{
		`front matter "title"; =title: Pump house`,
		`heading "Pump house"; text=Pump house; level=1`,
		`paragraph "The *spare* key hangs **inside**; see the rota."; text=The *spare* key hangs **inside**; see the rota.; link=[rota](rota.md "Who is on")`,
		`list item "Open the valve."; text=Open the valve.; in=numbered list`,
		`list item "Wait."; text=Wait.; in=numbered list`,
		`list item "listen"; text=listen; task=done; in=numbered list > list`,
		`list item "look"; text=look; task=open; in=numbered list > list`,
		`table "part"; column 1, alignment=left; column 1=part; column 2, alignment=right; column 2=count; columns=2`,
		`table row "seal"; part=seal; count=4`,
		`code block "start --slow"; code=yes; language=sh`,
		`line of code "start --slow"; =start --slow`,
		`paragraph "Never alone."; text=Never alone.; in=quote`,
		`rule "after Pump house"; rule=yes`,
		`HTML "<div>x</div>"; =<div>x</div>`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestWhatMeansSomething(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		old, new string
		same     bool
	}{
		"another mark of emphasis":   {"*spare*", "_spare_", true},
		"another mark of items":      {"- [", "* [", true},
		"numbers that count":         {"2. Wait", "1. Wait", true},
		"a heading underlined":       {"# Pump house\n", "Pump house\n===\n", true},
		"a heading closed":           {"# Pump house\n", "# Pump house #\n", true},
		"lines broken elsewhere":     {"see the [", "see\nthe [", true},
		"a link defined below":       {`[rota](rota.md "Who is on").`, "[rota][r].\n\n[r]: rota.md \"Who is on\"", true},
		"a table in columns":         {"| seal | 4 |", "| seal  |     4 |", true},
		"a table without outer bars": {"| seal | 4 |", "seal | 4", true},
		"another fence":              {"```", "~~~", true},
		"another rule":               {"***", "---", true},
		"an entity":                  {"alone.", "alone&#46;", true},
		"a backslash":                {"alone.", `alone\.`, true},
		"blank lines":                {"\n\n> ", "\n\n\n\n> ", true},
		"carriage returns":           {"\n", "\r\n", true},
		"emphasis made strong":       {"*spare*", "**spare**", false},
		"emphasis lost":              {"*spare*", "spare", false},
		"a tag shown":                {"alone.", `alone. \<br>`, false},
		"emphasis shown":             {"*spare*", `\*spare\*`, false},
		"another target":             {"rota.md", "rote.md", false},
		"another title":              {"Who is on", "Who is off", false},
		"another level":              {"# Pump", "## Pump", false},
		"a word":                     {"hangs", "lies", false},
		"a task done":                {"[ ]", "[x]", false},
		"a cell":                     {"| 4 |", "| 5 |", false},
		"another alignment":          {"--:", ":-:", false},
		"a column's name":            {"count |", "number |", false},
		"a space in code":            {"start --slow", "start  --slow", false},
		"another language":           {"```sh", "```bash", false},
		"out of the quote":           {"> Never", "Never", false},
		"front matter":               {"title: Pump house", "title: Pump House", false},
		"the rule lost":              {"***\n", "", false},
		"items that are not counted": {"1. Open the valve.\n2. Wait.", "- Open the valve.\n- Wait.", false},
	} {
		changed := strings.ReplaceAll(sample, c.old, c.new)
		if changed == sample {
			t.Errorf("%s: nothing is replaced", name)
		}
		reference, candidate := vfs.Files{"a.md": sample}, vfs.Files{"a.md": changed}
		if strict := New().Compare(reference, candidate).Strict; (strict == 1) != c.same {
			t.Errorf("%s: Strict %v: %v", name, strict, New().Differences(reference, candidate))
		}
	}
}

// A block among blocks of other kinds has its place, too.
func TestWhatMovesAmongOtherKindsIsMoved(t *testing.T) {
	t.Parallel()
	const list, code, closing = "- alpha\n- beta\n", "```\nopen\n```\n", "Closed since May.\n"
	before := vfs.Files{"a.md": "# Lock\n\nOpen:\n\n" + list + "\n" + code + "\n## Keys\n\n" + closing}
	for name, after := range map[string]string{
		"a list below a paragraph":     "# Lock\n\nOpen:\n\n" + code + "\n## Keys\n\n" + closing + "\n" + list,
		"a list below a code block":    "# Lock\n\nOpen:\n\n" + code + "\n" + list + "\n## Keys\n\n" + closing,
		"a paragraph above a heading":  "# Lock\n\nOpen:\n\n" + list + "\n" + code + "\n" + closing + "\n## Keys\n",
		"a code block below a heading": "# Lock\n\nOpen:\n\n" + list + "\n## Keys\n\n" + code + "\n" + closing,
	} {
		review := New().Against(before).Review(vfs.Files{"a.md": after})
		moved := slices.ContainsFunc(review.Differences, func(d domains.Difference) bool { return d.Kind == domains.Moved })
		if review.Strict == 1 || !moved || len(review.Differences) > 3 {
			t.Errorf("%s: %v %v", name, review.Strict, review.Differences)
		}
	}
}
