package earncall

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

// quarter is a short call with what the edits look for: a title, a participant
// with a title, a turn of two lines, a "|", amounts of several scales, and three
// exchanges.
const quarter = `Aurland Power, second quarter

Participants
Liv Berg - Chief Executive

Prepared Remarks

Operator: Welcome. Over to Liv Berg.

Liv Berg: Revenue was $1.48 billion, up 8%.
Hydro|wind margins fell 40 basis points, and a turbine is $1,150.

Questions and Answers

Operator: Sam O'Dea is next.

Sam O'Dea: Is there a Tariff on $0.05 of it?

Operator: Next is Amy Roe.

Amy Roe: What do welders earn, and is there a tariff?

Liv Berg: Thanks.

Operator: Goodbye.
`

// document is the file of the documents in these tests.
const document = "wapsie_q3_2024_call.txt"

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "earncall1") }

func TestForward(t *testing.T) {
	t.Parallel()
	domaintest.Results(t, demonstration(t), vfs.Files{document: quarter}, map[string]vfs.Files{
		"sections_json": {
			"wapsie_call.json": `[
  {
    "heading": "",
    "lines": [
      "Aurland Power, second quarter"
    ],
    "turns": []
  },
  {
    "heading": "Participants",
    "lines": [
      "Liv Berg - Chief Executive"
    ],
    "turns": []
  },
  {
    "heading": "Prepared Remarks",
    "lines": [],
    "turns": [
      {
        "speaker": "Operator",
        "paragraphs": [
          "Welcome. Over to Liv Berg."
        ]
      },
      {
        "speaker": "Liv Berg",
        "paragraphs": [
          "Revenue was $1.48 billion, up 8%.",
          "Hydro|wind margins fell 40 basis points, and a turbine is $1,150."
        ]
      }
    ]
  },
  {
    "heading": "Questions and Answers",
    "lines": [],
    "turns": [
      {
        "speaker": "Operator",
        "paragraphs": [
          "Sam O'Dea is next."
        ]
      },
      {
        "speaker": "Sam O'Dea",
        "paragraphs": [
          "Is there a Tariff on $0.05 of it?"
        ]
      },
      {
        "speaker": "Operator",
        "paragraphs": [
          "Next is Amy Roe."
        ]
      },
      {
        "speaker": "Amy Roe",
        "paragraphs": [
          "What do welders earn, and is there a tariff?"
        ]
      },
      {
        "speaker": "Liv Berg",
        "paragraphs": [
          "Thanks."
        ]
      },
      {
        "speaker": "Operator",
        "paragraphs": [
          "Goodbye."
        ]
      }
    ]
  }
]
`,
		},
		"masked_figures": {
			"figures.csv": `id,kind,text
F1,amount,$1.48 billion
F2,percentage,8%
F3,basis points,40 basis points
F4,amount,"$1,150"
F5,amount,$0.05
`,
			"wapsie_call_masked.txt": `Aurland Power, second quarter

Participants
Liv Berg - Chief Executive

Prepared Remarks

Operator: Welcome. Over to Liv Berg.

Liv Berg: Revenue was [F1], up [F2].
Hydro|wind margins fell [F3], and a turbine is [F4].

Questions and Answers

Operator: Sam O'Dea is next.

Sam O'Dea: Is there a Tariff on [F5] of it?

Operator: Next is Amy Roe.

Amy Roe: What do welders earn, and is there a tariff?

Liv Berg: Thanks.

Operator: Goodbye.
`,
		},
		"euros": {
			"fx.csv": `id,eur,usd
1,€1.36 billion,$1.48 billion
2,"€1,058","$1,150"
3,€0.05,$0.05
`,
			"wapsie_call_eur.txt": `Aurland Power, second quarter

Participants
Liv Berg - Chief Executive

Prepared Remarks

Operator: Welcome. Over to Liv Berg.

Liv Berg: Revenue was €1.36 billion, up 8%.
Hydro|wind margins fell 40 basis points, and a turbine is €1,058.

Questions and Answers

Operator: Sam O'Dea is next.

Sam O'Dea: Is there a Tariff on €0.05 of it?

Operator: Next is Amy Roe.

Amy Roe: What do welders earn, and is there a tariff?

Liv Berg: Thanks.

Operator: Goodbye.
`,
		},
		"speaker_files": {
			"call_flow.csv": `turn,speaker,file,position
1,Operator,turns_operator.txt,1
2,Liv Berg,turns_liv_berg.txt,1
3,Operator,turns_operator.txt,2
4,Sam O'Dea,turns_sam_o_dea.txt,1
5,Operator,turns_operator.txt,3
6,Amy Roe,turns_amy_roe.txt,1
7,Liv Berg,turns_liv_berg.txt,2
8,Operator,turns_operator.txt,4
`,
			"call_frame.txt": `Aurland Power, second quarter

Participants
Liv Berg - Chief Executive

Prepared Remarks
[turns 1-2]

Questions and Answers
[turns 3-8]
`,
			"turns_amy_roe.txt": `Amy Roe: What do welders earn, and is there a tariff?
`,
			"turns_liv_berg.txt": `Liv Berg: Revenue was $1.48 billion, up 8%.
Hydro|wind margins fell 40 basis points, and a turbine is $1,150.

Liv Berg: Thanks.
`,
			"turns_operator.txt": `Operator: Welcome. Over to Liv Berg.

Operator: Sam O'Dea is next.

Operator: Next is Amy Roe.

Operator: Goodbye.
`,
			"turns_sam_o_dea.txt": `Sam O'Dea: Is there a Tariff on $0.05 of it?
`,
		},
		"questions_by_topic": {
			"call_remarks.txt": `Aurland Power, second quarter

Participants
Liv Berg - Chief Executive

Prepared Remarks

Operator: Welcome. Over to Liv Berg.

Liv Berg: Revenue was $1.48 billion, up 8%.
Hydro|wind margins fell 40 basis points, and a turbine is $1,150.

Questions and Answers
[exchanges]
`,
			"qa_other.txt": `--- exchange 3 ---

Operator: Goodbye.
`,
			"qa_regulation.txt": `--- exchange 1 ---

Operator: Sam O'Dea is next.

Sam O'Dea: Is there a Tariff on $0.05 of it?

--- exchange 2 ---

Operator: Next is Amy Roe.

Amy Roe: What do welders earn, and is there a tariff?

Liv Berg: Thanks.
`,
		},
		"roles": {
			"roles.csv": `role,name
Chief Executive,Liv Berg
`,
			"wapsie_call_roles.txt": `Aurland Power, second quarter

Participants
Liv Berg - Chief Executive

Prepared Remarks

Operator: Welcome. Over to Liv Berg.

Chief Executive: Revenue was $1.48 billion, up 8%.
Hydro|wind margins fell 40 basis points, and a turbine is $1,150.

Questions and Answers

Operator: Sam O'Dea is next.

Sam O'Dea: Is there a Tariff on $0.05 of it?

Operator: Next is Amy Roe.

Amy Roe: What do welders earn, and is there a tariff?

Chief Executive: Thanks.

Operator: Goodbye.
`,
		},
		"timed_minutes": {
			"wapsie_call.md": `Aurland Power, second quarter

## Participants

Liv Berg - Chief Executive

## Prepared Remarks

### 1. Operator [00:00:00]

Welcome. Over to Liv Berg.

### 2. Liv Berg [00:00:02]

Revenue was $1.48 billion, up 8%.
Hydro|wind margins fell 40 basis points, and a turbine is $1,150.

## Questions and Answers

### 3. Operator [00:00:08]

Sam O'Dea is next.

### 4. Sam O'Dea [00:00:10]

Is there a Tariff on $0.05 of it?

### 5. Operator [00:00:13]

Next is Amy Roe.

### 6. Amy Roe [00:00:15]

What do welders earn, and is there a tariff?

### 7. Liv Berg [00:00:18]

Thanks.

### 8. Operator [00:00:19]

Goodbye.
`,
		},
		"by_length": {
			"call_without_turns.txt": `Aurland Power, second quarter

Participants
Liv Berg - Chief Executive

Prepared Remarks
[turns 1-2]

Questions and Answers
[turns 3-8]
`,
			"turns_by_length.csv": `turn,speaker,words,text
2,Liv Berg,17,"Revenue was $1.48 billion, up 8%. | Hydro||wind margins fell 40 basis points, and a turbine is $1,150."
6,Amy Roe,9,"What do welders earn, and is there a tariff?"
4,Sam O'Dea,8,Is there a Tariff on $0.05 of it?
1,Operator,5,Welcome. Over to Liv Berg.
3,Operator,4,Sam O'Dea is next.
5,Operator,4,Next is Amy Roe.
7,Liv Berg,1,Thanks.
8,Operator,1,Goodbye.
`,
		},
		"segments": {
			"segment_1.txt": `Aurland Power, second quarter

Participants
Liv Berg - Chief Executive

Prepared Remarks

Operator: Welcome. Over to Liv Berg.

Liv Berg: Revenue was $1.48 billion, up 8%.
Hydro|wind margins fell 40 basis points, and a turbine is $1,150.

Questions and Answers

Operator: Sam O'Dea is next.

Sam O'Dea: Is there a Tariff on $0.05 of it?

Operator: Next is Amy Roe.

Amy Roe: What do welders earn, and is there a tariff?

Liv Berg: Thanks.

Operator: Goodbye.
`,
		},
	}, domaintest.ToTheLetter)
}

// TestBackwardOfDamaged takes passages away from the files between the steps.
func TestBackwardOfDamaged(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct {
		edit, file, was, is string
		want                string // what is then lost, changed or added
	}{
		"a figure that is not listed stays masked": {
			"masked_figures", "figures.csv", "F2,percentage,8%\n", "",
			`Liv Berg, "Revenue was $1.48 billion, up 8%.", sentence: Revenue was $1.48 billion, up 8%. -> Revenue was $1.48 billion, up [F2].`,
		},
		"a lost amount does not shift the others": {
			"euros", "wapsie_call_eur.txt", "€1.36 billion", "[redacted]",
			`Liv Berg, "Revenue was $1.48 billion, up 8%.", sentence: Revenue was $1.48 billion, up 8%. -> Revenue was [redacted], up 8%.`,
		},
		"a turn that the table does not have stays after the one before": {
			"speaker_files", "call_flow.csv", "7,Liv Berg,turns_liv_berg.txt,2\n", "",
			`Liv Berg, "Thanks.": moved from place 7 to 3`,
		},
		"turns without a place stay in order": {
			"by_length", "call_without_turns.txt", "[turns 3-8]\n", "",
			`heading "Questions and Answers", before: Operator, "Sam O'Dea is next." -> the end`,
		},
		"an exchange is lost alone": {
			"questions_by_topic", "qa_other.txt", "Operator: Goodbye.\n", "",
			`Operator, "Goodbye.": lost (operator | Goodbye.)`,
		},
		"a role that is not listed stays": {
			"roles", "roles.csv", "Chief Executive,Liv Berg\n", "",
			`Liv Berg, "Revenue was $1.48 billion, up 8%.", speaker: liv berg -> chief executive` +
				`Liv Berg, "Thanks.", speaker: liv berg -> chief executive`,
		},
		"minutes need neither times nor blank lines": {
			"timed_minutes", "wapsie_call.md", " [00:00:10]\n\n", "\n", "",
		},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			files, err := domaintest.Edit(t, demonstration(t), c.edit).Forward(vfs.Files{document: quarter})
			if err != nil {
				t.Fatal(err)
			}
			if strings.Count(files[c.file], c.was) != 1 {
				t.Fatalf("%q is not once in\n%s", c.was, files[c.file])
			}
			files[c.file] = strings.Replace(files[c.file], c.was, c.is, 1)
			got, err := domaintest.Edit(t, demonstration(t), c.edit).Backward(files)
			if err != nil {
				t.Fatal(err)
			}
			found := ""
			for _, d := range New().Differences(vfs.Files{document: quarter}, got) {
				found += d.String()
			}
			if found != c.want {
				t.Errorf("differences: %q, want %q", found, c.want)
			}
		})
	}
}

func TestForwardRefuses(t *testing.T) {
	t.Parallel()
	for edit, content := range map[string]string{
		"masked_figures": "Operator: See [F1] on 5%.\n",
		"euros":          "Operator: It was €4.60, or $5.00.\n",
		"speaker_files":  "Sean O'Dea: Yes.\n\nSean O Dea: No.\n",
		"roles":          "Executives\nAmy Roe - Director\nSam Day - Director\n\nAmy Roe: Yes.\n\nSam Day: No.\n",
	} {
		if got, err := domaintest.Edit(t, demonstration(t), edit).Forward(vfs.Files{document: content}); err == nil {
			t.Errorf("%s gave %v, want an error", edit, got)
		}
	}
}

func TestSegmentsAreFull(t *testing.T) {
	t.Parallel()
	turn := func(speaker string, words int) string { return speaker + ":" + strings.Repeat(" tide", words) + "\n" }
	long, first, second := turn("Amy Roe", 501), turn("Liv Berg", 300), turn("Sam Day", 200)
	content := strings.Join([]string{first, "Q&A\n", second, turn("Operator", 1), long, "Closing Remarks\n"}, "\n")
	want := vfs.Files{
		"segment_1.txt": first + "\nQ&A\n\n" + second,
		"segment_2.txt": turn("Operator", 1),
		"segment_3.txt": long + "\nClosing Remarks\n",
	}
	segments := domaintest.Edit(t, demonstration(t), "segments")
	got, err := segments.Forward(vfs.Files{document: content})
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v %s", err, diff)
	}
	joined, err := segments.Backward(got)
	if diff := cmp.Diff(vfs.Files{document: content}, joined); diff != "" || err != nil {
		t.Errorf("%v %s", err, diff)
	}
}

func TestConverted(t *testing.T) {
	t.Parallel()
	rate := decimal.RequireFromString("0.92")
	for dollars, want := range map[string]string{
		"116.3": "107.0", "148,000": "136,160", "1200": "1,104", "0.01": "0.01", "0": "0", "1,234,567.895": "1,135,802.463", "25": "23",
	} {
		if got := converted(dollars, rate); got != want {
			t.Errorf("%s dollars are %s euros, want %s", dollars, got, want)
		}
	}
}

// TestOtherParameters has edits of another document than the built-in one.
func TestOtherParameters(t *testing.T) {
	t.Parallel()
	const talk = "Amy Roe: We paid €2,000, or €1.5 per head.\n\nSam Day: Fine.\n"
	edits := domaintest.Making(t, New(), map[string]string{
		"restate": `{"document": "talk.txt", "to": "francs.txt", "own": {"symbol": "€", "column": "euros"},
			"other": {"symbol": "CHF ", "column": "francs"}, "rate": 1.1, "table": "rates.csv"}`,
		"cut_by_words":   `{"document": "talk.txt", "begins": "piece", "words": 2}`,
		"split_by_topic": `{"document": "talk.txt", "begins": "on_", "topics": [], "others": "all", "rest": "rest.txt"}`,
	})
	domaintest.Results(t, edits, vfs.Files{"talk.txt": talk}, map[string]vfs.Files{
		"restate": {
			"francs.txt": "Amy Roe: We paid CHF 2,200, or CHF 1.7 per head.\n\nSam Day: Fine.\n",
			"rates.csv":  "id,francs,euros\n1,\"CHF 2,200\",\"€2,000\"\n2,CHF 1.7,€1.5\n",
		},
		"cut_by_words":   {"piece1.txt": "Amy Roe: We paid €2,000, or €1.5 per head.\n", "piece2.txt": "Sam Day: Fine.\n"},
		"split_by_topic": {"rest.txt": talk},
	}, domaintest.ToTheLetter)
}
