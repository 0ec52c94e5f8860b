package musicsheet

import (
	"math"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/wellformed"
	published "agentd/domains/published/musicsheet"
	"agentd/internal/lazyregexp"
)

// token is the smallest part of a source that means something, with the white
// space before it. Printed one after the other, tokens give the source back.
type token struct {
	kind   tokenKind
	depth  uint8  // of brackets around it, up to 255
	grace  string // of a note: the command that makes it a grace note
	space  string
	text   string
	tone   tone               // of a note, alone or in a chord
	length string             // the duration as written; empty if it is the running one
	real   published.Fraction // the duration, tuplets taken into account
}

type tokenKind uint8

const (
	endToken     tokenKind = iota // nothing but the white space at the end
	commentToken                  // to the end of the line, or in brackets
	nameToken                     // name = of a variable, at the outermost level
	openToken                     // { or <<
	closeToken                    // } or >>
	noteToken
	restToken       // r, R, s, or a note that is a rest
	chordOpenToken  // <
	chordCloseToken // > with the duration
	repeatToken     // q, the chord before
	markToken       // a command with its arguments
	postToken       // what belongs to the note before, such as a slur
	checkToken      // a bar check
	syllableToken
	joinToken // -- or __ between syllables
	blockToken
	schemeToken
	foreignToken // what is no part of the notation
)

// tone is a note as it is written, and its pitch.
type tone struct {
	pitch published.Pitch // in absolute octaves
	shift interval
	scope int             // the number of the \relative around it, 0 in absolute notation
	from  published.Pitch // that it is relative to
	name  string
	marks string // of the octave
	rest  string // accidental marks and octave check
}

// sounding is the pitch with the transpositions around it.
func (t *tone) sounding() published.Pitch { return up(t.pitch, t.shift) }

// relative is relative notation at work.
type relative struct {
	scope int
	last  published.Pitch // that the next is relative to
}

// context is what holds on from one note to the next, across variables and files.
type context struct {
	language *published.Language
	running  string // the duration of what has none
	scopes   int    // of relative notation so far
	read     int    // tokens so far
}

// mostTokens is the number of tokens of a document that are told apart; what is beyond counts as one text.
const mostTokens = 1 << 17

func newContext() *context {
	return &context{language: published.Languages()[published.DefaultLanguage], running: "4"}
}

// bracket is what is open, and what holds within.
type bracket struct {
	close    string
	lyrics   bool
	drums    bool
	relative *relative // nil in absolute notation
	fixed    int       // octaves added by \fixed
	shift    interval
	factor   published.Fraction
	grace    string
}

type tokenizer struct {
	scanner
	*context
	tokens []token
	open   []bracket // the first is the outermost level
	next   *bracket  // what the commands before say of the next bracket or note
	space  string
}

// tokenize reads a source. It bounds how deep brackets are followed.
func tokenize(text string, c *context) []token {
	t := tokenizer{scanner: scanner{published.Scanner{Text: text}}, context: c, open: []bracket{{factor: published.NewFraction(1, 1)}}}
	const bytesEach = 5 // of a token, about
	t.tokens = make([]token, 0, min(len(text)/bytesEach+8, mostTokens))
	t.run()
	return t.tokens
}

func (t *tokenizer) run() {
	for {
		t.space += t.Take(published.BlankLength(t.Rest()))
		if t.AtEnd() {
			break
		}
		if t.read >= mostTokens {
			t.add(token{kind: foreignToken, text: t.Take(len(t.Text))})
			return
		}
		t.one()
	}
	if t.space != "" {
		t.add(token{kind: endToken})
	}
}

func (t *tokenizer) top() *bracket { return &t.open[len(t.open)-1] }

// scope is what holds for the next item: the open bracket, changed by prefixes.
func (t *tokenizer) scope() bracket {
	if t.next != nil {
		return *t.next
	}
	return *t.top()
}

// change returns what holds for the next item, to be changed by a prefix.
func (t *tokenizer) change() *bracket {
	if t.next == nil {
		b := *t.top()
		t.next = &b
	}
	return t.next
}

// depth is the number of open brackets, at most 255.
func (t *tokenizer) depth() uint8 { return uint8(min(len(t.open)-1, math.MaxUint8)) }

func (t *tokenizer) add(k token) {
	t.read++
	k.space, t.space = t.space, ""
	k.depth = t.depth()
	t.tokens = plain.Append(t.tokens, k)
}

// raw adds a token of what was scanned since a place.
func (t *tokenizer) raw(kind tokenKind, start int) {
	t.add(token{kind: kind, text: t.Text[start:t.Pos]})
}

func (t *tokenizer) one() {
	start := t.Pos
	c := t.Peek()
	atTop := len(t.open) == 1 && t.next == nil
	switch {
	case c == '%':
		t.Comment()
		t.raw(commentToken, start)
	case c == '#' || c == '$':
		t.Scheme()
		t.raw(schemeToken, start)
	case c == '{' || t.At("<<"):
		t.push()
	case c == '}' || t.At(">>"):
		t.pop()
	case c == '\\':
		t.commandToken()
	case atTop:
		t.outermost()
	case t.scope().lyrics:
		t.lyric()
	default:
		t.music()
	}
}

// deepestBracket bounds the brackets that are kept apart.
const deepestBracket = 1000

func (t *tokenizer) push() {
	b := t.scope()
	t.next = nil
	text := "{"
	b.close = "}"
	if t.Peek() == '<' {
		text, b.close = "<<", ">>"
	}
	t.Take(len(text))
	t.add(token{kind: openToken, text: text})
	if len(t.open) < deepestBracket {
		t.open = append(t.open, b)
	}
}

// pop closes the innermost bracket of the kind, and what is open within it.
func (t *tokenizer) pop() {
	text := t.Take(1)
	if text == ">" {
		text += t.Take(1)
	}
	t.next = nil
	for n := len(t.open) - 1; n > 0; n-- {
		if t.open[n].close == text {
			t.open = t.open[:n]
			t.add(token{kind: closeToken, text: text})
			return
		}
	}
	t.add(token{kind: foreignToken, text: text})
}

// outermost reads what stands outside of all brackets: a variable, or a line that is no part of the notation.
func (t *tokenizer) outermost() {
	start := t.Pos
	if n := published.NameLength(t.Rest()); n > 0 {
		t.Pos += n
		t.Take(published.BlankLength(t.Rest()))
		if t.Peek() == '=' {
			t.Pos++
			t.raw(nameToken, start)
			t.assigned()
			return
		}
		t.Pos = start
	}
	line := t.Rest()[:published.LineLength(t.Rest())]
	t.Take(len(strings.TrimRight(line, " \t\r")))
	t.raw(foreignToken, start)
}

// assigned reads the value of a variable if it is no music: a string, a number or a word.
func (t *tokenizer) assigned() {
	t.space += t.Take(published.BlankLength(t.Rest()))
	start := t.Pos
	switch c := t.Peek(); {
	case c == '"':
		t.Quoted()
		t.raw(blockToken, start)
	case published.IsDigit(c) || c == '-' || c == '.':
		for !t.AtEnd() && published.BlankLength(t.Rest()) == 0 {
			t.SkipOne()
		}
		t.raw(blockToken, start)
	case c == '%' || c == '{' || c == '<' || c == '\\' || c == '#' || c == '$' || c == 0:
	default:
		t.change() // a note, such as c4
	}
}

// lyric reads a syllable or what joins two.
func (t *tokenizer) lyric() {
	start := t.Pos
	kind := syllableToken
	switch c := t.Peek(); {
	case c == '"':
		t.Quoted()
	case c == '|':
		t.Pos++
		kind = checkToken
	case published.IsDigit(c):
		t.Pos += max(published.DurationLength(t.Rest()), 1)
		kind = postToken
	default:
		for !t.AtEnd() && published.BlankLength(t.Rest()) == 0 && strings.IndexByte("{}\"\\", t.Peek()) < 0 && !published.IsDigit(t.Peek()) {
			t.SkipOne()
		}
		if text := t.Text[start:t.Pos]; text == "--" || text == "__" {
			kind = joinToken
		}
	}
	t.raw(kind, start)
}

func printed(tokens []token) string {
	var b strings.Builder
	for i := range tokens {
		b.WriteString(tokens[i].space)
		b.WriteString(tokens[i].text)
	}
	return b.String()
}

// wellFormed checks braces, texts and comments, and how names are written.
var wellFormed = wellformed.All(wellformed.Code{
	Line: []string{"%"}, Block: [][2]string{{"%{", "%}"}}, Quotes: "\"", Wrapped: true, Escape: true, Brackets: "{}",
}.Check, names)

// A name that is given a value, at the beginning of a line, and a name that is used.
var (
	given = lazyregexp.New(`(?m)^[ \t]*"?([A-Za-z]+)"?[ \t]*=`)
	used  = lazyregexp.New(`\\([A-Za-z]+)`)
)

// names finds the names that are used in another letter case than the one in which the file gives them a value. LilyPond stops there.
func names(_, text string) []domains.Slip {
	exact, folded := map[string]bool{}, map[string]bool{}
	for _, m := range given.FindAllStringSubmatch(text, -1) {
		exact[m[1]], folded[strings.ToLower(m[1])] = true, true
	}
	n := 0
	var all []domains.Slip
	for line := range strings.Lines(text) {
		n++
		code, _, _ := strings.Cut(line, "%")
		for _, m := range used.FindAllStringSubmatch(code, -1) {
			if name := m[1]; folded[strings.ToLower(name)] && !exact[name] {
				all = append(all, domains.Slip{Line: n, What: `\` + name + " is the name of nothing; it is defined in another letter case", Text: line})
			}
		}
	}
	return all
}
