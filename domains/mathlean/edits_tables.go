package mathlean

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	plainFile      = "unattributed.lean"
	attributesFile = "attributes.csv"
	constantsFile  = "constants.csv"
	markedFile     = "marked.lean"
	ownLine        = "own"
	sameLine       = "same"
)

// tabulateAttributes takes the attributes of declarations into a table.
func tabulateAttributes(files vfs.Files) (vfs.Files, error) {
	l, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	var rows [][]string
	var patches []patch
	for n, c := range l.declarations() {
		for at := c.first; at < c.at; {
			if l.at(at) != "@[" {
				at++
				continue
			}
			end := (&commandReader{file: &l.file}).afterAttributes(at)
			p := patch{start: int(l.tokens[at].start), end: int(l.tokens[end].start)}
			text := l.text[p.start:l.tokens[end-1].end]
			line, err := l.attributeLine(p, text)
			if err != nil {
				return nil, err
			}
			patches = append(patches, p)
			text = strings.TrimSuffix(strings.TrimPrefix(text, "@["), "]")
			rows = append(rows, []string{strconv.Itoa(len(rows) + 1), strconv.Itoa(n + 1), l.nameOf(c), text, line})
			at = end
		}
	}
	slices.SortStableFunc(rows, func(a, b []string) int { return cmp.Compare(a[3], b[3]) })
	table := plain.WriteCSV(slices.Insert(rows, 0, []string{"place", "number", "declaration", "attributes", "line"}))
	return vfs.Files{plainFile: patched(l.text, patches), attributesFile: table}, nil
}

// attributeLine says whether an attribute stands on a line of its own, p being
// its stretch up to what follows.
func (l *lean) attributeLine(p patch, text string) (string, error) {
	switch l.text[p.start+len(text) : p.end] {
	case " ":
		return sameLine, nil
	case "\n" + indentation(l.text, p.start):
		return ownLine, nil
	}
	return "", fmt.Errorf("what stands after %s is neither a blank nor the next line", text)
}

// indentation are the blanks with which the line of a place begins.
func indentation(text string, at int) string {
	line := text[lineStart(text, at):at]
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}

func writeAttributes(files vfs.Files) (vfs.Files, error) {
	l, err := readNamed(files, plainFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, attributesFile, "place", "number", "attributes", "line")
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(rows, plain.ByNumber)
	declarations := l.declarations()
	var patches []patch
	for _, row := range rows {
		n, err := strconv.Atoi(row[1])
		if err != nil || n < 1 || n > len(declarations) {
			return nil, fmt.Errorf("%s has no declaration %s", plainFile, row[1])
		}
		at := declarations[n-1].first
		if l.tokens[at].kind == docText {
			at++
		}
		place := int(l.tokens[at].start)
		after := " "
		if row[3] == ownLine {
			after = "\n" + indentation(l.text, place)
		}
		patches = append(patches, patch{place, place, "@[" + row[2] + "]" + after})
	}
	return vfs.Files{document: patched(l.text, patches)}, nil
}

// tabulateConstants moves the numbers of two digits or more into a table, in
// hexadecimal.
func tabulateConstants(files vfs.Files) (vfs.Files, error) {
	l, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	rows := [][]string{{"mark", "declaration", "hex"}}
	var patches []patch
	for _, c := range l.declarations() {
		for _, t := range l.tokens[c.first:c.last] {
			if t.kind == word && isConstantMark(l.of(t)) {
				return nil, fmt.Errorf("%s is a name already", l.of(t))
			}
			value, ok := constant(l.of(t))
			if t.kind != number || !ok {
				continue
			}
			mark := fmt.Sprintf("«K%d»", len(rows))
			patches = append(patches, patch{int(t.start), int(t.end), mark})
			rows = append(rows, []string{mark, l.nameOf(c), fmt.Sprintf("%X", value)})
		}
	}
	return vfs.Files{markedFile: patched(l.text, patches), constantsFile: plain.WriteCSV(rows)}, nil
}

// constant is the value of a decimal number of two digits or more.
func constant(text string) (*big.Int, bool) {
	const longest = 200
	if len(text) < 2 || len(text) > longest || text[0] == '0' || strings.Trim(text, "0123456789") != "" {
		return nil, false
	}
	return new(big.Int).SetString(text, 10)
}

func isConstantMark(text string) bool { return strings.HasPrefix(text, "«K") }

func writeConstants(files vfs.Files) (vfs.Files, error) {
	l, err := readNamed(files, markedFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, constantsFile, "mark", "hex")
	if err != nil {
		return nil, err
	}
	values := map[string]string{}
	for _, row := range rows {
		value, ok := new(big.Int).SetString(row[1], 16)
		if !ok {
			return nil, fmt.Errorf("%s: %q is no hexadecimal number", row[0], row[1])
		}
		values[row[0]] = value.String()
	}
	var patches []patch
	for _, t := range l.tokens {
		if t.kind != word || !isConstantMark(l.of(t)) {
			continue
		}
		value, ok := values[l.of(t)]
		if !ok {
			return nil, fmt.Errorf("%s has no value", l.of(t))
		}
		patches = append(patches, patch{int(t.start), int(t.end), value})
	}
	return vfs.Files{document: patched(l.text, patches)}, nil
}
