package subtitles

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/domains/internal/doc"
	"agentd/domains/internal/lists"
	published "agentd/domains/published/subtitles"
	"agentd/vfs"
)

// document is the file of the documents in these tests.
const document = "lighthouse_tender.srt"

func TestSuite(t *testing.T) {
	t.Parallel()
	domaintest.Suite{
		Domain:   demonstration(t),
		Seed:     domaintest.Seed(t, "subtitles1"),
		Generate: rapid.Custom(generate),
		// Coverage, a fifth of RS, counts a repeated text once; the seed ends
		// with a cue of music that occurs three times more.
		RSForgives: 0.2 / 129,
	}.Run(t)
}

// generate draws a film's captions with the habits of one captioner.
func generate(t *rapid.T) vfs.Files {
	firstIndex := rapid.SampledFrom([]int{1, 1, 1, 0, 214}).Draw(t, "first index")
	indexed := rapid.Bool().Draw(t, "indexed")
	mark := rapid.SampledFrom([]string{",", ",", "."}).Draw(t, "mark before milliseconds")
	between := rapid.SampledFrom([]string{"\n", "\n", "\n\n"}).Draw(t, "lines between cues")
	var b strings.Builder
	now := rapid.IntRange(0, 3_700_000).Draw(t, "first start")
	text := ""
	for n := range rapid.IntRange(1, 14).Draw(t, "cues") {
		now += rapid.SampledFrom([]int{0, 10, 83, 750, 4_000, 95_000, 640_000}).Draw(t, "pause")
		end := now + rapid.IntRange(1, 7_000).Draw(t, "shown for")
		if n == 0 || rapid.IntRange(0, 3).Draw(t, "repeat") > 0 {
			text = captionText.Draw(t, "text")
		}
		if indexed {
			fmt.Fprintf(&b, "%d\n", firstIndex+n)
		}
		fmt.Fprintf(&b, "%s --> %s\n%s\n%s", strings.Replace(published.Clock(now).String(), ",", mark, 1), strings.Replace(published.Clock(end).String(), ",", mark, 1), text, between)
		if !rapid.Bool().Draw(t, "overlaps") {
			now = end
		}
	}
	content := b.String()
	if rapid.Bool().Draw(t, "ends without a blank line") {
		content = strings.TrimRight(content, "\n") + "\n"
	}
	if rapid.IntRange(0, 5).Draw(t, "from Windows") == 0 {
		content = "\ufeff" + strings.ReplaceAll(content, "\n", "\r\n")
	}
	return vfs.Files{document: content}
}

var captionText = rapid.OneOf(
	rapid.SampledFrom([]string{
		"[gulls crying]", "[door slams]\n[dog barks]", "{\\an8}[thunder]", "♪ slow fiddle ♪", "♪ ♪",
		"♪ Over the sea\nto Lerwick ♪", "♪ [humming] ♪ [applause]", "[sighs] Not again.", "♪",
		"- Ready aft?\n- Ready.", "<i>Shetland Coastguard,\nthis is Swan.</i>", "{\\an8}Ålesund, 1987",
		"SKIPPER: Hold her there.", "- MATE: Aye.\n- COOK: Soup's \"on\", they say.", "ÅSE: Takk.",
		"THE MATE", "MATE:\nWhere to?", "It's 40 fathoms here,\n12 at the skerry.", "A|B || C | D", "x |\n| y",
		"First\n\nand after a blank line", "10:15 sharp", "Ha!", "",
	}),
	rapid.StringMatching(`[A-Z][a-zé,'"]{1,9}( [a-z0-9,'"-]{1,9}){0,8}[.?!]`),
	rapid.StringMatching(`[A-Z][a-z]{1,9}( [a-z]{1,9}){0,5},\n[a-z]{1,9}( [a-z]{1,9}){0,5}\.`),
)

const drill = `1
00:00:00,010 --> 00:00:02,500
[bell rings]

2
00:00:03,060 --> 00:00:05,260
BOSUN: All hands,
to <i>stations</i>.

3
00:00:06,000 --> 00:00:08,000
{\an8}Later that day

4
00:00:09,000 --> 00:00:10,500
[bell rings]
`

// altered is drill with one passage replaced.
func altered(t *testing.T, was, is string) string {
	t.Helper()
	if !strings.Contains(drill, was) {
		t.Fatalf("drill has no %q", was)
	}
	return strings.ReplaceAll(drill, was, is)
}

// texts are the cues of a text as they are written.
func texts(text string) []string {
	return lists.Map(format.Read(text), func(cue doc.Part) string { return text[cue.From:cue.To] })
}

func TestStrictSeesWhatRSForgives(t *testing.T) {
	t.Parallel()
	cues := texts(drill)
	for rule, c := range map[string]struct {
		candidate     string
		least, strict float64 // the least RS, the exact Strict
	}{
		"a start moved by one millisecond": {altered(t, "00:00:06,000", "00:00:06,001"), 0.999, 11. / 12},
		"an end moved by two seconds":      {altered(t, "00:00:10,500", "00:00:12,500"), 0.98, 11. / 12},
		"an end before its start":          {altered(t, "00:00:10,500", "00:00:08,500"), 0.98, 11. / 12},
		"another speaker":                  {altered(t, "BOSUN", "MASTER"), 1, 11. / 12},
		"a label dropped":                  {altered(t, "BOSUN: ", ""), 1, 11. / 12},
		"letters of another case":          {altered(t, "Later that day", "LATER THAT DAY"), 1, 11. / 12},
		"two lines joined":                 {altered(t, "hands,\n", "hands, "), 1, 11. / 12},
		"a blank line inside a cue":        {altered(t, "hands,\n", "hands,\n\n"), 1, 11. / 12},
		"a tag dropped":                    {altered(t, "{\\an8}", ""), 0.88, 11. / 12},
		"two-digit milliseconds":           {altered(t, ",260", ",26"), 0.99, 11. / 12},
		"a position after the times":       {altered(t, "05,260", "05,260 X1:40 X2:600"), 1, 15. / 16},
		"a remark after the times":         {altered(t, "05,260", "05,260 <-- check"), 1, 15. / 16},
		"a question mark for a digit":      {altered(t, "00:00:06,000", "00:00:0?,000"), 0.2, 8. / 12},
		"a repeated cue added":             {drill + "\n5\n00:00:11,000 --> 00:00:12,000\n[bell rings]\n", 1, 4. / 5},
		"a cue twice":                      {drill + "\n" + cues[0], 0.9, 4. / 5},
		"the same cue in two files' worth": {drill + "\n" + drill, 0.9, 4. / 8},
		"a cue without its time line":      {altered(t, "00:00:06,000 --> 00:00:08,000\n", ""), 0.5, 8. / 12},
		"a single arrow":                   {altered(t, "06,000 -->", "06,000 ->"), 0, 8. / 12},
		"a heading before the first cue":   {"# Drill\n\n" + drill, 0, 4. / 5},
		"a WebVTT header":                  {"WEBVTT\n\n" + strings.ReplaceAll(drill, ",", "."), 0, 0},
		"a cue lost":                       {strings.Join(cues[1:], "\n"), 0.5, 3. / 4},
		"an unrelated text":                {"The committee met on Tuesday.\n", 0, 0},
		"nothing":                          {"", 0, 0},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			reference, candidate := vfs.Files{"drill.srt": drill}, vfs.Files{"drill.srt": c.candidate}
			score := New().Compare(reference, candidate)
			if score.RS < c.least {
				t.Errorf("Value %.4f, want at least %.4f", score.RS, c.least)
			}
			if c.strict != 0 && math.Abs(score.Strict-c.strict) > 1e-9 || score.Strict == 1 {
				t.Errorf("Strict %.4f, want %.4f: %v", score.Strict, c.strict, New().Differences(reference, candidate))
			}
		})
	}
}

func TestStrictForgivesWhatCarriesNothing(t *testing.T) {
	t.Parallel()
	reversed := texts(drill)
	slices.Reverse(reversed)
	for rule, candidate := range map[string]vfs.Files{
		"another file name":            {"captions.srt": drill},
		"another extension":            {"drill.txt": drill},
		"two files":                    {"a.srt": drill[:strings.Index(drill, "3\n00")], "b.srt": drill[strings.Index(drill, "3\n00"):]},
		"a code fence around":          {"drill.srt": "```srt\n" + drill + "```\n"},
		"a code fence at the end":      {"drill.srt": drill + "```\n"},
		"a byte order mark":            {"drill.srt": "\ufeff" + drill},
		"Windows line ends":            {"drill.srt": strings.ReplaceAll(drill, "\n", "\r\n")},
		"dots before milliseconds":     {"drill.srt": regexp.MustCompile(`(:\d\d),`).ReplaceAllString(drill, "$1.")},
		"hours without padding":        {"drill.srt": regexp.MustCompile(`00:(\d\d:\d\d,)`).ReplaceAllString(drill, "0:$1")},
		"times of four parts":          {"drill.srt": regexp.MustCompile(`00:(\d\d:\d\d,)`).ReplaceAllString(drill, "00:00:$1")},
		"indexes from zero":            {"drill.srt": regexp.MustCompile(`(?m)^\d$`).ReplaceAllStringFunc(drill, func(s string) string { return string(s[0] - 1) })},
		"no indexes":                   {"drill.srt": regexp.MustCompile(`(?m)^\d\n`).ReplaceAllString(drill, "")},
		"odd indexes":                  {"drill.srt": regexp.MustCompile(`(?m)^\d$`).ReplaceAllString(drill, "-7.5")},
		"a blank line after the index": {"drill.srt": regexp.MustCompile(`(?m)^(\d)$`).ReplaceAllString(drill, "$1\n")},
		"more blank lines":             {"drill.srt": strings.ReplaceAll(drill, "\n\n", "\n\n\n\n")},
		"no blank lines":               {"drill.srt": strings.ReplaceAll(drill, "\n\n", "\n")},
		"blanks at line ends":          {"drill.srt": strings.ReplaceAll(drill, "\n", "  \n")},
		"indented time lines":          {"drill.srt": strings.ReplaceAll(drill, "\n00:", "\n    00:")},
		"no line end at the end":       {"drill.srt": strings.TrimSuffix(drill, "\n")},
		"blocks in another order":      {"drill.srt": strings.Join(reversed, "\n")},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			reference := vfs.Files{"drill.srt": drill}
			if score := New().Compare(reference, candidate); score.Strict != 1 {
				t.Errorf("Strict %.4f: %v", score.Strict, New().Differences(reference, candidate))
			}
		})
	}
}

func TestStatistics(t *testing.T) {
	t.Parallel()
	got, err := New().Statistics(vfs.Files{"b.srt": drill, "a.SRT": drill, "notes.md": "x"})
	if err != nil {
		t.Fatal(err)
	}
	want := domains.Stats{Elements: 4, Counts: []domains.Count{
		{Name: "Entries", Value: "4"}, {Name: "Duration", Value: "0.2 min"}, {Name: "Text Chars", Value: "74"},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func FuzzCompare(f *testing.F) {
	domaintest.Fuzz(f, demonstration(f), domaintest.Seed(f, "subtitles1"))
}

func BenchmarkCompare(b *testing.B) {
	domaintest.BenchmarkCompare(b, New(), domaintest.Seed(b, "subtitles1"))
}
