package edifact

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const tableFile = "segments.csv"

var tableColumns = []string{"message", "line", "tag", "data"}

// toTable makes a row of each segment, its data in the standard marks.
func toTable(files vfs.Files) (vfs.Files, error) {
	t, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	rows := [][]string{tableColumns}
	add := func(message, line string, segments ...segment) {
		for i := range segments {
			if s := &segments[i]; s.tag == "" {
				rows = append(rows, []string{message, line, "", s.text})
			} else if s.tag != service {
				rows = append(rows, []string{message, line, s.tag, s.data()})
			}
		}
	}
	for _, p := range t.parts {
		m := p.message
		if m == nil {
			add("", "", p.outside)
			continue
		}
		add(m.reference(), "", m.head...)
		for _, l := range m.lines {
			add(m.reference(), "", l.above...)
			add(m.reference(), l.segments[0].at(1, 1), l.segments...)
		}
		add(m.reference(), "", m.tail...)
	}
	return vfs.Files{tableFile: plain.WriteCSV(rows)}, nil
}

// data is what stands between the tag and the terminator, without the first
// separator.
func (s *segment) data() string {
	var b strings.Builder
	standard.write(&b, s)
	data := strings.TrimPrefix(b.String(), s.tag)
	return strings.TrimPrefix(strings.TrimSuffix(data, string(standard.terminator)), string(standard.element))
}

func fromTable(files vfs.Files) (vfs.Files, error) {
	rows, err := plain.Table(files, tableFile, tableColumns...)
	if err != nil {
		return nil, err
	}
	lines := []string{standardService}
	for _, row := range rows {
		tag, data := strings.TrimSpace(row[2]), row[3]
		switch {
		case tag == "":
			lines = append(lines, data)
		case data == "":
			lines = append(lines, tag+string(standard.terminator))
		default:
			lines = append(lines, tag+string(standard.element)+data+string(standard.terminator))
		}
	}
	return vfs.Files{document: plain.Text(lines)}, nil
}

const standardService = "UNA:+.? '"

const (
	sizedFile = "pot_sizes.edi"
	// sizeQualifier is the characteristic in IMD 2 that says the text is a size.
	sizeQualifier = "98"
	sizeMark      = "#"
)

// potSize is a container such as C10 or C7.5, or a pot such as P9.
var potSize = regexp.MustCompile(`^[CP][0-9]+(\.[0-9]+)?$`)

// cutPotSizes moves the first pot size in each description into a segment of its
// own.
func cutPotSizes(files vfs.Files) (vfs.Files, error) {
	t, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	for _, m := range t.messages() {
		m.change(func() {
			for i := range m.lines {
				m.lines[i].cutPotSize()
			}
		})
	}
	return vfs.Files{sizedFile: t.print()}, nil
}

// description is the place of the first IMD with a text, and of its texts.
func (l *line) description() (at int, texts []string) {
	for at := range l.segments {
		if s := &l.segments[at]; s.tag == "IMD" && len(s.elements) >= 3 && len(s.elements[2]) > 3 {
			return at, s.elements[2][3:]
		}
	}
	return -1, nil
}

func (l *line) cutPotSize() {
	at, texts := l.description()
	for i, text := range texts {
		words := strings.Split(text, " ")
		for k, word := range words {
			if potSize.MatchString(word) {
				words[k] = sizeMark
				texts[i] = strings.Join(words, " ")
				size := segment{tag: "IMD", elements: [][]string{{"F"}, {sizeQualifier}, {"", "", "", word}}}
				l.segments = slices.Insert(l.segments, at+1, size)
				return
			}
		}
	}
}

func putPotSizes(files vfs.Files) (vfs.Files, error) {
	t, err := readNamed(files, sizedFile)
	if err != nil {
		return nil, err
	}
	for _, m := range t.messages() {
		m.change(func() {
			for i := range m.lines {
				m.lines[i].putPotSize()
			}
		})
	}
	return asDocument(t), nil
}

func (l *line) putPotSize() {
	at := slices.IndexFunc(l.segments, func(s segment) bool { return s.tag == "IMD" && s.at(2, 1) == sizeQualifier })
	if at < 0 {
		return
	}
	size := l.segments[at].at(3, 4)
	l.segments = slices.Delete(l.segments, at, at+1)
	_, texts := l.description()
	for i, text := range texts {
		if strings.Contains(text, sizeMark) {
			texts[i] = strings.Replace(text, sizeMark, size, 1)
			return
		}
	}
}

const (
	hostFile    = "host_feed.dat"
	hostService = "UNA|*,! ~"
)

// hostNumbers are the segments whose numbers the host wants with a comma.
var hostNumbers = []string{"MEA", "PRI", "QTY"}

// toHost writes the interchange with the separators and decimal sign of the
// host system.
func toHost(files vfs.Files) (vfs.Files, error) {
	t, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	return vfs.Files{hostFile: t.announcing(hostService, ".", ",")}, nil
}

func fromHost(files vfs.Files) (vfs.Files, error) {
	t, err := readNamed(files, hostFile)
	if err != nil {
		return nil, err
	}
	return vfs.Files{document: t.announcing(standardService, ",", ".")}, nil
}

// announcing prints the transmission under another UNA, one segment a line, with
// another decimal sign.
func (t *transmission) announcing(una, was, is string) string {
	t.each(func(s *segment) {
		if !slices.Contains(hostNumbers, s.tag) {
			return
		}
		for _, p := range numeric[s.tag] {
			if value := s.at(p.element, p.component); isNumber(value) {
				s.set(p.element, p.component, strings.Replace(value, was, is, 1))
			}
		}
	})
	t.parts = slices.DeleteFunc(t.parts, func(p part) bool { return p.outside.tag == service })
	t.parts = slices.Insert(t.parts, 0, part{outside: segment{tag: service, text: una}})
	t.continued = false
	return t.print()
}

const (
	codedFile   = "coded_parties.edi"
	partiesFile = "parties.csv"
	// Who assigned the code of a party, NAD 2.3.
	byGS1, bySeller = "9", "91"
)

// codeParties gives each party that is named by a location number a short code.
func codeParties(files vfs.Files) (vfs.Files, error) {
	t, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	rows := [][]string{{"code", "gln"}}
	codes := map[string]string{}
	t.each(func(s *segment) {
		gln := s.at(2, 1)
		if s.tag != "NAD" || gln == "" || s.at(2, 3) != byGS1 {
			return
		}
		if codes[gln] == "" {
			codes[gln] = "P" + strconv.Itoa(len(rows))
			rows = append(rows, []string{codes[gln], gln})
		}
		s.set(2, 1, codes[gln])
		s.set(2, 3, bySeller)
	})
	return vfs.Files{codedFile: t.print(), partiesFile: plain.WriteCSV(rows)}, nil
}

func uncodeParties(files vfs.Files) (vfs.Files, error) {
	t, err := readNamed(files, codedFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, partiesFile, "code", "gln")
	if err != nil {
		return nil, err
	}
	glnOf := map[string]string{}
	for _, row := range rows {
		glnOf[row[0]] = row[1]
	}
	t.each(func(s *segment) {
		if gln, ok := glnOf[s.at(2, 1)]; ok && s.tag == "NAD" && s.at(2, 3) == bySeller {
			s.set(2, 1, gln)
			s.set(2, 3, byGS1)
		}
	})
	return asDocument(t), nil
}
