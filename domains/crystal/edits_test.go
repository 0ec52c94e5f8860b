package crystal

import (
	"errors"
	"strings"
	"testing"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

const (
	head  = "# small\ndata_zp2aq\n"
	cells = `_cell_length_a 10.000(2)
_cell_length_b 5.0
_cell_length_c 8
_cell_angle_alpha 90
_cell_angle_beta 120.0
_cell_angle_gamma 90
`
	group      = "_symmetry_space_group_name_H-M 'P 21/c'\n"
	operators  = "loop_\n_symmetry_equiv_pos_as_xyz\n'x, y, z'\n'-x, y+1/2, -z+1/2'\n'-x, -y, -z'\n'x, -y+1/2, z+1/2'\n"
	title      = "_publ_section_title\n;\nOn zinc\n;\n"
	siteTable  = "loop_\n_atom_site_label\n_atom_site_type_symbol\n_atom_site_fract_x\n_atom_site_fract_y\n_atom_site_fract_z\n"
	siteRows   = "O7 O 0.1000(2) 0.25 -0.125\n# at the centre\nZn1 Zn2+ 0.5 0.5 0.5\nH7 H 0.9 .3 0.2\n"
	anisoTable = "loop_\n_atom_site_aniso_label\n_atom_site_aniso_U_11\n"
	anisoRows  = "O7 0.031(3)\nZn1 0.0203(12)\n"
	bondTable  = "loop_\n_geom_bond_atom_site_label_1\n_geom_bond_atom_site_label_2\n_geom_bond_distance\n_geom_bond_site_symmetry_2\n"
	bondRows   = "Zn1 O7 2.069(2) 3_656\nO7 H7 0.82 .\nZn1 O7 2.069(2) .\n"
	small      = head + cells + group + operators + title + siteTable + siteRows + anisoTable + anisoRows + bondTable + bondRows
)

// edited is the small document with texts replaced, given in pairs.
func edited(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(small) }

var forwardResults = map[string]vfs.Files{
	"deposition_files": {
		"model.cif":       head + cells + group + operators + siteTable + siteRows + anisoTable + anisoRows,
		"geometry.cif":    "data_zp2aq\n" + bondTable + bondRows,
		"publication.cif": "data_zp2aq\n" + title,
		"order.csv": "position,file,tag\n1,model.cif,_cell_length_a\n2,model.cif,_cell_length_b\n3,model.cif,_cell_length_c\n" +
			"4,model.cif,_cell_angle_alpha\n5,model.cif,_cell_angle_beta\n6,model.cif,_cell_angle_gamma\n" +
			"7,model.cif,_symmetry_space_group_name_H-M\n8,model.cif,_symmetry_equiv_pos_as_xyz\n" +
			"9,publication.cif,_publ_section_title\n10,model.cif,_atom_site_label\n11,model.cif,_atom_site_aniso_label\n" +
			"12,geometry.cif,_geom_bond_atom_site_label_1\n",
	},
	"loop_tables": {
		"items.cif": head + cells + group + "# TABLE table_01.csv\n" + title +
			"# TABLE table_02.csv\n# at the centre\n# TABLE table_03.csv\n# TABLE table_04.csv\n",
		"table_01.csv": "_symmetry_equiv_pos_as_xyz\n\"'x, y, z'\"\n\"'-x, y+1/2, -z+1/2'\"\n\"'-x, -y, -z'\"\n\"'x, -y+1/2, z+1/2'\"\n",
		"table_02.csv": "_atom_site_label,_atom_site_type_symbol,_atom_site_fract_x,_atom_site_fract_y,_atom_site_fract_z\n" +
			"O7,O,0.1000(2),0.25,-0.125\nZn1,Zn2+,0.5,0.5,0.5\nH7,H,0.9,.3,0.2\n",
		"table_03.csv": "_atom_site_aniso_label,_atom_site_aniso_U_11\nO7,0.031(3)\nZn1,0.0203(12)\n",
		"table_04.csv": "_geom_bond_atom_site_label_1,_geom_bond_atom_site_label_2,_geom_bond_distance,_geom_bond_site_symmetry_2\n" +
			"Zn1,O7,2.069(2),3_656\nO7,H7,0.82,.\nZn1,O7,2.069(2),.\n",
	},
	"cartesian_sites": {
		"cartesian.cif": edited("_fract_", "_Cartn_", "O7 O 0.1000(2) 0.25 -0.125", "O7 O 1.5000 1.2500 -0.8660",
			"Zn2+ 0.5 0.5 0.5", "Zn2+ 3.0000 2.5000 3.4641", "H7 H 0.9 .3 0.2", "H7 H 8.2000 1.5000 1.3856"),
		"fractional.csv": "label,x,y,z\nO7,0.1000(2),0.25,-0.125\nZn1,0.5,0.5,0.5\nH7,0.9,.3,0.2\n",
	},
	"relabelled_atoms": {
		"relabelled.cif": edited("O7", "O1", "H7", "H1"),
		"labels.csv":     "new,old\nO1,O7\nZn1,Zn1\nH1,H7\n",
	},
	"uncertainty_columns": {
		"values_su.cif": edited(
			"_cell_length_a 10.000(2)\n", "_cell_length_a                    10.000\n_cell_length_a_su                 0.002\n",
			"_atom_site_fract_x\n", "_atom_site_fract_x\n_atom_site_fract_x_su\n", "0.1000(2)", "0.1000 0.0002",
			"Zn2+ 0.5", "Zn2+ 0.5 .", "H7 H 0.9", "H7 H 0.9 .",
			"_atom_site_aniso_U_11\n", "_atom_site_aniso_U_11\n_atom_site_aniso_U_11_su\n",
			"0.031(3)", "0.031 0.003", "0.0203(12)", "0.0203 0.0012",
			"_geom_bond_distance\n", "_geom_bond_distance\n_geom_bond_distance_su\n", "2.069(2)", "2.069 0.002", "0.82", "0.82 ."),
	},
	"site_order": {
		"by_element.cif": edited(siteRows, "# at the centre\nZn1 Zn2+ 0.5 0.5 0.5\nO7 O 0.1000(2) 0.25 -0.125\nH7 H 0.9 .3 0.2\n",
			anisoRows, "Zn1 0.0203(12)\nO7 0.031(3)\n"),
		"site_order.csv": "loop,position,label\nsites,1,O7\nsites,2,Zn1\nsites,3,H7\naniso,1,O7\naniso,2,Zn1\n",
	},
	"full_cell": {
		"p1_cell.cif": strings.Replace(edited(operators, "loop_\n_symmetry_equiv_pos_as_xyz\n'x, y, z'\n", siteRows, siteRows+
			"O7_s2 O 0.90000 0.75000 0.62500\nZn1_s2 Zn2+ 0.50000 0.00000 0.00000\nH7_s2 H 0.10000 0.80000 0.30000\n"+
			"O7_s3 O 0.90000 0.75000 0.12500\nH7_s3 H 0.10000 0.70000 0.80000\n"+
			"O7_s4 O 0.10000 0.25000 0.37500\nH7_s4 H 0.90000 0.20000 0.70000\n"), group, "_symmetry_space_group_name_H-M    'P 1'\n", 1),
		"symmetry.json": "{\n  \"space_group\": \"P 21/c\",\n  \"operations\": [\n    \"x, y, z\",\n    \"-x, y+1/2, -z+1/2\",\n" +
			"    \"-x, -y, -z\",\n    \"x, -y+1/2, z+1/2\"\n  ]\n}\n",
	},
	"written_operators": {"operators.cif": edited("3_656", "'-x+1, -y, -z+1'")},
	"heavy_atom_geometry": {
		"heavy_atoms.cif":       edited("O7 H7 0.82 .\n", ""),
		"hydrogen_geometry.csv": "loop,position,row\nbond,2,O7 H7 0.82 .\n",
	},
}

// structureFile is that of the documents in these tests.
const structureFile = "zp2aq.cif"

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "crystal1") }

func TestEdits(t *testing.T) {
	t.Parallel()
	domaintest.Results(t, demonstration(t), vfs.Files{structureFile: small}, forwardResults, domaintest.InMeaning)
}

// TestOtherParameters has edits of another document than the built-in one.
func TestOtherParameters(t *testing.T) {
	t.Parallel()
	document := vfs.Files{"zn.cif": small}
	edits := domaintest.Making(t, New(), map[string]string{
		"split_by_tag":  `{"document": "zn.cif", "rest": "a.cif", "files": [{"name": "b.cif", "tags": ["_cell_", "_atom_site_aniso"]}], "table": "o.csv"}`,
		"take_geometry": `{"document": "zn.cif", "element": "Zn", "rest": "light.cif", "table": "zinc.csv"}`,
		"fill_cell":     `{"document": "zn.cif", "to": "whole.cif", "mark": "~", "list": "symmetry.json"}`,
	})
	domaintest.Results(t, edits, document, map[string]vfs.Files{
		"split_by_tag": {
			"a.cif": strings.NewReplacer(cells, "", anisoTable+anisoRows, "").Replace(small), "b.cif": "data_zp2aq\n" + cells + anisoTable + anisoRows,
			"o.csv": strings.NewReplacer("model.cif,_cell", "b.cif,_cell", "model.cif,_atom_site_aniso", "b.cif,_atom_site_aniso", "model", "a", "publication", "a", "geometry", "a").
				Replace(forwardResults["deposition_files"]["order.csv"]),
		},
		"take_geometry": {
			"light.cif": edited("Zn1 O7 2.069(2) 3_656\n", "", "Zn1 O7 2.069(2) .\n", ""),
			"zinc.csv":  "loop,position,row\nbond,1,Zn1 O7 2.069(2) 3_656\nbond,3,Zn1 O7 2.069(2) .\n",
		},
		"fill_cell": {
			"whole.cif":     strings.NewReplacer("_s2 ", "~2 ", "_s3 ", "~3 ", "_s4 ", "~4 ").Replace(forwardResults["full_cell"]["p1_cell.cif"]),
			"symmetry.json": forwardResults["full_cell"]["symmetry.json"],
		},
	}, domaintest.InMeaning)
}

func TestEditsRefuse(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ edit, text, message string }{
		"two sites of one label":          {"relabelled_atoms", edited("H7 H", "O7 H"), "two atom sites have one label: O7"},
		"a new label that is taken":       {"relabelled_atoms", edited("O7 H7 0.82", "O1 H7 0.82"), "O1 is no atom site, but is the new label of one"},
		"a ragged loop":                   {"site_order", edited("0.031(3)", ""), "a row with 1 of the 2 values of the loop with _atom_site_aniso_label"},
		"an element that is none":         {"site_order", edited("H7 H", "H7 Xx"), "atom site H7 is of no known element"},
		"a cell without an angle":         {"cartesian_sites", edited("_cell_angle_beta 120.0\n", ""), "_cell_angle_beta is missing"},
		"angles of no cell":               {"cartesian_sites", edited("_alpha 90", "_alpha 10"), "there is no cell with the angles [10 120 90]"},
		"a coordinate that is unknown":    {"full_cell", edited(".3 0.2", "? 0.2"), `_atom_site_fract_y of atom site 3 is "?"`},
		"a label like that of a copy":     {"full_cell", edited("H7 H", "H7_s2 H"), "the label H7_s2 is like that of a copy"},
		"an operation that is none":       {"written_operators", edited("'-x, -y, -z'", "inversion"), `"inversion" is no symmetry operation`},
		"an operation that occurs twice":  {"written_operators", edited("'-x, -y, -z'", "'x+1, y, z'"), "operation 3 is one of those before it"},
		"operations instead of codes":     {"written_operators", edited("3_656", "-x,-y,-z"), "-x,-y,-z stands where a symmetry code should"},
		"uncertainties of their own":      {"uncertainty_columns", edited("_cell_length_b", "_cell_length_a_su"), "there is a tag that ends in _su"},
		"a second data block":             {"deposition_files", small + "data_next\n", "want one data block"},
		"a mark that is there already":    {"loop_tables", edited("# small", "# TABLE table_09.csv"), "there is a comment # TABLE table_09.csv"},
		"a loop that would be left empty": {"heavy_atom_geometry", edited("Zn1 O7 2.069(2) 3_656\n", "", "Zn1 O7 2.069(2) .\n", ""), "nothing would be left of the loop with _geom_bond_atom_site_label_1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := domaintest.Edit(t, demonstration(t), c.edit).Forward(vfs.Files{structureFile: c.text})
			if err == nil || err.Error() != c.message {
				t.Errorf("%v, want %s", err, c.message)
			}
		})
	}
}

func TestBackwardStepsSayWhatIsMissing(t *testing.T) {
	t.Parallel()
	for _, edit := range demonstration(t).Edits() {
		there, err := edit.Forward(vfs.Files{structureFile: small})
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range there.Names() {
			rest := there.Clone()
			delete(rest, name)
			if _, err := edit.Backward(rest); err == nil || errors.Is(err, structures.Empty) {
				t.Errorf("%s without %s: %v", edit.Name, name, err)
			}
		}
	}
}
