package audiosyn

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/domains/internal/ratio"
	"agentd/vfs"
)

// csd is a CSD file with this orchestra and score.
func csd(orchestra, score string) string {
	return "<CsoundSynthesizer>\n<CsInstruments>\n" + orchestra + "\n</CsInstruments>\n<CsScore>\n" + score + "\n</CsScore>\n</CsoundSynthesizer>\n"
}

func TestThePublishedReadingOfEvents(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct {
		score string
		want  []string
	}{
		"numbers are normalised":             {"i01 0.00 960.0 .6 89.700 1e3 1E-5", []string{"1|0|960|0.6,89.7,1000,1e-05"}},
		"large whole numbers are exact":      {"i1 0 12345678901234567890", []string{"1|0|12345678901234567168|"}},
		"a dot takes any instrument's":       {"i1 0 2 5\ni2 1 . .", []string{"1|0|2|5", "2|1|2|5"}},
		"a column that was skipped stays":    {"i1 0 2 5\ni1 1 3\ni1 2 . .", []string{"1|0|2|5", "1|1|3|", "1|2|3|5"}},
		"a dot without a value is text":      {"i1 . 1", []string{"1|.|1|"}},
		"a blank after the letter shifts":    {"i 1 0 2", []string{"|1|0|2"}},
		"other signs are text":               {"i1 0 1\ni1 + . < \"a b\"", []string{"1|0|1|", "1|+|1|<,\"a,b\""}},
		"two words are no event":             {"i1 0\ni1 0 ; 1", nil},
		"a comment ends an event":            {"i1 0 1;2 3", []string{"1|0|1|"}},
		"any line with the letter may be":    {"in 5 minutes", []string{"n|5|minutes|"}},
		"a tab, and a blank of another kind": {"\ti1\t0\u00a01", []string{"1|0|1|"}},
	} {
		p, err := Parse(vfs.Files{"a.csd": csd("", c.score)})
		if err != nil {
			t.Fatal(rule, err)
		}
		var got []string
		for i := range p.events {
			got = append(got, p.events[i].text(longestText))
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", rule, diff)
		}
	}
}

func TestThePublishedReadingOfTables(t *testing.T) {
	t.Parallel()
	for score, want := range map[string][]table{
		"f1 0 1024 10 1 .5":        {{"1", "1024", "10", "1 0.5"}},
		"f2 0 8 -2 ;none":          {{"2", "8", "-2", ""}},
		"f3 1.5 8 7 0 1 ; a ; b":   {{"3", "8", "7", "0 1"}},
		"f 1 0 8 10 1":             nil,
		"f1 0 -8 10 1":             nil,
		"f1 0 8":                   nil,
		"f1 0 8 10 1\nf1 0 8 11 1": {{"1", "8", "10", "1"}, {"1", "8", "11", "1"}},
	} {
		p, err := Parse(vfs.Files{"a.csd": csd("", score)})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, p.tables, cmp.AllowUnexported(table{})); diff != "" {
			t.Errorf("%q: %s", score, diff)
		}
	}
}

func TestThePublishedReadingOfInstruments(t *testing.T) {
	t.Parallel()
	for orchestra, want := range map[string][]instrument{
		"instr 1\n a = 1\nendin":              {{"1", "a = 1"}},
		"instr 1, 2\nx\nendin":                {{"1", "2\nx"}},
		"; an instr of brass\ninstr 1\nendin": {{"of", "brass\ninstr 1"}},
		"cinstr A\nendin":                     {{"A", ""}},
		"instr1\nendin":                       nil,
		"instr 1\nx":                          nil,
		"instr 1endin":                        {{"1", ""}},
		"instr endin":                         nil,
		"INSTR 1\nendin":                      nil,
	} {
		if diff := cmp.Diff(want, readInstruments(orchestra), cmp.AllowUnexported(instrument{})); diff != "" {
			t.Errorf("%q: %s", orchestra, diff)
		}
	}
}

func TestThePublishedReadingOfTheOrchestra(t *testing.T) {
	t.Parallel()
	p, err := Parse(vfs.Files{"a.csd": csd("  sr =\n 48000\nnchnls=2 ; wide\nnchnls = 1\nKSMPS = 1\n#define A #1#\n#define B\n"+
		"opcode Pan, aa, ak\nendop\nopcode None\nendop", "; one\n;\n i1 0 1")})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"sr": "48000", "nchnls": "2"}, p.settings); diff != "" {
		t.Error(diff)
	}
	if p.macros != 1 || p.opcodes != 1 || len(p.comments) != 2 || len(p.events) != 1 {
		t.Errorf("%d macros, %d opcodes, %d comments, %d events", p.macros, p.opcodes, len(p.comments), len(p.events))
	}
}

func TestThePublishedReadingOfFiles(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct {
		files  vfs.Files
		events int
	}{
		"tags in any case":           {vfs.Files{"a.csd": "<csscore>i1 0 1</CSSCORE>"}, 1},
		"the first section counts":   {vfs.Files{"a.csd": csd("", "i1 0 1"), "b.csd": csd("", "i1 0 1\ni1 1 1")}, 1},
		"a score without its end":    {vfs.Files{"a.csd": "<CsScore>\ni1 0 1\n"}, 0},
		"its end in the next file":   {vfs.Files{"a.csd": "<CsScore>\ni1 0 1\n", "b.csd": "</CsScore>"}, 1},
		"files without tags":         {vfs.Files{"a.orc": "instr 1\nendin\n", "a.sco": "i1 0 1\n"}, 0},
		"files of other names":       {vfs.Files{"a.csd": csd("", ""), "b.txt": csd("", "i1 0 1")}, 0},
		"a score that closes before": {vfs.Files{"a.csd": "</CsScore><CsScore>i1 0 1</CsScore>"}, 1},
	} {
		p, err := Parse(c.files)
		if err != nil || len(p.events) != c.events {
			t.Errorf("%s: %d events, %v, want %d", rule, len(p.events), err, c.events)
		}
	}
	for _, files := range []vfs.Files{nil, {"a.csd": " \n"}, {"a.txt": "i1 0 1"}, {"a.csd": csd("", "i1 nan 1")}, {"a.csd": csd("", "f1 1e999 1")}} {
		if p, err := Parse(files); err == nil {
			t.Errorf("%v is read: %v", files, p)
		}
	}
}

// Of "ab…" and "ba…" all characters are shared, in any order.
func TestLopsidedTextsAreComparedByWhatTheyShare(t *testing.T) {
	t.Parallel()
	short := strings.Repeat("ab", 2000)
	long := strings.Repeat("ba", 9*2000)
	want := 2 * float64(len(short)) / float64(len(short)+len(long))
	if got := wholeRatio(short, long, nil); got != want {
		t.Errorf("the ratio is %v, want %v", got, want)
	}
	if got := wholeRatio(short, short[:len(short)/2], nil); got != ratio.Long(short, short[:len(short)/2], nil) {
		t.Errorf("the ratio of short texts is %v", got)
	}
}
