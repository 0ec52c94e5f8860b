package jobboard

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

// boardFile is the document of the built-in environment.
const boardFile = "coast_jobs.txt"

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "jobboard1") }

const desk = `HARBOR DESK
===========

[JOB-0031] Line Cook
Company: Tern
Location: Cannon Beach, OR
Type: Seasonal
Salary: $21.55/hour + meals
Skills: grill, fryer
Posted: 2024-04-02
Note: Tern has bunks.

---

[JOB-0033] Deckhand
Location: Ilwaco, WA
Type: Seasonal
Salary: 7% share

---

NOTICE: closed Monday.

---

[JOB-0034] Engineer
Company: Cold Storage
Type: Full-time
Salary: $118,500/year
Skills: plc, boiler, grill
Posted: 2024-05-20

---

[JOB-0035] Barista
Company: Tern
Location: Anywhere
Type: Seasonal
Salary: $15.00/hour
Skills: opening
Posted: 2024-05-21

---

4 postings.
`

const deskFrame = `HARBOR DESK
===========

<posting 1>

---

<posting 2>

---

NOTICE: closed Monday.

---

<posting 3>

---

<posting 4>

---

4 postings.
`

const (
	cook = `[JOB-0031] Line Cook
Company: Tern
Location: Cannon Beach, OR
Type: Seasonal
Salary: $21.55/hour + meals
Skills: grill, fryer
Posted: 2024-04-02
Note: Tern has bunks.
`
	deckhand = `[JOB-0033] Deckhand
Location: Ilwaco, WA
Type: Seasonal
Salary: 7% share
`
	engineer = `[JOB-0034] Engineer
Company: Cold Storage
Type: Full-time
Salary: $118,500/year
Skills: plc, boiler, grill
Posted: 2024-05-20
`
	barista = `[JOB-0035] Barista
Company: Tern
Location: Anywhere
Type: Seasonal
Salary: $15.00/hour
Skills: opening
Posted: 2024-05-21
`
)

func deskWith(replaced ...string) string { return strings.NewReplacer(replaced...).Replace(desk) }

// forwardResults are the exact files after the forward step on the desk's board.
var forwardResults = map[string]vfs.Files{
	"pay_bands": {
		"entry.txt":     cook + "\n---\n\n" + barista,
		"executive.txt": engineer,
		"unpriced.txt":  deckhand,
		"frame.txt":     deskFrame,
		"bands.csv": `posting,id,salary,annual,file
1,JOB-0031,$21.55/hour + meals,44824.00,entry.txt
2,JOB-0033,7% share,,unpriced.txt
3,JOB-0034,"$118,500/year",118500.00,executive.txt
4,JOB-0035,$15.00/hour,31200.00,entry.txt
`,
	},
	"month_shelves": {
		"posted_2024-05.txt": barista + "\n---\n\n" + engineer,
		"posted_2024-04.txt": cook,
		"posted_undated.txt": deckhand,
		"frame.txt":          deskFrame,
		"shelves.csv": `file,id,posting
posted_2024-05.txt,JOB-0035,4
posted_2024-05.txt,JOB-0034,3
posted_2024-04.txt,JOB-0031,1
posted_undated.txt,JOB-0033,2
`,
	},
	"skills_matrix": {
		"board_without_skills.txt": deskWith("Skills: grill, fryer", "Skills:", "Skills: plc, boiler, grill", "Skills:", "Skills: opening", "Skills:"),
		"skills_matrix.csv": `posting,id,grill,fryer,plc,boiler,opening
1,JOB-0031,1,2,,,
2,JOB-0033,,,,,
3,JOB-0034,3,,1,2,
4,JOB-0035,,,,,1
`,
	},
	"requisitions": nil, // TestRequisition shows one
	"blind_companies": {
		"blind_board.txt": deskWith("Company: Tern", "Company: [COMPANY_A]", "Tern has", "[COMPANY_A] has", "Cold Storage", "[COMPANY_B]"),
		"legend.csv":      "code,company\n[COMPANY_A],Tern\n[COMPANY_B],Cold Storage\n",
	},
	"annual_pay": {
		"annual_board.txt":   deskWith("$21.55/hour", "$44,824/year", "$15.00/hour", "$31,200/year"),
		"conversion_log.csv": "posting,id,salary\n1,JOB-0031,$21.55/hour + meals\n4,JOB-0035,$15.00/hour\n",
	},
	"market_position": {
		"market_board.txt": "HARBOR DESK\n===========\n\n" + cook + "Market Position: Above\n\n---\n\n" + engineer +
			"Market Position: At\n\n---\n\nNOTICE: closed Monday.\n\n---\n\n" + barista + "Market Position: Below\n\n---\n\n" + deckhand +
			"Market Position: Unpriced\n\n---\n\n4 postings.\n",
		"market.csv": `id,posting,annual,median
JOB-0031,1,44824.00,38012.00
JOB-0034,3,118500.00,118500.00
JOB-0035,4,31200.00,38012.00
JOB-0033,2,,
`,
	},
	"one_line": {
		"by_company.txt": `[JOB-0034] Engineer | Company: Cold Storage | Type: Full-time | Salary: $118,500/year | Skills: plc, boiler, grill | Posted: 2024-05-20
[JOB-0031] Line Cook | Company: Tern | Location: Cannon Beach, OR | Type: Seasonal | Salary: $21.55/hour + meals | Skills: grill, fryer | Posted: 2024-04-02 | Note: Tern has bunks.
[JOB-0035] Barista | Company: Tern | Location: Anywhere | Type: Seasonal | Salary: $15.00/hour | Skills: opening | Posted: 2024-05-21
[JOB-0033] Deckhand | Location: Ilwaco, WA | Type: Seasonal | Salary: 7% share
`,
		"order.csv": "id,posting\nJOB-0034,3\nJOB-0031,1\nJOB-0035,4\nJOB-0033,2\n",
		"frame.txt": deskFrame,
	},
}

func TestForwardResults(t *testing.T) {
	t.Parallel()
	domaintest.Results(t, demonstration(t), vfs.Files{boardFile: desk}, forwardResults, domaintest.ToTheLetter)
}

// TestRequisition shows the import form of a small board.
func TestRequisition(t *testing.T) {
	t.Parallel()
	got, err := domaintest.Edit(t, demonstration(t), "requisitions").Forward(vfs.Files{boardFile: "JOBS\n\n" + cook})
	if err != nil {
		t.Fatal(err)
	}
	want := vfs.Files{"requisitions.json": `{
  "frame": [
    "JOBS",
    "",
    "<posting 1>"
  ],
  "requisitions": [
    {
      "id": "JOB-0031",
      "title": "Line Cook",
      "company": "Tern",
      "location": {
        "text": "Cannon Beach, OR",
        "region": "OR"
      },
      "type": "Seasonal",
      "compensation": {
        "text": "$21.55/hour + meals",
        "amount": 21.55,
        "period": "hour"
      },
      "skills": [
        "grill",
        "fryer"
      ],
      "posted": "2024-04-02",
      "extra": [
        {
          "line": 8,
          "text": "Note: Tern has bunks."
        }
      ]
    }
  ]
}
`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestForwardRefuses lists boards that an edit cannot lead back to.
func TestForwardRefuses(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ rule, edit, board string }{
		{"a label twice", "annual_pay", "[JOB-1] Cook\nType: a\nType: b\n"},
		{"a placeholder of its own", "pay_bands", "<posting 1>\n\n[JOB-1] Cook\n"},
		{"a code of its own", "blind_companies", "[JOB-1] Cook\nCompany: [COMPANY_A]\n"},
		{"a pipe", "one_line", "[JOB-1] Cook | Baker\n"},
		{"an id without a title", "requisitions", "[JOB-1]\nTitle: Cook\n"},
		{"two salaries", "requisitions", "[JOB-1] Cook\nSalary: $9/hour\nAdjusted Salary: $8/hour\n"},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			if got, err := domaintest.Edit(t, demonstration(t), test.edit).Forward(vfs.Files{boardFile: test.board}); err == nil {
				t.Errorf("got %v, want an error", got)
			}
		})
	}
}

// TestBackwardRefuses lists states that lost something on the way.
func TestBackwardRefuses(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule, edit string
		files      vfs.Files
	}{
		{"a posting that no file has", "pay_bands", vfs.Files{
			"frame.txt": "<posting 1>\n<posting 2>\n", "entry.txt": cook, "bands.csv": "posting,file\n1,entry.txt\n2,entry.txt\n",
		}},
		{"a posting without a place", "month_shelves", vfs.Files{
			"frame.txt": "JOBS\n", "posted_2024-04.txt": cook, "shelves.csv": "file,posting\nposted_2024-04.txt,1\n",
		}},
		{"a list that is too short", "one_line", vfs.Files{
			"frame.txt": "<posting 1>\n", "by_company.txt": "[JOB-1] Cook\n", "order.csv": "posting\n",
		}},
		{"a number twice", "market_position", vfs.Files{"market_board.txt": desk, "market.csv": "posting\n1\n2\n2\n4\n"}},
		{"a rank that is missing", "skills_matrix", vfs.Files{
			"board_without_skills.txt": "[JOB-1] Cook\nSkills:\n", "skills_matrix.csv": "posting,id,grill\n1,JOB-1,2\n",
		}},
		{"a posting that is not there", "annual_pay", vfs.Files{"annual_board.txt": cook, "conversion_log.csv": "posting,salary\n2,$9/hour\n"}},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			if got, err := domaintest.Edit(t, demonstration(t), test.edit).Backward(test.files); err == nil {
				t.Errorf("got %v, want an error", got)
			}
		})
	}
}

func TestLetters(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{0: "A", 25: "Z", 26: "AA", 51: "AZ", 52: "BA", 701: "ZZ", 702: "AAA"} {
		if got := letters(n); got != want {
			t.Errorf("letters(%d) = %s, want %s", n, got, want)
		}
	}
}

func TestEditsTakeOtherParameters(t *testing.T) {
	t.Parallel()
	text := cook + "\n---\n\n" + engineer
	files := vfs.Files{"board.txt": text}
	domaintest.Parameters(t, New(), files, domaintest.ToTheLetter,
		domaintest.Made{
			Edit: "split_by_pay", Parameters: `{"document": "board.txt", "bands": [{"file": "low.txt", "below": 44824.01}], "others": "o.txt", "unpriced": "u.txt",
				"frame": "f.txt", "table": "t.csv"}`,
			Want: vfs.Files{
				"low.txt": cook, "o.txt": engineer, "f.txt": "<posting 1>\n\n---\n\n<posting 2>\n",
				"t.csv": "posting,id,salary,annual,file\n1,JOB-0031,$21.55/hour + meals,44824.00,low.txt\n" +
					"2,JOB-0034,\"$118,500/year\",118500.00,o.txt\n",
			},
		},
		domaintest.Made{
			Edit: "code_companies", Parameters: `{"document": "board.txt", "to": "b.txt", "code": "EMPLOYER", "table": "t.csv"}`,
			Want: vfs.Files{
				"b.txt": strings.NewReplacer("Tern", "[EMPLOYER_A]", "Cold Storage", "[EMPLOYER_B]").Replace(text),
				"t.csv": "code,company\n[EMPLOYER_A],Tern\n[EMPLOYER_B],Cold Storage\n",
			},
		},
		domaintest.Made{
			Edit: "market_position", Parameters: `{"document": "board.txt", "to": "m.txt", "label": "Pay", "above": 1, "below": 1, "table": "t.csv"}`,
			Want: vfs.Files{
				"m.txt": engineer + "Pay: At\n\n---\n\n" + cook + "Pay: At\n",
				"t.csv": "id,posting,annual,median\nJOB-0034,2,118500.00,118500.00\nJOB-0031,1,44824.00,44824.00\n",
			},
		},
	)
}
