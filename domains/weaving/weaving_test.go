package weaving

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

const document = "overshot_runner.wif"

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "weaving1") }

func TestSuite(t *testing.T) {
	t.Parallel()
	domaintest.Suite{
		Domain:     demonstration(t),
		Seed:       domaintest.Seed(t, "weaving1"),
		Generate:   rapid.Custom(drawDraft),
		RSForgives: 0.3, // three tenths are tie-up and colours
	}.Run(t)
}

func FuzzCompare(f *testing.F) {
	domaintest.Fuzz(f, demonstration(f), domaintest.Seed(f, "weaving1"))
}

func BenchmarkCompare(b *testing.B) {
	domaintest.BenchmarkCompare(b, New(), domaintest.Seed(b, "weaving1"))
}

// drawDraft draws a draft in the layout of one of several programs, with
// sections in various order and comments between them.
func drawDraft(t *rapid.T) vfs.Files {
	d := drawer{T: t}
	d.newline = d.one("newline", "\n", "\n", "\r\n")
	d.indent = d.one("indent", "", "", "  ")
	d.equals = d.one("equals", "=", "=", " = ", ": ")
	d.lower = d.upTo(4, "lower case") == 0
	shafts := 2 + d.upTo(6, "shafts")
	treadles := 2 + d.upTo(6, "treadles")
	d.head("WIF")
	d.entry("Version", "1.1")
	d.entry("Source Program", d.one("program", "PCW Fiberworks", "WeavePoint; trial", "pixeLoom #2"))
	sections := []func(){
		func() { d.settings(shafts, treadles) },
		func() { d.threads("THREADING", "WARP", shafts) },
		func() { d.threads("TREADLING", "WEFT", treadles) },
		func() {
			d.head("TIEUP")
			for n := 1; n <= treadles; n++ {
				if list := d.list("ties", shafts); list != "" || n > 1 {
					d.entry(fmt.Sprint(n), list)
				} else {
					d.entry("1", "1")
				}
			}
		},
		func() {
			d.head("COLOR TABLE")
			for n := range d.upTo(5, "colors") {
				d.entry(fmt.Sprint(n+1), fmt.Sprintf("%d,%d,%d", d.upTo(255, "red"), d.upTo(255, "green"), d.upTo(255, "blue")))
			}
		},
		func() {
			d.head("TEXT")
			d.entry("Title", d.one("title", "Rosepath; sample 2", "Ripsmatta 'Kärna'", "M's and O's", ""))
			d.comment()
			d.head("NOTES")
			d.entry("1", d.one("note", "Sley 2 per dent.", "Wash [hot] = shrinks: 8 %", "threading 1=2,3"))
		},
		func() {
			d.head("PRIVATE NOTES OF 2024")
			d.entry("Owner", "E. Lund")
			d.comment()
		},
	}
	for _, n := range rapid.Permutation([]int{0, 1, 2, 3, 4, 5, 6}).Draw(t, "order") {
		sections[n]()
	}
	return vfs.Files{document: d.text.String()}
}

type drawer struct {
	*rapid.T
	newline, indent, equals string
	lower                   bool // section names
	text                    strings.Builder
}

func (d *drawer) upTo(most int, label string) int { return rapid.IntRange(0, most).Draw(d.T, label) }

func (d *drawer) one(label string, among ...string) string {
	return rapid.SampledFrom(among).Draw(d.T, label)
}

func (d *drawer) head(name string) {
	if d.lower {
		name = strings.ToLower(name)
	}
	d.text.WriteString(d.one("gap", d.newline, "", d.newline+"; next"+d.newline) + "[" + name + "]" + d.newline)
}

func (d *drawer) entry(key, value string) {
	d.text.WriteString(d.indent + key + d.equals + value + d.newline)
}

func (d *drawer) comment() {
	d.text.WriteString(d.one("comment", "", "; as woven", ";"+d.newline, "# 1=1") + d.newline)
}

func (d *drawer) settings(shafts, treadles int) {
	d.head("WEAVING")
	d.entry("Shafts", fmt.Sprint(shafts))
	d.entry("Treadles", fmt.Sprint(treadles))
	d.entry("Rising Shed", d.one("shed", "true", "false", "yes", "TRUE", "0"))
	d.head("COLOR PALETTE")
	d.entry("Entries", "5")
	d.entry("Range", d.one("range", "0,255", "0, 255"))
	d.head("CONTENTS")
	d.entry("WARP", "true")
	d.entry("Threading", "on")
}

// threads draws a section of threads with those that belong to it.
func (d *drawer) threads(section, system string, most int) {
	d.head(system)
	d.entry("Threads", fmt.Sprint(d.upTo(40, "threads")))
	units := "centimeters"
	if system == "WEFT" {
		units = d.one("units", "centimeters", "inches", "decipoints")
	}
	d.entry("Units", units)
	d.entry("Color", d.one("color", "1", "2"))
	d.entry("Spacing", d.one("spacing", ".125", "0.2500", "1e-1"))
	d.head(system + " COLORS")
	for n := range d.upTo(5, "colored") {
		d.entry(fmt.Sprint(2*n+1), fmt.Sprint(1+d.upTo(3, "color")))
	}
	d.head(system + " THICKNESS")
	d.comment()
	d.entry("3", d.one("thickness", "0.2", "0.12 ; doubled", "1"))
	d.head(section)
	d.comment()
	for n := 1; n <= 1+d.upTo(20, "entries"); n++ {
		switch d.upTo(12, "thread") {
		case 0: // not given
		case 1:
			d.entry(fmt.Sprint(n), d.list("several", most))
		default:
			d.entry(fmt.Sprint(n), fmt.Sprint(d.upTo(most, "number")))
		}
	}
	d.entry("30", "1")
}

// list draws different numbers from 1 to most, in any order.
func (d *drawer) list(label string, most int) string {
	numbers := rapid.SliceOfNDistinct(rapid.IntRange(1, most), 0, most, rapid.ID[int]).Draw(d.T, label)
	texts := make([]string, len(numbers))
	for i, n := range numbers {
		texts[i] = fmt.Sprint(n)
	}
	return strings.Join(texts, ",")
}

func TestPublishedScore(t *testing.T) {
	t.Parallel()
	const reference = "[WEAVING]\nShafts=4\n[WARP]\nThreads=2\nSpacing=0.5\n[THREADING]\n1=1\n2=2,3\n[TREADLING]\n1=1\n2=2\n" +
		"[TIEUP]\n1=1,2\n2=3\n[COLOR TABLE]\n1=0,0,0\n2=9,9,9\n"
	for rule, c := range map[string]struct {
		was, is string
		want    float64
	}{
		"nothing":                            {"", "", 1},
		"a list in another order":            {"2=2,3", "2=3,2", 1},
		"another shaft":                      {"1=1\n2=2,3", "1=2\n2=2,3", 1 - 0.15},
		"a lost thread":                      {"2=2,3\n", "", 1 - 0.15 - 0.1*(1-0.75*0.75)},
		"an unreadable thread":               {"2=2,3\n", "2=2,\n", 1 - 0.15 - 0.1*(1-0.75*0.75)},
		"an invented thread":                 {"2=2,3\n", "2=2,3\n3=1\n", 1 - 0.1},
		"a lost tie":                         {"2=3\n", "", 1 - 0.1},
		"a colour":                           {"9,9,9", "9,9,10", 1 - 0.05/(999*math.Sqrt(3))},
		"a lost colour":                      {"2=9,9,9\n", "", 1 - 0.05},
		"another number of shafts":           {"Shafts=4", "Shafts=5", 1 - 0.1/3},
		"a decimal in another notation":      {"0.5", "5e-1", 1},
		"a section in lower case":            {"[TIEUP]", "[tieup]", 1 - 0.2},
		"a word among numbers stops reading": {"Threads=2", "Threads=two", 0},
		"what was refused leaves nothing":    {"[TIEUP]", "and so on\n[TIEUP]", 0},
		"the liftplan is not seen":           {"[TIEUP]", "[LIFTPLAN]\n1=1\n[TIEUP]", 1},
		"an added setting":                   {"Shafts=4", "Shafts=4\nTreadles=2", 1 - 0.1/4},
		"a number that is none in the picks": {"2=2\n[TIEUP]", "x=2\n2=2\n[TIEUP]", 1},
		"a continued value is none":          {"1=1\n2=2\n[TIEUP]", "1=1\n 2=2\n[TIEUP]", 1 - 0.3 - 0.1*(1-0.25)},
	} {
		candidate := vfs.Files{"a.wif": strings.Replace(reference, c.was, c.is, 1)}
		score := New().Compare(vfs.Files{"a.wif": reference}, candidate)
		if math.Abs(score.RS-c.want) > 1e-9 {
			t.Errorf("%s: Value %.9f, want %.9f; %v", rule, score.RS, c.want, score.Components)
		}
	}
}

func TestALiftplanIsNotCompared(t *testing.T) {
	t.Parallel()
	lifted := vfs.Files{"a.wif": "[THREADING]\n1=1\n[LIFTPLAN]\n1=1\n"}
	if score := New().Compare(lifted, vfs.Files{"a.wif": ""}); math.Abs(score.RS-0.7) > 1e-9 || score.Problem == "" {
		t.Errorf("of an empty file Value %v, problem %q", score.RS, score.Problem)
	}
}

func TestWithoutADraftThereAreNoCounts(t *testing.T) {
	t.Parallel()
	if stats, err := New().Statistics(vfs.Files{"a.txt": "[THREADING]\n1=1\n"}); err != nil || len(stats.Counts) > 0 {
		t.Errorf("%v, %v", stats, err)
	}
}
