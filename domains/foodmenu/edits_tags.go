package foodmenu

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

var (
	allergenColumns = []string{"item", "section", "name"} // those of the codes follow
	codesForm       = pytext.Pattern(`\s*` + codeGroup)
)

// allergenTable moves the codes of the items into a table, and the legend into a list.
func allergenTable(p struct{ Document, To, Table, Legend string }) exact.Steps {
	legendColumns := []string{"line", "tag", "meaning"}
	return menus.Rewrite(p.Document, p.To, func(all *[]entry) (vfs.Files, error) {
		table := plain.Sparse{Header: slices.Concat(allergenColumns, allCodes(*all))}
		for at, e := range items(*all) {
			name, _ := e.dish.divided()
			table.Add(strconv.Itoa(at.item), at.section, name)
			for _, code := range e.dish.codes {
				table.Set(code, "x")
			}
			for i, line := range e.lines {
				if rest := codesForm.ReplaceAllString(line, ""); rest != line {
					e.withLine(i, pytext.StripRight(rest))
				}
			}
		}
		legend, line := [][]string{legendColumns}, 1
		for _, e := range *all {
			if e.kind == legendEntry {
				for _, m := range meanings(e.lines[0]) {
					legend = append(legend, []string{strconv.Itoa(line), m.tag, m.text})
				}
			}
			line += len(e.lines)
		}
		*all = slices.DeleteFunc(*all, func(e entry) bool { return e.kind == legendEntry })
		return vfs.Files{p.Table: table.CSV(), p.Legend: plain.WriteCSV(legend)}, nil
	}, func(all *[]entry, files vfs.Files) error {
		codes, err := itemCodes(files, p.Table)
		if err != nil {
			return err
		}
		for at, e := range items(*all) {
			if of := codes[at.item]; len(of) > 0 {
				i := e.priced()
				e.withLine(i, pytext.StripRight(e.lines[i])+"  ["+strings.Join(of, "] [")+"]")
			}
		}
		legend, err := plain.Table(files, p.Legend, legendColumns...)
		var taken []placed
		for _, row := range legend {
			line, text := plain.LineNumber(row[0]), row[1]+" "+row[2]
			if last := len(taken) - 1; last >= 0 && taken[last].line == line {
				taken[last].lines[0] += "   " + text
			} else {
				taken = append(taken, placed{line, []string{text}})
			}
		}
		*all = putIn(taken, printed(*all))
		return err
	})
}

// allCodes are the codes of all items, in order.
func allCodes(all []entry) []string {
	var codes []string
	for _, e := range items(all) {
		codes = append(codes, e.dish.codes...)
	}
	return ordered(codes)
}

// itemCodes are the codes of the items by number, in the order of the columns.
func itemCodes(files vfs.Files, name string) (map[int][]string, error) {
	table, err := plain.ReadSparse(files, name, allergenColumns...)
	codes := map[int][]string{}
	for _, row := range table.Rows {
		n := plain.LineNumber(row[0])
		for k := len(allergenColumns); k < min(len(row), len(table.Header)); k++ {
			if strings.TrimSpace(row[k]) != "" {
				codes[n] = append(codes[n], table.Header[k])
			}
		}
	}
	return codes, err
}

var orderCode = regexp.MustCompile(`^[A-Z][0-9]+\. `)

// nameStart is where the words of an item begin in its first line.
func (e *entry) nameStart() int {
	line := e.lines[0]
	start := len(line) - len(strings.TrimLeftFunc(cutMarks(line), isBetween))
	if p, ok := findAmount(line); ok && p.start <= start {
		start = len(line) - len(strings.TrimLeftFunc(line[p.end:], isBetween))
	}
	return start
}

// codeItems puts a code in front of each name: a letter for the section and the number of the
// item in it.
func codeItems(p struct{ Document, To, Table string }) exact.Steps {
	return menus.Rewrite(p.Document, p.To, func(all *[]entry) (vfs.Files, error) {
		rows := [][]string{{"code", "name", "price"}}
		for at, e := range items(*all) {
			start := e.nameStart()
			rest := e.lines[0][start:]
			if orderCode.MatchString(rest) {
				return nil, fmt.Errorf("%s has a code already", e.dish.words)
			}
			if at.number == 0 {
				continue
			}
			const letters = 26
			if at.number > letters {
				return nil, fmt.Errorf("there are more than %d sections", letters)
			}
			code := string(rune('A'-1+at.number)) + strconv.Itoa(at.place)
			name, _ := e.dish.divided()
			rows = append(rows, []string{code, name, e.dish.price})
			e.withLine(0, e.lines[0][:start]+code+". "+rest)
		}
		slices.SortStableFunc(rows[1:], func(a, b []string) int {
			return strings.Compare(strings.ToLower(a[1]), strings.ToLower(b[1]))
		})
		return vfs.Files{p.Table: plain.WriteCSV(rows)}, nil
	}, func(all *[]entry, _ vfs.Files) error {
		if !slices.ContainsFunc(*all, isItem) {
			return fmt.Errorf("%s has no priced item", p.To)
		}
		for _, e := range items(*all) {
			start := e.nameStart()
			code := orderCode.FindString(e.lines[0][start:])
			e.withLine(0, e.lines[0][:start]+e.lines[0][start+len(code):])
		}
		return nil
	})
}
