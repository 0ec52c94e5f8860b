package circuit

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

var errNoCell = errors.New("no subcircuit")

func isCell(u *unit) bool { return u.first().kind == commandLine && u.first().word == ".subckt" }

// cellsAside moves the subcircuits to a library, by name.
func cellsAside(p struct{ Document, To, Cells, Table string }) exact.Steps {
	change := func(f *netFile) (vfs.Files, error) {
		cells, rest := f.takeOut(isCell)
		if len(cells) == 0 {
			return nil, errNoCell
		}
		f.statements = putIn([]unit{{cells[0].line, []statement{{text: ".include " + p.Cells}}}}, rest)
		table := [][]string{{"line", "cell"}}
		for _, u := range cells {
			table = append(table, []string{decimal(u.line), u.first().subcircuitName()})
		}
		slices.SortStableFunc(cells, func(a, b unit) int {
			return cmp.Compare(a.first().subcircuitName(), b.first().subcircuitName())
		})
		var library []statement
		for n, u := range cells {
			if n > 0 {
				library = append(library, statement{})
			}
			library = append(library, u.statements...)
		}
		return vfs.Files{p.Cells: printed(library), p.Table: plain.WriteCSV(table)}, nil
	}
	return netlists.Rewrite(p.Document, p.To, change, func(f *netFile, files vfs.Files) error {
		cells, err := unitsOf(files, p.Cells, p.Table, "cell", isCell, func(u *unit) string { return u.first().subcircuitName() })
		rest := slices.DeleteFunc(f.statements, func(s statement) bool { return s.included() == p.Cells })
		f.statements = putIn(cells, rest)
		return err
	})
}

// unitsOf are some units of a file, with the lines that a table has for them, by what is in
// one of its columns.
func unitsOf(files vfs.Files, name, table, column string, picks func(*unit) bool, about func(*unit) string) ([]unit, error) {
	f, err := netlists.Named(files, name)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, table, "line", column)
	places := plain.NotesBy(rows, func(row []string) string { return strings.ToLower(row[1]) })
	units, _ := f.takeOut(picks)
	for i := range units {
		units[i].line, _ = places.TakeNumber(about(&units[i]))
	}
	return units, err
}

// sections are the parts of a bench, in order.
var sections = []string{"stimuli", "settings", "analyses", "measurements", "control"}

var sectionOfCommand = map[string]string{
	".ic": "settings", ".nodeset": "settings", ".options": "settings", ".temp": "settings",
	".ac": "analyses", ".dc": "analyses", ".four": "analyses", ".noise": "analyses", ".op": "analyses",
	".sens": "analyses", ".tf": "analyses", ".tran": "analyses",
	".meas": "measurements", ".plot": "measurements", ".print": "measurements", ".save": "measurements",
	".control": "control",
}

// section is where on the bench a unit belongs, empty if it is of the circuit.
func (u *unit) section() string {
	s := u.first()
	switch {
	case s.kind == elementLine && s.scope == "" && (s.word[0] == 'v' || s.word[0] == 'i'):
		return "stimuli"
	case s.kind == commandLine:
		return sectionOfCommand[commandName(s.word)]
	}
	return ""
}

// benchAside moves what drives and measures the circuit to a file of its own.
func benchAside(p struct{ Document, To, Bench, Table string }) exact.Steps {
	change := func(f *netFile) (vfs.Files, error) {
		taken, rest := f.takeOut(func(u *unit) bool { return u.section() != "" })
		f.statements = rest
		table := [][]string{{"line", "section"}}
		of := map[string][]statement{}
		for _, u := range taken {
			section := u.section()
			table = append(table, []string{decimal(u.line), section})
			of[section] = append(of[section], u.statements...)
		}
		var bench []statement
		for _, section := range sections {
			if len(of[section]) == 0 {
				continue
			}
			if len(bench) > 0 {
				bench = append(bench, statement{})
			}
			bench = append(bench, statement{text: "* " + section})
			bench = append(bench, of[section]...)
		}
		return vfs.Files{p.Bench: printed(bench), p.Table: plain.WriteCSV(table)}, nil
	}
	return netlists.Rewrite(p.Document, p.To, change, func(f *netFile, files vfs.Files) error {
		says := func(u *unit) bool { return u.first().kind > titleLine }
		taken, err := unitsOf(files, p.Bench, p.Table, "section", says, (*unit).section)
		f.statements = putIn(taken, f.statements)
		return err
	})
}
