package molecule

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/domains/internal/ratio"
)

// blockOf writes a mol block of symbols, with a charge after them, and bonds as
// in skeletons.
func blockOf(atoms, bonds string) string {
	symbols, pairs := strings.Fields(atoms), strings.Fields(bonds)
	var b strings.Builder
	fmt.Fprintf(&b, "%3d%3d\n", len(symbols), len(pairs))
	charges := ""
	for i, symbol := range symbols {
		at := strings.IndexAny(symbol, "+-")
		if at > 0 {
			charges += fmt.Sprintf("M  CHG  1%4d%4s\n", i+1, strings.TrimPrefix(symbol[at:], "+"))
			symbol = symbol[:at]
		}
		fmt.Fprintf(&b, "    0.0000    0.0000    0.0000 %-3s\n", symbol)
	}
	for _, pair := range pairs {
		at := strings.IndexAny(pair, "-=#:~")
		order := map[byte]int{'-': 1, '=': 2, '#': 3, ':': 4, '~': 8}[pair[at]]
		fmt.Fprintf(&b, "%3s%3s%3d\n", pair[:at], pair[at+1:], order)
	}
	return b.String() + charges + "M  END\n"
}

// readBlock is nil for a block that is refused.
func readBlock(atoms, bonds string) *Structure {
	in := &input{text: "\n\n" + blockOf(atoms, bonds)}
	return in.block()
}

func mustRead(t *testing.T, atoms, bonds string) *Structure {
	t.Helper()
	s := readBlock(atoms, bonds)
	if s == nil {
		t.Fatalf("%s, %s: refused", atoms, bonds)
	}
	return s
}

const sixRing = "1=2 2-3 3=4 4-5 5=6 6-1 "

func TestAromaticBonds(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		atoms, bonds string
		want         int
	}{
		"benzene":                     {"C C C C C C", sixRing, 6},
		"the other way round":         {"C C C C C C", "1-2 2=3 3-4 4=5 5-6 6=1", 6},
		"written as aromatic":         {"C C C C C C", "1:2 2:3 3:4 4:5 5:6 6:1", 6},
		"cyclohexadiene":              {"C C C C C C", "1=2 2-3 3=4 4-5 5-6 6-1", 0},
		"furan":                       {"O C C C C", "1-2 2=3 3-4 4=5 5-1", 5},
		"imidazole":                   {"N C N C C", "1-2 2=3 3-4 4=5 5-1", 5},
		"4-pyridone":                  {"N C C C C C O", "1-2 2=3 3-4 4-5 5=6 6-1 4=7", 6},
		"2-pyridone":                  {"N C C C C C O", "1-2 2-3 3=4 4-5 5=6 6-1 2=7", 6},
		"uracil":                      {"N C N C C C O O", "1-2 2-3 3-4 4-5 5=6 6-1 2=7 4=8", 6},
		"tropone":                     {"C C C C C C C O", "1-2 2=3 3-4 4=5 5-6 6=7 7-1 1=8", 7},
		"tropylium":                   {"C+1 C C C C C C", "1-2 2=3 3-4 4=5 5-6 6=7 7-1", 7},
		"cyclopentadienyl anion":      {"C-1 C C C C", "1-2 2=3 3-4 4=5 5-1", 5},
		"cyclopentadienyl cation":     {"C+1 C C C C", "1-2 2=3 3-4 4=5 5-1", 0},
		"cyclooctatetraene":           {"C C C C C C C C", "1=2 2-3 3=4 4-5 5=6 6-7 7=8 8-1", 0},
		"azulene, its periphery":      {"C C C C C C C C C C", "1=2 2-3 3=4 4-5 5-1 5=6 6-7 7=8 8-9 9=10 10-4", 10},
		"naphthalene":                 {"C C C C C C C C C C", "1=2 2-3 3=4 4-5 5=6 6-1 4-7 7=8 8-9 9=10 10-3", 11},
		"benzoquinone":                {"C C C C C C O O", "1-2 2=3 3-4 4-5 5=6 6-1 1=7 4=8", 0},
		"fulvene":                     {"C C C C C C", "1-2 2=3 3-4 4=5 5-1 1=6", 0},
		"thiophene dioxide":           {"S C C C C O O", "1-2 2=3 3-4 4=5 5-1 1=6 1=7", 0},
		"pyridine oxide, 5 bonds":     {"N C C C C C O", "1=2 2-3 3=4 4-5 5=6 6-1 1=7", 6},
		"caffeine, both rings":        {"N C N C C C N C N O O C C C", "1-2 2-3 3-4 4=5 5-6 6-1 5-7 7-8 8=9 9-4 2=10 6=11 1-12 3-13 7-14", 10},
		"a boron heterocycle":         {"B C C C C", "1-2 2=3 3-4 4=5 5-1", 0},
		"selenophene":                 {"Se C C C C", "1-2 2=3 3-4 4=5 5-1", 5},
		"a ring bond without order":   {"C C C C C C", "1=2 2-3 3=4 4-5 5=6 6~1", 6},
		"anthraquinone, two of three": {"C C C C C C C C C C C C C C O O", sixRing + "5-7 7-8 8=9 9-10 10=11 11-12 12=13 13-8 13-14 14-6 7=15 14=16", 12},
	} {
		got := 0
		for _, b := range mustRead(t, c.atoms, c.bonds).Bonds {
			if b.Aromatic {
				got++
			}
		}
		if got != c.want {
			t.Errorf("%s: %d aromatic bonds, want %d", name, got, c.want)
		}
	}
}

// A carbon to which no hydrogen may be added has an unpaired electron, and stays aromatic.
func TestCarbonWithoutItsHydrogenIsAromatic(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct {
		count    int // of hydrogens and one, as the atom line states it
		bonds    string
		aromatic bool
	}{
		"in a ring of six": {1, sixRing, true},
		"two hydrogens":    {2, sixRing, true},
		"at a single bond": {1, "1-2 2=3 3-4 4=5 5-6 6-1", false},
	} {
		block := strings.Replace(blockOf("C C C C C C", c.bonds), "C  \n", fmt.Sprintf("C   0  0  0%3d\n", c.count), 1)
		s := (&input{text: "\n\n" + block}).block()
		if s == nil || s.Bonds[0].Aromatic != c.aromatic || s.Atoms[0].hydrogens != 0 {
			t.Errorf("%s: %+v", rule, s)
		}
	}
}

func TestChemistryThatIsRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string][2]string{
		"carbon with five bonds":             {"C C C C C C", "1-2 1-3 1-4 1-5 1-6"},
		"fluorine with two":                  {"C F C", "1-2 2-3"},
		"a chlorine of charge -3":            {"Cl-3 C", "1-2"},
		"an oxygen of charge -5":             {"O-5 C", "1-2"},
		"a carbocation with four":            {"C+1 C C C C", "1-2 1-3 1-4 1-5"},
		"nitrogen with four and no charge":   {"N C C C C", "1-2 1-3 1-4 1-5"},
		"five aromatic carbons":              {"C C C C C", "1:2 2:3 3:4 4:5 5:1"},
		"an aromatic bond outside of a ring": {"C C", "1:2"},
		"a bond to an absent atom":           {"C C", "1-3"},
		"a bond from an atom to itself":      {"C C", "1-1"},
		"the same bond twice":                {"C C", "1-2 2-1"},
		"an unknown element":                 {"Xx", ""},
		"an element in lower case":           {"cl", ""},
	} {
		if s := readBlock(c[0], c[1]); s != nil {
			t.Errorf("%s was read: %+v", name, s.Atoms)
		}
	}
}

func TestChemistryThatIsTaken(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		atoms, bonds string
		hydrogens    int // of the first atom
	}{
		"ammonium":              {"N+1 C C C C", "1-2 1-3 1-4 1-5", 0},
		"a hydroxide":           {"O-1 Na+1", "", 1},
		"borohydride":           {"B-1", "", 4},
		"sulfuric acid":         {"S O O O O", "1=2 1=3 1-4 1-5", 0},
		"a carbanion":           {"C-1 C", "1-2", 2},
		"hexafluorophosphate":   {"P-1 F F F F F F", "1-2 1-3 1-4 1-5 1-6 1-7", 0},
		"nitro with five bonds": {"N C O O", "1-2 1=3 1=4", 0},
		"hydrogens that go":     {"N H H H", "1-2 1-3 1-4", 3},
		"iron with anything":    {"Fe Cl Cl Cl", "1-2 1-3 1-4", 0},
		"letters in upper case": {"CL", "", 1},
	} {
		if got := mustRead(t, c.atoms, c.bonds).Atoms[0].hydrogens; got != c.hydrogens {
			t.Errorf("%s: %d hydrogens, want %d", name, got, c.hydrogens)
		}
	}
}

func TestHydrogensThatStay(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		atoms, bonds string
		want         int // atoms
	}{
		"plain ones go":        {"C H H H H", "1-2 1-3 1-4 1-5", 1},
		"deuterium stays":      {"C D H H H", "1-2 1-3 1-4 1-5", 2},
		"hydrogen gas stays":   {"H H", "1-2", 2},
		"a proton stays":       {"H+1 Cl-1", "", 2},
		"one at a dummy stays": {"* H", "1-2", 2},
	} {
		if got := len(mustRead(t, c.atoms, c.bonds).Atoms); got != c.want {
			t.Errorf("%s: %d atoms, want %d", name, got, c.want)
		}
	}
}

func TestLargestCommonPart(t *testing.T) {
	t.Parallel()
	const benzene = "C C C C C C"
	for name, c := range map[string]struct {
		a, b [2]string
		want int
	}{
		"one atom replaced in a chain":          {[2]string{"C C C C O", "1-2 2-3 3-4 4-5"}, [2]string{"C C C C S", "1-2 2-3 3-4 4-5"}, 4},
		"one atom replaced inside":              {[2]string{"C C C C C", "1-2 2-3 3-4 4-5"}, [2]string{"C N C C C", "1-2 2-3 3-4 4-5"}, 3},
		"a ring and a chain":                    {[2]string{benzene, "1-2 2-3 3-4 4-5 5-6 6-1"}, [2]string{benzene, "1-2 2-3 3-4 4-5 5-6"}, 6},
		"aromatic and not":                      {[2]string{benzene, sixRing}, [2]string{benzene, "1=2 2-3 3=4 4-5 5-6 6-1"}, 1},
		"toluene and benzene":                   {[2]string{benzene + " C", sixRing + "1-7"}, [2]string{benzene, sixRing}, 6},
		"another numbering":                     {[2]string{"C C O N", "1-2 2-3 2=4"}, [2]string{"N O C C", "1=3 2-3 3-4"}, 4},
		"charges do not count":                  {[2]string{"C C O O-1", "1-2 2=3 2-4"}, [2]string{"C C O O", "1-2 2=3 2-4"}, 4},
		"the largest fragment":                  {[2]string{"C C O O-1 Na+1", "1-2 2=3 2-4"}, [2]string{"C C O O Na", "1-2 2=3 2-4"}, 4},
		"no common bond":                        {[2]string{"C C", "1=2"}, [2]string{"C C", "1-2"}, 1},
		"no common element":                     {[2]string{"C C", "1-2"}, [2]string{"N N", "1-2"}, 0},
		"more bonds come before more atoms":     {[2]string{"C C C C C C C C C", "1-2 2-3 3-4 4-1 1-3 2=5 5-6 6-7 7-8 8-9"}, [2]string{"C C C C C C C C C", "1-2 2-3 3-4 4-1 1-3 2-5 5-6 6-7 7-8 8-9"}, 4},
		"of as many bonds, more atoms":          {[2]string{"C C C C C C C", "1-2 2-3 3-1 3=4 4-5 5-6 6-7"}, [2]string{"C C C C C C C", "1-2 2-3 3-1 3-4 4-5 5-6 6-7"}, 4},
		"rings that share an atom":              {[2]string{"C C C C C", "1-2 2-3 3-1 3-4 4-5 5-3"}, [2]string{"C C C C C", "1-2 2-3 3-1 3-4 4-5"}, 5},
		"pyridone with a bond of another order": {[2]string{"N C C C C C O", "1-2 2=3 3-4 4-5 5=6 6-1 4=7"}, [2]string{"N C C C C C O", "1-2 2=3 3-4 4-5 5=6 6-1 4-7"}, 1},
	} {
		a, b := mustRead(t, c.a[0], c.a[1]), mustRead(t, c.b[0], c.b[1])
		if got := commonAtoms(a, b, mostSteps, nil); got != c.want {
			t.Errorf("%s: %d atoms, want %d", name, got, c.want)
		}
		if got := commonAtoms(b, a, mostSteps, nil); got != c.want {
			t.Errorf("%s, the other way: %d atoms, want %d", name, got, c.want)
		}
	}
}

func TestSearchEndsOnLargeMolecules(t *testing.T) {
	t.Parallel()
	lattice := func(odd string) *Structure {
		s := &Structure{}
		const width = 60
		for n := range width * width {
			s.Atoms = append(s.Atoms, Atom{Element: 6})
			if n%width > 0 {
				s.Bonds = append(s.Bonds, Bond{A: n - 1, B: n, Kind: singleBond})
			}
			if n >= width {
				s.Bonds = append(s.Bonds, Bond{A: n - width, B: n, Kind: singleBond})
			}
		}
		s.Atoms[len(s.Atoms)/2].Element = numberBySymbol[odd]
		s.Link()
		return s
	}
	a, b := lattice("C"), lattice("N")
	if got := commonAtoms(a, b, mostSteps, nil); got < 2 || got >= len(a.Atoms) {
		t.Errorf("%d atoms in common", got)
	}
	if rings := a.rings(a.ringBonds()); len(rings) == 0 {
		t.Error("no ring")
	}
}

func TestSameMolecule(t *testing.T) {
	t.Parallel()
	const salt = "C C O O-1 Na+1"
	for name, c := range map[string]struct {
		a, b [2]string
		want bool
	}{
		"another order of atoms":   {[2]string{salt, "1-2 2=3 2-4"}, [2]string{"Na+1 O-1 C O C", "2-3 3=4 3-5"}, true},
		"another charge":           {[2]string{salt, "1-2 2=3 2-4"}, [2]string{"C C O O Na", "1-2 2=3 2-4"}, false},
		"a label":                  {[2]string{"C C D Cl", "1-2 2-3"}, [2]string{"C C T Cl", "1-2 2-3"}, false},
		"another Kekulé structure": {[2]string{"C C C C C C Cl", sixRing}, [2]string{"C C C C C C Cl", "1-2 2=3 3-4 4=5 5-6 6=1"}, true},
	} {
		if got := isomorphic(mustRead(t, c.a[0], c.a[1]), mustRead(t, c.b[0], c.b[1]), identity); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
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
		records := ReadRecords("a\n\n\n  0  0\nM  END\n" + c.fields + "$$$$\n")
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
		r := ReadRecords("title\n\n\n  0  0\nM  END\n" + c.fields + "$$$$\n")[0]
		if got := r.identifier(); got != c.want {
			t.Errorf("%s: %q, want %q", rule, got, c.want)
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
