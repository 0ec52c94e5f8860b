package quantum

import (
	"strings"

	"agentd/domains/internal/plain"
)

const commentElement = "comment"

// ownComments finds what each comment stands at: the statement at top level that
// it is within, after on the same line, or directly above.
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
			after := c.next == f.statements[at].end && f.tokens[c.next-1].line == c.line
			if after || c.next < f.statements[at].end {
				f.owners[i] = at
			}
		}
	}
	f.ownAbove()
}

// ownAbove gives comments to the statement that begins on the line below, or
// below comments that stand there.
func (f *file) ownAbove() {
	if len(f.comments) == 0 {
		return
	}
	var top []int32
	f.top(func(n int32, _ *statement) { top = plain.Append(top, n) })
	for i := len(f.comments) - 1; i >= 0; i-- {
		c := &f.comments[i]
		for len(top) > 0 && f.statements[top[len(top)-1]].from > c.next {
			top = top[:len(top)-1]
		}
		if f.owners[i] >= 0 || len(top) == 0 || f.statements[top[len(top)-1]].from != c.next {
			continue
		}
		n := top[len(top)-1]
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
		words := strings.Fields(strings.TrimLeft(line, "/*! \t"))
		if len(words) > 0 && isDecoration(words[0]) {
			words = words[1:]
		}
		if n := len(words) - 1; n >= 0 && isDecoration(words[n]) {
			words = words[:n]
		}
		if len(words) > 0 {
			lines = append(lines, strings.Join(words, " "))
		}
	}
	return lines
}

func isDecoration(word string) bool { return strings.Trim(word, "/*-=#~_") == "" }
