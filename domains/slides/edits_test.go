package slides

import (
	"strings"
	"testing"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

// small is a deck with what the edits look for: a slide with more than six
// bullets, one that can build up, titles that repeat, a placeholder, two tables,
// notes, and an image that is shown twice.
const small = `---
title: "Discs"
---

<!-- draft -->

## Discs in lane 1 [@(1,2) | 36pt]

*Board, 3 May*
[IMAGE: lane 1.jpg @(7,1)]

## Agenda [@(1,0)]

- Why [@(1,2)]
  - what it cost

## Slide 3

- Fouled [@(3,6) | 14pt]
[IMAGE: dome.png @(2,1)]
[IMAGE: lane 1.jpg]

## Cost

| Item | £k |
| --- | ---: |
| Discs | 655 |

::: {.notes}
Outturn, not estimate.
Seven under "plan".
:::

## Snags [@(1,0)]

- one
- two
- three
- four
- five
- six
- seven
Walked on 3 May.

## Cost

[CHART: cost by month @(5,1)]
| Lane |
|-|
`

const smallNotes = `::: {.notes}
Outturn, not estimate.
Seven under "plan".
:::

`

// with is the small deck with passages replaced, given in pairs.
func with(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(small) }

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "slides1") }

const document = "aeration_review.md"

func TestForward(t *testing.T) {
	t.Parallel()
	domaintest.Results(t, demonstration(t), vfs.Files{document: small}, map[string]vfs.Files{
		"widescreen": {
			"aeration_review_wide.md": with("@(1,", "@(2,", "@(7,", "@(11,", "@(3,", "@(5,", "@(2,", "@(3,", "@(5,", "@(8,"),
		},
		"speaker_script": {
			"aeration_review_slides.md": with(smallNotes, ""),
			"speaker_script.json": `[
  {"slide":4,"title":"Cost","below":4,"words":6,"seconds":3,"notes":["Outturn, not estimate.","Seven under \"plan\"."]}
]
`,
		},
		"handout": {
			"handout.csv": `slide,n,kind,level,x,y,pt,text
0,1,line,,,,,---
0,1,line,,,,,"title: ""Discs"""
0,1,line,,,,,---
0,2,line,,,,,<!-- draft -->
1,1,title,,1,2,36,Discs in lane 1
1,2,line,,,,,"*Board, 3 May*"
1,3,image,,7,1,,lane 1.jpg
2,1,title,,1,0,,Agenda
2,2,bullet,0,1,2,,Why
2,3,bullet,1,,,,what it cost
3,1,title,,,,,Slide 3
3,2,bullet,0,3,6,14,Fouled
3,3,image,,2,1,,dome.png
3,4,image,,,,,lane 1.jpg
4,1,title,,,,,Cost
4,2,line,,,,,| Item | £k |
4,3,line,,,,,| --- | ---: |
4,4,line,,,,,| Discs | 655 |
4,5,notes,,,,,"Outturn, not estimate."
4,5,notes,,,,,"Seven under ""plan""."
5,1,title,,1,0,,Snags
5,2,bullet,0,,,,one
5,3,bullet,0,,,,two
5,4,bullet,0,,,,three
5,5,bullet,0,,,,four
5,6,bullet,0,,,,five
5,7,bullet,0,,,,six
5,8,bullet,0,,,,seven
5,9,line,,,,,Walked on 3 May.
6,1,title,,,,,Cost
6,2,chart,,5,1,,cost by month
6,3,line,,,,,| Lane |
6,4,line,,,,,|-|
`,
		},
		"six_bullets": {
			"aeration_review_light.md": with("- seven", "\n## Snags (cont.) [@(1,0)]\n\n- seven"),
			"splits.csv":               "slide,title,slides\n5,Snags,2\n",
		},
		"gradual_build": {
			"aeration_review_build.md": with("- Why [@(1,2)]\n", "- Why [@(1,2)]\n\n## Agenda [@(1,0)]\n\n- Why [@(1,2)]\n"),
			"builds.csv":               "slide,title,steps\n2,Agenda,2\n",
		},
		"clear_titles": {
			"aeration_review_titles.md": with("Slide 3", "Fouled", "## Cost\n\n|", "## Cost (1 of 2)\n\n|", "## Cost\n\n[", "## Cost (2 of 2)\n\n["),
			"old_titles.csv":            "slide,title\n3,Slide 3\n4,Cost\n6,Cost\n",
		},
		"appendix": {
			"aeration_review_short.md": `---
title: "Discs"
---

<!-- draft -->

## Discs in lane 1 [@(1,2) | 36pt]

*Board, 3 May*
[IMAGE: lane 1.jpg @(7,1)]

## Agenda [@(1,0)]

- Why [@(1,2)]
  - what it cost

## Slide 3

- Fouled [@(3,6) | 14pt]
[IMAGE: dome.png @(2,1)]
[IMAGE: lane 1.jpg]

## Snags [@(1,0)]

- one
- two
- three
- four
- five
- six
- seven
Walked on 3 May.

## Appendix

## Cost

| Item | £k |
| --- | ---: |
| Discs | 655 |

::: {.notes}
Outturn, not estimate.
Seven under "plan".
:::

## Cost

[CHART: cost by month @(5,1)]
| Lane |
|-|
`,
			"appendix.csv": "slide,title,rows\n4,Cost,2\n6,Cost,1\n",
		},
		"decks_by_content": {
			"deck_data.md": `## Cost

| Item | £k |
| --- | ---: |
| Discs | 655 |

::: {.notes}
Outturn, not estimate.
Seven under "plan".
:::

## Cost

[CHART: cost by month @(5,1)]
| Lane |
|-|
`,
			"deck_pictures.md": `## Discs in lane 1 [@(1,2) | 36pt]

*Board, 3 May*
[IMAGE: lane 1.jpg @(7,1)]

## Slide 3

- Fouled [@(3,6) | 14pt]
[IMAGE: dome.png @(2,1)]
[IMAGE: lane 1.jpg]
`,
			"deck_talk.md": `---
title: "Discs"
---

<!-- draft -->

## Agenda [@(1,0)]

- Why [@(1,2)]
  - what it cost

## Snags [@(1,0)]

- one
- two
- three
- four
- five
- six
- seven
Walked on 3 May.
`,
			"slide_map.csv": `slide,file,number
1,deck_pictures.md,1
2,deck_talk.md,1
3,deck_pictures.md,2
4,deck_data.md,1
5,deck_talk.md,2
6,deck_data.md,2
`,
		},
		"figure_numbers": {
			"aeration_review_figures.md": with("lane 1.jpg", "fig_01.jpg", "dome.png", "fig_02.png"),
			"figures.csv":                "figure,image,slides\nfig_01.jpg,lane 1.jpg,1 3\nfig_02.png,dome.png,3\n",
		},
	}, domaintest.InMeaning)
}

// TestBackwardOfDamaged takes lines away from the files between the steps.
func TestBackwardOfDamaged(t *testing.T) {
	t.Parallel()
	d := demonstration(t)
	for rule, c := range map[string]struct {
		edit, file, line string // the line to be lost
		want             string // the first difference then, empty if there is none
	}{
		"a slide of which the title is not listed keeps it": {
			"clear_titles", "old_titles.csv", "3,Slide 3\n",
			`slide "Slide 3": lost (Slide 3)`,
		},
		"a build that is not listed stays": {
			"gradual_build", "builds.csv", "2,Agenda,2\n",
			`slide "Agenda": added (Agenda)`,
		},
		"slides that are not listed as split stay so": {
			"six_bullets", "splits.csv", "5,Snags,2\n",
			`slide "Snags (cont.)": added (Snags (cont.))`,
		},
		"an image that is not in the register keeps its number": {
			"figure_numbers", "figures.csv", "fig_02.png,dome.png,3\n",
			`image 1 of "Slide 3", name: dome.png -> fig_02.png`,
		},
		"a slide that the map does not have comes last": {
			"decks_by_content", "slide_map.csv", "2,deck_talk.md,1\n",
			`title "Agenda": moved from place 4 to 23`,
		},
		"a deck without a heading for the appendix stays": {
			"appendix", "aeration_review_short.md", "## Appendix\n\n",
			`title "Cost": moved from place 11 to 19`,
		},
		"a lost row is a lost line": {
			"handout", "handout.csv", "5,2,bullet,0,,,,one\n",
			`bullet 1 of "Snags": lost (bullet | one)`,
		},
		"a lost object is lost notes": {
			"speaker_script", "speaker_script.json",
			`{"slide":4,"title":"Cost","below":4,"words":6,"seconds":3,"notes":["Outturn, not estimate.","Seven under \"plan\"."]}`,
			`notes 1 of "Cost": lost (notes | Outturn, not estimate. | Seven under "plan".)`,
		},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			edit := domaintest.Edit(t, d, c.edit)
			files, err := edit.Forward(vfs.Files{document: small})
			if err != nil {
				t.Fatal(err)
			}
			if strings.Count(files[c.file], c.line) != 1 {
				t.Fatalf("%s has no %q", c.file, c.line)
			}
			files[c.file] = strings.Replace(files[c.file], c.line, "", 1)
			got, err := edit.Backward(files)
			if err != nil {
				t.Fatal(err)
			}
			first := ""
			if differences := New().Differences(vfs.Files{document: small}, got); len(differences) > 0 {
				first = differences[0].String()
			}
			if first != c.want {
				t.Errorf("the first difference is %q, want %q", first, c.want)
			}
		})
	}
}

func TestEditsRefuse(t *testing.T) {
	t.Parallel()
	d := demonstration(t)
	for rule, c := range map[string]struct {
		edit  string
		files vfs.Files
		want  string
	}{
		"a position beyond all slides": {"widescreen", vfs.Files{document: "## A [@(99999999999,1)]\n"}, "the position in"},
		"a deck without slides":        {"six_bullets", vfs.Files{document: "- a\n"}, "no slides found"},
		"a file of another kind":       {"handout", vfs.Files{"deck.txt": small}, "no slides found"},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			_, err := domaintest.Edit(t, d, c.edit).Forward(c.files)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q in it", err, c.want)
			}
		})
	}
}

// Other parameters make other files of the same deck.
func TestEditsWithOtherParameters(t *testing.T) {
	t.Parallel()
	domaintest.Parameters(t, New(), vfs.Files{"deck.md": small}, domaintest.InMeaning, []domaintest.Made{
		{
			Edit: "scale_columns", Parameters: `{"document": "deck.md", "to": "wide.md", "from": 1, "columns": 2}`,
			Want: vfs.Files{"wide.md": with("@(1,", "@(2,", "@(7,", "@(14,", "@(3,", "@(6,", "@(2,", "@(4,", "@(5,", "@(10,")},
		},
		{
			Edit: "split_dense", Parameters: `{"document": "deck.md", "to": "light.md", "most": 4, "mark": ", more", "table": "t.csv"}`,
			Want: vfs.Files{
				"light.md": with("- five", "\n## Snags, more [@(1,0)]\n\n- five"),
				"t.csv":    "slide,title,slides\n5,Snags,2\n",
			},
		},
		{
			Edit: "number_images", Parameters: `{"document": "deck.md", "to": "n.md", "first": "i9", "table": "t.csv"}`,
			Want: vfs.Files{
				"n.md":  with("lane 1.jpg", "i9.jpg", "dome.png", "i10.png"),
				"t.csv": "figure,image,slides\ni9.jpg,lane 1.jpg,1 3\ni10.png,dome.png,3\n",
			},
		},
		{
			Edit: "take_notes", Parameters: `{"document": "deck.md", "to": "quiet.md", "words": 60, "list": "said.json"}`,
			Want: vfs.Files{
				"quiet.md":  with(smallNotes, ""),
				"said.json": "[\n  {\"slide\":4,\"title\":\"Cost\",\"below\":4,\"words\":6,\"seconds\":6,\"notes\":[\"Outturn, not estimate.\",\"Seven under \\\"plan\\\".\"]}\n]\n",
			},
		},
	}...)
	made, err := domaintest.Edit(t, New(), "scale_columns").With(`{"document": "deck.md", "to": "wide.md", "from": 3, "columns": 4}`)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := made.Forward(vfs.Files{"a.md": small}); err == nil || !strings.Contains(err.Error(), "would not come back") {
		t.Errorf("error %v where positions do not come back", err)
	}
}
