package earncall

import (
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/texts"
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
		for i := range c.parts {
			p := &c.parts[i]
			if p.Heading != "" {
				all = append(all, domains.Element{
					Kind: headingKind, Key: "heading " + strconv.Quote(p.Heading),
					Fields: []domains.Field{{Value: section(p.Heading)}},
				})
			}
			for _, line := range p.Lines {
				lines++
				all = append(all, domains.Element{
					Kind: lineKind, Key: "line " + strconv.Itoa(lines) + " outside of turns",
					Fields: []domains.Field{{Value: plainly(line)}}, Position: lines,
				})
			}
			for k := range p.Turns {
				turns++
				t := &p.Turns[k]
				all = append(all, domains.Element{
					Kind: counted, Key: t.key(), Fields: t.fields(speakers.of(t.Speaker)), Position: turns,
				})
			}
		}
	}
	return all
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

// mostSentences are compared one by one; of a longer turn the rest counts as
// one.
const mostSentences = 250

func (t *turn) fields(speaker string) []domains.Field {
	said := slices.Collect(texts.Sentences(plainly(strings.Join(t.Lines, " ")), `"'([$€£`))
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
	if len(t.Lines) == 0 {
		return t.Speaker
	}
	return t.Speaker + `, "` + texts.Opening(t.Lines[0]) + `"`
}

// without leaves turns out, counted through all files.
func without(_, text string, leave func() bool) string {
	c := read(text)
	for i := range c.parts {
		c.parts[i].Turns = slices.DeleteFunc(c.parts[i].Turns, func(turn) bool { return leave() })
	}
	return c.print()
}
