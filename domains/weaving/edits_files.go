package weaving

import (
	"fmt"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// sectionTable is a section that is kept as a table.
type sectionTable struct {
	section, file string
	columns       []string // the number, and one or more for the value
}

// sectionTables moves the entries of three sections to tables.
func sectionTables(p struct{ Document, Rest, Threading, Treadling, Colors string }) exact.Steps {
	tables := []sectionTable{
		{"THREADING", p.Threading, []string{"thread", "shafts"}},
		{"TREADLING", p.Treadling, []string{"pick", "treadles"}},
		{"COLOR TABLE", p.Colors, []string{"color", "red", "green", "blue"}},
	}
	change := func(f *file) (vfs.Files, error) {
		out := vfs.Files{}
		for _, t := range tables {
			entries, err := f.section(t.section).take()
			if err != nil {
				return nil, err
			}
			rows := [][]string{t.columns}
			for _, p := range entries {
				row, err := t.row(p)
				if err != nil {
					return nil, err
				}
				rows = append(rows, row)
			}
			out[t.file] = plain.WriteCSV(rows)
		}
		return out, nil
	}
	return drafts.Rewrite(p.Document, p.Rest, change, func(f *file, files vfs.Files) error {
		for _, t := range tables {
			rows, err := plain.Table(files, t.file, t.columns...)
			if err != nil {
				return err
			}
			var entries []pair
			for _, row := range rows {
				value := strings.Join(row[1:], ",")
				entries = append(entries, pair{row[0], strings.Join(strings.Fields(value), ",")})
			}
			f.put(t.section, entries)
		}
		return nil
	})
}

func (t *sectionTable) row(p pair) ([]string, error) {
	cells := []string{strings.ReplaceAll(p.value, ",", " ")}
	if len(t.columns) > 2 {
		cells = strings.Split(p.value, ",")
	}
	if len(cells) != len(t.columns)-1 {
		return nil, fmt.Errorf("%s, %s is not %d numbers", t.section, p.key, len(t.columns)-1)
	}
	for i := range cells {
		cells[i] = strings.Join(strings.Fields(cells[i]), " ")
		if strings.Trim(cells[i], "0123456789 ") != "" {
			return nil, fmt.Errorf("%s, %s cannot be %q", t.section, p.key, p.value)
		}
	}
	return append([]string{p.key}, cells...), nil
}

// onSheet are the sections on the sheet, with their titles.
var onSheet = []struct{ name, title string }{{"THREADING", "## Threading"}, {"TREADLING", "## Treadling"}}

const (
	noEntry = "." // for a thread without an entry
	nothing = "-" // for an entry without a value
)

// benchSheet writes threading and treadling as Markdown tables.
func benchSheet(p struct {
	Document, To, Rest string
	Numbers            int // on a line
}) exact.Steps {
	if p.Numbers < 1 {
		return exact.Refuse("numbers must be at least 1")
	}
	change := func(f *file) (vfs.Files, error) {
		var parts []string
		for _, s := range onSheet {
			part, err := f.sheetPart(s.name, p.Numbers)
			if err != nil {
				return nil, err
			}
			parts = append(parts, s.title+"\n\n| from | numbers |\n| --- | --- |\n"+part)
		}
		return vfs.Files{p.To: strings.Join(parts, "\n")}, nil
	}
	return drafts.Rewrite(p.Document, p.Rest, change, func(f *file, files vfs.Files) error {
		sheet, err := plain.File(files, p.To)
		if err != nil {
			return err
		}
		entries := map[string][]pair{}
		title := ""
		for _, text := range plain.Lines(sheet) {
			for _, s := range onSheet {
				if strings.TrimSpace(text) == s.title {
					title = s.title
				}
			}
			entries[title] = append(entries[title], rowOfSheet(text)...)
		}
		for _, s := range onSheet {
			f.put(s.name, entries[s.title])
		}
		return nil
	})
}

func (f *file) sheetPart(name string, perLine int) (string, error) {
	lists, order, err := f.lists(name)
	if err != nil {
		return "", err
	}
	last := 0
	for _, n := range order {
		if last = max(last, n); n == 0 {
			return "", fmt.Errorf("%s has an entry 0", name)
		}
	}
	if last > mostLines {
		return "", fmt.Errorf("%s has an entry %d", name, last)
	}
	if _, err := f.section(name).take(); err != nil {
		return "", err
	}
	var b strings.Builder
	for from := 1; from <= last; from += perLine {
		var cells []string
		for n := from; n < from+perLine && n <= last; n++ {
			list, known := lists[n]
			cell := strings.ReplaceAll(joined(list), ",", "+")
			switch {
			case !known:
				cell = noEntry
			case cell == "":
				cell = nothing
			}
			cells = append(cells, cell)
		}
		fmt.Fprintf(&b, "| %d | %s |\n", from, strings.Join(cells, " "))
	}
	return b.String(), nil
}

// rowOfSheet reads a row; other lines are none.
func rowOfSheet(text string) []pair {
	cells := strings.Split(text, "|")
	if len(cells) != 4 {
		return nil
	}
	from, err := whole(cells[1])
	if err != nil {
		return nil
	}
	var entries []pair
	for i, cell := range strings.Fields(cells[2]) {
		switch cell {
		case noEntry:
			continue
		case nothing:
			cell = ""
		}
		entries = append(entries, pair{fmt.Sprint(from + i), strings.ReplaceAll(cell, "+", ",")})
	}
	return entries
}
