package jsontext

import (
	"bytes"
	"strings"

	"agentd/domains/internal/plain"
)

// Reader reads text that may be no valid JSON. It forgives comments, single quotes, bare names, quotes inside of
// strings, missing and surplus commas and missing brackets. Where a value begins, its user says.
type Reader[V any] struct {
	scanner
	maker          Collector[V]
	spans          spanned[V] // the maker, where it wants to know; otherwise nil
	deepest        int
	lists, objects int // that are open
}

// spanned is a Collector that is told where each value stands in the text.
type spanned[V any] interface{ Span(value V, at Span) }

// Span is where a value stands in a text, in bytes.
type Span struct{ From, To int }

// Without leaves values out of a text, each with the comma that divides it from the next or, of the last, from the one
// before. Spans are in the order of the text.
func Without(text string, spans []Span) string {
	const blanks = " \t\r\n"
	var left []byte
	at := 0
	for _, s := range spans {
		left = bytes.TrimRight(append(left, text[at:s.From]...), blanks)
		at = s.To
		if rest, ok := strings.CutPrefix(strings.TrimLeft(text[at:], blanks), ","); ok {
			at = len(text) - len(rest)
		} else {
			left = bytes.TrimSuffix(left, []byte(","))
		}
	}
	return string(append(left, text[at:]...))
}

// NewReader returns a reader that reads lists and objects up to a number in each other.
func NewReader[V any](text string, deepest int, rules Rules, maker Collector[V]) *Reader[V] {
	spans, _ := maker.(spanned[V])
	return &Reader[V]{scanner: scanner{text: text, rules: rules}, maker: maker, spans: spans, deepest: deepest}
}

// Peek returns the next byte, 0 at the end; a NUL in the text is passed over.
func (r *Reader[V]) Peek() byte {
	for r.at < len(r.text) {
		if c := r.text[r.at]; c != 0 {
			return c
		}
		r.at++
	}
	return 0
}

// Pass passes over the next byte.
func (r *Reader[V]) Pass() { r.at++ }

// SkipBlanks passes over white space.
func (r *Reader[V]) SkipBlanks() { r.skipBlanks() }

func (r *Reader[V]) rest() string { return r.text[r.at:] }

// Line takes the rest of the line.
func (r *Reader[V]) Line() string {
	line, _, _ := strings.Cut(r.rest(), "\n")
	r.at += len(line)
	return line
}

// Skip goes to the next token, past comments.
func (r *Reader[V]) Skip() {
	for {
		r.skipBlanks()
		switch {
		case strings.HasPrefix(r.rest(), "//"), r.rules.Scripts && strings.HasPrefix(r.rest(), "#"):
			r.maker.Comment(r.Line())
		case strings.HasPrefix(r.rest(), "/*"):
			comment, after, _ := strings.Cut(r.rest(), "*/")
			r.maker.Comment(comment)
			r.at = len(r.text) - len(after)
		default:
			return
		}
	}
}

// Value reads the value at hand. It always goes on by at least a byte.
func (r *Reader[V]) Value() V {
	from := r.at
	value := r.value()
	if r.spans != nil {
		r.spans.Span(value, Span{from, r.at})
	}
	return value
}

func (r *Reader[V]) value() V {
	switch c := r.Peek(); c {
	case '[', '{':
		if r.lists+r.objects >= r.deepest { // what is deeper belongs to this level
			r.at += len(r.rest()) - len(strings.TrimLeft(r.rest(), "[{"))
			return r.maker.List(nil)
		}
		if c == '[' {
			return r.list()
		}
		return r.object()
	case '"', '\'':
		return r.maker.Scalar(Text, r.string())
	}
	return r.maker.Scalar(bareScalar(r.bareWord()))
}

func (r *Reader[V]) list() V {
	var items []V
	r.at++
	r.lists++
	defer func() { r.lists-- }()
	for {
		r.Skip()
		switch r.Peek() {
		case 0:
			return r.maker.List(items)
		case ']':
			r.at++
			return r.maker.List(items)
		case '}':
			if r.objects > 0 {
				return r.maker.List(items) // the bracket is missing
			}
			r.at++
		case ',', ':':
			r.at++
		default:
			items = plain.Append(items, r.Value())
		}
	}
}

func (r *Reader[V]) object() V {
	object := r.maker.Object()
	r.at++
	r.objects++
	defer func() { r.objects-- }()
	for {
		r.Skip()
		switch r.Peek() {
		case 0:
			return object
		case '}':
			r.at++
			return object
		case ']':
			if r.lists > 0 {
				return object // the brace is missing
			}
			r.at++
		case ',', ':':
			r.at++
		case '[', '{':
			r.maker.Member(object, "", r.Value())
		default:
			r.member(object)
		}
	}
}

func (r *Reader[V]) member(object V) {
	var name string
	if c := r.Peek(); c == '"' || c == '\'' {
		name = r.string()
	} else {
		name = r.bareWord()
	}
	r.Skip()
	if r.Peek() != ':' {
		r.maker.Outside(name)
		return
	}
	r.at++
	r.Skip()
	switch r.Peek() {
	case 0, ',', '}', ']':
		r.maker.Member(object, name, r.maker.Scalar(Null, ""))
	default:
		r.maker.Member(object, name, r.Value())
	}
}

// bareWord takes text up to where a token may end.
func (r *Reader[V]) bareWord() string {
	length := strings.IndexAny(r.rest(), ",:]}[{\"\n")
	switch {
	case length < 0:
		length = len(r.rest())
	case length == 0:
		length = 1
	}
	word := r.rest()[:length]
	r.at += length
	return strings.TrimSpace(word)
}

// bareScalar is a value without quotes, as JSON, JavaScript or Python have it.
func bareScalar(word string) (Kind, string) {
	switch word {
	case "null", "None", "undefined":
		return Null, ""
	case "true", "True":
		return Bool, "true"
	case "false", "False":
		return Bool, "false"
	case "NaN", "Infinity", "-Infinity":
		return Number, word
	}
	if _, ok := ReadDecimal(word); ok {
		return Number, word
	}
	return Text, word
}

// string reads quoted text. A quote ends it if what follows may follow a string. Where no quote of the line does, the
// next one below may; otherwise the text ends with the line.
func (r *Reader[V]) string() string {
	quote := r.text[r.at]
	start := r.at + 1
	for at := start; at < len(r.text); at++ {
		switch r.text[at] {
		case '\\':
			at++
		case '\n':
			if end, ok := r.closing(at, quote); ok {
				r.at = end + 1
				return unescaped(r.text[start:end], r.rules)
			}
			r.at = at
			return unescaped(strings.TrimRight(r.text[start:at], ", \t"), r.rules)
		case quote:
			if endsString(r.text[at+1:]) {
				r.at = at + 1
				return unescaped(r.text[start:at], r.rules)
			}
		}
	}
	r.at = len(r.text)
	return unescaped(r.text[start:], r.rules)
}

// closing returns the place of the first quote from a line's end on, if it ends
// a string: line ends may stand in strings.
func (r *Reader[V]) closing(from int, quote byte) (int, bool) {
	for at := from; at < len(r.text); at++ {
		switch r.text[at] {
		case '\\':
			at++
		case quote:
			rest := strings.TrimLeft(r.text[at+1:], " \t")
			return at, rest == "" || strings.IndexByte(",]}\n", rest[0]) >= 0
		}
	}
	return 0, false
}

// endsString reports whether text goes on as it may after a string.
func endsString(rest string) bool {
	rest = strings.TrimLeft(rest, " \t")
	return rest == "" || strings.IndexByte(",:]}\n", rest[0]) >= 0 ||
		strings.HasPrefix(rest, "//") || strings.HasPrefix(rest, "/*")
}
