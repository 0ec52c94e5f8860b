package earncall

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/domains/internal/plain"
	published "agentd/domains/published/earncall"
	"agentd/vfs"
)

// document is the file of the documents in these tests.
const document = "wapsie_q3_2024_call.txt"

func TestSuite(t *testing.T) {
	t.Parallel()
	domaintest.Suite{
		Domain:   demonstration(t),
		Seed:     domaintest.Seed(t, "earncall1"),
		Generate: rapid.Custom(generate),
		// Sequence is a ratio, which falls by less than the share of the lost, and
		// a figure that was said twice is found again.
		RSForgives: 0.1,
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
			if _, _, read := published.CutName(speaker + ":"); !read {
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

const briefing = `Aurland Power, second quarter
Participants
Liv Berg - Chief Executive

Prepared Remarks

Operator: Good day, and welcome. Over to Liv Berg.

Liv Berg: Thanks. Revenue was $1.48 billion, up 8%. It's a good start -
and margins rose by 140 basis points to 24.9% on June 30.

Questions and Answers

Operator: Our first question is from Sam O'Dea.

Sam O'Dea: Two, if I may. Is it 8% or 9% for the year?

Liv Berg: We said 8%. We did not say 9%.
`

// altered is the briefing with one passage replaced.
func altered(t *testing.T, was, is string) vfs.Files {
	t.Helper()
	if !strings.Contains(briefing, was) {
		t.Fatalf("the briefing has no %q", was)
	}
	return vfs.Files{"briefing.txt": strings.ReplaceAll(briefing, was, is)}
}

func TestStrictSees(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct {
		candidate vfs.Files
		strict    float64
		says      string // the differences
	}{
		"another figure": {altered(t, "$1.48", "$1.84"), (4 + 3./4) / 5,
			`Liv Berg, "Thanks. Revenue was $1.48 billion, up…", sentence: Revenue was $1.48 billion, up 8%. -> Revenue was $1.84 billion, up 8%.`},
		"another date":        {altered(t, "June 30", "July 30"), (4 + 3./4) / 5, ""},
		"a movement reversed": {altered(t, "rose", "fell"), (4 + 3./4) / 5, ""},
		"two figures exchanged": {altered(t, "We said 8%. We did not say 9%.", "We said 9%. We did not say 8%."),
			(4 + 1./3) / 5, ""},
		"another unit":     {altered(t, "basis points", "percent"), (4 + 3./4) / 5, ""},
		"a sentence lost":  {altered(t, "Thanks. ", ""), (4 + 3./4) / 5, ""},
		"a sentence added": {altered(t, "Thanks. ", "Thanks. Costs fell. "), (4 + 4./5) / 5, ""},
		"sentences swapped": {altered(t, "We said 8%. We did not say 9%.", "We did not say 9%. We said 8%."), (4 + 3./4) / 5,
			`Liv Berg, "We said 8%. We did not say 9%.", order of sentences: (nothing) -> another`},
		"letters of another case": {altered(t, "a good start", "a GOOD start"), (4 + 3./4) / 5, ""},
		"another speaker":         {altered(t, "Sam O'Dea: ", "Sam Day: "), (4 + 2./3) / 5, ""},
		"a turn given to another": {altered(t, "Liv Berg: We", "Operator: We"), (4 + 2./3) / 5, ""},
		"a turn lost": {altered(t, "Sam O'Dea: Two, if I may. Is it 8% or 9% for the year?\n\n", ""), 4. / 5,
			`Sam O'Dea, "Two, if I may. Is it 8% or 9% for the…": lost (sam o'dea | Two, if I may. | Is it 8% or 9% for the year?)`},
		"a turn twice":          {altered(t, "Operator: Our first question is from Sam O'Dea.\n", "Operator: Our first question is from Sam O'Dea.\n\nOperator: Our first question is from Sam O'Dea.\n"), 5. / 6, ""},
		"a turn invented":       {altered(t, "\nLiv Berg: We", "\nOperator: Please go ahead.\n\nLiv Berg: We"), 5. / 6, ""},
		"a speaker's name lost": {altered(t, "Liv Berg: We", "We"), 0, ""},
		"a line above lost":     {altered(t, "Aurland Power, second quarter\n", ""), 9. / 10, "line 1 outside of turns: lost (Aurland Power, second quarter)"},
		"a line above added":    {vfs.Files{"briefing.txt": "Transcript by Aurland Data Ltd.\n" + briefing}, 10. / 11, ""},
		"a title changed":       {altered(t, "Chief Executive", "Chair"), 0, ""},
		"a heading lost":        {altered(t, "Questions and Answers\n", ""), 9. / 10, `heading "Questions and Answers": lost (questions and answers | Operator, "Our first question is from Sam O'Dea.")`},
		"a heading moved": {altered(t, "Questions and Answers\n\nOperator: Our first question is from Sam O'Dea.\n",
			"Operator: Our first question is from Sam O'Dea.\n\nQuestions and Answers\n"), 9.5 / 10,
			`heading "Questions and Answers", before: Operator, "Our first question is from Sam O'Dea." -> Sam O'Dea, "Two, if I may. Is it 8% or 9% for the…"`},
		"another file":      {vfs.Files{"briefing.txt": briefing, "note.md": "Done as asked.\n"}, 10. / 11, ""},
		"an unrelated text": {vfs.Files{"briefing.txt": "The committee met on Tuesday.\n"}, 0, ""},
		"nothing":           {vfs.Files{"briefing.txt": ""}, 0, ""},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			reference := vfs.Files{"briefing.txt": briefing}
			score, differences := New().Compare(reference, c.candidate), New().Differences(reference, c.candidate)
			if c.strict != 0 && math.Abs(score.Strict-c.strict) > 1e-9 || score.Strict == 1 {
				t.Errorf("Strict %.4f, want %.4f: %v", score.Strict, c.strict, differences)
			}
			if c.says != "" && (len(differences) != 1 || differences[0].String() != c.says) {
				t.Errorf("differences %v, want %q", differences, c.says)
			}
		})
	}
}

func TestStrictForgives(t *testing.T) {
	t.Parallel()
	half := strings.Index(briefing, "Questions and Answers")
	for rule, candidate := range map[string]vfs.Files{
		"another file name":         {"call.md": briefing},
		"two files":                 {"part1.txt": briefing[:half], "part2.txt": briefing[half:]},
		"a code fence around":       {"briefing.txt": "```text\n" + briefing + "```\n"},
		"a byte order mark":         {"briefing.txt": "\ufeff" + briefing},
		"Windows line ends":         {"briefing.txt": strings.ReplaceAll(briefing, "\n", "\r\n")},
		"no blank lines":            {"briefing.txt": strings.ReplaceAll(briefing, "\n\n", "\n")},
		"more blank lines":          {"briefing.txt": strings.ReplaceAll(briefing, "\n\n", "\n\n\n")},
		"indented lines":            {"briefing.txt": strings.ReplaceAll(briefing, "\n", "\n  ")},
		"a line wrapped":            altered(t, "Is it 8% or", "Is it 8%\nor"),
		"a line joined":             altered(t, "start -\nand", "start - and"),
		"a line break after a name": altered(t, "Sam O'Dea: ", "Sam O'Dea:\n"),
		"blanks after a name":       altered(t, "Sam O'Dea: ", "Sam O'Dea:   "),
		"names in capitals":         altered(t, "Sam O'Dea: ", "SAM O'DEA: "),
		"names in bold":             {"briefing.txt": regexp.MustCompile(`(?m)^([\w' ]+):`).ReplaceAllString(briefing, "**$1:**")},
		"bold without the colon":    {"briefing.txt": regexp.MustCompile(`(?m)^([\w' ]+):`).ReplaceAllString(briefing, "**$1**:")},
		"dashes for colons":         {"briefing.txt": regexp.MustCompile(`(?m)^([\w' ]+):`).ReplaceAllString(briefing, "$1 -")},
		"names as headings":         {"briefing.txt": regexp.MustCompile(`(?m)^([\w' ]+):`).ReplaceAllString(briefing, "### $1:\n")},
		"typographic apostrophes":   {"briefing.txt": strings.ReplaceAll(briefing, "'", "’")},
		"a typographic dash":        altered(t, "start -", "start –"),
		"a no-break space":          altered(t, "$1.48 billion", "$1.48\u00a0billion"),
		"an amount in millions":     altered(t, "$1.48 billion", "$1,480 million"),
		"an amount in full":         altered(t, "$1.48 billion", "$1,480,000,000"),
		"an abbreviated scale":      altered(t, "$1.48 billion", "$1.48bn"),
		"a scale in capitals":       altered(t, "billion", "Billion"),
		"idle zeros":                altered(t, "24.9%", "24.90%"),
		"percent in letters":        altered(t, "24.9%", "24.9 percent"),
		"basis points abbreviated":  altered(t, "basis points", "bps"),
		"headings in capitals":      altered(t, "Questions and Answers", "QUESTIONS & ANSWERS:"),
		"headings in markup":        altered(t, "Questions and Answers", "## Questions and Answers"),
		"a heading added":           altered(t, "Sam O'Dea: ", "Closing Remarks:\nSam O'Dea: "),
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			reference := vfs.Files{"briefing.txt": briefing}
			if score := New().Compare(reference, candidate); score.Strict != 1 {
				t.Errorf("Strict %.4f: %v", score.Strict, New().Differences(reference, candidate))
			}
		})
	}
}

func FuzzCompare(f *testing.F) {
	domaintest.Fuzz(f, demonstration(f), vfs.Files{document: "Operator: Good day. Over to Amy.\nAmy Roe: Sales were $1.5 million, up 3%.\n"})
}

func BenchmarkCompare(b *testing.B) {
	domaintest.BenchmarkCompare(b, New(), domaintest.Seed(b, "earncall1"))
}

func TestLabels(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"J. P. O’Neill: yes":                  "J. P. O’Neill|yes",
		"Lotte van der Berg, CFO: yes":        "Lotte van der Berg, CFO|yes",
		"Analyst 2 (Larkspur): yes":           "Analyst 2 (Larkspur)|yes",
		"**Amy Roe:** yes":                    "Amy Roe|yes",
		"**Amy Roe**: **yes** no":             "Amy Roe|**yes** no",
		"- Amy Roe: yes":                      "Amy Roe|yes",
		"OPERATOR:":                           "OPERATOR|",
		"Sean d'Arcy: yes":                    "Sean d'Arcy|yes",
		"Sean d’Arcy: yes":                    "Sean d’Arcy|yes",
		"Guidance: up":                        "",
		"For the year our guidance is: up":    "",
		"Thursday, October 31, 2024, 8:30":    "",
		"Questions and Answers:":              "",
		"http://a.b":                          "",
		strings.Repeat("A", 200) + ": yes":    "",
		"no colon":                            "",
		"A B C D E F G H I J K: eleven words": "",
	} {
		speaker, rest, ok := colonLabel(line)
		if got := speaker + "|" + rest; ok && got != want || !ok && want != "" {
			t.Errorf("%q gives %q (%v), want %q", line, got, ok, want)
		}
	}
}

func TestByValue(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"$1,480 million":           "$1.48 billion",
		"$0.5 billion":             "$500 million",
		"$950 thousand":            "$950000",
		"2,000,000 units":          "2 million units",
		"$5M and €2.50bn":          "$5 million and €2.5 billion",
		"5 m of 12 b":              "5 m of 12 b",
		"24.90 percent or 30bps":   "24.9% or 30 basis points",
		"3-4% in 2024.":            "3-4% in 2024.",
		"12th of Q3, 30x, 007":     "12th of Q3, 30x, 007",
		"10:30 on 1/2, 1.2.3, 1,5": "10:30 on 1/2, 1.2.3, 1,5",
		"$3 trillion":              "$3000000000000",
		"":                         "",
	} {
		if got := byValue(text); got != want {
			t.Errorf("%q gives %q, want %q", text, got, want)
		}
	}
}

func TestStatistics(t *testing.T) {
	t.Parallel()
	got, err := New().Statistics(vfs.Files{"call.txt": briefing, "z.txt": briefing})
	if err != nil {
		t.Fatal(err)
	}
	want := domains.Stats{Elements: 5, Counts: []domains.Count{
		{Name: "Speaker Turns", Value: "5"}, {Name: "Speakers", Value: "3"}, {Name: "Financial Metrics", Value: "8"},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A turn of very many sentences costs what is lost of it, not the whole.
func TestLongTurn(t *testing.T) {
	t.Parallel()
	var said strings.Builder
	for n := range 2 * mostSentences {
		fmt.Fprintf(&said, "It was %d. ", n)
	}
	reference := vfs.Files{"call.txt": "Amy Roe: " + said.String()}
	candidate := vfs.Files{"call.txt": "Amy Roe: " + strings.Replace(said.String(), "was 7.", "is 7.", 1)}
	const least = 0.99
	if got := New().Compare(reference, candidate).Strict; got < least || got == 1 {
		t.Errorf("Strict %v, want at least %v and less than 1", got, least)
	}
}
