package musicsheet

import (
	"math"
	"strings"

	"agentd/domains/internal/plain"
)

// token is the smallest part of a source that means something, with the white
// space before it. Printed one after the other, tokens give the source back.
type token struct {
	kind   tokenKind
	depth  uint8  // of brackets around it, up to 255
	grace  string // the command that makes it a grace note
	space  string
	text   string
	tone   tone     // of a note, alone or in a chord
	length string   // the duration as written; empty if it is the running one
	real   fraction // the duration, tuplets taken into account
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
	pitch pitch // in absolute octaves
	shift interval
	scope int   // the number of the \relative around it, 0 in absolute notation
	from  pitch // that it is relative to
	name  string
	marks string // of the octave
	rest  string // accidental marks and octave check
}

// interval is what \transpose adds to a pitch.
type interval struct{ places, height int }

func between(from, to pitch) interval {
	return interval{to.place() - from.place(), to.height() - from.height()}
}

func (i interval) plus(j interval) interval {
	return interval{i.places + j.places, i.height + j.height}
}

// up returns the pitch at an interval above another.
func (p pitch) up(i interval) pitch {
	place := p.place() + i.places
	q := pitch{step: (place%7 + 7) % 7}
	q.octave = (place - q.step) / 7
	q.alter = p.height() + i.height - q.height()
	return q
}

// sounding is the pitch with the transpositions around it.
func (t *tone) sounding() pitch { return t.pitch.up(t.shift) }

// relative is relative notation at work.
type relative struct {
	scope int
	last  pitch // that the next is relative to
}

// context is what holds on from one note to the next, across variables and files.
type context struct {
	language *language
	running  string // the duration of what has none
	scopes   int    // of relative notation so far
	read     int    // tokens so far
}

// mostTokens is the number of tokens of a document that are told apart; what is beyond counts as one text.
const mostTokens = 1 << 17

func newContext() *context { return &context{language: languages[defaultLanguage], running: "4"} }

// bracket is what is open, and what holds within.
type bracket struct {
	close    string
	lyrics   bool
	drums    bool
	relative *relative // nil in absolute notation
	fixed    int       // octaves added by \fixed
	shift    interval
	factor   fraction
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
	t := tokenizer{scanner: scanner{text: text}, context: c, open: []bracket{{factor: fraction{1, 1}}}}
	const bytesEach = 5 // of a token, about
	t.tokens = make([]token, 0, min(len(text)/bytesEach+8, mostTokens))
	t.run()
	return t.tokens
}

func (t *tokenizer) run() {
	for {
		t.space += t.take(blankLength(t.rest()))
		if t.atEnd() {
			break
		}
		if t.read >= mostTokens {
			t.add(token{kind: foreignToken, text: t.take(len(t.text))})
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
	t.add(token{kind: kind, text: t.text[start:t.pos]})
}

func (t *tokenizer) one() {
	start := t.pos
	c := t.peek()
	atTop := len(t.open) == 1 && t.next == nil
	switch {
	case c == '%':
		t.comment()
		t.raw(commentToken, start)
	case c == '#' || c == '$':
		t.scheme()
		t.raw(schemeToken, start)
	case c == '{' || t.at("<<"):
		t.push()
	case c == '}' || t.at(">>"):
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
	if t.peek() == '<' {
		text, b.close = "<<", ">>"
	}
	t.take(len(text))
	t.add(token{kind: openToken, text: text})
	if len(t.open) < deepestBracket {
		t.open = append(t.open, b)
	}
}

// pop closes the innermost bracket of the kind, and what is open within it.
func (t *tokenizer) pop() {
	text := t.take(1)
	if text == ">" {
		text += t.take(1)
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
	start := t.pos
	if n := nameLength(t.rest()); n > 0 {
		t.pos += n
		t.take(blankLength(t.rest()))
		if t.peek() == '=' {
			t.pos++
			t.raw(nameToken, start)
			t.assigned()
			return
		}
		t.pos = start
	}
	line := t.rest()[:lineLength(t.rest())]
	t.take(len(strings.TrimRight(line, " \t\r")))
	t.raw(foreignToken, start)
}

// assigned reads the value of a variable if it is no music: a string, a number or a word.
func (t *tokenizer) assigned() {
	t.space += t.take(blankLength(t.rest()))
	start := t.pos
	switch c := t.peek(); {
	case c == '"':
		t.quoted()
		t.raw(blockToken, start)
	case isDigit(c) || c == '-' || c == '.':
		for !t.atEnd() && blankLength(t.rest()) == 0 {
			t.skipOne()
		}
		t.raw(blockToken, start)
	case c == '%' || c == '{' || c == '<' || c == '\\' || c == '#' || c == '$' || c == 0:
	default:
		t.change() // a note, such as c4
	}
}

// lyric reads a syllable or what joins two.
func (t *tokenizer) lyric() {
	start := t.pos
	kind := syllableToken
	switch c := t.peek(); {
	case c == '"':
		t.quoted()
	case c == '|':
		t.pos++
		kind = checkToken
	case isDigit(c):
		t.pos += max(durationLength(t.rest()), 1)
		kind = postToken
	default:
		for !t.atEnd() && blankLength(t.rest()) == 0 && strings.IndexByte("{}\"\\", t.peek()) < 0 && !isDigit(t.peek()) {
			t.skipOne()
		}
		if text := t.text[start:t.pos]; text == "--" || text == "__" {
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
