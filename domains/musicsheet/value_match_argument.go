package musicsheet

import "strings"

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
		if word := rest[:wordLength(rest)]; repeats[word] && !l.wordBefore(at) {
			return specifierLexeme, len(word)
		}
		return numberLexeme, digitsLength(rest)
	case tempoMode:
		return l.tempo(at)
	case tempoRateMode:
		return numberLexeme, digitsLength(rest)
	case contextMode, contextNameMode, contextIDMode:
		switch {
		case c == '=' && kind == contextNameMode:
			return equalLexeme, 1
		case c == '"' && kind == contextIDMode:
			return quoteLexeme, 1
		case kind != contextNameMode:
			return l.identifier(at)
		}
	case clefMode:
		return prefix(rest, `"`, quoteLexeme)
	case scriptMode:
		if strings.IndexByte("+|!>._^-", c) >= 0 {
			return specifierLexeme, 1
		}
		return numberLexeme, digitsLength(rest)
	case pitchMode:
		if c == '\'' || c == ',' {
			return octaveLexeme, sameLength(rest)
		}
		return pitchWord(rest)
	case tremoloMode:
		if n := baseLength(rest); n > 0 && isDigit(c) && atoi(rest[:n]) >= 8 {
			return tremoloLengthLexeme, n
		}
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
	case isLetter(c):
		return l.musicWord(at)
	case isDigit(c):
		if found, n := l.length(at); n > 0 {
			return found, n
		}
		return l.decimal(at)
	}
	return 0, 0
}

// tempo matches a text, a duration or an equal sign.
func (l *lexer) tempo(at int) (lexemeKind, int) {
	switch c := l.text[at]; {
	case c == '"' || c == '#' || c == '$':
		return l.basics(at)
	case c == '=':
		return equalLexeme, 1
	case strings.HasPrefix(l.text[at:], `\markup`):
		if found, n := l.command(at); found == markupLexeme {
			return found, n
		}
	}
	return l.length(at)
}

// pitchWord matches a word that may be the name of a pitch.
func pitchWord(text string) (lexemeKind, int) {
	if n := wordLength(text); n == lowerLength(text) {
		return wordLexeme, n
	}
	return 0, 0
}
