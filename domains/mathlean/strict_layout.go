package mathlean

import (
	"strings"

	"agentd/domains/internal/sets"
)

// itemizer divides the body of a declaration.
type itemizer struct {
	*file
	depth  int   // of brackets
	blocks []int // the columns of the blocks that are open
	item   []token
	level  int // of the item in hand
	found  []string
}

// mostBlocks is how deep blocks are told apart.
const mostBlocks = 32

// items divides the body of a declaration where a line begins a new one: a step
// of a proof, a field, an alternative. Lines that only go on with the one above
// belong to it, so that a block of one line, and one after `by` on the same
// line, are the same. Signs say how deep the block is in which an item stands.
func (f *file) items(first, last int) []string {
	i := itemizer{file: f}
	for n := first; n < last; n++ {
		t := f.tokens[n]
		if t.kind == comment {
			continue
		}
		if t.begins && i.depth == 0 {
			i.line(n, first)
		}
		i.add(n, first)
	}
	i.finish()
	return i.found
}

// itemStarts begin an item at any column.
var itemStarts = sets.Words("| _ deriving termination_by decreasing_by")

// line goes to the block in which a line stands and begins an item there if it
// is no continuation.
func (i *itemizer) line(n, first int) {
	t := i.tokens[n]
	column := i.column(t)
	for len(i.blocks) > 0 && i.blocks[len(i.blocks)-1] > column {
		i.blocks = i.blocks[:len(i.blocks)-1]
	}
	inBlock := len(i.blocks) > 0 && i.blocks[len(i.blocks)-1] == column
	switch text := i.of(t); {
	case inBlock || itemStarts[text]:
		i.begin()
	case n > first && blockOpeners[i.before(n)] && len(i.blocks) < mostBlocks:
		i.blocks = append(i.blocks, column)
	case t.kind == docText:
		i.begin()
	}
}

// before is the text of the token before n that is no comment.
func (i *itemizer) before(n int) string {
	for n--; n > 0 && i.tokens[n].kind == comment; n-- {
	}
	return i.at(n)
}

func (i *itemizer) begin() {
	i.finish()
	i.level = len(i.blocks)
}

// add puts a token to the item in hand. What leads into the body, such as `:=
// by`, is an item of its own.
func (i *itemizer) add(n, first int) {
	t := i.tokens[n]
	text := i.of(t)
	leads := n == first && text != "|" || n == first+1 && text == "by"
	if n == first && text == ":=" {
		return
	}
	i.item = append(i.item, t)
	i.depth = max(0, i.depth+i.turn(t))
	if text == "·" && t.begins && n+1 < len(i.tokens) && len(i.blocks) < mostBlocks {
		i.blocks = append(i.blocks, i.column(i.tokens[n+1]))
	}
	if leads {
		i.finish()
		i.level = 1
	}
}

func (i *itemizer) finish() {
	if len(i.item) == 0 {
		return
	}
	text := i.printed(i.item)
	if i.level > 1 {
		text = strings.Repeat("> ", i.level-1) + text
	}
	i.found = append(i.found, text)
	i.item = i.item[:0]
}
