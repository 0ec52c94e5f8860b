package latex

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

func edits() []domains.Edit {
	return []domains.Edit{
		domains.Taking("split_sections", splitSections),
		domains.Taking("take_tables", takeTables),
		domains.Taking("take_equations", takeEquations),
		domains.Taking("number_labels", numberLabels),
		domains.Taking("siunitx", withSIUnits),
		domains.Taking("bibliography_json", bibliographyJSON),
		domains.Taking("author_year_keys", authorYearKeys),
		domains.Taking("sort_by_citations", sortByCitations),
		domains.Taking("split_by_type", splitByType),
	}
}

// papers are the files of a paper and of its bibliography.
type papers struct{ paper, bibliography string }

// revision is what a step makes of a paper: what changes in it, further files, and, where the
// step gives the bibliography another name, its text.
type revision struct {
	changes      []change
	files        vfs.Files
	bibliography string
}

// revising says what changes in a paper and its bibliography, with the files at hand.
type revising func(s *source, bibliography string, files vfs.Files) (revision, error)

// revise makes other papers of some, and back. The paper names the bibliography; one that keeps
// its name stays as it is.
func revise(was, is papers, forward, backward revising) exact.Steps {
	step := func(from, to papers, do revising) func(vfs.Files) (vfs.Files, error) {
		return func(files vfs.Files) (vfs.Files, error) {
			s, err := readSource(files, from.paper)
			if err != nil {
				return nil, err
			}
			bibliography, err := plain.File(files, from.bibliography)
			if err != nil {
				return nil, err
			}
			r, err := do(s, bibliography, files)
			if err != nil {
				return nil, err
			}
			if from.bibliography == to.bibliography {
				r.bibliography = bibliography
			} else if r.changes, err = s.withBibliographyName(r.changes, from.bibliography, to.bibliography); err != nil {
				return nil, err
			}
			made := vfs.Files{to.paper: withChanges(s.text, r.changes), to.bibliography: r.bibliography}
			maps.Copy(made, r.files)
			return made, nil
		}
	}
	return exact.Steps{Forward: step(was, is, forward), Backward: step(is, was, backward)}
}

// readSource reads a .tex file that an oracle needs.
func readSource(files vfs.Files, name string) (*source, error) {
	text, err := plain.File(files, name)
	if err != nil {
		return nil, err
	}
	s := scan(name, text)
	if !s.hasPreamble() {
		return nil, fmt.Errorf("%s: no \\begin{document}", name)
	}
	return s, nil
}

// change puts a text in the place of what stands between two bytes.
type change struct {
	at, end int
	text    string
}

// withChanges is a text with changes that do not overlap.
func withChanges(text string, changes []change) string {
	return plain.Splice(text, changes, func(c change) (int, int, string) { return c.at, c.end, c.text })
}

// place is a name in a source, such as a key in a citation.
type place struct {
	at   int
	name string
}

func (p place) renamed(name string) change { return change{p.at, p.at + len(p.name), name} }

// list are the names between two tokens, with commas between them.
func (s *source) list(lo, hi int) []place {
	at := int(s.tokens[hi].at)
	text := s.between(lo, hi)
	at -= len(text)
	var places []place
	for name := range strings.SplitSeq(text, ",") {
		blanks := len(name) - len(pytext.StripLeft(name))
		places = append(places, place{at + blanks, pytext.Strip(name)})
		at += len(name) + 1
	}
	return places
}

// cited calls do with every citation command and its keys.
func (s *source) cited(do func(command string, keys []place)) {
	for i := range s.tokens {
		if s.tokens[i].kind != commandToken || !isCitation(s.of(i)[1:]) {
			continue
		}
		if _, _, next, ok := s.citation(i); ok {
			close := next - 1
			do(s.of(i)[1:], s.list(int(s.tokens[close].partner)+1, close))
		}
	}
}

// bibliographyName is where the paper names its .bib files.
func (s *source) bibliographyName() (place, error) {
	for i := range s.tokens {
		if !s.is(i, "bibliography") {
			continue
		}
		if lo, hi, _, ok := s.group(s.skip(i + 1)); ok {
			return place{int(s.tokens[lo-1].end), s.between(lo, hi)}, nil
		}
	}
	return place{}, errors.New("the paper has no \\bibliography")
}

// withBibliographyName adds the change of the name of the .bib file that the paper has.
func (s *source) withBibliographyName(changes []change, is, becomes string) ([]change, error) {
	name, err := s.bibliographyName()
	if err == nil && pytext.Strip(name.name) != stem(is) {
		err = fmt.Errorf("the paper's bibliography is %q, want %q", name.name, stem(is))
	}
	return append(changes, name.renamed(stem(becomes))), err
}

// stem is the name of a file as a paper has it.
func stem(file string) string { return strings.TrimSuffix(file, path.Ext(file)) }
