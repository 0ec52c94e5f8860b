package molecule

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"agentd/domains/domaintest"
	published "agentd/domains/published/molecule"
	"agentd/vfs"
)

const environment = "molecule1"

// document is the file of the libraries in these tests.
const document = "aroma_standards.sdf"

func TestSuite(t *testing.T) {
	t.Parallel()
	domaintest.Suite{
		Domain:   New(),
		Seed:     domaintest.Seed(t, environment),
		Generate: rapid.Custom(drawLibrary),
	}.Run(t)
}

func FuzzCompare(f *testing.F) {
	domaintest.Fuzz(f, New(), domaintest.Seed(f, environment))
}

func BenchmarkCompare(b *testing.B) {
	domaintest.BenchmarkCompare(b, New(), domaintest.Seed(b, environment))
}

// skeleton is a molecule to draw records of: symbols, with a charge or a mass
// after them, and bonds as "1-2" with = or # for their order.
type skeleton struct{ name, formula, atoms, bonds string }

var skeletons = []skeleton{
	{"thiophene", "C4H4S", "S C C C C", "1-2 2=3 3-4 4=5 5-1"},
	{"acetic acid", "C2H4O2", "C C O O", "1-2 2=3 2-4"},
	{"acetonitrile", "C2H3N", "N C C", "1#2 2-3"},
	{"sodium acetate", "C2H3NaO2", "C C O O-1 Na+1", "1-2 2=3 2-4"},
	{"nitrobenzene", "C6H5NO2", "C C C C C C N+1 O O-1", "1=2 2-3 3=4 4-5 5=6 6-1 1-7 7=8 7-9"},
	{"indole", "C8H7N", "N C C C C C C C C", "1-2 2=3 3-4 4=5 5-6 6=7 7-8 8=9 9-1 9-4"},
	{"alanine", "C3H7NO2", "N C C O O C", "1-2 2-3 3=4 3-5 2^6"},
	{"chloroform-d", "CDCl3", "Cl C Cl Cl D", "1-2 2-3 2-4 2-5"},
	{"methane", "CH4", "C", ""},
	{"ammonium", "H4N", "N+1 H H H H", "1-2 1-3 1-4 1-5"},
	{"methanol-13C", "CH4O", "C*13 O", "1-2"},
	{"(E)-2-butene", "C4H8", "C C C C", "1-2 2=3 3-4"},
	{"benzene", "C6H6", "C C C C C C", "1:2 2:3 3:4 4:5 5:6 6:1"},
}

// drawLibrary draws records with unlike IDs. Their headers say no more than the
// names of fields.
func drawLibrary(t *rapid.T) vfs.Files {
	d := &drawer{T: t}
	for n := range 1 + d.upTo(6, "records") {
		d.record(n)
	}
	return vfs.Files{document: d.text.String()}
}

type drawer struct {
	*rapid.T
	text strings.Builder
}

func (d *drawer) upTo(most int, label string) int { return rapid.IntRange(0, most).Draw(d.T, label) }
func (d *drawer) sometimes(label string) bool     { return d.upTo(3, label) == 0 }
func (d *drawer) one(label string, among ...string) string {
	return rapid.SampledFrom(among).Draw(d.T, label)
}

func (d *drawer) line(format string, values ...any) { fmt.Fprintf(&d.text, format+"\n", values...) }

func (d *drawer) record(n int) {
	s := rapid.SampledFrom(skeletons).Draw(d.T, "skeleton")
	d.line("%s", d.one("title", s.name, "", s.name+", crude", "AS-17"))
	d.line("%s", d.one("program", "  -ISIS-  05141911202D", "     RDKit          2D", ""))
	d.line("%s", d.one("comment", "", "redrawn from the notebook, p. 41"))
	atoms, bonds := strings.Fields(s.atoms), strings.Fields(s.bonds)
	d.line("%3d%3d  0  0  %d  0%s999 V2000", len(atoms), len(bonds), d.upTo(1, "chiral"),
		d.one("counts", "            ", "  0  0  0  0"))
	short := d.sometimes("short lines")
	d.atoms(atoms, short)
	d.bonds(bonds, short)
	d.numbers("CHG", atoms, "+-")
	d.numbers("ISO", atoms, "*")
	d.line("M  END")
	d.fields(n, s)
	d.line("$$$$")
}

func (d *drawer) atoms(atoms []string, short bool) {
	x, y := d.upTo(9000, "x")-4500, d.upTo(9000, "y")-4500
	for _, atom := range atoms {
		symbol := strings.TrimRight(atom, "+-*0123456789")
		d.line("%10.4f%10.4f%10.4f %-3s 0  0%s", float64(x)/1e4, float64(y)/1e4, 0.0, symbol,
			map[bool]string{true: "", false: "  0  0  0  0  0  0  0  0  0  0"}[short])
		x, y = x+7145-d.upTo(2, "step")*7145, y+4125+d.upTo(1, "rise")*4125
	}
}

func (d *drawer) bonds(bonds []string, short bool) {
	for _, b := range bonds {
		kind := strings.IndexAny(b, "-=#:^")
		order := map[byte]int{'-': 1, '=': 2, '#': 3, ':': 4, '^': 1}[b[kind]]
		wedge := 0
		if b[kind] == '^' {
			wedge = 1 + 5*d.upTo(1, "wedge")
		}
		d.line("%3s%3s%3d%3d%s", b[:kind], b[kind+1:], order, wedge, map[bool]string{true: "", false: "  0  0  0"}[short])
	}
}

// numbers writes what stands after a mark in the symbols, as M lines.
func (d *drawer) numbers(what string, atoms []string, marks string) {
	var pairs []string
	for i, atom := range atoms {
		if at := strings.IndexAny(atom, marks); at >= 0 {
			pairs = append(pairs, fmt.Sprintf("%4d%4s", i+1, strings.Trim(atom[at:], "+*")))
		}
	}
	if len(pairs) > 0 {
		d.line("M  %s%3d%s", what, len(pairs), strings.Join(pairs, ""))
	}
}

func (d *drawer) fields(n int, s skeleton) {
	field := func(name, value string) {
		d.line("%s<%s>", d.one("header", "> ", ">  "), name)
		d.line("%s\n", value)
	}
	field("ID", fmt.Sprintf("AS-%d%s", n+1, d.one("suffix", "", "L", ".2")))
	field("FORMULA", s.formula)
	for _, name := range []string{"LRI_DB5", "THRESHOLD_UG_L", "PURITY_PCT"} {
		if !d.sometimes("without " + name) {
			field(name, d.one(name, "905", "0.2", "99.0", ">98", "12.50", "600"))
		}
	}
	if d.sometimes("note") {
		field("NOTE", d.one("text", "kept at -20 °C", "two lines,\n  the second indented", "say \"hood\", twice; a,b", "> 98 % by GC\n > <no header>"))
	}
	if d.sometimes("empty field") {
		d.line("> <FEMA>\n")
	}
}

func TestWhatStaysIsCopied(t *testing.T) {
	t.Parallel()
	const note = "as agreed\nwith the panel\nin May\nand June\n"
	marked := strings.Replace(acetone, "M  END\n", "M  END\nredrawn\n", 1)
	for rule, c := range map[string]struct{ text, want string }{
		"a line in the data":        {ethanol + marked, marked},
		"lines above a record":      {note + ethanol + marked, note + marked},
		"a code fence":              {"```sdf\n" + ethanol + marked + "```\n", "```sdf\n" + marked + "```\n"},
		"carriage returns":          {strings.ReplaceAll(ethanol+marked, "\n", "\r\n"), strings.ReplaceAll(marked, "\n", "\r\n")},
		"a byte order mark":         {"\ufeff" + ethanol + marked, "\ufeff" + marked},
		"no delimiter at the end":   {ethanol + strings.TrimSuffix(marked, "$$$$\n"), strings.TrimSuffix(marked, "$$$$\n")},
		"a title that is not there": {ethanol + strings.TrimPrefix(marked, "acetone"), strings.TrimPrefix(marked, "acetone")},
	} {
		left := New().Without(vfs.Files{document: c.text}, func(n int) bool { return n == 0 })[document]
		if diff := cmp.Diff(c.want, left); diff != "" {
			t.Errorf("%s: %s", rule, diff)
		}
	}
}

// ethanol and acetone are records that tests change.
const (
	ethanol = `ethanol
  -ISIS-  05141911202D

  3  2  0  0  0  0            999 V2000
    0.0000    0.0000    0.0000 C   0  0  0  0  0
    0.7145    0.4125    0.0000 C   0  0  0  0  0
    1.4289    0.0000    0.0000 O   0  0  0  0  0
  1  2  1  0
  2  3  1  0
M  END
> <ID>
S-1

> <BP>
78.4

$$$$
`
	acetone = `acetone
  -ISIS-  05141911242D

  4  3  0  0  0  0            999 V2000
    0.0000    0.0000    0.0000 C   0  0  0  0  0
    0.7145    0.4125    0.0000 C   0  0  0  0  0
    1.4289    0.0000    0.0000 C   0  0  0  0  0
    0.7145    1.2375    0.0000 O   0  0  0  0  0
  1  2  1  0
  2  3  1  0
  2  4  2  0
M  END
> <ID>
S-2

> <BP>
56.1

> <NOTE>
not for the panel
two lines

$$$$
`
)

// readTexts are the titles and IDs that the published reading finds in a text.
func readTexts(text string) string {
	var all []string
	for _, r := range published.ReadRecords(text) {
		all = append(all, fmt.Sprintf("%s %s", r.Title, strings.Join(r.Names, ",")))
	}
	return strings.Join(all, "; ")
}

func TestPublishedReading(t *testing.T) {
	t.Parallel()
	const whole = "ethanol ID,BP; acetone ID,BP,NOTE"
	for rule, c := range map[string]struct{ was, is, want string }{
		"as it is": {"", "", whole},
		"a coordinate that begins in the wrong column": {"    0.7145    0.4125", "0.7145    0.4125", "acetone ID,BP,NOTE"},
		"an atom line that ends after the symbol":      {"0.0000 O   0  0  0  0  0", "0.0000 O", "acetone ID,BP,NOTE"},
		"an atom line that is padded":                  {"0.0000 O   0  0  0  0  0", "0.0000 O  ", whole},
		"too few atoms":                                {"  3  2  0", "  4  2  0", "acetone ID,BP,NOTE"},
		"too few bonds":                                {"  3  2  0", "  3  3  0", "acetone ID,BP,NOTE"},
		"no version":                                   {"            999 V2000", "", whole},
		"another version":                              {"999 V2000", "999 V4000", "acetone ID,BP,NOTE"},
		"a version out of its column":                  {"            999 V2000", "           999 V2000", "acetone ID,BP,NOTE"},
		"M  END with something after it":               {"M  END\n> <ID>\nS-1", "M  END of it\n> <ID>\nS-1", whole},
		"no M  END takes the next record along":        {"M  END\n> <ID>\nS-1", "> <ID>\nS-1", "acetone ID,BP,NOTE"},
		"unknown lines after M lines are passed over":  {"M  END\n> <ID>\nS-1", "M  ZZZ\nsomething\nM  END\n> <ID>\nS-1", whole},
		"a bond with a letter":                         {"  1  2  1  0", "  1  2  x  0", "acetone ID,BP,NOTE"},
		"a bond with white space between columns":      {"  1  2  1  0", " 1 2 1 0", "acetone ID,BP,NOTE"},
		"text after a value":                           {"S-1\n\n", "S-1\n\nS-1 too\n\n", "ethanol ID; acetone ID,BP,NOTE"},
		"a line of blanks goes on with a value":        {"S-1\n\n", "S-1\n \n", "ethanol ID; acetone ID,BP,NOTE"},
		"a delimiter that ends no value":               {"78.4\n\n$$$$", "78.4\n$$$$", "ethanol ID,BP"},
		"a delimiter with more after it":               {"78.4\n\n$$$$", "78.4\n\n$$$$ 1", whole},
		"a header without a name":                      {"> <BP>\n78.4", ">\n78.4", "ethanol ID"},
		"a header without a name and a value":          {"> <BP>\n78.4", "> <>\n", "ethanol ID; acetone ID,BP,NOTE"},
		"a name that is hidden":                        {"> <BP>\n78.4", "> <_BP>\n78.4", "ethanol ID; acetone ID,BP,NOTE"},
		"a header with more":                           {"> <BP>\n78.4", "> 7 <BP> (S-1)\n78.4", whole},
	} {
		text := strings.Replace(ethanol+acetone, c.was, c.is, 1)
		if got := readTexts(text); got != c.want {
			t.Errorf("%s: %s, want %s", rule, got, c.want)
		}
	}
}

const extendedEthanol = `ethanol


  0  0  0     0  0            999 V3000
M  V30 BEGIN CTAB
M  V30 COUNTS 3 2 0 0 0
M  V30 BEGIN ATOM
M  V30 1 C 0 0 0 0
M  V30 2 C 0.7145 0.4125 0 0
M  V30 7 O 1.4289 -
M  V30 0 0 0
M  V30 END ATOM
M  V30 BEGIN BOND
M  V30 1 1 1 2
M  V30 2 1 2 7
M  V30 END BOND
M  V30 END CTAB
M  END
> <ID>
S-1

> <BP>
78.4

$$$$
`

func TestExtendedTables(t *testing.T) {
	t.Parallel()
	score := New().Compare(vfs.Files{"a.sdf": ethanol}, vfs.Files{"a.sdf": extendedEthanol})
	if score.RS != 1 || score.Strict != 1 {
		t.Errorf("Value %v, Strict %v: %v", score.RS, score.Strict,
			New().Differences(vfs.Files{"a.sdf": ethanol}, vfs.Files{"a.sdf": extendedEthanol}))
	}
	for _, damage := range [][2]string{
		{"M  V30 7 O", "M  V30 7 Oo"}, {"COUNTS 3 2", "COUNTS 4 2"}, {"M  V30 2 1 2 7", "M  V30 2 1 2 3"}, {"M  V30 END CTAB\n", ""},
		{"M  V30 1 C 0 0 0 0", "M  V30 1 C 0 0"}, {"M  V30 1 C", "1 C"},
	} {
		text := strings.Replace(extendedEthanol, damage[0], damage[1], 1)
		if got := readTexts(text); got != "" {
			t.Errorf("with %s: %s", damage[1], got)
		}
	}
}
