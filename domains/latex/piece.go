package latex

import (
	"fmt"
	"path"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/sets"
	published "agentd/domains/published/latex"
	"agentd/internal/lazyregexp"
)

// wordsInPart is the number of words from which a part of a sentence is divided though no comma stands there.
const wordsInPart = 10

// piece is an element of the text in the making: a sentence, a row, a command.
type piece struct {
	key     string
	fields  []domains.Field
	counts  map[string]int // of the fields that are numbered
	written writer
	words   int // and other tokens in the part in hand
}

func newPiece(key string) *piece { return &piece{key: key} }

func (p *piece) field(name, value string) {
	p.fields = append(p.fields, domains.Field{Name: name, Value: value})
}

// numbered adds a field whose name says which one of its sort it is.
func (p *piece) numbered(name, value string) {
	if p.counts == nil {
		p.counts = map[string]int{}
	}
	p.counts[name]++
	p.field(fmt.Sprintf("%s %d", name, p.counts[name]), value)
}

// add writes a token, a command with what its arguments mean, and returns the token after it.
func (p *piece) add(s *source, i int) int {
	next := p.write(s, i, &p.written)
	if kind := s.tokens[i].kind; kind != blankToken && kind != commentToken {
		p.words++
	}
	if p.partEnds(s, next) {
		p.endPart()
	}
	return next
}

// partEnds reports whether a part of a sentence ends before a token.
func (p *piece) partEnds(s *source, next int) bool {
	if p.written.depth > 0 || next >= len(s.tokens) || s.tokens[next].kind != blankToken {
		return false
	}
	text := p.written.text()
	return text != "" && (strings.IndexByte(",;:", text[len(text)-1]) >= 0 || p.words >= wordsInPart)
}

func (p *piece) endPart() {
	if text := p.written.take(); text != "" {
		p.numbered("part", text)
	}
	p.words = 0
}

// abbreviations end in a full stop that ends no sentence.
var abbreviations = sets.Words(`
	e.g. i.e. cf. vs. al. Eq. Eqs. Fig. Figs. Sec. Ref. Refs. No. Nos. Tab. approx. ca. resp. Dr. Mr. Mrs. St. Prof. p.
	pp. vol.`)

// notesAtEnd are the footnotes and citations after a word, as they are written.
var notesAtEnd = lazyregexp.New(`(?:\\(?:footnote|cite)[^\\]*\{\})+$`)

// ends reports whether a sentence is complete before a token.
func (p *piece) ends(s *source, next int) bool {
	if p.written.depth > 0 || p.written.inMath() || next >= len(s.tokens) || s.tokens[next].kind != blankToken {
		return false
	}
	text := p.written.text()
	if text == "" {
		text = p.lastPart()
	}
	word := text[strings.LastIndexAny(text, " ~")+1:]
	if strings.HasSuffix(word, "{}") {
		word = notesAtEnd.ReplaceAllString(word, "")
	}
	bare := strings.TrimRight(word, `)}]'"`)
	if bare == "" || strings.IndexByte(".?!", bare[len(bare)-1]) < 0 || abbreviations[strings.TrimLeft(bare, "([`")] {
		return false
	}
	const initial = 2 // a letter and its full stop
	return len(bare) > initial
}

func (p *piece) lastPart() string {
	if len(p.fields) == 0 {
		return ""
	}
	return p.fields[len(p.fields)-1].Value
}

// parts adds everything from one token to before another, part by part.
func (p *piece) parts(s *source, lo, hi int) {
	for i := lo; i < hi; {
		i = p.add(s, i)
	}
	p.endPart()
}

// between writes what lies between two tokens to a text of its own, with a writer at its beginning.
// Citations, labels and references go to the piece.
func (p *piece) between(s *source, lo, hi int, w writer) string {
	for i := lo; i < hi; {
		i = p.write(s, i, &w)
	}
	return w.take()
}

// references are the commands that name a label.
var references = sets.Words("ref eqref pageref autoref nameref cref Cref vref")

// write writes a token to a text. What a citation, a label, a reference or a
// footnote has in its braces becomes fields of the piece.
func (p *piece) write(s *source, i int, w *writer) int {
	if s.tokens[i].kind != commandToken {
		w.token(s, i)
		return i + 1
	}
	name := s.of(i)[1:]
	lo, hi, next, ok := s.group(s.skip(i + 1))
	switch {
	case name == "label" && ok:
		p.field("label", pytext.Strip(s.between(lo, hi)))
		return next
	case references[name] && ok:
		w.command(`\`+name, "{}")
		p.names("reference", s.between(lo, hi))
		return next
	case name == "footnote" && ok && w.nested < deepest:
		w.command(`\footnote`, "{}")
		p.numbered("footnote", p.between(s, lo, hi, writer{nested: w.nested + 1}))
		return next
	case isCitation(name):
		if options, keys, next, ok := s.citation(i); ok {
			text := ""
			for _, o := range options {
				text += "[" + p.between(s, o[0], o[1], writer{}) + "]"
			}
			w.command(`\`+name, text+"{}")
			p.names("citation", keys)
			return next
		}
	}
	w.token(s, i)
	return i + 1
}

// deepest is how deep footnotes in footnotes are read.
const deepest = 4

func (p *piece) names(sort, list string) {
	for name := range strings.SplitSeq(list, ",") {
		p.numbered(sort, pytext.Strip(name))
	}
}

// isCitation reports whether a command cites: \cite and its many relatives.
func isCitation(name string) bool {
	name = strings.ToLower(strings.TrimSuffix(name, "*"))
	return strings.HasPrefix(name, "cite") || strings.HasSuffix(name, "cite") ||
		name == "parencites" || name == "textcites" || name == "autocites"
}

// citation returns the options of a citation, its keys as they stand, and the
// token after it.
func (s *source) citation(i int) (options [][2]int, keys string, next int, ok bool) {
	const mostOptions = 2
	at := s.skip(i + 1)
	for len(options) < mostOptions {
		lo, hi, next, ok := s.option(at)
		if !ok {
			break
		}
		options = append(options, [2]int{lo, hi})
		at = s.skip(next)
	}
	lo, hi, next, ok := s.group(at)
	return options, s.between(lo, hi), next, ok
}

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
	if w.blank && w.b.Len() > 0 || w.letter && text != "" && published.IsLetter(text[0]) {
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

// without leaves out entries. What cites them stays.
func without(name, text string, leave func() bool) string {
	if path.Ext(name) != ".bib" {
		return text
	}
	var kept strings.Builder
	from := 0
	for _, it := range readBib(text) {
		if it.kind == entryItem && leave() {
			kept.WriteString(text[from:it.at])
			from = afterLines(text, it.end)
		}
	}
	return kept.String() + text[from:]
}

// afterLines is the place after the line ends that follow an item, and the
// blanks between them.
func afterLines(text string, at int) int {
	for end := at; end < len(text) && strings.IndexByte(" \t\r\n", text[end]) >= 0; end++ {
		if text[end] == '\n' {
			at = end + 1
		}
	}
	return at
}
