package python

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// inCamelCase renames the functions at the margin.
func inCamelCase(p struct{ Document, To, Table string }) exact.Steps {
	forward := func(s *sheet) (vfs.Files, error) {
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
		return vfs.Files{p.Table: plain.WriteCSV(table)}, nil
	}
	return programs.Rewrite(p.Document, p.To, forward, func(s *sheet, files vfs.Files) error {
		renamed, err := renames(files, p.Table, "name", "snake_case")
		s.renameNames(renamed)
		return err
	})
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
