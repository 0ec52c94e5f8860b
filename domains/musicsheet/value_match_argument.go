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
		for _, name := range []string{"unfold", "percent", "volta", "tremolo"} {
			if strings.HasPrefix(rest, name) && !l.wordBefore(at) && wordLength(rest) == len(name) {
				return specifierLexeme, len(name)
			}
		}
		if c == '"' {
			return quoteLexeme, 1
		}
		return numberLexeme, digitsLength(rest)
	case tempoMode:
		return l.tempo(at)
	case tempoRateMode:
		if c == '-' || c == '~' {
			return one(digitsLength(strings.TrimLeft(rest[1:], " \t")) > 0, strayLexeme)
		}
		return numberLexeme, digitsLength(rest)
	case revertMode, tweakMode, propertyMode, propertyPathMode, tweakValueMode, hideMode, styleMode:
		return l.property(kind, at)
	case contextMode, unsetMode, contextNameMode, contextIDMode:
		switch {
		case c == '=' && kind == contextNameMode:
			return equalLexeme, 1
		case c == '"' && kind == contextIDMode:
			return quoteLexeme, 1
		case c == '.' && kind == unsetMode:
			return pathLexeme, 1
		case kind != contextNameMode:
			return l.identifier(at)
		}
	case clefMode:
		if c == '"' {
			return quoteLexeme, 1
		}
		if n := wordLength(rest); n > 0 && !l.wordBefore(at) && !l.wordAfter(at+n) && clefs[rest[:n]] {
			return specifierLexeme, n
		}
	case scriptMode:
		if strings.IndexByte("+|!>._^-", c) >= 0 {
			return specifierLexeme, 1
		}
		return numberLexeme, digitsLength(rest)
	case pitchMode:
		switch {
		case c == '\'' || c == ',':
			return octaveLexeme, sameLength(rest)
		case isLetter(c):
			if n := lowerLength(rest); n > 0 && (n == len(rest) || !isLetter(rest[n])) {
				return wordLexeme, n
			}
		}
	case tremoloMode:
		if n := baseLength(rest); n > 0 && isDigit(c) && atoi(rest[:n]) >= 8 {
			return tremoloLengthLexeme, n
		}
	case chordStepsMode:
		return l.chordStep(at)
	case numberMode:
		return l.decimal(at)
	default:
		return l.openingOf(kind, at)
	}
	return 0, 0
}

func one(matches bool, kind lexemeKind) (lexemeKind, int) {
	if matches {
		return kind, 1
	}
	return 0, 0
}

// openingOf matches the bracket that a mode expects.
func (l *lexer) openingOf(kind modeKind, at int) (lexemeKind, int) {
	within := kind &^ expected
	music := within == musicMode || within == lyricMode || within == drumMode || within == chordNamesMode || within == figuresMode
	switch c := l.text[at]; {
	case c == '{':
		return openLexeme, 1
	case music && strings.HasPrefix(l.text[at:], "<<"):
		return openLexeme, 2
	case music && c == '\\':
		return l.blockCommand(at, " simultaneous sequential ")
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
		if found, n := l.musicWord(at, false); found != strayLexeme {
			return found, n
		}
	case isDigit(c):
		if found, n := l.length(at); n > 0 {
			return found, n
		}
		return l.decimal(at)
	case c == '-':
		if found, n := l.decimal(at); n > 0 {
			return found, n
		}
		return directionLexeme, 1
	case c == '^' || c == '_':
		return directionLexeme, 1
	case c == '\\':
		if found, n := l.backslashed(at, true); found == dynamicLexeme || found == restLexeme || found == lengthLexeme {
			return found, n
		}
		return markLexeme, min(digitsLength(l.text[at+1:]), 1) * (1 + digitsLength(l.text[at+1:]))
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

// property matches the path of a graphical property.
func (l *lexer) property(kind modeKind, at int) (lexemeKind, int) {
	rest := l.line(at)
	n := wordLength(rest)
	switch {
	case rest[0] == '.':
		return one(kind != propertyMode, pathLexeme)
	case n == 0 || l.wordBefore(at):
		if kind == tweakValueMode {
			return l.decimal(at)
		}
		return 0, 0
	case kind == propertyPathMode || kind == tweakValueMode:
		return 0, 0
	case kind == hideMode:
		return l.identifier(at)
	case kind == styleMode:
		for n < len(rest) && (rest[n] == '-' || isLetter(rest[n])) {
			n++
		}
		if rest[0] >= 'A' && rest[0] <= 'Z' {
			return nameLexeme, wordLength(rest)
		}
		return specifierLexeme, n
	case rest[0] >= 'A' && rest[0] <= 'Z' && n > 1:
		if kind == propertyMode {
			return 0, 0
		}
		return nameLexeme, n
	}
	for n < len(rest) && (isLetter(rest[n]) || rest[n] == '-' && n+1 < len(rest) && isLetter(rest[n+1])) {
		n++
	}
	return propertyLexeme, n
}

// chordStep matches what follows the colon of a chord's name.
func (l *lexer) chordStep(at int) (lexemeKind, int) {
	rest := l.line(at)
	switch c := rest[0]; {
	case c == ':' || c == '^' || c == '/' || c == '.':
		return chordStepLexeme, 1
	case isDigit(c):
		n := digitsLength(rest)
		if n < len(rest) && (rest[n] == '-' || rest[n] == '+') {
			n++
		}
		return chordStepLexeme, n
	}
	n := runLength(rest, isLower)
	if n > 0 && strings.Contains(" aug dim sus min maj m ", " "+rest[:n]+" ") {
		return chordStepLexeme, n
	}
	if n = lowerLength(rest); n > 0 && (n == len(rest) || !isLetter(rest[n])) {
		return wordLexeme, n
	}
	return 0, 0
}
