package foodmenu

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

const (
	plainFile  = "menu_plain.txt"
	matrixFile = "allergens.csv"
	legendFile = "legend.csv"
)

var (
	matrixColumns = []string{"item", "section", "name"}
	legendColumns = []string{"line", "tag", "meaning"}
)

// takeAllergens moves the codes of the items into a matrix, and the legend into a
// list.
func takeAllergens(files vfs.Files) (vfs.Files, error) {
	all, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	codes := allCodes(all)
	matrix := [][]string{append(slices.Clone(matrixColumns), codes...)}
	inSections(all, func(e *entry, _ int, section string) {
		if e.kind != itemEntry {
			return
		}
		name, _ := e.dish.divided()
		row := []string{strconv.Itoa(len(matrix)), section, name}
		for _, code := range codes {
			cell := ""
			if slices.Contains(e.dish.codes, code) {
				cell = "x"
			}
			row = append(row, cell)
		}
		matrix = append(matrix, row)
		for i, line := range e.lines {
			e.withLine(i, withoutCodes(line))
		}
	})
	taken, rest := takeOut(all, func(e *entry) bool { return e.kind == legendEntry })
	legend := [][]string{legendColumns}
	for _, p := range taken {
		for _, m := range meanings(p.lines[0]) {
			legend = append(legend, []string{strconv.Itoa(p.line), m.tag, m.text})
		}
	}
	return vfs.Files{
		plainFile: plain.Text(rest), matrixFile: plain.WriteCSV(matrix), legendFile: plain.WriteCSV(legend),
	}, nil
}

// allCodes are the codes of all items, in order.
func allCodes(all []entry) []string {
	var codes []string
	for i := range all {
		if all[i].kind == itemEntry {
			codes = append(codes, all[i].dish.codes...)
		}
	}
	slices.Sort(codes)
	return slices.Compact(codes)
}

// withoutCodes removes the codes of a line and the blanks in front of them.
func withoutCodes(line string) string {
	var b strings.Builder
	for {
		at := strings.IndexByte(line, '[')
		if at < 0 {
			break
		}
		if _, size := tagsAt(line[at:]); size > 0 {
			b.WriteString(pytext.StripRight(line[:at]))
			line = line[at+size:]
		} else {
			b.WriteString(line[:at+1])
			line = line[at+1:]
		}
	}
	if b.Len() == 0 {
		return line
	}
	return pytext.StripRight(b.String() + line)
}

// putAllergens writes the codes after the prices, and the legend where it was.
func putAllergens(files vfs.Files) (vfs.Files, error) {
	all, err := readNamed(files, plainFile)
	if err != nil {
		return nil, err
	}
	codes, err := matrixCodes(files)
	if err != nil {
		return nil, err
	}
	legend, err := plain.Table(files, legendFile, legendColumns...)
	if err != nil {
		return nil, err
	}
	n := 0
	for i := range all {
		e := &all[i]
		if e.kind != itemEntry {
			continue
		}
		if n++; len(codes[n]) > 0 {
			at := e.priced()
			e.withLine(at, pytext.StripRight(e.lines[at])+"  ["+strings.Join(codes[n], "] [")+"]")
		}
	}
	_, rest := takeOut(all, func(*entry) bool { return false })
	var taken []placed
	for _, row := range legend {
		line, text := lineNumber(row[0]), row[1]+" "+row[2]
		if last := len(taken) - 1; last >= 0 && taken[last].line == line {
			taken[last].lines[0] += "   " + text
		} else {
			taken = append(taken, placed{line, []string{text}})
		}
	}
	return putIn(taken, rest), nil
}

// matrixCodes are the codes of the items by number, in the order of the columns.
func matrixCodes(files vfs.Files) (map[int][]string, error) {
	text, err := plain.File(files, matrixFile)
	if err != nil {
		return nil, err
	}
	if _, err := plain.Columns(text, matrixColumns...); err != nil {
		return nil, fmt.Errorf("reading %s: %w", matrixFile, err)
	}
	records, err := plain.ReadCSV(text)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", matrixFile, err)
	}
	codes := map[int][]string{}
	for _, record := range records[1:] {
		n := lineNumber(record[0])
		for k := len(matrixColumns); k < min(len(record), len(records[0])); k++ {
			if strings.TrimSpace(record[k]) != "" {
				codes[n] = append(codes[n], strings.TrimSpace(records[0][k]))
			}
		}
	}
	return codes, nil
}

const (
	codedFile = "menu_coded.txt"
	codesFile = "codes.csv"
)

var orderCode = regexp.MustCompile(`^[A-Z][0-9]+\. `)

// nameStart is where the words of an item begin in its first line.
func (e *entry) nameStart() int {
	line := e.lines[0]
	text := cutNumber(cutBullet(line))
	start := len(line) - len(strings.TrimLeftFunc(text, isBetween))
	if p, ok := findAmount(line); ok && p.start <= start {
		start = len(line) - len(strings.TrimLeftFunc(line[p.end:], isBetween))
	}
	return start
}

// addCodes puts a code in front of each name: a letter for the section and the
// number of the item in it.
func addCodes(files vfs.Files) (vfs.Files, error) {
	all, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	rows := [][]string{{"code", "name", "price"}}
	last, place := 0, 0
	inSections(all, func(e *entry, number int, _ string) {
		if number != last {
			last, place = number, 0
		}
		if e.kind != itemEntry {
			return
		}
		start := e.nameStart()
		rest := e.lines[0][start:]
		if orderCode.MatchString(rest) {
			err = fmt.Errorf("%s has a code already", e.dish.words)
		}
		if number == 0 {
			return
		}
		const letters = 26
		if number > letters {
			err = fmt.Errorf("there are more than %d sections", letters)
			return
		}
		place++
		code := string(rune('A'-1+number)) + strconv.Itoa(place)
		name, _ := e.dish.divided()
		rows = append(rows, []string{code, name, e.dish.price})
		e.withLine(0, e.lines[0][:start]+code+". "+rest)
	})
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(rows[1:], func(a, b []string) int {
		return strings.Compare(strings.ToLower(a[1]), strings.ToLower(b[1]))
	})
	return vfs.Files{codedFile: printed(all), codesFile: plain.WriteCSV(rows)}, nil
}

func stripCodes(files vfs.Files) (vfs.Files, error) {
	all, err := readNamed(files, codedFile)
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(all, isItem) {
		return nil, fmt.Errorf("%s has no priced item", codedFile)
	}
	for i := range all {
		e := &all[i]
		if e.kind != itemEntry {
			continue
		}
		start := e.nameStart()
		if code := orderCode.FindString(e.lines[0][start:]); code != "" {
			e.withLine(0, e.lines[0][:start]+e.lines[0][start+len(code):])
		}
	}
	return asDocument(all), nil
}
