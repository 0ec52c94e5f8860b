package quantum

import (
	"slices"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// without leaves out subroutines, or operations at top level where there are no
// subroutines, with the comments that stand at them.
func without(files vfs.Files, leave func() bool) vfs.Files {
	read := readFiles(files)
	subroutines := slices.ContainsFunc(read, func(f *file) bool {
		return slices.ContainsFunc(f.statements, func(s statement) bool { return s.form == subroutineForm })
	})
	left := vfs.Files{}
	for _, f := range read {
		out := map[int32]bool{}
		f.top(func(n int32, s *statement) {
			isCounted := s.form == subroutineForm || !subroutines && s.form >= operation && s.form <= block
			if isCounted && leave() {
				out[n] = true
			}
		})
		left[f.name] = files[f.name]
		if len(out) > 0 {
			left[f.name] = f.leaving(out)
		}
	}
	return left
}

// leaving is the text without some of the statements at top level.
func (f *file) leaving(out map[int32]bool) string {
	var gaps []splice
	for i, owner := range f.owners {
		if out[owner] {
			gaps = append(gaps, splice{f.comments[i].start, f.comments[i].end, gap})
		}
	}
	for n := range out {
		start, end := f.span(&f.statements[n])
		gaps = append(gaps, splice{start, end, gap})
	}
	return withoutGaps(f.spliced(gaps))
}

// top calls do for the statements at top level.
func (f *file) top(do func(n int32, s *statement)) {
	for n := int32(0); n < int32(len(f.statements)); n = f.statements[n].last {
		do(n, &f.statements[n])
	}
}

// partsOf are the parts of a statement.
func (f *file) partsOf(s *statement) []part {
	var p parts
	p.formOf(&f.source, s.from, s.to)
	return p.list
}

// splice is a text in place of a part of another.
type splice struct {
	start, end int32
	text       string
}

// spliced puts texts in place of parts, which do not overlap.
func (f *file) spliced(changes []splice) string {
	return plain.Splice(f.text, changes, func(c splice) (int, int, string) { return int(c.start), int(c.end), c.text })
}

// span is where a statement begins and ends.
func (f *file) span(s *statement) (start, end int32) {
	return f.tokens[s.from].start, f.tokens[s.end-1].end
}

// gap marks where something was taken out of a text.
const gap = "\x00"

// withoutGaps drops the lines on which nothing is left, and of two blank lines around them one.
func withoutGaps(text string) string {
	var kept []string
	taken := false
	for line := range strings.SplitSeq(text, "\n") {
		bare := strings.ReplaceAll(line, gap, "")
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
