package dns

import (
	"slices"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
)

// syntaxError is an error that the published reader gives a line number.
type syntaxError string

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
	holds   bool
}

// line is the number of the line up to which characters were read.
func (t *tokenizer) line() int { return 1 + strings.Count(t.text[:t.read], "\n") }

const noChar = -1

func (t *tokenizer) char() int {
	if t.at == len(t.text) {
		return noChar
	}
	t.at++
	t.read = max(t.read, t.at)
	return int(t.text[t.at-1])
}

func (t *tokenizer) unread(c int) {
	if c != noChar {
		t.at--
	}
}

// skipBlanks returns whether there were any. Inside parentheses newlines are blanks.
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
func (t *tokenizer) hold(tok token) { t.held, t.holds = tok, true }

func (t *tokenizer) delimits(c int) bool {
	switch c {
	case '"':
		return true
	case noChar, ' ', '\t', '\n', ';', '(', ')':
		return !t.quoting
	}
	return false
}

// next returns the next token. Blanks at its start and comments are tokens only where they are wanted.
func (t *tokenizer) next(wantBlank, wantComment bool) token {
	if t.holds {
		t.holds = false
		return t.held
	}
	if t.skipBlanks() && wantBlank {
		return token{leadingBlank, " "}
	}
	kind, start := identifier, t.at
	for {
		c := t.char()
		if t.delimits(c) {
			t.unread(c)
			if t.at > start || kind == quotedString {
				return token{kind, t.text[start:t.at]}
			}
			t.char()
		}
		switch {
		case c == noChar && t.quoting:
			panic(syntaxError("Text input ended unexpectedly."))
		case c == noChar && t.depth > 0:
			panic(syntaxError("unbalanced parentheses"))
		case c == noChar:
			return token{kind: endOfFile}
		case c == '\n' && t.quoting:
			panic(syntaxError("newline in quoted string"))
		case c == '\n':
			return token{endOfLine, "\n"}
		case c == '"':
			if t.quoting = !t.quoting; t.quoting {
				kind = quotedString
			} else {
				t.skipBlanks()
			}
		case c == '\\':
			t.char()
			continue
		case t.quoting || !t.delimits(c):
			continue
		case c == '(':
			t.depth++
			t.skipBlanks()
		case c == ')' && t.depth == 0:
			panic(syntaxError("Text input is malformed."))
		case c == ')':
			t.depth--
			t.skipBlanks()
		case c == ';':
			t.at += len(t.text[t.at:]) - len(strings.TrimLeftFunc(t.text[t.at:], func(r rune) bool { return r != '\n' }))
			t.read = max(t.read, t.at)
			t.unread(t.char())
			if wantComment {
				return token{kind: commentToken}
			}
			if t.depth > 0 {
				t.skipBlanks()
			}
		}
		start = t.at
	}
}

// Unescape resolves backslashes: a digit begins a code of three, anything else
// stands for itself. Codes are characters or bytes.
func Unescape(text string, bytes bool) (string, error) {
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

// repaired reads a zone as the published evaluator does: where it cannot be read, with lines taken out in three steps.
func repaired(text, origin string) ([]RecordSet, error) {
	sets, err := readZone(text, origin)
	if err != nil && strings.Contains(err.text, "CNAME") {
		sets, err = readZone(withoutAliases(text), origin)
	}
	const attempts = 5
	for n := 0; n <= attempts && err != nil && (n == 0 || err.line > 0); n++ {
		if n == 0 {
			text = withoutStrangers(text)
		} else {
			text = withLineStripped(text, err.line)
		}
		sets, err = readZone(text, origin)
	}
	if err != nil {
		return nil, err
	}
	return sets, nil
}

// withoutAliases leaves out the CNAME lines of owners that have a line with IN and another type.
func withoutAliases(text string) string {
	lines := strings.Split(text, "\n")
	owners := make([]string, len(lines))
	others := map[string]bool{}
	last := ""
	for i, line := range lines {
		words := pytext.Fields(line)
		if len(words) == 0 || words[0][0] == ';' || line[0] == '$' {
			continue
		}
		if line[0] != ' ' && line[0] != '\t' {
			last = strings.ToLower(words[0])
		}
		owners[i] = last
		for k, word := range words[:len(words)-1] {
			if typ, ok := knownType(words[k+1]); ok && word == "IN" && typ != "CNAME" {
				others[last] = true
			}
		}
	}
	kept := lines[:0]
	for i, line := range lines {
		if owners[i] == "" || !others[owners[i]] || !hasWord(pytext.Fields(line), "CNAME") {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "\n")
}

func hasWord(words []string, upper string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return strings.EqualFold(word, upper) })
}

// withoutStrangers comments out, outside parentheses, the lines that cannot be records, and takes away the indentation
// of lines that name the class unless they begin with digits.
func withoutStrangers(text string) string {
	var b strings.Builder
	b.Grow(len(text) + len(text)/8)
	depth := 0
	for at := 0; at <= len(text); {
		line, _, _ := strings.Cut(text[at:], "\n")
		if at > 0 {
			b.WriteByte('\n')
		}
		at += len(line) + 1
		code := withoutComment(line)
		inside := depth > 0
		if first := pytext.StripLeft(line); inside || first != "" && first[0] != ';' && first[0] != '$' {
			words := pytext.Fields(code)
			if stranger := !inside && !looksLikeRecord(words); stranger {
				b.WriteString("; ")
			} else {
				depth = max(depth+strings.Count(code, "(")-strings.Count(code, ")"), 0)
				if !inside && (line[0] == ' ' || line[0] == '\t') && hasWord(words, "IN") && !plain.IsDigits(words[0]) {
					line = first
				}
			}
		}
		b.WriteString(line)
	}
	return b.String()
}

func looksLikeRecord(words []string) bool {
	last := len(words) - 1
	if last < 1 || strings.EqualFold(words[last], "IN") {
		return false
	}
	isType := func(word string) bool { _, ok := knownType(word); return ok }
	return slices.ContainsFunc(words[:last], isType) || isType(words[last]) && strings.EqualFold(words[last-1], "IN")
}

// withoutComment cuts a line at a semicolon outside quotes.
func withoutComment(line string) string {
	quoted := false
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case '"':
			quoted = !quoted
		case ';':
			if !quoted {
				return line[:i]
			}
		}
	}
	return line
}

// withLineStripped comments out the line of a number, from 1.
func withLineStripped(text string, number int) string {
	lines := strings.SplitAfterN(text, "\n", number)
	lines[len(lines)-1] = "; [stripped] " + lines[len(lines)-1]
	return strings.Join(lines, "")
}
