package audiosyn

import (
	"iter"
	"slices"
	"strings"

	"agentd/domains/internal/plain"
	published "agentd/domains/published/audiosyn"
)

type scoreStatement uint8

const (
	blankLine   scoreStatement = iota // or nothing but a comment
	eventLine                         // an i statement
	tableLine                         // an f statement
	controlLine                       // any other statement, such as t or s
	macroLine                         // #define and the like
	strayLine                         // no part of a score
)

// span is a word of a line.
type span struct{ start, end int32 }

func (w span) of(text string) string { return text[w.start:w.end] }

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v' }

// scoreWords are the letter of a statement and its p-fields. Expressions in brackets and texts in quotes are in one.
func scoreWords(code string) []span {
	at := 0
	for at < len(code) && isBlank(code[at]) {
		at++
	}
	if at == len(code) {
		return nil
	}
	words := append(make([]span, 0, 2+len(code)/5), span{int32(at), int32(at + 1)})
	for at++; at < len(code); {
		if isBlank(code[at]) {
			at++
			continue
		}
		end := at + wordLength(code[at:])
		words = append(words, span{int32(at), int32(end)})
		at = end
	}
	return words
}

func wordLength(text string) int {
	depth := 0
	for n := 0; n < len(text); n++ {
		switch c := text[n]; {
		case c == '"':
			n += quoted(text[n+1:])
		case strings.HasPrefix(text[n:], "{{"):
			n += 1 + endOr(strings.Index(text[n+2:], "}}"), 2, text[n+2:])
		case c == '[':
			depth++
		case c == ']':
			depth = max(depth-1, 0)
		case depth == 0 && isBlank(c):
			return n
		}
	}
	return len(text)
}

// scoreLine is a line of the score.
type scoreLine struct {
	line     int // in the source, from 0
	kind     scoreStatement
	code     string
	words    []span // the letter and the p-fields
	comments []string
}

// score are the lines of the score.
func (s *source) score() iter.Seq[scoreLine] {
	return func(yield func(scoreLine) bool) {
		var scan scanner
		var l scoreLine
		for l.line = range s.lines {
			if at := &s.lines[l.line]; at.section == scoreSection && !at.tag {
				l.code, l.comments = scan.scan(at.text)
				l.words = scoreWords(l.code)
				l.kind = scoreKind(l.code, l.words)
				if !yield(l) {
					return
				}
			}
		}
	}
}

// endsSection reports whether what follows is another section.
func (l *scoreLine) endsSection() bool { return l.kind == controlLine && l.letter() == "s" }

// letter is that of a statement.
func (l *scoreLine) letter() string { return l.words[0].of(l.code) }

// field is a p-field as written, empty if it is not.
func (l *scoreLine) field(p int) string {
	if p >= len(l.words) {
		return ""
	}
	return l.words[p].of(l.code)
}

// scoreKind tells what a line of a score is.
func scoreKind(code string, words []span) scoreStatement {
	if len(words) == 0 {
		return blankLine
	}
	letter, fields := code[words[0].start], words[1:]
	switch {
	case letter == '#':
		return macroLine
	case letter == '$' || letter == '{' || letter == '}':
		return controlLine
	case letter == 'i' && len(fields) > 0 && isOperand(fields[0].of(code)):
		return eventLine
	case letter == 'f' && len(fields) > 0 && areOperands(code, fields[:min(len(fields), 4)]):
		return tableLine
	case strings.IndexByte("mnr", letter) >= 0:
		if len(fields) > 0 && len(fields) < 3 && words[0].end < fields[0].start {
			return controlLine
		}
	case strings.IndexByte("esxy", letter) >= 0 && areOperands(code, fields),
		strings.IndexByte("abBCdqtv", letter) >= 0 && len(fields) > 0 && areOperands(code, fields):
		return controlLine
	}
	return strayLine
}

func areOperands(code string, fields []span) bool {
	return !slices.ContainsFunc(fields, func(f span) bool { return !isOperand(f.of(code)) })
}

// isOperand reports whether a word may be a p-field: a number, an expression, a
// macro, a text, or one of the signs of carrying and ramping.
func isOperand(word string) bool {
	return published.IsDigit(word[0]) || strings.IndexByte(`.+-"$[{<>()~^!`, word[0]) >= 0
}

// normal is a p-field or argument in a form that is equal for equal values.
func normal(text string) string {
	if text == "" || published.IsShortWhole(text) {
		return text
	}
	if c := text[0]; published.IsDigit(c) || c == '.' || c == '-' || c == '+' {
		return short(plain.Number(text))
	}
	return short(squeezed(text))
}

// squeezed is an expression without the blanks that mean nothing.
func squeezed(text string) string {
	var b strings.Builder
	for at := 0; at < len(text); {
		c := text[at]
		switch {
		case c == '"':
			n := 1 + quoted(text[at+1:])
			b.WriteString(text[at : at+n])
			at += n
		case isBlank(c):
			start := at
			for at < len(text) && isBlank(text[at]) {
				at++
			}
			if start > 0 && at < len(text) && isWordByte(text[start-1]) && isWordByte(text[at]) {
				b.WriteByte(' ')
			}
		default:
			b.WriteByte(c)
			at++
		}
	}
	return b.String()
}

func isWordByte(c byte) bool {
	return c == '_' || published.IsDigit(c) || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '$' || c >= 0x80
}

// scanner divides lines into code and comments. What is open at the end of a line goes on in the next.
type scanner struct {
	comment bool // between /* and */
	braces  bool // in a text between {{ and }}
}

// scan returns the code of a line, in which comments inside of it are blank, and
// what the comments say, with their marks.
func (s *scanner) scan(text string) (code string, comments []string) {
	if !s.comment && !s.braces && !strings.ContainsAny(text, `;/{`) {
		return text, nil
	}
	blanked := []byte(nil)
	for at := 0; at < len(text); {
		rest := text[at:]
		switch {
		case s.braces:
			n := strings.Index(rest, "}}")
			s.braces = n < 0
			at += endOr(n, 2, rest)
		case s.comment || strings.HasPrefix(rest, "/*"):
			n := s.commentLength(rest)
			comments = append(comments, rest[:n])
			if blanked == nil {
				blanked = []byte(text)
			}
			for k := range n {
				blanked[at+k] = ' '
			}
			at += n
		case rest[0] == '"':
			at += 1 + quoted(rest[1:])
		case strings.HasPrefix(rest, "{{"):
			s.braces = true
			at += 2
		case rest[0] == ';' || strings.HasPrefix(rest, "//"):
			comments = append(comments, rest)
			if blanked != nil {
				return string(blanked[:at]), comments
			}
			return text[:at], comments
		default:
			at++
		}
	}
	if blanked != nil {
		return string(blanked), comments
	}
	return text, comments
}

// commentLength is the length of a comment that a text is in or begins with.
func (s *scanner) commentLength(text string) int {
	inside := text
	if !s.comment {
		inside = text[len("/*"):]
	}
	n := strings.Index(inside, "*/")
	s.comment = n < 0
	return len(text) - len(inside) + endOr(n, 2, inside)
}

// endOr is the place after what was found at n, or the end if nothing was.
func endOr(n, length int, text string) int {
	if n < 0 {
		return len(text)
	}
	return n + length
}

// quoted is the length of a text up to and with the quote that closes it.
func quoted(text string) int {
	for n := 0; n < len(text); n++ {
		switch text[n] {
		case '\\':
			n++
		case '"':
			return n + 1
		}
	}
	return len(text)
}

// decoration draws rulers and boxes with runs of two characters or more.
const decoration = "*=-~#_"

// commentText is what a comment says, without its marks and decoration.
func commentText(text string) string {
	text = strings.Trim(text, ";/ \t")
	if len(text) > 1 && isDecoration(text[:2]) || strings.HasPrefix(text, "* ") {
		text = strings.TrimLeft(text, decoration+" \t")
	}
	if n := len(text); n > 1 && isDecoration(text[n-2:]) || strings.HasSuffix(text, " *") {
		text = strings.TrimRight(text, decoration+" \t")
	}
	return plain.SingleBlanks(text)
}

func isDecoration(text string) bool { return strings.Trim(text, decoration) == "" }
