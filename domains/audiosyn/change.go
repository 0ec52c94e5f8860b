package audiosyn

import (
	"slices"
	"strings"

	"agentd/vfs"
)

// without leaves out events. Those that carried from them have their p-fields
// written out.
func without(files vfs.Files, leave func() bool) vfs.Files {
	left := files.Clone()
	for _, s := range readFiles(files) {
		if s.leaveOut(leave) {
			left[s.name] = s.print()
		}
	}
	return left
}

// leaveOut reports whether anything was left out.
func (s *source) leaveOut(leave func() bool) bool {
	var scan scanner
	was, is := newCarrier(), newCarrier()
	kept := make([]line, 0, len(s.lines))
	for _, l := range s.lines {
		if l.section != scoreSection || l.tag {
			kept = append(kept, l)
			continue
		}
		code, _ := scan.scan(l.text)
		words := scoreWords(code)
		switch scoreKind(code, words) {
		case eventLine:
			want := was.resolve(code, words)
			if leave() {
				continue
			}
			if got := is.resolve(code, words); !slices.Equal(got, want) {
				l.text = writtenOut(l.text, words, got, want)
				is.remember(want)
			}
		case controlLine:
			if words[0].of(code) == "s" {
				was.endSection()
				is.endSection()
			}
		}
		kept = append(kept, l)
	}
	changed := len(kept) < len(s.lines)
	s.lines = kept
	return changed
}

// writtenOut writes out the p-fields of an event that have another value now than
// they should.
func writtenOut(text string, words []span, got, want []string) string {
	var changes []splice
	for n, w := range words[1:min(len(words), len(want)+1)] {
		if n >= len(got) || got[n] != want[n] {
			changes = append(changes, splice{w, want[n]})
		}
	}
	written := len(words) - 1
	if written < len(want) && !slices.Equal(got[min(written, len(got)):], want[written:]) {
		end := words[written].end
		changes = append(changes, splice{span{end, end}, " " + strings.Join(want[written:], " ")})
	}
	return spliced(text, changes)
}
