package translation

import (
	"path"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// splitBySource makes a catalogue of the entries of each source file, that of the first
// reference, as in "from_main.c.po" for src/main.c.
func splitBySource(p struct {
	Document     string
	Begins       string // names of files: that of the source file and .po follow
	Others       string // in its place for entries that nothing refers to
	Frame, Table string
}) exact.Steps {
	steps := catalogues.Split(p.Document, p.Frame, p.Table, func(e *entry) (string, []string) {
		base := p.Others
		if m := e.message(); len(m.references) > 0 {
			base = strings.Trim(path.Base(fileOf(m.references[0])), "/")
		}
		return p.Begins + base + ".po", nil
	})
	merge := steps.Backward
	steps.Backward = func(files vfs.Files) (vfs.Files, error) {
		if _, err := plain.File(files, p.Frame); err != nil {
			return nil, err
		}
		return merge(files)
	}
	return steps
}

// splitPlurals sets the entries with plural forms apart and lists which form stands for which
// number.
func splitPlurals(p struct {
	Document, Plurals, Singulars string
	Table                        string // of the places that the entries with plural forms have
	Cases                        string // the list of numbers and forms
	Most                         uint64 // the largest number in it
}) exact.Steps {
	forward := func(s sections) (vfs.Files, error) {
		places := [][]string{{"position", "context", "source"}}
		plurals, all := sections{headers: s.shortHeader()}, s.messages
		s.messages = nil
		for i, e := range all {
			m := e.message()
			if !m.has(pluralField) {
				s.messages = append(s.messages, e)
				continue
			}
			plurals.messages = append(plurals.messages, e)
			places = append(places, []string{strconv.Itoa(i + 1), escape(m.text(contextField)), escape(m.text(sourceField))})
		}
		cases := [][]string{{"n", "form"}}
		if rule, err := readPluralForms(s.headerField("Plural-Forms")); err == nil {
			for n := range p.Most + 1 {
				cases = append(cases, []string{strconv.FormatUint(n, 10), strconv.FormatUint(rule.of(n), 10)})
			}
		}
		return vfs.Files{
			p.Plurals: plurals.print(), p.Singulars: s.print(), p.Table: plain.WriteCSV(places), p.Cases: plain.WriteCSV(cases),
		}, nil
	}
	return catalogues.Whole(p.Document, forward, func(files vfs.Files) (s sections, err error) {
		s, err = catalogues.Named(files, p.Singulars)
		if err != nil {
			return s, err
		}
		plurals, err := catalogues.Named(files, p.Plurals)
		if err != nil {
			return s, err
		}
		rows, err := plain.Table(files, p.Table, "context", "source", "position")
		places := plain.NotesBy(rows, func(row []string) string { return identity{unescape(row[0]), unescape(row[1])}.id() })
		type placed struct {
			line int
			entry
		}
		taken := lists.Map(plurals.messages, func(e entry) placed {
			if row := places.Take(e.id()); row != nil {
				return placed{plain.LineNumber(row[2]), e}
			}
			return placed{entry: e}
		})
		s.messages = plain.PutIn(taken, s.messages, func(p placed) (int, entry) { return p.line, p.entry }, nil)
		return s, err
	})
}
