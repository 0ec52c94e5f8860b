package musicsheet

import "strings"

var postCommands = wordSet(`accent marcato staccatissimo espressivo staccato tenuto portato upbow downbow flageolet
thumb lheel rheel ltoe rtoe open halfopen stopped snappizzicato turn reverseturn trill prall mordent prallprall
prallmordent upprall downprall upmordent downmordent pralldown prallup lineprall signumcongruentiae shortfermata
fermata longfermata verylongfermata segno coda varcoda startTrillSpan stopTrillSpan sustainOn sustainOff sostenutoOn
sostenutoOff unaCorda treCorde startGroup stopGroup laissezVibrer repeatTie glissando arpeggio noBeam rest startTextSpan
stopTextSpan harmonic bendAfter n`)

func wordSet(names string) map[string]bool {
	set := map[string]bool{}
	for _, name := range strings.Fields(names) {
		set[name] = true
	}
	return set
}

func isPost(name string) bool {
	return isDynamic(name[1:]) || postCommands[name[1:]]
}

// commandToken reads a command with its arguments.
func (t *tokenizer) commandToken() {
	start := t.pos
	if durationLength(t.rest()) > 0 {
		t.bareDuration()
		return
	}
	name := t.command()
	if name == `\` {
		sign := t.take(1)
		for isDigit(t.peek()) && isDigit(sign[0]) {
			t.pos++
		}
		if sign == `\` {
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
	if isPrefix(name) {
		k.kind = t.arguments(name, t.change(), &k)
	} else {
		b := t.scope()
		k.kind = t.arguments(name, &b, &k)
		t.next = nil
	}
	k.text = t.text[start:t.pos]
	t.add(k)
}

func isPrefix(name string) bool {
	return isApplied(name) && name != `\with` || name == `\lyricmode` || name == `\lyrics` || name == `\lyricsto` || name == `\addlyrics`
}

// arguments reads those of a command. What it says of the music after it goes
// into b; a key signature is kept in k.
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
	case `\include`:
		t.stringOrWord()
	case `\language`:
		t.skipBlanks()
		if l, known := languages[unquoted(t.quotedNext())]; known {
			t.language = l
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
		if t.skipBlanks(); t.peek() != '\\' || !isMode(t.command()) {
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
	default:
		t.otherArguments(name)
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

// otherArguments reads those that are only kept.
func (t *tokenizer) otherArguments(name string) {
	switch name {
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
		before := t.pos
		if t.skipBlanks(); t.at(`\with`) {
			t.command()
			t.passBlock()
		} else {
			t.pos = before
		}
	}
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

// quotedNext takes a string if one comes next.
func (t *tokenizer) quotedNext() string {
	if t.peek() != '"' {
		return ""
	}
	return t.quoted()
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
	running := t.running
	before := t.pos
	t.skipBlanks()
	if t.peek() == '"' {
		t.quoted()
	} else if t.at(`\markup`) {
		t.command()
		t.markup()
	} else {
		t.pos = before
	}
	if t.takeLength() == "" {
		return
	}
	t.running = running
	before = t.pos
	if t.skipBlanks(); t.peek() != '=' {
		t.pos = before
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
