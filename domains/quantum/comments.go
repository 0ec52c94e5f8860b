package quantum

import (
	"strings"

	"agentd/domains/internal/plain"
)

const commentElement = "comment"

// ownComments finds what each comment stands at: the statement at top level that
// it is within, after on the same line, or directly above, with comments between or not.
func (f *file) ownComments() {
	var top []int32 // the statements at top level that may be above the comment, and the one below
	f.top(func(n int32, _ *statement) { top = plain.Append(top, n) })
	f.owners = make([]int32, len(f.comments))
	for i := len(f.comments) - 1; i >= 0; i-- {
		c := &f.comments[i]
		for len(top) > 0 && f.statements[top[len(top)-1]].from > c.next {
			top = top[:len(top)-1]
		}
		f.owners[i] = -1
		above := len(top) - 1
		below := above >= 0 && f.statements[top[above]].from == c.next
		if below {
			above--
		}
		if above >= 0 {
			end := f.statements[top[above]].end
			if c.next < end || c.next == end && f.tokens[c.next-1].line == c.line {
				f.owners[i] = top[above]
				continue
			}
		}
		if !below {
			continue
		}
		line, owner := f.tokens[c.next].line, top[above+1]
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
