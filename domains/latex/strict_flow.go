package latex

import (
	"fmt"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/pytext"
)

// mostElements is the number of elements of the text that are told apart; what
// follows counts as one.
const mostElements = 1 << 15

// flow makes elements of the sources, in the order in which LaTeX reads them.
type flow struct {
	elements       []domains.Element
	notes          []domains.Element // which have no order
	sources        []*source
	byName         map[string]*source
	read           map[*source]bool
	bibliographies map[string]bool // the .bib files, without their ending

	heading  string         // the last one, as a person would name it
	numbers  map[string]int // of what stands below it
	tables   int
	position int
	rest     strings.Builder // the text of what is beyond mostElements

	sentence  *piece
	paragraph bool   // whether the next sentence begins one
	item      *piece // the list item that the next sentence begins
	preamble  bool
	ended     bool // the document
}

// walk reads a source from its beginning to its end.
func (f *flow) walk(s *source) {
	if f.read[s] {
		return
	}
	f.read[s] = true
	f.breakParagraph()
	f.comments(s)
	f.preamble = f.preamble || s.hasPreamble()
	f.run(s)
	f.breakParagraph()
}

// hasPreamble reports whether a document begins somewhere in a source.
func (s *source) hasPreamble() bool {
	for i := range s.tokens {
		if s.is(i, "begin") && s.environmentName(i) == "document" {
			return true
		}
	}
	return false
}

// run reads tokens at the level of paragraphs.
func (f *flow) run(s *source) {
	for i := 0; i < len(s.tokens); {
		switch t := s.tokens[i]; {
		case f.ended:
			f.afterTheEnd(s, i)
			return
		case t.kind == restToken || f.position >= mostElements:
			f.endSentence()
			f.rest.WriteString(pytext.Collapse(s.text[t.at:]))
			f.rest.WriteByte('\n')
			return
		case t.kind == paragraphToken:
			f.breakParagraph()
			i++
		case t.kind == rawToken && strings.Contains(s.of(i), "\n"):
			f.verbatim(s.of(i))
			i++
		case t.kind == mathToken && t.partner > int32(i) && displays[s.of(i)]:
			f.display(s, s.of(i), i+1, int(t.partner))
			i = int(t.partner) + 1
		case t.kind == commandToken && !f.inMath():
			i = f.command(s, i)
		default:
			i = f.inline(s, i)
		}
	}
}

var displays = map[string]bool{"$$": true, `\[`: true}

// inline adds a token, or a command with its arguments, to the sentence in hand.
func (f *flow) inline(s *source, i int) int {
	if f.sentence == nil {
		if kind := s.tokens[i].kind; kind == blankToken || kind == commentToken {
			return i + 1
		}
		f.beginSentence()
	}
	next := f.sentence.add(s, i)
	if f.sentence.ends(s, next) {
		f.endSentence()
	}
	return next
}

func (f *flow) inMath() bool { return f.sentence != nil && f.sentence.written.inMath() }

func (f *flow) beginSentence() {
	key := f.key("sentence")
	if f.item != nil {
		f.sentence, f.item = f.item, nil
		f.sentence.key = key
	} else {
		f.sentence = newPiece(key)
		if f.paragraph {
			f.sentence.field("begins", "paragraph")
		}
	}
	f.paragraph = false
}

func (f *flow) endSentence() {
	if f.item != nil {
		f.beginSentence()
	}
	if f.sentence == nil {
		return
	}
	f.sentence.endPart()
	f.put(f.sentence)
	f.sentence = nil
}

func (f *flow) breakParagraph() {
	f.endSentence()
	f.paragraph = true
}

// key names what stands below the last heading by its number there.
func (f *flow) key(what string) string {
	if f.numbers == nil {
		f.numbers = map[string]int{}
	}
	f.numbers[what]++
	if n := f.numbers[what]; n > 1 || what[0] != '\\' {
		what = fmt.Sprintf("%s %d", what, n)
	}
	if f.heading == "" {
		return what
	}
	return what + " of " + f.heading
}

// put adds a piece of the text.
func (f *flow) put(p *piece) {
	fields := p.fields
	if f.position >= mostElements {
		f.beyond(fields)
		return
	}
	f.position++
	f.elements = append(f.elements, domains.Element{Kind: textElement, Key: p.key, Fields: fields, Position: f.position})
}
