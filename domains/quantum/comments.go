package quantum

import "strings"

const commentElement = "comment"

// ownComments finds what each comment stands at: the statement at top level that
// it is within, behind on the same line, or directly above.
func (f *file) ownComments() {
	f.owners = make([]int32, len(f.comments))
	at := int32(0) // the last statement at top level that begins before the comment
	for i := range f.comments {
		c := &f.comments[i]
		for at < int32(len(f.statements)) && f.statements[at].last < int32(len(f.statements)) &&
			f.statements[f.statements[at].last].from < c.next {
			at = f.statements[at].last
		}
		f.owners[i] = -1
		if at < int32(len(f.statements)) && f.statements[at].from < c.next {
			behind := c.next == f.statements[at].end && f.tokens[c.next-1].line == c.line
			if behind || c.next < f.statements[at].end {
				f.owners[i] = at
			}
		}
	}
	f.ownAbove()
}

// ownAbove gives comments to the statement that begins on the line below, or
// below comments that stand there.
func (f *file) ownAbove() {
	starts := map[int32]int32{} // of statements at top level
	for n := int32(0); n < int32(len(f.statements)); n = f.statements[n].last {
		starts[f.statements[n].from] = n
	}
	for i := len(f.comments) - 1; i >= 0; i-- {
		c := &f.comments[i]
		n, above := starts[c.next]
		if f.owners[i] >= 0 || !above || int(c.next) >= len(f.tokens) {
			continue
		}
		line, owner := f.tokens[c.next].line, n
		if i+1 < len(f.comments) && f.comments[i+1].next == c.next {
			line, owner = f.comments[i+1].line, f.owners[i+1]
		}
		if c.lastLine+1 >= line {
			f.owners[i] = owner
		}
	}
}

// sayings are the lines of a comment without marks and decoration, those that say
// something.
func (f *file) sayings(c *comment) []string {
	text := f.text[c.start:c.end]
	if strings.HasPrefix(text, "/*") {
		text = strings.TrimSuffix(text, "*/")
	}
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		said := strings.Trim(strings.Join(strings.Fields(line), " "), "/*-=#~_ ")
		if said != "" {
			lines = append(lines, said)
		}
	}
	return lines
}
