package audiosyn

import (
	"maps"
	"slices"
	"strings"

	"agentd/vfs"
)

// without leaves out events. Those that carried from them have their p-fields
// written out.
func without(files vfs.Files, leave func(n int) bool) vfs.Files {
	left := vfs.Files{}
	maps.Copy(left, files)
	n := 0
	for _, s := range readFiles(files) {
		if s.leaveOut(func() bool { n++; return leave(n - 1) }) {
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
			if !slices.Equal(is.resolve(code, words), want) {
				l.text = writtenOut(l.text, words, want)
				code, _ = new(scanner).scan(l.text)
				is.resolve(code, scoreWords(code))
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

// writtenOut replaces the p-fields of an event.
func writtenOut(text string, words []span, values []string) string {
	var b strings.Builder
	at := int32(0)
	for n, value := range values {
		if n+1 < len(words) {
			b.WriteString(text[at:words[n+1].start])
			at = words[n+1].end
		} else {
			b.WriteByte(' ')
		}
		b.WriteString(value)
	}
	b.WriteString(text[at:])
	return b.String()
}
