package latex

import (
	"fmt"
	"strings"

	"agentd/domains"
)

// comments adds the comments of a source up to the end of the document.
func (f *flow) comments(s *source) {
	for i := range s.tokens {
		switch {
		case s.tokens[i].kind == commentToken:
			if text := commentText(s.of(i)); text != "" {
				f.note(commentOf(text))
			}
		case s.is(i, "end") && s.environmentName(i) == "document":
			return
		}
	}
}

// commentText is what a comment says, without its marks.
func commentText(text string) string {
	return strings.Join(strings.Fields(strings.TrimLeft(strings.TrimSpace(text), "%")), " ")
}

// textOf is an element that is nothing but a text.
func textOf(kind, key, text string) domains.Element {
	return domains.Element{Kind: kind, Key: key, Fields: []domains.Field{{Name: "text", Value: text}}}
}

func commentOf(text string) domains.Element {
	return textOf(commentElement, "comment "+brief(text), text)
}
func lineOf(key, text string) domains.Element { return textOf(lineElement, key, text) }

// afterTheEnd takes what follows the end of the document for lines that are no
// part of it.
func (f *flow) afterTheEnd(s *source, i int) {
	number := 0
	for line := range strings.SplitSeq(s.text[s.tokens[i].at:], "\n") {
		if line = strings.TrimSpace(line); line != "" {
			number++
			f.note(lineOf(fmt.Sprintf("line %d after the document", number), line))
		}
	}
}

func (f *flow) note(e domains.Element) {
	if len(f.notes) >= mostElements {
		f.beyond(e.Fields)
		return
	}
	f.notes = append(f.notes, e)
}

// beyond adds to what is not told apart.
func (f *flow) beyond(fields []domains.Field) {
	for _, field := range fields {
		f.rest.WriteString(field.Value)
		f.rest.WriteByte('\n')
	}
}

// all are the elements of the sources.
func (f *flow) all() []domains.Element {
	all := append(f.elements, f.notes...)
	if f.rest.Len() > 0 {
		all = append(all, lineOf("the rest", f.rest.String()))
	}
	return all
}
