package edit

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/internal/lazyregexp"
	"agentd/vfs"
)

// Tree reads a document as it nests, and writes it again. What is read has only values of JSON:
// texts, lists and objects.
type Tree struct {
	// Is says what is read, for instructions: "a list of rows, each a list of its cells".
	Is    string
	Read  func(text string) any
	Write func(value any) (string, error)
}

// tree is that of the format; of one without any the lines of its text.
func (f *Format) tree() Tree {
	if f.Tree.Read == nil {
		return Nested(`\A\z.`, `\A\z.`)
	}
	return f.Tree
}

// plant writes the documents as one tree in JSON: of several an object that has each under its name.
func (p *Program) plant(files vfs.Files) (vfs.Files, error) {
	tree := p.format.tree()
	rest := maps.Clone(files)
	trees := make(map[string]any)
	for _, name := range files.Match([]string{p.verb.Document}).Names() {
		trees[name] = tree.Read(files[name])
		delete(rest, name)
	}
	if len(trees) == 0 {
		return nil, fmt.Errorf("%s is missing", p.verb.Document)
	}
	if _, taken := rest[p.verb.To]; taken {
		return nil, fmt.Errorf("there is already a file %s", p.verb.To)
	}
	var value any = trees
	if p.single() {
		value = trees[p.verb.Document]
	}
	rest[p.verb.To] = plain.WriteJSON(value)
	return rest, nil
}

// single reports whether the verb has one document.
func (p *Program) single() bool { return !strings.Contains(p.verb.Document, "*") }

// print writes the documents again.
func (p *Program) print(files vfs.Files) (vfs.Files, error) {
	var value any
	if err := plain.JSON(files, p.verb.To, &value); err != nil {
		return nil, err
	}
	trees, ok := value.(map[string]any)
	switch {
	case p.single():
		trees = map[string]any{p.verb.Document: value}
	case !ok || len(trees) == 0:
		return nil, fmt.Errorf("%s is no object of documents", p.verb.To)
	}
	all := p.to(files, p.verb.To).rest
	for name, value := range trees {
		text, err := p.format.tree().Write(value)
		if err != nil {
			return nil, fmt.Errorf("%s, %s: %w", p.verb.To, name, err)
		}
		all[name] = text
	}
	return all, nil
}

// branch is a block of lines: the first and the last, and what is between them.
type branch struct {
	First string `json:"first"`
	Lines []any  `json:"lines"`
	Last  string `json:"last"`
}

// Nested makes a tree of a text whose lines begin and end blocks. Other lines are texts; a block is an object with its
// first and last line and the list of what is between them. One that is not closed is none.
func Nested(begin, end string) Tree {
	begins, ends := lazyregexp.New(begin), lazyregexp.New(end)
	return Tree{
		Is: "a list of its lines; a block is an object with first and last, its first and last line, and lines, the list of what is between them",
		Read: func(text string) any {
			open := []branch{{Lines: []any{}}}
			add := func(value any) {
				top := &open[len(open)-1]
				top.Lines = append(top.Lines, value)
			}
			for _, line := range strings.Split(text, "\n") {
				switch {
				case begins.MatchString(line):
					open = append(open, branch{First: line, Lines: []any{}})
				case ends.MatchString(line) && len(open) > 1:
					last := open[len(open)-1]
					last.Last = line
					open = open[:len(open)-1]
					add(last)
				default:
					add(line)
				}
			}
			for len(open) > 1 {
				last := open[len(open)-1]
				open = open[:len(open)-1]
				add(last.First)
				top := &open[len(open)-1]
				top.Lines = append(top.Lines, last.Lines...)
			}
			return open[0].Lines
		},
		Write: func(value any) (string, error) {
			lines, err := appendTree(nil, value)
			return strings.Join(lines, "\n"), err
		},
	}
}

// appendTree adds the lines of a tree.
func appendTree(lines []string, value any) ([]string, error) {
	switch value := value.(type) {
	case string:
		return append(lines, value), nil
	case []any:
		for _, one := range value {
			var err error
			if lines, err = appendTree(lines, one); err != nil {
				return lines, err
			}
		}
		return lines, nil
	case map[string]any:
		first, isFirst := value["first"].(string)
		last, isLast := value["last"].(string)
		if isFirst && isLast {
			lines, err := appendTree(append(lines, first), value["lines"])
			return append(lines, last), err
		}
	}
	text, _ := json.Marshal(value)
	return lines, fmt.Errorf("%.40s is neither a line nor a block", text)
}

// Cells is the tree of a table: a list of its records, each a list of cells. A line that would be
// written otherwise is a text.
func Cells() Tree {
	return Tree{
		Is: "a list of its rows, each a list of its cells, or the row as a text, line end included, where cells would be quoted otherwise",
		Read: func(text string) any {
			rows := []any{}
			pieces := recordsOf(text)
			for _, line := range pieces {
				if records, err := plain.ReadCSV(line); err == nil && len(records) == 1 && plain.WriteCSV(records) == line {
					rows = append(rows, records[0])
				} else {
					rows = append(rows, line)
				}
			}
			return rows
		},
		Write: func(value any) (string, error) {
			rows, ok := value.([]any)
			if !ok {
				return "", fmt.Errorf("no list of rows")
			}
			var b strings.Builder
			for n, row := range rows {
				switch row := row.(type) {
				case string:
					b.WriteString(row)
				case []any:
					var cells []string
					for _, cell := range row {
						text, ok := cell.(string)
						if !ok {
							return "", fmt.Errorf("row %d has a cell that is no text", n+1)
						}
						cells = append(cells, text)
					}
					b.WriteString(plain.WriteCSV([][]string{cells}))
				default:
					return "", fmt.Errorf("row %d is neither a list nor a text", n+1)
				}
			}
			return b.String(), nil
		},
	}
}

// recordsOf cuts a table into its records, each with its line end. One of several lines has
// quotes that are open at the end of the others.
func recordsOf(text string) []string {
	var all []string
	open := false
	for _, line := range strings.SplitAfter(text, "\n") {
		switch {
		case open:
			all[len(all)-1] += line
		case line != "":
			all = append(all, line)
		}
		if strings.Count(line, `"`)%2 == 1 {
			open = !open
		}
	}
	return all
}
