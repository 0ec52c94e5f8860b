package musicsheet

import (
	"agentd/domains/internal/plain"
)

// expression reads one music expression into the open voice: an item, something
// in brackets, or a command with what it applies to.
func (r *reader) expression() {
	wanted, depth := 1, 0
	repeated := false
	for r.err == nil {
		r.skipBlanks()
		if r.atEnd() {
			return
		}
		ended := depth == 0 // what follows is a whole, unless it says otherwise
		switch c := r.peek(); {
		case c == '{':
			r.pos++
			depth++
			ended = false
		case r.at("<<"):
			r.pos += 2
			depth++
			ended = false
		case c == '}':
			r.pos++
			depth--
			ended = depth <= 0
		case r.at(">>"):
			r.pos += 2
			depth--
			ended = depth <= 0
		case c == '\\':
			more, of := r.musicCommand()
			repeated = repeated || of == `\repeat`
			if depth == 0 {
				wanted += more
				ended = more == 0 && !isApplied(of)
			}
		default:
			r.item()
		}
		if ended {
			if wanted--; wanted <= 0 {
				if !repeated || !r.alternative() {
					return
				}
				wanted = 1
			}
		}
	}
}

// alternative takes \alternative where it comes next.
func (r *reader) alternative() bool {
	before := r.pos
	if r.skipBlanks(); r.at(`\alternative`) {
		r.command()
		return true
	}
	r.pos = before
	return false
}

// item reads what begins with neither a bracket nor a backslash.
func (r *reader) item() {
	switch c := r.peek(); {
	case c == '"':
		r.quoted()
	case c == '#' || c == '$':
		r.scheme()
	case c == '<':
		r.pos++
		r.chord()
	case c == '-' || c == '^' || c == '_':
		r.direction()
	case c == ':':
		r.pos++
		r.pos += digitsLength(r.rest())
	case isDigit(c):
		if !r.duration() {
			r.pos++
		}
	case isLetter(c):
		r.word(false)
	default:
		r.pos++
	}
}

// direction takes a direction mark with the articulation or fingering after it.
func (r *reader) direction() {
	r.pos++
	switch c := r.peek(); {
	case isDigit(c), c == '.', c == '-', c == '>', c == '^', c == '+', c == '_', c == '!', c == '|':
		r.pos++
	}
}

// duration takes a duration, which holds for what follows without one.
func (r *reader) duration() bool {
	n := durationLength(r.rest())
	if n == 0 {
		return false
	}
	if text := r.take(n); text != r.runningText {
		f, ok := readDuration(text)
		if !ok {
			r.err = errFactor
		}
		r.running, r.runningText = f, text
	}
	return true
}

// word reads letters: a note, if they are a name and no letter follows.
func (r *reader) word(inChord bool) {
	n := lowerLength(r.rest())
	if n == 0 {
		r.pos++
		return
	}
	name := r.take(n)
	if isLetter(r.peek()) {
		return
	}
	p, ok := r.language.lookup(name)
	if !ok {
		return
	}
	r.marks()
	if inChord {
		r.add(p, quarter)
		return
	}
	before := r.pos
	if r.skipBlanks(); !r.duration() {
		r.pos = before
	}
	r.add(p, r.running)
}

// lowerLength is that of letters from a to x.
func lowerLength(text string) int {
	n := 0
	for n < len(text) && text[n] >= 'a' && text[n] <= 'x' {
		n++
	}
	return n
}

// marks takes octave marks, an accidental and an octave check.
func (r *reader) marks() {
	for _, set := range []string{"',", "!?"} {
		before := r.pos
		r.skipBlanks()
		if n := runLength(r.rest(), set); n > 0 {
			r.pos += n
		} else {
			r.pos = before
		}
	}
	if r.peek() == '=' {
		r.pos++
		r.pos += runLength(r.rest(), "',")
	}
}

func runLength(text, set string) int {
	n := 0
	for n < len(text) && (text[n] == set[0] || text[n] == set[1]) {
		n++
	}
	return n
}

func (r *reader) add(p pitch, length fraction) {
	r.voice.pitches = plain.Append(r.voice.pitches, uint8(p.class()))
	r.voice.lengths = plain.Append(r.voice.lengths, length.float())
}

// chord reads to the closing bracket; its notes count as quarters.
func (r *reader) chord() {
	for r.err == nil {
		r.skipBlanks()
		switch c := r.peek(); {
		case r.atEnd():
			return
		case c == '>' || c == '}': // this one closes the chord, not what is around it
			r.pos++
			return
		case isLetter(c):
			r.word(true)
		case c == '-' || c == '^' || c == '_':
			r.direction()
		case c == '"':
			r.quoted()
		case c == '#' || c == '$':
			r.scheme()
		case c == '\\':
			r.musicCommand()
		default:
			r.pos++
		}
	}
}

// isApplied reports whether a command is followed by music that it applies to.
func isApplied(name string) bool {
	switch name {
	case `\relative`, `\absolute`, `\fixed`, `\transpose`, `\repeat`, `\alternative`, `\times`, `\tuplet`, `\grace`,
		`\acciaccatura`, `\appoggiatura`, `\slashedGrace`, `\afterGrace`, `\new`, `\context`, `\unfoldRepeats`, `\volta`,
		`\simultaneous`, `\sequential`, `\tag`, `\keepWithTag`, `\removeWithTag`, `\drummode`, `\drums`, `\chordmode`,
		`\chords`, `\notemode`, `\figuremode`, `\figures`, `\partcombine`, `\partCombine`, `\autochange`, `\autoChange`,
		`\once`, `\temporary`, `\tweak`, `\single`, `\shiftDurations`, `\scaleDurations`, `\transposedCueDuring`,
		`\cueDuring`, `\quoteDuring`, `\parallelMusic`, `\voices`, `\retrograde`, `\inversion`, `\modalTranspose`,
		`\featherDurations`, `\killCues`, `\applyMusic`, `\compressMMRests`, `\addlyrics`, `\with`:
		return true
	}
	return false
}

// musicCommand reads a command with its arguments. It returns how many more
// expressions it takes than one, and its name.
func (r *reader) musicCommand() (more int, name string) {
	if n := durationLength(r.rest()); n > 0 {
		r.duration()
		return 0, ""
	}
	name = r.command()
	if name == `\` {
		r.dynamicMark()
		return 0, name
	}
	if isDynamic(name[1:]) {
		r.voice.dynamics = plain.Append(r.voice.dynamics, name)
		return 0, name
	}
	switch name {
	case `\language`:
		r.readLanguage(name)
	case `\key`:
		r.keySignature()
	case `\time`:
		r.timeSignature()
	case `\relative`, `\transposition`, `\octaveCheck`, `\fixed`:
		r.argumentPitch()
	case `\transpose`:
		r.argumentPitch()
		r.argumentPitch()
	case `\clef`:
		r.stringOrWord()
	case `\tempo`:
		r.tempo()
	case `\repeat`:
		r.stringOrWord()
		r.skipBlanks()
		r.pos += digitsLength(r.rest())
	case `\times`, `\tuplet`, `\scaleDurations`:
		r.skipBlanks()
		r.ratio()
	case `\set`, `\override`:
		r.skipBlanks()
		r.setting()
	case `\unset`, `\revert`:
		r.skipBlanks()
		r.path()
	case `\tweak`:
		r.skipBlanks()
		r.path()
		r.value()
	case `\new`, `\context`:
		r.contextName()
	case `\with`, `\paper`, `\layout`, `\midi`:
		r.passBlock()
	case `\lyricmode`, `\lyrics`, `\addlyrics`:
		r.readLyrics()
	case `\lyricsto`:
		r.stringOrWord()
		r.readLyrics()
	case `\markup`, `\markuplist`:
		r.markup()
	case `\afterGrace`, `\partcombine`, `\partCombine`:
		return 1, name
	}
	return 0, name
}

// dynamicMark takes the sign after a bare backslash.
func (r *reader) dynamicMark() {
	if mark := r.take(1); mark == "<" || mark == ">" || mark == "!" {
		r.voice.dynamics = plain.Append(r.voice.dynamics, `\`+mark)
	}
}

func isDynamic(name string) bool {
	switch name {
	case "f", "ff", "fff", "ffff", "fffff", "p", "pp", "ppp", "pppp", "ppppp", "mf", "mp", "fp", "sp", "spp", "sf", "sff",
		"sfz", "rfz", "cresc", "decresc", "dim", "cr", "decr":
		return true
	}
	return false
}

// argumentPitch takes a pitch, which counts as a note.
func (r *reader) argumentPitch() (pitch, bool) {
	before := r.pos
	r.skipBlanks()
	n := lowerLength(r.rest())
	p, ok := r.language.lookup(r.rest()[:n])
	if n == 0 || !ok || n < len(r.rest()) && isLetter(r.rest()[n]) {
		r.pos = before
		return p, false
	}
	r.pos += n
	r.marks()
	r.add(p, quarter)
	return p, true
}

func (r *reader) keySignature() {
	p, ok := r.argumentPitch()
	mode := `\major`
	before := r.pos
	if r.skipBlanks(); r.peek() == '\\' {
		mode = r.command()
	}
	if !isMode(mode) {
		mode, r.pos = `\major`, before
	}
	if !r.global {
		return
	}
	if !ok {
		r.err = errKey
		return
	}
	r.sheet.key = string(rune('0'+p.step)) + string(rune('m'+p.alter)) + mode
}

func isMode(command string) bool {
	switch command {
	case `\major`, `\minor`, `\ionian`, `\dorian`, `\phrygian`, `\lydian`, `\mixolydian`, `\aeolian`, `\locrian`:
		return true
	}
	return false
}

// timeSignature reads n/m; without it the time is 4/4.
func (r *reader) timeSignature() {
	r.skipBlanks()
	if c := r.peek(); c == '#' || c == '$' {
		r.scheme()
		r.skipBlanks()
	}
	t := r.ratio()
	if t == "" {
		t = "4/4"
	}
	if r.global {
		r.sheet.time = t
	}
}

// tempo takes a text, a duration, which becomes the running one, and a rate.
func (r *reader) tempo() {
	r.skipBlanks()
	switch {
	case r.peek() == '"':
		r.quoted()
	case r.at(`\markup`):
		r.command()
		r.markup()
	}
	before := r.pos
	if r.skipBlanks(); !r.duration() {
		r.pos = before
		return
	}
	before = r.pos
	if r.skipBlanks(); r.peek() != '=' {
		r.pos = before
		return
	}
	r.pos++
	r.skipBlanks()
	r.pos += digitsLength(r.rest())
	before = r.pos
	if r.skipBlanks(); r.peek() == '-' || r.peek() == '~' {
		r.pos++
		r.skipBlanks()
		r.pos += digitsLength(r.rest())
	} else {
		r.pos = before
	}
}
