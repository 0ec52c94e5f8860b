package emails

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

const (
	question = `From: Ana Reis <ana@cais7.pt>
To: Bo Ek <bo@lights.se>,
	crew@cais7.pt
Subject: hall 2
Date: Fri, 1 Mar 2024 10:00 +0100
Message-ID: <1@cais7.pt>

Bo,

the van takes 3.2 m, not 4.
Who has the keys?

-- ` + `
Ana & co
`
	answer = `From: bo@lights.se (Bo Ek)
To: Ana Reis <ana@cais7.pt>
Subject: =?utf-8?Q?Re:_hall_2?=
Date: Fri, 1 Mar 2024 08:59:30 -0030
Message-ID: <2@lights.se>
In-Reply-To: <1@cais7.pt>

> the van takes 3.2 m, not 4.
> Who has the keys?

The porter, or write to ana@cais7.pt.

> Not a line of hers

Is that "all"?
`
	plan = `From: Bo Ek <bo@lights.se>
Subject: plan
Date: Thu, 29 Feb 2024 23:30:00 +0000

The plan.

-- ` + `
Ana & co
`
)

var (
	letters      = joined(question, answer, plan)
	lettersFiles = vfs.Files{"salt_wolf_thread.eml": letters}
)

func joined(messages ...string) string { return strings.Join(messages, "\n"+divider+"\n\n") }

var forwardResults = map[string]vfs.Files{
	"json_thread": {
		"thread.json": `[
  {
    "headers": [
      [
        "From",
        "Ana Reis <ana@cais7.pt>"
      ],
      [
        "To",
        "Bo Ek <bo@lights.se>,\n\tcrew@cais7.pt"
      ],
      [
        "Subject",
        "hall 2"
      ],
      [
        "Date",
        "Fri, 1 Mar 2024 10:00 +0100"
      ],
      [
        "Message-ID",
        "<1@cais7.pt>"
      ]
    ],
    "body": [
      "Bo,",
      "",
      "the van takes 3.2 m, not 4.",
      "Who has the keys?",
      "",
      "-- ",
      "Ana & co"
    ]
  },
  {
    "headers": [
      [
        "From",
        "bo@lights.se (Bo Ek)"
      ],
      [
        "To",
        "Ana Reis <ana@cais7.pt>"
      ],
      [
        "Subject",
        "=?utf-8?Q?Re:_hall_2?="
      ],
      [
        "Date",
        "Fri, 1 Mar 2024 08:59:30 -0030"
      ],
      [
        "Message-ID",
        "<2@lights.se>"
      ],
      [
        "In-Reply-To",
        "<1@cais7.pt>"
      ]
    ],
    "body": [
      "> the van takes 3.2 m, not 4.",
      "> Who has the keys?",
      "",
      "The porter, or write to ana@cais7.pt.",
      "",
      "> Not a line of hers",
      "",
      "Is that \"all\"?"
    ]
  },
  {
    "headers": [
      [
        "From",
        "Bo Ek <bo@lights.se>"
      ],
      [
        "Subject",
        "plan"
      ],
      [
        "Date",
        "Thu, 29 Feb 2024 23:30:00 +0000"
      ]
    ],
    "body": [
      "The plan.",
      "",
      "-- ",
      "Ana & co"
    ]
  }
]
`,
	},
	"one_file_per_message": {
		"01_bo.eml":        plan,
		"02_ana.eml":       question,
		"03_bo.eml":        answer,
		"thread_index.csv": "position,file\n1,02_ana.eml\n2,03_bo.eml\n3,01_bo.eml\n",
	},
	"split_by_subject": {
		"topic_01.eml": joined(question, answer),
		"topic_02.eml": plan,
		"topics.csv":   "position,file,subject\n1,topic_01.eml,hall 2\n2,topic_01.eml,hall 2\n3,topic_02.eml,plan\n",
	},
	"quote_references": {
		"thread_short.eml": replaced("> the van takes 3.2 m, not 4.\n> Who has the keys?", "[quoting lines 3-4]"),
	},
	"footer_register": {
		"thread_bare.eml": replaced("-- \nAna & co", "[footer F1]"),
		"footers.json": `{
  "F1": [
    "-- ",
    "Ana & co"
  ]
}
`,
	},
	"masked_addresses": {
		"thread_masked.eml": replaced(
			"ana@cais7.pt", "P1@masked.invalid", "bo@lights.se", "P2@masked.invalid", "crew@cais7.pt", "P3@masked.invalid"),
		"people.csv": "mask,address\nP1@masked.invalid,ana@cais7.pt\nP2@masked.invalid,bo@lights.se\nP3@masked.invalid,crew@cais7.pt\n",
	},
	"utc_newest_first": {
		"thread_utc.eml": strings.NewReplacer(
			"Fri, 1 Mar 2024 10:00 +0100", "Fri, 01 Mar 2024 09:00:00 +0000",
			"Fri, 1 Mar 2024 08:59:30 -0030", "Fri, 01 Mar 2024 09:29:30 +0000",
		).Replace(joined(answer, question, plan)),
		"zones.csv": `position,utc,date
2,"Fri, 01 Mar 2024 09:29:30 +0000","Fri, 1 Mar 2024 08:59:30 -0030"
1,"Fri, 01 Mar 2024 09:00:00 +0000","Fri, 1 Mar 2024 10:00 +0100"
3,"Thu, 29 Feb 2024 23:30:00 +0000","Thu, 29 Feb 2024 23:30:00 +0000"
`,
	},
	"question_list": {
		"thread_questions.eml": replaced("\nWho has", "\n[Q1] Who has", "Is that", "[Q2] Is that"),
		"questions.csv": `number,asker,question,first_reply
Q1,ana@cais7.pt,Who has the keys?,bo@lights.se
Q2,bo@lights.se,"Is that ""all""?",
`,
	},
}

// replaced is letters with some texts replaced, given in pairs.
func replaced(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(letters) }

// document is the file of the documents in these tests.
const document = "salt_wolf_thread.eml"

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "emails1") }

func TestForwardResults(t *testing.T) {
	t.Parallel()
	domaintest.Results(t, demonstration(t), lettersFiles, forwardResults, domaintest.ToTheLetter)
}

func TestOraclesNameWhatIsWrong(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		edit  string
		files vfs.Files
		want  string
	}{
		{"json_thread", vfs.Files{"thread.json": "{"}, "reading thread.json"},
		{"one_file_per_message", vfs.Files{"01_bo.eml": plan}, "thread_index.csv is missing"},
		{"one_file_per_message", vfs.Files{"thread_index.csv": "position,file\n"}, "no file with a message"},
		{"split_by_subject", vfs.Files{"topics.csv": "position,subject\n"}, `reading topics.csv: no column "file"`},
		{"quote_references", vfs.Files{"thread.eml": letters}, "thread_short.eml is missing"},
		{"footer_register", vfs.Files{"thread_bare.eml": letters}, "footers.json is missing"},
		{"masked_addresses", vfs.Files{"thread_masked.eml": letters, "people.csv": ""}, "reading people.csv: no header"},
		{"utc_newest_first", vfs.Files{"zones.csv": "position,utc,date\n"}, "thread_utc.eml is missing"},
		{"question_list", vfs.Files{"questions.csv": "number\n"}, "thread_questions.eml is missing"},
	} {
		if _, err := domaintest.Edit(t, demonstration(t), c.edit).Backward(c.files); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.edit, err, c.want)
		}
	}
}

// Damage between the steps is carried over, not multiplied: what the damaged
// files still say is in the thread.
func TestBackwardStepsTakeDamagedFiles(t *testing.T) {
	t.Parallel()
	d := demonstration(t)
	for _, edit := range d.Edits() {
		t.Run(edit.Name, func(t *testing.T) {
			t.Parallel()
			files, err := edit.Forward(lettersFiles)
			if err != nil {
				t.Fatal(err)
			}
			damaged := vfs.Files{}
			for name, text := range files {
				lines := strings.SplitAfter(text, "\n")
				if strings.HasSuffix(name, ".csv") {
					lines = lines[:len(lines)-2]
				}
				damaged[name] = strings.ReplaceAll(strings.Join(lines, ""), "The porter,", "The janitor,")
			}
			back, err := edit.Backward(damaged)
			if err != nil {
				t.Fatal(err)
			}
			score := d.Compare(lettersFiles, back)
			if score.Strict >= 1 || score.Strict < 0.8 || score.Elements.Candidate != 3 {
				t.Errorf("Strict %v, %+v: %v", score.Strict, score.Elements, d.Differences(lettersFiles, back))
			}
		})
	}
}

func TestReferencesAreExpandedOnlyWhereTheyFit(t *testing.T) {
	t.Parallel()
	short := replaced("> the van takes 3.2 m, not 4.\n> Who has the keys?", "[quoting lines 3-44]")
	back, err := domaintest.Edit(t, demonstration(t), "quote_references").Backward(vfs.Files{"thread_short.eml": short})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(short, back[document]); diff != "" {
		t.Error(diff)
	}
}
