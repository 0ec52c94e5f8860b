package earncall

import (
	"strings"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
)

// call is a transcript as people read it. Only the first part may be without a
// heading.
type call struct{ parts []part }

// part is a section of a call.
type part struct {
	Heading string   // as written
	Lines   []string // before its first turn: titles, dates, lists of participants
	Turns   []turn
}

// turn is what a speaker says before another does.
type turn struct {
	Speaker string   // as written, without markup
	Lines   []string // trimmed, none blank
}

// labeller cuts a trimmed line that opens a turn.
type labeller func(line string) (speaker, rest string, ok bool)

// read reads a file of any name, tolerantly. A line that begins with a speaker
// and a colon opens a turn; if a file has no such line, a dash opens one too,
// outside of lists of participants.
func read(text string) call {
	c := readBy(plain.Lines(text), colonLabel)
	if c.count() > 0 {
		return c
	}
	for i := range c.parts {
		p := &c.parts[i]
		if isList(p.Heading) {
			continue
		}
		lines := p.Lines
		p.Lines = nil
		for _, line := range lines {
			p.add(line, dashLabel)
		}
	}
	return c
}

func readBy(lines []string, label labeller) call {
	var c call
	for _, line := range lines {
		line = pytext.Strip(line)
		switch {
		case line == "":
		case section(line) != "":
			c.parts = plain.Append(c.parts, part{Heading: line})
		default:
			c.last().add(line, label)
		}
	}
	return c
}

// add takes a line that is neither blank nor a heading.
func (p *part) add(line string, label labeller) {
	if speaker, rest, ok := label(line); ok {
		p.Turns = plain.Append(p.Turns, turn{Speaker: speaker})
		line = rest
	}
	switch {
	case line == "":
	case len(p.Turns) == 0:
		p.Lines = plain.Append(p.Lines, line)
	default:
		t := &p.Turns[len(p.Turns)-1]
		t.Lines = plain.Append(t.Lines, line)
	}
}

// last is the part in hand, a first one if there is none.
func (c *call) last() *part {
	if len(c.parts) == 0 {
		c.parts = append(c.parts, part{})
	}
	return &c.parts[len(c.parts)-1]
}

func (c *call) count() int {
	n := 0
	for i := range c.parts {
		n += len(c.parts[i].Turns)
	}
	return n
}

// print writes a call as read reads it: a blank line between parts and turns.
func (c *call) print() string {
	var b strings.Builder
	for i := range c.parts {
		p := &c.parts[i]
		if p.Heading != "" {
			b.WriteString(p.Heading + "\n")
		}
		b.WriteString(plain.Text(p.Lines))
		if p.Heading != "" || len(p.Lines) > 0 {
			b.WriteByte('\n')
		}
		for k := range p.Turns {
			b.WriteString(p.Turns[k].print() + "\n")
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func (t *turn) print() string {
	if len(t.Lines) == 0 {
		return t.Speaker + ":\n"
	}
	return t.Speaker + ": " + plain.Text(t.Lines)
}
