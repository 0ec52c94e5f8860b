package circuit

import (
	"cmp"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// part is a resistor, capacitor or inductor whose value is a number.
type part struct {
	statement *statement
	word      word // of the value
	value     number
}

// valued are the parts of a document, in order.
func (f *netFile) valued() []part {
	var all []part
	for i := range f.statements {
		if p, ok := f.statements[i].valued(); ok {
			all = append(all, p)
		}
	}
	return all
}

func (s *statement) valued() (part, bool) {
	w, ok := s.valueWord()
	if !ok {
		return part{}, false
	}
	n, ok := readNumber(strings.ToLower(w.of(s.text)))
	return part{s, w, n}, ok
}

// valueWord is the word after the nodes of a resistor, capacitor or inductor, or
// after the equals sign of its letter.
func (s *statement) valueWord() (word, bool) {
	if s.kind != elementLine || strings.IndexByte("rcl", s.word[0]) < 0 {
		return word{}, false
	}
	words := s.words()
	for i, a := range assignments(s.text, words[1:]) {
		name := strings.ToLower(a.name.of(s.text))
		if a.given && name == s.word[:1] {
			return a.value, true
		}
		if i == 2 && !a.given {
			return a.name, true
		}
	}
	return word{}, false
}

// written is the name of a part as it is spelled.
func (p *part) written() string { return p.statement.words()[0].of(p.statement.text) }

func (p *part) kind() string { return p.statement.device().name }

var units = map[string]string{"resistor": "ohm", "capacitor": "farad", "inductor": "henry"}

// times multiplies by a whole number and a power of ten.
func (n number) times(factor int64, exponent int) number {
	digits, _ := new(big.Int).SetString("0"+n.digits, 10)
	n.digits = digits.Mul(digits, big.NewInt(factor)).String()
	n.exponent += exponent
	n.tidy()
	return n
}

// compare is less than, equal to or greater than 0 as n is than m.
func (n number) compare(m number) int {
	sign := func(n number) int {
		switch {
		case n.digits == "":
			return 0
		case n.negative:
			return -1
		}
		return 1
	}
	if c := cmp.Compare(sign(n), sign(m)); c != 0 || sign(n) == 0 {
		return c
	}
	return sign(n) * cmp.Or(cmp.Compare(n.magnitude(), m.magnitude()), cmp.Compare(n.digits, m.digits))
}

const (
	valuelessFile = "references.cir"
	bomFile       = "bom.csv"
)

// takeValues moves the values of parts to a table.
func takeValues(files vfs.Files) (vfs.Files, error) {
	f, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	type line struct {
		part
		cell, reference, written string
	}
	var lines []line
	for _, p := range f.valued() {
		lines = append(lines, line{p, p.statement.scope, p.written(), p.word.of(p.statement.text)})
		p.statement.splice([]splice{{p.word, "@" + p.written()}})
	}
	slices.SortStableFunc(lines, func(a, b line) int {
		return cmp.Or(cmp.Compare(a.kind(), b.kind()), a.value.compare(b.value),
			cmp.Compare(a.cell, b.cell), cmp.Compare(a.reference, b.reference))
	})
	table := [][]string{{"kind", "base_value", "unit", "cell", "reference", "written"}}
	for _, l := range lines {
		table = append(table, []string{l.kind(), l.value.scientific(), units[l.kind()], l.cell, l.reference, l.written})
	}
	return vfs.Files{valuelessFile: f.print(), bomFile: plain.WriteCSV(table)}, nil
}

func putValues(files vfs.Files) (vfs.Files, error) {
	f, err := readNamed(files, valuelessFile)
	if err != nil {
		return nil, err
	}
	table, err := plain.Table(files, bomFile, "cell", "reference", "written")
	if err != nil {
		return nil, err
	}
	key := func(cell, reference string) string { return strings.ToLower(cell + " " + reference) }
	values := plain.NotesBy(table, func(row []string) string { return key(row[0], row[1]) })
	for i := range f.statements {
		s := &f.statements[i]
		w, ok := s.valueWord()
		if !ok || !strings.HasPrefix(w.of(s.text), "@") {
			continue
		}
		if row := values.Take(key(s.scope, s.word)); row != nil {
			s.splice([]splice{{w, row[2]}})
		}
	}
	return asDocument(f.statements), nil
}

const (
	scaledFile  = "scaled.cir"
	scalingFile = "scaling.csv"
)

// scaleImpedance makes the parts inside subcircuits four times their impedance.
func scaleImpedance(files vfs.Files) (vfs.Files, error) {
	f, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	table := [][]string{{"cell", "reference", "old", "new"}}
	for _, p := range f.valued() {
		if p.statement.scope == "" {
			continue
		}
		scaled := p.value.times(4, 0)
		if p.kind() == "capacitor" {
			scaled = p.value.times(25, -2)
		}
		is := scaled.engineering()
		table = append(table, []string{p.statement.scope, p.written(), p.word.of(p.statement.text), is})
		p.statement.splice([]splice{{p.word, is}})
	}
	return vfs.Files{scaledFile: f.print(), scalingFile: plain.WriteCSV(table)}, nil
}

func restoreImpedance(files vfs.Files) (vfs.Files, error) {
	f, err := readNamed(files, scaledFile)
	if err != nil {
		return nil, err
	}
	table, err := plain.Table(files, scalingFile, "cell", "reference", "old")
	if err != nil {
		return nil, err
	}
	key := func(cell, reference string) string { return strings.ToLower(cell + " " + reference) }
	values := plain.NotesBy(table, func(row []string) string { return key(row[0], row[1]) })
	for _, p := range f.valued() {
		if row := values.Take(key(p.statement.scope, p.statement.word)); row != nil {
			p.statement.splice([]splice{{p.word, row[2]}})
		}
	}
	return asDocument(f.statements), nil
}

const (
	stockFile    = "within_limits.cir"
	reviewFile   = "review.cir"
	reviewPlaces = "review_places.csv"
)

// limits are the smallest and the largest value of parts in stock.
var limits = map[string][2]number{
	"resistor":  {mustNumber("10"), mustNumber("1meg")},
	"capacitor": {mustNumber("10p"), mustNumber("10u")},
	"inductor":  {mustNumber("1u"), mustNumber("10m")},
}

func mustNumber(text string) number {
	n, ok := readNumber(text)
	if !ok {
		panic("not a number: " + text)
	}
	return n
}

// beyond names the limit that a part does not keep, empty if it keeps both.
func (p *part) beyond() string {
	limit := limits[p.kind()]
	switch {
	case p.value.compare(limit[0]) < 0:
		return "low"
	case p.value.compare(limit[1]) > 0:
		return "high"
	}
	return ""
}

// reviewValues moves the parts beyond the limits to a file, by cell.
func reviewValues(files vfs.Files) (vfs.Files, error) {
	f, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	table := [][]string{{"line", "cell", "reference", "limit"}}
	of := map[string][]statement{}
	var kept []statement
	line, total := 1, 0
	for _, s := range f.statements {
		limit := ""
		if p, ok := s.valued(); ok {
			total++
			if limit = p.beyond(); limit != "" {
				table = append(table, []string{decimal(line), s.scope, p.written(), limit})
				of[s.scope] = append(of[s.scope], s)
			}
		}
		if limit == "" {
			kept = append(kept, s)
		}
		line += 1 + strings.Count(s.text, "\n")
	}
	review := []statement{{text: fmt.Sprintf("* %d of %d parts beyond the limits", len(table)-1, total)}}
	for _, cell := range slices.Sorted(maps.Keys(of)) {
		heading := "* top level"
		if cell != "" {
			heading = "* in " + cell
		}
		review = append(review, statement{text: heading})
		review = append(review, of[cell]...)
	}
	return vfs.Files{
		stockFile: printed(kept), reviewFile: printed(review), reviewPlaces: plain.WriteCSV(table),
	}, nil
}

func mergeReview(files vfs.Files) (vfs.Files, error) {
	stock, err := readNamed(files, stockFile)
	if err != nil {
		return nil, err
	}
	review, err := readNamed(files, reviewFile)
	if err != nil {
		return nil, err
	}
	table, err := plain.Table(files, reviewPlaces, "line", "cell", "reference")
	if err != nil {
		return nil, err
	}
	// The parts of one cell are in the order of their lines.
	slices.SortStableFunc(table, func(a, b []string) int {
		return cmp.Or(cmp.Compare(a[1], b[1]), plain.ByNumber(a, b))
	})
	places := plain.NotesBy(table, func(row []string) string { return strings.ToLower(row[2]) })
	var parts []unit
	for _, s := range review.statements {
		if s.kind <= titleLine {
			continue
		}
		u := unit{statements: []statement{s}}
		if row := places.Take(s.word); row != nil {
			u.line = plain.LineNumber(row[0])
		}
		parts = append(parts, u)
	}
	return asDocument(putIn(parts, stock.statements)), nil
}
