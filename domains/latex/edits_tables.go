package latex

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

var errRows = errors.New("the rows of a table do not each stand on a line, with blanks around & and before \\\\")

// takeTables moves the rows of each table to a CSV file, and leaves a comment with its name.
func takeTables(p struct {
	Document, Bibliography, To string
	Begins                     string // names of the tables' files: a number and .csv follow
}) exact.Steps {
	mark := regexp.MustCompile(`(?m)^% (` + regexp.QuoteMeta(p.Begins) + `\d+\.csv)$`)
	forward := func(s *source, _ string, _ vfs.Files) (r revision, err error) {
		if named := mark.FindString(s.text); named != "" {
			return r, fmt.Errorf("the paper has a line %s already", named)
		}
		r.files = vfs.Files{}
		for i := range s.tokens {
			end := int(s.tokens[i].partner)
			if !s.is(i, "begin") || end == none || s.environmentName(i) != "tabular" {
				continue
			}
			lo := newPiece("").arguments(s, s.afterGroup(i+1), false)
			from, to := int(s.tokens[lo].at), int(s.tokens[end].at)
			records, err := tableRecords(s.text[from:to])
			if err != nil {
				return r, err
			}
			name := fmt.Sprintf("%s%d.csv", p.Begins, len(r.changes)+1)
			r.files[name] = plain.WriteCSV(records)
			r.changes = append(r.changes, change{from, to, "\n% " + name + "\n"})
		}
		if len(r.changes) == 0 {
			err = errors.New("the paper has no tabular")
		}
		return r, err
	}
	backward := func(s *source, _ string, files vfs.Files) (r revision, err error) {
		for _, m := range mark.FindAllStringSubmatchIndex(s.text, -1) {
			lines, err := tableLines(files, s.text[m[2]:m[3]])
			if err != nil {
				return r, err
			}
			r.changes = append(r.changes, change{m[0], m[1], strings.Join(lines, "\n")})
		}
		if len(r.changes) == 0 {
			err = fmt.Errorf("%s names no %sn.csv", p.To, p.Begins)
		}
		return r, err
	}
	return revise(papers{p.Document, p.Bibliography}, papers{p.To, p.Bibliography}, forward, backward)
}

// tableLines is the reverse of tableRecords.
func tableLines(files vfs.Files, name string) (lines []string, err error) {
	text, err := plain.File(files, name)
	if err != nil {
		return nil, err
	}
	records, err := plain.ReadCSV(text)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	for _, cells := range records {
		line := strings.Join(cells, " & ")
		if len(cells) > 1 || !isRule(line) {
			line += ` \\`
		}
		lines = append(lines, line)
	}
	return lines, nil
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
	return len(s.tokens) > 0 &&
		(s.tokens[0].kind == commentToken || s.tokens[0].kind == commandToken && rules[s.of(0)[1:]])
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
