package latex

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const noTablesFile = "without_tables.tex"

var errRows = errors.New("the rows of a table do not each stand on a line, with blanks around & and before \\\\")

// tableMark stands where the rows of a table were.
var tableMark = regexp.MustCompile(`(?m)^% (table_\d+\.csv)$`)

// takeTables moves the rows of each table to a CSV file.
func takeTables(files vfs.Files) (vfs.Files, error) {
	s, err := readSource(files, paperFile)
	if err != nil {
		return nil, err
	}
	if tableMark.MatchString(s.text) {
		return nil, errors.New("the paper names a table_n.csv already")
	}
	results := vfs.Files{}
	var changes []change
	for i := range s.tokens {
		end := int(s.tokens[i].partner)
		if !s.is(i, "begin") || end == none || s.environmentName(i) != "tabular" {
			continue
		}
		lo := newPiece("").arguments(s, s.afterGroup(i+1), false)
		from, to := int(s.tokens[lo].at), int(s.tokens[end].at)
		records, err := tableRecords(s.text[from:to])
		if err != nil {
			return nil, err
		}
		name := fmt.Sprintf("table_%d.csv", len(changes)+1)
		results[name] = plain.WriteCSV(records)
		changes = append(changes, change{from, to, "\n% " + name + "\n"})
	}
	if len(changes) == 0 {
		return nil, errors.New("the paper has no tabular")
	}
	results[noTablesFile] = s.changed(changes)
	return withBibliography(files, results)
}

// tableRecords are the lines of a table: the cells of a row, or a line as it is
// that has none.
func tableRecords(body string) ([][]string, error) {
	lines := strings.Split(body, "\n")
	if strings.TrimSpace(lines[0]) != "" {
		return nil, errRows
	}
	var records [][]string
	for _, line := range lines {
		line = strings.TrimSpace(line)
		row, isRow := strings.CutSuffix(line, ` \\`)
		switch {
		case line == "":
		case !isRow && isRule(line):
			records = append(records, []string{line})
		case isRow && !isRule(line):
			cells, err := rowCells(row)
			if err != nil {
				return nil, err
			}
			records = append(records, cells)
		default:
			return nil, errRows
		}
	}
	return records, nil
}

// isRule reports whether a line of a table has no cells.
func isRule(line string) bool {
	s := scan("", line)
	return len(s.tokens) > 0 && (s.tokens[0].kind == commentToken || s.tokens[0].kind == commandToken && rules[s.of(0)[1:]])
}

func rowCells(row string) ([]string, error) {
	s := scan("", row)
	var cells []string
	start := 0
	for i := range s.tokens {
		switch t := s.tokens[i]; {
		case t.kind == symbolToken && s.of(i) == `\\`, t.kind == commentToken, s.is(i, "begin"):
			return nil, errRows
		case t.kind == cellToken:
			if row[t.at-min(t.at, 1)] != ' ' && t.at > 0 || int(t.end) < len(row) && row[t.end] != ' ' {
				return nil, errRows
			}
			cells = append(cells, strings.TrimSpace(row[start:t.at]))
			start = int(t.end)
		}
	}
	return append(cells, strings.TrimSpace(row[start:])), nil
}

func giveTables(files vfs.Files) (vfs.Files, error) {
	s, err := readSource(files, noTablesFile)
	if err != nil {
		return nil, err
	}
	var changes []change
	for _, m := range tableMark.FindAllStringSubmatchIndex(s.text, -1) {
		name := s.text[m[2]:m[3]]
		text, err := plain.File(files, name)
		if err != nil {
			return nil, err
		}
		records, err := plain.ReadCSV(text)
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", name, err)
		}
		var lines []string
		for _, cells := range records {
			line := strings.Join(cells, " & ")
			if len(cells) > 1 || !isRule(line) {
				line += ` \\`
			}
			lines = append(lines, line)
		}
		changes = append(changes, change{m[0], m[1], strings.Join(lines, "\n")})
	}
	if len(changes) == 0 {
		return nil, fmt.Errorf("%s names no table_n.csv", noTablesFile)
	}
	return withBibliography(files, vfs.Files{paperFile: s.changed(changes)})
}
