package musicsheet

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

// scoreFile is the file of the documents in these tests.
const scoreFile = "score.ly"

func TestSuite(t *testing.T) {
	t.Parallel()
	domaintest.Suite{
		Domain:     New(),
		Seed:       domaintest.Seed(t, "musicsheet1"),
		Generate:   rapid.Custom(drawScore),
		RSForgives: 0.2, // words and titles stay, and a ratio forgives part of what is lost
	}.Run(t)
}

func FuzzCompare(f *testing.F) {
	domaintest.Fuzz(f, New(), domaintest.Seed(f, "musicsheet1"))
}

func BenchmarkCompare(b *testing.B) {
	domaintest.BenchmarkCompare(b, New(), domaintest.Seed(b, "musicsheet1"))
}

// drawScore draws the parts of a small piece, one at least in relative entry and one
// with words.
func drawScore(t *rapid.T) vfs.Files {
	d := drawer{t}
	var b strings.Builder
	b.WriteString(d.one("version", "\\version \"2.24.3\"\n", "", "\\version \"2.18.2\" % old\n\n"))
	b.WriteString(d.one("size", "#(set-global-staff-size 18)\n", "", "\\paper { indent = 0\\mm }\n"))
	b.WriteString(d.one("header", "\\header {\n  title = \"Ardmore\" composer = \"Trad.\"\n}\n", "", "\\header { title = \\markup \\bold \"Reel\" }\n"))
	b.WriteString(d.one("global", "global = { \\key g \\major \\time 4/4 }\n", "global = { \\key es \\minor \\time 6/8 \\tempo \"Slow\" 4. = 50 s1 }\n", "global = {\\time 3/4}\n"))
	b.WriteString("lead = \\relative " + d.one("start", "c'", "g''", "bes,", "") + " {\n" + d.phrase() + "}\n\n")
	for _, name := range []string{"alto", "viola", "bass_two"}[:d.upTo(3, "parts")] {
		b.WriteString(d.one("comment", "", "% check this part\n", "%{ two\nlines %}\n"))
		b.WriteString(name + " = " + d.one("entry", "", "", "\\relative c, ", "\\relative ") + "{ " + d.phrase() + d.one("end", "", "\\bar \"|.\" ") + "}\n")
	}
	for _, name := range []string{"words", "refrain"}[:1+d.upTo(1, "lyrics")] {
		b.WriteString(name + " = \\lyricmode {\n" + d.words() + "\n}\n")
	}
	b.WriteString(d.one("score", "\\score { << \\new Staff << \\global \\lead >> >> \\layout { } }\n", "", "\\score {\n  \\new Staff { \\lead }\n  \\midi { }\n}\n"))
	return vfs.Files{scoreFile: b.String()}
}

type drawer struct{ *rapid.T }

func (d drawer) upTo(most int, label string) int { return rapid.IntRange(0, most).Draw(d.T, label) }
func (d drawer) one(label string, among ...string) string {
	return rapid.SampledFrom(among).Draw(d.T, label)
}

func (d drawer) phrase() string {
	var b strings.Builder
	b.WriteString(d.one("clef", "", "\\clef bass ", "\\clef \"treble_8\" "))
	b.WriteString(d.note())
	for range d.upTo(9, "items") {
		switch d.upTo(9, "item") {
		case 0:
			b.WriteString(d.one("rest", "r4 ", "R1*2 | ", "s8. ", "r "))
		case 1:
			b.WriteString("<" + d.pitch() + " " + d.pitch() + ">" + d.length() + d.marks() + d.one("again", " ", " q ", " q8 "))
		case 2:
			b.WriteString("\\tuplet 3/2 { " + d.note() + d.note() + d.note() + "} ")
		case 3:
			b.WriteString(d.one("grace", "\\grace ", "\\acciaccatura ") + "{ " + d.note() + "} ")
		case 4:
			b.WriteString("\\repeat volta 2 { " + d.note() + "} \\alternative { { " + d.note() + "} { " + d.note() + "} } ")
		case 5:
			b.WriteString(d.one("mark", "| ", "|\n", "\\breathe ", "\\mark \\default ", "\\override Stem.direction = #UP ", "% bar\n", "\\time 2/4 "))
		case 6:
			b.WriteString("<< { " + d.note() + "} \\\\ { " + d.note() + "} >> ")
		default:
			b.WriteString(d.note())
		}
	}
	return b.String()
}

func (d drawer) pitch() string {
	return d.one("name", "c", "d", "es", "e", "fis", "f", "g", "as", "a", "bes", "b", "cis", "gisis") + d.one("octave", "", "", "'", ",", "''")
}

func (d drawer) length() string { return d.one("length", "", "", "4", "8", "2.", "16", "1*3/4") }

func (d drawer) marks() string {
	return d.one("marks", "", "", "", "\\p", "(", ")", "\\<", "-.\\!", "^\\markup { dolce }", "~", "->\\ff", "[", "-3", "\\fermata", "_\"arco\"")
}

func (d drawer) note() string {
	return d.pitch() + d.one("accidental", "", "", "", "!", "?") + d.length() + d.marks() + " "
}

func (d drawer) words() string {
	var b strings.Builder
	b.WriteString("  Star")
	for range d.upTo(8, "words") {
		b.WriteString(d.one("word", " of the sea", " O -- pen", " light, __", "\n  ma -- ri -- ner", " _", " \"so-so\"", " \\skip 4 home", " | down"))
	}
	return b.String()
}

const sample = `\version "2.22.1"
\header { title = "Ardmore Air" composer = "Trad." }
% from the 1894 tune book
global = { \key d \major \time 3/4 }
fiddle = \relative d' {
  d4\p fis8( a) b4 | \tuplet 3/2 { a8 b cis } d2~ | d4 r r | <fis, a>2.\fermata
}
drone = { d2. | d | d4 a, d | d2.-> }
words = \lyricmode { The har -- bour lights __ }
\score { << \new Staff = "f" << \global \fiddle >> \new Staff \drone \addlyrics \words >> \layout { indent = 0 } }
`

func sampleWith(t *testing.T, old, new string) vfs.Files {
	t.Helper()
	if !strings.Contains(sample, old) {
		t.Fatalf("the sample has no %q", old)
	}
	return vfs.Files{"air.ly": strings.ReplaceAll(sample, old, new)}
}

func TestWhatStrictForgives(t *testing.T) {
	t.Parallel()
	for rule, edit := range map[string][2]string{
		"the version":             {`"2.22.1"`, `"2.24.0"`},
		"line breaks":             {" | ", " |\n"},
		"bar checks":              {" | ", " "},
		"durations written out":   {"d2. | d |", "d2. | d2. |"},
		"absolute octaves":        {"\\relative d' {\n  d4\\p fis8( a) b4 | \\tuplet 3/2 { a8 b cis } d2~ | d4 r r | <fis, a>2.", "{\n  d'4\\p fis'8( a') b'4 | \\tuplet 3/2 { a'8 b' cis'' } d''2~ | d''4 r r | <fis' a'>2."},
		"another start":           {`\relative d' {`, `\relative c' {`},
		"the old form of tuplets": {`\tuplet 3/2`, `\times 2/3`},
		"names of variables":      {"drone", "pipes"},
		"accents written out":     {"d2.->", `d2.-\accent`},
		"order of marks":          {`d4\p fis8( a)`, `d4\p fis8( a-)`},
		"an added comment":        {"drone = {", "% long notes\ndrone = {"},
		"letter case of titles":   {"Ardmore Air", "ARDMORE AIR"},
		"order in a chord":        {"<fis, a>", "<a fis>"},
		"a reminder":              {"cis }", "cis! }"},
		"a code fence":            {`\version`, "```lilypond\n\\version"},
		"CRLF":                    {"\n", "\r\n"},
		"unneeded braces":         {"d4 a, d |", "{ d4 a, d } |"},
		"quotes around a name":    {`Staff = "f"`, `Staff = f`},
		"transposed as written":   {"drone = { d2. | d | d4 a, d | d2.-> }", "drone = \\transpose c d { c2. | c | c4 g, c | c2.-> }"},
		"the English language":    {"drone = { d2.", "drone = { \\language \"english\" d2."},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			reference, candidate := vfs.Files{"air.ly": sample}, sampleWith(t, edit[0], edit[1])
			if score := New().Compare(reference, candidate); score.Strict != 1 {
				t.Errorf("Strict is %v: %v", score.Strict, New().Differences(reference, candidate))
			}
		})
	}
}

func TestWhatStrictSees(t *testing.T) {
	t.Parallel()
	for change, edit := range map[string][2]string{
		"a pitch":                  {"b4", "bes4"},
		"a respelled pitch":        {"cis }", "des }"},
		"an octave":                {"a, d |", "a d |"},
		"the start of \\relative":  {`\relative d'`, `\relative d''`},
		"a duration":               {"d2.->", "d2->"},
		"a tuplet's ratio":         {`\tuplet 3/2`, `\tuplet 5/4`},
		"a rest":                   {"r r", "r"},
		"a rest that is invisible": {"r r", "r s"},
		"a slur":                   {"fis8( a)", "fis8 a"},
		"a tie":                    {"d2~", "d2"},
		"a dynamic":                {`\p`, `\pp`},
		"an articulation":          {"->", "-."},
		"a note in a chord":        {"<fis, a>", "<fis,>"},
		"a chord taken apart":      {"<fis, a>2.", "fis,2. a2."},
		"notes that change places": {"fis8( a) b4", "fis8( b) a4"},
		"a tuplet's end":           {"a8 b cis } d2~", "a8 b } cis d2~"},
		"the key":                  {`d \major`, `d \minor`},
		"the time":                 {"3/4 }", "6/8 }"},
		"a syllable":               {"har", "bar"},
		"a hyphen":                 {"har -- bour", "har bour"},
		"an extender":              {"lights __", "lights"},
		"a title":                  {"Ardmore Air", "Ardmore Reel"},
		"a header field":           {`composer = "Trad."`, ""},
		"a lost comment":           {"% from the 1894 tune book\n", ""},
		"a staff":                  {`\new Staff \drone`, `\drone`},
		"what a staff plays":       {`\new Staff \drone`, `\new Staff \fiddle`},
		"a setting":                {"indent = 0", "indent = 10"},
		"a note more":              {"d2.->", "d2.-> d"},
		"a part more":              {"words =", "viola = { d'1 }\nwords ="},
		"a line of prose":          {`\score`, "Here is the score:\n\\score"},
		"a typographic apostrophe": {"d' {", "d’ {"},
	} {
		t.Run(change, func(t *testing.T) {
			t.Parallel()
			score := New().Compare(vfs.Files{"air.ly": sample}, sampleWith(t, edit[0], edit[1]))
			if score.Strict >= 1 {
				t.Error("Strict is 1")
			}
		})
	}
}

func TestDifferencesAreNamedAsAPractitionerWould(t *testing.T) {
	t.Parallel()
	candidate := strings.NewReplacer("b4", "bes4", " a, ", " ", "lights", "light").Replace(sample)
	want := []domains.Difference{
		{Kind: domains.Changed, Where: "fiddle, note 4, pitch", Was: "b", Is: "bes"},
		{Kind: domains.Lost, Where: "drone, note 4", Was: "drone | a | -1 | 1/4 | after drone, note 3"},
		{Kind: domains.Changed, Where: "words, syllable 4, text", Was: "lights", Is: "light"},
	}
	if diff := cmp.Diff(want, New().Differences(vfs.Files{"a.ly": sample}, vfs.Files{"a.ly": candidate})); diff != "" {
		t.Error(diff)
	}
}

func TestStrictFallsInProportion(t *testing.T) {
	t.Parallel()
	seed := domaintest.Seed(t, "musicsheet1")
	for change, c := range map[string]struct {
		edit        [2]string
		least, most float64
	}{
		"one pitch":   {[2]string{"bes4 a g | a2 f4", "b4 a g | a2 f4"}, 0.998, 0.9999},
		"one bar":     {[2]string{"a2 f4 | g2 c,4 |\n  f4.\\<", "a2 f4 |\n  f4.\\<"}, 0.98, 0.998},
		"one octave":  {[2]string{"soprano = \\relative c'", "soprano = \\relative c"}, 0.9, 0.98},
		"one comment": {[2]string{"% Mairead: des or d? she sings d", ""}, 0.997, 0.9999},
	} {
		changed := strings.Replace(seed[scoreFile], c.edit[0], c.edit[1], 1)
		if changed == seed[scoreFile] {
			t.Fatalf("%s: the seed has no %q", change, c.edit[0])
		}
		score := New().Compare(seed, vfs.Files{scoreFile: changed})
		if score.Strict < c.least || score.Strict > c.most {
			t.Errorf("%s leaves Strict at %v, want %v to %v", change, score.Strict, c.least, c.most)
		}
	}
}

func TestWithoutKeepsPitchesAndDurations(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		"a = { c2\\p d e }":                      "a = { d2 e }",
		"a = \\relative c' { c g' d' }":          "a = \\relative c' { g' d' }",
		"a = \\relative c' { c4 <g' c e>8 d }":   "a = \\relative c' { <g' c e>8 d }",
		"a = \\relative c' { e4 <c' e g>8 q d }": "a = \\relative c' { <c' e g>8 q d }",
		"a = { \\grace c8 d4 }":                  "a = { d4 }",
		"a = c1":                                 "a = {}",
		"a = {\n  c8 | d\n  e\n}":                "a = { | d8\n  e\n}",
	} {
		left := New().Without(vfs.Files{"a.ly": source}, func(n int) bool { return n == 0 })
		if strings.Join(strings.Fields(left["a.ly"]), " ") != strings.Join(strings.Fields(want), " ") {
			t.Errorf("%s: %q, want %q", source, left["a.ly"], want)
		}
	}
}

func TestStrictReadsFilesOfAnyNameAndNumber(t *testing.T) {
	t.Parallel()
	at := strings.Index(sample, "drone =")
	end := strings.Index(sample, "words =")
	for rule, c := range map[string]struct {
		files vfs.Files
		same  bool
	}{
		"another name":           {vfs.Files{"air.ily": sample}, true},
		"an included part":       {vfs.Files{"air.ly": sample[:at] + "\\include \"pipes.ily\"\n" + sample[end:], "pipes.ily": sample[at:end]}, true},
		"the same twice":         {vfs.Files{"a.ly": sample, "b.ly": sample}, false},
		"a file of another kind": {vfs.Files{"a.ly": sample, "notes.md": "Done.\n"}, false},
	} {
		if score := New().Compare(vfs.Files{"air.ly": sample}, c.files); (score.Strict == 1) != c.same {
			t.Errorf("%s: Strict is %v: %v", rule, score.Strict, New().Differences(vfs.Files{"air.ly": sample}, c.files))
		}
	}
}

func TestHostileDocuments(t *testing.T) {
	t.Parallel()
	seed := domaintest.Seed(t, "musicsheet1")
	for _, open := range []string{"{", "<<", "<", "\\relative {", "\"", "#(", "\\markup {", "%{", "\\score {", "\\lyricmode {"} {
		t.Run(open, func(t *testing.T) {
			t.Parallel()
			domaintest.Survives(t, New(), seed, "a.ly", "a = "+strings.Repeat(open, 10_000))
		})
	}
}

func ExampleNew() {
	d := New()
	score := d.Compare(vfs.Files{"a.ly": "a = { c' d' e' f' }\n"}, vfs.Files{"a.ly": "a = { c' d' es' f' }\n"})
	fmt.Printf("%.4f %.4f\n", score.RS, score.Strict)
	// Output: 0.9125 0.9500
}

func TestTokensGiveTheSourceBack(t *testing.T) {
	t.Parallel()
	for _, source := range []string{sample, "a = { <c e g", "\\header {", "} >> x = <<\n", "a = { c=''4 \\\\ d8 8 \\5 }\n\n"} {
		if got := printed(tokenize(source, newContext())); got != source {
			t.Errorf("%q became %q", source, got)
		}
	}
}

func TestPitchesOfRelativeNotation(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		"\\relative c' { c g c, fis' ces }":               "c' g c fis' ces'",
		"\\relative { c' g' b, }":                         "c' g' b",
		"\\relative c' { <c e g> <e' c> d }":              "c' e' g' e'' c'' d''",
		"\\relative c'' { b { c \\relative c { g } a } }": "b' c'' g, a'",
		"\\fixed c'' { c e, }":                            "c'' e'",
		"\\transpose c bes, { c d' }":                     "bes, c'",
		"\\relative c' { c8 16 g4 }":                      "c' c' g",
	} {
		got := ""
		for _, k := range tokenize("a = "+source, newContext()) {
			if k.kind == noteToken {
				p := k.tone.sounding()
				got += " " + absolute(p)
			}
		}
		if got != " "+want {
			t.Errorf("%s: %s, want %s", source, got, want)
		}
	}
}

// A variable may have another name where all that use it do.
func TestAVariableWithoutItsUsesIsAChange(t *testing.T) {
	t.Parallel()
	const music = "\\version \"2.24.0\"\nupper = { c'4 d' e' f' }\nlower = { c4 g, c g, }\n\\score {\n  \\new PianoStaff <<\n    \\new Staff \\upper\n    \\new Staff \\lower\n  >>\n}\n"
	for name, c := range map[string]struct {
		change *strings.Replacer
		same   bool
	}{
		"renamed throughout": {strings.NewReplacer("upper", "right", "lower", "left"), true},
		"at its music alone": {strings.NewReplacer("upper =", "uper ="), false},
		"at its use alone":   {strings.NewReplacer(`\upper`, `\uper`), false},
	} {
		if strict := New().Against(vfs.Files{"a.ly": music}).Review(vfs.Files{"a.ly": c.change.Replace(music)}).Strict; (strict == 1) != c.same {
			t.Errorf("%s: %v", name, strict)
		}
	}
}
