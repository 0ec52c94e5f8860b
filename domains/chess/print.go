package chess

import (
	"strings"

	"agentd/domains/internal/pytext"
)

// print writes the document from its parts.
func (d *document) print() string {
	var b strings.Builder
	for n, g := range d.games {
		if n > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(g.print())
	}
	for _, line := range d.below {
		b.WriteString("\n" + line + "\n")
	}
	return b.String()
}

func (g *game) print() string {
	var b strings.Builder
	for _, line := range g.above {
		b.WriteString(line + "\n")
	}
	if len(g.above) > 0 && !isEscaped(g.above[len(g.above)-1]) {
		b.WriteByte('\n')
	}
	for _, t := range g.tags {
		b.WriteString("[" + t.name + ` "` + escaped.Replace(t.value) + "\"]\n")
	}
	b.WriteString(strings.Repeat("\n", g.gaps))
	if len(g.tags) > 0 {
		b.WriteByte('\n')
	}
	p := printer{fresh: true}
	p.line(g.items, begin(g))
	p.end()
	b.WriteString(p.text.String())
	return b.String()
}

const widest = 90 // characters of a printed line, if no comment is longer

// printer writes lines of play.
type printer struct {
	text   strings.Builder
	column int
	fresh  bool // nothing was written on this line, or an opening bracket last
	moved  bool // a move was written last
	long   bool // lines are not divided
}

func (p *printer) write(word string) {
	if !p.long && !p.fresh && p.column+1+len(word) > widest {
		p.end()
	}
	if !p.fresh {
		p.text.WriteByte(' ')
		p.column++
	}
	p.text.WriteString(word)
	p.column += len(word)
	p.fresh, p.moved = false, false
}

func (p *printer) end() {
	if p.column > 0 {
		p.text.WriteByte('\n')
	}
	p.column, p.fresh = 0, true
}

// line writes numbers before white's moves and before those of black's that do
// not follow at once.
func (p *printer) line(items []item, at play) {
	follows := false
	for k := range items {
		switch i := &items[k]; i.kind {
		case moveItem:
			s := at.step(i)
			if !s.black || !follows {
				p.write(s.turn() + " " + i.text)
			} else {
				p.write(i.text)
			}
			p.moved, follows = true, !s.black
			continue
		case markItem:
			p.mark(i.text)
			continue
		case commentItem, restItem:
			p.comment(i.text)
		case variationItem:
			p.write("(")
			p.fresh = true
			p.line(i.line, at.aside())
			p.text.WriteByte(')')
			p.column++
			p.fresh, p.moved = false, false
		case blankItem:
			p.end()
			p.text.WriteByte('\n')
		case escapeItem:
			p.end()
			p.write("%" + i.text)
			p.end()
		default:
			p.write(i.text)
		}
		follows = false
	}
}

// mark writes a mark, the first after a move as a sign where there is one.
func (p *printer) mark(number string) {
	sign, known := signs[number]
	if !known || !p.moved {
		p.write("$" + number)
		return
	}
	p.text.WriteString(sign)
	p.column += len(sign)
	p.moved = false
}

var signs = map[string]string{"1": "!", "2": "?", "3": "!!", "4": "??", "5": "!?", "6": "?!"}

// comment writes a comment in braces, or up to the end of the line if it has a
// brace itself.
func (p *printer) comment(text string) {
	text = pytext.Collapse(text)
	if strings.Contains(text, "}") {
		p.write("; " + text)
		p.end()
		return
	}
	p.write("{" + text + "}")
}
