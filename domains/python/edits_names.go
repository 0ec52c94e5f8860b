package python

import (
	"fmt"
	"regexp"
	"strings"

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

var afterUnderscore = regexp.MustCompile(`_([^_])`)

// camelCase drops the underscores inside of a name and makes the letters after
// them capitals. A name with two side by side, or one at its end, stays.
func camelCase(name string) string {
	words := strings.TrimPrefix(name, "_")
	if strings.HasPrefix(words, "_") || strings.Contains(words, "__") || strings.HasSuffix(words, "_") {
		return name
	}
	capital := func(match string) string { return strings.ToUpper(match[1:]) }
	return name[:len(name)-len(words)] + afterUnderscore.ReplaceAllStringFunc(words, capital)
}
