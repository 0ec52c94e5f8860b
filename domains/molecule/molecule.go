// Package molecule is the domain of SD files: libraries of molecules, each a connection table (MDL mol block, V2000 or
// V3000) with named data fields after it. Records are counted.
//
// The published score pairs records by an identifier, and compares their data fields, their order, and their structures
// as RDKit 2022.09 reads them: by the largest common connected part after hydrogens were removed and aromatic bonds
// perceived. RDKit drops a record with one bad column or valence; it passes over coordinates, geometry, charges,
// isotopes, titles, added fields and added records.
//
// Strict looks at every atom, bond and data field of a record, and at the order of records. A drawing may stand
// anywhere on its sheet, so an atom's coordinates are compared relative to the atom before it. Single and double bonds
// that alternate in aromatic rings are put in one order, charges are the same in atom lines and in M lines, numbers
// have no idle zeros. Atoms may have other numbers, data fields another order. What the program and comment lines say
// means nothing.
package molecule

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/edit"
	"agentd/domains/internal/wellformed"
	published "agentd/domains/published/molecule"
	"agentd/internal/lazyregexp"
)

// New returns the domain.
func New() domains.Domain {
	return domains.New(domains.Spec[*published.Library]{
		Info: domains.Info{
			Name:     "molecule",
			Title:    "Compound library in SD format",
			Category: "Science & Engineering",
			Patterns: published.Patterns,
			Element:  counted,
			Example: "methane\n" +
				"\n" +
				"\n" +
				"  1  0  0  0  0  0            999 V2000\n" +
				"    0.0000    0.0000    0.0000 C   0  0\n" +
				"M  END\n" +
				"$$$$",
			Components: []string{"molecule_coverage", "structure_score", "property_score", "order_score"},
		},
		Parse:      published.Parse,
		Score:      published.Score,
		Stats:      published.Stats,
		Form:       wellformed.For(records, ".sdf", ".sd", ".mol"),
		Elements:   elements,
		Forgives:   forgives,
		Without:    without,
		Vocabulary: vocabulary,
	})
}

// vocabulary makes parts of records, which end with four dollar signs; of the atom lines of the
// first one where there are few.
func vocabulary() edit.Format {
	format := edit.Format{
		Document: "structure file", Part: "molecule", Parts: "molecules",
		Cut: edit.Records(`^\$\$\$\$`),
		Attributes: []edit.Attribute{
			edit.Has("name", "names", `\A([^\r\n]+)`),
			edit.HasNumber("atom count", "atom counts", `^ *(\d{1,3}) *\d{1,3}[ \d]*V[23]000`),
			edit.Has("program", "programs", `\A[^\n]*\n([^\r\n]+)`),
			edit.Has("property", "properties", `^> +<[^>\n]+>[^\n]*\n([^\r\n]+)`),
			edit.Has("field name", "field names", `^> +<([^>\r\n]+)>`),
			edit.Key("element", "elements", `^(?: *-?\d+\.\d+){3} ([A-Z][a-z]?)\b`),
			edit.Key("charge", "charges", `^M  CHG([ \d-]+)`),
			edit.Computed("skeleton", "skeletons", drawnFormula),
			edit.ComputedNumber("ring count", "ring counts", rings),
		},
		Finer: &edit.Format{
			Document: "structure file", Part: "molecule-1 atom line", Parts: "molecule-1 atom lines",
			Cut: edit.Within(`V2000\s*$`, `^.{0,30}$`, edit.Starting(`\S`, "")),
			Attributes: []edit.Attribute{
				edit.Has("element symbol", "element symbols", `^ *\S+ +\S+ +\S+ +([A-Z][a-z]?)\b`),
				edit.HasNumber("x coordinate", "x coordinates", `^ *(\S+)`),
				edit.HasNumber("y coordinate", "y coordinates", `^ *\S+ +(\S+)`),
			},
		},
	}
	records := format
	format.Adapt = func(_, text string) edit.Format {
		adapted := records
		adapted.Attributes = append(slices.Clip(records.Attributes), dataFields(adapted.Cut(text).Parts)...)
		return adapted
	}
	return format
}

var fieldHeader = lazyregexp.New(`(?m)^> +<([^>\r\n]+)>`)

// dataFields makes an attribute of each data field that half of the records have, in the order in which they come.
func dataFields(records []string) []edit.Attribute {
	var names []string
	counts := make(map[string]int)
	for _, record := range records {
		for _, found := range fieldHeader.FindAllStringSubmatch(record, -1) {
			if counts[found[1]]++; counts[found[1]] == 1 {
				names = append(names, found[1])
			}
		}
	}
	var all []edit.Attribute
	for _, name := range names {
		if counts[name]*2 >= len(records) {
			value := `^> +<` + regexp.QuoteMeta(name) + `>[^\n]*\n([^\r\n]+(?:\r?\n[^\r\n]+)*)`
			all = append(all, edit.Sized(edit.Has(name, name+" values", value), records))
		}
	}
	return all
}

// tableOf is the connection table of the first record in a part; nil if there is none.
func tableOf(part string) *table {
	for _, e := range readFile(part) {
		if e.isRecord() {
			return e.table()
		}
	}
	return nil
}

// drawnFormula is the formula of the atoms that are drawn, in Hill order: carbon, then hydrogen and its isotopes, then the
// others by symbol, all by symbol where there is no carbon; empty if there are none.
func drawnFormula(part string) string {
	t := tableOf(part)
	if t == nil {
		return ""
	}
	counts := make(map[string]int)
	for _, symbol := range t.symbols {
		counts[symbol]++
	}
	rank := func(symbol string) int {
		if at := strings.Index("CHDT", symbol); at >= 0 && len(symbol) == 1 && counts["C"] > 0 {
			return at
		}
		return len("CHDT")
	}
	var b strings.Builder
	for _, symbol := range slices.SortedFunc(maps.Keys(counts), func(x, y string) int {
		return cmp.Or(cmp.Compare(rank(x), rank(y)), cmp.Compare(x, y))
	}) {
		b.WriteString(symbol)
		if n := counts[symbol]; n > 1 {
			b.WriteString(strconv.Itoa(n))
		}
	}
	return b.String()
}

// rings is how many bonds could be cut before a molecule falls apart further: bonds less atoms, and one for each of its
// fragments.
func rings(part string) string {
	t := tableOf(part)
	if t == nil {
		return ""
	}
	fragment := make([]int, len(t.Atoms)) // of each atom, by the number of one of its atoms
	for i := range fragment {
		fragment[i] = i
	}
	closures := 0
	for _, b := range t.Bonds {
		if min(b.A, b.B) < 0 || max(b.A, b.B) >= len(fragment) {
			continue
		}
		from, to := fragment[b.A], fragment[b.B]
		if from == to {
			closures++
		}
		for i := range fragment {
			if fragment[i] == from {
				fragment[i] = to
			}
		}
	}
	return strconv.Itoa(closures)
}
