package jobboard

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"agentd/domains/domaintest"
	published "agentd/domains/published/jobboard"
	"agentd/vfs"
)

// boardFile is that of the documents in these tests.
const boardFile = "coast_jobs.txt"

func TestSuite(t *testing.T) {
	t.Parallel()
	domaintest.Suite{
		Domain:   domaintest.With(t, New(), "jobboard1"),
		Seed:     domaintest.Seed(t, "jobboard1"),
		Generate: rapid.Custom(drawBoard),
	}.Run(t)
}

func FuzzCompare(f *testing.F) {
	domaintest.Fuzz(f, domaintest.With(f, New(), "jobboard1"), domaintest.Seed(f, "jobboard1"))
}

func BenchmarkCompare(b *testing.B) {
	domaintest.BenchmarkCompare(b, New(), domaintest.Seed(b, "jobboard1"))
}

// drawBoard draws a board as different offices keep it.
func drawBoard(t *rapid.T) vfs.Files {
	separator := rapid.SampledFrom([]string{"\n---\n\n", "  \n ---  \n", "\n", "\n-----\n", ""}).Draw(t, "separator")
	var b strings.Builder
	b.WriteString(rapid.SampledFrom([]string{
		"", "JOBS\n====\n\n", "# Tillamook Bay board\n\nTotal: 4\nUpdated: 2024-06-01\n\n", "\ufeffAUSHANG 12 · Hafenamt\n\n",
	}).Draw(t, "header"))
	for n := range rapid.IntRange(1, 9).Draw(t, "postings") {
		if n > 0 {
			b.WriteString(separator)
		}
		if rapid.IntRange(0, 9).Draw(t, "notice") == 0 {
			b.WriteString("\nNOTICE: closed on Juneteenth.\n\n")
		}
		b.WriteString(drawPosting(t))
	}
	b.WriteString(rapid.SampledFrom([]string{"", "\n---\n\nTotal: 3 jobs\n", "\nTake a copy, please.\n"}).Draw(t, "footer"))
	text := b.String()
	if rapid.Bool().Draw(t, "CRLF") {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return vfs.Files{boardFile: text}
}

func drawPosting(t *rapid.T) string {
	id := fmt.Sprintf("JOB-%04d", rapid.IntRange(1, 12).Draw(t, "id"))
	title := rapid.SampledFrom([]string{
		"Cook", "Filleter", "Nurse (nights) & weekends", "Café-Leitung", "Welder / Fitter", "IT: Helpdesk, Tier 2", "Deckhand – crab",
	}).Draw(t, "title")
	head := rapid.SampledFrom([]string{"[%s] %s", "%s %s", "  [%s]   %s  "}).Draw(t, "head")
	lines := []string{fmt.Sprintf(head, id, title)}
	for _, field := range drawFields(t) {
		lines = append(lines, rapid.SampledFrom([]string{"", "  "}).Draw(t, "indent")+field)
	}
	if rapid.IntRange(0, 9).Draw(t, "blank") == 0 && len(lines) > 1 {
		lines = append(lines, "", "Posted: 2024-02-29")
	}
	return strings.Join(lines, "\n") + "\n"
}

// drawFields draws lines, each label of the format at most once.
func drawFields(t *rapid.T) []string {
	var lines []string
	for _, field := range []struct {
		label  string
		values []string
	}{
		{"Company:", []string{"Hays", "City of Warrenton", "Ærø Færger A/S", "A, B & Sons", "e", "(confidential)", "Hays"}},
		{"Location:", []string{"Astoria, OR", "Long Beach, WA", "Anywhere", "Sion, CH", "Vancouver,BC"}},
		{"Type:", []string{"Full-time", "Part-time", "seasonal", ""}},
		{"Salary:", []string{
			"$31.20/hour", "$98,000/year", "$15.45/hour plus tips", "$18.00-$22.50/hour", "€71,000 / year", "CHF 6,200/month",
			"DOE", "$1,250,000/year", "$0.335/hour", "65000/YEAR", "$/hour", "$12,5/hour",
		}},
		{"Adjusted Salary:", []string{"$20/hour", "$61,320.55/year"}},
		{"Skills:", []string{"python, sql, python", "CDL-B", "hoyer lift, , epic", "posting, id", "\"quoted\", C++,C#", ""}},
		{"Note:", []string{"No green hands.", "Hays will train.", "see <posting>", "Sundays: none"}},
		{"Great team, nice view", []string{"of the bar."}},
		{"**Shift:**", []string{"7p-7a"}},
	} {
		paid := slices.ContainsFunc(lines, func(line string) bool { return strings.HasPrefix(line, "Salary:") })
		if rapid.IntRange(0, 3).Draw(t, field.label) > 0 && (field.label != published.AdjustedSalary || !paid) {
			gap := rapid.SampledFrom([]string{" ", "   ", ""}).Draw(t, "gap")
			lines = append(lines, field.label+gap+rapid.SampledFrom(field.values).Draw(t, field.label))
		}
	}
	return rapid.Permutation(lines).Draw(t, "lines")
}

func TestAnnualPay(t *testing.T) {
	t.Parallel()
	for salary, want := range map[string]string{
		"Salary: $21.50/hour plus tips":    "44720.00",
		"Salary: $18.00-$22.50/hour":       "46800.00",
		"- **Salary:** $104,600/year":      "104600.00",
		"Salary: 7% crew share":            "",
		"Salary: $465/day":                 "",
		"Note: pays $20.00/hour or better": "",
	} {
		if got := annualPay("[JOB-1] Cook\n" + salary + "\n"); got != want {
			t.Errorf("%s: %q, want %q", salary, got, want)
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
