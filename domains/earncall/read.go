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
	heading string   // as written
	lines   []string // before its first turn: titles, dates, lists of participants
	turns   []turn
}

// turn is what a speaker says before another does.
type turn struct {
	speaker string   // as written, without markup
	lines   []string // trimmed, none blank
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
		if isList(p.heading) {
			continue
		}
		lines := p.lines
		p.lines = nil
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
			c.parts = plain.Append(c.parts, part{heading: line})
		default:
			c.last().add(line, label)
		}
	}
	return c
}

// add takes a line that is neither blank nor a heading.
func (p *part) add(line string, label labeller) {
	if speaker, rest, ok := label(line); ok {
		p.turns = plain.Append(p.turns, turn{speaker: speaker})
		line = rest
	}
	switch {
	case line == "":
	case len(p.turns) == 0:
		p.lines = plain.Append(p.lines, line)
	default:
		t := &p.turns[len(p.turns)-1]
		t.lines = plain.Append(t.lines, line)
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
		n += len(c.parts[i].turns)
	}
	return n
}

// turns are all turns of a call, in order.
func (c *call) turns() []turn {
	turns := make([]turn, 0, c.count())
	for i := range c.parts {
		turns = append(turns, c.parts[i].turns...)
	}
	return turns
}

// print writes a call as read reads it: a blank line between parts and turns.
func (c *call) print() string {
	var b strings.Builder
	for i := range c.parts {
		p := &c.parts[i]
		if p.heading != "" {
			b.WriteString(p.heading + "\n")
		}
		b.WriteString(plain.Text(p.lines))
		if p.heading != "" || len(p.lines) > 0 {
			b.WriteByte('\n')
		}
		for k := range p.turns {
			b.WriteString(p.turns[k].print() + "\n")
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func (t *turn) print() string {
	if len(t.lines) == 0 {
		return t.speaker + ":\n"
	}
	return t.speaker + ": " + plain.Text(t.lines)
}

// words is the number of words of a turn.
func (t *turn) words() int {
	n := 0
	for _, line := range t.lines {
		n += len(pytext.Fields(line))
	}
	return n
}
