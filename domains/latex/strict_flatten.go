package latex

import (
	"fmt"
	"path"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// Kinds of elements other than entryKind, the counted one.
const (
	textElement         = "text" // in the order of the sources
	commentElement      = "comment"
	abbreviationElement = "abbreviation"
	preambleElement     = "bibliography preamble"
	lineElement         = "line"
)

// elements flattens a paper as LaTeX and BibTeX read it.
func elements(files vfs.Files) []domains.Element {
	works := readBibliographies(files)
	f := flow{bibliographies: map[string]bool{}}
	for _, name := range files.Names() {
		switch path.Ext(name) {
		case ".tex":
			f.sources = append(f.sources, scan(name, f.withoutFences(files[name])))
		case ".bib":
			f.bibliographies[strings.TrimSuffix(path.Base(name), ".bib")] = true
		}
	}
	f.walkAll()
	return append(f.all(), works.elements()...)
}

// mostFences is the number of code fences of a source that count.
const mostFences = 64

// withoutFences leaves out the code fences around a source, which LaTeX would
// print.
func (f *flow) withoutFences(text string) string {
	if !strings.Contains(text, "```") {
		return text
	}
	lines := plain.Lines(text)
	fences := strings.Count(strings.TrimSuffix(text, "\n"), "\n") + 1 - len(lines)
	for n := range min(fences, mostFences) {
		f.note(lineOf(fmt.Sprintf("code fence %d", n+1), "```"))
	}
	return plain.Text(lines)
}

// walkAll reads the sources that no other one takes in, in the order of their
// names, then those that only take in each other.
func (f *flow) walkAll() {
	f.read = make(map[*source]bool, len(f.sources))
	f.byName = make(map[string]*source, 2*len(f.sources))
	for _, s := range f.sources {
		for _, name := range []string{s.name, strings.TrimSuffix(s.name, ".tex")} {
			f.byName[name] = s
		}
	}
	taken := map[*source]bool{}
	for _, s := range f.sources {
		for i := range s.tokens {
			if other, _ := f.input(s, i); other != nil && other != s {
				taken[other] = true
			}
		}
	}
	for _, alsoTaken := range []bool{false, true} {
		for _, s := range f.sources {
			if taken[s] == alsoTaken {
				f.preamble, f.ended = false, false
				f.walk(s)
			}
		}
	}
}

// inputs are the commands that take in another source.
var inputs = map[string]bool{"input": true, "include": true, "subfile": true}

// input is the source that a command takes in, and the token after it; nil if
// it takes in none of the document's.
func (f *flow) input(s *source, i int) (*source, int) {
	if s.tokens[i].kind != commandToken || !inputs[s.of(i)[1:]] {
		return nil, i
	}
	lo, hi, next, ok := s.group(s.skip(i + 1))
	if !ok {
		return nil, i
	}
	return f.byName[strings.TrimPrefix(strings.TrimSpace(s.between(lo, hi)), "./")], next
}
