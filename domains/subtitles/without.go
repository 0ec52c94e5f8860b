package subtitles

import (
	"slices"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// without leaves cues out, counted through all files, and keeps the numbers of
// the others.
func without(files vfs.Files, leave func(n int) bool) vfs.Files {
	kept, n := vfs.Files{}, 0
	for _, name := range files.Names() {
		t := read(files[name])
		if len(t.cues) == 0 {
			kept[name] = files[name]
			continue
		}
		t.cues = slices.DeleteFunc(t.cues, func(cue) bool {
			n++
			return leave(n - 1)
		})
		kept[name] = printCues(t.cues)
		if len(t.head) > 0 {
			kept[name] = plain.Text(append(t.head, "")) + kept[name]
		}
	}
	return kept
}
