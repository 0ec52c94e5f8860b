package dns

import (
	"strings"
)

// syntaxError is an error that the published reader gives a line number.
type syntaxError string

func (e syntaxError) Error() string { return string(e) }

type tokenKind uint8

// The numbers show in error texts.
const (
	endOfFile tokenKind = iota
	endOfLine
	leadingBlank
	identifier
	quotedString
	commentToken
)

type token struct {
	kind  tokenKind
	value string // as written, without quotes
}

func (t token) ends() bool { return t.kind <= endOfLine }

// tokenizer reads the tokens of a zone file as the published reader does. What
// is quirky in it decides which lines that reader strikes out (see repair).
type tokenizer struct {
	text    string
	at      int
	read    int // how far characters were ever read
	depth   int // of parentheses
	quoting bool
	held    token
	holding bool
}

func newTokenizer(text string) *tokenizer { return &tokenizer{text: text} }

// line is the number of the line up to which characters were read.
func (t *tokenizer) line() int { return 1 + strings.Count(t.text[:t.read], "\n") }

const noChar = -1

func (t *tokenizer) char() int {
	if t.at == len(t.text) {
		return noChar
	}
	c := t.text[t.at]
	t.at++
	t.read = max(t.read, t.at)
	return int(c)
}

func (t *tokenizer) unread(c int) {
	if c != noChar {
		t.at--
	}
}

// skipBlanks returns whether there were any. Inside parentheses newlines are
// blanks.
func (t *tokenizer) skipBlanks() bool {
	start := t.at
	for {
		c := t.char()
		if c != ' ' && c != '\t' && (c != '\n' || t.depth == 0) {
			t.unread(c)
			return t.at > start
		}
	}
}

// hold makes the next call of next return the token.
func (t *tokenizer) hold(tok token) { t.held, t.holding = tok, true }

func (t *tokenizer) delimits(c int) bool {
	return c == '"' || !t.quoting && strings.IndexByte(" \t\n;()", byte(c)) >= 0
}

// next returns the next token. Blanks at its start and comments are tokens only
// where they are wanted.
func (t *tokenizer) next(wantBlank, wantComment bool) (token, error) {
	if t.holding {
		tok := t.held
		t.holding = false
		if (tok.kind != leadingBlank || wantBlank) && (tok.kind != commentToken || wantComment) {
			return tok, nil
		}
	}
	if t.skipBlanks() && wantBlank {
		return token{leadingBlank, " "}, nil
	}
	kind, start := identifier, t.at
	for {
		c := t.char()
		switch {
		case c == noChar && t.quoting:
			return token{}, syntaxError("Text input ended unexpectedly.")
		case c == noChar || t.delimits(c):
			if t.at-1 > start || kind == quotedString || c == noChar && t.at > start {
				t.unread(c)
				return token{kind, t.text[start:t.at]}, nil
			}
			if c == '"' && !t.quoting {
				kind = quotedString
			}
			tok, done, err := t.delimiter(c, wantComment)
			if done || err != nil {
				return tok, err
			}
			start = t.at
		case t.quoting && c == '\n':
			return token{}, syntaxError("newline in quoted string")
		case c == '\\':
			if c = t.char(); c == noChar || c == '\n' && !t.quoting {
				return token{}, syntaxError("Text input ended unexpectedly.")
			}
		}
	}
}

// delimiter acts on a delimiter that no token precedes. It is done if that is a
// token.
func (t *tokenizer) delimiter(c int, wantComment bool) (tok token, done bool, err error) {
	switch c {
	case '(':
		t.depth++
		t.skipBlanks()
	case ')':
		if t.depth == 0 {
			return token{}, false, syntaxError("Text input is malformed.")
		}
		t.depth--
		t.skipBlanks()
	case '"':
		if t.quoting = !t.quoting; !t.quoting {
			t.skipBlanks()
		}
	case '\n':
		return token{endOfLine, "\n"}, true, nil
	case ';':
		return t.comment(wantComment)
	case noChar:
		if t.depth > 0 {
			return token{}, false, syntaxError("unbalanced parentheses")
		}
		return token{kind: endOfFile}, true, nil
	}
	return token{}, false, nil
}

func (t *tokenizer) comment(wanted bool) (tok token, done bool, err error) {
	start := t.at
	length := strings.IndexByte(t.text[start:], '\n')
	if length < 0 {
		length = len(t.text) - start
	}
	t.at += length
	t.read = max(t.read, t.at)
	c := t.char()
	switch {
	case wanted:
		t.unread(c)
		return token{commentToken, t.text[start:t.at]}, true, nil
	case c == noChar && t.depth > 0:
		return token{}, false, syntaxError("unbalanced parentheses")
	case c == noChar:
		return token{kind: endOfFile}, true, nil
	case t.depth > 0:
		t.skipBlanks()
		return token{}, false, nil
	}
	return token{endOfLine, "\n"}, true, nil
}

// unescape resolves backslashes: a digit begins a code of three, anything else
// stands for itself. Codes are characters or bytes.
func unescape(text string, bytes bool) (string, error) {
	if strings.IndexByte(text, '\\') < 0 {
		return text, nil
	}
	var b strings.Builder
	for runes := []rune(text); len(runes) > 0; runes = runes[1:] {
		c, size := runes[0], 0
		if c == '\\' {
			var err error
			if c, size, err = readEscape(runes[1:]); err != nil {
				return b.String(), err
			}
			runes = runes[size:]
		}
		if bytes && size > 1 {
			b.WriteByte(byte(c))
		} else {
			b.WriteRune(c)
		}
	}
	return b.String(), nil
}
