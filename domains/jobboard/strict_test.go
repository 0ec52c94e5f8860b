package jobboard

import (
	"strings"
	"testing"

	"agentd/vfs"
)

const clinic = `VALLEY JOBS
===========
Updated: Friday

[JOB-0501] Ward Nurse
Company: Valley Clinic
Location: Sion, CH
Type: Part-time
Salary: CHF 6,200/month
Skills: triage, french
Note: Shares a desk with JOB-0503 on Mondays.
Posted: 2024-05-02

---

[JOB-0502] Radiographer
Company: Valley Clinic
Location: Sion, CH
Type: Full-time
Salary: $71,000/year
Skills: mri, ct, german
Posted: 2024-05-06

---

NOTICE: the desk is closed on Monday.

---

[JOB-0503] Receptionist
Company: Lakeside Dental
Location: Vevey, CH
Type: Full-time
Salary: $29.50-$31.00/hour
Skills: phone, french
Posted: 2024-05-07

---

Total: 3 jobs
`

const radiographer = "[JOB-0502] Radiographer\nCompany: Valley Clinic\nLocation: Sion, CH\nType: Full-time\nSalary: $71,000/year\nSkills: mri, ct, german\nPosted: 2024-05-06\n"

func TestStrictSees(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule, old, new string
		least          float64 // that Strict must still give
	}{
		{"another id", "JOB-0501]", "JOB-0511]", 0.9},
		{"a title", "Ward Nurse", "Head Nurse", 0.9},
		{"a letter's case in a company", "Lakeside Dental", "Lakeside dental", 0.9},
		{"an amount", "71,000", "17,000", 0.9},
		{"an amount by the month", "6,200", "2,600", 0.9},
		{"an amount in a range", "29.50", "25.90", 0.9},
		{"a currency", "$71", "€71", 0.9},
		{"a period", "/year", "/hour", 0.9},
		{"terms after a salary", "/year", "/year plus tips", 0.9},
		{"another label for the salary", "Salary: $71", "Adjusted Salary: $71", 0.7},
		{"a skill lost", "triage, ", "", 0.9},
		{"a skill repeated", "triage, ", "triage, triage, ", 0.9},
		{"a date", "05-06", "06-05", 0.9},
		{"a note lost", "Note: Shares a desk with JOB-0503 on Mondays.\n", "", 0.9},
		{"a line added", "Posted: 2024-05-06", "Great benefits!\nPosted: 2024-05-06", 0.9},
		{"a field added", "Posted: 2024-05-06", "Market Position: At\nPosted: 2024-05-06", 0.9},
		{"a posting lost", radiographer, "", 0.6},
		{"a posting repeated", radiographer, radiographer + "\n---\n\n" + radiographer, 0.7},
		{"a posting invented", "---\n\nNOTICE", "---\n\n[JOB-0504] Cook\nCompany: Hays\n\n---\n\nNOTICE", 0.7},
		{"ids exchanged", "", "", 0.9},
		{"a header line", "Updated: Friday", "Updated: Monday", 0.8},
		{"a total", "Total: 3", "Total: 30", 0.8},
		{"a footer lost", "---\n\nTotal: 3 jobs\n", "", 0.8},
		{"a notice that moved", "", "", 0.8},
		{"prose below", "Total: 3 jobs\n", "Total: 3 jobs\n\nLet me know if anything is missing!\n", 0.8},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			changed := strings.Replace(clinic, test.old, test.new, 1)
			switch test.rule {
			case "ids exchanged":
				changed = strings.NewReplacer("[JOB-0501]", "[JOB-0502]", "[JOB-0502]", "[JOB-0501]").Replace(clinic)
			case "a notice that moved":
				const notice = "NOTICE: the desk is closed on Monday.\n\n---\n\n"
				changed = strings.Replace(strings.Replace(clinic, notice, "", 1), "Total", notice+"Total", 1)
			}
			strict := New().Compare(vfs.Files{"b.txt": clinic}, vfs.Files{"b.txt": changed}).Strict
			if strict >= 1 || strict < test.least {
				t.Errorf("Strict is %.4f, want at least %.2f and less than 1", strict, test.least)
			}
		})
	}
}

func TestStrictForgives(t *testing.T) {
	t.Parallel()
	header, rest, _ := strings.Cut(clinic, "[JOB-0501]")
	first, second, _ := strings.Cut(rest, "---\n")
	oneLine := strings.NewReplacer(radiographer, strings.ReplaceAll(strings.TrimSpace(radiographer), "\n", " | ")+"\n")
	for _, test := range []struct {
		rule      string
		candidate vfs.Files
	}{
		{"another file name", vfs.Files{"board.md": clinic}},
		{"a byte order mark and CRLF", vfs.Files{"b.txt": "\ufeff" + strings.ReplaceAll(clinic, "\n", "\r\n")}},
		{"a code fence", vfs.Files{"b.txt": "```text\n" + clinic + "```\n"}},
		{"indentation and wide gaps", vfs.Files{"b.txt": strings.ReplaceAll(clinic, "\nType: ", "\n  Type:   ")}},
		{"blank lines", vfs.Files{"b.txt": strings.ReplaceAll(clinic, "\nPosted", "\n\nPosted")}},
		{"lost separators", vfs.Files{"b.txt": strings.ReplaceAll(clinic, "---\n\n", "")}},
		{"other rulers", vfs.Files{"b.txt": strings.ReplaceAll(strings.ReplaceAll(clinic, "---", "-----"), "===========", "~~~~")}},
		{"labels in other letters", vfs.Files{"b.txt": strings.ReplaceAll(clinic, "Company:", "COMPANY:")}},
		{"bold labels", vfs.Files{"b.txt": strings.NewReplacer("Company:", "**Company:**", "Posted:", "**Posted**:").Replace(clinic)}},
		{"labels in a list", vfs.Files{"b.txt": strings.ReplaceAll(clinic, "\nSkills:", "\n- Skills:")}},
		{"headings", vfs.Files{"b.txt": strings.ReplaceAll(clinic, "[JOB-", "### [JOB-")}},
		{"ids without brackets", vfs.Files{"b.txt": strings.NewReplacer("[JOB-0501]", "JOB-0501", "[JOB-0503]", "**JOB-0503**").Replace(clinic)}},
		{"a title on a line of its own", vfs.Files{"b.txt": strings.Replace(clinic, "[JOB-0501] ", "[JOB-0501]\nTitle: ", 1)}},
		{"the order of fields", vfs.Files{"b.txt": strings.Replace(clinic, "Company: Valley Clinic\nLocation: Sion, CH", "Location: Sion, CH\nCompany: Valley Clinic", 1)}},
		{"the order of skills", vfs.Files{"b.txt": strings.Replace(clinic, "mri, ct", "ct,mri", 1)}},
		{"separators of thousands and blanks in a salary", vfs.Files{"b.txt": strings.NewReplacer("$71,000/year", "$ 71000.00 / Year", "29.50-", "29.5-").Replace(clinic)}},
		{"a posting on one line", vfs.Files{"b.txt": oneLine.Replace(clinic)}},
		{"a posting in a row of a table", vfs.Files{"b.txt": strings.Replace(clinic, radiographer,
			"| JOB-0502 | Radiographer | Valley Clinic | Sion, CH | Type: Full-time | $71,000/year | Skills: mri, ct, german | 2024-05-06 |\n", 1)}},
		{"two files with the header in each", vfs.Files{"1.txt": header + "[JOB-0501]" + first, "2.txt": header + second}},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			reference := vfs.Files{"b.txt": clinic}
			if strict := New().Compare(reference, test.candidate).Strict; strict != 1 {
				t.Errorf("Strict is %.4f, want 1: %v", strict, New().Differences(reference, test.candidate))
			}
		})
	}
}

func TestStrictSeesTheLastOfManySkills(t *testing.T) {
	t.Parallel()
	many := "[JOB-1] Cook\nSkills: " + strings.Repeat("grill, ", 1000) + "fryer\n"
	changed := strings.Replace(many, "fryer", "dryer", 1)
	if strict := New().Compare(vfs.Files{"b.txt": many}, vfs.Files{"b.txt": changed}).Strict; strict >= 1 || strict < 0.9 {
		t.Errorf("Strict is %v, want at least 0.9 and less than 1", strict)
	}
}

func TestWithoutKeepsOtherLines(t *testing.T) {
	t.Parallel()
	left := New().Without(vfs.Files{"b.txt": clinic}, func(n int) bool { return n != 1 })
	want := "VALLEY JOBS\n===========\nUpdated: Friday\n\n---\n\n" + radiographer +
		"\n---\n\nNOTICE: the desk is closed on Monday.\n\n---\n\n---\n\nTotal: 3 jobs\n"
	if left["b.txt"] != want {
		t.Errorf("left is\n%s\nwant\n%s", left["b.txt"], want)
	}
}

func TestDifferencesNameThePosting(t *testing.T) {
	t.Parallel()
	changed := strings.NewReplacer("$71,000", "$17,000", "Total: 3", "Total: 4").Replace(clinic)
	differences := New().Differences(vfs.Files{"b.txt": clinic}, vfs.Files{"b.txt": changed})
	var got []string
	for _, d := range differences {
		got = append(got, d.String())
	}
	want := "line 4 above the end: Total: 3 jobs -> Total: 4 jobs; JOB-0502 Radiographer, salary: 71000 -> 17000"
	if all := strings.Join(got, "; "); all != want {
		t.Errorf("differences are %s, want %s", all, want)
	}
}
