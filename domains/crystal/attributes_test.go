package crystal

import (
	"strings"
	"testing"
)

// small has a cell of three lengths and two kinds of angles, and a loop with a comment and a value in quotes.
const small = `data_small
_cell_length_a 10.0(2)
_cell_length_b 5
_cell_length_c 8.0
_cell_angle_alpha 90
_cell_angle_beta 120.0
_cell_angle_gamma 90
loop_
_geom_bond_atom_site_label_1
_geom_bond_distance
_geom_bond_publ_flag
O7 1.234(5) 'yes, it is'
# the long one
C1 2.5 ?
loop_
_atom_site_label
_atom_site_fract_x
_atom_site_fract_y
_atom_site_fract_z
O7 0.1000(2) 0.25 -0.125
C1 . 0.5 0.5

_geom_special_details none
`

func TestPositions(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, site, want string }{
		"along an oblique axis":  {small, "O7 0.1000(2) 0.25 -0.125 ", "1.5000 1.2500 -0.8660"},
		"with an element":        {small, "C2 C -0.5 0.0 0.5(1) 0.03", "-7.0000 0.0000 3.4641"},
		"below a comment":        {small, "# water\nO8 0.0 0.0 -0.0 ", "0.0000 0.0000 0.0000"},
		"a coordinate is hidden": {small, "C1 . 0.5 0.5 ", ""},
		"a cell without a side":  {strings.Replace(small, "_cell_length_b 5\n", "", 1), "O7 0.1 0.2 0.3 ", "none"},
		"angles of no cell":      {strings.Replace(small, "_alpha 90", "_alpha 10", 1), "O7 0.1 0.2 0.3 ", "none"},
		"no structure":           {"Here it is.", "O7 0.1 0.2 0.3 ", "none"},
	} {
		got := "none"
		for _, a := range fromCell(c.text) {
			got = a.Compute(c.site)
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestRowsOfLoops(t *testing.T) {
	t.Parallel()
	for parts, want := range map[string]string{
		"rows of _geom_bond": "O7|1.234|'yes, it is' C1|2.5|?",
		"rows of _atom_site": "O7|0.1000(2)|0.25|-0.125|1.5000 1.2500 -0.8660 C1|.|0.5|0.5|",
		"rows of _geom_":     "O7|1.234|'yes, it is' C1|2.5|?",
		"rows of _cell":      "",
	} {
		named, ok := vocabulary().Named(parts)
		if !ok || named.Parts != parts {
			t.Fatalf("%s: %v, %v", parts, named.Parts, ok)
		}
		format, pieces := named.Adapt("", small), named.Cut(small)
		var rows []string
		for _, part := range pieces.Parts {
			var values []string
			for _, a := range format.Attributes {
				switch {
				case a.Compute != nil:
					values = append(values, a.Compute(part))
				default:
					values = append(values, a.Find.FindStringSubmatch(part)[1])
				}
			}
			rows = append(rows, strings.Join(values, "|"))
		}
		if got := strings.Join(rows, " "); got != want {
			t.Errorf("%s: %s, want %s", parts, got, want)
		}
		if pieces.Text() != small {
			t.Errorf("%s: the text is %q", parts, pieces.Text())
		}
	}
	if _, ok := vocabulary().Named("columns"); ok {
		t.Error("there are columns")
	}
}
