package crystal

import (
	"slices"
	"strings"

	"agentd/domains/internal/plain"
	published "agentd/domains/published/crystal"
	"agentd/vfs"
)

// document is a CIF as CIF 1.1 reads it, in parts whose sources are all of the text.
type document struct{ parts []part }

type partKind uint8

const (
	itemPart partKind = iota
	loopPart
	blockPart // the heading of a data block
	commentPart
	foreignPart // words that belong to nothing
)

type part struct {
	kind partKind
	// source is the text that the part was read from, with the white space before
	// it and the comment after it on its line; empty of a loop.
	source string
	text   string // of a tag, heading or comment, or of foreign words
	value  value  // of an item
	note   string // comment after it on its line
	loop   *loop
}

type loop struct {
	header   string // source of loop_ and the tags
	tags     []string
	comments []string // between the tags
	rows     []row
}

type row struct {
	source   string
	values   []value
	comments []string // above it, or after its values
}

// value is a value as it is written.
type value struct {
	raw   string
	form  form
	opens bool // it is the first of its line
}

// text is what a value says, without delimiters and, in a text field, without the line breaks of folded lines.
func (v value) text() string {
	switch {
	case v.form == bareForm || len(v.raw) < 2:
		return v.raw
	case v.form == quotedForm || v.raw[0] != ';':
		text := v.raw[1:]
		if text[len(text)-1] == v.raw[0] {
			text = text[:len(text)-1]
		}
		return text
	}
	text := strings.TrimSuffix(strings.TrimSuffix(v.raw[1:], ";"), "\n")
	if first, rest, ok := strings.Cut(text, "\n"); ok && strings.TrimRight(first, " \t") == `\` {
		text = strings.ReplaceAll(rest, "\\\n", "")
	}
	return text
}

// read takes in any text.
func read(text string) document {
	text = plain.Text(plain.Lines(text))
	r := reader{lexer: lexer{text: text}}
	r.read()
	if r.damaged {
		r = reader{lexer: lexer{text: text, broken: true}}
		r.read()
	}
	return r.document
}

type reader struct {
	lexer
	document
	word lexeme // in hand
	from int    // where the part in hand begins, white space included
}

func (r *reader) advance() { r.word = r.next() }

func (r *reader) wordText() string { return r.text[r.word.start:r.word.end] }

func (r *reader) wordValue() value { return value{r.wordText(), r.word.form, r.word.opens} }

// source is the text up to a place, or the end of its line if no more stands on that. The next part begins there.
func (r *reader) source(end int) string {
	rest := r.text[end:]
	if length := lineLength(rest); strings.TrimSpace(rest[:length]) == "" {
		end = min(end+length+1, len(r.text))
	}
	source := r.text[r.from:end]
	r.from = end
	return source
}

func (r *reader) add(p part, end int) {
	p.source = r.source(end)
	r.parts = plain.Append(r.parts, p)
}

func (r *reader) read() {
	r.advance()
	for r.word.kind != lexEnd {
		word, text := r.word, r.wordText()
		r.advance()
		switch word.kind {
		case lexComment:
			r.add(part{kind: commentPart, text: text}, word.end)
		case lexBlock:
			r.addNoted(part{kind: blockPart, text: text[len("data_"):]}, word.end)
		case lexTag:
			r.item(part{kind: itemPart, text: text}, word.end)
		case lexLoop:
			r.readLoop(word.end)
		default:
			end := r.restOfLine(word.end)
			r.addNoted(part{kind: foreignPart, text: r.text[word.start:end]}, end)
		}
	}
}

// restOfLine passes over the values that follow on the line, and returns where the last one ends.
func (r *reader) restOfLine(end int) int {
	for r.word.kind == lexValue && !r.word.opens {
		end = r.word.end
		r.advance()
	}
	return end
}

// addNoted adds a part with the comment after it on its line.
func (r *reader) addNoted(p part, end int) {
	if r.word.kind == lexComment && !r.word.opens {
		p.note, end = r.wordText(), r.word.end
		r.advance()
	}
	r.add(p, end)
}

// item reads the value of a tag. Words that follow on the line belong to the value, as if it had quotes.
func (r *reader) item(p part, end int) {
	for r.word.kind == lexComment && r.word.opens { // between tag and value
		p.note = strings.TrimSpace(p.note + " " + r.wordText())
		r.advance()
	}
	if r.word.kind == lexValue {
		first := r.word
		p.value, end = r.wordValue(), first.end
		r.advance()
		if first.form != fieldForm {
			end = r.restOfLine(end)
		}
		if end > first.end {
			p.value = value{raw: r.text[first.start:end], opens: first.opens}
		}
	}
	r.addNoted(p, end)
}

func (r *reader) readLoop(end int) {
	l := &loop{}
	for r.word.kind == lexTag || r.word.kind == lexComment {
		if r.word.kind == lexTag {
			l.tags = append(l.tags, r.wordText())
		} else {
			l.comments = append(l.comments, r.wordText())
		}
		end = r.word.end
		r.advance()
	}
	l.header = r.source(end)
	if len(l.tags) == 0 {
		l.tags = []string{""} // values without a name
	}
	after := r.rows(l)
	r.parts = plain.Append(r.parts, part{kind: loopPart, loop: l})
	for _, c := range after {
		r.add(part{kind: commentPart, text: r.text[c.start:c.end]}, c.end)
	}
}

// rows reads the rows of a loop. It returns the comments after the last one, on
// lines of their own, which are no part of the loop.
func (r *reader) rows(l *loop) []lexeme {
	var values []value
	var ends []int // of the values, with the comments after them
	var open []lexeme
	remarks := map[int][]string{} // by the value that they stand at
	remark := func(at int, w lexeme) { remarks[at] = append(remarks[at], r.text[w.start:w.end]) }
	for ; r.word.kind == lexValue || r.word.kind == lexComment; r.advance() {
		last := len(values) - 1
		switch {
		case r.word.kind == lexValue:
			for _, w := range open {
				remark(last+1, w)
			}
			open = nil
			values, ends = plain.Append(values, r.wordValue()), plain.Append(ends, r.word.end)
		case last >= 0 && !r.word.opens && len(open) == 0:
			remark(last, r.word)
			ends[last] = r.word.end
		default:
			open = append(open, r.word)
		}
	}
	l.rows = make([]row, 0, 1+len(values)/len(l.tags))
	for start := 0; start < len(values); {
		end := rowEnd(values, start, len(l.tags))
		w := row{values: values[start:end:end], source: r.source(ends[end-1])}
		if len(remarks) > 0 {
			for at := start; at < end; at++ {
				w.comments = append(w.comments, remarks[at]...)
			}
		}
		l.rows = plain.Append(l.rows, w)
		start = end
	}
	return open
}

// rowEnd is where the row ends that begins with a value. If values are missing
// or too many, a row ends before a line that does not fit into it.
func rowEnd(values []value, start, columns int) int {
	if len(values)%columns == 0 {
		return start + columns
	}
	end := start
	for end < len(values) {
		line := end + 1
		for line < len(values) && line-start <= columns && !values[line].opens {
			line++
		}
		if line-start > columns {
			break
		}
		end = line
	}
	if end == start {
		return min(start+columns, len(values))
	}
	return end
}

// without leaves atom sites out of the first data block, with their displacements and all geometry that names them.
func without(files vfs.Files, leave func() bool) vfs.Files {
	left := files.Clone()
	documents := map[string]document{}
	var loops []*loop
	blocks := 0
	for _, name := range files.Names() {
		d := read(files[name])
		documents[name] = d
		for i := range d.parts {
			switch p := &d.parts[i]; {
			case p.kind == blockPart:
				blocks++
			case p.kind == loopPart && blocks <= 1:
				loops = append(loops, p.loop)
			}
		}
	}
	gone := leaveSites(loops, leave)
	for _, l := range loops {
		l.leaveOut(gone)
	}
	for name, d := range documents {
		d.parts = slices.DeleteFunc(d.parts, func(p part) bool { return p.kind == loopPart && len(p.loop.rows) == 0 })
		left[name] = d.print()
	}
	return left
}

// leaveSites takes rows out of the tables of sites and returns their labels,
// save those that a site which is left has too.
func leaveSites(loops []*loop, leave func() bool) map[string]bool {
	gone := map[string]bool{}
	var kept []string
	for _, l := range loops {
		if !slices.ContainsFunc(published.SiteTags, func(tag string) bool { return l.column(tag) >= 0 }) {
			continue
		}
		at := l.column(published.SiteTags[0])
		l.rows = slices.DeleteFunc(l.rows, func(w row) bool {
			label := ""
			if 0 <= at && at < len(w.values) {
				label = w.values[at].text()
			}
			if leave() {
				gone[label] = true
				return true
			}
			kept = append(kept, label)
			return false
		})
	}
	for _, label := range kept {
		delete(gone, label)
	}
	return gone
}

// column is the place of a tag, -1 if the loop has it not.
func (l *loop) column(tag string) int {
	return slices.IndexFunc(l.tags, func(t string) bool { return normalTag(t) == tag })
}

// leaveOut takes out the rows of displacements and geometry that name one of the atoms.
func (l *loop) leaveOut(gone map[string]bool) {
	columns := l.columns(isLabel)
	l.rows = slices.DeleteFunc(l.rows, func(w row) bool {
		return slices.ContainsFunc(columns, func(at int) bool { return at < len(w.values) && gone[w.values[at].text()] })
	})
}

// columns are those whose tags are of a kind.
func (l *loop) columns(ofKind func(tag string) bool) []int {
	var columns []int
	for i, tag := range l.tags {
		if ofKind(normalTag(tag)) {
			columns = append(columns, i)
		}
	}
	return columns
}

// isLabel reports whether the values of a tag name atoms.
func isLabel(tag string) bool {
	return tag == published.SiteTags[0] || tag == published.AnisoTags[0] || tag == "_atom_site_calc_attached_atom" ||
		strings.HasPrefix(tag, "_geom_") && strings.Contains(tag, "_atom_site_label_")
}

// print puts the parts of a document together, loops of the rows that they have.
func (d document) print() string {
	var b strings.Builder
	open := false // the last line has no end yet
	write := func(text string) {
		if open {
			b.WriteByte('\n')
		}
		b.WriteString(text)
		open = text != "" && text[len(text)-1] != '\n'
	}
	for _, p := range d.parts {
		if p.kind != loopPart {
			write(p.source)
			continue
		}
		write(p.loop.header)
		for _, w := range p.loop.rows {
			write(w.source)
		}
	}
	write("")
	return b.String()
}
