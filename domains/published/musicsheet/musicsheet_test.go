package musicsheet

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/vfs"
)

// published is what the published reading makes of the variables of a source.
type published struct {
	pitches []uint8 // in quarter tones
	lengths []float64
}

func TestMusicThatIsRead(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]published{
		"a = { c4 d8. e }":                                               {[]uint8{0, 4, 8}, []float64{0.25, 0.1875, 0.1875}},
		"a = { ces cis ees es as aes beses }":                            {[]uint8{22, 2, 6, 6, 16, 16, 18}, []float64{.25, .25, .25, .25, .25, .25, .25}},
		"a = { c\\breve d1*2/3 }":                                        {[]uint8{0, 4}, []float64{2, 2. / 3}},
		"a = { r2 c <e g>8 d }":                                          {[]uint8{0, 8, 14, 4}, []float64{.5, .25, .25, .125}},
		"a = \\relative c' { d2 }":                                       {[]uint8{0, 4}, []float64{.25, .5}},
		"a = \\transpose c d { e1 }":                                     {[]uint8{0, 4, 8}, []float64{.25, .25, 1}},
		"a = { \\key g \\major c8 }":                                     {[]uint8{14, 0}, []float64{.25, .125}},
		"a = { \\tempo 2=64 c d='8 e=4 }":                                {[]uint8{0, 4, 8}, []float64{.5, .125, .25}},
		"a = { \\tempo 2 = 60 c }":                                       {[]uint8{0}, []float64{.5}},
		"a = { \\tuplet 3/2 8 { c d } e-3 f->4 }":                        {[]uint8{0, 4, 8, 10}, []float64{.125, .125, .125, .125}},
		"a = { \\time 2/4 c \\clef bass \\x d12 }":                       {[]uint8{0, 4}, []float64{.25, .25}},
		"\\language \"english\" a = { bf cs }":                           {[]uint8{20, 2}, []float64{.25, .25}},
		"\\language \"deutsch\" a = { b h }":                             {[]uint8{20, 22}, []float64{.25, .25}},
		"a = \\repeat volta 2 { c } \\alternative { { d } }\nb = { e8 }": {[]uint8{0, 4, 8}, []float64{.25, .25, .125}},
		"\\score { { c } } b = \"c d\" e = #5 f = \\markup { c }":        {},
		"a = c4": {},
		"a = { c %{ d %} % e\n f \"g\" ^\\markup { a } \\lyricmode { b } }": {[]uint8{0, 10}, []float64{.25, .25}},
		"a = { \\set Staff.x = \"c\" \\override A.b #'c = #1 d }":           {[]uint8{4}, []float64{.25}},
	} {
		s, err := Parse(vfs.Files{"a.ly": source})
		if err != nil {
			t.Errorf("%s: %v", source, err)
			continue
		}
		if diff := cmp.Diff(want, published{s.pitches, s.lengths}, cmp.AllowUnexported(published{})); diff != "" {
			t.Errorf("%s: %s", source, diff)
		}
	}
}

func TestWordsThatAreRead(t *testing.T) {
	t.Parallel()
	for source, want := range map[string][]string{
		"a = \\lyricmode { Sing -- ing, __ _ to4 | \"us\" }":            {"Sing", "ing,", "to", "None"},
		"a = \\lyricmode { \\set stanza = \"1.\" one two} }":            {"one", "two}"},
		"a = \\lyrics { x \\markup \\bold y z }":                        {"x", "None", "z"},
		"a = \\lyricmode { one \\header { title = \"x\" } two\n} b":     {"one", "two"},
		"a = \\lyricmode { one }\na = \\lyricmode { two }":              {"two"},
		"a = { c } \\addlyrics { one } b = \\tag #'x \\lyricmode { y }": nil,
	} {
		s, err := Parse(vfs.Files{"a.ly": source})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, s.words); diff != "" {
			t.Errorf("%s: %s", source, diff)
		}
	}
}

// What is not closed keeps the way of reading that it opened.
func TestWhatIsNotClosed(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]published{
		"a = { c \\paper { d } } b = { e8 }":                         {[]uint8{0, 4, 8}, []float64{.25, .25, .125}},
		"\\paper { indent = 1\\mm\n\\header { x = 1 }\na = { d }":    {[]uint8{4}, []float64{.25}},
		"\\paper { x =\n}\n\\header { y = 1 }\na = { d }\nb = { e }": {},
		"a = { c \"d }\nb = { e }":                                   {[]uint8{0}, []float64{.25}},
		"a = { c \\set d }\nb = 1 { e }":                             {[]uint8{0, 8}, []float64{.25, .25}},
		"a = { <c e } b = { f8 }":                                    {[]uint8{0, 8, 22, 10}, []float64{.25, .25, .25, .125}},
		"a = { c } %{ b = { d }\nc = { e }":                          {[]uint8{0}, []float64{.25}},
		"a = b = c4":                                                 {},
		"a = { c #(x d }\nb = { e }":                                 {[]uint8{0}, []float64{.25}},
		"a = \\markup \\fontsize b = { e } c = { f }":                {[]uint8{10}, []float64{.25}},
	} {
		s, err := Parse(vfs.Files{"a.ly": source})
		if err != nil {
			t.Errorf("%s: %v", source, err)
			continue
		}
		if diff := cmp.Diff(want, published{s.pitches, s.lengths}, cmp.AllowUnexported(published{})); diff != "" {
			t.Errorf("%s: %s", source, diff)
		}
	}
}

func TestKeyTimeAndTitles(t *testing.T) {
	t.Parallel()
	s, err := Parse(vfs.Files{"a.ly": `global = { \time 3/4 \key d \minor \time 6/8 }
a = { \key c \major c }
\header { title = "A \"B\"" composer = \markup { X } arranger = #f }`})
	if err != nil {
		t.Fatal(err)
	}
	if s.key != `1m\minor` || s.time != "6/8" {
		t.Errorf("key %q, time %q", s.key, s.time)
	}
	if diff := cmp.Diff(map[string]string{"title": `A "B"`}, s.header); diff != "" {
		t.Error(diff)
	}
	for _, source := range []string{"global = { \\key \\major }", "a = { c4*1/0 }"} {
		if _, err := Parse(vfs.Files{"a.ly": source}); err == nil {
			t.Errorf("%s is read, but the published program fails", source)
		}
	}
}
