package slides

import (
	"math"
	"strings"
	"testing"

	"agentd/vfs"
)

// pumps is a short deck with one thing of each sort: 16 elements on 4 slides, 2
// entries of front matter and 2 lines.
const pumps = `---
title: "Pumps: a review"
grid: 12 x 8
---

## Pumps: a review [@(1,2) | 36pt]

**Board, 3 May** [@(1,4) | 20pt]
- Ruth Askwith [@(1,5)]

## What we had

Three pumps, none of them new.

- Two screws
  - one out since March
- One centrifugal [@(1,5)]
[IMAGE: hall.jpg @(6,1)]

## Energy

| Year | kWh |
| --- | ---: |
| 2021 | 4,388 |
| 2022 | 4,512 |

[CHART: kWh by month @(0,4)]

::: {.notes}
The step is the screw. We saw it late. We had the
meter on the wrong feeder.
:::

## Questions?

<!-- no prices -->
[IMAGE: hall.jpg]
`

// altered is pumps with one passage replaced.
func altered(t *testing.T, was, is string) vfs.Files {
	t.Helper()
	if !strings.Contains(pumps, was) {
		t.Fatalf("the deck has no %q", was)
	}
	return vfs.Files{"pumps.md": strings.ReplaceAll(pumps, was, is)}
}

func TestStrictForgivesWhatCarriesNothing(t *testing.T) {
	t.Parallel()
	whole := func(text string) vfs.Files { return vfs.Files{"pumps.md": text} }
	energy := strings.Index(pumps, "## Energy")
	for rule, candidate := range map[string]vfs.Files{
		"another file name":                {"deck.markdown": pumps},
		"two files":                        {"a.md": pumps[:energy], "b.md": pumps[energy:]},
		"files that repeat front matter":   {"a.md": pumps[:energy], "b.md": pumps[:strings.Index(pumps, "##")] + pumps[energy:]},
		"a code fence around":              whole("```markdown\n" + pumps + "```\n"),
		"a code fence and a blank line":    whole("\n```\n\n" + pumps + "\n```\n"),
		"a byte order mark":                whole("\ufeff" + pumps),
		"Windows line ends":                whole(strings.ReplaceAll(pumps, "\n", "\r\n")),
		"no blank lines":                   whole(strings.ReplaceAll(pumps, "\n\n", "\n")),
		"more blank lines":                 whole(strings.ReplaceAll(pumps, "\n\n", "\n \n\n")),
		"blanks at line ends":              whole(strings.ReplaceAll(pumps, "\n", "  \n")),
		"no line end at the end":           whole(strings.TrimSuffix(pumps, "\n")),
		"quotes in front matter":           altered(t, `"Pumps: a review"`, `'Pumps: a review'`),
		"no quotes in front matter":        altered(t, `"Pumps: a review"`, `Pumps: a review`),
		"front matter in another order":    altered(t, "title: \"Pumps: a review\"\ngrid: 12 x 8\n", "grid: 12 x 8\ntitle: \"Pumps: a review\"\n"),
		"front matter that ends with dots": altered(t, "8\n---", "8\n..."),
		"stars for bullets":                whole(strings.ReplaceAll(pumps, "- One", "* One")),
		"pluses for bullets":               altered(t, "- One", "+ One"),
		"four blanks for a level":          altered(t, "  - one", "    - one"),
		"a tab for a level":                altered(t, "  - one", "\t- one"),
		"blanks in a mark":                 altered(t, "[@(1,5)]", "[@( 1, 5 )]"),
		"no blanks around the bar":         altered(t, " | 36pt]", "|36pt]"),
		"a number with zeros":              altered(t, "@(1,5)", "@(1.0,05)"),
		"no blank before a mark":           altered(t, "review [@", "review[@"),
		"a table without outer bars":       altered(t, "| Year | kWh |\n| --- | ---: |\n| 2021 | 4,388 |\n| 2022 | 4,512 |", "Year | kWh\n--- | ---:\n2021 | 4,388\n2022 | 4,512"),
		"a table in columns":               altered(t, "| 2021 | 4,388 |", "|  2021   |   4,388|"),
		"a longer ruler":                   altered(t, "| --- | ---: |", "|-----|-------:|"),
		"notes wrapped elsewhere":          altered(t, "had the\nmeter", "had\nthe meter"),
		"the short form of notes":          altered(t, "::: {.notes}", "::: notes"),
		"longer fences of notes":           whole(strings.ReplaceAll(pumps, ":::", ":::::")),
		"a position of an image in a mark": altered(t, "hall.jpg @(6,1)]", "hall.jpg] [@(6,1)]"),
		"a longer heading mark":            altered(t, "## Energy", "##   Energy"),
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			reference := whole(pumps)
			if score := New().Compare(reference, candidate); score.Strict != 1 {
				t.Errorf("Strict %.4f: %v", score.Strict, New().Differences(reference, candidate))
			}
		})
	}
}

func TestStrictSees(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct {
		candidate vfs.Files
		strict    float64 // exactly
		first     string  // the first difference
	}{
		"letter case":                {altered(t, "Ruth Askwith", "RUTH ASKWITH"), 15.75 / 16, `bullet 1 of "Pumps: a review", text: Ruth Askwith -> RUTH ASKWITH`},
		"a font size":                {altered(t, "36pt", "35pt"), 15.8 / 16, `title "Pumps: a review", font: 36 -> 35`},
		"a font size that is gone":   {altered(t, " | 20pt", ""), 15.8 / 16, `subtitle 1 of "Pumps: a review", font: 20 -> (nothing)`},
		"a position":                 {altered(t, "centrifugal [@(1,5)", "centrifugal [@(2,5)"), 15.75 / 16, `bullet 3 of "What we had", x: 1 -> 2`},
		"positions in decimals":      {altered(t, "@(6,1)", "@(6.5,1)"), 15.75 / 16, `image 1 of "What we had", x: 6 -> 6.5`},
		"a level":                    {altered(t, "  - one", "- one"), 15 + 2./3, `bullet 2 of "What we had", level: 1 -> (nothing)`},
		"another kind":               {altered(t, "- Two screws", "*Two screws*"), 0, ""},
		"a thousandfold number":      {altered(t, "4,512", "4,512,000"), 15 + 2./3, `table row 3 of "Energy", cell 2: 4,512 -> 4,512,000`},
		"a ruler":                    {altered(t, "| --- | ---: |\n", ""), 0, `table row 1 of "Energy", header: yes -> (nothing)`},
		"cells in another order":     {altered(t, "| 2021 | 4,388 |", "| 4,388 | 2021 |"), 0, ""},
		"an empty cell":              {altered(t, "| 2021 | 4,388 |", "| | 2021 | 4,388 |"), 0, ""},
		"rows in another order":      {altered(t, "| 2021 | 4,388 |\n| 2022 | 4,512 |", "| 2022 | 4,512 |\n| 2021 | 4,388 |"), 15.5, ""},
		"a sentence of notes":        {altered(t, "We saw it late.", "We saw it."), 15.75, `notes 1 of "Energy", sentence: We saw it late. -> We saw it.`},
		"sentences in another order": {altered(t, "The step is the screw. We saw it late.", "We saw it late. The step is the screw."), 15.8, `notes 1 of "Energy", order of sentences: (nothing) -> another`},
		"notes that are not closed":  {altered(t, "feeder.\n:::", "feeder."), 15.8, `notes 1 of "Energy", end: (nothing) -> missing`},
		"bullets in another order":   {altered(t, "- Two screws\n  - one out since March\n- One centrifugal [@(1,5)]", "- One centrifugal [@(1,5)]\n- Two screws\n  - one out since March"), 0, `bullet 3 of "What we had": moved from place 7 to 5`},
		"an image on the next slide": {altered(t, "[IMAGE: hall.jpg @(6,1)]\n\n## Energy\n", "\n## Energy\n\n[IMAGE: hall.jpg @(6,1)]\n"), 15.5, ""},
		"a chart that is gone":       {altered(t, "[CHART: kWh by month @(0,4)]\n", ""), 15, `chart 1 of "Energy": lost (chart | kWh by month | 0 | 4)`},
		"an image twice":             {altered(t, "[IMAGE: hall.jpg]\n", "[IMAGE: hall.jpg]\n[IMAGE: hall.jpg]\n"), 16. * 16 / 17, `image 2 of "Questions?": added (image | hall.jpg)`},
		"an invented bullet":         {altered(t, "- Two screws", "- Two screws\n- Three more"), 16. * 16 / 17, `bullet 2 of "What we had": added (bullet | Three more)`},
		"a title":                    {altered(t, "## Energy", "## Power"), 0, `slide "Energy": lost (Energy)`},
		"front matter":               {altered(t, "12 x 8", "16 x 9"), 0, "front matter, grid, value: 12 x 8 -> 16 x 9"},
		"an entry of front matter":   {altered(t, "grid: 12 x 8\n", ""), 0, ""},
		"a paragraph":                {altered(t, "none of them new", "all of them new"), 0, `line 1 outside of the format, text: Three pumps, none of them new. -> Three pumps, all of them new.`},
		"a paragraph on another slide": {
			altered(t, "Three pumps, none of them new.\n\n- Two screws", "- Two screws\n\nThree pumps, none of them new.\n"), 0,
			`line 1 outside of the format, above: bullet Two screws -> bullet one out since March`,
		},
		"an added paragraph":      {altered(t, "## Questions?", "Thank you!\n\n## Questions?"), 0, "line 2 outside of the format: added (Thank you! | title Questions?)"},
		"a comment that is gone":  {altered(t, "<!-- no prices -->\n", ""), 0, "line 2 outside of the format: lost (<!-- no prices --> | image hall.jpg)"},
		"headings of level one":   {vfs.Files{"pumps.md": strings.ReplaceAll(pumps, "## ", "# ")}, 0, ""},
		"a bullet that is broken": {altered(t, "- Ruth", "-Ruth"), 0, ""},
		"text around":             {vfs.Files{"pumps.md": "Here is the deck:\n\n" + pumps}, 0, ""},
		"an unrelated text":       {vfs.Files{"pumps.md": "The committee met on Tuesday.\n"}, 0, ""},
		"nothing":                 {vfs.Files{"pumps.md": ""}, 0, ""},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			reference := vfs.Files{"pumps.md": pumps}
			score := New().Compare(reference, c.candidate)
			differences := New().Differences(reference, c.candidate)
			want := c.strict
			if want > 1 {
				want /= 16
			}
			if score.Strict == 1 || want > 0 && math.Abs(score.Strict-want) > 1e-9 {
				t.Errorf("Strict %.4f, want %.4f: %v", score.Strict, want, differences)
			}
			if first := differences[0].String(); c.first != "" && first != c.first {
				t.Errorf("the first difference is %s", first)
			}
		})
	}
}

// TestDamageCostsItsShare has losses after which most of the deck is left.
func TestDamageCostsItsShare(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct {
		candidate vfs.Files
		least     float64
	}{
		"headings of level one":              {vfs.Files{"pumps.md": strings.ReplaceAll(pumps, "\n## ", "\n# ")}, 0.4},
		"front matter that is not closed":    {altered(t, "12 x 8\n---", "12 x 8"), 0.9},
		"notes that are not closed":          {altered(t, "feeder.\n:::\n", "feeder.\n"), 0.95},
		"notes that are not opened":          {altered(t, "::: {.notes}\n", ""), 0.7},
		"a fence that is not closed":         {vfs.Files{"pumps.md": "```md\n" + pumps}, 1},
		"a fence within":                     {altered(t, "## Energy", "```\n## Energy"), 1},
		"a comment that is not closed":       {altered(t, "<!-- no prices -->", "<!-- no prices"), 0.95},
		"a comment at the beginning that is": {altered(t, "**Board", "<!-- not closed\n**Board"), 0.9},
		"an explanation above and below":     {vfs.Files{"pumps.md": "Sure!\n\n```markdown\n" + pumps + "```\n\nI kept all slides.\n"}, 0.7},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			reference := vfs.Files{"pumps.md": pumps}
			if score := New().Compare(reference, c.candidate); score.Strict < c.least {
				t.Errorf("Strict %.4f, want at least %v: %v", score.Strict, c.least, New().Differences(reference, c.candidate))
			}
		})
	}
}

func TestWithoutATitleASlideJoinsTheOneBefore(t *testing.T) {
	t.Parallel()
	const deck = "Above.\n## A\n- a\n## B\nline\n- b\n| h |\n|--|\n| r |\n## C\n- c\n"
	for rule, c := range map[string]struct {
		leave []int
		want  string
	}{
		"a slide as a whole":         {[]int{2, 3, 4, 5}, "Above.\n\n## A\n- a\n\n## C\n- c\n"},
		"only the title":             {[]int{2}, "Above.\n\n## A\n- a\nline\n- b\n| h |\n|--|\n| r |\n\n## C\n- c\n"},
		"the first title":            {[]int{0}, "Above.\n\n## B\n- a\nline\n- b\n| h |\n|--|\n| r |\n\n## C\n- c\n"},
		"a table's header":           {[]int{4}, "Above.\n\n## A\n- a\n\n## B\nline\n- b\n| r |\n\n## C\n- c\n"},
		"all titles":                 {[]int{0, 2, 6}, "Above.\n- a\nline\n- b\n| h |\n|--|\n| r |\n- c\n"},
		"all but the last two parts": {[]int{0, 1, 2, 3, 4, 5}, "Above.\n\n## C\n- c\n"},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			left := map[int]bool{}
			for _, n := range c.leave {
				left[n] = true
			}
			got := New().Without(vfs.Files{"a.md": deck}, func(n int) bool { return left[n] })
			if got["a.md"] != c.want {
				t.Errorf("%q, want %q", got["a.md"], c.want)
			}
		})
	}
}
