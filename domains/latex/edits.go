package latex

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// The files that every backward step leaves.
const (
	paperFile        = "paper.tex"
	bibliographyFile = "references.bib"
)

func edits() []domains.Edit {
	return []domains.Edit{
		{Name: "section_files", Forward: splitSections, Backward: joinSections},
		{Name: "library_json", Forward: toJSON, Backward: fromJSON},
		{Name: "tables_out", Forward: takeTables, Backward: giveTables},
		{Name: "labels_by_kind", Forward: relabel, Backward: unrelabel},
		{Name: "author_year_keys", Forward: toAuthorYear, Backward: fromAuthorYear},
		{Name: "most_cited_first", Forward: rank, Backward: unrank},
		{Name: "types_apart", Forward: splitTypes, Backward: joinTypes},
		{Name: "si_units", Forward: toUnits, Backward: fromUnits},
		{Name: "equations_out", Forward: takeEquations, Backward: giveEquations},
	}
}

var errNoDocument = errors.New("no \\begin{document}")

// readSource reads a .tex file that an oracle needs.
func readSource(files vfs.Files, name string) (*source, error) {
	text, err := plain.File(files, name)
	if err != nil {
		return nil, err
	}
	s := scan(name, text)
	if !s.hasPreamble() {
		return nil, fmt.Errorf("%s: %w", name, errNoDocument)
	}
	return s, nil
}

// withBibliography are the files of a step that leaves the bibliography alone.
func withBibliography(files, results vfs.Files) (vfs.Files, error) {
	bib, err := plain.File(files, bibliographyFile)
	if err != nil {
		return nil, err
	}
	results[bibliographyFile] = bib
	return results, nil
}

// change puts a text in the place of what stands between two bytes.
type change struct {
	at, end int
	text    string
}

// changed is the source with changes that do not overlap.
func (s *source) changed(changes []change) string { return withChanges(s.text, changes) }

func withChanges(text string, changes []change) string {
	slices.SortStableFunc(changes, func(a, b change) int { return cmp.Compare(a.at, b.at) })
	var b strings.Builder
	from := 0
	for _, c := range changes {
		b.WriteString(text[from:c.at])
		b.WriteString(c.text)
		from = c.end
	}
	b.WriteString(text[from:])
	return b.String()
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

// withBibliographyName is the source with other .bib files than it names.
func (s *source) withBibliographyName(is, becomes string, more ...change) (string, error) {
	name, err := s.bibliographyName()
	if err != nil {
		return "", err
	}
	if pytext.Strip(name.name) != is {
		return "", fmt.Errorf("the paper's bibliography is %q, want %q", name.name, is)
	}
	return s.changed(append(more, name.renamed(becomes))), nil
}

// documentName is the name of bibliographyFile in the paper.
const documentName = "references"
