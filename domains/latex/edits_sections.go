package latex

import (
	"errors"
	"fmt"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// splitSections gives each section a file of its own.
func splitSections(p struct {
	Document, Bibliography, To string
	Begins                     string // names of the sections' files: a number and .tex follow
}) exact.Steps {
	forward := func(s *source, _ string, _ vfs.Files) (r revision, err error) {
		r.files = vfs.Files{}
		for n, section := range s.sections() {
			name := fmt.Sprintf("%s%d", p.Begins, n+1)
			text := s.text[section[0]:section[1]]
			r.files[name+".tex"] = text
			place := `\input{` + name + "}"
			if strings.HasSuffix(text, "\n") {
				place += "\n"
			}
			r.changes = append(r.changes, change{section[0], section[1], place})
		}
		if len(r.changes) == 0 {
			err = errors.New("the paper has no \\section")
		}
		return r, err
	}
	backward := func(s *source, _ string, files vfs.Files) (r revision, err error) {
		for i := range s.tokens {
			if !s.is(i, "input") {
				continue
			}
			lo, hi, next, ok := s.group(s.skip(i + 1))
			name := strings.TrimSuffix(s.between(lo, hi), ".tex")
			if !ok || !strings.HasPrefix(name, p.Begins) {
				continue
			}
			text, err := plain.File(files, name+".tex")
			if err != nil {
				return r, err
			}
			at, end := int(s.tokens[i].at), int(s.tokens[next-1].end)
			if strings.HasSuffix(text, "\n") && strings.HasPrefix(s.text[end:], "\n") {
				end++
			}
			r.changes = append(r.changes, change{at, end, text})
		}
		if len(r.changes) == 0 {
			err = fmt.Errorf("%s takes in no section", p.To)
		}
		return r, err
	}
	return revise(papers{p.Document, p.Bibliography}, papers{p.To, p.Bibliography}, forward, backward)
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
