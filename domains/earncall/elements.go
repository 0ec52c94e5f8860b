package earncall

import (
	"fmt"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// The kinds of elements beside turns.
const (
	lineKind    = "line"
	headingKind = "heading"
)

// elements flattens the files in name order: turns, which have an order, section
// headings, and lines outside of turns.
func elements(files vfs.Files) []domains.Element {
	var all []domains.Element
	turns, lines := 0, 0
	for _, name := range files.Names() {
		c := read(files[name])
		for i := range c.parts {
			p := &c.parts[i]
			if p.heading != "" {
				all = append(all, p.headingElement())
			}
			for _, line := range p.lines {
				lines++
				all = append(all, domains.Element{
					Kind: lineKind, Key: fmt.Sprintf("line %d outside of turns", lines),
					Fields: []domains.Field{{Value: plainly(line)}}, Position: lines,
				})
			}
			for k := range p.turns {
				turns++
				all = plain.Append(all, p.turns[k].element(turns))
			}
		}
	}
	return all
}

func (p *part) headingElement() domains.Element {
	return domains.Element{
		Kind: headingKind, Key: "heading " + strconv.Quote(p.heading),
		Fields: []domains.Field{{Value: foldSection(p.heading)}},
	}
}

// mostSentences are compared one by one; of a longer turn the rest counts as
// one.
const mostSentences = 250

func (t *turn) element(position int) domains.Element {
	e := domains.Element{Kind: counted, Key: t.key(), Position: position}
	said := sentences(plainly(strings.Join(t.lines, " ")))
	e.Fields = make([]domains.Field, 1, 1+min(len(said), mostSentences+1))
	e.Fields[0] = domains.Field{Name: "speaker", Value: foldName(t.speaker)}
	if len(said) > mostSentences {
		said = append(said[:mostSentences:mostSentences], strings.Join(said[mostSentences:], " "))
	}
	for _, sentence := range said {
		e.Fields = append(e.Fields, domains.Field{Name: "sentence", Value: sentence})
	}
	return e
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

func foldName(name string) string {
	return strings.ToLower(strings.Join(pytext.Fields(typography.Replace(name)), " "))
}

// without leaves turns out, counted through all files.
func without(files vfs.Files, leave func(n int) bool) vfs.Files {
	kept, n := vfs.Files{}, 0
	for _, name := range files.Names() {
		c := read(files[name])
		if c.count() == 0 {
			kept[name] = files[name]
			continue
		}
		for i := range c.parts {
			turns := c.parts[i].turns
			c.parts[i].turns = nil
			for _, t := range turns {
				if !leave(n) {
					c.parts[i].turns = append(c.parts[i].turns, t)
				}
				n++
			}
		}
		kept[name] = c.print()
	}
	return kept
}
