package earncall

import (
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// The kinds of elements other than turns.
const (
	lineKind    = "line"
	headingKind = "heading"
)

// elements flattens the files in name order: turns, which have an order, section
// headings, and lines outside of turns.
func elements(files vfs.Files) []domains.Element {
	var all []domains.Element
	turns, lines := 0, 0
	speakers := folding{}
	for _, name := range files.Names() {
		c := read(files[name])
		all = slices.Grow(all, c.size())
		for i := range c.parts {
			p := &c.parts[i]
			if p.heading != "" {
				all = append(all, p.headingElement())
			}
			for _, line := range p.lines {
				lines++
				all = append(all, domains.Element{
					Kind: lineKind, Key: "line " + strconv.Itoa(lines) + " outside of turns",
					Fields: []domains.Field{{Value: plainly(line)}}, Position: lines,
				})
			}
			for k := range p.turns {
				turns++
				t := &p.turns[k]
				all = append(all, domains.Element{
					Kind: counted, Key: t.key(), Fields: t.fields(speakers.of(t.speaker)), Position: turns,
				})
			}
		}
	}
	return all
}

// size is the number of elements of a call.
func (c *call) size() int {
	n := len(c.parts)
	for i := range c.parts {
		n += len(c.parts[i].lines) + len(c.parts[i].turns)
	}
	return n
}

// folding remembers the names that were folded.
type folding map[string]string

// of is a name without case, typography and odd blanks.
func (f folding) of(name string) string {
	folded, known := f[name]
	if !known {
		folded = strings.ToLower(pytext.Collapse(typography.Replace(name)))
		f[name] = folded
	}
	return folded
}

func (p *part) headingElement() domains.Element {
	return domains.Element{
		Kind: headingKind, Key: "heading " + strconv.Quote(p.heading),
		Fields: []domains.Field{{Value: section(p.heading)}},
	}
}

// mostSentences are compared one by one; of a longer turn the rest counts as
// one.
const mostSentences = 250

func (t *turn) fields(speaker string) []domains.Field {
	said := sentences(plainly(strings.Join(t.lines, " ")))
	if len(said) > mostSentences {
		said = append(said[:mostSentences:mostSentences], strings.Join(said[mostSentences:], " "))
	}
	fields := make([]domains.Field, 1, 1+len(said))
	fields[0] = domains.Field{Name: "speaker", Value: speaker}
	for _, sentence := range said {
		fields = append(fields, domains.Field{Name: "sentence", Value: sentence})
	}
	return fields
}

// key names a turn by its speaker and first words.
func (t *turn) key() string {
	const longest = 40
	if len(t.lines) == 0 {
		return t.speaker
	}
	said := t.lines[0]
	if len(said) <= longest {
		return t.speaker + `, "` + said + `"`
	}
	said = said[:longest]
	if blank := strings.LastIndexByte(said, ' '); blank > 0 {
		said = said[:blank]
	}
	return t.speaker + `, "` + strings.ToValidUTF8(said, "") + `…"`
}

// without leaves turns out, counted through all files.
func without(_, text string, leave func() bool) string {
	c := read(text)
	for i := range c.parts {
		c.parts[i].turns = slices.DeleteFunc(c.parts[i].turns, func(turn) bool { return leave() })
	}
	return c.print()
}
