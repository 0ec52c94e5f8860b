package musicsheet

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

var patterns = []string{"*.ly"}

// sheet is what the published reading makes of a document.
type sheet struct {
	voices   []*voice // by name, in the order of the first definitions
	pitches  []uint8  // of all notes, in quarter tones within the octave
	lengths  []float64
	dynamics []string
	words    []string // of all lyrics
	header   map[string]string
	key      string // empty if there is none
	time     string
	// written is the number of notes that a musician finds in the same files.
	written int
}

// voice is a variable with at least one note.
type voice struct {
	name     string
	pitches  []uint8
	lengths  []float64
	dynamics []string
}

var (
	errKey    = fmt.Errorf("%w: a key signature of global has no known pitch", domains.ErrCrash)
	errFactor = fmt.Errorf("%w: a duration divides by zero", domains.ErrCrash)
)

// parse reads the files as one text, as the published evaluator does: only music
// and lyrics in variables, and the header.
func parse(files vfs.Files) (*sheet, error) {
	files = files.Match(patterns)
	var text strings.Builder
	for _, name := range files.Names() {
		text.WriteString(files[name])
		text.WriteByte('\n')
	}
	r := reader{
		scanner: scanner{text: text.String()}, sheet: &sheet{header: map[string]string{}},
		language: languages[defaultLanguage], running: quarter, byName: map[string]int{},
	}
	r.top()
	if r.err != nil {
		return nil, r.err
	}
	r.sheet.written = countNotes(files)
	return r.sheet, nil
}

type reader struct {
	scanner
	sheet       *sheet
	language    *language
	running     fraction // the duration of a note that has none
	runningText string   // as it was written
	byName      map[string]int
	voice       *voice // that is being read
	global      bool   // it is the variable that gives key and time
	err         error
}

func (r *reader) top() {
	for r.err == nil {
		r.skipBlanks()
		if r.atEnd() {
			return
		}
		switch c := r.peek(); {
		case c == '"':
			r.quoted()
		case c == '#' || c == '$':
			r.scheme()
		case c == '\\':
			r.topCommand()
		case isLetter(c):
			name := r.take(nameLength(r.rest()))
			r.skipBlanks()
			if r.peek() == '=' {
				r.pos++
				r.assignment(name)
			}
		case c == '{' || r.at("<<"):
			r.voice = &voice{} // belongs to no variable
			r.expression()
		default:
			r.pos++
		}
	}
}

func (r *reader) topCommand() {
	name := r.command()
	switch name {
	case `\`:
		r.take(1)
	case `\language`, `\include`:
		r.readLanguage(name)
	case `\header`:
		if r.skipBlanks(); r.peek() == '{' {
			r.readHeader()
		}
	case `\markup`, `\markuplist`:
		r.markup()
	default:
		if isOutput(name) {
			r.passBlock()
		}
	}
}

// readLanguage takes the string after \language, or after \include, of which
// some files name a language.
func (r *reader) readLanguage(command string) {
	r.skipBlanks()
	if r.peek() != '"' {
		return
	}
	name := unquoted(r.quoted())
	if command == `\include` {
		return
	}
	if l, ok := languages[name]; ok {
		r.language = l
	}
}

// readHeader takes fields whose value is a string.
func (r *reader) readHeader() {
	r.pos++
	for !r.atEnd() {
		switch c := r.peek(); {
		case c == '}':
			r.pos++
			return
		case c == '{':
			r.block()
		case isLetter(c):
			name := r.take(nameLength(r.rest()))
			if r.skipBlanks(); r.peek() != '=' {
				continue
			}
			r.pos++
			r.skipBlanks()
			r.pos += digitsLength(r.rest())
			if r.peek() == '"' {
				r.sheet.header[name] = unquoted(r.quoted())
			}
		case c == '\\':
			if r.command() == `\markup` {
				r.markup()
			}
		case c == '"':
			r.quoted()
		case c == '#' || c == '$':
			r.scheme()
		case c == '%':
			r.comment()
		default:
			r.pos++
		}
	}
}

// assignment reads the value of a variable. Only what begins with a bracket or a
// command is music.
func (r *reader) assignment(name string) {
	for r.skipBlanks(); r.peek() == '.'; r.skipBlanks() {
		r.pos++
	}
	switch c := r.peek(); c {
	case '"':
		r.quoted()
		return
	case '#', '$':
		r.scheme()
		return
	case '\\':
		before := r.pos
		switch command := r.command(); {
		case command == `\markup` || command == `\markuplist`:
			r.markup()
			return
		case command == `\lyricmode` || command == `\lyrics`:
			r.sheet.words = append(r.sheet.words, r.readLyrics()...)
			return
		case isOutput(command):
			r.passBlock()
			return
		}
		r.pos = before
	case '{', '<':
	default:
		return
	}
	r.voice, r.global = &voice{name: name}, name == "global"
	r.expression()
	r.endVoice()
	r.global = false
}

// isOutput reports whether a command opens a block that holds no variable's
// music.
func isOutput(command string) bool {
	switch command {
	case `\header`, `\paper`, `\layout`, `\midi`, `\score`, `\book`, `\bookpart`, `\with`:
		return true
	}
	return false
}

func (r *reader) endVoice() {
	v := r.voice
	if len(v.pitches) == 0 {
		return
	}
	s := r.sheet
	s.pitches = join(s.pitches, v.pitches)
	s.lengths = join(s.lengths, v.lengths)
	s.dynamics = join(s.dynamics, v.dynamics)
	if at, known := r.byName[v.name]; known {
		s.voices[at] = v
		return
	}
	r.byName[v.name] = len(s.voices)
	s.voices = plain.Append(s.voices, v)
}

// join appends; the first list is shared, as it is often the only one.
func join[T any](all, more []T) []T {
	if all == nil {
		return slices.Clip(more)
	}
	return append(all, more...)
}

// readLyrics takes the words in braces. Dynamics among them are those of the open
// voice.
func (r *reader) readLyrics() []string {
	var words []string
	depth := 0
	r.skipBlanks()
	if r.peek() != '{' {
		return nil
	}
	for !r.atEnd() {
		switch c := r.peek(); {
		case c == '%':
			r.comment()
		case c == '#' || c == '$':
			r.scheme()
		case c == '"':
			r.quoted()
			words = plain.Append(words, noWord)
		case c == '{':
			r.pos++
			depth++
		case r.at("<<"):
			r.pos += 2
			depth++
		case c == '}':
			r.pos++
			depth--
		case r.at(">>"):
			r.pos += 2
			depth--
		case c == '\\':
			words = r.lyricCommand(words)
		default:
			if n := lyricLength(r.rest()); n == 0 || c == '|' {
				r.skipOne()
			} else if word := r.take(n); word != "--" && word != "__" && word != "_" {
				words = plain.Append(words, word)
			}
		}
		if depth <= 0 {
			break
		}
	}
	return words
}

// noWord is what a quoted syllable and a markup count as.
const noWord = "None"

func (r *reader) lyricCommand(words []string) []string {
	command := r.command()
	switch command {
	case `\`:
		r.dynamicMark()
	case `\markup`:
		r.markup()
		return plain.Append(words, noWord)
	case `\set`, `\override`:
		r.skipBlanks()
		r.setting()
	case `\unset`, `\revert`:
		r.skipBlanks()
		r.path()
	case `\clef`, `\lyricsto`:
		r.stringOrWord()
	case `\new`, `\context`:
		r.contextName()
	default:
		if isOutput(command) {
			r.passBlock()
		}
	}
	return words
}

// lyricLength is that of a word: it ends at white space, digits, quotes and
// backslashes only, so an attached brace belongs to it.
func lyricLength(text string) int {
	for i, c := range text {
		if c == '"' || c == '\\' || pytext.IsSpace(c) || unicode.IsDigit(c) {
			return i
		}
	}
	return len(text)
}
