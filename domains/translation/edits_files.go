package translation

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	frameFile = "frame.po"
	orderFile = "order.csv"
)

// splitBySource makes a catalogue of the entries of each source file.
func splitBySource(files vfs.Files) (vfs.Files, error) {
	s, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	order := [][]string{{"position", "file"}}
	parts := map[string]*sections{}
	for i, e := range s.messages {
		name := sourceCatalogue(&e)
		if parts[name] == nil {
			parts[name] = &sections{headers: s.shortHeader()}
		}
		parts[name].messages = append(parts[name].messages, e)
		order = append(order, []string{strconv.Itoa(i + 1), name})
	}
	s.messages = nil
	out := vfs.Files{frameFile: s.print(), orderFile: plain.WriteCSV(order)}
	for name, part := range parts {
		out[name] = part.print()
	}
	return out, nil
}

// sourceCatalogue names a file after the one of the first reference, as in
// "from_swarm.c.po".
func sourceCatalogue(e *entry) string {
	m := e.message()
	base := "misc"
	if len(m.references) > 0 {
		base = strings.Trim(path.Base(fileOf(m.references[0])), "/")
	}
	return "from_" + base + ".po"
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

func mergeSources(files vfs.Files) (vfs.Files, error) {
	s, err := readNamed(files, frameFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, orderFile, "position", "file")
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(rows, plain.ByNumber)
	files = files.Match([]string{"from_*.po"})
	parts := map[string][]entry{}
	for name, text := range files {
		var part sections
		part.add(read(text))
		parts[name] = part.messages
	}
	for _, row := range rows {
		if part := parts[row[1]]; len(part) > 0 {
			s.messages = append(s.messages, part[0])
			parts[row[1]] = part[1:]
		}
	}
	for _, name := range files.Names() {
		s.messages = append(s.messages, parts[name]...)
	}
	return asDocument(s), nil
}

const (
	pluralsFile   = "plurals.po"
	singularsFile = "singulars.po"
	placesFile    = "plurals.csv"
	casesFile     = "plural_cases.csv"
)

// mostCases is the largest number for which the plural form is listed.
const mostCases = 24

// splitPlurals sets the entries with plural forms apart and lists which form
// stands for which number.
func splitPlurals(files vfs.Files) (vfs.Files, error) {
	s, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	places := [][]string{{"position", "context", "source"}}
	plurals := sections{headers: s.shortHeader()}
	singulars := sections{headers: s.headers, obsolete: s.obsolete, closing: s.closing}
	for i, e := range s.messages {
		m := e.message()
		if !m.has(pluralField) {
			singulars.messages = append(singulars.messages, e)
			continue
		}
		plurals.messages = append(plurals.messages, e)
		places = append(places, []string{strconv.Itoa(i + 1), escape(m.text(contextField)), escape(m.text(sourceField))})
	}
	cases := [][]string{{"n", "form"}}
	if rule, err := readPluralForms(s.headerField("Plural-Forms")); err == nil {
		for n := range uint64(mostCases + 1) {
			cases = append(cases, []string{strconv.FormatUint(n, 10), strconv.FormatUint(rule.of(n), 10)})
		}
	}
	return vfs.Files{
		pluralsFile: plurals.print(), singularsFile: singulars.print(),
		placesFile: plain.WriteCSV(places), casesFile: plain.WriteCSV(cases),
	}, nil
}

func mergePlurals(files vfs.Files) (vfs.Files, error) {
	s, err := readNamed(files, singularsFile)
	if err != nil {
		return nil, err
	}
	plurals, err := readNamed(files, pluralsFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, placesFile, "position", "context", "source")
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(rows, plain.ByNumber)
	waiting := newPool(plurals.messages)
	for _, row := range rows {
		e, ok := waiting.take(key{unescape(row[1]), unescape(row[2])})
		position, err := strconv.Atoi(strings.TrimSpace(row[0]))
		if ok && err == nil {
			s.messages = slices.Insert(s.messages, min(max(position-1, 0), len(s.messages)), e)
		}
	}
	s.messages = append(s.messages, waiting.rest(plurals.messages)...)
	return asDocument(s), nil
}
