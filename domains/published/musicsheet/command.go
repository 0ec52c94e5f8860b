package musicsheet

import (
	"cmp"
	"fmt"
	"strings"

	"agentd/domains/internal/plain"
)

// readCommand reads a command with its arguments.
func (r *reader) readCommand(k lexeme, s *span) item {
	switch k.text {
	case `\relative`:
		r.afterPitches(s, 1)
	case `\transpose`:
		r.afterPitches(s, 2)
	case `\absolute`, `\grace`, `\acciaccatura`, `\appoggiatura`, `\slashedGrace`, `\alternative`, `\stringTuning`, `\version`:
		r.item(s)
	case `\tag`, `\keepWithTag`, `\removeWithTag`:
		r.items(nil, 2)
	case `\notemode`, `\notes`, `\chordmode`, `\chords`, `\figuremode`, `\figures`, `\drummode`, `\drums`:
		r.item(nil)
	case `\clef`:
		r.solid(s)
	case `\key`:
		r.keySignature(s)
	case `\time`:
		r.timeSignature(s)
	case `\times`, `\tuplet`:
		r.scaler(k.text, s)
	case `\partial`:
		r.length(lexeme{}, s)
	case `\repeat`:
		r.repeat(s)
	case `\lyricmode`, `\lyrics`, `\oldaddlyrics`, `\addlyrics`, `\lyricsto`:
		r.lyricMode(k.text, s)
		if k.text != `\lyricsto` {
			return item{kind: lyricsItem}
		}
	case `\language`, `\include`:
		r.readLanguage(k.text, s)
	case `\set`, `\override`:
		r.setting(k.text, s)
	default:
		if isOutput[k.text] {
			return r.block(k.text, s)
		}
		r.modeOfKeys(k.text)
	}
	return item{text: k.text}
}

// afterPitches reads what a number of pitches before it apply to.
func (r *reader) afterPitches(s *span, pitches int) {
	for {
		found, ok := r.item(s)
		if !ok || found.kind != noteItem || pitches == 0 {
			return
		}
		pitches--
	}
}

func (r *reader) keySignature(s *span) {
	at := len(r.read.keys)
	r.read.keys = append(r.read.keys, keySignature{})
	r.keys = append(r.keys, at)
	r.items(s, 2)
	r.keys = r.keys[:len(r.keys)-1]
	k := &r.read.keys[at]
	k.mode = cmp.Or(k.mode, `\major`)
}

// modeOfKeys gives a mode to the key signatures that are being read and have none.
func (r *reader) modeOfKeys(command string) {
	for _, i := range r.keys {
		if k := &r.read.keys[i]; k.mode == "" && IsMode[command] {
			k.mode = command
		}
	}
}

// timeSignature reads n/m; without it the time is 4/4.
func (r *reader) timeSignature(s *span) {
	r.read.time = "4/4"
	for k := range r.solids(s) {
		switch k.kind {
		case schemeLexeme:
			continue
		case fractionLexeme:
			num, den, _ := strings.Cut(k.text, "/")
			if Atoi(den) == 0 {
				r.err = errFactor
			}
			r.read.time = fmt.Sprintf("%d/%d", Atoi(num), Atoi(den))
		default:
			r.back()
		}
		return
	}
}

// scaler reads the factor of a tuplet and what it applies to.
func (r *reader) scaler(command string, s *span) {
	for k := range r.lexemes(s) {
		if k.kind == fractionLexeme {
			num, den, _ := strings.Cut(k.text, "/")
			if Atoi(den) == 0 || Atoi(num) == 0 && command == `\tuplet` {
				r.err = errFactor
			}
			if command == `\times` {
				break
			}
		} else if k.kind == lengthLexeme && command == `\tuplet` {
			r.length(k, s)
			break
		} else if k.kind != spaceLexeme {
			r.back()
			break
		}
	}
	r.item(s)
}

// repeat reads the kind and number of a repeat, the music, and its alternatives.
func (r *reader) repeat(s *span) {
	for k := range r.solids(s) {
		if k.kind == specifierLexeme || k.kind == numberLexeme {
			continue
		}
		r.back()
		r.item(s)
		if k, ok := r.solid(s); ok && k.kind == commandLexeme && k.text == `\alternative` {
			r.item(s)
		} else if ok {
			r.back()
		}
		return
	}
}

// inContext reads the settings of a context and the music in it.
func (r *reader) inContext(s *span) {
	for {
		if found, ok := r.item(s); !ok || found.kind != withItem {
			return
		}
	}
}

// lyricMode reads words. The name of the voice that they are sung to may come before.
func (r *reader) lyricMode(command string, s *span) {
	if command == `\lyricsto` {
		if k, ok := r.solid(s); ok && k.kind != quoteLexeme && k.kind != schemeLexeme && k.kind != nameLexeme {
			r.back()
		}
	}
	if k, ok := r.solid(&span{}); ok {
		r.lyric(k)
	}
}

// lyric reads a syllable, a list of them, or what may stand between them.
func (r *reader) lyric(k lexeme) {
	r.deeper()
	defer func() { r.depth-- }()
	switch word := k.text; k.kind {
	case quoteLexeme, markupLexeme:
		word = noWord
		fallthrough
	case syllableLexeme:
		r.read.words = plain.Append(r.read.words, word)
		r.length(lexeme{}, nil)
	case openLexeme:
		for k := range r.solids(&span{}) {
			if r.lyric(k); r.err != nil {
				return
			}
		}
	default:
		r.begin(k, nil)
	}
}

// readLanguage takes the string after \language, or after \include, of which some files name a language.
func (r *reader) readLanguage(command string, s *span) {
	found, ok := r.item(s)
	if !ok || found.kind != stringItem {
		return
	}
	name := found.text
	if command == `\include` {
		if name, ok = strings.CutSuffix(name, ".ly"); !ok {
			return
		}
	}
	if l, ok := Languages()[name]; ok {
		r.language = l
	}
}

// block reads what stands in the braces after a command.
func (r *reader) block(command string, s *span) item {
	fields, opened := r.bracketed(s)
	switch command {
	case `\header`:
		return item{kind: headerItem, fields: fields}
	case `\with`:
		if !opened {
			r.item(s)
		}
		return item{kind: withItem}
	}
	return item{}
}

// bracketed reads the items in braces, and returns the variables that are set to strings there.
func (r *reader) bracketed(s *span) (fields map[string]string, opened bool) {
	for k := range r.lexemes(s) {
		if k.kind == openLexeme {
			opened = true
			break
		}
		if k.kind != spaceLexeme {
			r.back()
			break
		}
	}
	fields = map[string]string{}
	inside := &span{}
	for ok := opened; ok; {
		var found item
		if found, ok = r.item(inside); found.value != nil && found.value.kind == stringItem {
			fields[found.name] = found.value.text
		}
	}
	return fields, opened
}

// setting reads the path of a property and its value.
func (r *reader) setting(command string, s *span) {
	path := s
	if command == `\override` {
		path, s = &span{}, nil
	}
	for k := range r.solids(path) {
		if k.kind == equalLexeme {
			r.item(s)
			return
		}
	}
}
