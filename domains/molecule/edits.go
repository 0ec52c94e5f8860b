package molecule

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// libraries says how SD files, which are lists of records, are taken apart and put together.
var libraries = exact.Format[[]entry, entry]{
	Patterns: patterns,
	Read: func(text string) (all []entry) {
		for _, e := range readFile(text) {
			e.stray = slices.DeleteFunc(e.stray, func(line string) bool { return strings.TrimSpace(line) == "" })
			if e.isRecord() {
				e.closing = delimiter
			}
			if e.isRecord() || len(e.stray) > 0 {
				all = append(all, *e)
			}
		}
		return all
	},
	Print: func(entries []entry) string {
		var b strings.Builder
		for i := range entries {
			b.WriteString(entries[i].print())
		}
		return b.String()
	},
	Parts: func(entries *[]entry) *[]entry { return entries },
	Empty: errors.New("no .sdf file with a record"),
	Fault: func(entries *[]entry) error {
		for _, e := range *entries {
			if len(e.stray) > 0 {
				return fmt.Errorf("a line that is no part of a record: %q", e.stray[0])
			}
		}
		return nil
	},
}

func edits() []domains.Edit {
	return []domains.Edit{
		domains.Taking("split_by_field", splitByField),
		domains.Taking("split_by_element", splitByElement),
		domains.Taking("fields_apart", fieldsApart),
		domains.Taking("sort_by_mass", sortByMass),
		domains.Taking("sort_by_limits", sortByLimits),
		domains.Taking("picometres", picometres),
		domains.Taking("hill_order", hillOrder),
		domains.Taking("code_fields", codeFields),
		domains.Taking("json", inJSON),
	}
}

// divide hands the records out to the files that place names. The table has their positions,
// the cells that place returns, and the files.
func divide(entries []entry, table string, columns []string, place func(*entry) (file string, cells []string)) vfs.Files {
	rows := [][]string{slices.Concat([]string{"position"}, columns, []string{"file"})}
	made := libraries.Divide(entries, "", func(e *entry) string {
		file, cells := place(e)
		rows = append(rows, slices.Concat([]string{strconv.Itoa(len(rows))}, cells, []string{file}))
		return file
	})
	made[table] = plain.WriteCSV(rows)
	return made
}

// splitByField makes a file of each record, which has the name of a field's value.
func splitByField(p struct{ Document, Field, Begins, Table string }) exact.Steps {
	forward := func(entries []entry) (vfs.Files, error) {
		known := map[string]bool{}
		for i := range entries {
			id := entries[i].text(p.Field)
			if id == "" || strings.ContainsAny(id, "\n/") {
				return nil, fmt.Errorf("the record %q has no %s", entries[i].title(), p.Field)
			}
			if known[id] {
				return nil, fmt.Errorf("two records have the %s %s", p.Field, id)
			}
			known[id] = true
		}
		return divide(entries, p.Table, []string{"id", "title"}, func(e *entry) (string, []string) {
			id := e.text(p.Field)
			return p.Begins + id + ".sdf", []string{id, e.title()}
		}), nil
	}
	return libraries.Whole(p.Document, forward, func(files vfs.Files) ([]entry, error) {
		return libraries.MergeByTable(files, "", p.Table)
	})
}

// splitByElement makes a file of the records with charged atoms, and of the others one for the
// first element that they have.
func splitByElement(p struct {
	Document, Charged string
	Elements          []struct{ Symbol, File string }
	Others, Table     string
}) exact.Steps {
	fileOf := func(e *entry) string {
		t := e.table()
		if slices.ContainsFunc(t.atoms, func(a atom) bool { return a.charge != 0 }) {
			return p.Charged
		}
		for _, element := range p.Elements {
			if slices.Contains(t.symbols, element.Symbol) {
				return element.File
			}
		}
		return p.Others
	}
	forward := func(entries []entry) (vfs.Files, error) {
		return divide(entries, p.Table, []string{"title"}, func(e *entry) (string, []string) {
			return fileOf(e), []string{e.title()}
		}), nil
	}
	return libraries.Whole(p.Document, forward, func(files vfs.Files) ([]entry, error) {
		return libraries.MergeByTable(files, "", p.Table)
	})
}

// fieldsApart moves all data fields to a table.
func fieldsApart(p struct{ Document, To, Table string }) exact.Steps {
	change := func(entries *[]entry) (vfs.Files, error) {
		table := [][]string{{"record", "name", "value"}}
		for n := range *entries {
			e := &(*entries)[n]
			for i := range e.data {
				d := &e.data[i]
				if err := d.isPlain(); err != nil {
					return nil, err
				}
				table = append(table, []string{strconv.Itoa(n + 1), d.name(), strings.Join(d.lines, "\n")})
			}
			e.data = nil
		}
		return vfs.Files{p.Table: plain.WriteCSV(table)}, nil
	}
	return libraries.Rewrite(p.Document, p.To, change, func(entries *[]entry, files vfs.Files) error {
		rows, err := plain.Table(files, p.Table, "record", "name", "value")
		for _, row := range rows {
			if n := number(strings.TrimSpace(row[0])); n >= 1 && n <= len(*entries) {
				(*entries)[n-1].add(row[1], row[2])
			}
		}
		return err
	})
}

// isPlain refuses headers that say more than the name of the field.
func (d *datum) isPlain() error {
	if d.name() == "" || d.note() != "" {
		return fmt.Errorf("the header %q is not only a name", d.header)
	}
	return nil
}

// text is the value of a field without outer blanks, empty if there is none.
func (e *entry) text(field string) string {
	value, _ := e.value(field)
	return strings.TrimSpace(value)
}

// add appends a data field.
func (e *entry) add(name, value string) {
	d := datum{header: "> <" + name + ">"}
	if value != "" {
		d.lines = strings.Split(value, "\n")
	}
	e.data = append(e.data, d)
}

// columnsInPlace refuses records whose atoms and bonds an edit of columns cannot
// work on.
func (e *entry) columnsInPlace() error {
	if e.isExtended() {
		return fmt.Errorf("the record %q is in V3000 format", e.title())
	}
	t := e.table()
	if slices.Contains(t.shifted, true) || t.miscounts != "" {
		return fmt.Errorf("the block of the record %q is out of its columns or counts", e.title())
	}
	for k := range t.bonds {
		if b := &t.bonds[k]; min(b.a, b.b) < 0 || max(b.a, b.b) >= len(t.atoms) {
			return fmt.Errorf("the record %q has a bond to an atom that is not there", e.title())
		}
	}
	return nil
}
