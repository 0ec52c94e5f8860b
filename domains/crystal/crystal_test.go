package crystal

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"agentd/domains/domaintest"
	published "agentd/domains/published/crystal"
	"agentd/vfs"
)

// structureFile is that of the documents in these tests.
const structureFile = "zp2aq.cif"

func TestSuite(t *testing.T) {
	t.Parallel()
	domaintest.Suite{
		Domain:   New(),
		Seed:     domaintest.Seed(t, "crystal1"),
		Generate: rapid.Custom(drawStructure),
	}.Run(t)
}

func FuzzCompare(f *testing.F) {
	domaintest.Fuzz(f, New(), domaintest.Seed(f, "crystal1"))
}

func BenchmarkCompare(b *testing.B) {
	domaintest.BenchmarkCompare(b, New(), domaintest.Seed(b, "crystal1"))
}

// drawer draws the parts of a document with one data block, in which the atoms
// have different labels and every value is known where the score needs it.
type drawer struct {
	*rapid.T
	strings.Builder
	atoms []string
	named map[string]bool // bonds and angles so far
}

func drawStructure(t *rapid.T) vfs.Files {
	d := &drawer{T: t, named: map[string]bool{}}
	d.comment("head")
	fmt.Fprintf(d, "data_%s\n", d.one("block", "zp2aq", "I", "4318422", "mo_Zn(pic)2"))
	sections := []func(){d.cell, d.symmetry, d.publication, d.texts, d.sites, d.otherLoop}
	for i := range rapid.Permutation(sections).Draw(t, "order") {
		d.comment("section")
		sections[i]()
	}
	d.geometry()
	d.comment("foot")
	return vfs.Files{structureFile: d.String()}
}

func (d *drawer) upTo(most int, label string) int { return rapid.IntRange(0, most).Draw(d.T, label) }
func (d *drawer) sometimes(label string) bool     { return d.upTo(3, label) == 0 }
func (d *drawer) one(label string, among ...string) string {
	return rapid.SampledFrom(among).Draw(d.T, label)
}

func (d *drawer) comment(label string) {
	d.WriteString(d.one(label, "", "", "\n", "#===========\n", "# collected by KH\n\n", "  # see p. 41 'b'\n"))
}

// item writes a tag and a value, on one line or two.
func (d *drawer) item(tag, value string) {
	gap := d.one("gap", " ", "          ", "\t", "\n", "\n  ")
	if strings.HasPrefix(value, ";") {
		gap = "\n"
	}
	d.WriteString(tag + gap + value + d.one("after", "", "", " ") + "\n")
}

// number draws a number with the decimals, with an uncertainty or without.
func (d *drawer) number(label string, most, places int) string {
	text := fmt.Sprintf("%.*f", places, float64(d.upTo(most, label))/1e4)
	return text + d.one("uncertainty", "", "", "(2)", "(14)", "(108)")
}

func (d *drawer) cell() {
	for _, axis := range []string{"a", "b", "c"} {
		d.item("_cell_length_"+axis, "1"+d.number("length", 90_000, 4))
	}
	for _, angle := range []string{"alpha", "beta", "gamma"} {
		d.item("_cell_angle_"+angle, d.one("angle", "90", "90.00", "101.37(2)", "87.205(16)"))
	}
	d.item("_cell_measurement_temperature", d.one("temperature", "293(2)", "150", "?", "100.0(1)"))
}

func (d *drawer) symmetry() {
	d.item(d.one("group tag", "_symmetry_space_group_name_H-M", "_space_group_name_H-M_alt"), d.one("group", "'P -1'", `"C 1 2/c 1"`, "P1", "'P 21/n'"))
	tag := d.one("operation tag", published.OperationTag, "_space_group_symop_operation_xyz")
	operations := d.one("operations", "'x, y, z'\n", "x,y,z\n-x,-y,-z\n",
		"'x, y, z'\n'-x+1/2, y+1/2, -z+1/2' # screw\n'-x, -y, -z'\n'x-1/2, -y-1/2, z-1/2'\n",
		"x,y,z\n# rhombohedral\n-y,x-y,z\n'-x+y, -x, z'\n")
	d.WriteString("loop_\n" + tag + "\n" + operations)
}

func (d *drawer) publication() {
	if d.sometimes("no publication") {
		return
	}
	d.WriteString("loop_\n _publ_author_name\n" + d.one("authors", "'Holm, K.'\n", "'Mikul\\'ik, J.' \"O'Dea, B.\"\n", "'Holm, K.'\n;\nvan der Aa, J.\n;\n"))
	d.item("_journal_name_full", d.one("journal", "'Acta Cryst. C'", "?", "Polyhedron"))
	d.item("_chemical_formula_sum", d.one("formula", "'C12 H16 N2 O8 Zn'", "'C6 H4'"))
}

func (d *drawer) texts() {
	d.item("_publ_section_comment", d.one("text", ";\n\n;", ";\n One paragraph of\n it.\n\n\n # no comment\n_not_a_tag either\n;", "; short\n;", "'It''s short'", "?"))
	d.item("_diffrn_radiation_type", d.one("radiation", `MoK\a`, `'Cu K\a'`, "."))
	d.item("_refine_ls_shift/su_max", d.one("shift", ".001", "0.000", "+0.01"))
}

func (d *drawer) sites() {
	d.atoms = append(d.atoms, []string{"Zn", "O", "N", "C", "C"}[:2+d.upTo(3, "heavy")]...)
	for range d.upTo(4, "hydrogen") {
		d.atoms = append(d.atoms, "H")
	}
	symbols := d.atoms
	d.atoms = nil
	d.WriteString("loop_\n_atom_site_label\n_atom_site_fract_x\n_atom_site_fract_y\n_atom_site_fract_z\n_atom_site_type_symbol\n_atom_site_occupancy\n")
	for n, symbol := range symbols {
		label := symbol + fmt.Sprintf("%02d", 20-3*n) + d.one("suffix", "", "A", "'", "B*")
		d.atoms = append(d.atoms, label)
		sep := d.one("between", " ", "  ", "\t", "\n ")
		fmt.Fprintf(d, "%s%s%s %s %s %s %s\n", label, sep, d.number("x", 9999, 4), "-"+d.number("y", 5000, 4), d.one("z", "0", ".25", "0.3333", "0.98765(4)"),
			symbol+d.one("charge", "", "2+"), d.one("occupancy", "1", "0.50(2)", "?"))
		if d.sometimes("remark") {
			d.WriteString("# " + symbol + " from the difference map\n")
		}
	}
	if d.sometimes("no aniso") {
		return
	}
	d.WriteString("\nloop_\n_atom_site_aniso_label\n")
	terms := published.AnisoTags[1:]
	for _, term := range terms {
		d.WriteString(strings.ReplaceAll(term, "_u_", "_U_") + "\n")
	}
	for _, label := range d.atoms[:2] {
		d.WriteString(label)
		for range terms {
			d.WriteString(" " + d.number("term", 900, 4))
		}
		d.WriteString("\n")
	}
}

func (d *drawer) otherLoop() {
	if d.sometimes("no loop") {
		return
	}
	d.WriteString("loop_ _exptl_crystal_face_index_h _exptl_crystal_face_index_k # faces\n 1 0 0 -1\n" + d.one("faces", "", "2 1\n", "'a b' ?\n"))
}

func (d *drawer) geometry() {
	d.WriteString("loop_\n_geom_bond_atom_site_label_1\n_geom_bond_atom_site_label_2\n_geom_bond_distance\n_geom_bond_site_symmetry_2\n_geom_bond_publ_flag\n")
	fmt.Fprintf(d, "%s %s 2.1170(12) 3_666 y\n", d.atoms[0], d.atoms[1])
	for range d.upTo(6, "bonds") {
		if one, two, code := d.atom(), d.atom(), d.code(); d.isNew(min(one, two), max(one, two), code) {
			fmt.Fprintf(d, "%s %s %s %s %s\n", one, two, d.number("distance", 30_000, 3), code, d.one("flag", "?", "yes", "n"))
		}
	}
	if d.sometimes("no angles") {
		return
	}
	d.WriteString("loop_\n")
	for _, tag := range []string{"atom_site_label_1", "atom_site_label_2", "atom_site_label_3", "site_symmetry_1", "site_symmetry_3"} {
		d.WriteString("  _geom_angle_" + tag + "\n")
	}
	d.WriteString("  _geom_angle\n")
	fmt.Fprintf(d, "%s %s %s 3_666 3_666 180.0\n", d.atoms[1], d.atoms[0], d.atoms[1])
	for range d.upTo(6, "angles") {
		if labels, codes := d.atom()+" "+d.atom()+" "+d.atom(), d.code()+" "+d.code(); d.isNew(labels, codes) {
			fmt.Fprintf(d, "%s %s %s\n", labels, codes, d.number("angle", 1_800_000, 1))
		}
	}
}

// isNew reports whether nothing was named so before: of two rows for one bond
// the published score knows only the last.
func (d *drawer) isNew(names ...string) bool {
	name := strings.Join(names, " ")
	known := d.named[name]
	d.named[name] = true
	return !known
}

func (d *drawer) atom() string { return d.one("label", d.atoms...) }

func (d *drawer) code() string {
	return d.one("code", ".", ".", "1_555", "1_565", "2", "4_676", "2_455")
}

// value scores a candidate in which a text of the sample is replaced.
func valueOf(t *testing.T, was, is string) float64 {
	t.Helper()
	return New().Compare(vfs.Files{structureFile: sample}, change(t, was, is)).RS
}

func TestPublishedScore(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct {
		was, is string
		want    float64
	}{
		"a coordinate off by 0.002":       {"0.3868(2)", "0.3888(2)", 1 - 0.3*0.7*0.1/3/4},
		"a site that is lost":             {"H3A H 0.723(3) 0.713(5) 0.482 1\n", "", 0.2 + 0.8*0.75},
		"a site that is added":            {"H3A H", "O9 O .1 .2 .3 1\nH3A H", 1 - 0.3/8},
		"a cell edge off by a fifth":      {"9.8217(6)", "12.0(6)", 1 - 0.05/6},
		"another space group":             {"'P 21/n'", "'P 21/c'", 0.975},
		"a bond off by 0.05":              {"1.261(3)", "1.311(3)", 0.95},
		"a bond the other way round":      {"O1 C1 1.261(3)", "C1 O1 1.261(3)", 1},
		"an angle the other way round":    {"O1 Zn1 O1 180.0 3_666 .", "O1 Zn1 O1 180.0 . 3_666", 0.95},
		"a hydrogen bond without a value": {"1.86(2)", "?", 1},
		"an author who is missing":        {"'Holm, K.'\n", "", 1 - 0.1*0.5/4},
		"bonds without the loop":          {"loop_\n_geom_bond_atom_site_label_1", "loop_\n_my_bond_atom_site_label_1", 0.8},
	} {
		if got := valueOf(t, c.was, c.is); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s: %.9f, want %.9f", rule, got, c.want)
		}
	}
}

func TestOperations(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"x,y,z":                   "x, y, z",
		" 1/2+X , -y+ .5, Z-x ":   "x+1/2, -y+1/2, -x+z",
		"y-x+2/3,0.25 - z,-1/3+x": "-x+y+2/3, -z+1/4, x-1/3",
		"-x+3/2,y,1":              "-x+3/2, y, 1",
	} {
		o, ok := readOperation(text)
		if !ok || o.String() != want {
			t.Errorf("%s is %s, %v, want %s", text, o, ok, want)
		}
	}
	for _, text := range []string{"", "x,y", "x,y,", "x,y,w", "x,y,z+0.3", "x,y,z/2", "1_555", "."} {
		if o, ok := readOperation(text); ok {
			t.Errorf("%q is %s, want none", text, o)
		}
	}
}

func TestReadAndPrintLoseNothing(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		sample,
		"# c\n\n\ndata_x _a 1 _b 2 # d\n loop_ _c _d 1 2 # e\n3 4\n\n# f\n_e\n;\ntext\n; _f 'g h'\nsave_i _j 1 save_\nwords of\nnobody\n",
	} {
		again := read(text).print()
		if diff := cmp.Diff(read(text), read(again), cmp.AllowUnexported(document{}, part{}, loop{}, row{}, value{}),
			cmp.FilterPath(func(p cmp.Path) bool {
				return p.Last().String() == ".source" || p.Last().String() == ".opens" || p.Last().String() == ".header"
			}, cmp.Ignore())); diff != "" {
			t.Errorf("%q: %s", again, diff)
		}
	}
	if diff := cmp.Diff(sample, read(sample).print()); diff != "" {
		t.Error(diff)
	}
}
