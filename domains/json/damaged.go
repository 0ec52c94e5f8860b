package json

import (
	"strings"

	"agentd/domains/internal/plain"
)

// deepestDamaged is how many lists and objects are read in each other where
// brackets may be wrong.
const deepestDamaged = 256

// readJSON takes in text that is no valid JSON: the values in it, and the lines
// outside of them. It forgives comments, single quotes, bare names, quotes
// inside of strings, missing and surplus commas and missing brackets.
func readJSON(text string) content {
	r := damagedReader{text: text}
	for {
		r.skip()
		switch r.peek() {
		case 0:
			return r.content
		case '{', '[':
			r.roots = plain.Append(r.roots, r.value())
		case ',', ';', '}', ']', 0x1e: // between values, as in text sequences
			r.at++
		default:
			if line := strings.TrimSpace(strings.ReplaceAll(r.line(), "\x00", "")); line != "" {
				r.outside = plain.Append(r.outside, line)
			}
		}
	}
}

type damagedReader struct {
	content
	text           string
	at             int
	lists, objects int // that are open
}

// peek returns the next byte, 0 at the end; a NUL in the text is passed over.
func (r *damagedReader) peek() byte {
	for r.at < len(r.text) {
		if c := r.text[r.at]; c != 0 {
			return c
		}
		r.at++
	}
	return 0
}

func (r *damagedReader) rest() string { return r.text[r.at:] }

// line takes the rest of the line.
func (r *damagedReader) line() string {
	line, _, _ := strings.Cut(r.rest(), "\n")
	r.at += len(line)
	return line
}

// skip goes to the next token, past comments: JSON has none, so they say nothing
// that the document says.
func (r *damagedReader) skip() {
	for {
		for r.at < len(r.text) && strings.IndexByte(" \t\n\r", r.text[r.at]) >= 0 {
			r.at++
		}
		switch {
		case strings.HasPrefix(r.rest(), "//"), strings.HasPrefix(r.rest(), "#"):
			r.line()
		case strings.HasPrefix(r.rest(), "/*"):
			_, after, _ := strings.Cut(r.rest(), "*/")
			r.at = len(r.text) - len(after)
		default:
			return
		}
	}
}

// value reads the value at hand. It always goes on by at least a byte.
func (r *damagedReader) value() *node {
	switch c := r.peek(); c {
	case '[', '{':
		if r.lists+r.objects >= deepestDamaged { // what is deeper belongs to this level
			r.at += len(r.rest()) - len(strings.TrimLeft(r.rest(), "[{"))
			return listOf()
		}
		if c == '[' {
			return r.list()
		}
		return r.object()
	case '"', '\'':
		return textNode(r.string())
	}
	return bareNode(r.bareWord())
}

func (r *damagedReader) list() *node {
	n := listOf()
	r.at++
	r.lists++
	defer func() { r.lists-- }()
	for {
		r.skip()
		switch r.peek() {
		case 0:
			return n
		case ']':
			r.at++
			return n
		case '}':
			if r.objects > 0 {
				return n // the bracket is missing
			}
			r.at++
		case ',', ':':
			r.at++
		default:
			n.items = plain.Append(n.items, r.value())
		}
	}
}

func (r *damagedReader) object() *node {
	n := objectOf()
	r.at++
	r.objects++
	defer func() { r.objects-- }()
	for {
		r.skip()
		switch r.peek() {
		case 0:
			return n
		case '}':
			r.at++
			return n
		case ']':
			if r.lists > 0 {
				return n // the brace is missing
			}
			r.at++
		case ',', ':':
			r.at++
		case '[', '{':
			n.members = plain.Append(n.members, member{value: r.value()})
		default:
			r.member(n)
		}
	}
}

func (r *damagedReader) member(n *node) {
	var name string
	if c := r.peek(); c == '"' || c == '\'' {
		name = r.string()
	} else {
		name = r.bareWord()
	}
	r.skip()
	if r.peek() != ':' {
		r.outside = plain.Append(r.outside, name)
		return
	}
	r.at++
	r.skip()
	value := &node{}
	if c := r.peek(); c != 0 && strings.IndexByte(",}]", c) < 0 {
		value = r.value()
	}
	n.members = plain.Append(n.members, member{name: name, value: value})
}

// bareWord takes text up to where a token may end.
func (r *damagedReader) bareWord() string {
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

// bareNode is a value without quotes, as JSON, JavaScript or Python have it.
func bareNode(word string) *node {
	switch word {
	case "null", "None", "undefined":
		return &node{}
	case "true", "True":
		return &node{kind: boolKind, text: "true"}
	case "false", "False":
		return &node{kind: boolKind, text: "false"}
	case "NaN", "Infinity", "-Infinity":
		return &node{kind: numberKind, text: word}
	}
	if _, ok := readNumber(word); ok {
		return &node{kind: numberKind, text: word}
	}
	return textNode(word)
}

// string reads quoted text. A quote ends it if what follows may follow a string.
// Where no quote of the line does, the next one below may; otherwise the text ends
// with the line.
func (r *damagedReader) string() string {
	quote := r.text[r.at]
	start := r.at + 1
	for at := start; at < len(r.text); at++ {
		switch r.text[at] {
		case '\\':
			at++
		case '\n':
			if end, ok := r.closing(at, quote); ok {
				r.at = end + 1
				return unescaped(r.text[start:end])
			}
			r.at = at
			return unescaped(strings.TrimRight(r.text[start:at], ", \t"))
		case quote:
			if endsString(r.text[at+1:]) {
				r.at = at + 1
				return unescaped(r.text[start:at])
			}
		}
	}
	r.at = len(r.text)
	return unescaped(r.text[start:])
}

// closing returns the place of the first quote from a line's end on, if it ends
// a string: line ends may stand in strings.
func (r *damagedReader) closing(from int, quote byte) (int, bool) {
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

// unescaped resolves escapes; one that JSON does not know stays as it is, but
// for an escaped single quote.
func unescaped(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b []byte
	d := decoder{text: s}
	for d.at < len(s) {
		c := s[d.at]
		d.at++
		if c != '\\' {
			b = append(b, c)
			continue
		}
		at := d.at
		if r, ok := d.escape(); ok {
			b = appendRune(b, r)
			continue
		}
		d.at = at
		if !strings.HasPrefix(s[at:], "'") {
			b = append(b, c)
		}
	}
	return string(b)
}
