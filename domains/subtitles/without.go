package subtitles

import (
	"slices"

	"agentd/domains/internal/plain"
)

// without leaves cues out, counted through all files, and keeps the numbers of
// the others.
func without(_, text string, leave func() bool) string {
	t := read(text)
	cues := printCues(slices.DeleteFunc(t.cues, func(cue) bool { return leave() }))
	if len(t.head) > 0 {
		return plain.Text(append(t.head, "")) + cues
	}
	return cues
}
