package python

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	camelFile = "camel.py"
	namesFile = "names.csv"
)

// toCamelCase renames the functions at the margin.
func toCamelCase(files vfs.Files) (vfs.Files, error) {
	s, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	renamed, isNew := map[string]string{}, map[string]bool{}
	table := [][]string{{"name", "snake_case"}}
	for _, f := range s.functions() {
		camel := camelCase(f.name)
		if _, listed := renamed[f.name]; listed || camel == f.name {
			continue
		}
		if isNew[camel] {
			return nil, fmt.Errorf("two functions would be named %s", camel)
		}
		renamed[f.name], isNew[camel] = camel, true
		table = append(table, []string{camel, f.name})
	}
	if err := s.clashes(nil, func(name string) bool { return isNew[name] }); err != nil {
		return nil, err
	}
	s.renameNames(renamed)
	return vfs.Files{camelFile: s.print(), namesFile: plain.WriteCSV(table)}, nil
}

// camelCase drops the underscores inside of a name and makes the letters after
// them capitals.
func camelCase(name string) string {
	start := len(name) - len(strings.TrimLeft(name, "_"))
	if start > 0 && strings.HasPrefix(name, "__") {
		return name
	}
	var b strings.Builder
	b.WriteString(name[:start])
	words := strings.Split(name[start:], "_")
	for i, word := range words {
		if i > 0 && word == "" {
			return name
		}
		r, size := utf8.DecodeRuneInString(word)
		if i > 0 {
			b.WriteRune(unicode.ToUpper(r))
			word = word[size:]
		}
		b.WriteString(word)
	}
	return b.String()
}

func fromCamelCase(files vfs.Files) (vfs.Files, error) {
	s, err := readNamed(files, camelFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, namesFile, "name", "snake_case")
	if err != nil {
		return nil, err
	}
	renamed := map[string]string{}
	for _, row := range rows {
		renamed[strings.TrimSpace(row[0])] = strings.TrimSpace(row[1])
	}
	s.renameNames(renamed)
	return asDocument(s), nil
}
