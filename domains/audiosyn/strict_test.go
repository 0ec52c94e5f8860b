package audiosyn

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

// sample is a piece with what the published score does not look at.
const sample = `<CsoundSynthesizer>
<CsOptions>
-o dac -W -m0 ; live
</CsOptions>
<CsInstruments>
; --- Study 3, revised ---
sr = 48000
ksmps = 32
0dbfs = 1
#define LEVEL #0.5#
garev init 0

opcode Pan, aa, ak
asig, kpos xin
xout asig*(1-kpos), asig*kpos
endop

/* two strings,
   one detuned */
instr 1
ipch = cpspch(p5) ; pitch
a1 pluck p4, ipch, ipch, 0, 1
a2 pluck p4, ipch*1.003, ipch, \
   0, 1
; halves
aL, aR Pan a1+a2, 0.3
outs aL*$LEVEL, aR
garev += aL
endin

instr 99
  if (garev > 0) then
arv reverb garev, .5
  endif
out arv
printks "%f; done\n", 1, arv
garev = 0
endin
</CsInstruments>
<CsScore>
f1 0 1024 10 1 0.5 ; bright
t 0 90
; theme
i1 0 1.50 0.3 8.00 ; C
i1 + . . 8.07
i1 4 1 0.2 8.09
i1 4.5
i99 0 12
s
; coda
i1 0 2 0.1 7.00
b 4
i1 0 . .
e
</CsScore>
</CsoundSynthesizer>
`

// change is the sample with one text replaced by another.
func change(t *testing.T, was, is string) vfs.Files {
	t.Helper()
	if !strings.Contains(sample, was) {
		t.Fatalf("the sample has no %q", was)
	}
	return vfs.Files{"study.csd": strings.Replace(sample, was, is, 1)}
}

func TestStrictSees(t *testing.T) {
	t.Parallel()
	for rule, edit := range map[string][2]string{
		"an option's value":                 {"-o dac", "-o adc"},
		"a comment above another statement": {"t 0 90\n; theme\n", "; theme\nt 0 90\n"},
		"an option that was lost":           {" -W", ""},
		"a comment of the options":          {"; live", "; offline"},
		"the heading":                       {"Study 3", "Study 4"},
		"a setting":                         {"ksmps = 32", "ksmps = 64"},
		"a setting that was lost":           {"0dbfs = 1\n", ""},
		"a macro's text":                    {"#0.5#", "#0.6#"},
		"a global":                          {"garev init 0", "garev init 1"},
		"an opcode's types":                 {"Pan, aa, ak", "Pan, aa, ai"},
		"a statement in an opcode":          {"(1-kpos)", "(2-kpos)"},
		"a comment above an instrument":     {"   one detuned", "   both detuned"},
		"an instrument's number":            {"instr 99", "instr 98"},
		"an argument":                       {"1.003", "1.03"},
		"an argument on the next line":      {"   0, 1\n", "   0, 2\n"},
		"an output":                         {"aL, aR Pan", "aR, aL Pan"},
		"the order of statements":           {"outs aL*$LEVEL, aR\ngarev += aL", "garev += aL\nouts aL*$LEVEL, aR"},
		"a sum for an assignment":           {"garev += aL", "garev = aL"},
		"a condition":                       {"garev > 0", "garev > 1"},
		"a text":                            {"%f; done", "%f; ready"},
		"a comment in an instrument":        {"; halves\n", ""},
		"a comment after a statement":       {" ; pitch", ""},
		"a statement that was lost":         {"garev = 0\n", ""},
		"the letter case of a variable":     {"arv reverb", "aRv reverb"},
		"an instrument that is not closed":  {"endin\n\ninstr 99", "instr 99"},
		"a table's size":                    {"1024", "2048"},
		"a table's argument":                {"10 1 0.5", "10 1 0.25"},
		"a tempo":                           {"t 0 90", "t 0 96"},
		"a start":                           {"i1 4 1", "i1 4.1 1"},
		"an instrument played":              {"i99 0", "i98 0"},
		"a pitch":                           {"8.07", "8.06"},
		"a note name":                       {"; C\n", "; D\n"},
		"a p-field that was added":          {"i99 0 12", "i99 0 12 1"},
		"an event that is commented out":    {"i99 0", ";i99 0"},
		"an event that was repeated":        {"i99 0 12\n", "i99 0 12\ni99 0 12\n"},
		"an event in another section":       {"i99 0 12\ns\n", "s\ni99 0 12\n"},
		"a duration that others carry":      {"1.50", "1.75"},
		"a section that was lost":           {"s\n", ""},
		"a base time":                       {"b 4", "b 8"},
		"an end that comes earlier":         {"b 4", "e\nb 4"},
		"a comment of the score":            {"; theme", "; variation"},
		"the order of comments":             {"; theme\n", ""},
		"a missing end of the score":        {"</CsScore>\n", ""},
		"a missing end of the whole":        {"</CsoundSynthesizer>\n", ""},
		"prose before it":                   {"<CsoundSynthesizer>", "Here is the file:\n<CsoundSynthesizer>"},
		"prose in the score":                {"e\n</CsScore>", "The other notes are the same.\ne\n</CsScore>"},
		"a license that was added":          {"</CsScore>\n", "</CsScore>\n<CsLicense>\nCC BY\n</CsLicense>\n"},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			score := New().Compare(vfs.Files{"study.csd": sample}, change(t, edit[0], edit[1]))
			if score.Strict >= 1 || score.Strict < 0.5 {
				t.Errorf("Strict is %v", score.Strict)
			}
		})
	}
}

func TestStrictForgives(t *testing.T) {
	t.Parallel()
	for rule, edit := range map[string][2]string{
		"idle zeros":                         {"1.50", "1.5"},
		"a number's writing":                 {"0.2 8.09", ".20 8.0900"},
		"a blank after the letter":           {"i99 0", "i 99 0"},
		"columns":                            {"i99 0 12", "i99\t0    12"},
		"a dot written out":                  {"i1 + . .", "i1 + 1.5 0.3"},
		"a plus written out":                 {"i1 +", "i1 1.5"},
		"a start after the one before":       {"i1 +", "i1 ^+1.5"},
		"p-fields that are left to the last": {"i1 4.5", "i1 4.5 . . ."},
		"the order of events":                {"i1 4.5\ni99 0 12\n", "i99 0 12\ni1 4.5\n"},
		"the last e":                         {"e\n</CsScore>", "</CsScore>"},
		"the order of options":               {"-o dac -W", "-W -o dac"},
		"options in one word":                {"-o dac -W -m0", "-Wm0 -odac"},
		"the program's name":                 {"-o dac", "csound -o dac"},
		"tags in capitals":                   {"<CsScore>", "<CSSCORE>"},
		"options on the line of their tags":  {"<CsOptions>\n-o dac -W -m0 ; live\n</CsOptions>", "<CsOptions>; live\n-o dac -W -m0</CsOptions>"},
		"indentation":                        {"ipch = cpspch(p5)", "\t\tipch\t=\tcpspch( p5 )"},
		"blanks in an expression":            {"ipch*1.003, ipch,", "ipch * 1.003,ipch ,"},
		"a continued line in one":            {"ipch, \\\n   0, 1", "ipch, 0, 1"},
		"blanks around a condition":          {"if (garev > 0) then", "if (garev>0)  then"},
		"the order of numbered instruments": {
			sample[strings.Index(sample, "instr 99"):strings.Index(sample, "</CsInstruments>")], "",
		},
		"a ruler":                 {"; --- Study 3, revised ---", ";========\n; Study 3, revised\n;========"},
		"another comment mark":    {"; halves", "// halves"},
		"lines of a comment":      {"/* two strings,\n   one detuned */", "; two strings,\n; one detuned"},
		"a comment between marks": {"; halves", "/* halves */"},
		"blank lines":             {"\n\ninstr 99", "\n\n\n\ninstr 99"},
		"a code fence":            {"<CsoundSynthesizer>\n", "```csound\n<CsoundSynthesizer>\n"},
		"a byte order mark":       {"<CsoundSynthesizer>\n", "\ufeff<CsoundSynthesizer>\n"},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			candidate := change(t, edit[0], edit[1])
			if rule == "the order of numbered instruments" {
				moved := strings.Replace(candidate["study.csd"], "/* two", edit[0]+"/* two", 1)
				candidate = vfs.Files{"study.csd": moved}
			}
			if score := New().Compare(vfs.Files{"study.csd": sample}, candidate); score.Strict != 1 {
				t.Errorf("Strict is %v: %v", score.Strict, New().Differences(vfs.Files{"study.csd": sample}, candidate))
			}
		})
	}
}

func TestStrictReadsFilesOfAnyNameAndNumber(t *testing.T) {
	t.Parallel()
	orchestra := sample[strings.Index(sample, "; --- Study"):strings.Index(sample, "</CsInstruments>")]
	score := sample[strings.Index(sample, "f1 0"):strings.Index(sample, "</CsScore>")]
	for rule, c := range map[string]struct {
		files vfs.Files
		same  bool
	}{
		"another extension":            {vfs.Files{"study.txt": sample}, true},
		"line ends of another system":  {vfs.Files{"study.csd": strings.ReplaceAll(sample, "\n", "\r\n")}, true},
		"an orchestra and a score":     {vfs.Files{"study.orc": orchestra, "study.sco": score}, true},
		"the same in other files":      {vfs.Files{"orchestra.txt": orchestra, "score.txt": score}, true},
		"an orchestra alone":           {vfs.Files{"study.orc": orchestra}, false},
		"the same file twice":          {vfs.Files{"a.csd": sample, "b.csd": sample}, false},
		"notes beside it":              {vfs.Files{"study.csd": sample, "notes.md": "All tables are kept.\n"}, false},
		"a CSD file without options":   {vfs.Files{"study.csd": strings.Replace(sample, "-o dac -W -m0 ; live", "", 1)}, false},
		"a score beside the orchestra": {vfs.Files{"a.csd": strings.Replace(sample, score, "", 1), "a.sco": score}, true},
	} {
		got := New().Compare(vfs.Files{"study.csd": sample}, c.files)
		if (got.Strict == 1) != c.same {
			t.Errorf("%s: Strict is %v: %v", rule, got.Strict, New().Differences(vfs.Files{"study.csd": sample}, c.files))
		}
	}
}

func TestDifferencesAreNamed(t *testing.T) {
	t.Parallel()
	seed := domaintest.Seed(t, "audiosyn1")
	text := strings.Replace(seed[document], "i3    186     3.9", "i3    186     3.4", 1)
	text = strings.Replace(text, "butterlp aecho, 1800", "butterlp aecho, 2800", 1)
	candidate := vfs.Files{document: text}
	want := []domains.Difference{
		{Kind: domains.Changed, Where: "aecho butterlp in instr 90, argument 2", Was: "1800", Is: "2800"},
		{Kind: domains.Changed, Where: "i3 at 186, duration", Was: "3.9", Is: "3.4"},
	}
	if diff := cmp.Diff(want, New().Differences(seed, candidate)); diff != "" {
		t.Error(diff)
	}
	if score := New().Compare(seed, candidate); score.Strict < 0.99 || score.Strict >= 1 {
		t.Errorf("two wrong numbers leave Strict at %v", score.Strict)
	}
}

// What the events that are left carry as before stays a sign.
func TestWithoutWritesOutWhatWasCarried(t *testing.T) {
	t.Parallel()
	files := vfs.Files{"a.csd": csd("", "i1 0 1 5 ; a\ni1 + . . ; b\ni2 0 1\ni1 + 2 . ; c\ni1 9\ni1 10 . 6\ni1 11 2\ni1 12 . .")}
	left := New().Without(files, func(n int) bool { return n < 2 || n == 5 })
	want := vfs.Files{"a.csd": csd("", "i2 0 1\ni1 2 2 5 ; c\ni1 9\ni1 11 2 6\ni1 12 . .")}
	if diff := cmp.Diff(want, left); diff != "" {
		t.Error(diff)
	}
}
