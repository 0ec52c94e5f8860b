package vector

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/image/colornames"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/xml"
	published "agentd/domains/published/vector"
)

// normalValue is equal for equal values of an attribute or property.
func normalValue(name, value string) string {
	value = pytext.Collapse(value)
	switch name {
	case "class":
		classes := strings.Split(value, " ")
		slices.Sort(classes)
		return strings.Join(slices.Compact(classes), " ")
	case "fill", "stroke", "color", "stop-color", "flood-color", "lighting-color":
		return normalColour(unquoted(value))
	case "font-family":
		return strings.ReplaceAll(withoutQuotes.Replace(value), ", ", ",")
	case "id", "href", "name", "title", "lang", "target", "type", "media", "result", "in", "in2":
		return value
	}
	if strings.Contains(name, ":") || strings.HasPrefix(name, "data-") || strings.HasPrefix(name, "aria-") {
		return value
	}
	return normalNumbers(unquoted(value))
}

// unquoted takes the quotes off the address in url("…").
func unquoted(value string) string {
	if !strings.Contains(value, "url(") {
		return value
	}
	return bareAddress.Replace(value)
}

var (
	withoutQuotes = strings.NewReplacer(`"`, "", "'", "")
	bareAddress   = strings.NewReplacer(`url("`, "url(", "url('", "url(", `")`, ")", "')", ")")
)

// normalNumbers writes the numbers of a value in one way, with one blank for
// regardless of what separates them. A pixel is the unit that has no name.
func normalNumbers(value string) string {
	if !strings.ContainsAny(value, "0123456789") {
		return value
	}
	var b strings.Builder
	inWord, isUnit := false, false // a word may have digits; a unit follows its number
	for value != "" {
		if trimmed := strings.TrimLeft(value, " ,"); trimmed != value {
			value, inWord, isUnit = trimmed, false, false
			continue
		}
		if n := numberLength(value); n > 0 && !inWord {
			separate(&b)
			b.WriteString(plain.Number(value[:n]))
			value, isUnit = strings.TrimPrefix(value[n:], "px"), true
			continue
		}
		isLetter := isWordByte(value[0])
		if isLetter && !inWord && !isUnit {
			separate(&b)
		}
		b.WriteByte(value[0])
		value, inWord, isUnit = value[1:], isLetter, false
	}
	return b.String()
}

// isWordByte reports whether a byte is one of a name.
func isWordByte(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '#' || c == '_' || c == '-' || c >= 0x80
}

// separate writes a blank where one is needed.
func separate(b *strings.Builder) {
	if text := b.String(); text != "" && text[len(text)-1] != '(' {
		b.WriteByte(' ')
	}
}

// numberLength is the length of the number at the start of a text.
func numberLength(text string) int {
	n := 0
	if text != "" && (text[0] == '+' || text[0] == '-') {
		n = 1
	}
	count := digitCount(text[n:])
	n += count
	if strings.HasPrefix(text[n:], ".") {
		fraction := digitCount(text[n+1:])
		count += fraction
		n += 1 + fraction
	}
	if count == 0 {
		return 0
	}
	if n < len(text) && text[n]|0x20 == 'e' {
		exponent := n + 1
		if exponent < len(text) && (text[exponent] == '+' || text[exponent] == '-') {
			exponent++
		}
		if places := digitCount(text[exponent:]); places > 0 {
			n = exponent + places
		}
	}
	return n
}

func digitCount(text string) int {
	n := 0
	for n < len(text) && text[n] >= '0' && text[n] <= '9' {
		n++
	}
	return n
}

// mostOutlines is from which subpath on the rest counts as one.
const mostOutlines = 16

// outlinesOf are the subpaths of path data, each segment with its command. What is no path data is one text.
func outlinesOf(data string) []string {
	var all []string
	var b strings.Builder
	for rest := strings.TrimLeft(data, " ,\t\r\n"); rest != ""; {
		command := rest[0]
		n, known := arguments[command|0x20]
		if !known {
			return []string{pytext.Collapse(data)}
		}
		if command|0x20 == 'm' && b.Len() > 0 && len(all) < mostOutlines-1 {
			all = append(all, b.String())
			b.Reset()
		}
		var ok bool
		if rest, ok = segments(&b, command, n, rest[1:]); !ok {
			return []string{pytext.Collapse(data)}
		}
	}
	return append(all, b.String())
}

// arguments is how many numbers each command of path data takes.
var arguments = map[byte]int{'m': 2, 'l': 2, 'h': 1, 'v': 1, 'c': 6, 's': 4, 'q': 4, 't': 2, 'a': 7, 'z': 0}

// segments writes the segments of one command, which need not be repeated, and returns what follows them.
func segments(b *strings.Builder, command byte, n int, rest string) (string, bool) {
	for first := true; ; first = false {
		rest = strings.TrimLeft(rest, " ,\t\r\n")
		more := numberLength(rest) > 0
		if !first && !more {
			return rest, true
		}
		if n == 0 {
			b.WriteByte(command | 0x20)
			return rest, !more
		}
		b.WriteByte(command)
		for k := range n {
			length := numberLength(rest)
			if command|0x20 == 'a' && (k == 3 || k == 4) { // a flag is one digit
				length = min(length, 1)
			}
			if length == 0 {
				return "", false
			}
			if k > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(plain.Number(rest[:length]))
			rest = strings.TrimLeft(rest[length:], " ,\t\r\n")
		}
		switch command { // lines follow a move
		case 'm':
			command = 'l'
		case 'M':
			command = 'L'
		}
	}
}

// normalColour is the colour as #rrggbb where it is known.
func normalColour(text string) string {
	lower := strings.ToLower(text)
	if c, ok := colornames.Map[lower]; ok {
		return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B)
	}
	if lower == "rebeccapurple" { // the only name that CSS has and SVG has not
		return "#663399"
	}
	if strings.HasPrefix(lower, "#") && len(lower) == len("#abc") {
		return published.PublishedColour(lower)
	}
	inside, ok := strings.CutPrefix(lower, "rgb(")
	if !ok || !strings.HasSuffix(inside, ")") {
		if strings.HasPrefix(lower, "#") {
			return lower
		}
		return text
	}
	parts := strings.FieldsFunc(strings.TrimSuffix(inside, ")"), func(r rune) bool { return r == ',' || r == ' ' })
	hex := "#"
	for _, part := range parts {
		value, err := strconv.ParseUint(part, 10, 8)
		if err != nil {
			return lower
		}
		hex += fmt.Sprintf("%02x", value)
	}
	if len(parts) != 3 {
		return lower
	}
	return hex
}

// declarationsOf are the declarations of a style attribute or rule.
func declarationsOf(style string) []domains.Field {
	var all []domains.Field
	for part := range strings.SplitSeq(style, ";") {
		name, value, _ := strings.Cut(part, ":")
		if name = strings.ToLower(pytext.Strip(name)); name != "" {
			all = plain.Append(all, domains.Field{Name: name, Value: normalValue(name, value)})
		}
	}
	return all
}

// styleSheet flattens the rules of a style element, which have an order, and its
// comments. One that has elements is none.
func (f *flattener) styleSheet(n *xml.Node, s scope) {
	if !n.IsLeaf() {
		f.inside(n, scope{in: f.key(n), defined: s.defined})
		return
	}
	var text strings.Builder
	for _, c := range n.Children {
		text.WriteString(c.Text) // also of a comment: old pages hide the rules in one
	}
	f.rules(f.withoutComments(text.String()))
}

// withoutComments takes the comments out of a style sheet, into elements.
func (f *flattener) withoutComments(sheet string) string {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(sheet, "/*")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		comment, rest, _ := strings.Cut(after, "*/")
		f.add(domains.Element{
			Kind: "comment", Key: "comment", Fields: []domains.Field{{Value: pytext.Collapse(comment)}},
		})
		sheet = rest
	}
}

// rules flattens rules; those inside of another, such as @media, stand under its name.
func (f *flattener) rules(sheet string) {
	var within []string
	for sheet != "" {
		end := strings.IndexAny(sheet, "{}")
		if end < 0 {
			f.lines(sheet)
			return
		}
		head, mark := pytext.Collapse(sheet[:end]), sheet[end]
		sheet = sheet[end+1:]
		if mark == '}' {
			within = within[:max(len(within)-1, 0)]
			f.lines(head)
			continue
		}
		inner := strings.IndexAny(sheet, "{}")
		if inner >= 0 && sheet[inner] == '{' {
			const deepest = 8
			if len(within) < deepest {
				within = append(within, head)
			}
			continue
		}
		if inner < 0 {
			inner = len(sheet)
		}
		f.rule(strings.Join(within, " "), head, sheet[:inner])
		sheet = sheet[min(inner+1, len(sheet)):]
	}
}

func (f *flattener) rule(within, selector, declarations string) {
	selector = strings.ReplaceAll(strings.ReplaceAll(selector, ", ", ","), " ,", ",")
	e := domains.Element{Kind: "rule", Key: "rule " + shortened(selector), Position: f.place("rule")}
	e.Fields = append([]domains.Field{{Name: "selector", Value: selector}}, declarationsOf(declarations)...)
	if within != "" {
		e.Fields = append(e.Fields, domains.Field{Name: "within", Value: within})
	}
	f.add(e)
}
