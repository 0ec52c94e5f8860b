package earncall

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"agentd/domains/domaintest"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

func TestSuite(t *testing.T) {
	t.Parallel()
	domaintest.Suite{
		Domain:   New(),
		Seed:     domaintest.Seed(t, "earncall1"),
		Generate: rapid.Custom(generate),
		// Sequence is a ratio, which falls by less than the share of the lost, and
		// a figure that was said twice is found again.
		ValueForgives: 0.1,
	}.Run(t)
}

// generate draws a call as one provider of transcripts has it.
func generate(t *rapid.T) vfs.Files {
	var b strings.Builder
	between := rapid.SampledFrom([]string{"\n", "\n\n", "\n\n\n"}).Draw(t, "between turns")
	if rapid.Bool().Draw(t, "title") {
		b.WriteString("Fjordane Salmon ASA (Oslo FJS) Q2 2023\nAugust 17, 2023, 8:00 CET" + between)
	}
	if rapid.Bool().Draw(t, "participants") {
		fmt.Fprintf(&b, "%s\n", rapid.SampledFrom([]string{"Corporate Participants", "Executives", "Company Participants:"}).Draw(t, "list"))
		b.WriteString("Åse Lindqvist - Chief Executive Officer\nJ. P. O'Neill - Group CFO" + between)
	}
	sections := rapid.SampledFrom([][]string{
		{""}, {"Prepared Remarks", "Questions and Answers"}, {"PRESENTATION", "Q&A Session"},
		{"Prepared Remarks:", "Question-and-Answer Session", "Closing Remarks"}, {"", "## Questions and Answers"},
	}).Draw(t, "sections")
	for n, heading := range sections {
		if heading != "" {
			b.WriteString(heading + between)
		}
		for k := range rapid.IntRange(0, 8).Draw(t, "turns") {
			if n+k == 0 || rapid.IntRange(0, 3).Draw(t, "by the operator") == 0 {
				b.WriteString("Operator: Thank you. Our next question comes from the line of Priya Raman." + between)
				continue
			}
			speaker := rapid.SampledFrom(speakers).Draw(t, "speaker")
			colon := rapid.SampledFrom([]string{": ", ": ", ":", ":\n", ":   "}).Draw(t, "colon")
			if _, _, read := cutName(speaker + ":"); !read {
				colon = ": " // for the published reading it is text
			}
			lines := rapid.SliceOfN(said, 0, 4).Draw(t, "said")
			b.WriteString(speaker + colon + strings.Join(lines, "\n") + between)
		}
	}
	content := b.String()
	if c := readBy(plain.Lines(content), colonLabel); c.count() == 0 {
		content += "Operator: Good morning."
	}
	if rapid.IntRange(0, 5).Draw(t, "from Windows") == 0 {
		content = strings.ReplaceAll(content, "\n", "\r\n")
	}
	return vfs.Files{document: content}
}

var speakers = []string{
	"Åse Lindqvist", "J. P. O'Neill", "Marie-Claire Dufresne", "PRIYA RAMAN", "Lotte van der Berg", "Unidentified Analyst",
	"Analyst 2", "Sean O’Hara", "Wei Zhang, CFO", "Owen Tate (IR)", "al-Amin Rashid", "Q", "Management",
}

var said = rapid.OneOf(
	rapid.SampledFrom([]string{
		"Revenue was $1.48 billion, up 8%, and EPS $0.98.", "Margins fell by 140 basis points to 24.9%.", "[Operator Instructions]",
		"That is $3, and no more. Or $1,234,567.895 to be exact.", "$0.5 million | $0.50 || $12", "We said 5% to 7%; “call it 6%”.",
		"Thanks - it's a renewal, as in Q3 2022…", "The shop at 10:30: closed.", "Our lease rates are up.", "Leverage is 2.1 times.",
		"- harvest: 34,000 tonnes", "$999.995 thousand", "So. . . yes?", "(ph) Trøndelag, \"north\" of here, #3.", "I'd have\tto check, 30bps.",
		"1,5% is not 1.5 %, and $5M or $2.5bn neither.", "So, for the year our guidance is: stable.", "|", "…",
	}),
	rapid.StringMatching(`[a-z][a-zé,'"|]{0,9}( [a-z0-9$%,.'"|-]{1,9}){0,12}[.?!]`),
)

func FuzzCompare(f *testing.F) {
	domaintest.Fuzz(f, New(), vfs.Files{document: "Operator: Good day. Over to Amy.\nAmy Roe: Sales were $1.5 million, up 3%.\n"})
}

func BenchmarkCompare(b *testing.B) {
	domaintest.BenchmarkCompare(b, New(), domaintest.Seed(b, "earncall1"))
}
