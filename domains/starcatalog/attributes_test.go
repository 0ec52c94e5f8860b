package starcatalog

import (
	"strings"
	"testing"
)

func TestComputedAttributes(t *testing.T) {
	t.Parallel()
	const head = `<VOTABLE><TABLE><FIELD name="HIP" ucd="meta.id"/><FIELD name="e_Plx" ucd="stat.error;pos.parallax.trig"/>` +
		`<FIELD name="Plx" ucd="pos.parallax.trig"/><FIELD name="Vmag" ucd="phot.mag;em.opt.V"/><DATA><TABLEDATA>` + "\n"
	for name, c := range map[string]struct{ cells, distance, absolute string }{
		"61 Cyg A":            {"104214,6.78,286.82,5.20", "3.49", "7.49"},
		"brighter than 0":     {"32349,1.58,379.21,-1.44", "2.64", "1.45"},
		"far":                 {"107259,0.2,0.55,4.23", "1818.18", "-7.07"},
		"no magnitude":        {"1,0.2,100,", "10.00", ""},
		"no parallax":         {"24436,,,0.18", "", ""},
		"a negative parallax": {"98298,1,-0.25,8.84", "", ""},
		"zero":                {"2,1,0.00,8.84", "", ""},
		"no number":           {"3,1,~,8.84", "", ""},
	} {
		row := "<TR><TD>" + strings.ReplaceAll(c.cells, ",", "</TD><TD>") + "</TD></TR>"
		format := vocabulary().Adapt("", head+row+"\n</TABLEDATA></DATA></TABLE></VOTABLE>")
		last := format.Attributes[len(format.Attributes)-2:]
		if got := last[0].Compute(row); last[0].Name != "distance" || got != c.distance {
			t.Errorf("%s: %s %q, want %q", name, last[0].Name, got, c.distance)
		}
		if got := last[1].Compute(row); last[1].Name != "absolute magnitude" || got != c.absolute {
			t.Errorf("%s: %s %q, want %q", name, last[1].Name, got, c.absolute)
		}
	}
}

func TestTextOfACell(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		row  string
		cell int
		want string
	}{
		{"<TR><TD>Vega</TD><TD> 0.03 </TD></TR>", 1, "0.03"},
		{"<v:TR>\n<v:TD/>\n<v:TD ref='x'>\nA0 V\n</v:TD >\n</v:TR>", 1, "A0 V"},
		{"<TR><TD x='1'/><TD>2</TD></TR>", 1, "2"},
		{"<TR><TD x='1'/></TD><TD>2</TD></TR>", 1, "2"},
		{"<TR><TD/></TD><TD>2</TD></TR>", 1, ""},
		{"<TR><TD>1</TD>, <TD>2</TD></TR>", 1, ""},
		{"<TR><TD><B>1</B></TD><TD>2</TD></TR>", 1, ""},
		{"<TR><TD> </TD></TR>", 0, ""},
		{"<TR><TDX>1</TDX></TR>", 0, ""},
		{"<TR><TD>1</TD></TR>", 1, ""},
		{"<TR", 0, ""},
		{"<TR><TD>1", 0, "1"},
	} {
		if from, to := cellText(c.row, c.cell); c.row[from:to] != c.want {
			t.Errorf("cell %d of %s: %q, want %q", c.cell, c.row, c.row[from:to], c.want)
		}
	}
}
