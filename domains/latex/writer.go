package latex

import (
	"strings"

	"agentd/domains/internal/sets"
)

// writer writes tokens out again so that equal texts are equal for TeX: blanks
// as one, none where they mean nothing.
type writer struct {
	b      strings.Builder
	blank  bool // to be written before the next token
	letter bool // after a command: a letter needs a blank
	depth  int  // of groups
	math   int  // how many maths are open
	nested int  // how many footnotes this is in
	// textUntil is the token up to which math has text in it, as in \text{…}.
	textUntil int
}

// texts are the commands whose argument is text, in math too.
var texts = sets.Words("text mbox textrm textit textbf intertext hbox")

func (w *writer) inMath() bool { return w.math > 0 }

func (w *writer) token(s *source, i int) {
	t := s.tokens[i]
	text := s.of(i)
	switch t.kind {
	case blankToken, paragraphToken:
		w.blank = !w.letter && (!w.inMath() || i < w.textUntil)
		return
	case commentToken:
		return
	case commandToken:
		w.command(text, "")
		if _, hi, _, ok := s.group(i + 1); ok && w.inMath() && texts[text[1:]] {
			w.textUntil = max(w.textUntil, hi)
		}
		return
	case openToken:
		w.put(text)
		if t.partner != none {
			w.depth++
		}
		return
	case closeToken:
		if t.partner != none {
			w.depth = max(w.depth-1, 0)
		}
	case mathToken:
		w.toggle(t, text, i)
		return
	case symbolToken:
		if strings.TrimSpace(text) == `\` {
			text = `\ `
		}
	}
	w.put(text)
}

// toggle begins or ends math; \( … \) is $ … $.
func (w *writer) toggle(t token, mark string, i int) {
	if mark == `\(` || mark == `\)` {
		mark = "$"
	}
	switch {
	case t.partner == none:
	case int(t.partner) > i:
		w.math++
	default:
		w.math = max(w.math-1, 0)
	}
	w.put(mark)
}

func (w *writer) put(text string) {
	if w.blank && w.b.Len() > 0 || w.letter && text != "" && isLetter(text[0]) {
		w.b.WriteByte(' ')
	}
	w.blank, w.letter = false, false
	w.b.WriteString(text)
}

// sameStyle are commands for italics, by those that print the same in upright text.
var sameStyle = map[string]string{`\textit`: `\emph`, `\it`: `\em`, `\itshape`: `\em`}

// command writes a command and its arguments.
func (w *writer) command(name, arguments string) {
	if other, ok := sameStyle[name]; ok && !w.inMath() {
		name = other
	}
	w.put(name)
	w.b.WriteString(arguments)
	w.letter = arguments == ""
}

// text is what was written since the last take.
func (w *writer) text() string { return w.b.String() }

// take returns what was written and empties the writer.
func (w *writer) take() string {
	text := w.b.String()
	w.b.Reset()
	w.blank, w.letter = false, false
	return text
}
