package molecule

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/edit"
)

var fieldHeader = regexp.MustCompile(`(?m)^> +<([^>\r\n]+)>`)

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
	fragment := make([]int, len(t.atoms)) // of each atom, by the number of one of its atoms
	for i := range fragment {
		fragment[i] = i
	}
	closures := 0
	for _, b := range t.bonds {
		if min(b.a, b.b) < 0 || max(b.a, b.b) >= len(fragment) {
			continue
		}
		from, to := fragment[b.a], fragment[b.b]
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
