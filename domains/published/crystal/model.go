package crystal

import (
	"fmt"
	"slices"
	"strings"

	"agentd/domains/internal/pytext"
	"agentd/internal/lazyregexp"
)

// Tags that the published evaluator reads, in lower case.
var (
	cellTags = []string{
		"_cell_length_a", "_cell_length_b", "_cell_length_c", "_cell_angle_alpha", "_cell_angle_beta", "_cell_angle_gamma",
	}
	otherCellTags = []string{"_cell_volume", "_cell_formula_units_z", "_cell_measurement_temperature"}

	SiteTags = []string{
		"_atom_site_label", "_atom_site_type_symbol", "_atom_site_fract_x", "_atom_site_fract_y", "_atom_site_fract_z",
		"_atom_site_occupancy",
	}
	AnisoTags = []string{
		"_atom_site_aniso_label", "_atom_site_aniso_u_11", "_atom_site_aniso_u_22", "_atom_site_aniso_u_33",
		"_atom_site_aniso_u_23", "_atom_site_aniso_u_13", "_atom_site_aniso_u_12",
	}
	BondTags = []string{
		"_geom_bond_atom_site_label_1", "_geom_bond_atom_site_label_2", "_geom_bond_site_symmetry_2", "_geom_bond_distance",
	}
	angleTags = []string{
		"_geom_angle_atom_site_label_1", "_geom_angle_atom_site_label_2", "_geom_angle_atom_site_label_3",
		"_geom_angle_site_symmetry_1", "_geom_angle_site_symmetry_3", "_geom_angle",
	}
	hydrogenBondTags = []string{
		"_geom_hbond_atom_site_label_d", "_geom_hbond_atom_site_label_h", "_geom_hbond_atom_site_label_a",
		"_geom_hbond_site_symmetry_a", "_geom_hbond_distance_dh", "_geom_hbond_distance_ha", "_geom_hbond_distance_da",
		"_geom_hbond_angle_dha",
	}
	publicationTags = []string{
		"_journal_name_full", "_journal_year", "_journal_volume", "_diffrn_radiation_type", "_exptl_crystal_colour",
	}
	// presenceTags only decide whether there is a publication at all.
	presenceTags = []string{
		"_chemical_formula_weight", "_journal_page_first", "_journal_page_last", "_exptl_crystal_density_diffrn",
		"_diffrn_radiation_wavelength", "_refine_ls_r_factor_gt", "_refine_ls_wr_factor_ref", "_publ_section_title",
	}
)

// Tags of data names that are read, in lower case.
const (
	OperationTag  = "_symmetry_equiv_pos_as_xyz"
	spaceGroupTag = "_symmetry_space_group_name_h-m"
	formulaTag    = "_chemical_formula_sum"
	authorTag     = "_publ_author_name"
)

// readTags are the tags of which the evaluator reads loops.
var readTags = func() map[string]bool {
	all := map[string]bool{OperationTag: true, spaceGroupTag: true, formulaTag: true, authorTag: true}
	for _, tag := range slices.Concat(
		cellTags, otherCellTags, SiteTags, AnisoTags, BondTags, angleTags, hydrogenBondTags, publicationTags, presenceTags,
	) {
		all[tag] = true
	}
	return all
}()

// text is an item's value, of a looped one the first; empty if it is missing.
func (b Block) text(tag string) string {
	if e := b[tag]; len(e.texts) > 0 {
		return known(e.texts[0])
	}
	return ""
}

// list is the values of a looped tag.
func (b Block) list(tag string) []string {
	if e := b[tag]; e.looped {
		return e.texts
	}
	return nil
}

// Number is a value that may be missing.
type Number struct {
	Value float64
	Known bool
}

// NumberOf reads a number without its standard uncertainty.
func NumberOf(text string) Number {
	value, ok := pytext.Float(inParentheses.ReplaceAllLiteralString(text, ""))
	return Number{value, ok}
}

var inParentheses = lazyregexp.New(`\([^)]*\)`)

// table is the rows of the looped ones among some tags.
type table struct {
	columns [][]string // nil where the tag is not looped
	rows    int
}

func (b Block) table(tags []string) table {
	t := table{columns: make([][]string, len(tags))}
	var rows []int
	for i, tag := range tags {
		if e := b[tag]; e.looped {
			t.columns[i] = e.texts
			rows = append(rows, len(e.texts))
		}
	}
	if len(rows) > 0 {
		t.rows = slices.Min(rows)
	}
	return t
}

func (t table) text(row, column int, missing string) string {
	if t.columns[column] == nil {
		return missing
	}
	return t.columns[column][row]
}

// numbers are those of a row from a column on.
func (t table) numbers(row, from int) []Number {
	numbers := make([]Number, 0, len(t.columns)-from)
	for column := from; column < len(t.columns); column++ {
		numbers = append(numbers, NumberOf(t.text(row, column, "?")))
	}
	return numbers
}

// Structure is the first data block as the published evaluator compares it.
type Structure struct {
	Cell       [6]Number
	hasCell    bool
	spaceGroup string // without blanks, in lower case
	operations []string
	sites      []site
	aniso      []measured
	bonds      []measured
	angles     []measured
	hydrogen   []measured

	formula        string
	authors        []string
	publication    []string // as publicationTags, empty where missing
	hasPublication bool
	stated         [2]string // space group and formula, as they are written
}

type site struct {
	label, element string
	position       [3]Number
	occupancy      Number
}

// measured is a row of a table of numbers with what it is found by: the labels of the atoms and their symmetries.
type measured struct {
	key    string
	values []Number
}

// StructureOf reads the tables of a data block.
func StructureOf(b Block) *Structure {
	s := &Structure{stated: [2]string{b.text(spaceGroupTag), b.text(formulaTag)}}
	for i, tag := range cellTags {
		s.Cell[i] = NumberOf(b.text(tag))
		s.hasCell = s.hasCell || s.Cell[i].Known
	}
	for _, tag := range otherCellTags {
		s.hasCell = s.hasCell || NumberOf(b.text(tag)).Known
	}
	s.spaceGroup = withoutBlanks(s.stated[0])
	for _, operation := range b.list(OperationTag) {
		s.operations = append(s.operations, withoutBlanks(operation))
	}
	s.readTables(b)
	s.readPublication(b)
	return s
}

func withoutBlanks(text string) string {
	return strings.ReplaceAll(pytext.Strip(pytext.Lower(text)), " ", "")
}

func (s *Structure) readTables(b Block) {
	t := b.table(SiteTags)
	s.sites = make([]site, t.rows)
	for i := range s.sites {
		numbers := t.numbers(i, 2)
		s.sites[i] = site{t.text(i, 0, ""), known(t.text(i, 1, "")), [3]Number(numbers), numbers[3]}
	}
	s.aniso = b.measured(AnisoTags, 1)
	s.bonds = b.measured(BondTags, 3)
	s.angles = b.measured(angleTags, 5)
	s.hydrogen = b.measured(hydrogenBondTags, 4)
}

// measured reads a table: the numbers from a column on, and what is before them.
// The labels of a bond may stand in either order.
func (b Block) measured(tags []string, numbers int) []measured {
	t := b.table(tags)
	all := make([]measured, t.rows)
	key := make([]string, numbers)
	for i := range all {
		for column := range key {
			missing := ""
			if strings.Contains(tags[column], "_site_symmetry_") {
				missing = "."
			}
			key[column] = t.text(i, column, missing)
		}
		if tags[0] == BondTags[0] {
			slices.Sort(key[:2])
		}
		all[i] = measured{fmt.Sprintf("%q", key), t.numbers(i, numbers)}
	}
	return all
}

// known is a text, empty if it says that the value is missing.
func known(text string) string {
	if text == "?" || text == "." {
		return ""
	}
	return text
}

func (s *Structure) readPublication(b Block) {
	s.formula = withoutBlanks(s.stated[1])
	for _, author := range b.list(authorTag) {
		s.authors = append(s.authors, lowered(author))
	}
	for _, tag := range publicationTags {
		s.publication = append(s.publication, lowered(b.text(tag)))
	}
	has := func(tag string) bool { return b.text(tag) != "" }
	s.hasPublication = s.formula != "" || len(s.authors) > 0 ||
		slices.ContainsFunc(publicationTags, has) || slices.ContainsFunc(presenceTags, has)
}

func lowered(text string) string { return pytext.Strip(pytext.Lower(text)) }
