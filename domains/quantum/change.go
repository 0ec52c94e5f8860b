package quantum

import (
	"slices"
	"strings"

	"agentd/vfs"
)

// without leaves out subroutines, or operations at top level where there are no
// subroutines, with the comments that stand at them.
func without(files vfs.Files, leave func() bool) vfs.Files {
	read := readFiles(files)
	subroutines := slices.ContainsFunc(read, (*file).hasSubroutine)
	left := vfs.Files{}
	for _, f := range read {
		left[f.name] = files[f.name]
		out := map[int32]bool{}
		for i := int32(0); i < int32(len(f.statements)); i = f.statements[i].last {
			s := &f.statements[i]
			isCounted := s.form == subroutineForm || !subroutines && s.form >= operation && s.form <= block
			if !isCounted {
				continue
			}
			if leave() {
				out[i] = true
			}
		}
		if len(out) > 0 {
			left[f.name] = f.leaving(out)
		}
	}
	return left
}

func (f *file) hasSubroutine() bool {
	return slices.ContainsFunc(f.statements, func(s statement) bool { return s.form == subroutineForm })
}

// leaving is the text without some of the statements at top level.
func (f *file) leaving(out map[int32]bool) string {
	type span struct{ start, end int32 }
	var spans []span
	for i, owner := range f.owners {
		if out[owner] {
			spans = append(spans, span{f.comments[i].start, f.comments[i].end})
		}
	}
	for i := range out {
		s := &f.statements[i]
		spans = append(spans, span{f.tokens[s.from].start, f.tokens[s.end-1].end})
	}
	slices.SortFunc(spans, func(a, b span) int { return int(a.start - b.start) })
	var b strings.Builder
	at := int32(0)
	for _, s := range spans {
		if s.start < at {
			at = max(at, s.end)
			continue
		}
		b.WriteString(f.text[at:s.start])
		b.WriteByte(gap)
		at = s.end
	}
	b.WriteString(f.text[at:])
	return withoutGaps(b.String())
}

// gap marks where something was taken out of a text.
const gap = '\x00'

// withoutGaps drops the lines on which nothing is left, and of two blank lines
// around them one.
func withoutGaps(text string) string {
	var kept []string
	taken := false
	for line := range strings.SplitSeq(text, "\n") {
		bare := strings.ReplaceAll(line, string(gap), "")
		switch {
		case bare != line && strings.TrimSpace(bare) == "":
			taken = true
			continue
		case taken && strings.TrimSpace(line) == "" && len(kept) > 0 && strings.TrimSpace(kept[len(kept)-1]) == "":
			continue
		}
		taken = false
		kept = append(kept, strings.TrimRight(bare, " \t"))
	}
	return strings.Join(kept, "\n")
}
