package python

import (
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	published "agentd/domains/published/python"
	"agentd/vfs"
)

// written is code in one spelling: one blank where blanks matter, texts in double quotes by what they say, numbers by
// value, no comma before a closing bracket where it means nothing. renamed gives names another spelling; it may be nil.
func written(tokens []token, renamed map[string]string) string {
	return spelled(withoutIdleParentheses(tokens), renamed)
}

// spelled is written of tokens without idle parentheses.
func spelled(tokens []token, renamed map[string]string) string {
	var b strings.Builder
	var before token
	isSign := false // before is one of a value, such as that of -1
	idle := idleCommas(tokens)
	for i := 0; i < len(tokens); i++ {
		t := tokens[i]
		if idle != nil && idle[i] {
			continue
		}
		if b.Len() > 0 && !isSign && spaced(before, t) {
			b.WriteByte(' ')
		}
		isSign = strings.Contains("+-*", t.text[:1]) && t.kind == operatorToken && (b.Len() == 0 || !endsValue(before))
		before = t
		switch t.kind {
		case stringToken:
			i = writeTexts(&b, tokens, i, renamed)
		case numberToken:
			b.WriteString(number(t.text))
		case nameToken:
			name := t.text
			if other, ok := renamed[name]; ok && !isAttribute(tokens, i) {
				name = other
			}
			b.WriteString(name)
		default:
			b.WriteString(t.text)
		}
	}
	return b.String()
}

// spaced reports whether a blank stands between two tokens.
func spaced(a, b token) bool {
	if b.kind == operatorToken {
		switch c := b.text[0]; c {
		case ')', ']', '}', ',', ';':
			return false
		case '.', ':':
			return len(b.text) > 1
		case '(', '[':
			return !endsValue(a) && !a.opens() && !(a.kind == operatorToken && a.text[0] == '.')
		}
	}
	if a.kind == operatorToken {
		return !a.opens() && a.text != "~" && a.text != "@" && a.text != "."
	}
	return true
}

// idleCommas are the places of commas before closing brackets that mean
// nothing: not that of a tuple of one, nor of a subscript.
func idleCommas(tokens []token) []bool {
	var idle []bool // nil if there is none
	type bracket struct {
		opener byte
		isCall bool // or a subscript
		commas int
	}
	open := make([]bracket, 0, 8)
	for i, t := range tokens {
		switch {
		case t.opens():
			open = append(open, bracket{opener: t.text[0], isCall: i > 0 && endsValue(tokens[i-1])})
		case len(open) == 0:
		case t.text == ",":
			in := &open[len(open)-1]
			in.commas++
			if i+1 == len(tokens) || !tokens[i+1].closes() {
				continue
			}
			if in.commas > 1 || in.opener == '{' || (in.opener == '(') == in.isCall {
				if idle == nil {
					idle = make([]bool, len(tokens))
				}
				idle[i] = true
			}
		case t.closes():
			open = open[:len(open)-1]
		}
	}
	return idle
}

// writeTexts writes the text at a place, and those after it that continue it,
// as one. It returns the place of the last of them.
func writeTexts(b *strings.Builder, tokens []token, i int, renamed map[string]string) int {
	says := func(t token) (prefix, text string) {
		if len(renamed) > 0 {
			return decoded(respelt(t, renamed))
		}
		return decoded(t.text)
	}
	prefix, text := says(tokens[i])
	parts := []string{text}
	for i+1 < len(tokens) && tokens[i+1].kind == stringToken {
		next, more := says(tokens[i+1])
		if next != prefix {
			break
		}
		parts = append(parts, more)
		i++
	}
	text = strings.Join(parts, "")
	b.WriteString(prefix)
	if strings.ContainsAny(text, "\\\"\n") || !utf8.ValidString(text) {
		b.WriteString(strconv.Quote(text))
	} else {
		b.WriteByte('"')
		b.WriteString(text)
		b.WriteByte('"')
	}
	return i
}

// literal divides a text as it is written into prefix, quotes and what stands between them.
func literal(text string) (prefix, quotes, content string) {
	size := max(stringPrefix(text), 0)
	prefix, rest := text[:size], text[size:]
	if rest == "" {
		return prefix, "", ""
	}
	quotes = quotesBefore(rest)
	content = rest[len(quotes):]
	return prefix, quotes, strings.TrimSuffix(content, quotes)
}

// decoded is what a text says. The prefix is b, f or both where the text has them.
func decoded(text string) (prefix, says string) {
	written, _, content := literal(text)
	raw := false
	for _, c := range strings.ToLower(written) {
		switch c {
		case 'r':
			raw = true
		case 'b', 'f':
			prefix += string(c)
		}
	}
	if raw || !strings.Contains(content, `\`) {
		return prefix, content
	}
	return prefix, unescaped(content, prefix == "b")
}

var simpleEscapes = map[byte]string{
	'\n': "", '\\': `\`, '\'': "'", '"': `"`, 'a': "\a", 'b': "\b", 'f': "\f", 'n': "\n", 'r': "\r", 't': "\t", 'v': "\v",
}

func unescaped(text string, bytes bool) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+1 == len(text) {
			b.WriteByte(text[i])
			continue
		}
		i++
		if plain, ok := simpleEscapes[text[i]]; ok {
			b.WriteString(plain)
			continue
		}
		digits, base := 0, 16
		switch c := text[i]; {
		case c == 'x':
			digits = 2
		case c == 'u' && !bytes:
			digits = 4
		case c == 'U' && !bytes:
			digits = 8
		case c >= '0' && c <= '7':
			i, base = i-1, 8
			for digits < 3 && i+1+digits < len(text) && text[i+1+digits] >= '0' && text[i+1+digits] <= '7' {
				digits++
			}
		}
		if digits > 0 && i+digits < len(text) {
			if value, err := strconv.ParseUint(text[i+1:i+1+digits], base, 32); err == nil {
				b.WriteRune(rune(value))
				i += digits
				continue
			}
		}
		b.WriteString(`\` + text[i:i+1])
	}
	return b.String()
}

// number is a number in one spelling.
func number(text string) string {
	const longest = 64 // digits; longer ones are compared as they are written
	if len(text) <= longest && plain.IsDigits(text) && text[0] != '0' {
		return text
	}
	bare := strings.ToLower(strings.ReplaceAll(text, "_", ""))
	if len(bare) > longest || bare == "" || strings.HasSuffix(bare, "j") {
		return bare
	}
	isHex := strings.HasPrefix(bare, "0x")
	if !isHex && strings.ContainsAny(bare, ".e") {
		value, err := strconv.ParseFloat(bare, 64)
		if err != nil {
			return bare
		}
		short := strconv.FormatFloat(value, 'g', -1, 64)
		if !strings.ContainsAny(short, ".e") {
			short += ".0"
		}
		return short
	}
	if value, ok := new(big.Int).SetString(bare, 0); ok && (bare[0] != '0' || slices.Contains([]string{"0x", "0o", "0b", "0"}, bare[:min(2, len(bare))])) {
		return value.String()
	}
	return bare
}

// without leaves definitions out, each with what stands in it and the comments above it; of a script that has none,
// lines. A statement goes if its first line does, with its block.
func without(files vfs.Files, leave func() bool) vfs.Files {
	result := vfs.Files{}
	isScript := published.Stats(files).Counts[0].Value == "0" && published.Stats(files).Counts[1].Value == "0"
	for _, name := range files.Names() {
		source := plainSource(files[name])
		lines, rest := scan(source)
		r := remover{source: source, lines: lines, gone: make([]bool, len(lines))}
		if isScript {
			r.removeLines(leave)
		} else {
			r.removeDefinitions(leave)
		}
		result[name] = r.print() + source[rest:]
	}
	return result
}

// remover takes logical lines out of a source.
type remover struct {
	source string
	lines  []line
	gone   []bool
}

func (r *remover) first(i int) string {
	if len(r.lines[i].tokens) == 0 {
		return ""
	}
	return r.lines[i].tokens[0].text
}

func (r *remover) removeDefinitions(leave func() bool) {
	for i := range r.lines {
		if word := r.first(i); word != "def" && word != "class" || len(r.lines[i].tokens) < 2 {
			continue
		}
		if leave() {
			r.removeBlock(i)
			r.removeAbove(i)
		}
	}
}

func (r *remover) removeLines(leave func() bool) {
	at := 0
	for i := range r.lines {
		l := &r.lines[i]
		isFirst := true
		for text := range strings.Lines(r.source[at:l.end]) {
			if pytext.Strip(text) == "" {
				continue
			}
			if leave() && isFirst {
				r.removeBlock(i)
			}
			isFirst = false
		}
		at = l.end
	}
}

// continuing are the words that go on with the statement before.
var continuing = []string{"elif", "else", "except", "finally"}

// removeBlock removes a line and what is indented below it, with the branches that go on with it.
func (r *remover) removeBlock(i int) {
	indent := r.lines[i].indent
	r.gone[i] = true
	if len(r.lines[i].tokens) == 0 {
		return
	}
	last := i
	for k := i + 1; k < len(r.lines); k++ {
		isComment, isDeeper := len(r.lines[k].tokens) == 0, r.lines[k].indent > indent
		if isDeeper && (!isComment || last == k-1) || r.lines[k].indent == indent && slices.Contains(continuing, r.first(k)) {
			last = k
		} else if !isComment {
			break
		}
	}
	for k := i; k <= last; k++ {
		r.gone[k] = true
	}
}

// removeAbove removes the decorators and comments of a definition.
func (r *remover) removeAbove(i int) {
	for k := i - 1; k >= 0 && r.lines[k].indent <= r.lines[i].indent; k-- {
		if word := r.first(k); word != "" && word != "@" {
			return
		}
		r.gone[k] = true
	}
}

// print writes what is left. A block of which nothing is left passes.
func (r *remover) print() string {
	var b strings.Builder
	header, emptied := -1, false // of a block that has no line yet; whether it had any
	pass := func(indent int) {
		if header >= 0 && emptied && indent <= r.lines[header].indent {
			b.WriteString(strings.Repeat(" ", r.lines[header].indent+4) + "pass\n")
		}
	}
	at := 0
	for i := range r.lines {
		l := &r.lines[i]
		text := r.source[at:l.end]
		at = l.end
		if r.gone[i] {
			emptied = true
			continue
		}
		if len(l.tokens) > 0 {
			pass(l.indent)
			header, emptied = -1, false
			if !l.broken && headerEnd(l.tokens) == len(l.tokens) {
				header = i
			}
		}
		b.WriteString(text)
	}
	pass(0)
	return b.String()
}
