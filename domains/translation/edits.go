package translation

import (
	"errors"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// catalogueFile is the file that every backward step leaves.
const catalogueFile = "pl.po"

func edits() []domains.Edit {
	return []domains.Edit{
		{Name: "split_by_source", Forward: splitBySource, Backward: mergeSources},
		{Name: "plural_cases", Forward: splitPlurals, Backward: mergePlurals},
		{Name: "review_queue", Forward: queueForReview, Backward: unqueue},
		{Name: "length_audit", Forward: auditLengths, Backward: removeAudit},
		{Name: "release_order", Forward: orderForRelease, Backward: orderForWork},
		{Name: "reference_map", Forward: mapReferences, Backward: writeReferences},
		{Name: "translator_sheet", Forward: toSheet, Backward: fromSheet},
		{Name: "placeholder_marks", Forward: markPlaceholders, Backward: writePlaceholders},
	}
}

var errNoEntry = errors.New("no PO file with an entry")

// readDocument reads the catalogues that a forward step is given, as one.
func readDocument(files vfs.Files) (sections, error) {
	var s sections
	for _, name := range files.Names() {
		if isCatalogue(name) {
			s.add(read(files[name]))
		}
	}
	if len(s.messages) == 0 {
		return sections{}, errNoEntry
	}
	return s, nil
}

// readNamed reads the catalogue that a backward step needs.
func readNamed(files vfs.Files, name string) (sections, error) {
	var s sections
	text, err := plain.File(files, name)
	s.add(read(text))
	return s, err
}

func asDocument(s sections) vfs.Files { return vfs.Files{catalogueFile: s.print()} }

// sections are the entries of a catalogue by what they are, so that an edit can
// move the counted ones between the header and what is obsolete.
type sections struct {
	headers, messages, obsolete []entry
	closing                     []line
}

func (s *sections) add(c catalogue) {
	for _, e := range c.entries {
		switch m := e.message(); {
		case m.isHeader():
			s.headers = append(s.headers, e)
		case m.obsolete:
			s.obsolete = append(s.obsolete, e)
		default:
			s.messages = append(s.messages, e)
		}
	}
	s.closing = append(s.closing, c.closing...)
}

func (s sections) print() string {
	return catalogue{slices.Concat(s.headers, s.messages, s.obsolete), s.closing}.print()
}

// headerField is the value of a header field, "" if there is none.
func (s sections) headerField(name string) string {
	for i := range s.headers {
		m := s.headers[i].message()
		for line := range strings.SplitSeq(m.text(translationField), "\n") {
			if value, ok := strings.CutPrefix(line, name+":"); ok {
				return strings.TrimSpace(value)
			}
		}
	}
	return ""
}

// insert puts comment lines where gettext writes those of their kind.
func (e *entry) insert(raw ...string) {
	for _, r := range raw {
		l := readLine(r)
		at := slices.IndexFunc(e.lines, func(other line) bool { return other.kind > l.kind })
		e.lines = slices.Insert(slices.Clone(e.lines), max(at, 0), l)
	}
}

// remove takes out the lines that unwanted accepts.
func (e *entry) remove(unwanted func(line) bool) {
	e.lines = slices.DeleteFunc(slices.Clone(e.lines), unwanted)
}

func (e *entry) key() key {
	m := e.message()
	return key{m.text(contextField), m.text(sourceField)}
}

// pool has entries that are taken out by their keys.
type pool map[key][]entry

func newPool(entries []entry) pool {
	p := pool{}
	for _, e := range entries {
		p[e.key()] = append(p[e.key()], e)
	}
	return p
}

func (p pool) take(k key) (entry, bool) {
	if len(p[k]) == 0 {
		return entry{}, false
	}
	e := p[k][0]
	p[k] = p[k][1:]
	return e, true
}

// rest are the entries that were not taken, in the order in which they are listed.
func (p pool) rest(entries []entry) []entry {
	var left []entry
	for _, e := range entries {
		if e, ok := p.take(e.key()); ok {
			left = append(left, e)
		}
	}
	return left
}
