package edifact

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// splitByMessage makes a file of each message, in envelopes of its own. On the way back the
// files are taken in the table's order; those it does not list come last.
func splitByMessage(p struct{ Document, Table string }) exact.Steps {
	forward := func(files vfs.Files) (vfs.Files, error) {
		x := readAll(files.Match(interchanges.Patterns))
		if len(x.messages) == 0 {
			return nil, interchanges.Empty
		}
		made := vfs.Files{}
		rows := [][]string{{"position", "file"}}
		for i, m := range x.messages {
			name := fileName(m, made)
			alone := enclosed(x.service, []*enveloped{m})
			made[name] = alone.print()
			rows = append(rows, []string{strconv.Itoa(i + 1), name})
		}
		made[p.Table] = plain.WriteCSV(rows)
		return made, nil
	}
	backward := func(files vfs.Files) (vfs.Files, error) {
		rows, err := plain.Table(files, p.Table, "position", "file")
		if err != nil {
			return nil, err
		}
		slices.SortStableFunc(rows, plain.ByNumber)
		place := func(name string) uint { // the largest for one that is not listed
			return uint(slices.IndexFunc(rows, func(row []string) bool { return row[1] == name }))
		}
		names := files.Match(interchanges.Patterns).Names()
		slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(place(a), place(b)) })
		var una *segment
		var messages []*enveloped
		for _, name := range names {
			x := readAll(vfs.Files{name: files[name]})
			messages = append(messages, x.messages...)
			una = cmp.Or(una, x.service)
		}
		if len(messages) == 0 {
			return nil, interchanges.Empty
		}
		return vfs.Files{p.Document: enclosed(una, messages).print()}, nil
	}
	return exact.Steps{Forward: forward, Backward: backward}
}

// fileName names a file after the document number, or where there is none the
// message reference.
func fileName(m *enveloped, taken vfs.Files) string {
	name := m.number()
	if name == "" {
		name = "message_" + m.reference()
	}
	name = strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || strings.ContainsRune("-_", r) {
			return r
		}
		return '_'
	}, name)
	unique := name + ".edi"
	for n := 2; taken[unique] != ""; n++ {
		unique = fmt.Sprintf("%s_%d.edi", name, n)
	}
	return unique
}

// sortLines sorts the line items of one type of message by action code, and those of one code
// by price, the highest first. It numbers them from 1.
func sortLines(p struct {
	Document, To string
	Type         string   // of the messages
	Actions      []string // in their order; others come last
	Price        string   // its qualifier
	Table        string
}) exact.Steps {
	messages := func(t *transmission) []*message {
		return slices.DeleteFunc(t.messages(), func(m *message) bool { return m.kind() != p.Type })
	}
	action := func(l *line) uint { // the largest for others
		return uint(slices.Index(p.Actions, l.segments[0].at(2, 1)))
	}
	price := func(l *line) (value decimal.Decimal) {
		if s := l.find("PRI", p.Price); s != nil {
			value, _ = decimalOf(s.at(1, 2)) // zero if it is no number
		}
		return value
	}
	change := func(t *transmission) (vfs.Files, error) {
		rows := [][]string{{"message", "line", "was"}}
		for _, m := range messages(t) {
			slices.SortStableFunc(m.lines, func(a, b line) int {
				return cmp.Or(cmp.Compare(action(&a), action(&b)), price(&b).Cmp(price(&a)))
			})
			for i := range m.lines {
				lin, number := &m.lines[i].segments[0], strconv.Itoa(i+1)
				rows = append(rows, []string{m.reference(), number, lin.at(1, 1)})
				lin.set(1, 1, number)
			}
		}
		return vfs.Files{p.Table: plain.WriteCSV(rows)}, nil
	}
	restore := func(t *transmission, files vfs.Files) error {
		rows, err := plain.Table(files, p.Table, "message", "line", "was")
		was := map[[2]string]string{}
		for _, row := range rows {
			was[[2]string{row[0], row[1]}] = row[2]
		}
		for _, m := range messages(t) {
			for i := range m.lines {
				lin := &m.lines[i].segments[0]
				if number, ok := was[[2]string{m.reference(), lin.at(1, 1)}]; ok {
					lin.set(1, 1, number)
				}
			}
			slices.SortStableFunc(m.lines, func(a, b line) int {
				return plain.ByNumber([]string{a.segments[0].at(1, 1)}, []string{b.segments[0].at(1, 1)})
			})
		}
		return err
	}
	return interchanges.Rewrite(p.Document, p.To, change, restore)
}
