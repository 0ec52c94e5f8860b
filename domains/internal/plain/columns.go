package plain

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/vfs"
)

// File returns the content of a file that an oracle needs.
func File(files vfs.Files, name string) (string, error) {
	text, ok := files[name]
	if !ok {
		return "", fmt.Errorf("%s is missing", name)
	}
	return text, nil
}

// JSON reads a JSON file that an oracle needs into a value.
func JSON(files vfs.Files, name string, into any) error {
	text, err := File(files, name)
	if err != nil {
		return err
	}
	if err := json.Unmarshal([]byte(text), into); err != nil {
		return fmt.Errorf("reading %s: %w", name, err)
	}
	return nil
}

// WriteJSON prints a value that can be written in JSON, indented by two blanks, with & and the like readable.
func WriteJSON(value any) string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	_ = encoder.Encode(value) // a strings.Builder cannot fail
	return b.String()
}

// Table returns, of a CSV file that an oracle needs, the named columns as Columns does.
func Table(files vfs.Files, name string, columns ...string) ([][]string, error) {
	text, err := File(files, name)
	if err != nil {
		return nil, err
	}
	rows, err := Columns(text, columns...)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	return rows, nil
}

// Columns reads a CSV text with a header and returns of each record below it the cells of the named columns, in that
// order. A cell that a short record does not have is empty.
func Columns(text string, names ...string) ([][]string, error) {
	records, err := ReadCSV(text)
	if err != nil {
		return nil, err
	}
	if len(records) == 0 {
		return nil, fmt.Errorf("no header; want the columns %s", strings.Join(names, ", "))
	}
	header := records[0]
	for i := range header {
		header[i] = strings.TrimSpace(header[i])
	}
	at := make([]int, len(names))
	for i, name := range names {
		if at[i] = slices.Index(header, name); at[i] < 0 {
			return nil, fmt.Errorf("no column %q among %s", name, strings.Join(header, ", "))
		}
	}
	rows := make([][]string, len(records)-1)
	for n, record := range records[1:] {
		rows[n] = make([]string, len(names))
		for i, k := range at {
			if k < len(record) {
				rows[n][i] = record[k]
			}
		}
	}
	return rows, nil
}

// ByNumber orders rows by the number in their first cell, 0 if it is none.
func ByNumber(a, b []string) int {
	m, _ := strconv.Atoi(strings.TrimSpace(a[0]))
	n, _ := strconv.Atoi(strings.TrimSpace(b[0]))
	return cmp.Compare(m, n)
}
