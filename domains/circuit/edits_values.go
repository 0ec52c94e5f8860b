package circuit

import (
	"cmp"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/lists"
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
	return lists.Found(f.statements, (*statement).valued)
}

func (s *statement) valued() (part, bool) {
	w, ok := s.valueWord()
	if !ok {
		return part{}, false
	}
	n, ok := readNumber(strings.ToLower(w.text))
	return part{s, w, n}, ok
}

// valueWord is the word after the nodes of a resistor, capacitor or inductor, or
// after the equals sign of its letter.
func (s *statement) valueWord() (word, bool) {
	if s.kind != elementLine || strings.IndexByte("rcl", s.word[0]) < 0 {
		return word{}, false
	}
	words := s.words()
	for i, a := range assignments(words[1:]) {
		name := strings.ToLower(a.name.text)
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
func (p *part) written() string { return p.statement.words()[0].text }

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
	exact := func(n number) *big.Rat {
		r, _ := new(big.Rat).SetString(n.plain(0))
		return r
	}
	return exact(n).Cmp(exact(m))
}

// valuesAside moves the values of parts to a table.
func valuesAside(p struct{ Document, To, Table string }) exact.Steps {
	change := func(f *netFile) (vfs.Files, error) {
		type line struct {
			part
			cell, reference, written string
		}
		var lines []line
		for _, v := range f.valued() {
			lines = append(lines, line{v, v.statement.scope, v.written(), v.word.text})
			v.statement.splice([]splice{{v.word, "@" + v.written()}})
		}
		slices.SortStableFunc(lines, func(a, b line) int {
			return cmp.Or(cmp.Compare(a.kind(), b.kind()), a.value.compare(b.value),
				cmp.Compare(a.cell, b.cell), cmp.Compare(a.reference, b.reference))
		})
		table := [][]string{{"kind", "base_value", "unit", "cell", "reference", "written"}}
		for _, l := range lines {
			table = append(table, []string{l.kind(), l.value.scientific(), units[l.kind()], l.cell, l.reference, l.written})
		}
		return vfs.Files{p.Table: plain.WriteCSV(table)}, nil
	}
	return netlists.Rewrite(p.Document, p.To, change, func(f *netFile, files vfs.Files) error {
		return f.putValues(files, p.Table, "written", func(text string) bool { return strings.HasPrefix(text, "@") })
	})
}

// putValues puts the values of a table in the places of those that it replaces.
func (f *netFile) putValues(files vfs.Files, table, column string, replaces func(text string) bool) error {
	rows, err := plain.Table(files, table, "cell", "reference", column)
	key := func(cell, reference string) string { return strings.ToLower(cell + " " + reference) }
	values := plain.NotesBy(rows, func(row []string) string { return key(row[0], row[1]) })
	for i := range f.statements {
		s := &f.statements[i]
		if w, ok := s.valueWord(); ok && replaces(w.text) {
			if row := values.Take(key(s.scope, s.word)); row != nil {
				s.splice([]splice{{w, row[2]}})
			}
		}
	}
	return err
}

// scaleImpedance makes the parts inside subcircuits so many times their impedance.
func scaleImpedance(p struct {
	Document, To string
	Factor       int64
	Table        string
}) exact.Steps {
	inverse, exponent, ok := inverseOf(p.Factor)
	if !ok {
		return exact.Refuse("the factor must divide a power of ten")
	}
	change := func(f *netFile) (vfs.Files, error) {
		table := [][]string{{"cell", "reference", "old", "new"}}
		for _, v := range f.valued() {
			if v.statement.scope == "" {
				continue
			}
			scaled := v.value.times(p.Factor, 0)
			if v.kind() == "capacitor" {
				scaled = v.value.times(inverse, exponent)
			}
			is := scaled.engineering()
			table = append(table, []string{v.statement.scope, v.written(), v.word.text, is})
			v.statement.splice([]splice{{v.word, is}})
		}
		return vfs.Files{p.Table: plain.WriteCSV(table)}, nil
	}
	return netlists.Rewrite(p.Document, p.To, change, func(f *netFile, files vfs.Files) error {
		return f.putValues(files, p.Table, "old", func(text string) bool {
			_, ok := readNumber(strings.ToLower(text))
			return ok
		})
	})
}

// inverseOf is one over a factor, as a whole number and a power of ten; false if it is none.
func inverseOf(factor int64) (digits int64, exponent int, ok bool) {
	const places = 18 // of a number
	digits = 1
	for factor > 0 && digits%factor != 0 {
		if exponent--; exponent < -places {
			return 0, 0, false
		}
		digits *= 10
	}
	return digits / max(factor, 1), exponent, factor > 0
}

// splitByLimits moves the parts beyond the limits to a file, by cell.
func splitByLimits(p struct {
	Document, To, Review string
	Limits               map[string]struct{ Least, Most string } // by kind, as netlists have values
	Table                string
}) exact.Steps {
	limits := map[string][2]number{}
	for kind, limit := range p.Limits {
		least, ok := readNumber(strings.ToLower(limit.Least))
		most, both := readNumber(strings.ToLower(limit.Most))
		if !ok || !both || units[kind] == "" {
			return exact.Refuse("the limits of a " + kind + " are no values")
		}
		limits[kind] = [2]number{least, most}
	}
	change := func(f *netFile) (vfs.Files, error) {
		review, table := f.takeBeyond(limits)
		return vfs.Files{p.Review: printed(review), p.Table: plain.WriteCSV(table)}, nil
	}
	return netlists.Rewrite(p.Document, p.To, change, func(f *netFile, files vfs.Files) error {
		review, err := netlists.Named(files, p.Review)
		if err != nil {
			return err
		}
		table, err := plain.Table(files, p.Table, "line", "cell", "reference")
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
			line, _ := places.TakeNumber(s.word)
			parts = append(parts, unit{line, []statement{s}})
		}
		f.statements = putIn(parts, f.statements)
		return err
	})
}

// beyond names the limit that a part does not keep, empty if it keeps both.
func (p *part) beyond(limits map[string][2]number) string {
	limit, limited := limits[p.kind()]
	switch {
	case limited && p.value.compare(limit[0]) < 0:
		return "low"
	case limited && p.value.compare(limit[1]) > 0:
		return "high"
	}
	return ""
}

// takeBeyond takes the parts beyond the limits. It returns a review of them, and a table.
func (f *netFile) takeBeyond(limits map[string][2]number) (review []statement, table [][]string) {
	table = [][]string{{"line", "cell", "reference", "limit"}}
	of := map[string][]statement{}
	var kept []statement
	line, total := 1, 0
	for _, s := range f.statements {
		limit := ""
		if p, ok := s.valued(); ok {
			total++
			if limit = p.beyond(limits); limit != "" {
				table = append(table, []string{decimal(line), s.scope, p.written(), limit})
				of[s.scope] = append(of[s.scope], s)
			}
		}
		if limit == "" {
			kept = append(kept, s)
		}
		line += 1 + strings.Count(s.text, "\n")
	}
	f.statements = kept
	review = []statement{{text: fmt.Sprintf("* %d of %d parts beyond the limits", len(table)-1, total)}}
	for _, cell := range slices.Sorted(maps.Keys(of)) {
		heading := "* top level"
		if cell != "" {
			heading = "* in " + cell
		}
		review = append(review, statement{text: heading})
		review = append(review, of[cell]...)
	}
	return review, table
}
