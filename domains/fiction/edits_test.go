package fiction

import (
	"strings"
	"testing"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

// document is the document of the built-in environment.
const document = "saltmarsh_bell.txt"

// demonstration is the domain with a judge and the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain {
	return domaintest.With(t, New().(domains.Judged).WithJudge(domaintest.Unmoved{}), "fiction1")
}

const tale = `The Colour of It

“Grey,” said Hester. “As the harbour is grey.”

She had travelled with Tobias Pell, and Pell had not slept.

* * *

The harbour took the harbour light. Tobias asked Hester, "Shall
we?" and Hester laughed.
`

func TestEdits(t *testing.T) {
	t.Parallel()
	domaintest.Results(t, demonstration(t), vfs.Files{document: tale}, map[string]vfs.Files{
		"scene_cards": {
			"scene_01.txt": tale[:strings.Index(tale, "\n\n* * *")] + "\n",
			"scene_02.txt": tale[strings.Index(tale, "The harbour took"):],
			"scenes.csv":   "scene,paragraphs,words,opening,break_after\n1,3,23,The Colour of It,* * *\n2,1,14,The harbour took the harbour,\n",
		},
		"cast_list": {
			"coded.txt": "The Colour of It\n\n“Grey,” said {{C1}}. “As the harbour is grey.”\n\n" +
				"She had travelled with {{C2}} {{C3}}, and {{C3}} had not slept.\n\n* * *\n\n" +
				"The harbour took the harbour light. {{C2}} asked {{C1}}, \"Shall\nwe?\" and {{C1}} laughed.\n",
			"cast.csv": "code,name,count\n{{C1}},Hester,3\n{{C2}},Tobias,2\n{{C3}},Pell,2\n",
		},
		"reading_edition": {
			"reading_edition.txt": "[1] The Colour of It (4)\n\n[2] “Grey,” said Hester. “As the harbour is grey.” (12)\n\n" +
				"[3] She had travelled with Tobias Pell, and Pell had not slept. (23)\n\n[4] * * * (26)\n\n" +
				"[5] The harbour took the harbour light. Tobias asked Hester, \"Shall\nwe?\" and Hester laughed. (40)\n",
			"contents.csv": "paragraph,words,percent\n1,4,10.0\n2,8,20.0\n3,11,27.5\n4,3,7.5\n5,14,35.0\n",
		},
		"dialogue_apart": {
			"narrative.txt": "The Colour of It\n\n[[1]] said Hester. [[2]]\n\nShe had travelled with Tobias Pell, and Pell had not slept.\n\n* * *\n\n" +
				"The harbour took the harbour light. Tobias asked Hester, [[3]] and Hester laughed.\n",
			"dialogue.csv": "number,paragraph,speech\n1,2,\"“Grey,”\"\n2,2,“As the harbour is grey.”\n3,5,\"\"\"Shall we?\"\"\"\n",
		},
		"american_spelling": {
			"american.txt": strings.NewReplacer("Colour", "Color", "Grey", "Gray", "grey", "gray", "harbour", "harbor", "travelled", "traveled").Replace(tale),
			"changes.csv": "word,british,american\n2,Colour,Color\n5,Grey,Gray\n10,harbour,harbor\n12,grey,gray\n15,travelled,traveled\n" +
				"25,harbour,harbor\n28,harbour,harbor\n",
		},
		"story_json": {
			"story.json": `{
  "title": "The Colour of It",
  "scenes": [
    {
      "paragraphs": [
        "“Grey,” said Hester. “As the harbour is grey.”",
        "She had travelled with Tobias Pell, and Pell had not slept."
      ],
      "break_after": "* * *"
    },
    {
      "paragraphs": [
        "The harbour took the harbour light. Tobias asked Hester, \"Shall\nwe?\" and Hester laughed."
      ],
      "break_after": ""
    }
  ]
}
`,
		},
		"by_length": {
			"by_length.txt": "The harbour took the harbour light. Tobias asked Hester, \"Shall\nwe?\" and Hester laughed.\n\n" +
				"She had travelled with Tobias Pell, and Pell had not slept.\n\n“Grey,” said Hester. “As the harbour is grey.”\n\n" +
				"The Colour of It\n\n* * *\n",
			"order.csv": "place,paragraph,words\n1,5,14\n2,3,11\n3,2,8\n4,1,4\n5,4,3\n",
		},
		"concordance": {
			"marked.txt": "§1 The Colour of It\n\n§2 “Grey,” said Hester. “As the harbour is grey.”\n\n" +
				"§3 She had travelled with Tobias Pell, and Pell had not slept.\n\n§4 * * *\n\n" +
				"§5 The harbour took the harbour light. Tobias asked Hester, \"Shall\nwe?\" and Hester laughed.\n",
			"concordance.json": "[\n" + `  {"word":"harbour","count":3,"paragraphs":[2,5]},` + "\n" + `  {"word":"hester","count":3,"paragraphs":[2,5]}` + "\n]\n",
		},
	}, domaintest.InMeaning)
}

func TestWhatEditsRefuse(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		edit     string
		backward bool
		files    vfs.Files
		problem  string
	}{
		"a scene of nothing":     {"scene_cards", false, vfs.Files{document: "T\n\n* * *\n\n* * *\n\nx\n"}, "a scene has no paragraphs"},
		"a scene is missing":     {"scene_cards", true, vfs.Files{"scenes.csv": "scene,break_after\n1,\n2,\n", "scene_01.txt": "x\n"}, "scene_02.txt is missing"},
		"no scenes":              {"scene_cards", true, vfs.Files{"scenes.csv": "scene,break_after\n"}, "lists no scenes"},
		"codes already":          {"cast_list", false, vfs.Files{document: "T\n\n{{C1}} went.\n"}, "codes already"},
		"marks for speech":       {"dialogue_apart", false, vfs.Files{document: "T\n\n[[1]]\n"}, "marks for speech already"},
		"marks of a concordance": {"concordance", false, vfs.Files{document: "T\n\n§1 went.\n"}, "marks already"},
		"a title alone":          {"story_json", false, vfs.Files{document: "T\n"}, "no title and text"},
		"no such place":          {"by_length", true, vfs.Files{"by_length.txt": "x\n", "order.csv": "place,paragraph\n2,1\n"}, `no place "2"`},
		"an empty story":         {"reading_edition", false, vfs.Files{document: "\n"}, "no paragraphs"},
		"no story in JSON":       {"story_json", true, vfs.Files{"story.json": `{"title": "T"}`}, "has no story"},
	} {
		edit := domaintest.Edit(t, demonstration(t), c.edit)
		do := edit.Forward
		if c.backward {
			do = edit.Backward
		}
		if got, err := do(c.files); err == nil || !strings.Contains(err.Error(), c.problem) {
			t.Errorf("%s: %v and the error %v, want %q", name, got, err, c.problem)
		}
	}
}

func TestEditsTakeOtherParameters(t *testing.T) {
	t.Parallel()
	files := vfs.Files{"tale.txt": tale}
	domaintest.Parameters(t, New(), files, domaintest.ToTheLetter,
		domaintest.Made{
			Edit: "code_names", Parameters: `{"document": "tale.txt", "to": "n.txt", "first": "N07", "table": "n.csv"}`,
			Want: vfs.Files{
				"n.txt": strings.NewReplacer("Hester", "{{N07}}", "Tobias", "{{N08}}", "Pell", "{{N09}}").Replace(tale),
				"n.csv": "code,name,count\n{{N07}},Hester,3\n{{N08}},Tobias,2\n{{N09}},Pell,2\n",
			},
		},
		domaintest.Made{
			Edit: "respell", Parameters: `{"document": "tale.txt", "to": "o.txt", "words": {"harbour": "haven", "asked": "ask'd"}, "own": "new", "other": "old", "table": "o.csv"}`,
			Want: vfs.Files{
				"o.txt": strings.NewReplacer("harbour", "haven", "asked", "ask'd").Replace(tale),
				"o.csv": "word,new,old\n10,harbour,haven\n25,harbour,haven\n28,harbour,haven\n31,asked,ask'd\n",
			},
		},
		domaintest.Made{
			Edit: "split_by_scene", Parameters: `{"document": "tale.txt", "begins": "part", "words": 1, "table": "p.csv"}`,
			Want: vfs.Files{
				"part01.txt": tale[:strings.Index(tale, "\n\n* * *")] + "\n",
				"part02.txt": tale[strings.Index(tale, "The harbour took"):],
				"p.csv":      "scene,paragraphs,words,opening,break_after\n1,3,23,The,* * *\n2,1,14,The,\n",
			},
		},
		domaintest.Made{
			Edit: "concordance", Parameters: `{"document": "tale.txt", "to": "m.txt", "letters": 4, "count": 4, "list": "c.json"}`,
			Want: vfs.Files{
				"m.txt":  strings.NewReplacer("The C", "§1 The C", "“Grey", "§2 “Grey", "She", "§3 She", "* * *", "§4 * * *", "The h", "§5 The h").Replace(tale),
				"c.json": "[\n]\n",
			},
		},
	)
}
