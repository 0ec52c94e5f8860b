package geodata

import (
	"slices"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/ujson"
)

// node is a JSON value as it is written. Numbers keep their digits, objects the
// order of their members and repeated names.
type node struct {
	kind    kind
	text    string // a string's text, a number's digits, true or false
	items   []*node
	members []member
	block   bool // printed over several lines, however short it is
}

type member struct {
	name  string
	value *node
}

// Members of a feature.
const (
	geometryKey   = "geometry"
	propertiesKey = "properties"
)

type kind uint8

const (
	nullKind kind = iota
	boolKind
	numberKind
	textKind
	arrayKind
	objectKind
)

// get returns the member that counts, the last of the name; nil if there is
// none.
func (n *node) get(name string) *node {
	if n == nil {
		return nil
	}
	for _, m := range slices.Backward(n.members) {
		if m.name == name {
			return m.value
		}
	}
	return nil
}

// set gives the member a value, at the end if it is a new one.
func (n *node) set(name string, value *node) {
	for i := range n.members {
		if n.members[i].name == name {
			n.members[i].value = value
			return
		}
	}
	n.members = append(n.members, member{name, value})
}

func (n *node) remove(name string) {
	n.members = slices.DeleteFunc(n.members, func(m member) bool { return m.name == name })
}

func (n *node) is(k kind) bool { return n != nil && n.kind == k }

// isText reports whether the node is the given string.
func (n *node) isText(s string) bool { return n.is(textKind) && n.text == s }

// read takes in any text: the JSON values in it, and the lines and comments
// outside of them. It forgives a byte order mark, code fences, single quotes,
// bare names, quotes inside of strings, missing and surplus commas and missing
// brackets.
func read(content string) (values []*node, outside []string) {
	r := reader{text: strings.Join(plain.Lines(content), "\n")}
	for {
		r.skipBlanks()
		switch c := r.peek(); c {
		case 0:
			return values, r.outside
		case '{', '[':
			values = append(values, r.value())
		case ',', ';', 0x1e: // between values, as in text sequences
			r.at++
		default:
			r.leave(r.line())
		}
	}
}

type reader struct {
	text            string
	at              int
	arrays, objects int // that are open
	outside         []string
}

// peek returns the next byte, 0 at the end; a NUL in the text is passed over.
func (r *reader) peek() byte {
	for r.at < len(r.text) {
		if c := r.text[r.at]; c != 0 {
			return c
		}
		r.at++
	}
	return 0
}

func (r *reader) rest() string { return r.text[r.at:] }

// line takes the rest of the line.
func (r *reader) line() string {
	line, _, _ := strings.Cut(r.rest(), "\n")
	r.at += len(line)
	return line
}

// leave keeps text that is no JSON.
func (r *reader) leave(words string) {
	if words = strings.TrimSpace(strings.Trim(words, "\x00")); words != "" {
		r.outside = append(r.outside, words)
	}
}

func (r *reader) skipBlanks() {
	for r.at < len(r.text) && strings.IndexByte(" \t\n\r", r.text[r.at]) >= 0 {
		r.at++
	}
}

// skip goes to the next token inside a value. Comments are left outside.
func (r *reader) skip() {
	for {
		r.skipBlanks()
		switch {
		case strings.HasPrefix(r.rest(), "//"):
			r.leave(r.line())
		case strings.HasPrefix(r.rest(), "/*"):
			comment, _, closed := strings.Cut(r.rest(), "*/")
			r.leave(comment)
			r.at += len(comment)
			if closed {
				r.at += len("*/")
			}
		default:
			return
		}
	}
}

// value reads the value at hand. It always goes on by at least a byte.
func (r *reader) value() *node {
	switch c := r.peek(); c {
	case '[', '{':
		if r.arrays+r.objects >= ujson.Deepest { // what is deeper belongs to this level
			r.at += len(r.rest()) - len(strings.TrimLeft(r.rest(), "[{"))
			return &node{kind: arrayKind}
		}
		if c == '[' {
			return r.array()
		}
		return r.object()
	case '"', '\'':
		return &node{kind: textKind, text: r.string()}
	}
	return bareNode(r.bareWord())
}

func (r *reader) array() *node {
	n := &node{kind: arrayKind}
	r.at++
	r.arrays++
	defer func() { r.arrays-- }()
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

func (r *reader) object() *node {
	n := &node{kind: objectKind}
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
			if r.arrays > 0 {
				return n // the brace is missing
			}
			r.at++
		case ',', ':':
			r.at++
		case '[', '{':
			n.members = append(n.members, member{"", r.value()})
		default:
			r.member(n)
		}
	}
}

func (r *reader) member(n *node) {
	var name string
	if c := r.peek(); c == '"' || c == '\'' {
		name = r.string()
	} else {
		name = r.bareWord()
	}
	r.skip()
	if r.peek() != ':' {
		r.leave(name)
		return
	}
	r.at++
	r.skip()
	switch r.peek() {
	case 0, ',', '}', ']':
		n.members = append(n.members, member{name, &node{}})
	default:
		n.members = append(n.members, member{name, r.value()})
	}
}

// bareWord takes text up to where a token may end.
func (r *reader) bareWord() string {
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
	return &node{kind: textKind, text: word}
}

// string reads quoted text. A quote ends it if what follows may follow a string.
// Where no quote of the line does, the next one below may; otherwise the text ends
// with the line.
func (r *reader) string() string {
	quote := r.text[r.at]
	start := r.at + 1
	for at := start; at < len(r.text); at++ {
		switch r.text[at] {
		case '\\':
			at++
		case '\n':
			if end, ok := r.closing(at, quote); ok {
				r.at = end + 1
				return ujson.Unescape(r.text[start:end])
			}
			r.at = at
			return ujson.Unescape(strings.TrimRight(r.text[start:at], ", \t"))
		case quote:
			if endsString(r.text[at+1:]) {
				r.at = at + 1
				return ujson.Unescape(r.text[start:at])
			}
		}
	}
	r.at = len(r.text)
	return ujson.Unescape(r.text[start:])
}

// closing returns the place of the first quote from a line's end on, if it ends
// a string: line ends may stand in strings.
func (r *reader) closing(from int, quote byte) (int, bool) {
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
