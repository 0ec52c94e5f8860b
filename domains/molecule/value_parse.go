package molecule

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/notes"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
	"agentd/vfs"
)

// library is a document as the published program reads it. It repairs the
// headers of candidates only, so both readings are kept.
type library struct {
	plain, repaired []record
}

// record is a molecule with its properties.
type record struct {
	title      string
	structure  *structure
	names      []string // of the properties, in order
	properties map[string]string
}

const (
	delimiter = "$$$$"
	blockEnd  = "M  END"
)

var errNoRecords = errors.New("no molecule record can be read")

func parse(files vfs.Files) (*library, error) {
	files = files.Match(patterns)
	var plain, repaired strings.Builder
	for _, name := range files.Names() {
		plain.WriteString(delimited(files[name]))
		repaired.WriteString(delimited(withHeaders(files[name])))
	}
	l := &library{plain: readRecords(plain.String())}
	l.repaired = l.plain
	if repaired.String() != plain.String() {
		l.repaired = readRecords(repaired.String())
	}
	if len(l.plain) == 0 && len(l.repaired) == 0 {
		return nil, errNoRecords
	}
	return l, nil
}

// delimited ends the last record of a file.
func delimited(text string) string {
	if strings.HasSuffix(pytext.StripRight(text), delimiter) {
		return text
	}
	return text + "\n" + delimiter + "\n"
}

// withHeaders gives three header lines to each record that has more or fewer:
// the first that is not blank, and two empty ones.
func withHeaders(text string) string {
	if !hasVersion(text) {
		return text
	}
	var b strings.Builder
	for n, piece := range strings.Split(text, delimiter) {
		if n > 0 {
			b.WriteString(delimiter)
		}
		b.WriteString(withHeader(piece, n > 0))
	}
	return b.String()
}

// hasVersion reports whether a text names a version of connection tables, as a counts line does.
func hasVersion(text string) bool {
	return strings.Contains(text, "V2000") || strings.Contains(text, "V3000")
}

func withHeader(piece string, afterDelimiter bool) string {
	start := 0
	if afterDelimiter && strings.HasPrefix(strings.TrimPrefix(piece, "\r"), "\n") {
		start = strings.IndexByte(piece, '\n') + 1
	}
	title, lines, at := "", 0, start
	for line := range strings.Lines(piece[start:]) {
		if hasVersion(line) {
			if lines == headerLines {
				return piece
			}
			return piece[:start] + title + "\n\n\n" + piece[at:]
		}
		if title == "" {
			title = pytext.Strip(line)
		}
		lines++
		at += len(line)
	}
	return piece
}

// input hands out lines as a C++ stream does.
type input struct {
	text  string
	ended bool // a line was asked for that no line feed ends
}

func (in *input) line() string {
	at := strings.IndexByte(in.text, '\n')
	if at < 0 {
		line := in.text
		in.text, in.ended = "", true
		return line
	}
	line := in.text[:at]
	in.text = in.text[at+1:]
	return line
}

// blockLine is a line of a mol block, where a carriage return at the end does not count.
func (in *input) blockLine() string { return strings.TrimSuffix(in.line(), "\r") }

// skip goes to the end of the record, by at least one line.
func (in *input) skip() {
	for !isDelimiter(in.line()) && !in.ended {
	}
}

func isDelimiter(line string) bool { return strings.HasPrefix(line, delimiter) }

// readRecords reads what can be read; records with an error are left out.
func readRecords(text string) []record {
	in := &input{text: text}
	var all []record
	for !in.ended {
		r := record{title: in.blockLine()}
		if in.ended {
			break
		}
		if r.structure = in.block(); r.structure == nil {
			in.skip()
			continue
		}
		in.readProperties(&r)
		all = append(all, r)
	}
	return all
}

// readProperties reads data fields up to the delimiter. It gives up at a line
// that is no part of one, and keeps what it has.
func (in *input) readProperties(r *record) {
	const blanks = " \t\r\n"
	r.properties = map[string]string{}
	for {
		line := in.line()
		if in.ended || isDelimiter(line) {
			return
		}
		line = strings.Trim(line, blanks)
		if line == "" {
			continue
		}
		if line[0] != '>' {
			in.skip()
			return
		}
		name, named := dataName(line)
		if !named {
			if strings.Trim(in.line(), blanks) == "" {
				continue
			}
			in.text, in.ended = "", true // the published program loses the rest of the file here
			return
		}
		var value []string
		for {
			line := in.line()
			if line == "" || line[0] != ' ' && line[0] != '\t' && strings.Trim(line, blanks) == "" {
				break
			}
			value = append(value, strings.TrimSuffix(line, "\r"))
		}
		if strings.HasPrefix(name, "_") {
			continue
		}
		if _, known := r.properties[name]; !known {
			r.names = append(r.names, name)
		}
		r.properties[name] = strings.Join(value, "\n")
	}
}

// dataName is the name in the header line of a data field.
func dataName(header string) (name string, named bool) {
	header = header[1:]
	from, to := strings.IndexByte(header, '<'), strings.LastIndexByte(header, '>')
	switch {
	case from < 0 || to < 0 || to == from+1:
		return "", false
	case to < from:
		return header[from+1:], true
	}
	return header[from+1 : to], true
}

// counted is the kind of element that molecules are.
const counted = "molecule"

var patterns = []string{"*.sdf"}

func stats(l *library) domains.Stats {
	records := l.plain
	if len(records) == 0 {
		records = l.repaired
	}
	atoms, bonds := 0, 0
	names := map[string]bool{}
	for _, r := range records {
		atoms += len(r.structure.atoms)
		bonds += len(r.structure.bonds)
		for _, name := range r.names {
			names[name] = true
		}
	}
	return domains.Stats{Elements: len(records), Counts: []domains.Count{
		{Name: "Molecules", Value: strconv.Itoa(len(records))},
		{Name: "Total Atoms", Value: strconv.Itoa(atoms)},
		{Name: "Total Bonds", Value: strconv.Itoa(bonds)},
		{Name: "Properties", Value: strconv.Itoa(len(names))},
	}}
}

// score is coverage · (0.50 structure + 0.35 property + 0.15 order), each part rounded to four decimals.
func score(ref, got *library, noted *notes.Notes) domains.Reading {
	reference, candidate := ref.plain, got.repaired
	reading := domains.Reading{
		Components: map[string]float64{},
		Elements:   domains.Elements{Reference: len(reference), Candidate: len(candidate)},
	}
	switch {
	case len(reference) == 0:
		reading.Problem = "the reference cannot be read: " + errNoRecords.Error()
		return reading
	case len(candidate) == 0:
		reading.Problem = errNoRecords.Error()
		return reading
	}
	refIDs, gotIDs := lists.Each(reference, (*record).identifier), lists.Each(candidate, (*record).identifier)
	pairs := pairsOf(refIDs, gotIDs)
	structure, property := 0.0, 0.0
	ratios := ratios{ratio.NewTable(noted)}
	for _, p := range slices.Backward(pairs) {
		a, b := &reference[p[0]], &candidate[p[1]]
		structure += structureOf(a.structure, b.structure, noted)
		property += ratios.properties(a, b)
	}
	if n := float64(len(pairs)); n > 0 {
		structure /= n
		property /= n
	}
	order := orderOf(refIDs, gotIDs)
	coverage := float64(len(pairs)) / float64(len(reference))
	reading.RS = pytext.Round(coverage*(float64(0.50*structure)+float64(0.35*property)+float64(0.15*order)), 4)
	for name, part := range map[string]float64{
		"molecule_coverage": coverage, "structure_score": structure, "property_score": property, "order_score": order,
	} {
		reading.Components[name] = pytext.Round(part, 4)
	}
	return reading
}

var (
	identifierNames = []string{"PUBCHEM_COMPOUND_CID", "CID", "ID", "Compound_ID"}
	smilesNames     = []string{"PUBCHEM_SMILES", "SMILES", "PUBCHEM_OPENEYE_CAN_SMILES"}
)

// identifier is what a record is known by, empty if by nothing.
func (r *record) identifier() string {
	for _, names := range [][]string{identifierNames, smilesNames} {
		for _, name := range names {
			if value, has := r.properties[name]; has {
				return pytext.Strip(value)
			}
		}
	}
	return pytext.Strip(r.title)
}

// pairsOf pairs records with one identifier, the last on each side, in the order of the reference.
func pairsOf(reference, candidate []string) [][2]int {
	unnamed := func(pair [2]int) bool { return reference[pair[0]] == "" }
	return slices.DeleteFunc(sets.LastPairs(reference, candidate), unnamed)
}

func orderOf(reference, candidate []string) float64 {
	named := func(ids []string) []string {
		return slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return id == "" })
	}
	ref := named(reference)
	if len(ref) == 0 {
		return 1
	}
	return ratio.Tokens(ref, named(candidate), true)
}

// mostSteps bounds the search for the largest common part, in each pair of molecules.
const mostSteps = 100_000

// structureOf is 1 for the same molecule, otherwise the share of the largest common part.
func structureOf(a, b *structure, noted *notes.Notes) float64 {
	largest := max(len(a.atoms), len(b.atoms))
	if largest == 0 {
		return 1
	}
	if sameSkeleton(a, b) {
		if _, parts := a.searchOrder(); parts == 1 || sameMolecule(a, b) {
			return 1
		}
	}
	return float64(commonAtoms(a, b, mostSteps, noted)) / float64(largest)
}

// ratios are those of texts, which recur.
type ratios struct{ *ratio.Table }

// properties compares the properties of two records.
func (r ratios) properties(ref, got *record) float64 {
	if len(ref.names) == 0 {
		if len(got.names) > 0 {
			return 0.5
		}
		return 1
	}
	common, sum := 0, 0.0
	for _, name := range ref.names {
		if value, has := got.properties[name]; has {
			common++
			sum += r.value(pytext.Strip(ref.properties[name]), pytext.Strip(value))
		}
	}
	mean := 0.0
	if common > 0 {
		mean = sum / float64(common)
	}
	return float64(0.4*float64(common)/float64(len(ref.names))) + float64(0.6*mean)
}

// value compares numbers by how far they are apart, and other texts by ratio.
func (r ratios) value(ref, got string) float64 {
	if ref == got {
		return 1
	}
	x, isNumber := pytext.Float(ref)
	y, isNumberToo := pytext.Float(got)
	if isNumber && isNumberToo {
		return closeness(x, y)
	}
	return r.Of(ref, got)
}

func closeness(ref, got float64) float64 {
	if ref == 0 {
		if got == 0 {
			return 1
		}
		return 0
	}
	switch off := math.Abs(ref-got) / math.Abs(ref); {
	case off < 0.001:
		return 1
	case off < 0.01:
		return 0.9
	case off < 0.1:
		return 0.5
	}
	return 0
}
