package molecule

import (
	"strings"
	"testing"
)

// plainRecord is a record of atoms and bonds.
func plainRecord(atoms, bonds string) string {
	var b strings.Builder
	b.WriteString("title\n\n\n" + strings.Repeat(" ", 2) + "1  0  0  0  0  0            999 V2000\n")
	for _, symbol := range strings.Fields(atoms) {
		b.WriteString("    0.0000    0.0000    0.0000 " + symbol + "   0  0\n")
	}
	for _, bond := range strings.Fields(bonds) {
		b.WriteString("  " + strings.ReplaceAll(bond, "-", "  ") + "  1  0\n")
	}
	return b.String() + "M  END\n$$$$"
}

func TestComputedAttributes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ part, skeleton, rings string }{
		"a chain":                  {plainRecord("O C C", "1-2 2-3"), "C2O", "0"},
		"carbon comes first":       {plainRecord("Br O C D D Cl", "1-3 2-3 3-4 3-5 3-6"), "CD2BrClO", "0"},
		"without carbon by symbol": {plainRecord("O H H", "1-2 1-3"), "H2O", "0"},
		"a ring":                   {plainRecord("C C S C", "1-2 2-3 3-1 3-4"), "C3S", "1"},
		"fused rings":              {plainRecord("C C C C", "1-2 2-3 3-1 3-4 4-2"), "C4", "2"},
		"two fragments":            {plainRecord("N C C I", "1-2 2-3 3-1"), "C2IN", "1"},
		"a bond to no atom":        {plainRecord("C C", "1-2 2-9"), "C2", "0"},
		"no atom":                  {plainRecord("", ""), "", "0"},
		"no record":                {"stray\n$$$$", "", ""},
	} {
		if got := drawnFormula(c.part); got != c.skeleton {
			t.Errorf("%s: skeleton %q, want %q", name, got, c.skeleton)
		}
		if got := rings(c.part); got != c.rings {
			t.Errorf("%s: rings %q, want %q", name, got, c.rings)
		}
	}
}

func TestDataFieldsAreAttributes(t *testing.T) {
	t.Parallel()
	records := []string{
		"> <ID>\nAS-1\n\n> <MW>\n114.17\n\n> <NOTE>\ntwo\n lines\n\n$$$$", "> <ID>\nAS-2\n\n> <MW>\n90\n\n$$$$", "> <ID>\n\n> <RARE>\n1\n\n$$$$",
	}
	var got []string
	for _, a := range dataFields(records) {
		value := ""
		if m := a.Find.FindStringSubmatch(records[0]); m != nil {
			value = m[1]
		}
		if a.IsNumber() {
			value += " as number"
		}
		got = append(got, a.Name+"="+value)
	}
	if got, want := strings.Join(got, ", "), "ID=AS-1, MW=114.17 as number"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
