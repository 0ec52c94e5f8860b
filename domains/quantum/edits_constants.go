package quantum

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// onLine makes sure that a statement has a line for itself.
func (f *file) onLine(s *statement, commented map[int32]bool) error {
	line := f.tokens[s.from].line
	alone := f.tokens[s.end-1].line == line &&
		(s.from == 0 || f.tokens[s.from-1].line < line) &&
		(int(s.end) == len(f.tokens) || f.tokens[s.end].line > line)
	if !alone || commented[line] {
		return fmt.Errorf("the constant on line %d does not have it for itself", line+1)
	}
	return nil
}

// commented are the lines on which a comment of several lines stands.
func (f *file) commented() map[int32]bool {
	lines := map[int32]bool{}
	for _, c := range f.comments {
		for line := c.line; line <= c.lastLine && c.line < c.lastLine; line++ {
			lines[line] = true
		}
	}
	return lines
}

// resolveConstants puts values in the place of integer constants.
func resolveConstants(p struct {
	Document, To string
	Table        string // of the constants
	Uses         string // of the places where they were
}) exact.Steps {
	forward := func(f *file) (vfs.Files, error) {
		all := f.integers()
		if len(all) == 0 {
			return nil, errors.New("no constant with an integer value")
		}
		values := map[string]string{}
		table := [][]string{{"line", "name", "value", "declaration"}}
		var changes []splice
		commented := f.commented()
		declared := map[int32]int32{} // from the first token of a declaration to after it
		for _, i := range all {
			if err := f.onLine(i.statement, commented); err != nil {
				return nil, err
			}
			start, _ := f.span(i.statement)
			line := splice{f.lineStart(start), f.lineEnd(start), ""}
			changes = append(changes, line)
			declared[i.statement.from] = i.statement.end
			values[i.name] = strconv.FormatInt(i.value, 10)
			text := strings.TrimSuffix(f.text[line.start:line.end], "\n")
			table = append(table, []string{strconv.Itoa(int(f.tokens[i.statement.from].line) + 1), i.name, values[i.name], text})
		}
		if err := declaredOnce(f, values); err != nil {
			return nil, err
		}
		var kept []string // the name after each token that stays, empty if none
		for at := int32(0); at < int32(len(f.tokens)); at++ {
			if end, ok := declared[at]; ok {
				at = end - 1
				continue
			}
			name := ""
			if f.isWord(at) && values[f.of(at)] != "" {
				name = f.of(at)
				changes = append(changes, f.token(at, values[name]))
			}
			kept = append(kept, name)
		}
		resolved := lex("", f.spliced(changes))
		uses, err := resolved.uses(kept)
		return vfs.Files{p.To: resolved.text, p.Table: plain.WriteCSV(table), p.Uses: plain.WriteCSV(uses)}, err
	}
	return rewrite(p.Document, p.To, forward, func(f *file, files vfs.Files) (string, error) {
		return f.withConstants(files, p.Table, p.Uses)
	})
}

// withConstants is the text with constants for values and the lines that declare them.
func (f *file) withConstants(files vfs.Files, constants, uses string) (string, error) {
	declarations, err := plain.Table(files, constants, "line", "declaration")
	if err != nil {
		return "", err
	}
	rows, err := plain.Table(files, uses, "line", "number", "name")
	type place struct{ line, nth int }
	names := map[place]string{}
	for _, row := range rows {
		names[place{plain.LineNumber(row[0]), plain.LineNumber(row[1])}] = strings.TrimSpace(row[2])
	}
	var changes []splice
	f.numbers(func(at int32, line, nth int) {
		if name, ok := names[place{line, nth}]; ok {
			changes = append(changes, f.token(at, name))
		}
	})
	rest := strings.Split(strings.TrimSuffix(f.spliced(changes), "\n"), "\n")
	return plain.Text(plain.PutIn(declarations, rest, func(row []string) (int, string) {
		return plain.LineNumber(row[0]), row[1]
	}, nil)), err
}

// uses lists the numbers that stand for constants, by line and place among the
// numbers of the line.
func (s *source) uses(names []string) ([][]string, error) {
	if len(names) != len(s.tokens) {
		return nil, errors.New("a value melts into what stands next to it")
	}
	table := [][]string{{"line", "number", "name"}}
	s.numbers(func(at int32, line, nth int) {
		if names[at] != "" {
			table = append(table, []string{strconv.Itoa(line), strconv.Itoa(nth), names[at]})
		}
	})
	return table, nil
}

// numbers calls do for every number with its line and its place on it, from 1.
func (s *source) numbers(do func(at int32, line, nth int)) {
	last, nth := -1, 0
	for at := range int32(len(s.tokens)) {
		if s.tokens[at].kind != numberToken {
			continue
		}
		line := int(s.tokens[at].line) + 1
		if line != last {
			last, nth = line, 0
		}
		nth++
		do(at, line, nth)
	}
}
