package latex

import (
	"strings"
	"unicode/utf8"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/sets"
	published "agentd/domains/published/latex"
)

// tokenKind is what a token means to TeX.
type tokenKind uint8

const (
	blankToken     tokenKind = iota // white space without an empty line
	paragraphToken                  // white space with an empty line
	wordToken                       // characters without a meaning of their own
	commandToken                    // \name, with a star if there is one
	symbolToken                     // a backslash and one other character
	openToken                       // {
	closeToken                      // }
	optionToken                     // [
	optionEndToken                  // ]
	cellToken                       // &
	mathToken                       // $, $$, \( \) \[ \]
	commentToken                    // to the line end, the next line's indentation included
	rawToken                        // what is taken as it stands: \verb and verbatim lines
	restToken                       // what is beyond mostTokens
)

// mostTokens is the number of tokens of a source that are read; what follows is
// one more. A document of 50,000 tokens of a language model has fewer.
const mostTokens = 1 << 18

// none is the partner of a token that has none.
const none = -1

// token is a piece of a source, from one byte to before another.
type token struct {
	at, end int32
	// partner is the token that closes or opens the group, the option, the math
	// or, of \begin and \end, the environment.
	partner int32
	kind    tokenKind
}

// source is a file as TeX reads it.
type source struct {
	name   string
	text   string
	tokens []token
}

func (s *source) of(i int) string { return s.text[s.tokens[i].at:s.tokens[i].end] }

// is reports whether a token is the command of that name.
func (s *source) is(i int, command string) bool {
	return i < len(s.tokens) && s.tokens[i].kind == commandToken && s.of(i)[1:] == command
}

// between is the text of the tokens from one to before another.
func (s *source) between(from, to int) string {
	if from >= to {
		return ""
	}
	return s.text[s.tokens[from].at:s.tokens[to-1].end]
}

// scan divides a text into tokens.
func scan(name, text string) *source {
	text = strings.TrimPrefix(pytext.UniversalNewlines(text), "\ufeff")
	sc := scanner{source: source{name: name, text: text, tokens: make([]token, 0, min(len(text)/3+8, mostTokens+1))}}
	for sc.at < len(text) && len(sc.tokens) < mostTokens {
		sc.next()
	}
	if sc.at < len(text) {
		sc.add(restToken, len(text))
	}
	sc.pair()
	return &sc.source
}

type scanner struct {
	source
	at     int
	inline bool // inside $ … $
	// unended are environments of which the rest of the text has no \end.
	unended map[string]bool
}

func (sc *scanner) add(kind tokenKind, end int) {
	sc.tokens = plain.Append(sc.tokens, token{at: int32(sc.at), end: int32(end), partner: none, kind: kind})
	sc.at = end
}

func (sc *scanner) next() {
	switch kind := kinds[sc.text[sc.at]]; kind {
	case blankToken:
		sc.blanks()
	case commandToken:
		sc.backslash()
	case commentToken:
		sc.comment()
	case mathToken:
		sc.dollar()
	case wordToken:
		end := sc.at
		for end < len(sc.text) && kinds[sc.text[end]] == wordToken {
			end++
		}
		sc.add(wordToken, end)
	default:
		sc.add(kind, sc.at+1)
	}
}

// kinds is the kind of token that a byte begins.
var kinds = func() (kinds [256]tokenKind) {
	for c := range kinds {
		kinds[c] = wordToken
	}
	for kind, bytes := range map[tokenKind]string{
		blankToken: " \t\n\r\f", commandToken: `\`, commentToken: "%", mathToken: "$", openToken: "{", closeToken: "}",
		optionToken: "[", optionEndToken: "]", cellToken: "&",
	} {
		for _, c := range []byte(bytes) {
			kinds[c] = kind
		}
	}
	return kinds
}()

// blanks reads white space. A line end that a comment has taken counts.
func (sc *scanner) blanks() {
	lines := 0
	if n := len(sc.tokens); n > 0 && sc.tokens[n-1].kind == commentToken {
		lines = 1
	}
	end := sc.at
	for end < len(sc.text) && kinds[sc.text[end]] == blankToken {
		if sc.text[end] == '\n' {
			lines++
		}
		end++
	}
	if lines > 1 {
		sc.inline = false
		sc.add(paragraphToken, end)
		return
	}
	sc.add(blankToken, end)
}

func (sc *scanner) backslash() {
	rest := sc.text[sc.at+1:]
	length := 0
	for length < len(rest) && published.IsLetter(rest[length]) {
		length++
	}
	switch {
	case length == 0:
		sc.symbol(rest)
	case rest[:length] == "verb" && sc.verb(length):
	default:
		if length < len(rest) && rest[length] == '*' {
			length++
		}
		sc.add(commandToken, sc.at+1+length)
		if rest[:length] == "begin" {
			sc.verbatim()
		}
	}
}

func (sc *scanner) symbol(rest string) {
	_, size := utf8.DecodeRuneInString(rest)
	kind := symbolToken
	if size == 1 && strings.Contains("()[]", rest[:1]) {
		kind = mathToken
	}
	sc.add(kind, sc.at+1+size)
}

// verb reads \verb with its text, false if that does not end on the line.
func (sc *scanner) verb(length int) bool {
	const longest = 1024
	rest := sc.text[sc.at+1+length:]
	rest = rest[:min(len(rest), longest)]
	star := len(rest) - len(strings.TrimPrefix(rest, "*"))
	if len(rest) <= star || strings.IndexByte(" \t\n", rest[star]) >= 0 {
		return false
	}
	line, _, _ := strings.Cut(rest[star+1:], "\n")
	end := strings.IndexByte(line, rest[star])
	if end < 0 {
		return false
	}
	sc.add(rawToken, sc.at+1+length+star+1+end+1)
	return true
}

// verbatimNames are the environments whose text TeX does not read.
var verbatimNames = sets.Words("verbatim verbatim* Verbatim lstlisting minted comment filecontents filecontents*")

// verbatim reads, after a \begin, the lines of an environment that is not read.
func (sc *scanner) verbatim() {
	rest := sc.text[sc.at:]
	name, found := strings.CutPrefix(rest, "{")
	close := strings.IndexByte(name[:min(len(name), len("filecontents*}"))], '}')
	if !found || close < 0 || !verbatimNames[name[:close]] || sc.unended[name[:close]] {
		return
	}
	name = name[:close]
	end := strings.Index(rest, `\end{`+name+"}")
	if end < 0 {
		if sc.unended == nil {
			sc.unended = map[string]bool{}
		}
		sc.unended[name] = true
		return
	}
	end += sc.at
	sc.add(openToken, sc.at+1)
	sc.add(wordToken, sc.at+len(name))
	sc.add(closeToken, sc.at+1)
	if end > sc.at {
		sc.add(rawToken, end)
	}
}

// comment reads to the line end and over the indentation of the next line.
func (sc *scanner) comment() {
	end := strings.IndexByte(sc.text[sc.at:], '\n')
	if end < 0 {
		sc.add(commentToken, len(sc.text))
		return
	}
	end += sc.at + 1
	for end < len(sc.text) && (sc.text[end] == ' ' || sc.text[end] == '\t') {
		end++
	}
	sc.add(commentToken, end)
}

func (sc *scanner) dollar() {
	if !sc.inline && strings.HasPrefix(sc.text[sc.at:], "$$") {
		sc.add(mathToken, sc.at+2)
		return
	}
	sc.inline = !sc.inline
	sc.add(mathToken, sc.at+1)
}

// pair finds the partners of brackets, of math and of environments. A bracket without one stays text.
func (s *source) pair() {
	p := pairer{source: s, math: none}
	p.environmentsOpen = map[string]int{}
	for i := range s.tokens {
		switch t := &s.tokens[i]; t.kind {
		case openToken, optionToken:
			p.open = append(p.open, i)
		case closeToken:
			p.close(i, openToken)
		case optionEndToken:
			if n := len(p.open); n > 0 && s.tokens[p.open[n-1]].kind == optionToken {
				p.close(i, optionToken)
			}
		case mathToken:
			p.toggle(i)
		case paragraphToken:
			p.math = none
		case commandToken:
			p.environment(i)
		}
	}
}

type pairer struct {
	*source
	open         []int // groups and options
	math         int   // the math that is open
	environments []int // their \begin
	// environmentsOpen is the number of those that are open by name, so that
	// a stray \end does not close what is not its own.
	environmentsOpen map[string]int
}

func (p *pairer) join(i, j int) { p.tokens[i].partner, p.tokens[j].partner = int32(j), int32(i) }

// close pairs a closing bracket with the last open one of its kind.
func (p *pairer) close(i int, kind tokenKind) {
	for n := len(p.open) - 1; n >= 0; n-- {
		if p.tokens[p.open[n]].kind == kind {
			p.join(p.open[n], i)
			p.open = p.open[:n]
			return
		}
	}
	if kind == openToken {
		p.open = p.open[:0] // options do not reach out of a group
	}
}

func (p *pairer) toggle(i int) {
	mark := p.of(i)
	if mark == `\(` || mark == `\[` || p.math == none {
		if mark != `\)` && mark != `\]` {
			p.math = i
		}
		return
	}
	if closing[p.of(p.math)] == mark {
		p.join(p.math, i)
		p.math = none
	}
}

// closing is the mark that ends the math that another one begins.
var closing = map[string]string{"$": "$", "$$": "$$", `\(`: `\)`, `\[`: `\]`}

func (p *pairer) environment(i int) {
	begin := p.is(i, "begin")
	if !begin && !p.is(i, "end") {
		return
	}
	name := p.environmentName(i)
	if begin {
		p.environments = append(p.environments, i)
		p.environmentsOpen[name]++
		return
	}
	if p.environmentsOpen[name] == 0 {
		return
	}
	for n := len(p.environments) - 1; ; n-- {
		other := p.environmentName(p.environments[n])
		p.environmentsOpen[other]--
		if other == name {
			p.join(p.environments[n], i)
			p.environments = p.environments[:n]
			return
		}
	}
}

// environmentName is the name after a \begin or \end, without blanks; empty if there is none.
func (s *source) environmentName(i int) string {
	const longest = 64
	if i++; i < len(s.tokens) && s.tokens[i].kind == blankToken {
		i++
	}
	if i >= len(s.tokens) || s.tokens[i].kind != openToken {
		return ""
	}
	rest := s.text[s.tokens[i].end:]
	name, _, found := strings.Cut(rest[:min(len(rest), longest)], "}")
	if !found {
		return ""
	}
	return strings.TrimSpace(name)
}

// group returns the range inside of a group that begins at a token, and the token after it.
func (s *source) group(i int) (lo, hi, next int, ok bool) {
	return s.bracketed(i, openToken)
}

// option is group for square brackets.
func (s *source) option(i int) (lo, hi, next int, ok bool) {
	return s.bracketed(i, optionToken)
}

func (s *source) bracketed(i int, kind tokenKind) (lo, hi, next int, ok bool) {
	if i >= len(s.tokens) || s.tokens[i].kind != kind || s.tokens[i].partner == none {
		return 0, 0, i, false
	}
	end := int(s.tokens[i].partner)
	return i + 1, end, end + 1, true
}

// skip is the first token from i on that is neither a blank nor a comment.
func (s *source) skip(i int) int {
	for i < len(s.tokens) && (s.tokens[i].kind == blankToken || s.tokens[i].kind == commentToken) {
		i++
	}
	return i
}
