package translation

import (
	"errors"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/exact"
)

// catalogues says how catalogues, which are lists of entries, are taken apart and put together.
var catalogues = exact.Format[sections, entry]{
	Patterns: []string{"*.po", "*.pot"},
	Read: func(text string) (s sections) {
		s.add(read(text))
		return s
	},
	Print: sections.print,
	Parts: func(s *sections) *[]entry { return &s.messages },
	Join:  join,
	Shell: func(s sections) sections { return sections{headers: s.shortHeader()} },
	Empty: errors.New("no PO file with an entry"),
}

func edits() []domains.Edit {
	return []domains.Edit{
		domains.Taking("split_by_source", splitBySource),
		domains.Taking("split_plurals", splitPlurals),
		domains.Taking("queue_for_review", queueForReview),
		domains.Taking("note_lengths", noteLengths),
		domains.Taking("release", release),
		domains.Taking("map_references", mapReferences),
		domains.Taking("sheet", inSheet),
		domains.Taking("mark_placeholders", markPlaceholders),
	}
}

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

// join keeps the first of several headers.
func join(all []sections) (joined sections) {
	for _, s := range all {
		if len(joined.headers) == 0 {
			joined.headers = s.headers
		}
		joined.messages = append(joined.messages, s.messages...)
		joined.obsolete = append(joined.obsolete, s.obsolete...)
		joined.closing = append(joined.closing, s.closing...)
	}
	return joined
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

// shortHeader is a header with only the language and the encoding.
func (s sections) shortHeader() []entry {
	lines := []line{readLine(`msgid ""`), readLine(`msgstr ""`)}
	for _, name := range []string{"Language", "Content-Type"} {
		if value := s.headerField(name); value != "" {
			lines = append(lines, readLine(`"`+escape(name+": "+value+"\n")+`"`))
		}
	}
	return []entry{{lines}}
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

// identity is what tells the entries of a catalogue apart.
type identity struct {
	Context string `json:"context"`
	Source  string `json:"source"`
}

func (m *message) identity() identity { return identity{m.text(contextField), m.text(sourceField)} }

// id is an identity as gettext writes it.
func (i identity) id() string { return i.Context + "\x04" + i.Source }

func (e *entry) id() string {
	m := e.message()
	return m.identity().id()
}
