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
	add := func(kind, key string, position int, fields ...domains.Field) {
		all = append(all, domains.Element{Kind: kind, Key: key, Fields: fields, Position: position})
	}
	turns, lines := 0, 0
	speakers := folding{}
	for _, name := range files.Names() {
		for _, p := range read(files[name]).parts {
			if p.Heading != "" {
				add(headingKind, "heading "+strconv.Quote(p.Heading), 0, domains.Field{Value: section(p.Heading)})
			}
			for _, line := range p.Lines {
				lines++
				add(lineKind, "line "+strconv.Itoa(lines)+" outside of turns", lines, domains.Field{Value: plainly(line)})
			}
			for k := range p.Turns {
				turns++
				t := &p.Turns[k]
				add(counted, t.key(), turns, t.fields(speakers.of(t.Speaker))...)
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
