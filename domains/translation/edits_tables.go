package translation

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	unreferencedFile = "unreferenced.po"
	mapFile          = "source_map.json"
)

// mapped are the reference lines of an entry.
type mapped struct {
	Context    string   `json:"context"`
	Source     string   `json:"source"`
	References []string `json:"references"`
}

// mapReferences moves the references to a file of their own.
func mapReferences(files vfs.Files) (vfs.Files, error) {
	s, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	list := []mapped{}
	for i := range s.messages {
		e := &s.messages[i]
		k := e.key()
		m := mapped{Context: k.context, Source: k.source}
		e.remove(func(l line) bool {
			if l.kind == referenceLine {
				m.References = append(m.References, l.text)
			}
			return l.kind == referenceLine
		})
		if m.References != nil {
			list = append(list, m)
		}
	}
	text, err := jsonText(list)
	return vfs.Files{unreferencedFile: s.print(), mapFile: text}, err
}

func writeReferences(files vfs.Files) (vfs.Files, error) {
	s, err := readNamed(files, unreferencedFile)
	if err != nil {
		return nil, err
	}
	var list []mapped
	if err := plain.JSON(files, mapFile, &list); err != nil {
		return nil, err
	}
	waiting := map[key][][]string{}
	for _, m := range list {
		k := key{m.Context, m.Source}
		waiting[k] = append(waiting[k], m.References)
	}
	for i := range s.messages {
		e := &s.messages[i]
		k := e.key()
		if len(waiting[k]) == 0 {
			continue
		}
		for _, references := range waiting[k][0] {
			e.insert("#: " + references)
		}
		waiting[k] = waiting[k][1:]
	}
	return asDocument(s), nil
}

const (
	sheetFile  = "translations.csv"
	headerFile = "header.txt"
)

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

// toSheet makes a row of each entry, obsolete ones included.
func toSheet(files vfs.Files) (vfs.Files, error) {
	s, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	forms := s.formCount()
	rows := [][]string{sheetColumns(forms)}
	for i, e := range slices.Concat(s.messages, s.obsolete) {
		rows = append(rows, e.row(i+1, forms))
	}
	header := sections{headers: s.headers, closing: s.closing}
	return vfs.Files{sheetFile: plain.WriteCSV(rows), headerFile: header.print()}, nil
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
		text := m.formText(n)
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

func fromSheet(files vfs.Files) (vfs.Files, error) {
	s, err := readNamed(files, headerFile)
	if err != nil {
		return nil, err
	}
	text, err := plain.File(files, sheetFile)
	if err != nil {
		return nil, err
	}
	records, err := plain.ReadCSV(text)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", sheetFile, err)
	}
	forms := 0
	if len(records) > 0 {
		for _, column := range records[0] {
			if strings.HasPrefix(strings.TrimSpace(column), "form_") {
				forms++
			}
		}
	}
	rows, err := plain.Table(files, sheetFile, sheetColumns(forms)...)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(rows, plain.ByNumber)
	for _, row := range rows {
		if e := entryOf(row, forms); row[1] == obsoleteStatus {
			s.obsolete = append(s.obsolete, e)
		} else {
			s.messages = append(s.messages, e)
		}
	}
	return asDocument(s), nil
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
