package jobboard

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/vfs"
)

// TestParse states what the published reading makes of a file.
func TestParse(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule, text string
		want       []Job
	}{
		{"labels set fields", "[JOB-1] Cook\nCompany: A\nLocation: B, OR\nType: Full-time\nSalary: $21.50/hour\nSkills: Grill, fryer\nPosted: 2024-04-02\n",
			[]Job{{"JOB-1", texts{titleText: "Cook", companyLabel: "A", locationLabel: "B, OR", typeLabel: "Full-time", PostedLabel: "2024-04-02", skillsLabel: "Grill, fryer", SalaryLabel: "$21.50/hour"}, Pay{21.5, "hour"}}}},
		{"the last of a label counts, even if empty", "[JOB-1] Cook\nCompany: A\nCompany:\nType: x\nType: y\n",
			[]Job{{"JOB-1", texts{titleText: "Cook", typeLabel: "y"}, Pay{}}}},
		{"a label is removed wherever it stands", "[JOB-1] Cook\nCompany: A Company: B\n",
			[]Job{{"JOB-1", texts{titleText: "Cook", companyLabel: "A  B"}, Pay{}}}},
		{"labels have their letter case and begin a line", "[JOB-1] Cook\ncompany: A\n**Type:** x\nThe Location: B\n",
			[]Job{{"JOB-1", texts{titleText: "Cook"}, Pay{}}}},
		{"an adjusted salary is a salary", "[JOB-1] Cook\nSalary: $9/hour\nAdjusted Salary: $10/hour\n",
			[]Job{{"JOB-1", texts{titleText: "Cook", SalaryLabel: "$10/hour"}, Pay{10, "hour"}}}},
		{"a mention anywhere begins a job", "[JOB-1] Cook\nNote: ask at JOB-2 first\nType: x\n",
			[]Job{{"JOB-1", texts{titleText: "Cook", typeLabel: "x"}, Pay{}}, {"JOB-2", texts{titleText: "first", typeLabel: "x"}, Pay{}}}},
		{"an id at the beginning of a line ends a job", "[JOB-1] Cook\nJOB-2 Baker\nType: x\n",
			[]Job{{"JOB-1", texts{titleText: "Cook"}, Pay{}}, {"JOB-2", texts{titleText: "Baker", typeLabel: "x"}, Pay{}}}},
		{"three hyphens end a job", "[JOB-1] Cook\n \n --- \nType: x\n", []Job{{"JOB-1", texts{titleText: "Cook"}, Pay{}}}},
		{"four do not", "[JOB-1] Cook\n----\nType: x\n", []Job{{"JOB-1", texts{titleText: "Cook", typeLabel: "x"}, Pay{}}}},
		{"the bracket of an id alone is its title", "[JOB-12]\n", []Job{{"JOB-12", texts{titleText: "]"}, Pay{}}}},
		{"so is the last digit", "JOB-12\n", []Job{{"JOB-1", texts{titleText: "2"}, Pay{}}}},
		{"an only digit cannot be", "JOB-1\n", []Job{}},
		{"pipes divide a posting on one line", "JOB-1 Cook | Type: x | Hays | $9/hour | Tech: A, b | 2024-05-01 | Reno, NV | rest |\n",
			[]Job{{"JOB-1", texts{titleText: "Cook", companyLabel: "Hays", locationLabel: "Reno, NV", typeLabel: "x", PostedLabel: "2024-05-01", skillsLabel: "A, b", SalaryLabel: "$9/hour"}, Pay{9, "hour"}}}},
		{"so do dashes", "JOB-1 Cook — Hays (Reno, NV) – $95,000/year\n",
			[]Job{{"JOB-1", texts{titleText: "Cook", companyLabel: "Hays", locationLabel: "Reno, NV", SalaryLabel: "$95,000/year"}, Pay{95000, "year"}}}},
		{"a table row begins with a pipe", "| JOB-1 | Cook | Hays |\n", []Job{{"JOB-1", texts{titleText: "Cook", companyLabel: "Hays"}, Pay{}}}},
		{"with a company below they do not", "JOB-1 Cook | Baker\nCompany: A\n",
			[]Job{{"JOB-1", texts{titleText: "Cook | Baker", companyLabel: "A"}, Pay{}}}},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			got, err := Parse(vfs.Files{"a.txt": test.text, "b.TXT": "[JOB-9] No\n", "c.md": "[JOB-9] No\n"})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got, cmp.AllowUnexported(Job{}, Pay{})); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestReadPay(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Pay{
		"$165,000/year":       {165000, "year"},
		"165000 / YEAR":       {165000, "year"},
		"€29.50/Hour plus":    {29.5, "hour"},
		"$18.00-$22.50/hour":  {22.5, "hour"},
		"1/2 days, $9/hour":   {9, "hour"},
		"1.2.3/hour":          {2.3, "hour"},
		".5/hour":             {5, "hour"},
		"$12,5/hour":          {125, "hour"},
		"$7,200/month":        {},
		"$/hour":              {},
		",/hour":              {},
		"Commission only":     {},
		"$90,000 per year":    {},
		"4150/month, 1/hours": {1, "hour"},
	} {
		if got := ReadPay(text); got != want {
			t.Errorf("readPay(%q) = %v, want %v", text, got, want)
		}
	}
}
