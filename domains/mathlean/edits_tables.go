package mathlean

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// Lines on which attributes stand.
const (
	ownLine  = "own"
	sameLine = "same"
)

// attributeTable takes the attributes of declarations into a table.
func attributeTable(p struct{ Document, To, Table string }) exact.Steps {
	return rewrite(p.Document, p.To, func(l *lean) (patches []patch, _ vfs.Files, _ error) {
		var rows [][]string
		for n, c := range l.declarations() {
			for at := c.first; at < c.at; {
				if l.at(at) != "@[" {
					at++
					continue
				}
				end := (&commandReader{file: &l.file}).afterAttributes(at)
				found := patch{start: int(l.tokens[at].start), end: int(l.tokens[end].start)}
				text := l.text[found.start:l.tokens[end-1].end]
				var line string
				switch l.text[found.start+len(text) : found.end] {
				case " ":
					line = sameLine
				case "\n" + indentation(l.text, found.start):
					line = ownLine
				default:
					return nil, nil, fmt.Errorf("what stands after %s is neither a blank nor the next line", text)
				}
				patches = append(patches, found)
				text = strings.TrimSuffix(strings.TrimPrefix(text, "@["), "]")
				rows = append(rows, []string{strconv.Itoa(len(rows) + 1), strconv.Itoa(n + 1), l.nameOf(c), text, line})
				at = end
			}
		}
		slices.SortStableFunc(rows, func(a, b []string) int { return cmp.Compare(a[3], b[3]) })
		rows = slices.Insert(rows, 0, []string{"place", "number", "declaration", "attributes", "line"})
		return patches, vfs.Files{p.Table: plain.WriteCSV(rows)}, nil
	}, func(l *lean, files vfs.Files) (patches []patch, _ error) {
		rows, err := plain.Table(files, p.Table, "place", "number", "attributes", "line")
		slices.SortStableFunc(rows, plain.ByNumber)
		declarations := l.declarations()
		for _, row := range rows {
			n, err := strconv.Atoi(row[1])
			if err != nil || n < 1 || n > len(declarations) {
				return nil, fmt.Errorf("%s has no declaration %s", p.To, row[1])
			}
			at := declarations[n-1].first
			if l.tokens[at].kind == docText {
				at++
			}
			place, after := int(l.tokens[at].start), " "
			if row[3] == ownLine {
				after = "\n" + indentation(l.text, place)
			}
			patches = append(patches, patch{place, place, "@[" + row[2] + "]" + after})
		}
		return patches, err
	})
}

// indentation are the blanks with which the line of a place begins.
func indentation(text string, at int) string {
	line := text[lineStart(text, at):at]
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}

// constantTable moves the numbers of two digits or more into a table, in hexadecimal.
func constantTable(p struct{ Document, To, First, Table string }) exact.Steps {
	next := exact.Counting(p.First)
	isMark := func(text string) bool { return strings.HasPrefix(text, "«"+unnumbered(p.First)) }
	return rewrite(p.Document, p.To, func(l *lean) (patches []patch, _ vfs.Files, _ error) {
		rows := [][]string{{"mark", "declaration", "hex"}}
		for _, c := range l.declarations() {
			for _, t := range l.tokens[c.first:c.last] {
				if t.kind == word && isMark(l.of(t)) {
					return nil, nil, fmt.Errorf("%s is a name already", l.of(t))
				}
				value, ok := constant(l.of(t))
				if t.kind != number || !ok {
					continue
				}
				mark := "«" + next("", len(patches)) + "»"
				patches = append(patches, patch{int(t.start), int(t.end), mark})
				rows = append(rows, []string{mark, l.nameOf(c), fmt.Sprintf("%X", value)})
			}
		}
		return patches, vfs.Files{p.Table: plain.WriteCSV(rows)}, nil
	}, func(l *lean, files vfs.Files) (patches []patch, _ error) {
		values, err := exact.ReadRegister(files, p.Table, "mark", "hex")
		if err != nil {
			return nil, err
		}
		for _, t := range l.tokens {
			if t.kind != word || !isMark(l.of(t)) {
				continue
			}
			hex, ok := values[l.of(t)]
			if !ok {
				return nil, fmt.Errorf("%s has no value", l.of(t))
			}
			value, ok := new(big.Int).SetString(hex, 16)
			if !ok {
				return nil, fmt.Errorf("%s: %q is no hexadecimal number", l.of(t), hex)
			}
			patches = append(patches, patch{int(t.start), int(t.end), value.String()})
		}
		return patches, nil
	})
}

// constant is the value of a decimal number of two digits or more.
func constant(text string) (*big.Int, bool) {
	const longest = 200
	if len(text) < 2 || len(text) > longest || text[0] == '0' || strings.Trim(text, "0123456789") != "" {
		return nil, false
	}
	return new(big.Int).SetString(text, 10)
}
