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
