package musicsheet

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// music reads an item of music that begins with neither bracket nor backslash.
func (t *tokenizer) music() {
	start := t.pos
	switch c := t.peek(); {
	case isLetter(c):
		t.word()
	case c == '<':
		t.pos++
		t.chord()
	case c == '|':
		t.pos++
		t.raw(checkToken, start)
	case c == '-' || c == '^' || c == '_':
		t.direction()
		t.raw(postToken, start)
	case c == ':':
		t.pos++
		for isDigit(t.peek()) || isLetter(t.peek()) || t.peek() == '.' || t.peek() == '/' || t.peek() == '+' {
			t.pos++
		}
		t.raw(postToken, start)
	case c == '(' || c == ')' || c == '[' || c == ']' || c == '~':
		t.pos++
		t.raw(postToken, start)
	case isDigit(c) && durationLength(t.rest()) > 0:
		t.bareDuration()
	case c == '"':
		t.quoted()
		t.raw(markToken, start)
	default:
		t.skipOne()
		t.take(digitsLength(t.rest()))
		for !t.atEnd() && blankLength(t.rest()) == 0 && strings.IndexByte("{}<>\\\"%|", t.peek()) < 0 &&
			!isLetter(t.peek()) && !isDigit(t.peek()) {
			t.skipOne()
		}
		t.raw(foreignToken, start)
	}
}

// bareDuration reads a duration that repeats the note before.
func (t *tokenizer) bareDuration() {
	k := token{kind: markToken}
	k.length = t.take(durationLength(t.rest()))
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
	start := t.pos
	b := t.scope()
	t.next = nil
	k := token{kind: noteToken, grace: b.grace}
	name := t.take(nameLengthIn(t.language, t.rest()))
	switch p, known := t.language.lookup(name); {
	case known && !b.drums:
		k.tone = t.readTone(name, p, b)
	case name == "r" || name == "R" || name == "s":
		k.kind, k.tone.name = restToken, name
	case name == "q":
		k.kind, k.tone.name = repeatToken, name
	default:
		k.kind = markToken
		for !t.atEnd() && strings.IndexByte(".-", t.peek()) >= 0 && t.pos+1 < len(t.text) && isLetter(t.text[t.pos+1]) {
			t.pos++
			t.pos += wordLength(t.rest())
		}
		if t.peek() == '=' || t.peek() == '?' || t.peek() == '!' {
			t.pos++
		}
	}
	k.length = t.takeLength()
	k.real = t.realLength(b.factor)
	k.text = t.text[start:t.pos]
	if k.kind == noteToken && t.isRest() {
		k.kind = restToken
	}
	t.add(k)
}

// isRest reports whether \rest follows, which makes a note a rest at its pitch.
func (t *tokenizer) isRest() bool {
	rest := t.rest()[blankLength(t.rest()):]
	return strings.HasPrefix(rest, `\rest`) && (len(rest) == len(`\rest`) || !isLetter(rest[len(`\rest`)]))
}

// nameLengthIn is that of the letters of a word; some English names have a hyphen.
func nameLengthIn(l *language, text string) int {
	n := 0
	for n < len(text) {
		c, size := utf8.DecodeRuneInString(text[n:])
		if !unicode.IsLetter(c) {
			break
		}
		n += size
	}
	if n < len(text) && text[n] == '-' {
		long := n + 1 + wordLength(text[n+1:])
		if _, known := l.lookup(text[:long]); known {
			return long
		}
	}
	return n
}

// readTone reads what follows the name of a note and finds its pitch.
func (t *tokenizer) readTone(name string, p pitch, b bracket) tone {
	k := tone{name: name, shift: b.shift}
	k.marks = t.takeSet("',")
	start := t.pos
	t.takeSet("!?")
	if t.peek() == '=' {
		t.pos++
		t.takeSet("',")
	}
	k.rest = t.text[start:t.pos]
	if b.relative != nil {
		k.scope, k.from = b.relative.scope, b.relative.last
		p = p.after(k.from)
	} else {
		p.octave = b.fixed
	}
	p.octave += octaveOf(k.marks)
	if b.relative != nil {
		b.relative.last = p
	}
	k.pitch = p
	return k
}

func (t *tokenizer) takeSet(set string) string {
	return t.take(len(t.rest()) - len(strings.TrimLeft(t.rest(), set)))
}

// takeLength takes a duration, which holds for what follows without one.
func (t *tokenizer) takeLength() string {
	before := t.pos
	t.take(blankLength(t.rest()))
	n := durationLength(t.rest())
	if n == 0 || t.pos > before && isDigit(t.peek()) && strings.Contains(t.text[before:t.pos], "\n") {
		t.pos = before
		return ""
	}
	length := t.take(n)
	t.running = length
	return length
}

// realLength is that of the running duration in a tuplet.
func (t *tokenizer) realLength(factor fraction) fraction {
	f, _ := readDuration(t.running)
	return f.times(factor)
}

// direction takes a direction mark with what it stands before.
func (t *tokenizer) direction() {
	t.pos++
	switch c := t.peek(); {
	case isDigit(c), c != 0 && strings.IndexByte(".->^+_!|()[]~", c) >= 0:
		t.pos++
	case c == '"':
		t.quoted()
	case t.at(`\markup`):
		t.command()
		t.markup()
	case c == '\\' && t.pos+1 < len(t.text):
		if isLetter(t.text[t.pos+1]) {
			t.command()
		} else {
			t.take(2)
		}
	}
}

// chord reads the notes between < and >, each a token, and the duration.
func (t *tokenizer) chord() {
	t.raw(chordOpenToken, t.pos-1)
	b := t.scope()
	t.next = nil
	from := len(t.tokens)
	for {
		t.space += t.take(blankLength(t.rest()))
		start := t.pos
		switch c := t.peek(); {
		case c == 0 || c == '}' || c == '{' || t.read >= mostTokens:
			t.closeChord(from, b)
			return
		case c == '>':
			t.pos++
			k := token{kind: chordCloseToken, grace: b.grace}
			k.length = t.takeLength()
			k.real = t.realLength(b.factor)
			k.text = t.text[start:t.pos]
			t.add(k)
			t.closeChord(from, b)
			return
		case isLetter(c):
			name := t.take(nameLengthIn(t.language, t.rest()))
			p, known := t.language.lookup(name)
			if !known {
				t.raw(foreignToken, start)
				continue
			}
			k := token{kind: noteToken, grace: b.grace, tone: t.readTone(name, p, b)}
			k.text = t.text[start:t.pos]
			t.add(k)
		case c == '%':
			t.comment()
			t.raw(commentToken, start)
		default:
			t.chordMark()
			t.raw(postToken, start)
		}
	}
}

// chordMark passes over what is no note of a chord.
func (t *tokenizer) chordMark() {
	switch c := t.peek(); c {
	case '"':
		t.quoted()
	case '#', '$':
		t.scheme()
	case '\\':
		if t.command() == `\` {
			t.take(1)
		}
	case '-', '^', '_':
		t.direction()
	default:
		t.skipOne()
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
