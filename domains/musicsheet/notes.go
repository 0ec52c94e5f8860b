package musicsheet

import (
	"strings"
	"unicode"
	"unicode/utf8"

	published "agentd/domains/published/musicsheet"
)

// music reads an item of music that begins with neither bracket nor backslash.
func (t *tokenizer) music() {
	start := t.Pos
	switch c := t.Peek(); {
	case published.IsLetter(c):
		t.word()
	case c == '<':
		t.Pos++
		t.chord()
	case c == '|':
		t.Pos++
		t.raw(checkToken, start)
	case c == '-' || c == '^' || c == '_':
		t.direction()
		t.raw(postToken, start)
	case c == ':':
		t.Pos++
		for published.IsDigit(t.Peek()) || published.IsLetter(t.Peek()) || t.Peek() == '.' || t.Peek() == '/' || t.Peek() == '+' {
			t.Pos++
		}
		t.raw(postToken, start)
	case c == '(' || c == ')' || c == '[' || c == ']' || c == '~':
		t.Pos++
		t.raw(postToken, start)
	case published.IsDigit(c) && published.DurationLength(t.Rest()) > 0:
		t.bareDuration()
	case c == '"':
		t.Quoted()
		t.raw(markToken, start)
	default:
		t.SkipOne()
		t.Take(published.DigitsLength(t.Rest()))
		for !t.AtEnd() && published.BlankLength(t.Rest()) == 0 && strings.IndexByte("{}<>\\\"%|", t.Peek()) < 0 &&
			!published.IsLetter(t.Peek()) && !published.IsDigit(t.Peek()) {
			t.SkipOne()
		}
		t.raw(foreignToken, start)
	}
}

// bareDuration reads a duration that repeats the note before.
func (t *tokenizer) bareDuration() {
	k := token{kind: markToken}
	k.length = t.Take(published.DurationLength(t.Rest()))
	t.running = k.length
	k.text = k.length
	for i := len(t.tokens) - 1; i >= 0; i-- {
		if before := &t.tokens[i]; before.kind == noteToken && before.depth == t.depth() {
			k.kind, k.tone, k.real = noteToken, before.tone, t.realLength(t.scope().factor)
			k.tone.name, k.tone.marks, k.tone.rest, k.tone.scope = "", "", "", 0
			break
		} else if before.kind != postToken && before.kind != commentToken && before.kind != checkToken {
			break
		}
	}
	t.add(k)
}

// word reads a note, a rest, or a word of another kind, with its duration.
func (t *tokenizer) word() {
	start := t.Pos
	b := t.scope()
	t.next = nil
	k := token{kind: noteToken, grace: b.grace}
	name := t.Take(nameLengthIn(t.language, t.Rest()))
	switch p, known := t.language.Lookup(name); {
	case known && !b.drums:
		k.tone = t.readTone(name, p, b)
	case name == "r" || name == "R" || name == "s":
		k.kind, k.tone.name = restToken, name
	case name == "q":
		k.kind, k.tone.name = repeatToken, name
	default:
		k.kind = markToken
		for !t.AtEnd() && strings.IndexByte(".-", t.Peek()) >= 0 && t.Pos+1 < len(t.Text) && published.IsLetter(t.Text[t.Pos+1]) {
			t.Pos++
			t.Pos += published.WordLength(t.Rest())
		}
		if t.Peek() == '=' || t.Peek() == '?' || t.Peek() == '!' {
			t.Pos++
		}
	}
	k.length = t.takeLength()
	k.real = t.realLength(b.factor)
	k.text = t.Text[start:t.Pos]
	if k.kind == noteToken && t.isRest() {
		k.kind = restToken
	}
	t.add(k)
}

// isRest reports whether \rest follows, which makes a note a rest at its pitch.
func (t *tokenizer) isRest() bool {
	rest := t.Rest()[published.BlankLength(t.Rest()):]
	return strings.HasPrefix(rest, `\rest`) && (len(rest) == len(`\rest`) || !published.IsLetter(rest[len(`\rest`)]))
}

// nameLengthIn is that of the letters of a word; some English names have a hyphen.
func nameLengthIn(l *published.Language, text string) int {
	n := 0
	for n < len(text) {
		c, size := utf8.DecodeRuneInString(text[n:])
		if !unicode.IsLetter(c) {
			break
		}
		n += size
	}
	if n < len(text) && text[n] == '-' {
		long := n + 1 + published.WordLength(text[n+1:])
		if _, known := l.Lookup(text[:long]); known {
			return long
		}
	}
	return n
}

// readTone reads what follows the name of a note and finds its pitch.
func (t *tokenizer) readTone(name string, p published.Pitch, b bracket) tone {
	k := tone{name: name, shift: b.shift}
	k.marks = t.takeSet("',")
	start := t.Pos
	t.takeSet("!?")
	if t.Peek() == '=' {
		t.Pos++
		t.takeSet("',")
	}
	k.rest = t.Text[start:t.Pos]
	if b.relative != nil {
		k.scope, k.from = b.relative.scope, b.relative.last
		p = after(p, k.from)
	} else {
		p.Octave = b.fixed
	}
	p.Octave += octaveOf(k.marks)
	if b.relative != nil {
		b.relative.last = p
	}
	k.pitch = p
	return k
}

func (t *tokenizer) takeSet(set string) string {
	return t.Take(len(t.Rest()) - len(strings.TrimLeft(t.Rest(), set)))
}

// takeLength takes a duration, which holds for what follows without one.
func (t *tokenizer) takeLength() string {
	before := t.Pos
	t.Take(published.BlankLength(t.Rest()))
	n := published.DurationLength(t.Rest())
	if n == 0 || t.Pos > before && published.IsDigit(t.Peek()) && strings.Contains(t.Text[before:t.Pos], "\n") {
		t.Pos = before
		return ""
	}
	length := t.Take(n)
	t.running = length
	return length
}

// realLength is that of the running duration in a tuplet.
func (t *tokenizer) realLength(factor published.Fraction) published.Fraction {
	f, _ := published.ReadDuration(t.running)
	return f.Times(factor)
}

// direction takes a direction mark with what it stands before.
func (t *tokenizer) direction() {
	t.Pos++
	switch c := t.Peek(); {
	case published.IsDigit(c), c != 0 && strings.IndexByte(".->^+_!|()[]~", c) >= 0:
		t.Pos++
	case c == '"':
		t.Quoted()
	case t.At(`\markup`):
		t.Command()
		t.Markup()
	case c == '\\' && t.Pos+1 < len(t.Text):
		if published.IsLetter(t.Text[t.Pos+1]) {
			t.Command()
		} else {
			t.Take(2)
		}
	}
}

// chord reads the notes between < and >, each a token, and the duration.
func (t *tokenizer) chord() {
	t.raw(chordOpenToken, t.Pos-1)
	b := t.scope()
	t.next = nil
	from := len(t.tokens)
	for {
		t.space += t.Take(published.BlankLength(t.Rest()))
		start := t.Pos
		switch c := t.Peek(); {
		case c == 0 || c == '}' || c == '{' || t.read >= mostTokens:
			t.closeChord(from, b)
			return
		case c == '>':
			t.Pos++
			k := token{kind: chordCloseToken}
			k.length = t.takeLength()
			k.real = t.realLength(b.factor)
			k.text = t.Text[start:t.Pos]
			t.add(k)
			t.closeChord(from, b)
			return
		case published.IsLetter(c):
			name := t.Take(nameLengthIn(t.language, t.Rest()))
			p, known := t.language.Lookup(name)
			if !known {
				t.raw(foreignToken, start)
				continue
			}
			k := token{kind: noteToken, grace: b.grace, tone: t.readTone(name, p, b)}
			k.text = t.Text[start:t.Pos]
			t.add(k)
		case c == '%':
			t.Comment()
			t.raw(commentToken, start)
		default:
			t.chordMark()
			t.raw(postToken, start)
		}
	}
}

// chordMark passes over what is no note of a chord.
func (t *tokenizer) chordMark() {
	switch c := t.Peek(); c {
	case '"':
		t.Quoted()
	case '#', '$':
		t.Scheme()
	case '\\':
		if t.Command() == `\` {
			t.Take(1)
		}
	case '-', '^', '_':
		t.direction()
	default:
		t.SkipOne()
	}
}

// closeChord gives the notes of a chord its duration, and what follows its first note to be relative to.
func (t *tokenizer) closeChord(from int, b bracket) {
	length := t.realLength(b.factor)
	first := true
	for i := from; i < len(t.tokens); i++ {
		k := &t.tokens[i]
		if k.kind != noteToken {
			continue
		}
		k.real = length
		if first && b.relative != nil {
			b.relative.last = k.tone.pitch
		}
		first = false
	}
}
