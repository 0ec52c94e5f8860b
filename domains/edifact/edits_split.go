package edifact

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const manifest = "interchange_manifest.csv"

// splitMessages makes a file of each message, in envelopes of its own.
func splitMessages(files vfs.Files) (vfs.Files, error) {
	x := readAll(files.Match([]string{"*.edi"}))
	if len(x.messages) == 0 {
		return nil, errNoMessage
	}
	out := vfs.Files{}
	rows := [][]string{{"position", "file"}}
	for i, m := range x.messages {
		name := fileName(m, out)
		alone := enclosed(x.service, []*enveloped{m})
		out[name] = alone.print()
		rows = append(rows, []string{strconv.Itoa(i + 1), name})
	}
	out[manifest] = plain.WriteCSV(rows)
	return out, nil
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

// joinMessages takes in the files in the manifest's order; those it does not
// list come last.
func joinMessages(files vfs.Files) (vfs.Files, error) {
	rows, err := plain.Table(files, manifest, "position", "file")
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(rows, func(a, b []string) int { return byNumber(a[0], b[0]) })
	files = files.Match([]string{"*.edi"})
	names := files.Names()
	place := func(name string) int {
		at := slices.IndexFunc(rows, func(row []string) bool { return row[1] == name })
		if at < 0 {
			return len(rows)
		}
		return at
	}
	slices.SortStableFunc(names, func(a, b string) int { return place(a) - place(b) })
	var una *segment
	var messages []*enveloped
	for _, name := range names {
		x := readAll(vfs.Files{name: files[name]})
		messages = append(messages, x.messages...)
		if una == nil {
			una = x.service
		}
	}
	if len(messages) == 0 {
		return nil, errNoMessage
	}
	return asDocument(enclosed(una, messages)), nil
}

const (
	statusFile = "by_status.edi"
	orderFile  = "line_order.csv"
)

// statuses are the LIN action codes in the order of the regrouped lines:
// accepted, changed, not accepted. Other codes come last.
var statuses = []string{"5", "3", "7"}

// sortByStatus regroups the lines of order responses by action code, and
// those of one code by net price, the highest first.
func sortByStatus(files vfs.Files) (vfs.Files, error) {
	t, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	rows := [][]string{{"message", "line", "was"}}
	for _, m := range t.messages() {
		if m.kind() != "ORDRSP" {
			continue
		}
		m.sortLines(func(a, b *line) int {
			if order := status(a) - status(b); order != 0 {
				return order
			}
			return b.price().Cmp(a.price())
		})
		for i := range m.lines {
			lin, number := &m.lines[i].segments[0], strconv.Itoa(i+1)
			rows = append(rows, []string{m.reference(), number, lin.at(1, 1)})
			lin.set(1, 1, number)
		}
	}
	return vfs.Files{statusFile: t.print(), orderFile: plain.WriteCSV(rows)}, nil
}

func status(l *line) int {
	code := l.segments[0].at(2, 1)
	if at := slices.Index(statuses, code); at >= 0 {
		return at
	}
	return len(statuses)
}

// price is the net price, 0 if there is none.
func (l *line) price() decimal.Decimal {
	price := decimal.Zero
	if pri := l.find("PRI", netPrice); pri != nil {
		price, _ = decimalOf(pri.at(1, 2)) // zero if it is no number
	}
	return price
}

func sortByNumber(files vfs.Files) (vfs.Files, error) {
	t, err := readNamed(files, statusFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, orderFile, "message", "line", "was")
	if err != nil {
		return nil, err
	}
	was := map[[2]string]string{}
	for _, row := range rows {
		was[[2]string{row[0], row[1]}] = row[2]
	}
	for _, m := range t.messages() {
		if m.kind() != "ORDRSP" {
			continue
		}
		for i := range m.lines {
			lin := &m.lines[i].segments[0]
			if number, ok := was[[2]string{m.reference(), lin.at(1, 1)}]; ok {
				lin.set(1, 1, number)
			}
		}
		m.sortLines(func(a, b *line) int { return byNumber(a.segments[0].at(1, 1), b.segments[0].at(1, 1)) })
	}
	return asDocument(t), nil
}

// sortLines sorts the line items.
func (m *message) sortLines(order func(a, b *line) int) {
	slices.SortStableFunc(m.lines, func(a, b line) int { return order(&a, &b) })
}
