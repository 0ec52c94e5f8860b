package latex

import (
	"errors"
	"fmt"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// numberLabels names labels by what they stand in and a running number, such as fig:2.
func numberLabels(p struct {
	Document, Bibliography, To         string
	Equations, Figures, Tables, Others string // before the colon
	Table                              string
}) exact.Steps {
	kindOf := func(environment string) string {
		switch name := strings.TrimSuffix(environment, "*"); {
		case equations[name]:
			return p.Equations
		case name == "figure":
			return p.Figures
		case name == "table":
			return p.Tables
		}
		return ""
	}
	forward := func(s *source, _ string, _ vfs.Files) (r revision, err error) {
		names, numbers := map[string]string{}, map[string]int{}
		table := [][]string{{"label", "renamed"}}
		kinds := s.labelKinds(kindOf, p.Others)
		for i := range s.tokens {
			if !s.is(i, "label") {
				continue
			}
			for _, label := range s.names(i) {
				if names[label.name] != "" {
					return r, fmt.Errorf("the label %s occurs twice", label.name)
				}
				kind := kinds[i]
				numbers[kind]++
				names[label.name] = fmt.Sprintf("%s:%d", kind, numbers[kind])
				table = append(table, []string{label.name, names[label.name]})
			}
		}
		if len(names) == 0 {
			return r, errors.New("the paper has no \\label")
		}
		r.files = vfs.Files{p.Table: plain.WriteCSV(table)}
		r.changes, err = s.renamedLabels(names)
		return r, err
	}
	backward := func(s *source, _ string, files vfs.Files) (r revision, err error) {
		names, err := exact.ReadRegister(files, p.Table, "renamed", "label")
		if err == nil {
			r.changes, err = s.renamedLabels(names)
		}
		return r, err
	}
	return revise(papers{p.Document, p.Bibliography}, papers{p.To, p.Bibliography}, forward, backward)
}

// labelKinds tells, of each \label, the kind of what it stands in. An environment without a kind
// only stands around labels.
func (s *source) labelKinds(kindOf func(environment string) string, others string) map[int]string {
	kinds := map[int]string{}
	var inside []string
	for i := range s.tokens {
		switch t := s.tokens[i]; {
		case s.is(i, "label"):
			kinds[i] = others
			if n := len(inside); n > 0 {
				kinds[i] = inside[n-1]
			}
		case t.partner == none || kindOf(s.environmentName(i)) == "":
		case s.is(i, "begin"):
			inside = append(inside, kindOf(s.environmentName(i)))
		case s.is(i, "end") && len(inside) > 0:
			inside = inside[:len(inside)-1]
		}
	}
	return kinds
}

// names are the names in the group after a command.
func (s *source) names(i int) []place {
	lo, hi, _, ok := s.group(s.skip(i + 1))
	if !ok {
		return nil
	}
	return s.list(lo, hi)
}

// renamedLabels renames labels, and the references to them.
func (s *source) renamedLabels(names map[string]string) (changes []change, err error) {
	isNew := values(names)
	for i := range s.tokens {
		if s.tokens[i].kind != commandToken || !s.is(i, "label") && !references[s.of(i)[1:]] {
			continue
		}
		for _, label := range s.names(i) {
			if name := names[label.name]; name != "" {
				changes = append(changes, label.renamed(name))
			} else if s.is(i, "label") {
				return nil, fmt.Errorf("no other name for the label %s", label.name)
			} else if isNew[label.name] {
				return nil, fmt.Errorf("a reference leads to %s, which is another label's new name", label.name)
			}
		}
	}
	return changes, nil
}

// values are those of a map.
func values(names map[string]string) map[string]bool {
	all := make(map[string]bool, len(names))
	for _, name := range names {
		all[name] = true
	}
	return all
}
