package musicsheet

import "strings"

// mode is what the lexer is in, and how many arguments it waits for: 0 if it ends
// otherwise.
type mode struct {
	kind      modeKind
	arguments int
}

type modeKind uint8

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
	expectScoreMode
	expectBookMode
	expectBookPartMode
	expectPaperMode
	expectHeaderMode
	expectLayoutMode
	expectWithMode
	expectLayoutContextMode
	expectLyricsMode
	expectDrumsMode
	expectChordNamesMode
	expectFiguresMode
	expectNotesMode
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
	`\tweak`: tweakMode, `\new`: contextMode, `\context`: contextMode, `\change`: contextMode, `\with`: expectWithMode,
	`\clef`: clefMode, `\tempo`: tempoMode, `\accidentalStyle`: styleMode, `\alterBroken`: propertyMode,
	`\chords`: expectChordNamesMode, `\chordmode`: expectChordNamesMode, `\drums`: expectDrumsMode, `\drummode`: expectDrumsMode,
	`\figures`: expectFiguresMode, `\figuremode`: expectFiguresMode, `\notes`: expectNotesMode, `\notemode`: expectNotesMode,
	`\lyricmode`: expectLyricsMode, `\lyrics`: expectLyricsMode, `\addlyrics`: expectLyricsMode,
	`\oldaddlyrics`: expectLyricsMode, `\lyricsto`: expectLyricsMode,
}

// blockModes are those of commands with a block, where the mode around them has it.
var blockModes = map[string]modeKind{
	`\score`: expectScoreMode, `\book`: expectBookMode, `\bookpart`: expectBookPartMode, `\paper`: expectPaperMode,
	`\header`: expectHeaderMode, `\layout`: expectLayoutMode, `\midi`: expectLayoutMode, `\with`: expectWithMode,
}

// blocksOf names the commands with a block that a mode has.
var blocksOf = map[modeKind]string{
	topMode: " book bookpart score paper header layout ", scoreMode: " header layout midi with ",
	bookMode: " bookpart score paper header layout ", bookPartMode: " score paper header layout ",
}

// opened is the mode of what is in the brackets that a mode expects.
var opened = map[modeKind]modeKind{
	expectScoreMode: scoreMode, expectBookMode: bookMode, expectBookPartMode: bookPartMode, expectPaperMode: paperMode,
	expectHeaderMode: headerMode, expectLayoutMode: layoutMode, expectWithMode: withMode,
	expectLayoutContextMode: layoutContextMode, expectLyricsMode: lyricMode, expectDrumsMode: drumMode,
	expectChordNamesMode: chordNamesMode, expectFiguresMode: figuresMode, expectNotesMode: musicMode,
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
	case schemeAtomLexeme, numberLexeme, fractionLexeme, markupWordLexeme, markupUserLexeme, unitLexeme:
		if in.kind == repeatMode || in.kind == scriptMode {
			l.leave()
			return
		}
		l.endArgument()
	case markupLexeme, markupLinesLexeme:
		l.enter(markupMode, 1)
	case markupScoreLexeme:
		l.enter(expectScoreMode, 0)
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
		l.enter(expectLayoutContextMode, 0)
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
		l.become(opened[kind], 0)
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
		l.enter(blockModes[text], 0)
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

// followArgument changes the mode of a command by what is an argument of it.
func (l *lexer) followArgument(in *mode, found lexeme) {
	switch in.kind {
	case topMode:
		if found.kind == equalLexeme {
			l.enter(valueMode, 0)
		}
	case pitchMode:
		switch {
		case found.kind == wordLexeme:
			in.arguments--
		case found.kind == spaceLexeme && in.arguments <= 0:
			l.leave()
		}
	case overrideMode, setMode:
		if found.kind == equalLexeme {
			l.become(numberMode, 0)
		}
	case tempoMode:
		if found.kind == equalLexeme {
			l.become(tempoRateMode, 0)
		}
	case revertMode, tweakMode:
		if found.kind == propertyLexeme && in.kind == revertMode {
			l.become(propertyPathMode, 0)
		} else if found.kind == propertyLexeme {
			l.become(tweakValueMode, 0)
		}
	case propertyPathMode, tweakValueMode:
		if found.kind == pathLexeme {
			l.enter(propertyMode, 0)
		}
	case contextMode:
		if found.kind == nameLexeme {
			l.become(contextNameMode, 0)
		}
	case contextNameMode:
		if found.kind == equalLexeme {
			l.become(contextIDMode, 1)
		}
	case contextIDMode, unsetMode, propertyMode, styleMode, clefMode, scriptMode, hideMode:
		if l.ends(in.kind, found) {
			l.leave()
		}
	}
}

// ends reports whether a lexeme is the last of a mode.
func (l *lexer) ends(in modeKind, found lexeme) bool {
	switch in {
	case contextIDMode:
		return found.kind == nameLexeme
	case unsetMode:
		return found.kind == nameLexeme && found.text[0] >= 'a' && found.text[0] <= 'z'
	case propertyMode:
		return found.kind == propertyLexeme
	case hideMode:
		return found.kind == nameLexeme && !strings.HasPrefix(strings.TrimLeft(l.line(l.pos), " \t"), ".")
	}
	return found.kind == specifierLexeme
}
