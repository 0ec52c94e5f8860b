package musicsheet

import "strings"

// mode is what the lexer is in, and how many arguments it waits for: 0 if it ends
// otherwise.
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
	drumMode
	drumChordMode
	chordNamesMode
	figuresMode
	figureMode
	schemeMusicMode // music in Scheme, up to #}
	scoreMode
	bookMode
	bookPartMode
	paperMode
	headerMode
	layoutMode // of midi, too
	withMode
	layoutContextMode
	markupMode
	schemeMode
	stringMode
	commentMode
	schemeCommentMode
	overrideMode
	setMode
	// Those that follow end where something stands that they do not take.
	firstFallingMode
	valueMode // of a variable at the outermost level
	repeatMode
	tempoMode
	tempoRateMode
	dotsMode
	scalingMode
	revertMode
	propertyPathMode
	propertyMode
	unsetMode
	tweakMode
	tweakValueMode
	contextMode
	contextNameMode
	contextIDMode
	clefMode
	hideMode
	styleMode
	scriptMode
	pitchMode
	tremoloMode
	chordStepsMode
	numberMode
)

// falls reports whether the mode ends where something stands that it does not take.
func (k modeKind) falls() bool { return k > firstFallingMode }

// modeCommands are the commands that are read to the end of a word and open a mode.
var modeCommands = map[string]modeKind{
	`\relative`: pitchMode, `\transpose`: pitchMode, `\transposition`: pitchMode, `\key`: pitchMode, `\octaveCheck`: pitchMode,
	`\override`: overrideMode, `\revert`: revertMode, `\set`: setMode, `\unset`: unsetMode, `\hide`: hideMode, `\omit`: hideMode,
	`\tweak`: tweakMode, `\new`: contextMode, `\context`: contextMode, `\change`: contextMode,
	`\clef`: clefMode, `\tempo`: tempoMode, `\accidentalStyle`: styleMode, `\alterBroken`: propertyMode,
	`\with`: expected | withMode, `\chords`: expected | chordNamesMode, `\chordmode`: expected | chordNamesMode,
	`\drums`: expected | drumMode, `\drummode`: expected | drumMode, `\figures`: expected | figuresMode,
	`\figuremode`: expected | figuresMode, `\notes`: expected | musicMode, `\notemode`: expected | musicMode,
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
	case quoteLexeme:
		l.enter(stringMode, 0)
	case commentLexeme:
		switch {
		case strings.HasPrefix(found.text, "%{"):
			l.enter(commentMode, 0)
		case strings.HasPrefix(found.text, "#!"):
			l.enter(schemeCommentMode, 0)
		case in.kind == commentMode || in.kind == schemeCommentMode:
			l.leave()
		}
	case unquoteLexeme, closeLexeme:
		if in.kind == markupMode {
			for l.mode().kind == markupMode && l.mode().arguments > 0 {
				l.leave()
			}
		}
		l.leave()
		l.endArgument()
	case schemeLexeme:
		l.enter(schemeMode, 1)
	case schemeOpenLexeme:
		l.enter(schemeMode, 0)
	case schemeMusicLexeme:
		if found.text == "#}" {
			l.leave()
		} else {
			l.enter(schemeMusicMode, 0)
		}
	case schemeAtomLexeme, numberLexeme, fractionLexeme, markupWordLexeme, unitLexeme:
		if in.kind == repeatMode || in.kind == scriptMode {
			l.leave()
			return
		}
		l.endArgument()
	case markupLexeme, markupLinesLexeme:
		l.enter(markupMode, 1)
	case markupScoreLexeme:
		l.enter(expected|scoreMode, 0)
	case markupCommandLexeme:
		if n := markupCommands[found.text[1:]] - 1; n > 0 {
			l.enter(markupMode, n)
		} else {
			l.endArgument()
		}
	case openLexeme:
		l.followOpen(in, found)
	case chordLexeme:
		l.followChord(in.kind)
	case chordEndLexeme, tremoloLengthLexeme:
		l.leave()
	case lengthLexeme:
		l.enter(dotsMode, 0)
	case directionLexeme:
		l.enter(scriptMode, 1)
	case tremoloLexeme:
		l.enter(tremoloMode, 0)
	case chordStepLexeme:
		if in.kind == chordNamesMode {
			l.enter(chordStepsMode, 0)
		}
	case layoutLexeme:
		l.enter(expected|layoutContextMode, 0)
	case commandLexeme:
		l.followCommand(in.kind, found.text)
	default:
		l.followArgument(in, found)
	}
}

func (l *lexer) followOpen(in *mode, found lexeme) {
	switch kind := in.kind; {
	case kind == markupMode:
		l.enter(markupMode, 0)
	case kind.falls():
		l.become(kind&^expected, 0)
	case kind == lyricMode || kind == drumMode || kind == chordNamesMode || kind == figuresMode:
		l.enter(kind, 0)
	default:
		l.enter(musicMode, 0)
	}
}

func (l *lexer) followChord(in modeKind) {
	switch in {
	case figuresMode:
		l.enter(figureMode, 0)
	case drumMode:
		l.enter(drumChordMode, 0)
	default:
		l.enter(chordMode, 0)
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
	case kind == pitchMode || kind == clefMode:
		l.enter(kind, 1)
	default:
		l.enter(kind, 0)
	}
}

// turns are what a mode becomes by a lexeme.
var turns = map[modeKind]map[lexemeKind]mode{
	overrideMode:    {equalLexeme: {kind: numberMode}},
	setMode:         {equalLexeme: {kind: numberMode}},
	tempoMode:       {equalLexeme: {kind: tempoRateMode}},
	revertMode:      {propertyLexeme: {kind: propertyPathMode}},
	tweakMode:       {propertyLexeme: {kind: tweakValueMode}},
	contextMode:     {nameLexeme: {kind: contextNameMode}},
	contextNameMode: {equalLexeme: {contextIDMode, 1}},
}

// followArgument changes the mode of a command by what is an argument of it.
func (l *lexer) followArgument(in *mode, found lexeme) {
	ends := false // the arguments
	switch in.kind {
	case topMode:
		if found.kind == equalLexeme {
			l.enter(valueMode, 0)
		}
	case pitchMode:
		if found.kind == wordLexeme {
			in.arguments--
		}
		ends = found.kind == spaceLexeme && in.arguments <= 0
	case propertyPathMode, tweakValueMode:
		if found.kind == pathLexeme {
			l.enter(propertyMode, 0)
		}
	case overrideMode, setMode, tempoMode, revertMode, tweakMode, contextMode, contextNameMode:
		if to, turned := turns[in.kind][found.kind]; turned {
			*in = to
		}
	case contextIDMode:
		ends = found.kind == nameLexeme
	case unsetMode:
		ends = found.kind == nameLexeme && found.text[0] >= 'a' && found.text[0] <= 'z'
	case propertyMode:
		ends = found.kind == propertyLexeme
	case hideMode:
		ends = found.kind == nameLexeme && !strings.HasPrefix(strings.TrimLeft(l.line(l.pos), " \t"), ".")
	case styleMode, clefMode, scriptMode:
		ends = found.kind == specifierLexeme
	}
	if ends {
		l.leave()
	}
}
