package musicsheet

import (
	"strings"
	"testing"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

// scoreFile is the file of the documents in these tests.
const scoreFile = "score.ly"

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "musicsheet1") }

// reel is a small score in which every edit has something to do.
const reel = `\header { title = "Reel" }
global = { \key g \major \time 4/4 }
% first strain only
fiddle = \relative d' {
  d8\p g fis g-. b4\<( <g b>)\! |
  \grace bes8 a2 q4 r | % hold
}
drone = { g,1\mf~ | g,2 fis,?4 s }
words = \lyricmode { Ro -- sa -- leen, __ \set stanza = "2." "so-" -- fair }
\score { << \new Staff \fiddle \new Staff \drone >> }
`

func changed(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(reel) }

var forwardResults = map[string]vfs.Files{
	"transpose": {"score_transposed.ly": `\header { title = "Reel" }
global = { \key a \major \time 4/4 }
% first strain only
fiddle = \relative e' {
  e8\p a gis a-. cis4\<( <a cis>)\! |
  \grace c8 b2 q4 r | % hold
}
drone = { a,1\mf~ | a,2 gis,?4 s }
words = \lyricmode { Ro -- sa -- leen, __ \set stanza = "2." "so-" -- fair }
\score { << \new Staff \fiddle \new Staff \drone >> }
`},
	"part_files": {
		"frame.ly": `\header { title = "Reel" }
\include "global.ly"
% first strain only
\include "fiddle.ly"
\include "drone.ly"
\include "words.ly"
\score { << \new Staff \fiddle \new Staff \drone >> }
`,
		"global.ly": "global = { \\key g \\major \\time 4/4 }\n",
		"fiddle.ly": "fiddle = \\relative d' {\n  d8\\p g fis g-. b4\\<( <g b>)\\! |\n  \\grace bes8 a2 q4 r | % hold\n}\n",
		"drone.ly":  "drone = { g,1\\mf~ | g,2 fis,?4 s }\n",
		"words.ly":  "words = \\lyricmode { Ro -- sa -- leen, __ \\set stanza = \"2.\" \"so-\" -- fair }\n",
	},
	"absolute_octaves": {
		"score_absolute.ly": changed(`fiddle = \relative d' {`, "fiddle = {", "d8\\p g fis g-. b4", "d'8\\p g' fis' g'-. b'4", "<g b>", "<g' b'>", "bes8 a2", "bes'8 a'2"),
		"relative.csv":      "variable,start\nfiddle,d'\n",
	},
	"explicit_durations": {
		"score_durations.ly": changed("g fis g-. b4", "g8 fis8 g8-. b4", "b>)", "b>4)", "q4 r", "q4 r4", "fis,?4 s", "fis,?4 s4"),
		"implicit.csv":       "variable,n\nfiddle,2\nfiddle,3\nfiddle,4\nfiddle,6\nfiddle,10\ndrone,4\n",
	},
	"english_names": {"score_english.ly": "\\language \"english\"\n" + changed("fis", "fs", "bes", "bf")},
	"lyric_sheet": {
		"score_music.ly":  changed("Ro -- sa -- leen, __ \\set stanza = \"2.\" \"so-\" -- fair }", "}"),
		"lyrics.md":       "## words\n\nRosaleen, \\set stanza = \"2.\" \"so-\" -- fair\n",
		"hyphenation.csv": "variable,n,word,syllables\nwords,1,\"Rosaleen,\",\"Ro -- sa -- leen, __\"\n",
	},
	"dynamics_list": {
		"score_plain.ly": changed(`d8\p`, "d8", `b4\<(`, "b4(", `)\!`, ")", `\mf`, ""),
		"dynamics.csv":   "variable,n,dynamics\nfiddle,1,\\p\nfiddle,5,\\<\nfiddle,6,\\!\ndrone,1,\\mf\n",
	},
	"range_audit": {
		"score_ranges.ly": changed("fiddle =", "% RANGE d' - b', tenor\nfiddle =", "drone =", "% RANGE fis, - g,, bass\ndrone ="),
		"ranges.csv":      "variable,notes,lowest,highest,semitones,voice\nfiddle,9,d',b',9,tenor\ndrone,3,\"fis,\",\"g,\",1,bass\n",
	},
}

func TestForwardResults(t *testing.T) {
	t.Parallel()
	domaintest.Results(t, demonstration(t), vfs.Files{scoreFile: reel}, forwardResults, domaintest.InMeaning)
}

func TestOraclesNameWhatIsWrong(t *testing.T) {
	t.Parallel()
	d := demonstration(t)
	for _, c := range []struct {
		edit    string
		forward bool
		files   vfs.Files
		want    string
	}{
		{"transpose", true, vfs.Files{"a.ly": "\\score { }\n"}, "no notes"},
		{"transpose", true, vfs.Files{"a.ly": "a = { bisis }\n"}, "no name when transposed"},
		{"transpose", true, vfs.Files{"a.ly": "a = \\transpose c d { c }\n"}, "cannot transpose"},
		{"transpose", true, vfs.Files{"a.ly": "a = { c=' }\n"}, "octave checks"},
		{"absolute_octaves", true, vfs.Files{"a.ly": "a = { \\relative c' { d } }\n"}, "elsewhere"},
		{"absolute_octaves", true, vfs.Files{"a.ly": "a = { c }\n"}, "no variable has"},
		{"english_names", true, vfs.Files{"a.ly": "\\language \"deutsch\" a = { h }\n"}, "names a language"},
		{"lyric_sheet", true, vfs.Files{"a.ly": "a = { c }\n"}, "no variable has lyrics"},
		{"part_files", true, vfs.Files{"a.ly": "a = { c }\na = { d }\n"}, "two files"},
		{"transpose", false, vfs.Files{"b.ly": reel}, "score_transposed.ly is missing"},
		{"part_files", false, vfs.Files{"b.ly": reel}, "frame.ly is missing"},
		{"absolute_octaves", false, vfs.Files{"score_absolute.ly": reel}, "relative.csv is missing"},
		{"explicit_durations", false, vfs.Files{"score_durations.ly": reel, "implicit.csv": "n\n"}, `no column "variable"`},
		{"lyric_sheet", false, vfs.Files{"score_music.ly": reel}, "lyrics.md is missing"},
		{"dynamics_list", false, vfs.Files{"score_plain.ly": reel}, "dynamics.csv is missing"},
	} {
		step := domaintest.Edit(t, d, c.edit).Backward
		if c.forward {
			step = domaintest.Edit(t, d, c.edit).Forward
		}
		if _, err := step(c.files); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.edit, err, c.want)
		}
	}
}

func TestEditsWithOtherParameters(t *testing.T) {
	t.Parallel()
	d := domaintest.Making(t, New(), map[string]string{
		"note_ranges":  `{"document": "reel.ly", "to": "r.ly", "label": "from", "voices": [{"name": "viola", "lowest": "c", "highest": "b'"}], "others": "no one", "table": "r.csv"}`,
		"rename_notes": `{"document": "reel.ly", "to": "h.ly", "language": "deutsch"}`,
		"transpose":    `{"document": "reel.ly", "to": "low.ly", "from": "d'", "up": "c'"}`,
	})
	domaintest.Results(t, d, vfs.Files{"reel.ly": reel}, map[string]vfs.Files{
		"note_ranges": {
			"r.ly":  changed("fiddle =", "% from d' - b', viola\nfiddle =", "drone =", "% from fis, - g,, no one\ndrone ="),
			"r.csv": "variable,notes,lowest,highest,semitones,voice\nfiddle,9,d',b',9,viola\ndrone,3,\"fis,\",\"g,\",1,no one\n",
		},
		"rename_notes": {"h.ly": "\\language \"deutsch\"\n" + changed("b4", "h4", "<g b>", "<g h>", "bes", "b")},
		"transpose": {"low.ly": changed(`\key g`, `\key f`, "d' {", "c' {", "d8\\p g fis g-. b4", "c8\\p f e f-. a4", "<g b>", "<f a>",
			"bes8 a2", "as8 g2", "{ g,1", "{ f,1", "| g,2 fis,?4", "| f,2 e,?4")},
	}, domaintest.InMeaning)
}

func TestParametersThatLilyPondDoesNotHave(t *testing.T) {
	t.Parallel()
	for name, parameters := range map[string]string{
		"note_ranges":  `{"document": "a.ly", "to": "b.ly", "label": "x", "voices": [{"name": "alto", "lowest": "F3", "highest": "d"}], "others": "-", "table": "t.csv"}`,
		"rename_notes": `{"document": "a.ly", "to": "b.ly", "language": "hindi"}`,
		"transpose":    `{"document": "a.ly", "to": "b.ly", "from": "c", "up": "x"}`,
	} {
		edit := domaintest.Edit(t, domaintest.Making(t, New(), map[string]string{name: parameters}), name)
		if _, err := edit.Forward(vfs.Files{"a.ly": reel}); err == nil {
			t.Errorf("%s takes %s", name, parameters)
		}
	}
}
