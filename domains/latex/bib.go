package latex

import (
	"slices"
	"strings"

	"agentd/domains/internal/pytext"
	"agentd/internal/lazyregexp"
)

// workKind is what an item of a .bib file is.
type workKind uint8

const (
	entryItem        workKind = iota
	abbreviationItem          // @string
	preambleItem              // @preamble
	commentItem               // @comment, and lines that begin with %
	lineItem                  // other text between items
)

// item is a part of a .bib file, from one byte to before another.
type item struct {
	kind    workKind
	at, end int
	name    string // of an entry its type, as written
	key     string
	fields  []bibField
	text    string // of what is no entry
	open    bool   // whether its end is missing
}

// bibField is a field with its value as written, braces or quotes included.
type bibField struct {
	name, value string
}

// readBib divides the text of a .bib file into items, as BibTeX would, save
// that an item that is not closed ends where the next one begins a line.
func readBib(text string) []item {
	r := bibReader{text: text}
	for r.at < len(text) {
		r.line()
	}
	return r.items
}

type bibReader struct {
	text  string
	at    int
	items []item
	// lineEnd and next are the end of the line in hand and the place where the
	// item in hand must end; each holds while at is before it.
	lineEnd, next int
}

// line reads text up to the line end, or an item that begins on the line.
func (r *bibReader) line() {
	if r.at >= r.lineEnd {
		if end := strings.IndexByte(r.text[r.at:], '\n'); end >= 0 {
			r.lineEnd = r.at + end + 1
		} else {
			r.lineEnd = len(r.text)
		}
	}
	line := r.text[r.at:r.lineEnd]
	if !strings.HasPrefix(strings.TrimLeft(line, " \t"), "%") {
		if head := itemBegin.FindStringSubmatchIndex(line); head != nil {
			r.between(r.at, r.at+head[0])
			r.item(r.at+head[0], line[head[2]:head[3]], r.at+head[1])
			return
		}
	}
	r.between(r.at, r.lineEnd)
	r.at = r.lineEnd
}

// between adds text that is no item.
func (r *bibReader) between(at, end int) {
	text := strings.TrimSpace(strings.TrimPrefix(r.text[at:end], "\ufeff"))
	switch {
	case text == "" || strings.HasPrefix(text, "```"):
	case text[0] == '%':
		r.items = append(r.items, item{kind: commentItem, at: at, end: end, text: text})
	default:
		r.items = append(r.items, item{kind: lineItem, at: at, end: end, text: text})
	}
}

// itemBegin is how an item begins: @name and an opening bracket.
var itemBegin = lazyregexp.New(`@([A-Za-z]+)[ \t]*[{(]`)

// item reads an item from its beginning, with its name, on: what stands in the brackets.
func (r *bibReader) item(at int, name string, inside int) {
	it := item{at: at, name: name}
	body := bibBody{text: r.text[:r.limit(at)], at: inside, closing: '}'}
	if r.text[body.at-1] == '(' {
		body.closing = ')'
	}
	switch strings.ToLower(name) {
	case "comment":
		it.kind, it.text = commentItem, body.rest()
	case "preamble":
		it.kind, it.text = preambleItem, body.rest()
	case "string":
		it.kind = abbreviationItem
		body.fields(&it)
	default:
		it.key = body.key()
		body.fields(&it)
	}
	it.open = !body.closed
	it.end = body.at
	r.items = append(r.items, it)
	r.at = body.at
}

// limit is where an item must end that begins at a place: before the next one
// that begins a line.
func (r *bibReader) limit(at int) int {
	if at < r.next {
		return r.next
	}
	for r.next = at; ; {
		n := strings.IndexByte(r.text[r.next:], '\n')
		if n < 0 {
			r.next = len(r.text)
			return r.next
		}
		r.next += n + 1
		rest := strings.TrimLeft(r.text[r.next:], " \t")
		const longest = 64 // of a type and blanks
		if head := itemBegin.FindStringIndex(rest[:min(len(rest), longest)]); head != nil && head[0] == 0 {
			return r.next
		}
	}
}

// bibBody reads what stands between the brackets of an item.
type bibBody struct {
	text    string // up to where the item must end
	at      int
	closing byte
	closed  bool
}

// rest is everything up to the closing bracket.
func (b *bibBody) rest() string {
	start := b.at
	b.balanced(b.closing)
	text := b.text[start:b.at]
	b.close()
	return pytext.Strip(text)
}

func (b *bibBody) close() {
	if b.at < len(b.text) && b.text[b.at] == b.closing {
		b.at++
		b.closed = true
	}
}

// balanced goes to the next of some characters outside of braces.
func (b *bibBody) balanced(until ...byte) {
	depth := 0
	for ; b.at < len(b.text); b.at++ {
		c := b.text[b.at]
		if depth == 0 && slices.Contains(until, c) {
			return
		}
		switch c {
		case '{':
			depth++
		case '}':
			depth = max(depth-1, 0)
		}
	}
}

// key reads the key of an entry.
func (b *bibBody) key() string {
	for b.at < len(b.text) && pytext.IsSpace(rune(b.text[b.at])) {
		b.at++
	}
	start := b.at
	b.upTo(",\n")
	return pytext.Strip(b.text[start:b.at])
}

// upTo goes to the next of some characters, or to the closing bracket.
func (b *bibBody) upTo(stops string) {
	for b.at < len(b.text) && strings.IndexByte(stops, b.text[b.at]) < 0 && b.text[b.at] != b.closing {
		b.at++
	}
}

// fields reads the fields of an item up to its end.
func (b *bibBody) fields(it *item) {
	for b.at < len(b.text) && !b.closed {
		switch c := b.text[b.at]; {
		case c == b.closing:
			b.close()
		case strings.IndexByte(" \t\r\n,", c) >= 0:
			b.at++
		default:
			it.fields = append(it.fields, b.field())
		}
	}
}

// field reads a name and a value. What has no equals sign is a value alone.
func (b *bibBody) field() bibField {
	start := b.at
	b.upTo("=,{}\"#\n")
	name := pytext.Strip(b.text[start:b.at])
	for b.at < len(b.text) && strings.IndexByte(" \t\r\n", b.text[b.at]) >= 0 {
		b.at++
	}
	if b.at >= len(b.text) || b.text[b.at] != '=' {
		b.value()
		return bibField{value: pytext.Strip(b.text[start:b.at])}
	}
	b.at++
	start = b.at
	b.value()
	return bibField{name: name, value: pytext.Strip(b.text[start:b.at])}
}

// closers are what closes a quoted text, by what opens it.
var closers = map[byte]byte{'"': '"', '{': '}'}

// value goes to the comma or the end after a value.
func (b *bibBody) value() {
	for b.at < len(b.text) && b.text[b.at] != ',' && b.text[b.at] != b.closing {
		closer, isQuoted := closers[b.text[b.at]]
		b.at++
		if isQuoted {
			b.balanced(closer)
			b.at = min(b.at+1, len(b.text))
		}
	}
}
