package markdown

import "bytes"

// CommonMark bounds neither how deep blocks are nested nor how many marks a paragraph opens, and the parser's work
// grows with the square of both. These bounds are far above what people write. What is above them is read as text.
const (
	// deepest is the column after which a quote or a list item begins no further one.
	deepest = 100
	// mostMarks is how many marks of inline text one block may open.
	mostMarks = 1000
	// sparse is how many cells of a table may be left out for each byte that it has.
	sparse = 4
)

// mask is the source that is parsed. It has as many bytes as the source, so places in one are places in
// the other, and a mark that is above a bound is a letter in it. Texts are taken from the source.
func mask(source []byte) []byte {
	m := masker{masked: source}
	marks := 0
	for from := 0; from < len(source); {
		to := len(source)
		if at := bytes.IndexByte(source[from:], '\n'); at >= 0 {
			to = from + at + 1
		}
		line := source[from:to]
		if len(bytes.TrimSpace(line)) == 0 {
			marks = 0
		}
		begins := m.containers(source, from, to)
		marks = m.inline(source, begins, to, marks)
		m.table(source, from, to)
		from = to
	}
	return m.masked
}

// masker copies the source when it changes the first byte.
type masker struct {
	masked []byte
	copied bool
}

func (m *masker) hide(at int) {
	if !m.copied {
		m.masked, m.copied = bytes.Clone(m.masked), true
	}
	m.masked[at] = 'x'
}

// containers hides the marks of quotes and list items that begin after the deepest column of a line,
// and returns where its other text begins.
func (m *masker) containers(source []byte, from, to int) int {
	at := from
	for at < to {
		switch c := source[at]; {
		case c == ' ' || c == '\t':
			at++
			continue
		case c == '>' || bytes.IndexByte([]byte("-*+"), c) >= 0 && blankAt(source, at+1, to):
			if at-from > deepest {
				m.hide(at)
			}
			at++
			continue
		case '0' <= c && c <= '9':
			end := at
			for end < to && '0' <= source[end] && source[end] <= '9' {
				end++
			}
			if end < to && (source[end] == '.' || source[end] == ')') && blankAt(source, end+1, to) {
				if at-from > deepest {
					m.hide(end)
				}
				at = end + 1
				continue
			}
		}
		return at
	}
	return at
}

func blankAt(source []byte, at, to int) bool {
	return at >= to || source[at] == ' ' || source[at] == '\t' || source[at] == '\n'
}

// inline hides the marks of a line above the bound of its block, of which so many were counted before,
// and returns how many there are now. What may be a fence stays.
func (m *masker) inline(source []byte, from, to, marks int) int {
	for from < to && (source[from] == '`' || source[from] == '~') {
		from++
	}
	for at := from; at < to; at++ {
		if bytes.IndexByte([]byte("[*_~<`"), source[at]) < 0 {
			continue
		}
		if marks++; marks > mostMarks {
			m.hide(at)
		}
	}
	return marks
}

// table hides the delimiters of a table whose rows lack more cells than they have bytes: a reader adds
// them all. A line is the delimiters where it has no other characters.
func (m *masker) table(source []byte, from, to int) {
	line := source[from:to]
	columns, dash := bytes.Count(line, []byte("|")), bytes.IndexByte(line, '-')
	if columns < deepest || dash < 0 || len(bytes.Trim(line, "|:->\n\t ")) > 0 {
		return
	}
	rows := source[to:]
	if at := bytes.Index(rows, []byte("\n\n")); at >= 0 {
		rows = rows[:at]
	}
	if columns*bytes.Count(rows, []byte("\n")) > sparse*len(rows) {
		m.hide(from + dash)
	}
}
