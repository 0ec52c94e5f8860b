package musicsheet

import (
	"strings"

	"agentd/domains/internal/sets"
	published "agentd/domains/published/musicsheet"
)

// commandToken reads a command with its arguments.
func (t *tokenizer) commandToken() {
	start := t.Pos
	if published.DurationLength(t.Rest()) > 0 {
		t.bareDuration()
		return
	}
	name := t.Command()
	if name == `\` {
		if t.Take(max(published.DigitsLength(t.Rest()), 1)) == `\` {
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
	k.text = t.Text[start:t.Pos]
	t.add(k)
}

// arguments reads those of a command. What it says of the music after it goes into b; a key signature is kept in k.
func (t *tokenizer) arguments(name string, b *bracket, k *token) tokenKind {
	switch name {
	case `\header`, `\paper`, `\layout`, `\midi`, `\with`:
		t.passBlock()
		return blockToken
	case `\markup`, `\markuplist`:
		t.Markup()
		if b.lyrics {
			return syllableToken
		}
	case `\version`:
		t.StringOrWord()
	case `\include`: // which named a language until LilyPond 2.14
		t.SkipBlanks()
		if t.Peek() == '"' {
			t.speak(strings.TrimSuffix(published.Unquoted(t.Quoted()), ".ly"))
		} else {
			t.StringOrWord()
		}
	case `\language`:
		t.SkipBlanks()
		if t.Peek() == '"' {
			t.speak(t.Quoted())
		}
	case `\lyricmode`, `\lyrics`, `\addlyrics`:
		b.lyrics = true
	case `\lyricsto`:
		t.StringOrWord()
		b.lyrics = true
	case `\relative`:
		start, ok := t.pitchArgument()
		if !ok {
			start = published.Pitch{Step: 3} // next to f, c to b are in its octave
		}
		t.scopes++
		b.relative = &relative{t.scopes, start}
		b.fixed = 0
	case `\absolute`:
		b.relative, b.fixed = nil, 0
	case `\fixed`:
		p, _ := t.pitchArgument()
		b.relative, b.fixed = nil, p.Octave
	case `\transpose`:
		from, _ := t.pitchArgument()
		to, ok := t.pitchArgument()
		if ok {
			b.shift = b.shift.plus(between(from, to))
		}
		b.relative = nil
	case `\key`:
		if p, ok := t.pitchArgument(); ok {
			k.tone = tone{pitch: p, shift: b.shift, name: t.language.Print(p)}
		}
		before := t.Pos
		if t.SkipBlanks(); t.Peek() != '\\' || !published.IsMode[t.Command()] {
			t.Pos = before
		}
	case `\partial`, `\skip`:
		k.length = t.takeLength()
	case `\transposition`, `\octaveCheck`:
		t.pitchArgument()
	case `\times`, `\scaleDurations`:
		b.factor = b.factor.Times(t.factor(false))
	case `\tuplet`:
		b.factor = b.factor.Times(t.factor(true))
		before := t.Pos
		if t.SkipBlanks(); published.DurationLength(t.Rest()) > 0 {
			t.Pos += published.DurationLength(t.Rest())
		} else {
			t.Pos = before
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
		t.SkipBlanks()
		if c := t.Peek(); c == '#' || c == '$' {
			t.Scheme()
			t.SkipBlanks()
		}
		t.ratio()
	case `\tempo`:
		t.tempo()
	case `\repeat`:
		t.StringOrWord()
		t.SkipBlanks()
		t.Take(published.DigitsLength(t.Rest()))
	case `\set`, `\override`:
		t.SkipBlanks()
		t.setting()
	case `\tweak`:
		t.SkipBlanks()
		t.path()
		t.value()
	case `\new`, `\context`, `\change`:
		t.ContextName()
		if t.Comes(`\with`) {
			t.Command()
			t.passBlock()
		}
	}
	return markToken
}

// factor reads n/m; of a tuplet it is m/n.
func (t *tokenizer) factor(inverse bool) published.Fraction {
	t.SkipBlanks()
	num, den, ok := strings.Cut(t.ratio(), "/")
	n, m := int64(published.Atoi(num)), int64(published.Atoi(den))
	if !ok || n == 0 || m == 0 {
		return published.NewFraction(1, 1)
	}
	if inverse {
		n, m = m, n
	}
	return published.NewFraction(n, m)
}

// pitchArgument takes a pitch in absolute octaves.
func (t *tokenizer) pitchArgument() (published.Pitch, bool) {
	before := t.Pos
	t.SkipBlanks()
	p, known := t.language.Lookup(t.Take(nameLengthIn(t.language, t.Rest())))
	if !known {
		t.Pos = before
		return p, false
	}
	p.Octave = octaveOf(t.takeSet("',"))
	return p, true
}

// speak changes the language of what follows to one that is named, if it is known.
func (c *context) speak(quoted string) {
	if l, known := published.Languages()[published.Unquoted(quoted)]; known {
		c.language = l
	}
}

// argument takes a string, a scheme datum or a path, if one comes next.
func (t *tokenizer) argument() {
	before := t.Pos
	t.SkipBlanks()
	switch c := t.Peek(); {
	case c == '"':
		t.Quoted()
	case c == '#' || c == '$':
		t.Scheme()
	case t.At(`\markup`):
		t.Command()
		t.Markup()
	case published.IsLetter(c) || published.IsDigit(c):
		t.Take(published.DigitsLength(t.Rest()))
		t.path()
	default:
		t.Pos = before
	}
}

// tempo takes a text, a duration and a rate.
func (t *tokenizer) tempo() {
	if t.Comes(`"`) {
		t.Quoted()
	} else if t.Comes(`\markup`) {
		t.Command()
		t.Markup()
	}
	running := t.running
	if t.takeLength() == "" {
		return
	}
	t.running = running
	if !t.Comes("=") {
		return
	}
	t.Pos++
	t.SkipBlanks()
	t.Take(published.DigitsLength(t.Rest()))
	if t.Peek() == '-' {
		t.Pos++
		t.Take(published.DigitsLength(t.Rest()))
	}
}

// scanner takes what commands have as arguments.
type scanner struct{ published.Scanner }

// passBlock passes over a block if one comes next.
func (s *scanner) passBlock() {
	if s.Comes("{") {
		s.Block()
	}
}

// setting takes a path, = and a value.
func (s *scanner) setting() {
	s.path()
	if s.SkipBlanks(); s.Peek() != '=' {
		return
	}
	s.Pos++
	s.value()
}

// path takes what a setting is about, such as Staff.midiInstrument or
// Beam #'positions.
func (s *scanner) path() {
	for {
		n := published.WordLength(s.Rest())
		s.Pos += n
		for s.Peek() == '.' || s.Peek() == '-' {
			s.Pos++
			s.Pos += published.WordLength(s.Rest())
		}
		before := s.Pos
		if s.SkipBlanks(); s.At("#'") {
			s.Scheme()
			continue
		}
		if s.Peek() != '.' {
			s.Pos = before
			return
		}
		s.Pos++
		s.SkipBlanks()
	}
}

// value takes a scheme datum, a string, a markup or a word.
func (s *scanner) value() {
	s.SkipBlanks()
	switch c := s.Peek(); {
	case c == '#' || c == '$':
		s.Scheme()
	case c == '"':
		s.Quoted()
	case c == '\\':
		if s.Command() == `\markup` {
			s.Markup()
		}
	default:
		if published.IsDigit(c) || c == '-' || published.IsLetter(c) {
			s.Pos++
		}
		for published.IsDigit(s.Peek()) || published.IsLetter(s.Peek()) || s.Peek() == '.' || s.Peek() == '-' {
			s.Pos++
		}
	}
}

// ratio takes n/m.
func (s *scanner) ratio() string { return s.Take(published.RatioLength(s.Rest())) }

// isPrefix has the commands that say how the music or the words after them are to be read.
var isPrefix = sets.Words(`\relative \absolute \fixed \transpose \repeat \alternative \times \tuplet \grace
\acciaccatura \appoggiatura \slashedGrace \afterGrace \new \context \unfoldRepeats \volta
\simultaneous \sequential \tag \keepWithTag \removeWithTag \drummode \drums \chordmode
\chords \notemode \figuremode \figures \partcombine \partCombine \autochange \autoChange
\once \temporary \tweak \single \shiftDurations \scaleDurations \transposedCueDuring
\cueDuring \quoteDuring \parallelMusic \voices \retrograde \inversion \modalTranspose
\featherDurations \killCues \applyMusic \compressMMRests \addlyrics \lyricmode \lyrics
\lyricsto`)

var postCommands = sets.Words(`accent marcato staccatissimo espressivo staccato tenuto portato upbow downbow flageolet
thumb lheel rheel ltoe rtoe open halfopen stopped snappizzicato turn reverseturn trill prall mordent prallprall
prallmordent upprall downprall upmordent downmordent pralldown prallup lineprall signumcongruentiae shortfermata
fermata longfermata verylongfermata segno coda varcoda startTrillSpan stopTrillSpan sustainOn sustainOff sostenutoOn
sostenutoOff unaCorda treCorde startGroup stopGroup laissezVibrer repeatTie glissando arpeggio noBeam rest startTextSpan
stopTextSpan harmonic bendAfter n`)

// isPost reports whether a command belongs to the note before it.
func isPost(name string) bool { return published.IsDynamic[name[1:]] || postCommands[name[1:]] }
