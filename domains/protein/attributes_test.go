package protein

import "testing"

func TestComputedAttributes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ part, role, displacement string }{
		"a backbone atom":    {"ATOM      5  CA  CYS A   1       6.204   4.490  10.756  1.00  8.12           C", "backbone", "0.321"},
		"a side chain":       {"ATOM      9  SG  CYS A   1       5.152   7.094  10.822  1.00  8.05           S\nANISOU    9", "side chain", "0.319"},
		"a cap":              {"HETATM    1  C   ACE A   0       7.858   4.193   8.992  1.00 10.82           C", "backbone", "0.370"},
		"one of two places":  {"ATOM     28  CE ALYS A   4       8.474   5.770  13.823  0.62 21.53           C", "side chain", "0.522"},
		"water":              {"HETATM   74  O   HOH A 201       8.784   0.932  18.916  1.00 12.20           O", "water", "0.393"},
		"chloride":           {"HETATM   73 CL    CL A 101       5.383   8.223  14.549  1.00 14.30          CL", "ion", "0.426"},
		"calcium":            {"HETATM   73 CA    CA A 101       5.383   8.223  14.549  1.00  0.00          CA", "ion", "0.000"},
		"a negative B":       {"HETATM   74  O   HOH A 201       8.784   0.932  18.916  1.00 -1.00           O", "water", ""},
		"no atom":            {"TER      39      NH2 A   6", "", ""},
		"an atom cut off":    {"ATOM     12  N", "", ""},
		"a factor is no one": {"ATOM      5  CA  CYS A   1       6.204   4.490  10.756  1.00  ****           C", "backbone", ""},
	} {
		if got := role(c.part); got != c.role {
			t.Errorf("%s: role %q, want %q", name, got, c.role)
		}
		if got := displacement(c.part); got != c.displacement {
			t.Errorf("%s: displacement %q, want %q", name, got, c.displacement)
		}
	}
}
