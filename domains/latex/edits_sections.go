package latex

import (
	"errors"
	"fmt"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const mainFile = "main.tex"

// splitSections gives each section a file of its own.
func splitSections(files vfs.Files) (vfs.Files, error) {
	s, err := readSource(files, paperFile)
	if err != nil {
		return nil, err
	}
	results := vfs.Files{}
	var changes []change
	for n, section := range s.sections() {
		name := fmt.Sprintf("section_%d", n+1)
		text := s.text[section[0]:section[1]]
		results[name+".tex"] = text
		place := `\input{` + name + "}"
		if strings.HasSuffix(text, "\n") {
			place += "\n"
		}
		changes = append(changes, change{section[0], section[1], place})
	}
	if len(changes) == 0 {
		return nil, errors.New("the paper has no \\section")
	}
	results[mainFile] = s.changed(changes)
	return withBibliography(files, results)
}

// sections are the places of the sections, each from its command to before the
// next one or to what ends the last one.
func (s *source) sections() [][2]int {
	var all [][2]int
	open := none
	for i := range s.tokens {
		starts := s.is(i, "section") || s.is(i, "section*")
		if !starts && !s.endsSections(i) {
			continue
		}
		at := int(s.tokens[i].at)
		if open != none {
			all = append(all, [2]int{open, at})
			open = none
		}
		if starts {
			open = at
		}
	}
	if open != none {
		all = append(all, [2]int{open, len(s.text)})
	}
	return all
}

func (s *source) endsSections(i int) bool {
	return s.is(i, "appendix") || s.is(i, "bibliographystyle") || s.is(i, "bibliography") ||
		s.is(i, "end") && s.environmentName(i) == "document"
}

func joinSections(files vfs.Files) (vfs.Files, error) {
	s, err := readSource(files, mainFile)
	if err != nil {
		return nil, err
	}
	var changes []change
	for i := range s.tokens {
		if !s.is(i, "input") {
			continue
		}
		lo, hi, next, ok := s.group(s.skip(i + 1))
		name := strings.TrimSuffix(s.between(lo, hi), ".tex")
		if !ok || !strings.HasPrefix(name, "section_") {
			continue
		}
		text, err := plain.File(files, name+".tex")
		if err != nil {
			return nil, err
		}
		at, end := int(s.tokens[i].at), int(s.tokens[next-1].end)
		if strings.HasSuffix(text, "\n") && strings.HasPrefix(s.text[end:], "\n") {
			end++
		}
		changes = append(changes, change{at, end, text})
	}
	if len(changes) == 0 {
		return nil, fmt.Errorf("%s takes in no section", mainFile)
	}
	return withBibliography(files, vfs.Files{paperFile: s.changed(changes)})
}
