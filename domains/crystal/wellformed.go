package crystal

import (
	"strings"

	"agentd/domains"
)

// wellFormed checks what a reader of CIF 1.1 stops at: a text that is not closed, a tag without a value or said twice in
// its block, a value without a tag, and a loop with a row that is not full.
func wellFormed(_, text string) []domains.Slip {
	c := checker{lexer: lexer{text: text}, tags: map[string]bool{}, blocks: map[string]bool{}}
	for {
		word := c.next()
		c.line += strings.Count(text[c.counted:word.start], "\n")
		c.counted = word.start
		if word.kind == lexEnd {
			c.endItem()
			return c.slips
		}
		c.take(word)
	}
}

// checker is what was read of a block: the tag that waits for its value, or the loop in hand.
type checker struct {
	lexer
	slips         []domains.Slip
	counted, line int             // lines before a place of the text
	tags, blocks  map[string]bool // that were there
	waiting       bool            // a tag has no value yet
	looping       bool            // between the word loop_ and the next item
	columns       int
	values        int
}

func (c *checker) slip(what string) {
	c.slips = append(c.slips, domains.Slip{Line: c.line + 1, What: what})
}

func (c *checker) take(w lexeme) {
	word := c.text[w.start:w.end]
	switch w.kind {
	case lexBlock:
		c.endItem()
		c.tags = map[string]bool{}
		if name := strings.ToLower(word); c.blocks[name] {
			c.slip("a block stands twice")
		} else {
			c.blocks[name] = true
		}
	case lexLoop:
		c.endItem()
		c.looping = true
	case lexTag:
		c.tag(strings.ToLower(word))
	case lexValue:
		c.value(w, word)
	}
}

func (c *checker) tag(name string) {
	if c.looping && c.values == 0 {
		c.columns++
	} else {
		c.endItem()
		c.waiting = true
	}
	if c.tags[name] {
		c.slip("a name stands twice in its block")
	}
	c.tags[name] = true
}

func (c *checker) value(w lexeme, word string) {
	switch {
	case w.form == fieldForm && (len(word) < 2 || !strings.HasSuffix(word, "\n;") && word[0] == ';'):
		c.slip("a text between semicolons is not closed")
	case w.form == quotedForm && (len(word) < 2 || word[len(word)-1] != word[0]):
		c.slip("a text in quotes is not closed")
	}
	switch {
	case c.looping && c.columns > 0:
		c.values++
	case c.waiting:
		c.waiting = false
	case strings.HasPrefix(strings.ToLower(word), "save_") || strings.EqualFold(word, "global_"):
	default:
		c.slip("a value has no name")
	}
}

// endItem checks that the item in hand is whole.
func (c *checker) endItem() {
	switch {
	case c.waiting:
		c.slip("a name has no value")
	case c.looping && c.columns == 0:
		c.slip("a loop has no names")
	case c.looping && c.values == 0:
		c.slip("a loop has no values")
	case c.looping && c.values%c.columns != 0:
		c.slip("the last row of a loop is not full")
	}
	c.waiting, c.looping, c.columns, c.values = false, false, 0, 0
}
