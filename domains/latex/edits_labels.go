package latex

import (
	"errors"
	"fmt"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	relabelledFile = "relabelled.tex"
	labelsFile     = "labels.csv"
)

// relabel names labels by what they stand in and a running number.
func relabel(files vfs.Files) (vfs.Files, error) {
	s, err := readSource(files, paperFile)
	if err != nil {
		return nil, err
	}
	names := map[string]string{}
	table := [][]string{{"label", "renamed"}}
	numbers := map[string]int{}
	kinds := s.labelKinds()
	for i := range s.tokens {
		if !s.is(i, "label") {
			continue
		}
		for _, label := range s.names(i) {
			if names[label.name] != "" {
				return nil, fmt.Errorf("the label %s occurs twice", label.name)
			}
			kind := kinds[i]
			numbers[kind]++
			names[label.name] = fmt.Sprintf("%s:%d", kind, numbers[kind])
			table = append(table, []string{label.name, names[label.name]})
		}
	}
	if len(names) == 0 {
		return nil, errors.New("the paper has no \\label")
	}
	text, err := s.withLabels(names)
	if err != nil {
		return nil, err
	}
	return withBibliography(files, vfs.Files{relabelledFile: text, labelsFile: plain.WriteCSV(table)})
}

// labelKinds tells, of each \label, the kind of what it stands in.
func (s *source) labelKinds() map[int]string {
	kinds := map[int]string{}
	var inside []string
	for i := range s.tokens {
		switch t := s.tokens[i]; {
		case s.is(i, "label"):
			kinds[i] = "sec"
			if n := len(inside); n > 0 {
				kinds[i] = inside[n-1]
			}
		case t.partner == none || kindOfLabel(s.environmentName(i)) == "":
		case s.is(i, "begin"):
			inside = append(inside, kindOfLabel(s.environmentName(i)))
		case s.is(i, "end") && len(inside) > 0:
			inside = inside[:len(inside)-1]
		}
	}
	return kinds
}

// kindOfLabel is what labels in an environment name; empty for one that only
// stands around them.
func kindOfLabel(environment string) string {
	switch name := strings.TrimSuffix(environment, "*"); {
	case equations[name]:
		return "eq"
	case name == "figure":
		return "fig"
	case name == "table":
		return "tab"
	}
	return ""
}

// names are the names in the group after a command.
func (s *source) names(i int) []place {
	lo, hi, _, ok := s.group(s.skip(i + 1))
	if !ok {
		return nil
	}
	return s.list(lo, hi)
}

// withLabels renames labels, and the references to them.
func (s *source) withLabels(names map[string]string) (string, error) {
	var changes []change
	for i := range s.tokens {
		if s.tokens[i].kind != commandToken || !s.is(i, "label") && !references[s.of(i)[1:]] {
			continue
		}
		for _, label := range s.names(i) {
			if name := names[label.name]; name != "" {
				changes = append(changes, label.renamed(name))
			} else if s.is(i, "label") {
				return "", fmt.Errorf("no other name for the label %s", label.name)
			} else if taken(names, label.name) {
				return "", fmt.Errorf("a reference leads to %s, which is another label's new name", label.name)
			}
		}
	}
	return s.changed(changes), nil
}

func taken(names map[string]string, name string) bool {
	for _, n := range names {
		if n == name {
			return true
		}
	}
	return false
}

func unrelabel(files vfs.Files) (vfs.Files, error) {
	s, err := readSource(files, relabelledFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, labelsFile, "renamed", "label")
	if err != nil {
		return nil, err
	}
	names := map[string]string{}
	for _, row := range rows {
		names[row[0]] = row[1]
	}
	text, err := s.withLabels(names)
	if err != nil {
		return nil, err
	}
	return withBibliography(files, vfs.Files{paperFile: text})
}
