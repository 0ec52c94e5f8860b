package fonteng

import (
	"errors"
	"fmt"
	"slices"
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
	hexToken
	octalToken
	floatToken
	stringToken
	symbolToken
	commentToken
)

// token is what the lexer returns. Comparing texts without looking at the kind
// is a habit of the published parser, so numbers have no text.
type token struct {
	kind   tokenKind
	text   string // of a name, symbol or string; of a class without its @
	number string // in decimal
	value  int64  // of a whole number, the nearest there is
	float  float64
	line   int
	start  int // of its text
}

// anyNumber are the kinds of whole numbers.
var anyNumber = []tokenKind{numberToken, hexToken, octalToken}

func (t token) isAnyNumber() bool { return slices.Contains(anyNumber, t.kind) }

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
	// counted is false once lines ended that the lexer does not count, or were
	// counted that end in a lone carriage return.
	counted bool
}

// Characters of words.
const (
	Digits      = "0123456789"
	hexDigits   = Digits + "abcdefABCDEF"
	Letters     = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	namesStart  = Letters + `_+*:.^~!\`
	namesGoOn   = Letters + Digits + "_.+*:^~!/-"
	symbols     = ",;:-+'{}[]<>()="
	longestName = 63
)

// Sets of characters.
var (
	IsDigit     = ByteSet(Digits)
	isHexDigit  = ByteSet(hexDigits)
	startsName  = ByteSet(namesStart)
	continues   = ByteSet(namesGoOn)
	isSymbol    = ByteSet(symbols)
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
	start := l.pos
	t := l.scan()
	t.start = start
	return t
}

func (l *lexer) scan() token {
	start, c := l.pos, l.text[l.pos]
	switch {
	case c == '#':
		l.toEndOfLine()
		return token{kind: commentToken, line: l.line}
	case c == '\\' && IsDigit[l.at(start+1)]:
		l.pos++
		l.over(IsDigit)
		return l.whole(cidToken, l.text[start+1:l.pos])
	case c == '@':
		return l.className()
	case startsName[c]:
		l.pos++
		l.over(continues)
		t := token{kind: nameToken, text: l.text[start:l.pos], line: l.line}
		if t.text == "include" {
			return l.include()
		}
		return t
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
			} else {
				l.counted = false
			}
		default:
			return
		}
		l.pos++
	}
}

func (l *lexer) toEndOfLine() {
	if i := strings.IndexAny(l.text[l.pos:], "\r\n"); i >= 0 {
		l.pos += i
	} else {
		l.pos = len(l.text)
	}
}

func (l *lexer) className() token {
	l.pos++
	start := l.pos
	l.over(continues)
	name := l.text[start:l.pos]
	switch {
	case name == "":
		panic(syntaxError{l.line, "@ without a name"})
	case len(name) > longestName:
		panic(syntaxError{l.line, "the name of a class has more than 63 characters"})
	}
	for i := range len(name) {
		allowAt(l.line, isClassName[name[i]], "the name of a class has a character that it must not have")
	}
	return token{kind: classToken, text: name, line: l.line}
}

// include refuses to open files. One that is last in the text is passed over, as the published lexer does.
func (l *lexer) include() token {
	l.skipBlank()
	if l.pos >= len(l.text) {
		return token{}
	}
	panic(syntaxError{l.line, "included files are not read"})
}

// number reads a number that begins with a digit, or a minus and a digit.
func (l *lexer) number() token {
	start := l.pos
	if l.text[start] == '0' && (l.at(start+1) == 'x' || l.at(start+1) == 'X') {
		l.pos += 2
		l.over(isHexDigit)
		return l.inBase(hexToken, l.text[start+2:l.pos], 16)
	}
	if l.text[start] == '0' && IsDigit[l.at(start+1)] {
		l.over(IsDigit)
		return l.inBase(octalToken, l.text[start:l.pos], 8)
	}
	l.pos++
	l.over(IsDigit)
	if l.at(l.pos) != '.' {
		return l.whole(numberToken, l.text[start:l.pos])
	}
	for l.at(l.pos) == '.' {
		l.pos++
	}
	l.over(IsDigit)
	f, err := strconv.ParseFloat(l.text[start:l.pos], 64)
	if errors.Is(err, strconv.ErrSyntax) {
		panic(fmt.Errorf("line %d: %q is no number", l.line, l.text[start:l.pos]))
	}
	return token{kind: floatToken, float: f, line: l.line}
}

func (l *lexer) inBase(kind tokenKind, text string, base int) token {
	value, err := strconv.ParseInt(text, base, 64)
	if errors.Is(err, strconv.ErrSyntax) {
		panic(fmt.Errorf("line %d: %q is no number", l.line, text))
	}
	return token{kind: kind, number: strconv.FormatInt(value, 10), value: value, line: l.line}
}

// longestNumber is the length of the longest number that Python reads.
const longestNumber = 4300

func (l *lexer) whole(kind tokenKind, text string) token {
	sign := ""
	if text[0] == '-' {
		sign, text = "-", text[1:]
	}
	if len(text) > longestNumber {
		panic(fmt.Errorf("line %d: a number of %d digits", l.line, len(text)))
	}
	text = strings.TrimLeft(text, "0")
	if text == "" {
		sign, text = "", "0"
	}
	value, _ := strconv.ParseInt(sign+text, 10, 64) // the nearest if it is out of range
	return token{kind: kind, number: sign + text, value: value, line: l.line}
}

// quoted reads a string. Line ends in it are dropped, and not counted.
func (l *lexer) quoted() token {
	length := strings.IndexByte(l.text[l.pos+1:], '"')
	allowAt(l.line, length >= 0, "a string without an end")
	text := l.text[l.pos+1 : l.pos+1+length]
	l.pos += length + 2
	if strings.ContainsAny(text, "\r\n") {
		l.counted = false
		text = strings.NewReplacer("\r", "", "\n", "").Replace(text)
	}
	return token{kind: stringToken, text: text, line: l.line}
}

// skipAnonymous goes to the closing brace of an anonymous block, without
// counting lines. The first line goes by its end.
func (l *lexer) skipAnonymous(tag string) {
	line := l.line
	l.toEndOfLine()
	l.counted = false
	for at := l.pos; ; {
		brace := strings.IndexByte(l.text[at:], '}')
		allowAt(line, brace >= 0, "an anonymous block without an end")
		at += brace
		rest, isTag := strings.CutPrefix(strings.TrimLeft(l.text[at+1:], " \t\r\n\f\v"), tag)
		if isTag && strings.HasPrefix(strings.TrimLeft(rest, " \t\r\n\f\v"), ";") {
			l.pos = at
			return
		}
		at++
	}
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
	broken     string  // why the published program cannot print it, if it cannot
	single     *single // of a substitution of single glyphs
	isMultiple bool    // a substitution of one glyph by several or none
	inContext  bool    // a rule with marks or a context
}

// single is a substitution that may have to be spelled out for each glyph.
type single struct {
	pattern  pattern
	from, to *glyphs
}

const shift = "    "

// text is the canonical text of a block, and why it cannot be printed.
func (b *block) text() (text, broken string) {
	outer := strings.TrimSuffix(b.indent, shift)
	var t strings.Builder
	if b.keyword == "names" {
		t.WriteString(outer) // a second time
	}
	t.WriteString(b.header)
	t.WriteString(" {\n")
	for i := range b.statements {
		s := &b.statements[i]
		if s.broken != "" {
			broken = s.broken
		}
		t.WriteString(b.indent)
		t.WriteString(s.text)
		t.WriteString("\n")
	}
	t.WriteString(outer)
	t.WriteString("}")
	t.WriteString(b.closing)
	t.WriteString(";\n")
	return t.String(), broken
}

// spelled returns the statements with each substitution of single glyphs written glyph by glyph, if the block has some
// of single glyphs and some of one glyph by several: these belong into one lookup, which must be of one type. The last
// of either kind decides for its kind.
func (b *block) spelled() []statement {
	hasSingle, hasMultiple := false, false
	for i := range b.statements {
		switch s := &b.statements[i]; {
		case s.single != nil:
			hasSingle = !s.inContext
		case s.isMultiple:
			hasMultiple = !s.inContext
		}
	}
	if !hasSingle || !hasMultiple {
		return b.statements
	}
	var spelled []statement
	for _, s := range b.statements {
		if s.single == nil {
			spelled = append(spelled, s)
			continue
		}
		from, to := s.single.from.names(), s.single.to.names()
		for i, name := range from {
			into := to[min(i, len(to)-1)]
			text := "sub " + s.single.pattern.around(Escaped(name), s.inContext) + " by " + Escaped(into) + ";"
			spelled = append(spelled, statement{text: text, isMultiple: true, inContext: s.inContext})
		}
	}
	return spelled
}
