package audiosyn

import (
	"strings"
	"testing"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

const document = "nebelhorn.csd"

func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "audiosyn1") }

const (
	frameDrum = `instr 1 ; frame drum
ifrq = cpspch(p5) ; cpspch(p5) in Hz
asig pluck p4, ifrq, ifrq, 0, 3, .5
out asig
endin
`
	hiss = `instr 2
anoise rand p4
out anoise
endin
`
	lowDrum = `instr 3
asig wgpluck2 .7, p4, 60, .2, .5
out asig
endin
`
)

// drums is a small piece on which every edit has something to do.
const drums = `<CsoundSynthesizer>
<CsInstruments>
sr = 48000
0dbfs = 1

; skins
` + frameDrum + "\n" + hiss + "\n" + lowDrum + `</CsInstruments>
<CsScore>
f1 0 1024 10 1 .5 ; bright
; roll
i1 0 2.50 .35 8.00
i1 + . . 8.0750 ; higher
i1 1 . .05 .
i3 0.5 8 .4
i2 0.5 9 .1
; the rest
f2 0 8 -2 1 2
i1 1 9 .2 7.09
i1 1 9 .2 7.11
i3 1 9 .2
i2 1 9 .2
i3 1.5 9 .2
i2 1.25 .5 .2 ; one too many
e
</CsScore>
</CsoundSynthesizer>
`

// replaced is the piece with some texts replaced, given in pairs.
func replaced(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(drums) }

var forwardResults = map[string]vfs.Files{
	"carry_expansion": {
		"expanded.csd": replaced("i1 + . . 8", "i1 2.5 2.5 0.35 8", "i1 1 . .05 .", "i1 1 2.5 .05 8.075"),
		"carry.csv":    "event,p,sign,value\n2,2,+,2.5\n2,3,.,2.5\n2,4,.,0.35\n3,3,.,2.5\n3,5,.,8.075\n",
	},
	"midi_pitch": {
		"midi.csd": replaced("= cpspch(p5)", "= cpsmidinn(p5)", ".35 8.00", ".35 60", "8.0750", "67.5",
			".2 7.09", ".2 57", ".2 7.11", ".2 59"),
		"pitch.csv": "event,pch,midi\n1,8.00,60\n2,8.0750,67.5\n6,7.09,57\n7,7.11,59\n",
	},
	"tempo_beats": {
		"beats.csd": replaced("<CsScore>\n", "<CsScore>\nt 0 90\n", "i1 0 2.50", "i1 0 3.75", "i1 1 . .05", "i1 1.5 . .05",
			"0.5 8 .4", "0.75 12 .4", "0.5 9", "0.75 13.5", " 1 9 ", " 1.5 13.5 ", "1.5 9", "2.25 13.5", "1.25 .5", "1.875 0.75"),
		"seconds.csv": `event,start,duration
1,0,2.50
2,,
3,1,
4,0.5,8
5,0.5,9
6,1,9
7,1,9
8,1,9
9,1,9
10,1.5,9
11,1.25,.5
`,
	},
	"ftgen_tables": {
		"ftgen.csd": replaced("0dbfs = 1\n", "0dbfs = 1\ngi_f1 ftgen 1, 0, 1024, 10, 1, .5 ; bright\ngi_f2 ftgen 2, 0, 8, -2, 1, 2\n",
			"f1 0 1024 10 1 .5 ; bright\n", "", "f2 0 8 -2 1 2\n", ""),
		"tables.csv": "line,number,name\n24,1,gi_f1\n32,2,gi_f2\n",
	},
	"time_order": {
		"by_time.csd": replaced(`i1 + . . 8.0750 ; higher
i1 1 . .05 .
i3 0.5 8 .4
i2 0.5 9 .1
`, `i3 0.5 8 .4
i2 0.5 9 .1
i1 1 2.5 .05 8.075
i1 1 9 .2 7.09
`, `i1 1 9 .2 7.09
i1 1 9 .2 7.11
i3 1 9 .2
i2 1 9 .2
i3 1.5 9 .2
i2 1.25 .5 .2 ; one too many
`, `i1 1 9 .2 7.11
i3 1 9 .2
i2 1 9 .2
i2 1.25 .5 .2 ; one too many
i3 1.5 9 .2
i1 2.5 2.5 0.35 8.0750 ; higher
`),
		"layout.csv": `event,was,carried
1,1,
2,4,
3,5,
4,3,3. 5.
5,6,
6,7,
7,8,
8,9,
9,11,
10,10,
11,2,2+ 3. 4.
`,
	},
	"event_table": {
		"without_events.csd": drums[:strings.Index(drums, "i1 0")] + "; the rest\nf2 0 8 -2 1 2\n" + drums[strings.Index(drums, "e\n</CsScore>"):],
		"events.csv": `line,instrument,start,end,hertz,level,statement,comment
26,1,0,2.5,261.63,loud,i1 0 2.50 .35 8.00,
27,1,2.5,5,403.48,loud,i1 + . . 8.0750,; higher
28,1,1,3.5,403.48,soft,i1 1 . .05 .,
29,3,0.5,8.5,,loud,i3 0.5 8 .4,
30,2,0.5,9.5,,medium,i2 0.5 9 .1,
33,1,1,10,220.00,medium,i1 1 9 .2 7.09,
34,1,1,10,246.94,medium,i1 1 9 .2 7.11,
35,3,1,10,,medium,i3 1 9 .2,
36,2,1,10,,medium,i2 1 9 .2,
37,3,1.5,10.5,,medium,i3 1.5 9 .2,
38,2,1.25,1.75,,medium,i2 1.25 .5 .2,; one too many
`,
	},
	"instrument_families": {
		"main.csd":        replaced(frameDrum, "#include \"plucked.orc\"\n", hiss, "#include \"noise.orc\"\n", lowDrum, ""),
		"plucked.orc":     frameDrum + lowDrum,
		"noise.orc":       hiss,
		"instruments.csv": "line,instr,family\n7,1,plucked\n13,2,noise\n18,3,plucked\n",
	},
	"voice_limit": {
		"eight_voices.csd": replaced("i1 + . . 8", "i1 2.5 2.5 0.35 8", "i1 1 . .05 .", "i1 1 2.5 .05 8.075",
			"i3 1.5 9 .2\ni2 1.25 .5 .2 ; one too many\n", ""),
		"overflow.sco": "; 2 of 11 notes\ni3 1.5 9 .2\ni2 1.25 .5 .2 ; one too many\n",
		"voices.csv": `line,file,carried
26,eight_voices.csd,
27,eight_voices.csd,2+ 3. 4.
28,eight_voices.csd,3. 5.
29,eight_voices.csd,
30,eight_voices.csd,
33,eight_voices.csd,
34,eight_voices.csd,
35,eight_voices.csd,
36,eight_voices.csd,
37,overflow.sco,
38,overflow.sco,
`,
	},
}

func TestEditResults(t *testing.T) {
	t.Parallel()
	domaintest.Results(t, demonstration(t), vfs.Files{document: drums}, forwardResults, domaintest.ToTheLetter)
}

func TestOraclesRefuseWhatTheyCannotWorkOn(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct{ edit, orchestra, score string }{
		"nothing to carry":              {"carry_expansion", "", "i1 0 1\ni2 0 1"},
		"no instrument with a pitch":    {"midi_pitch", "instr 1\nendin", "i1 0 1 1 8.00"},
		"MIDI notes already":            {"midi_pitch", "instr 1\na cpspch(p5)\nb = cpsmidinn(p5)\nendin", "i1 0 1 1 8.00"},
		"a tempo already":               {"tempo_beats", "", "t 0 60\ni1 0 1"},
		"a table later in the score":    {"tempo_beats", "", "f1 4 8 2 1\ni1 0 1"},
		"no table":                      {"ftgen_tables", "", "i1 0 1"},
		"a table without a generator":   {"ftgen_tables", "", "f1 0 8\ni1 0 1"},
		"a start that is no number":     {"time_order", "", "i1 [2*3] 1"},
		"a duration that is none":       {"event_table", "", "i1 0 $LONG"},
		"a note that is held":           {"voice_limit", "", "i1 0 -1"},
		"an instrument without its end": {"instrument_families", "instr 1\n", "i1 0 1"},
		"no instrument":                 {"instrument_families", "", "i1 0 1"},
		"p-fields that are cut off":     {"time_order", "", "i1 0 1 2 ! 3"},
		"no event":                      {"time_order", "instr 1\nendin", "f1 0 8 2 1"},
	} {
		if got, err := domaintest.Edit(t, demonstration(t), c.edit).Forward(vfs.Files{document: csd(c.orchestra, c.score)}); err == nil {
			t.Errorf("%s: %v", rule, got)
		}
	}
	two := vfs.Files{"a.csd": drums, "b.csd": drums}
	if got, err := domaintest.Edit(t, demonstration(t), "time_order").Forward(two); err == nil {
		t.Errorf("two pieces: %v", got)
	}
}

func TestBackwardStepsRefuseTablesThatDoNotFit(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct{ edit, file, was, is string }{
		"a place that is taken":      {"time_order", "layout.csv", "2,4,", "2,1,"},
		"a row too few":              {"time_order", "layout.csv", "2,4,\n", ""},
		"a pitch of no event":        {"midi_pitch", "pitch.csv", "7,7.11", "70,7.11"},
		"a pitch given twice":        {"midi_pitch", "pitch.csv", "7,7.11", "6,7.11"},
		"a column with another name": {"event_table", "events.csv", "statement", "text"},
	} {
		edit := domaintest.Edit(t, demonstration(t), c.edit)
		files, err := edit.Forward(vfs.Files{document: drums})
		if err != nil {
			t.Fatal(err)
		}
		files[c.file] = strings.Replace(files[c.file], c.was, c.is, 1)
		if got, err := edit.Backward(files); err == nil {
			t.Errorf("%s: %v", rule, got)
		}
	}
}

func TestOtherParameters(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ edit, parameters, file, want string }{
		{"beats", `{"document": "drums.csd", "to": "b.csd", "tempo": 33, "table": "s.csv"}`, "b.csd",
			"<CsScore>\nt 0 33\nf1 0 1024 10 1 .5 ; bright\n; roll\ni1 0 1.375 "},
		{"limit_voices", `{"document": "drums.csd", "to": "t.csd", "overflow": "o.sco", "voices": 10, "table": "v.csv"}`, "o.sco",
			"; 0 of 11 notes\n"},
		{"split_by_opcode", `{"document": "drums.csd", "to": "m.csd", "families": [{"name": "hits", "opcodes": ["rand"]}],
			"others": "rest", "table": "i.csv"}`, "i.csv", "7,1,rest\n13,2,hits\n18,3,rest\n"},
		{"event_table", `{"document": "drums.csd", "to": "w.csd", "amplitude": 4, "pitch": 6,
			"levels": [{"name": "pp", "below": 0.15}], "loudest": "ff", "table": "e.csv"}`, "e.csv",
			"26,1,0,2.5,,ff,i1 0 2.50 .35 8.00,\n27,1,2.5,5,,ff,i1 + . . 8.0750,; higher\n28,1,1,3.5,,pp,"},
	} {
		edit, err := domaintest.Edit(t, New(), c.edit).With(c.parameters)
		if err != nil {
			t.Fatal(err)
		}
		made, err := edit.Forward(vfs.Files{"a.csd": drums})
		if err != nil || !strings.Contains(made[c.file], c.want) {
			t.Errorf("%s: %v %v", c.edit, err, made)
		}
		if back, err := edit.Backward(made); err != nil || back["drums.csd"] != drums {
			t.Errorf("%s: %v %v", c.edit, err, back)
		}
	}
	for edit, parameters := range map[string]string{
		"beats":      `{"document": "", "to": "", "tempo": 100, "table": ""}`,
		"midi_pitch": `{"document": "", "to": "", "field": 0, "table": ""}`,
	} {
		made, err := domaintest.Edit(t, New(), edit).With(parameters)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := made.Forward(vfs.Files{"a.csd": drums}); err == nil || !strings.Contains(err.Error(), "must be") {
			t.Errorf("%s: %v %v", edit, got, err)
		}
	}
}
