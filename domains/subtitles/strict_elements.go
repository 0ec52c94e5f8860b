package subtitles

import (
	"fmt"
	"slices"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// counted is the kind of element that is counted.
const counted = "cue"

// elements flattens a document for Strict. Cues have no place: their times say
// when they are shown.
func elements(files vfs.Files) []domains.Element {
	var all []domains.Element
	foreign := 0
	for _, name := range files.Names() {
		t := read(files[name])
		for _, line := range t.head {
			if line = pytext.StripRight(line); line != "" {
				foreign++
				all = append(all, domains.Element{
					Kind: "line", Key: fmt.Sprintf("line %d outside of cues", foreign),
					Fields: []domains.Field{{Value: line}}, Position: foreign,
				})
			}
		}
		all = slices.Grow(all, len(t.cues))
		for i := range t.cues {
			all = append(all, t.cues[i].element())
		}
	}
	return all
}

func (c *cue) element() domains.Element {
	text := lists.Map(c.text, pytext.StripRight)
	start := c.start.String()
	e := domains.Element{
		Kind: counted, Key: "cue at " + start,
		Fields: []domains.Field{
			{Name: "start", Value: start},
			{Name: "end", Value: c.end.String()},
			{Name: "text", Value: oneLine(text)},
		},
	}
	if c.remark != "" {
		e.Fields = append(e.Fields, domains.Field{Name: "after the times", Value: c.remark})
	}
	return e
}
