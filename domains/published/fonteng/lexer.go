package fonteng

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// tokenKind is the type of a token in the published reading.
type tokenKind uint8

const (
	endOfInput tokenKind = iota
	nameToken
	classToken
	cidToken
	numberToken
	codeToken // a whole number in hexadecimal or octal
	floatToken
	stringToken
	symbolToken
	commentToken
)

// token is what the lexer returns. Comparing texts without looking at the kind
// is a habit of the published parser, so numbers have no text.
type token struct {
	kind  tokenKind
	text  string // of a name, symbol or string; of a class without its @
	value int64  // of a whole number, the nearest there is
	float float64
	line  int
}

// number is a whole number in decimal.
func (t token) number() string { return strconv.FormatInt(t.value, 10) }

func (t token) isAnyNumber() bool { return t.kind == numberToken || t.kind == codeToken }

// syntaxError is an error of which the published parser knows the line.
type syntaxError struct {
	line    int
	message string
}

// lexer splits a feature file as fontTools' does.
type lexer struct {
	text string
	pos  int
	line int
}

// Characters of words.
const (
	Digits      = "0123456789"
	Letters     = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	longestName = 63
)

// Sets of characters.
var (
	IsDigit     = ByteSet(Digits)
	isHexDigit  = ByteSet(Digits + "abcdefABCDEF")
	startsName  = ByteSet(Letters + `_+*:.^~!\`)
	continues   = ByteSet(Letters + Digits + "_.+*:^~!/-")
	isSymbol    = ByteSet(",;:-+'{}[]<>()=")
	isClassName = ByteSet(Letters + Digits + "_.-")
)

// ByteSet is a table of the characters that a text holds.
func ByteSet(members string) *[256]bool {
	var set [256]bool
	for i := range len(members) {
		set[members[i]] = true
	}
	return &set
}

// next returns the next token that is no line end. It panics with a syntaxError
// or, where the published program does not know the line, another error.
func (l *lexer) next() token {
	l.skipBlank()
	if l.pos >= len(l.text) {
		return token{}
	}
	start, c := l.pos, l.text[l.pos]
	switch {
	case c == '#':
		l.toEndOfLine()
		return token{kind: commentToken, line: l.line}
	case c == '\\' && IsDigit[l.at(start+1)]:
		l.pos++
		l.over(IsDigit)
		number, _ := strconv.ParseInt(l.text[start+1:l.pos], 10, 64)
		return token{kind: cidToken, value: number, line: l.line}
	case c == '@':
		return l.className()
	case startsName[c]:
		l.pos++
		l.over(continues)
		name := l.text[start:l.pos]
		allowAt(l.line, name != "include", "included files are not read")
		return token{kind: nameToken, text: name, line: l.line}
	case IsDigit[c] || c == '-' && IsDigit[l.at(start+1)]:
		return l.number()
	case isSymbol[c]:
		l.pos++
		return token{kind: symbolToken, text: l.text[start:l.pos], line: l.line}
	case c == '"':
		return l.quoted()
	}
	panic(syntaxError{l.line, fmt.Sprintf("unexpected character %q", c)})
}

// at returns a byte of the text, 0 after its end.
func (l *lexer) at(i int) byte {
	if i < len(l.text) {
		return l.text[i]
	}
	return 0
}

func (l *lexer) over(set *[256]bool) {
	for l.pos < len(l.text) && set[l.text[l.pos]] {
		l.pos++
	}
}

func (l *lexer) skipBlank() {
	for l.pos < len(l.text) {
		switch l.text[l.pos] {
		case ' ', '\t':
		case '\n':
			l.line++
		case '\r':
			l.line++
			if l.at(l.pos+1) == '\n' {
				l.pos++
			}
		default:
			return
		}
		l.pos++
	}
}

func (l *lexer) toEndOfLine() {
	for l.pos < len(l.text) && l.text[l.pos] != '\r' && l.text[l.pos] != '\n' {
		l.pos++
	}
}

// className reads the name of a class. It has at most 63 characters.
func (l *lexer) className() token {
	l.pos++
	start := l.pos
	l.over(isClassName)
	name := l.text[start:l.pos]
	allowAt(l.line, name != "" && len(name) <= longestName, "no name of a class: @"+name)
	return token{kind: classToken, text: name, line: l.line}
}

// number reads a number that begins with a digit, or a minus and a digit.
func (l *lexer) number() token {
	start, t, base := l.pos, token{kind: numberToken, line: l.line}, 10
	l.pos++
	switch next := l.at(l.pos); {
	case l.text[start] == '0' && next|0x20 == 'x':
		t.kind, base = codeToken, 16
		l.pos++
		start = l.pos
		l.over(isHexDigit)
	case l.text[start] == '0' && IsDigit[next]:
		t.kind, base = codeToken, 8
		l.over(IsDigit)
	default:
		l.over(IsDigit)
		if l.at(l.pos) == '.' {
			l.pos++
			l.over(IsDigit)
			t.kind = floatToken
			t.float, _ = strconv.ParseFloat(l.text[start:l.pos], 64)
			return t
		}
	}
	value, err := strconv.ParseInt(l.text[start:l.pos], base, 64) // the nearest if it is out of range
	if errors.Is(err, strconv.ErrSyntax) {
		panic(fmt.Errorf("line %d: %q is no number", l.line, l.text[start:l.pos]))
	}
	t.value = value
	return t
}

var lineEnds = strings.NewReplacer("\r", "", "\n", "")

// quoted reads a string. Line ends in it are dropped, and not counted.
func (l *lexer) quoted() token {
	length := strings.IndexByte(l.text[l.pos+1:], '"')
	allowAt(l.line, length >= 0, "a string without an end")
	text := l.text[l.pos+1 : l.pos+1+length]
	l.pos += length + 2
	return token{kind: stringToken, text: lineEnds.Replace(text), line: l.line}
}

// skipAnonymous goes to the closing brace of an anonymous block, without counting lines.
func (l *lexer) skipAnonymous(tag string) {
	end := regexp.MustCompile(`\}\s*` + regexp.QuoteMeta(tag) + `\s*;`).FindStringIndex(l.text[l.pos:])
	allowAt(l.line, end != nil, "an anonymous block without an end")
	l.pos += end[0]
}

// block is a feature, lookup, table or group of names that is being read, or
// the file. Its statements are in the canonical text that is compared.
type block struct {
	keyword  string // "feature", "lookup", ...; empty for the file
	name     string
	header   string // what comes before the brace
	closing  string // what comes after the last brace
	indent   string // of its statements
	tag      string // of the feature in which it is, padded
	vertical bool   // a lone number is an advance in height
	// statement reads one statement, the first token of which is current.
	statement  func(p *parser)
	outside    *block
	depth      int
	statements []statement
	anchors    map[string]bool
	values     map[string]valueRecord
	axes       []string            // that a STAT table has defined
	baselines  map[string][]string // of a BASE table, by axis
}

// statement is a statement in canonical text.
type statement struct {
	text       string
	old        *pattern // of a substitution of single glyphs, which may have to be spelled out for each glyph
	into       *glyphs
	isMultiple bool // a substitution of one glyph by several or none
	inContext  bool // a rule with marks or a context
}

const shift = "    "

// text is the canonical text of a block.
func (b *block) text() string {
	outer := strings.TrimSuffix(b.indent, shift)
	var t strings.Builder
	if b.keyword == "names" {
		t.WriteString(outer) // a second time
	}
	t.WriteString(b.header + " {\n")
	for _, s := range b.statements {
		t.WriteString(b.indent + s.text + "\n")
	}
	return t.String() + outer + "}" + b.closing + ";\n"
}

// spelled returns the statements with each substitution of single glyphs written glyph by glyph, if the block has some
// of single glyphs and some of one glyph by several: these belong into one lookup, which must be of one type. The last
// of either kind decides for its kind.
func (b *block) spelled() []statement {
	hasSingle, hasMultiple := false, false
	for _, s := range b.statements {
		if s.old != nil {
			hasSingle = !s.inContext
		} else if s.isMultiple {
			hasMultiple = !s.inContext
		}
	}
	if !hasSingle || !hasMultiple {
		return b.statements
	}
	var spelled []statement
	for _, s := range b.statements {
		if s.old == nil {
			spelled = append(spelled, s)
			continue
		}
		from, to := s.old.glyphs[0].names(), s.into.names()
		for i, name := range from {
			into := to[min(i, len(to)-1)]
			text := "sub " + s.old.around(Escaped(name), s.inContext) + " by " + Escaped(into) + ";"
			spelled = append(spelled, statement{text: text, isMultiple: true, inContext: s.inContext})
		}
	}
	return spelled
}
