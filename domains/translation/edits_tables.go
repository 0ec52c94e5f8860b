package translation

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// mapReferences moves the references to a file of their own.
func mapReferences(p struct{ Document, To, List string }) exact.Steps {
	type mapped struct {
		identity
		References []string `json:"references"`
	}
	change := func(s *sections) ([]mapped, error) {
		list := []mapped{}
		for i := range s.messages {
			e := &s.messages[i]
			m := e.message()
			of := mapped{identity: m.identity()}
			e.remove(func(l line) bool {
				if l.kind == referenceLine {
					of.References = append(of.References, l.text)
				}
				return l.kind == referenceLine
			})
			if of.References != nil {
				list = append(list, of)
			}
		}
		return list, nil
	}
	return exact.Keeping(&catalogues, p.Document, p.To, p.List, change, func(s *sections, list []mapped) error {
		references := plain.Notes{}
		for _, of := range list {
			references[of.id()] = append(references[of.id()], of.References)
		}
		for i := range s.messages {
			e := &s.messages[i]
			for _, text := range references.Take(e.id()) {
				e.insert("#: " + text)
			}
		}
		return nil
	})
}

// sheetColumns are the columns of the sheet around those of the forms.
var (
	columnsBefore = []string{"no", "status", "context", "source", "plural"}
	columnsAfter  = []string{"flags", "references", "extracted", "notes", "old"}
)

func sheetColumns(forms int) []string {
	columns := slices.Clone(columnsBefore)
	for n := range forms {
		columns = append(columns, fmt.Sprintf("form_%d", n))
	}
	return append(columns, columnsAfter...)
}

// inSheet makes a table with a row for each entry, obsolete ones included.
func inSheet(p struct{ Document, Table, Header string }) exact.Steps {
	forward := func(s sections) (vfs.Files, error) {
		forms := s.formCount()
		rows := [][]string{sheetColumns(forms)}
		for i, e := range slices.Concat(s.messages, s.obsolete) {
			rows = append(rows, e.row(i+1, forms))
		}
		header := sections{headers: s.headers, closing: s.closing}
		return vfs.Files{p.Table: plain.WriteCSV(rows), p.Header: header.print()}, nil
	}
	return catalogues.Whole(p.Document, forward, func(files vfs.Files) (sections, error) {
		s, err := catalogues.Named(files, p.Header)
		if err != nil {
			return s, err
		}
		header, _, _ := strings.Cut(strings.TrimSpace(files[p.Table]), "\n")
		forms := strings.Count(header, "form_")
		rows, err := plain.Table(files, p.Table, sheetColumns(forms)...)
		slices.SortStableFunc(rows, plain.ByNumber)
		for _, row := range rows {
			if e := entryOf(row, forms); row[1] == obsoleteStatus {
				s.obsolete = append(s.obsolete, e)
			} else {
				s.messages = append(s.messages, e)
			}
		}
		return s, err
	})
}

// formCount is the number of forms that the plural rule or an entry has, at least
// one.
func (s sections) formCount() int {
	count := 1
	if rule, err := readPluralForms(s.headerField("Plural-Forms")); err == nil && rule.count <= mostForms {
		count = max(count, rule.count)
	}
	for _, e := range slices.Concat(s.messages, s.obsolete) {
		m := e.message()
		for _, f := range m.forms {
			count = max(count, f.index+1)
		}
	}
	return count
}

func (e *entry) row(number, forms int) []string {
	m := e.message()
	status := ""
	if m.obsolete {
		status = obsoleteStatus
	}
	row := []string{strconv.Itoa(number), status}
	for _, f := range []field{contextField, sourceField, pluralField} {
		row = append(row, escape(m.text(f)))
	}
	for n := range forms {
		text := m.form(n).text()
		if n == 0 {
			text = m.firstTranslation()
		}
		row = append(row, escape(text))
	}
	row = append(row, strings.Join(m.flags, ", "), strings.Join(m.references, " "))
	for _, kind := range []lineKind{extractedLine, noteLine, previousLine} {
		row = append(row, e.commentText(kind))
	}
	return row
}

const obsoleteStatus = "obsolete"

// commentText is what stands after the markers of the comment lines of a kind.
func (e *entry) commentText(kind lineKind) string {
	var texts []string
	for _, l := range e.lines {
		switch {
		case l.kind != kind:
		case kind == previousLine:
			_, text, _ := strings.Cut(l.raw, "|")
			texts = append(texts, strings.TrimSpace(text))
		default:
			texts = append(texts, l.text)
		}
	}
	return strings.Join(texts, "\n")
}

// entryOf is the reverse of row.
func entryOf(row []string, forms int) entry {
	w := entryWriter{obsolete: row[1] == obsoleteStatus}
	context, source, plural := row[2], row[3], row[4]
	translations, after := row[len(columnsBefore):len(columnsBefore)+forms], row[len(columnsBefore)+forms:]
	flags, references, extracted, notes, old := after[0], after[1], after[2], after[3], after[4]
	w.comments("#", notes)
	w.comments("#.", extracted)
	w.comments("#:", references)
	w.comments("#,", flags)
	w.comments("#|", old)
	if context != "" {
		w.text("msgctxt", context)
	}
	w.text("msgid", source)
	if plural == "" {
		w.text("msgstr", strings.Join(translations[:min(1, forms)], ""))
		return w.entry
	}
	w.text("msgid_plural", plural)
	for n, text := range translations {
		w.text(fmt.Sprintf("msgstr[%d]", n), text)
	}
	return w.entry
}

type entryWriter struct {
	entry
	obsolete bool
}

func (w *entryWriter) add(raw string) { w.lines = append(w.lines, readLine(strings.TrimSpace(raw))) }

// comments writes a comment line for each line of a cell that is not empty.
func (w *entryWriter) comments(marker, cell string) {
	if cell == "" {
		return
	}
	if w.obsolete && marker == "#|" {
		marker = "#~|"
	}
	for text := range strings.SplitSeq(cell, "\n") {
		w.add(marker + " " + text)
	}
}

func (w *entryWriter) text(keyword, escaped string) {
	raw := keyword + ` "` + escaped + `"`
	if w.obsolete {
		raw = "#~ " + raw
	}
	w.add(raw)
}
