package quantum

import (
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentd/internal/lazyregexp"
)

// errGrammar says that a file is no OpenQASM 3 by the published grammar. Such a file is read by patterns.
var errGrammar = errors.New("the grammar refuses the file")

// lexKind is the kind of a token of the published grammar.
type lexKind uint8

const (
	lexMark lexKind = iota // operators, brackets and other marks
	lexName                // identifiers and words of the language
	lexInteger
	lexFloat
	lexImaginary
	lexTiming
	lexBits
	lexHardware   // $0
	lexString     // after include and defcalgrammar
	lexAnnotation // @word
	lexPragma
	lexLine // what follows an annotation or pragma on its line
	lexRaw  // the text of a calibration block
	lexVersion
	lexEnd
)

// lexeme is a token of the published grammar.
type lexeme struct {
	kind lexKind
	text string
	// partner is, of an opening bracket, the place of the closing one, 0 if there is none.
	partner int32
}

var (
	numberPattern  = lazyregexp.New(`^(?:0[xX](?:[0-9a-fA-F]_?)*[0-9a-fA-F]|0[bB](?:[01]_?)*[01]|0o(?:[0-7]_?)*[0-7]|` + floatOrInteger + `)`)
	decimalPattern = lazyregexp.New(`^(?:` + floatOrInteger + `)`)
	imaginaryUnit  = lazyregexp.New(`^[ \t]*im`)
	timingUnit     = lazyregexp.New(`^[ \t]*(?:dt|ns|us|µs|ms|s)`)
	bitsPattern    = lazyregexp.New(`^"(?:[01]_?)*[01]"`)
	annotation     = lazyregexp.New(`^@[_\pL\p{Nl}][_0-9\pL\p{Nl}]*(?:\.[_\pL\p{Nl}][_0-9\pL\p{Nl}]*)*`)
	hardware       = lazyregexp.New(`^\$[0-9]+`)
	versionPattern = lazyregexp.New(`^[ \t\r\n]*([0-9]+(?:\.[0-9]+)?)`)
	stringPattern  = lazyregexp.New(`^[ \t\r\n]*("[^"\r\t\n]+"|'[^'\r\t\n]+')`)
	linePattern    = lazyregexp.New(`^[ \t]*([^ \t\r\n][^\r\n]*)?[\r\n]?`)
)

const (
	digits         = `(?:[0-9]_?)*[0-9]`
	floatOrInteger = `(?:` + digits + `(?:\.(?:` + digits + `)?)?|\.` + digits + `)(?:[eE][+-]?` + digits + `)?`
)

// grammarLexer divides a text into the tokens of the published grammar.
type grammarLexer struct {
	text   string
	found  []lexeme
	open   []int32 // places of opening brackets
	defcal bool    // the next brace opens a calibration block
}

func lexGrammar(text string) ([]lexeme, error) {
	l := grammarLexer{text: text, found: make([]lexeme, 0, len(text)/3)}
	for {
		l.text = afterSpace(l.text)
		if l.text == "" {
			return append(l.found, lexeme{kind: lexEnd}), nil
		}
		if !l.next() {
			return nil, errGrammar
		}
	}
}

// afterSpace is what stands after the blanks and comments that a text begins with.
func afterSpace(text string) string {
	for {
		text = strings.TrimLeft(text, " \t\r\n")
		switch {
		case strings.HasPrefix(text, "//"):
			n := strings.IndexAny(text, "\r\n")
			if n < 0 {
				return ""
			}
			text = text[n:]
		case strings.HasPrefix(text, "/*"):
			n := strings.Index(text[2:], "*/")
			if n < 0 {
				return text
			}
			text = text[n+4:]
		default:
			return text
		}
	}
}

// take adds the next n bytes as a token.
func (l *grammarLexer) take(kind lexKind, n int) bool {
	if n == 0 {
		return false
	}
	l.found = append(l.found, lexeme{kind: kind, text: l.text[:n]})
	l.text = l.text[n:]
	return true
}

// capture adds what the pattern's group matches, and passes over all that it matches.
func (l *grammarLexer) capture(kind lexKind, pattern *lazyregexp.Regexp) bool {
	at := pattern.FindStringSubmatchIndex(l.text)
	if at == nil {
		return false
	}
	if at[2] >= 0 {
		l.found = append(l.found, lexeme{kind: kind, text: l.text[at[2]:at[3]]})
	}
	l.text = l.text[at[1]:]
	return true
}

// next reads a token, with what can only follow it.
func (l *grammarLexer) next() bool {
	c := l.text[0]
	switch {
	case '0' <= c && c <= '9', c == '.' && len(l.text) > 1 && '0' <= l.text[1] && l.text[1] <= '9':
		return l.number()
	case c == '"':
		return l.take(lexBits, len(bitsPattern.FindString(l.text)))
	case c == '$':
		return l.take(lexHardware, len(hardware.FindString(l.text)))
	case c == '@':
		if n := len(annotation.FindString(l.text)); n > 0 {
			return l.take(lexAnnotation, n) && l.capture(lexLine, linePattern)
		}
		return l.take(lexMark, 1)
	case c == '#' && strings.HasPrefix(l.text, "#pragma"):
		return l.take(lexPragma, len("#pragma")) && l.capture(lexLine, linePattern)
	}
	if n := nameLength(l.text); n > 0 {
		return l.name(n)
	}
	return l.mark()
}

// nameLength is the length of the identifier that a text begins with.
func nameLength(text string) int {
	n := 0
	for n < len(text) {
		r, size := rune(text[n]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[n:])
		}
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', r == '_':
		case '0' <= r && r <= '9' && n > 0:
		case r >= utf8.RuneSelf && (unicode.IsLetter(r) || unicode.Is(unicode.Nl, r)):
		default:
			return n
		}
		n += size
	}
	return n
}

// name reads an identifier or word. Some words change how what follows is read.
func (l *grammarLexer) name(n int) bool {
	switch word := l.text[:n]; word {
	case "pragma":
		return l.take(lexPragma, n) && l.capture(lexLine, linePattern)
	case "OPENQASM":
		return l.take(lexName, n) && l.capture(lexVersion, versionPattern)
	case "include", "defcalgrammar":
		return l.take(lexName, n) && l.capture(lexString, stringPattern)
	case "cal", "defcal":
		l.defcal = true
		l.take(lexName, n)
		if word == "cal" {
			l.text = afterSpace(l.text)
			return strings.HasPrefix(l.text, "{") && l.mark()
		}
		return true
	}
	return l.take(lexName, n)
}

// endsDigit is what no number and no unit goes on with after its first digit.
const endsDigit = ";,:)]}+-*/\n"

// number reads a number with its unit.
func (l *grammarLexer) number() bool {
	text := l.text
	if text[0] != '.' && (len(text) == 1 || strings.IndexByte(endsDigit, text[1]) >= 0) {
		return l.take(lexInteger, 1)
	}
	n := len(decimalPattern.FindString(text))
	kind := lexInteger
	if strings.ContainsAny(text[:n], ".eE") {
		kind = lexFloat
	}
	if unit := imaginaryUnit.FindString(text[n:]); unit != "" {
		return l.take(lexImaginary, n+len(unit))
	}
	if unit := timingUnit.FindString(text[n:]); unit != "" {
		return l.take(lexTiming, n+len(unit))
	}
	if longer := len(numberPattern.FindString(text)); longer > n {
		return l.take(lexInteger, longer)
	}
	return l.take(kind, n)
}

func (l *grammarLexer) mark() bool {
	if strings.HasPrefix(l.text, "#dim") {
		return l.take(lexMark, len("#dim"))
	}
	if n := markLength(l.text, 1); n > 1 {
		return l.take(lexMark, n)
	}
	at := int32(len(l.found))
	switch l.text[0] {
	case '(', '[', '{':
		l.open = append(l.open, at)
		if l.text[0] == '{' && l.defcal {
			return l.take(lexMark, 1) && l.raw()
		}
	case ')', ']', '}':
		if len(l.open) > 0 {
			l.found[l.open[len(l.open)-1]].partner = at
			l.open = l.open[:len(l.open)-1]
		}
	case ':', ';', '.', ',', '=', '+', '-', '*', '/', '%', '|', '&', '^', '@', '~', '!', '<', '>':
	default:
		return false
	}
	return l.take(lexMark, 1)
}

// raw reads the text of a calibration block, up to the brace that closes it.
func (l *grammarLexer) raw() bool {
	l.defcal = false
	depth := 0
	end := strings.IndexFunc(l.text, func(r rune) bool {
		switch r {
		case '{':
			depth++
		case '}':
			depth--
		}
		return depth < 0
	})
	if end < 0 {
		return false
	}
	l.found = append(l.found, lexeme{kind: lexRaw, text: l.text[:end]})
	l.text = l.text[end:]
	return true
}
