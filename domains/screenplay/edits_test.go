package screenplay

import (
	"strings"
	"testing"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

// document is the document of the built-in environment.
const document = "tare.txt"

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "screenplay1") }

func TestForward(t *testing.T) {
	t.Parallel()
	domaintest.Results(t, demonstration(t), vfs.Files{document: ferry}, map[string]vfs.Files{
		"fountain": {
			"tare.fountain": `Title: Tare

/*
# CHARACTERS:

- MATE: of the ferry Ellen
- COOK: who has the keys
- BOY: new aboard
*/

# SCENE:

The galley at night. A lamp swings.

# DIALOGUE:

MATE
Who had the lamp? It was trimmed at four, (points) and it is out.

COOK
Not I.

!A bell, far off. They listen.

MATE (low)
Again. Count it. Was that six?

BOY
Seven. I counted
seven of them.

# LATER

COOK
Not I.

BOY
It was not lit, sir! I looked.
`,
		},
		"sides": {
			"running_order.csv": `n,kind,file,position
1,speech,side_mate.txt,1
2,speech,side_cook.txt,1
3,direction,stage.txt,1
4,speech,side_mate.txt,2
5,speech,side_boy.txt,1
6,heading,stage.txt,2
7,speech,side_cook.txt,2
8,speech,side_boy.txt,2
`,
			"side_boy.txt": `> Was that six?
BOY: Seven. I counted
seven of them.

> Not I.
BOY: It was not lit, sir! I looked.
`,
			"side_cook.txt": `> it is out.
COOK: Not I.

> seven of them.
COOK: Not I.
`,
			"side_mate.txt": `> (top of the play)
MATE: Who had the lamp? It was trimmed at four, (points) and it is out.

> Not I.
MATE (low): Again. Count it. Was that six?
`,
			"stage.txt": `# CHARACTERS:

- MATE: of the ferry Ellen
- COOK: who has the keys
- BOY: new aboard

# SCENE:

The galley at night. A lamp swings.

# DIALOGUE:

(A bell, far off. They listen.)

# LATER
`,
		},
		"reading_copy": {
			"directions.csv": `number,kind,text
1,inline,points
2,stage,"A bell, far off. They listen."
3,inline,low
`,
			"reading_copy.txt": `# CHARACTERS:

- MATE: of the ferry Ellen
- COOK: who has the keys
- BOY: new aboard

# SCENE:

The galley at night. A lamp swings.

# DIALOGUE:

MATE: Who had the lamp? It was trimmed at four, [1] and it is out.

COOK: Not I.

[2]

MATE [3]: Again. Count it. Was that six?

BOY: Seven. I counted
seven of them.

# LATER

COOK: Not I.

BOY: It was not lit, sir! I looked.
`,
		},
		"told_backwards": {
			"told_backwards.txt": `# CHARACTERS:

- MATE: of the ferry Ellen
- COOK: who has the keys
- BOY: new aboard

# SCENE:

The galley at night. A lamp swings.

# DIALOGUE:

# MOVEMENT 1: SPEECHES 1-6

MATE: Who had the lamp? It was trimmed at four, (points) and it is out.

COOK: Not I.

(A bell, far off. They listen.)

MATE (low): Again. Count it. Was that six?

BOY: Seven. I counted
seven of them.

# LATER

COOK: Not I.

BOY: It was not lit, sir! I looked.
`,
		},
		"prompt_book": {
			"prompt_book.md": `# Prompt book

## Characters

| name | description |
| --- | --- |
| MATE | of the ferry Ellen |
| COOK | who has the keys |
| BOY | new aboard |

## Scene

The galley at night. A lamp swings.

## Dialogue

| no | who | how | line |
| --- | --- | --- | --- |
| 1 | MATE |  | Who had the lamp? It was trimmed at four, (points) and it is out. |
| 2 | COOK |  | Not I. |
|  |  | stage | A bell, far off. They listen. |
| 3 | MATE (low) |  | Again. Count it. Was that six? |
| 4 | BOY |  | Seven. I counted<br>seven of them. |
|  |  | text | # LATER |
| 5 | COOK |  | Not I. |
| 6 | BOY |  | It was not lit, sir! I looked. |
`,
		},
		"size_of_part": {
			"by_size_of_part.txt": `# CHARACTERS:

- MATE: of the ferry Ellen [2 speeches, 19 words]
- BOY: new aboard [2 speeches, 13 words]
- COOK: who has the keys [2 speeches, 4 words]

# SCENE:

The galley at night. A lamp swings.

# DIALOGUE:

MATE: Who had the lamp? It was trimmed at four, (points) and it is out.

COOK: Not I.

(A bell, far off. They listen.)

MATE (low): Again. Count it. Was that six?

BOY: Seven. I counted
seven of them.

# LATER

COOK: Not I.

BOY: It was not lit, sir! I looked.
`,
			"cast_order.csv": `name,position
MATE,1
COOK,2
BOY,3
`,
		},
		"doubling": {
			"doubled.txt": `# CHARACTERS:

- ENSEMBLE: plays MATE, COOK, BOY

# SCENE:

The galley at night. A lamp swings.

# DIALOGUE:

ENSEMBLE: {MATE} Who had the lamp? It was trimmed at four, (points) and it is out.

ENSEMBLE: {COOK} Not I.

(A bell, far off. They listen.)

ENSEMBLE (low): {MATE} Again. Count it. Was that six?

ENSEMBLE: {BOY} Seven. I counted
seven of them.

# LATER

ENSEMBLE: {COOK} Not I.

ENSEMBLE: {BOY} It was not lit, sir! I looked.
`,
			"doubling.json": `[
  {"role":"MATE","position":1,"description":"of the ferry Ellen","speeches":2},
  {"role":"COOK","position":2,"description":"who has the keys","speeches":2},
  {"role":"BOY","position":3,"description":"new aboard","speeches":2}
]
`,
		},
		"timing": {
			"timed.txt": `# CHARACTERS:

- MATE: of the ferry Ellen
- COOK: who has the keys
- BOY: new aboard

# SCENE:

The galley at night. A lamp swings.

# DIALOGUE:

[0:00] MATE: Who had the lamp? It was trimmed at four, (points) and it is out.

[0:05] COOK: Not I.

(A bell, far off. They listen.)

[0:06] MATE (low): Again. Count it. Was that six?

[0:08] BOY: Seven. I counted
seven of them.

# LATER

[0:11] COOK: Not I.

[0:12] BOY: It was not lit, sir! I looked.
`,
		},
	}, domaintest.ToTheLetter)
}

func TestEditsTakeOtherParameters(t *testing.T) {
	t.Parallel()
	const head, watch = "# CHARACTERS:\n\n- MATE: calm\n- BOY: new\n\n# DIALOGUE:\n", "\nMATE: One.\n\nBOY (low): Two.\n\nMATE: Three.\n"
	domaintest.Parameters(t, New(), vfs.Files{"watch.txt": head + watch}, domaintest.ToTheLetter,
		domaintest.Made{
			Edit: "join_small_parts", Parameters: `{"document": "watch.txt", "to": "short.txt", "name": "CREW", "most": 1, "list": "roles.json"}`,
			Want: vfs.Files{
				"short.txt":  strings.NewReplacer("- BOY: new", "- CREW: plays BOY", "BOY (low): Two", "CREW (low): {BOY} Two").Replace(head + watch),
				"roles.json": "[\n  {\"role\":\"BOY\",\"position\":2,\"description\":\"new\",\"speeches\":1}\n]\n",
			},
		},
		domaintest.Made{
			Edit: "split_by_speaker", Parameters: `{"document": "watch.txt", "begins": "part_", "rest": "r.txt", "table": "t.csv", "top": "(go)", "words": 1}`,
			Want: vfs.Files{
				"r.txt":         head,
				"part_mate.txt": "> (go)\nMATE: One.\n\n> Two.\nMATE: Three.\n",
				"part_boy.txt":  "> One.\nBOY (low): Two.\n",
				"t.csv":         "n,kind,file,position\n1,speech,part_mate.txt,1\n2,speech,part_boy.txt,1\n3,speech,part_mate.txt,2\n",
			},
		},
		domaintest.Made{
			Edit: "last_part_first", Parameters: `{"document": "watch.txt", "to": "parts.txt", "heading": "PART", "speeches": 2}`,
			Want: vfs.Files{
				"parts.txt": head + "\n# PART 2: SPEECHES 3-3\n\nMATE: Three.\n\n# PART 1: SPEECHES 1-2\n\nMATE: One.\n\nBOY (low): Two.\n",
			},
		},
	)
	domaintest.Refuses(t, New(), "split_by_speaker",
		`{"document": "a.txt", "begins": "", "rest": "r.txt", "table": "t.csv", "top": "", "words": 0}`, "a cue has at least one word")
	domaintest.Refuses(t, New(), "last_part_first",
		`{"document": "a.txt", "to": "b.txt", "heading": "PART", "speeches": 0}`, "speeches must be at least 1")
	domaintest.Refuses(t, New(), "start_times", `{"document": "a.txt", "to": "b.txt", "pace": 0}`, "pace must be at least 1")
}
