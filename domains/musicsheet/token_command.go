package musicsheet

import "strings"

// commandToken reads a command with its arguments.
func (t *tokenizer) commandToken() {
	start := t.pos
	if durationLength(t.rest()) > 0 {
		t.bareDuration()
		return
	}
	name := t.command()
	if name == `\` {
		if t.take(max(digitsLength(t.rest()), 1)) == `\` {
			t.raw(markToken, start)
		} else {
			t.raw(postToken, start)
		}
		return
	}
	if isPost(name) {
		t.raw(postToken, start)
		return
	}
	k := token{}
	if isPrefix[name] {
		k.kind = t.arguments(name, t.change(), &k)
	} else {
		b := t.scope()
		k.kind = t.arguments(name, &b, &k)
		t.next = nil
	}
	k.text = t.text[start:t.pos]
	t.add(k)
}

// arguments reads those of a command. What it says of the music after it goes into b; a key signature is kept in k.
func (t *tokenizer) arguments(name string, b *bracket, k *token) tokenKind {
	switch name {
	case `\header`, `\paper`, `\layout`, `\midi`, `\with`:
		t.passBlock()
		return blockToken
	case `\markup`, `\markuplist`:
		t.markup()
		if b.lyrics {
			return syllableToken
		}
	case `\version`:
		t.stringOrWord()
	case `\include`: // which named a language until LilyPond 2.14
		t.skipBlanks()
		if t.peek() == '"' {
			t.speak(strings.TrimSuffix(unquoted(t.quoted()), ".ly"))
		} else {
			t.stringOrWord()
		}
	case `\language`:
		t.skipBlanks()
		if t.peek() == '"' {
			t.speak(t.quoted())
		}
	case `\lyricmode`, `\lyrics`, `\addlyrics`:
		b.lyrics = true
	case `\lyricsto`:
		t.stringOrWord()
		b.lyrics = true
	case `\relative`:
		start, ok := t.pitchArgument()
		if !ok {
			start = pitch{step: 3} // next to f, c to b are in its octave
		}
		t.scopes++
		b.relative = &relative{t.scopes, start}
		b.fixed = 0
	case `\absolute`:
		b.relative, b.fixed = nil, 0
	case `\fixed`:
		p, _ := t.pitchArgument()
		b.relative, b.fixed = nil, p.octave
	case `\transpose`:
		from, _ := t.pitchArgument()
		to, ok := t.pitchArgument()
		if ok {
			b.shift = b.shift.plus(between(from, to))
		}
		b.relative = nil
	case `\key`:
		if p, ok := t.pitchArgument(); ok {
			k.tone = tone{pitch: p, shift: b.shift, name: t.language.print(p)}
		}
		before := t.pos
		if t.skipBlanks(); t.peek() != '\\' || !isMode[t.command()] {
			t.pos = before
		}
	case `\partial`, `\skip`:
		k.length = t.takeLength()
	case `\transposition`, `\octaveCheck`:
		t.pitchArgument()
	case `\times`, `\scaleDurations`:
		b.factor = b.factor.times(t.factor(false))
	case `\tuplet`:
		b.factor = b.factor.times(t.factor(true))
		before := t.pos
		if t.skipBlanks(); durationLength(t.rest()) > 0 {
			t.pos += durationLength(t.rest())
		} else {
			t.pos = before
		}
	case `\grace`, `\acciaccatura`, `\appoggiatura`, `\slashedGrace`:
		b.grace = name[1:]
	case `\drummode`, `\drums`, `\figuremode`, `\figures`:
		b.drums = true
	case `\chordmode`, `\chords`:
		b.relative = nil
	case `\clef`, `\bar`, `\tag`, `\keepWithTag`, `\removeWithTag`, `\omit`, `\hide`, `\accidentalStyle`, `\mark`,
		`\textMark`, `\sectionLabel`, `\jump`, `\unset`, `\revert`, `\barNumberCheck`:
		t.argument()
	case `\time`:
		t.skipBlanks()
		if c := t.peek(); c == '#' || c == '$' {
			t.scheme()
			t.skipBlanks()
		}
		t.ratio()
	case `\tempo`:
		t.tempo()
	case `\repeat`:
		t.stringOrWord()
		t.skipBlanks()
		t.take(digitsLength(t.rest()))
	case `\set`, `\override`:
		t.skipBlanks()
		t.setting()
	case `\tweak`:
		t.skipBlanks()
		t.path()
		t.value()
	case `\new`, `\context`, `\change`:
		t.contextName()
		if t.comes(`\with`) {
			t.command()
			t.passBlock()
		}
	}
	return markToken
}

// factor reads n/m; of a tuplet it is m/n.
func (t *tokenizer) factor(inverse bool) fraction {
	t.skipBlanks()
	num, den, ok := strings.Cut(t.ratio(), "/")
	n, m := int64(atoi(num)), int64(atoi(den))
	if !ok || n == 0 || m == 0 {
		return fraction{1, 1}
	}
	if inverse {
		n, m = m, n
	}
	return newFraction(n, m)
}

// pitchArgument takes a pitch in absolute octaves.
func (t *tokenizer) pitchArgument() (pitch, bool) {
	before := t.pos
	t.skipBlanks()
	p, known := t.language.lookup(t.take(nameLengthIn(t.language, t.rest())))
	if !known {
		t.pos = before
		return p, false
	}
	p.octave = octaveOf(t.takeSet("',"))
	return p, true
}

// speak changes the language of what follows to one that is named, if it is known.
func (c *context) speak(quoted string) {
	if l, known := languages[unquoted(quoted)]; known {
		c.language = l
	}
}

// argument takes a string, a scheme datum or a path, if one comes next.
func (t *tokenizer) argument() {
	before := t.pos
	t.skipBlanks()
	switch c := t.peek(); {
	case c == '"':
		t.quoted()
	case c == '#' || c == '$':
		t.scheme()
	case t.at(`\markup`):
		t.command()
		t.markup()
	case isLetter(c) || isDigit(c):
		t.take(digitsLength(t.rest()))
		t.path()
	default:
		t.pos = before
	}
}

// tempo takes a text, a duration and a rate.
func (t *tokenizer) tempo() {
	if t.comes(`"`) {
		t.quoted()
	} else if t.comes(`\markup`) {
		t.command()
		t.markup()
	}
	running := t.running
	if t.takeLength() == "" {
		return
	}
	t.running = running
	if !t.comes("=") {
		return
	}
	t.pos++
	t.skipBlanks()
	t.take(digitsLength(t.rest()))
	if t.peek() == '-' {
		t.pos++
		t.take(digitsLength(t.rest()))
	}
}
