package jobboard

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/vfs"
)

// TestParse states what the published reading makes of a file.
func TestParse(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule, text string
		want       []job
	}{
		{"labels set fields", "[JOB-1] Cook\nCompany: A\nLocation: B, OR\nType: Full-time\nSalary: $21.50/hour\nSkills: Grill, fryer\nPosted: 2024-04-02\n",
			[]job{{"JOB-1", texts{titleText: "Cook", companyLabel: "A", locationLabel: "B, OR", typeLabel: "Full-time", postedLabel: "2024-04-02", skillsLabel: "Grill, fryer", salaryLabel: "$21.50/hour"}, pay{21.5, byHour}}}},
		{"the last of a label counts, even if empty", "[JOB-1] Cook\nCompany: A\nCompany:\nType: x\nType: y\n",
			[]job{{"JOB-1", texts{titleText: "Cook", typeLabel: "y"}, pay{}}}},
		{"a label is removed wherever it stands", "[JOB-1] Cook\nCompany: A Company: B\n",
			[]job{{"JOB-1", texts{titleText: "Cook", companyLabel: "A  B"}, pay{}}}},
		{"labels have their letter case and begin a line", "[JOB-1] Cook\ncompany: A\n**Type:** x\nThe Location: B\n",
			[]job{{"JOB-1", texts{titleText: "Cook"}, pay{}}}},
		{"an adjusted salary is a salary", "[JOB-1] Cook\nSalary: $9/hour\nAdjusted Salary: $10/hour\n",
			[]job{{"JOB-1", texts{titleText: "Cook", salaryLabel: "$10/hour"}, pay{10, byHour}}}},
		{"a mention anywhere begins a job", "[JOB-1] Cook\nNote: ask at JOB-2 first\nType: x\n",
			[]job{{"JOB-1", texts{titleText: "Cook", typeLabel: "x"}, pay{}}, {"JOB-2", texts{titleText: "first", typeLabel: "x"}, pay{}}}},
		{"an id at the beginning of a line ends a job", "[JOB-1] Cook\nJOB-2 Baker\nType: x\n",
			[]job{{"JOB-1", texts{titleText: "Cook"}, pay{}}, {"JOB-2", texts{titleText: "Baker", typeLabel: "x"}, pay{}}}},
		{"three hyphens end a job", "[JOB-1] Cook\n \n --- \nType: x\n", []job{{"JOB-1", texts{titleText: "Cook"}, pay{}}}},
		{"four do not", "[JOB-1] Cook\n----\nType: x\n", []job{{"JOB-1", texts{titleText: "Cook", typeLabel: "x"}, pay{}}}},
		{"the bracket of an id alone is its title", "[JOB-12]\n", []job{{"JOB-12", texts{titleText: "]"}, pay{}}}},
		{"so is the last digit", "JOB-12\n", []job{{"JOB-1", texts{titleText: "2"}, pay{}}}},
		{"an only digit cannot be", "JOB-1\n", []job{}},
		{"pipes divide a posting on one line", "JOB-1 Cook | Type: x | Hays | $9/hour | Tech: A, b | 2024-05-01 | Reno, NV | rest |\n",
			[]job{{"JOB-1", texts{titleText: "Cook", companyLabel: "Hays", locationLabel: "Reno, NV", typeLabel: "x", postedLabel: "2024-05-01", skillsLabel: "A, b", salaryLabel: "$9/hour"}, pay{9, byHour}}}},
		{"so do dashes", "JOB-1 Cook — Hays (Reno, NV) – $95,000/year\n",
			[]job{{"JOB-1", texts{titleText: "Cook", companyLabel: "Hays", locationLabel: "Reno, NV", salaryLabel: "$95,000/year"}, pay{95000, byYear}}}},
		{"a table row begins with a pipe", "| JOB-1 | Cook | Hays |\n", []job{{"JOB-1", texts{titleText: "Cook", companyLabel: "Hays"}, pay{}}}},
		{"with a company below they do not", "JOB-1 Cook | Baker\nCompany: A\n",
			[]job{{"JOB-1", texts{titleText: "Cook | Baker", companyLabel: "A"}, pay{}}}},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			got, err := parse(vfs.Files{"a.txt": test.text, "b.TXT": "[JOB-9] No\n", "c.md": "[JOB-9] No\n"})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got, cmp.AllowUnexported(job{}, pay{})); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestReadPay(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]pay{
		"$165,000/year":       {165000, byYear},
		"165000 / YEAR":       {165000, byYear},
		"€29.50/Hour plus":    {29.5, byHour},
		"$18.00-$22.50/hour":  {22.5, byHour},
		"1/2 days, $9/hour":   {9, byHour},
		"1.2.3/hour":          {2.3, byHour},
		".5/hour":             {5, byHour},
		"$12,5/hour":          {125, byHour},
		"$7,200/month":        {},
		"$/hour":              {},
		",/hour":              {},
		"Commission only":     {},
		"$90,000 per year":    {},
		"4150/month, 1/hours": {1, byHour},
	} {
		if got := readPay(text); got != want {
			t.Errorf("readPay(%q) = %v, want %v", text, got, want)
		}
	}
}

// TestScore has the worked examples of the published formula.
func TestScore(t *testing.T) {
	t.Parallel()
	board := func(ids ...string) vfs.Files {
		text := ""
		for _, id := range ids {
			text += "[JOB-" + id + "] Title " + id + "\nCompany: Company " + id + "\nSalary: $1" + id + ",000/year\n\n---\n\n"
		}
		return vfs.Files{"b.txt": text}
	}
	for _, test := range []struct {
		rule      string
		candidate vfs.Files
		want      float64
	}{
		{"a job lost of five costs four times", board("1", "2", "4", "5"), 0.64 * 0.8 * math.Sqrt((0.75+0.8)/2)},
		{"jobs that changed places", board("1", "3", "2", "4", "5"), math.Sqrt((0.8 + 1) / 2)},
		{"nothing", vfs.Files{}, 0},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			if got := New().Compare(board("1", "2", "3", "4", "5"), test.candidate).RS; math.Abs(got-test.want) > 1e-12 {
				t.Errorf("Value is %v, want %v", got, test.want)
			}
		})
	}
	if got := New().Compare(vfs.Files{"b.txt": "Closed.\n"}, vfs.Files{}).RS; got != 1 {
		t.Errorf("Value of no jobs against none is %v, want 1", got)
	}
}
