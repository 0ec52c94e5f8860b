package spreadsheet

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const rowOrderFile = "row_order.csv"

func splitByCategory(files vfs.Files) (vfs.Files, error) {
	all, err := register(files, categoryColumn)
	if err != nil {
		return nil, err
	}
	k := all.column(categoryColumn)
	parts := map[string]table{}
	order := listing("row", "file")
	for n, row := range all.rows {
		name := categoryFile(row[k])
		if name == rowOrderFile {
			return nil, fmt.Errorf("the category %q would be saved as %s, which lists the rows", row[k], name)
		}
		part := parts[name]
		part.header = all.header
		part.add(row...)
		parts[name] = part
		order.add(rowNumber(n), name)
	}
	split := vfs.Files{rowOrderFile: order.text()}
	for name, part := range parts {
		split[name] = part.text()
	}
	return split, nil
}

// categoryFile is a category's name in lower case, every run of other
// characters than letters and digits one underscore.
func categoryFile(category string) string {
	var b strings.Builder
	other := false
	for _, r := range strings.ToLower(category) {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			b.WriteRune(r)
			other = false
		case !other:
			b.WriteByte('_')
			other = true
		}
	}
	return cmp.Or(b.String(), "uncategorised") + ".csv"
}

// mergeCategories takes the rows in the order listed; those that the list does
// not know follow.
func mergeCategories(files vfs.Files) (vfs.Files, error) {
	order, err := tableOf(files, rowOrderFile, "row", "file")
	if err != nil {
		return nil, err
	}
	var merged table
	waiting := map[string][][]string{}
	for _, part := range read(files) {
		if part.file == rowOrderFile || path.Ext(part.file) != ".csv" {
			continue
		}
		if merged.header == nil {
			merged.header = part.header
		}
		waiting[part.file] = part.rows
	}
	if merged.header == nil {
		return nil, fmt.Errorf("no file of a category next to %s", rowOrderFile)
	}
	at := order.column("file")
	for _, row := range order.byNumber("row") {
		if rows := waiting[row[at]]; len(rows) > 0 {
			merged.add(rows[0]...)
			waiting[row[at]] = rows[1:]
		}
	}
	for _, name := range files.Names() {
		merged.rows = append(merged.rows, waiting[name]...)
	}
	return finished(merged), nil
}

// byNumber returns the rows sorted by the numbers in a column, those without
// one last.
func (t table) byNumber(column string) [][]string {
	k := t.column(column)
	number := func(row []string) int {
		n, err := strconv.Atoi(row[k])
		if err != nil {
			return len(t.rows) + 1
		}
		return n
	}
	rows := slices.Clone(t.rows)
	slices.SortStableFunc(rows, func(a, b []string) int { return cmp.Compare(number(a), number(b)) })
	return rows
}

const jsonLinesFile = "charges.jsonl"

func toJSONLines(files vfs.Files) (vfs.Files, error) {
	all, err := register(files, amountColumn)
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	for _, row := range all.rows {
		separator := "{"
		for k, cell := range row {
			b.WriteString(separator + jsonString(all.header[k]) + ": " + jsonString(cell))
			separator = ", "
		}
		b.WriteString("}\n")
	}
	return vfs.Files{jsonLinesFile: b.String()}, nil
}

func jsonString(text string) string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(text) // a string and a strings.Builder cannot fail
	return strings.TrimSuffix(b.String(), "\n")
}

// fromJSONLines takes the columns from the members in order of first
// appearance; lines that are no object are skipped.
func fromJSONLines(files vfs.Files) (vfs.Files, error) {
	content, err := plain.File(files, jsonLinesFile)
	if err != nil {
		return nil, err
	}
	var all table
	type member struct {
		name  string
		times int // names may repeat
	}
	places := map[member]int{}
	for _, line := range plain.Lines(content) {
		names, values, ok := jsonObject(line)
		if !ok {
			continue
		}
		row := make([]string, len(all.header))
		times := map[string]int{}
		for m, name := range names {
			times[name]++
			k, known := places[member{name, times[name]}]
			if !known {
				k = len(all.header)
				places[member{name, times[name]}] = k
				all.header, row = append(all.header, name), append(row, "")
			}
			row[k] = values[m]
		}
		all.add(row...)
	}
	if len(all.rows) == 0 {
		return nil, fmt.Errorf("%s has no JSON object on any line", jsonLinesFile)
	}
	all, err = all.rectangular()
	if err != nil {
		return nil, err
	}
	return finished(all), nil
}

// jsonObject returns the members of an object in order: strings as they are,
// null as nothing, other values as they are written.
func jsonObject(line string) (names, values []string, ok bool) {
	decoder := json.NewDecoder(strings.NewReader(line))
	if token, err := decoder.Token(); err != nil || token != json.Delim('{') {
		return nil, nil, false
	}
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return nil, nil, false
		}
		var raw json.RawMessage
		if err := decoder.Decode(&raw); err != nil {
			return nil, nil, false
		}
		value := string(raw)
		if bytes.HasPrefix(raw, []byte(`"`)) || value == "null" {
			value = ""
			_ = json.Unmarshal(raw, &value) // decoded once already
		}
		names, values = append(names, name.(string)), append(values, value)
	}
	return names, values, true
}
