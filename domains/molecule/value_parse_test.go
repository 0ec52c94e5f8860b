package molecule

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/domains/internal/ratio"
	"agentd/vfs"
)

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
	for _, r := range readRecords(text) {
		all = append(all, fmt.Sprintf("%s %s", r.title, strings.Join(r.names, ",")))
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

func TestPropertyValues(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct {
		fields string
		want   map[string]string
	}{
		"lines are joined":                {"> <A>\n1\n2\n\n", map[string]string{"A": "1\n2"}},
		"an empty value":                  {"> <A>\n\n> <B>\n2\n\n", map[string]string{"A": "", "B": "2"}},
		"a header inside a value":         {"> <A>\n1\n> <B>\n2\n\n", map[string]string{"A": "1\n> <B>\n2"}},
		"a line of blanks inside a value": {"> <A>\n1\n  \n2\n\n", map[string]string{"A": "1\n  \n2"}},
		"the last of equal names counts":  {"> <A>\n1\n\n> <A>\n2\n\n", map[string]string{"A": "2"}},
		"carriage returns":                {"> <A>\r\n1\r\n2\r\n\r\n> <B>\r\n3\r\n\r\n", map[string]string{"A": "1\n2", "B": "3"}},
		"white space before a header":     {"  > <A>\n1\n\n", map[string]string{"A": "1"}},
		"the outermost brackets":          {"> <A> <B>\n1\n\n", map[string]string{"A> <B": "1"}},
	} {
		records := readRecords("a\n\n\n  0  0\nM  END\n" + c.fields + "$$$$\n")
		if len(records) != 1 {
			t.Fatalf("%s: %d records", rule, len(records))
		}
		if diff := cmp.Diff(c.want, records[0].properties); diff != "" {
			t.Errorf("%s: %s", rule, diff)
		}
	}
}

func TestHeadersOfCandidatesAreRepaired(t *testing.T) {
	t.Parallel()
	counts := "  0  0  0  0  0  0            999 V2000\nM  END\n$$$$\n"
	for rule, c := range map[string]struct{ text, want string }{
		"three lines stay":            {"a\nb\nc\n" + counts, "a\nb\nc\n" + counts},
		"two lines":                   {"a\nb\n" + counts, "a\n\n\n" + counts},
		"no line":                     {counts, "\n\n\n" + counts},
		"four lines, the first blank": {"\n a \nb\nc\n" + counts, "a\n\n\n" + counts},
		"the second record too":       {"a\nb\nc\n" + counts + "d\n" + counts, "a\nb\nc\n" + counts + "d\n\n\n" + counts},
		"carriage returns": {"a\r\nb\r\nc\r\n" + counts[:len(counts)-1] + "\r\nd\r\ne\r\nf\r\n" + counts,
			"a\r\nb\r\nc\r\n" + counts[:len(counts)-1] + "\r\nd\r\ne\r\nf\r\n" + counts},
		"no version, no repair": {"a\n  0  0\nM  END\n$$$$\n", "a\n  0  0\nM  END\n$$$$\n"},
	} {
		if diff := cmp.Diff(c.want, withHeaders(c.text)); diff != "" {
			t.Errorf("%s: %s", rule, diff)
		}
	}
}

func TestIdentifiers(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct{ fields, want string }{
		"the title without fields":      {"", "title"},
		"ID":                            {"> <ID>\n 7 \n\n", "7"},
		"CID before ID":                 {"> <ID>\n7\n\n> <CID>\n8\n\n", "8"},
		"SMILES where there is no ID":   {"> <SMILES>\nCCO\n\n", "CCO"},
		"an empty ID is no title":       {"> <ID>\n\n", ""},
		"other names identify nothing":  {"> <NAME>\nx\n\n", "title"},
		"the last ID of several counts": {"> <ID>\n7\n\n> <ID>\n8\n\n", "8"},
	} {
		r := readRecords("title\n\n\n  0  0\nM  END\n" + c.fields + "$$$$\n")[0]
		if got := r.identifier(); got != c.want {
			t.Errorf("%s: %q, want %q", rule, got, c.want)
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

func TestValuesOfNumbers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		ref, got string
		want     float64
	}{
		{"2.6", "2.6", 1}, {"2.6", "2.60", 1}, {"190.99", "190.98", 1}, {"100", "100.5", 0.9}, {"100", "105", 0.5},
		{"2.6", "6.2", 0}, {"0", "0.0", 1}, {"0", "0.1", 0}, {"1e3", "1_000", 1}, {"abcd", "abce", 0.75}, {"", "x", 0},
	} {
		if got := (ratios{ratio.NewTable(nil)}).value(c.ref, c.got); got != c.want {
			t.Errorf("%q against %q: %v, want %v", c.ref, c.got, got, c.want)
		}
	}
}
