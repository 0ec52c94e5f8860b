package molecule

import (
	"errors"
	"strings"

	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// library is a document as the published program reads it. It repairs the
// headers of candidates only, so both readings are kept.
type library struct {
	plain, repaired []record
}

// record is a molecule with its properties.
type record struct {
	title      string
	structure  *structure
	names      []string // of the properties, in order
	properties map[string]string
}

const (
	delimiter = "$$$$"
	blockEnd  = "M  END"
)

var errNoRecords = errors.New("no molecule record can be read")

func parse(files vfs.Files) (*library, error) {
	files = files.Match(patterns)
	var plain, repaired strings.Builder
	for _, name := range files.Names() {
		plain.WriteString(delimited(files[name]))
		repaired.WriteString(delimited(withHeaders(files[name])))
	}
	l := &library{plain: readRecords(plain.String())}
	l.repaired = l.plain
	if repaired.String() != plain.String() {
		l.repaired = readRecords(repaired.String())
	}
	if len(l.plain) == 0 && len(l.repaired) == 0 {
		return nil, errNoRecords
	}
	return l, nil
}

// delimited ends the last record of a file.
func delimited(text string) string {
	if strings.HasSuffix(pytext.StripRight(text), delimiter) {
		return text
	}
	return text + "\n" + delimiter + "\n"
}

// withHeaders gives three header lines to each record that has more or fewer:
// the first that is not blank, and two empty ones.
func withHeaders(text string) string {
	if !hasVersion(text) {
		return text
	}
	var b strings.Builder
	for n, piece := range strings.Split(text, delimiter) {
		if n > 0 {
			b.WriteString(delimiter)
		}
		b.WriteString(withHeader(piece, n > 0))
	}
	return b.String()
}

// hasVersion reports whether a text names a version of connection tables, as a
// counts line does.
func hasVersion(text string) bool {
	return strings.Contains(text, "V2000") || strings.Contains(text, "V3000")
}

func withHeader(piece string, afterDelimiter bool) string {
	start := 0
	if afterDelimiter && strings.HasPrefix(strings.TrimPrefix(piece, "\r"), "\n") {
		start = strings.IndexByte(piece, '\n') + 1
	}
	title, lines, at := "", 0, start
	for line := range strings.Lines(piece[start:]) {
		if hasVersion(line) {
			if lines == headerLines {
				return piece
			}
			return piece[:start] + title + "\n\n\n" + piece[at:]
		}
		if title == "" {
			title = pytext.Strip(line)
		}
		lines++
		at += len(line)
	}
	return piece
}

// input hands out lines as a C++ stream does.
type input struct {
	text  string
	ended bool // a line was asked for that no line feed ends
}

func (in *input) line() string {
	at := strings.IndexByte(in.text, '\n')
	if at < 0 {
		line := in.text
		in.text, in.ended = "", true
		return line
	}
	line := in.text[:at]
	in.text = in.text[at+1:]
	return line
}

// blockLine is a line of a mol block, where a carriage return at the end does
// not count.
func (in *input) blockLine() string { return strings.TrimSuffix(in.line(), "\r") }

// skip goes to the end of the record, by at least one line.
func (in *input) skip() {
	for !isDelimiter(in.line()) && !in.ended {
	}
}

func isDelimiter(line string) bool { return strings.HasPrefix(line, delimiter) }

// readRecords reads what can be read; records with an error are left out.
func readRecords(text string) []record {
	in := &input{text: text}
	var all []record
	for !in.ended {
		r := record{title: in.blockLine()}
		if in.ended {
			break
		}
		if r.structure = in.block(); r.structure == nil {
			in.skip()
			continue
		}
		in.readProperties(&r)
		all = append(all, r)
	}
	return all
}

// readProperties reads data fields up to the delimiter. It gives up at a line
// that is no part of one, and keeps what it has.
func (in *input) readProperties(r *record) {
	const blanks = " \t\r\n"
	r.properties = map[string]string{}
	for {
		line := in.line()
		if in.ended || isDelimiter(line) {
			return
		}
		line = strings.Trim(line, blanks)
		if line == "" {
			continue
		}
		if line[0] != '>' {
			in.skip()
			return
		}
		name, named := dataName(line)
		if !named {
			if strings.Trim(in.line(), blanks) == "" {
				continue
			}
			in.text, in.ended = "", true // the published program loses the rest of the file here
			return
		}
		var value []string
		for {
			line := in.line()
			if line == "" || line[0] != ' ' && line[0] != '\t' && strings.Trim(line, blanks) == "" {
				break
			}
			value = append(value, strings.TrimSuffix(line, "\r"))
		}
		if strings.HasPrefix(name, "_") {
			continue
		}
		if _, known := r.properties[name]; !known {
			r.names = append(r.names, name)
		}
		r.properties[name] = strings.Join(value, "\n")
	}
}

// dataName is the name in the header line of a data field.
func dataName(header string) (name string, named bool) {
	header = header[1:]
	from, to := strings.IndexByte(header, '<'), strings.LastIndexByte(header, '>')
	switch {
	case from < 0 || to < 0 || to == from+1:
		return "", false
	case to < from:
		return header[from+1:], true
	}
	return header[from+1 : to], true
}
