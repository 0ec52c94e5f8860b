package crystal

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

const sample = `# second crystal
data_zp2aq
loop_
_publ_author_name
'Lepp, T.'
'Holm, K.'
_publ_section_comment
;
 Prisms from
 water.

 Stable in air.
;
_journal_name_full 'Proc. Acad.'
_chemical_formula_sum 'C12 H16 N2 O8 Zn'
_exptl_crystal_colour colourless
_cell_length_a 9.8217(6)
_cell_length_b 5.2094(4)
_cell_length_c 14.6338(11)
_cell_angle_alpha 90
_cell_angle_beta 90.487(6)
_cell_angle_gamma 90
_cell_volume ?
_symmetry_space_group_name_H-M 'P 21/n'
loop_
_symmetry_equiv_pos_as_xyz
'x, y, z'
'-x+1/2, y+1/2, -z+1/2'
'-x, -y, -z'
'x-1/2, -y-1/2, z-1/2'
loop_
_atom_site_label
_atom_site_type_symbol
_atom_site_fract_x
_atom_site_fract_y
_atom_site_fract_z
_atom_site_occupancy
Zn1 Zn 0.5 0.5 0.5 1
O1 O 0.38298(17) 0.7554(3) 0.57389(12) 1
# from the map
H3A H 0.723(3) 0.713(5) 0.482 1
C1 C 0.3868(2) 0.7344(5) 0.65972(17) 1
loop_
_atom_site_aniso_label
_atom_site_aniso_U_11
O1 0.0410(11)
C1 0.0231(14)
loop_
_geom_bond_atom_site_label_1
_geom_bond_atom_site_label_2
_geom_bond_distance
_geom_bond_site_symmetry_2
Zn1 O1 2.0692(16) 3_666
O1 C1 1.261(3) .
loop_
_geom_angle_atom_site_label_1
_geom_angle_atom_site_label_2
_geom_angle_atom_site_label_3
_geom_angle
_geom_angle_site_symmetry_1
_geom_angle_site_symmetry_3
O1 Zn1 O1 180.0 3_666 .
Zn1 O1 H3A 105.3(18) . .
loop_
_geom_hbond_atom_site_label_D
_geom_hbond_atom_site_label_H
_geom_hbond_atom_site_label_A
_geom_hbond_distance_HA
_geom_hbond_site_symmetry_A
O1 H3A O1 1.86(2) 4_675
`

// change replaces a text of the sample, all of its occurrences.
func change(t *testing.T, was, is string) vfs.Files {
	t.Helper()
	if !strings.Contains(sample, was) {
		t.Fatalf("the sample has no %q", was)
	}
	return vfs.Files{structureFile: strings.ReplaceAll(sample, was, is)}
}

func TestStrictSees(t *testing.T) {
	t.Parallel()
	for rule, edit := range map[string][2]string{
		"a digit of a coordinate":              {"0.38298(17)", "0.38299(17)"},
		"an uncertainty":                       {"1.261(3)", "1.261(4)"},
		"an uncertainty that is gone":          {"1.261(3)", "1.261"},
		"a zero at the end":                    {"180.0", "180.00"},
		"an element":                           {"C1 C 0", "C1 N 0"},
		"a label":                              {"Zn1 Zn", "ZN1 Zn"},
		"a site that is lost":                  {"C1 C 0.3868(2) 0.7344(5) 0.65972(17) 1\n", ""},
		"a site that is repeated":              {"# from the map", "Zn1 Zn 0.5 0.5 0.5 1"},
		"a bond that is added":                 {"O1 C1 1.261(3) .\n", "O1 C1 1.261(3) .\nO1 Zn1 2.12 .\n"},
		"a symmetry code":                      {"3_666", "3_665"},
		"symmetry operations in another order": {"'-x+1/2, y+1/2, -z+1/2'\n'-x, -y, -z'", "'-x, -y, -z'\n'-x+1/2, y+1/2, -z+1/2'"},
		"a symmetry operation":                 {"-x, -y, -z", "-x, y, -z"},
		"authors in another order":             {"'Lepp, T.'\n'Holm, K.'", "'Holm, K.'\n'Lepp, T.'"},
		"an item that is lost":                 {"_exptl_crystal_colour colourless\n", ""},
		"an item that is added":                {"_cell_volume ?", "_cell_volume ?\n_cell_formula_units_Z 2"},
		"an item repeated with another value":  {"_cell_volume ?", "_cell_volume ?\n_exptl_crystal_colour blue"},
		"a tag":                                {"_exptl_crystal_colour", "_exptl_crystal_color"},
		"the letter case of a text":            {"colourless", "Colourless"},
		"an unknown value that becomes a text": {"_cell_volume ?", "_cell_volume '?'"},
		"an unknown value that does not apply": {"_cell_volume ?", "_cell_volume ."},
		"a word of a text":                     {"Stable in air", "Stable in oil"},
		"paragraphs that are joined":           {" water.\n\n Stable", " water.\n Stable"},
		"a comment that is lost":               {"# from the map\n", ""},
		"a comment that is added":              {"data_zp2aq\n", "data_zp2aq\n# checked\n"},
		"a comment after a value":              {"_cell_angle_alpha 90", "_cell_angle_alpha 90 # fixed"},
		"the name of the block":                {"data_zp2aq", "data_zp2"},
		"a second block":                       {"_cell_length_a", "data_second\n_cell_length_a"},
		"a value that is missing in a row":     {"O1 C1 1.261(3) .\n", "O1 C1 1.261(3)\n"},
		"words after the last loop":            {"4_675\n", "4_675\nI have checked all the values.\n"},
		"a text field that loses its end":      {" air.\n;\n", " air.\n"},
		"a column that is lost by name":        {"_geom_bond_site_symmetry_2", "_geom_bond_site_symmetry_1"},
		"a line of words between items":        {"_cell_length_b", "the cell is\n_cell_length_b"},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			score := New().Compare(vfs.Files{structureFile: sample}, change(t, edit[0], edit[1]))
			if score.Strict >= 1 || score.Strict < 0.5 {
				t.Errorf("Strict is %v", score.Strict)
			}
		})
	}
}

func TestStrictForgives(t *testing.T) {
	t.Parallel()
	for rule, edit := range map[string][2]string{
		"columns that are padded":           {"O1 C1 1.261(3) .", "O1   C1     1.261(3)  ."},
		"tags in lower case":                {"_symmetry_space_group_name_H-M", "_symmetry_space_group_name_h-m"},
		"tags with a dot":                   {"_cell_length_a", "_cell.length_a"},
		"tags of a later dictionary":        {"_symmetry_equiv_pos_as_xyz", "_space_group_symop_operation_xyz"},
		"other quotes":                      {"'P 21/n'", `"P 21/n"`},
		"quotes where none are needed":      {"colourless", "'colourless'"},
		"quotes that are missing":           {"'C12 H16 N2 O8 Zn'", "C12 H16 N2 O8 Zn"},
		"a value on the next line":          {"_cell_length_a 9", "_cell_length_a\n 9"},
		"a text field for a quoted text":    {"'Proc. Acad.'", "\n;\nProc. Acad.\n;"},
		"a text wrapped elsewhere":          {" Prisms from\n water.", "Prisms from water."},
		"a folded text":                     {";\n Prisms from\n water.", ";\\\nPrisms from \\\nwater."},
		"a text between quote lines":        {"'Proc. Acad.'", "\n'\nProc. Acad.\n'"},
		"items in another order":            {"_cell_angle_alpha 90\n_cell_angle_beta 90.487(6)", "_cell_angle_beta 90.487(6)\n_cell_angle_alpha 90"},
		"sites in another order":            {"Zn1 Zn 0.5 0.5 0.5 1\nO1 O 0.38298(17) 0.7554(3) 0.57389(12) 1\n", "O1 O 0.38298(17) 0.7554(3) 0.57389(12) 1\nZn1 Zn 0.5 0.5 0.5 1\n"},
		"columns in another order":          {"_atom_site_aniso_label\n_atom_site_aniso_U_11\nO1 0.0410(11)\nC1 0.0231(14)", "_atom_site_aniso_U_11\n_atom_site_aniso_label\n0.0410(11) O1\n0.0231(14) C1"},
		"rows over several lines":           {"O1 C1 1.261(3) .", "O1 C1\n  1.261(3) ."},
		"several rows on a line":            {"O1 0.0410(11)\nC1", "O1 0.0410(11) C1"},
		"operations written in another way": {"'-x+1/2, y+1/2, -z+1/2'", "1/2-X,0.5+Y,1/2-Z"},
		"the identity as a symmetry code":   {"1.261(3) .", "1.261(3) 1_555"},
		"a number without its first zero":   {"0.723(3)", ".723(3)"},
		"a plus sign":                       {"0.723(3)", "+0.723(3)"},
		"an item that is repeated":          {"_cell_volume ?", "_cell_volume ?\n_exptl_crystal_colour colourless"},
		"a loop that is repeated":           {"loop_\n_atom_site_aniso_label", "loop_\n_publ_author_name\n'Lepp, T.' 'Holm, K.'\nloop_\n_atom_site_aniso_label"},
		"a unit after a value":              {"9.8217(6)", "9.8217(6) # angstrom"},
		"a rule of signs":                   {"data_zp2aq", "#=========\ndata_zp2aq"},
		"a sentence before the file":        {"# second", "Here is the CIF:\n\n# second"},
		"blank lines":                       {"\nloop_", "\n\n\nloop_"},
		"keywords in capitals":              {"loop_", "LOOP_"},
		"a code fence":                      {"# second", "```cif\n# second"},
		"a byte order mark":                 {"# second", "\ufeff# second"},
		"CRLF":                              {"\n", "\r\n"},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			reference := vfs.Files{structureFile: sample}
			candidate := change(t, edit[0], edit[1])
			if score := New().Compare(reference, candidate); score.Strict != 1 {
				t.Errorf("Strict is %v: %v", score.Strict, New().Differences(reference, candidate))
			}
		})
	}
}

func TestStrictReadsFilesOfAnyNameAndNumber(t *testing.T) {
	t.Parallel()
	reference := vfs.Files{structureFile: sample}
	model, geometry, _ := strings.Cut(sample, "loop_\n_geom_bond")
	geometry = "loop_\n_geom_bond" + geometry
	for rule, c := range map[string]struct {
		candidate vfs.Files
		want      []string
	}{
		"another name":             {vfs.Files{"4318422.txt": sample}, nil},
		"a file without a heading": {vfs.Files{"a.cif": model, "b.cif": geometry}, nil},
		"a file with the heading":  {vfs.Files{"a.cif": model, "b.cif": "data_zp2aq\n" + geometry}, nil},
		"a heading that goes on":   {vfs.Files{"a.cif": model, "b.cif": "data_zp2aq_geom\n" + geometry}, nil},
		"a block between": {vfs.Files{"a.cif": model + "data_other\n_cell_volume 748\n", "b.cif": "data_zp2aq_geom\n" + geometry},
			[]string{"data block other: added (other)", "_cell_volume in other: added (_cell_volume | 748 | other)"}},
		"an item in another block":   {vfs.Files{"a.cif": sample, "b.cif": "data_other\n_cell_volume 748"}, []string{"data block other: added (other)", "_cell_volume in other: added (_cell_volume | 748 | other)"}},
		"a table without a loop":     {vfs.Files{"a.cif": strings.ReplaceAll(sample, "O1 H3A O1 1.86(2) 4_675\n", ""), "b.cif": "_geom_hbond_atom_site_label_D O1\n_geom_hbond_atom_site_label_H H3A\n_geom_hbond_atom_site_label_A O1\n_geom_hbond_distance_HA 1.86(2)\n_geom_hbond_site_symmetry_A 4_675\n"}, nil},
		"a file that is not CIF":     {vfs.Files{"a.cif": sample, "notes.md": "Nothing changed."}, []string{"line: added (Nothing changed.)"}},
		"a comment before a heading": {vfs.Files{"a.cif": "# new\n" + sample}, []string{"comment: added (new)"}},
	} {
		var got []string
		for _, d := range New().Differences(reference, c.candidate) {
			got = append(got, d.String())
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", rule, diff)
		}
	}
}

func TestDifferencesAreCalledAsPeopleCallThem(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ was, is, want string }{
		{"0.7554(3)", "0.7545(3)", "atom site O1, _atom_site_fract_y: 0.7554(3) -> 0.7545(3)"},
		{"2.0692(16)", "2.0962(16)", "bond Zn1 O1 3_666, _geom_bond_distance: 2.0692(16) -> 2.0962(16)"},
		{"180.0", "179.0", "angle O1 Zn1 O1 3_666, _geom_angle: 180.0 -> 179.0"},
		{"_exptl_crystal_colour colourless", "_exptl_crystal_colour blue", "_exptl_crystal_colour, value: colourless -> blue"},
		{"Stable in air.", "Unstable.", "_publ_section_comment, paragraph 2: Stable in air. -> Unstable."},
		{"1.86(2) 4_675\n", "1.86(2)\n", "hydrogen bond O1 H3A O1 4_675, _geom_hbond_site_symmetry_a: 4_675 -> (nothing)"},
	} {
		var got []string
		for _, d := range New().Differences(vfs.Files{structureFile: sample}, change(t, c.was, c.is)) {
			got = append(got, d.String())
		}
		if diff := cmp.Diff([]string{c.want}, got); diff != "" {
			t.Errorf("%s: %s", c.is, diff)
		}
	}
}

func TestStrictFallsInProportion(t *testing.T) {
	t.Parallel()
	seed := domaintest.Seed(t, "crystal1")
	text := seed[structureFile]
	for rule, c := range map[string]struct {
		was, is     string
		least, most float64
	}{
		"a coordinate":                   {"0.7554(3)", "0.7545(3)", 0.99, 0.995},
		"an invented site":               {"# lattice water\n", "# lattice water\nO9 O 0.1 0.2 0.3 0.05 Uiso 1 d\n", 0.94, 0.96},
		"the end of a long text":         {" nine\ndays; yield 71%.\n", " nine\ndays; yield 17%.\n", 0.99, 0.999},
		"a semicolon that is lost":       {"between layers: the second hydrate of zinc picolinate\n;\n", "between layers: the second hydrate of zinc picolinate\n", 0.97, 0.9999},
		"a value that is lost in a loop": {"O1 C1 1.261(3) . yes", "O1 C1 1.261(3) .", 0.99, 0.9999},
	} {
		if !strings.Contains(text, c.was) {
			t.Errorf("%s: the seed has no %q", rule, c.was)
		}
		got := New().Compare(seed, vfs.Files{structureFile: strings.Replace(text, c.was, c.is, 1)}).Strict
		if got < c.least || got > c.most {
			t.Errorf("%s: Strict is %v, want %v to %v", rule, got, c.least, c.most)
		}
	}
}

func TestWithoutLeavesOutWhatNamesAnAtom(t *testing.T) {
	t.Parallel()
	reference := vfs.Files{structureFile: sample}
	left := New().Without(reference, func(n int) bool { return n == 2 })
	want := []string{"comment", "atom site H3A", "angle Zn1 O1 H3A", "hydrogen bond O1 H3A O1 4_675"}
	var got []string
	for _, d := range New().Differences(reference, left) {
		if d.Kind != domains.Lost {
			t.Errorf("unexpected: %v", d)
		}
		got = append(got, d.Where)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
