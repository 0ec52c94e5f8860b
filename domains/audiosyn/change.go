package audiosyn

import (
	"slices"
	"strings"

	"agentd/domains/internal/plain"
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
	was, is := newCarrier(), newCarrier()
	left := map[int]bool{}
	for l := range s.score() {
		switch {
		case l.endsSection():
			was.endSection()
			is.endSection()
		case l.kind == eventLine:
			want := was.resolve(l.code, l.words)
			if leave() {
				left[l.line] = true
				continue
			}
			if got := is.resolve(l.code, l.words); !slices.Equal(got, want) {
				s.lines[l.line].text = writtenOut(s.lines[l.line].text, l.words, got, want)
				is.remember(want)
			}
		}
	}
	kept := make([]line, 0, len(s.lines))
	for i, l := range s.lines {
		if !left[i] {
			kept = append(kept, l)
		}
	}
	s.lines = kept
	return len(left) > 0
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

// splice is a text in place of a word.
type splice struct {
	word span
	text string
}

// spliced is a text with others in place of some of its words, given in order.
func spliced(text string, changes []splice) string {
	return plain.Splice(text, changes, func(c splice) (start, end int, with string) {
		return int(c.word.start), int(c.word.end), c.text
	})
}
