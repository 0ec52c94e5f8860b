package musicsheet

import (
	"strings"

	"agentd/domains/internal/sets"
)

// mode is what the lexer is in, and how many arguments it waits for: 0 if it ends otherwise.
type mode struct {
	kind      modeKind
	arguments int
}

type modeKind uint8

// expected is set in the kind of a mode that waits for its bracket.
const expected modeKind = 1 << 7

const (
	topMode modeKind = iota
	musicMode
	chordMode
	lyricMode
	scoreMode
	bookMode
	bookPartMode
	paperMode
	headerMode
	layoutMode // of midi, too
	withMode
	overrideMode
	setMode
	// Those that follow end where something stands that they do not take.
	firstFallingMode
	valueMode // of a variable at the outermost level
	repeatMode
	dotsMode
	scalingMode
	pitchMode
	numberMode
)

// falls reports whether the mode ends where something stands that it does not take.
func (k modeKind) falls() bool { return k > firstFallingMode }

// modeCommands are the commands that are read to the end of a word and open a mode.
var modeCommands = map[string]modeKind{
	`\relative`: pitchMode, `\transpose`: pitchMode, `\transposition`: pitchMode, `\key`: pitchMode, `\octaveCheck`: pitchMode,
	`\override`: overrideMode, `\set`: setMode,
	`\with`:   expected | withMode,
	`\chords`: expected | musicMode, `\chordmode`: expected | musicMode, `\drums`: expected | musicMode, `\drummode`: expected | musicMode,
	`\figures`: expected | musicMode, `\figuremode`: expected | musicMode, `\notes`: expected | musicMode, `\notemode`: expected | musicMode,
	`\lyricmode`: expected | lyricMode, `\lyrics`: expected | lyricMode, `\addlyrics`: expected | lyricMode,
	`\oldaddlyrics`: expected | lyricMode, `\lyricsto`: expected | lyricMode,
}

// blockModes are those of commands with a block, where the mode around them has it.
var blockModes = map[string]modeKind{
	`\score`: scoreMode, `\book`: bookMode, `\bookpart`: bookPartMode, `\paper`: paperMode, `\header`: headerMode,
	`\layout`: layoutMode, `\midi`: layoutMode, `\with`: withMode,
}

// blocksOf names the commands with a block that a mode has.
var blocksOf = map[modeKind]string{
	topMode: " book bookpart score paper header layout ", scoreMode: " header layout midi with ",
	bookMode: " bookpart score paper header layout ", bookPartMode: " score paper header layout ",
}

// fall leaves a mode that does not take what comes next.
func (l *lexer) fall() {
	if l.mode().kind == dotsMode {
		l.become(scalingMode, 0)
		return
	}
	l.leave()
}

// follow changes the modes by a lexeme that was taken.
func (l *lexer) follow(found lexeme) {
	in := l.mode()
	switch found.kind {
	case closeLexeme:
		l.leave()
		l.endArgument()
	case schemeLexeme, quoteLexeme, markupLexeme, numberLexeme, fractionLexeme:
		if in.kind == repeatMode {
			l.leave()
			return
		}
		l.endArgument()
	case openLexeme:
		l.followOpen(in.kind)
	case chordLexeme:
		l.enter(chordMode, 0)
	case chordEndLexeme:
		l.leave()
	case lengthLexeme:
		l.enter(dotsMode, 0)
	case commandLexeme:
		l.followCommand(in.kind, found.text)
	default:
		l.followArgument(in, found)
	}
}

func (l *lexer) followOpen(kind modeKind) {
	switch {
	case kind.falls():
		l.become(kind&^expected, 0)
	case kind == lyricMode:
		l.enter(kind, 0)
	default:
		l.enter(musicMode, 0)
	}
}

func (l *lexer) followCommand(in modeKind, text string) {
	name := text[1:]
	if strings.Contains(blocksOf[in], " "+name+" ") && !l.wordAfter(l.pos) {
		l.enter(expected|blockModes[text], 0)
		return
	}
	switch kind := modeCommands[text]; {
	case text == `\repeat`:
		l.enter(repeatMode, 0)
	case kind == 0 || l.wordAfter(l.pos):
		l.endArgument()
	case text == `\transpose`:
		l.enter(pitchMode, 2)
	case kind == pitchMode:
		l.enter(kind, 1)
	default:
		l.enter(kind, 0)
	}
}

// followArgument changes the mode of a command by what is an argument of it.
func (l *lexer) followArgument(in *mode, found lexeme) {
	switch in.kind {
	case topMode:
		if found.kind == equalLexeme {
			l.enter(valueMode, 0)
		}
	case pitchMode:
		if found.kind == wordLexeme {
			in.arguments--
		}
		if found.kind == spaceLexeme && in.arguments <= 0 {
			l.leave()
		}
	case overrideMode, setMode:
		if found.kind == equalLexeme {
			in.kind = numberMode
		}
	}
}

// IsDynamic has the commands of dynamics, without their backslash.
var IsDynamic = sets.Words(`f ff fff ffff fffff p pp ppp pppp ppppp mf mp fp sp spp sf sff sfz rfz cresc decresc dim cr decr`)

// IsMode has the commands that say the mode of a key.
var IsMode = sets.Words(`\major \minor \ionian \dorian \phrygian \lydian \mixolydian \aeolian \locrian`)

// isOutput has the commands that open a block that holds no variable's music.
var isOutput = sets.Words(`\header \paper \layout \midi \score \book \bookpart \with`)

var repeats = sets.Words(`unfold percent volta tremolo`)

// match returns what the mode takes at a place, and its length: 0 if nothing.
func (l *lexer) match(at int) (lexemeKind, int) {
	kind := l.mode().kind
	if kind.falls() {
		if found, n := l.blanks(at); n > 0 {
			return found, n
		}
		return l.argument(kind, at)
	}
	if found, n := l.basics(at); n > 0 {
		return found, n
	}
	switch kind {
	case musicMode, chordMode:
		return l.inMusic(kind, at)
	case lyricMode:
		return l.inLyrics(at)
	case overrideMode, setMode:
		switch c := l.text[at]; {
		case c == '=':
			return equalLexeme, 1
		case c == '.':
			return pathLexeme, 1
		case kind == setMode:
			return l.identifier(at)
		}
		return 0, 0
	}
	return l.inBlock(kind, at)
}

// prefix matches a text that stands for one thing only.
func prefix(text, begin string, kind lexemeKind) (lexemeKind, int) {
	if strings.HasPrefix(text, begin) {
		return kind, len(begin)
	}
	return 0, 0
}

// brackets matches those around music.
func brackets(text string) (lexemeKind, int) {
	switch {
	case text[0] == '{':
		return openLexeme, 1
	case text[0] == '}':
		return closeLexeme, 1
	case strings.HasPrefix(text, "<<"):
		return openLexeme, 2
	}
	return prefix(text, ">>", closeLexeme)
}

// inBlock matches what stands in braces that hold no music, and at the outermost level.
func (l *lexer) inBlock(kind modeKind, at int) (lexemeKind, int) {
	flat := kind == paperMode || kind == layoutMode
	switch c := l.text[at]; {
	case c == '}':
		if kind != topMode {
			return closeLexeme, 1
		}
	case c == '\\':
		return l.blockCommands(kind, at)
	case c == '{' && !flat:
		return openLexeme, 1
	case c == '<' && !flat && strings.HasPrefix(l.text[at:], "<<"):
		return openLexeme, 2
	case c == '=' && kind != scoreMode && kind != bookMode && kind != bookPartMode:
		return equalLexeme, 1
	case c == '.' && kind != scoreMode && kind != bookMode && kind != bookPartMode:
		return pathLexeme, 1
	case IsDigit(c) || c == '-':
		if kind == topMode || flat {
			return l.decimal(at)
		}
	case kind == topMode || kind == withMode:
		return l.identifier(at)
	case flat || kind == headerMode:
		_, n := l.identifier(at)
		return variableLexeme, n
	}
	return 0, 0
}

// blockCommands matches a command in a block.
func (l *lexer) blockCommands(kind modeKind, at int) (lexemeKind, int) {
	if found, n := l.blockCommand(at, blocksOf[kind]); n > 0 {
		return found, n
	}
	if kind == layoutMode || kind == paperMode {
		if _, n := l.blockCommand(at, " mm cm in pt "); n > 0 {
			return unitLexeme, n
		}
	}
	return l.command(at)
}

// backslashed matches what begins with a backslash in music and lyrics.
func (l *lexer) backslashed(at int, inMusic bool) (lexemeKind, int) {
	rest := l.line(at)
	if len(rest) > 1 && strings.IndexByte("<!>", rest[1]) >= 0 {
		return dynamicLexeme, 2
	}
	word := WordLength(rest[1:])
	if word > 0 && IsDynamic[rest[1:1+word]] {
		return dynamicLexeme, 1 + word
	}
	if kind, n := l.length(at); n > 0 {
		return kind, n
	}
	if inMusic && len(rest) > 1 {
		switch c := rest[1]; {
		case strings.IndexByte(`\()`, c) >= 0:
			return markLexeme, 2
		case IsDigit(c):
			return markLexeme, 1 + DigitsLength(rest[1:])
		}
	}
	return l.command(at)
}

func (l *lexer) inMusic(kind modeKind, at int) (lexemeKind, int) {
	rest := l.line(at)
	if kind == chordMode {
		if _, n := l.length(at); n > 0 {
			return strayLexeme, n
		}
	}
	if found, n := brackets(rest); n > 0 {
		return found, n
	}
	switch c := rest[0]; {
	case c == '\\':
		return l.backslashed(at, true)
	case IsLetter(c):
		return l.musicWord(at)
	case IsDigit(c):
		if found, n := l.length(at); n > 0 && RatioLength(rest) == 0 {
			return found, n
		}
		return l.fraction(at)
	case c == '\'' || c == ',':
		return octaveLexeme, sameLength(rest)
	case c == '!' || c == '?':
		return octaveLexeme, 1
	case c == '=': // of an octave check or, after a duration, with the rate of a tempo
		n := 1
		if before := strings.TrimRight(l.text[:at], " "); strings.ContainsAny(before[len(before)-1:], "0123456789.") {
			n += BlankLength(rest[n:])
			n += DigitsLength(rest[n:])
		}
		return octaveLexeme, n
	case c == '<':
		return chordLexeme, 1
	case c == '>' && kind == chordMode:
		return chordEndLexeme, 1
	case c == ':':
		return markLexeme, 1 + DigitsLength(rest[1:])
	case c == '-' || c == '^' || c == '_':
		n := 1 + DigitsLength(rest[1:])
		if n == 1 && n < len(rest) && strings.IndexByte("+|!>._^-", rest[n]) >= 0 {
			n++
		}
		return markLexeme, n
	}
	return 0, 0
}

// musicWord matches what may be a note.
func (l *lexer) musicWord(at int) (lexemeKind, int) {
	rest := l.line(at)
	n := lowerLength(rest)
	if n < len(rest) && IsLetter(rest[n]) {
		l.barren = at + n
		return 0, 0
	}
	return wordLexeme, n
}

func (l *lexer) inLyrics(at int) (lexemeKind, int) {
	rest := l.line(at)
	if found, n := brackets(rest); n > 0 {
		return found, n
	}
	switch rest[0] {
	case '\\':
		return l.backslashed(at, false)
	case '|':
		return markLexeme, 1
	}
	for _, joint := range []string{"--", "__", "_"} {
		if strings.HasPrefix(rest, joint) {
			n := len(joint)
			if n == len(rest) || rest[n] == '\\' || l.spaces(at+n) > 0 {
				return strayLexeme, n
			}
		}
	}
	if n := lyricLength(rest); n > 0 {
		return syllableLexeme, n
	}
	return l.length(at)
}

// argument matches what a mode takes that ends where it takes nothing.
func (l *lexer) argument(kind modeKind, at int) (lexemeKind, int) {
	rest := l.line(at)
	c := rest[0]
	switch kind {
	case valueMode:
		return l.value(at)
	case dotsMode:
		return prefix(rest, ".", scalingLexeme)
	case scalingMode:
		if c == '*' {
			return scalingLexeme, factorLength(rest)
		}
	case repeatMode:
		if word := rest[:WordLength(rest)]; repeats[word] && !l.wordBefore(at) {
			return specifierLexeme, len(word)
		}
		return numberLexeme, DigitsLength(rest)
	case pitchMode:
		if c == '\'' || c == ',' {
			return octaveLexeme, sameLength(rest)
		}
		return pitchWord(rest)
	case numberMode:
		return l.decimal(at)
	default:
		return l.openingOf(kind, at)
	}
	return 0, 0
}

// openingOf matches the bracket that a mode expects.
func (l *lexer) openingOf(kind modeKind, at int) (lexemeKind, int) {
	within := kind &^ expected
	switch c := l.text[at]; {
	case c == '{':
		return openLexeme, 1
	case (within == musicMode || within == lyricMode) && strings.HasPrefix(l.text[at:], "<<"):
		return openLexeme, 2
	case within == lyricMode && (c == '"' || c == '#' || c == '$'):
		return l.basics(at)
	case within == lyricMode:
		return l.identifier(at)
	}
	return 0, 0
}

// value matches the first of what a variable at the outermost level is set to.
func (l *lexer) value(at int) (lexemeKind, int) {
	switch c := l.text[at]; {
	case IsLetter(c):
		return l.musicWord(at)
	case IsDigit(c):
		if found, n := l.length(at); n > 0 {
			return found, n
		}
		return l.decimal(at)
	}
	return 0, 0
}

// pitchWord matches a word that may be the name of a pitch.
func pitchWord(text string) (lexemeKind, int) {
	if n := WordLength(text); n == lowerLength(text) {
		return wordLexeme, n
	}
	return 0, 0
}
