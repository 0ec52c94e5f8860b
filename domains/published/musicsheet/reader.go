package musicsheet

import (
	"iter"

	"agentd/domains/internal/plain"
)

// reader reads a document as the published evaluator does. Each command takes its
// arguments from the lexemes that follow, up to the end of the mode that is open.
type reader struct {
	lexer
	sheet    *Sheet
	language *Language
	running  Fraction // the duration of a note that has none
	inChord  bool
	last     lexeme // that was taken last
	again    bool   // it is to be taken once more
	depth    int    // of items in each other
	keys     []int  // the signatures whose items are being read
	read     reading
	lyrics   []voice // variables with words
	err      error
}

// reading is what the value of a variable holds.
type reading struct {
	pitches  []uint8
	lengths  []float64
	dynamics []string
	words    []string
	keys     []keySignature
	time     string
}

// keySignature is the first pitch and mode among the two items after \key, however deep in them.
type keySignature struct {
	pitch Pitch
	known bool
	mode  string
}

// item is a part of a document.
type item struct {
	kind   itemKind
	text   string
	name   string            // of a variable
	value  *item             // that it is set to
	fields map[string]string // of a header
}

type itemKind uint8

const (
	otherItem itemKind = iota
	noteItem
	stringItem
	withItem
	lyricsItem
	assignmentItem
	headerItem
)

// span is the lexemes up to the end of the mode that was open when the first of them was taken; nil is the whole text.
type span struct {
	depth       int
	begun, over bool
}

// take returns the next lexeme of a span.
func (r *reader) take(s *span) (lexeme, bool) {
	if s != nil {
		switch {
		case s.over:
			return lexeme{}, false
		case !s.begun:
			s.begun, s.depth = true, len(r.modes)
		case len(r.modes) < s.depth && !r.again:
			s.over = true
			return lexeme{}, false
		}
	}
	if r.again {
		r.again = false
		return r.last, true
	}
	found, ok := r.next()
	if !ok {
		if s != nil {
			s.over = true
		}
		return found, false
	}
	r.last = found
	return found, true
}

// solid returns the next lexeme that is neither white space nor a comment.
func (r *reader) solid(s *span) (lexeme, bool) {
	for {
		found, ok := r.take(s)
		if !ok || found.kind != spaceLexeme && found.kind != commentLexeme {
			return found, ok
		}
	}
}

// lexemes are those of a span, one after the other.
func (r *reader) lexemes(s *span) iter.Seq[lexeme] {
	return func(yield func(lexeme) bool) {
		for {
			if found, ok := r.take(s); !ok || !yield(found) {
				return
			}
		}
	}
}

// solids are the lexemes of a span that are neither white space nor comments.
func (r *reader) solids(s *span) iter.Seq[lexeme] {
	return func(yield func(lexeme) bool) {
		for {
			if found, ok := r.solid(s); !ok || !yield(found) {
				return
			}
		}
	}
}

// accepts reports whether the next solid lexeme is of a kind, and takes it if so.
func (r *reader) accepts(s *span, kind lexemeKind) bool {
	found, ok := r.solid(s)
	if ok && found.kind != kind {
		r.back()
	}
	return ok && found.kind == kind
}

// back has the last lexeme taken once more.
func (r *reader) back() { r.again = true }

// deepestItem bounds items in each other, beyond what the published program reads.
const deepestItem = 2000

// deeper notes that an item in another one begins.
func (r *reader) deeper() {
	if r.depth++; r.depth > deepestItem {
		r.pos = len(r.text)
	}
}

// item reads the next item of a span.
func (r *reader) item(s *span) (item, bool) {
	for r.err == nil {
		k, ok := r.solid(s)
		if !ok {
			return item{}, false
		}
		if found, is := r.begin(k, s); is {
			return found, true
		}
	}
	return item{}, false
}

// items reads at most a number of items.
func (r *reader) items(s *span, most int) {
	for ok := true; ok && most > 0; most-- {
		_, ok = r.item(s)
	}
}

// inside reads all items up to the end of the mode that was just entered.
func (r *reader) inside() {
	s := &span{}
	for ok := true; ok; {
		_, ok = r.item(s)
	}
}

// begin reads the item that begins with a lexeme, if one does.
func (r *reader) begin(k lexeme, s *span) (item, bool) {
	r.deeper()
	defer func() { r.depth-- }()
	switch k.kind {
	case quoteLexeme:
		return item{kind: stringItem, text: Unquoted(k.text)}, true
	case wordLexeme:
		return r.note(k, s)
	case chordLexeme:
		return item{}, r.chord(s)
	case commandLexeme:
		return r.readCommand(k, s), true
	case contextLexeme:
		r.inContext(s)
	case nameLexeme, variableLexeme:
		return r.assignment(k)
	case numberLexeme, fractionLexeme, markLexeme, schemeLexeme, markupLexeme:
	case lengthLexeme:
		r.length(k, s)
	case openLexeme:
		r.inside()
	case dynamicLexeme:
		r.read.dynamics = plain.Append(r.read.dynamics, k.text)
	default:
		return item{}, false
	}
	return item{}, true
}

// note reads a note, if the word is the name of one.
func (r *reader) note(k lexeme, s *span) (item, bool) {
	argument := r.mode().kind == pitchMode
	p, known := r.language.Lookup(k.text)
	if !known {
		return item{}, false
	}
	for after := range r.lexemes(s) {
		if after.kind != octaveLexeme && after.kind != spaceLexeme {
			r.back()
			break
		}
	}
	for _, i := range r.keys {
		if key := &r.read.keys[i]; !key.known {
			key.pitch, key.known = p, true
		}
	}
	length := quarter
	at := len(r.read.pitches)
	r.read.pitches = plain.Append(r.read.pitches, uint8(p.class()))
	r.read.lengths = plain.Append(r.read.lengths, 0)
	if !r.inChord && !argument {
		length = r.length(lexeme{}, s)
	}
	if length.num == 0 {
		length = quarter
	}
	r.read.lengths[at] = length.float()
	return item{kind: noteItem}, true
}

// length reads a duration that may begin with a lexeme. Without one, the running duration holds.
func (r *reader) length(first lexeme, s *span) Fraction {
	text := ""
	if first.kind == lengthLexeme {
		text = first.text
	}
	for k := range r.lexemes(s) {
		if k.kind == lengthLexeme && text == "" || text != "" && k.kind == scalingLexeme {
			text += k.text
		} else if k.kind != spaceLexeme {
			r.back()
			break
		}
	}
	if text == "" {
		return r.running
	}
	f, ok := ReadDuration(text)
	if !ok {
		r.err = errFactor
	}
	r.running = f
	return f
}

// chord reads the notes of a chord and its duration. A chord in another one is passed over.
func (r *reader) chord(s *span) bool {
	if r.inChord {
		return false
	}
	r.inChord = true
	r.inside()
	r.inChord = false
	r.length(lexeme{}, s)
	return true
}

// assignment reads what a name is set to, if it is.
func (r *reader) assignment(name lexeme) (item, bool) {
	schemed := false
	for k := range r.solids(nil) {
		switch {
		case k.kind == nameLexeme || k.kind == variableLexeme || k.kind == pathLexeme:
		case k.kind == equalLexeme:
			return item{kind: assignmentItem, name: name.text, value: r.value(name.kind == variableLexeme)}, true
		case k.kind == schemeLexeme && !schemed:
			schemed = true
		default:
			r.back()
			return item{}, k.kind == schemeLexeme
		}
	}
	return item{}, false
}

// value reads the value of a variable. At the outermost level nothing of what came before belongs to it, nor does a
// note that is the whole value. A setting may have a unit.
func (r *reader) value(isSetting bool) *item {
	outermost := r.depth == 1
	if outermost {
		r.read = reading{}
	}
	found, ok := r.item(nil)
	if outermost && found.kind == noteItem {
		r.read = reading{}
	}
	if isSetting && r.accepts(nil, unitLexeme) {
		return &item{}
	}
	if !ok {
		return nil
	}
	return &found
}
