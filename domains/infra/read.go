package infra

import (
	"slices"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
)

// document is a configuration file as Terraform reads it, in parts that print puts together again without loss.
type document struct{ parts []part }

// part is a block, or what stands between blocks: an attribute, as in a .tfvars file, comments,
// or what Terraform would refuse to read. Comments directly above a block or attribute belong to it.
type part struct {
	source string // its lines, comments above included
	item   item
	// comments are those above or, of a remark, all.
	comments []comment
}

type itemKind uint8

const (
	attributeItem itemKind = iota
	blockItem
	foreignItem
	remarkItem // comments that stand apart from what follows
)

// item is an attribute, a block or a foreign line. Places are those in the source of the part.
type item struct {
	kind     itemKind
	name     string // of an attribute, or the kind of a block
	labels   []string
	value    *node     // of an attribute; nil if it cannot be read
	text     string    // of a foreign line, or as which a value is written
	items    []item    // of a block
	comments []comment // those inside an attribute, or at the end of a block
	above    []comment // those between the item before and this one
	start    int
	fault    string // how a block breaks the format's rules
}

// read takes in any text.
func read(text string) document {
	text = pytext.UniversalNewlines(strings.TrimPrefix(text, "\ufeff"))
	r := reader{parser: parser{text: text}}
	for r.at < len(text) {
		r.part()
	}
	return document{r.parts}
}

type reader struct {
	parser
	parts       []part
	foreignFrom int // where the foreign lines began that were read last
	inBlock     int // how many blocks are open
}

// part reads what comes next at the top level.
func (r *reader) part() {
	r.blankLines()
	start := r.at
	comments := r.remarks()
	if r.at == len(r.text) || r.next() == '\n' {
		if r.at > start {
			r.add(part{item: item{kind: remarkItem}, comments: comments}, start)
		}
		return
	}
	i := r.item()
	r.after(&i)
	p := part{item: i, comments: comments}
	if last := len(r.parts) - 1; p.item.kind == foreignItem && comments == nil && last >= 0 &&
		r.parts[last].item.kind == foreignItem && r.adjoins(start) {
		r.parts[last].source = r.line(r.foreignFrom)
		return
	}
	r.foreignFrom = start
	r.add(p, start)
}

// adjoins reports whether only one line end stands before a place.
func (r *reader) adjoins(start int) bool {
	before := strings.TrimRight(r.text[:start], " \t")
	return !strings.HasSuffix(before, "\n\n") && strings.HasSuffix(before, "\n")
}

func (r *reader) line(start int) string { return strings.TrimRight(r.text[start:r.at], " \t\n") }

// add adds a part of the text from start to the place at hand, with what is left of its last line.
func (r *reader) add(p part, start int) {
	p.source = r.line(start)
	p.item.move(-start, len(p.source))
	r.parts = plain.Append(r.parts, p)
}

// move shifts all places, that of an item not beyond the end of the part's source: the blanks that
// end it are not there.
func (i *item) move(by, end int) {
	i.start = min(i.start+by, end)
	if i.value != nil {
		i.value.each(func(n *node) { n.start, n.end = n.start+by, n.end+by })
	}
	for k := range i.items {
		i.items[k].move(by, end)
	}
}

func (r *reader) blankLines() {
	for r.at < len(r.text) && strings.IndexByte(" \t\n", r.text[r.at]) >= 0 {
		r.at++
	}
}

// remarks passes comments that stand on lines of their own one below the other,
// up to the line end of the last if a blank line or nothing follows.
func (r *reader) remarks() []comment {
	var all []comment
	for {
		end := r.commentEnd(r.at)
		if end == r.at {
			return all
		}
		all = appendComments(all, r.text[r.at:end], r.at)
		r.at = afterBlanks(r.text, end)
		if r.next() != '\n' {
			continue // something follows a block comment on its line
		}
		below := afterBlanks(r.text, r.at+1)
		if below == len(r.text) || r.text[below] == '\n' {
			return all
		}
		r.at = below
	}
}

// item reads an attribute, a block or a foreign line. What is left of its line
// goes with it: a comment, or what is foreign.
func (r *reader) item() item {
	start := r.at
	i := item{kind: foreignItem, start: start}
	name := r.name()
	r.blankInLine()
	switch {
	case name == "":
	case r.next() == '=' && !r.sees("=="):
		i.kind, i.name = attributeItem, name
		r.attribute(&i)
	default:
		if labels, ok := r.labels(); ok {
			i.kind, i.name, i.labels = blockItem, name, labels
			r.block(&i)
		}
	}
	if i.kind == foreignItem {
		r.at = start
		r.restOfLine()
		i.text = strings.TrimSpace(r.text[start:r.at])
	}
	return i
}

func (r *reader) restOfLine() {
	if end := strings.IndexByte(r.text[r.at:], '\n'); end >= 0 {
		r.at += end
	} else {
		r.at = len(r.text)
	}
}

// attribute reads the value of an attribute, all of its line if it is not to be understood.
func (r *reader) attribute(i *item) {
	r.at = afterBlanks(r.text, r.at+1)
	start := r.at
	r.comments, r.err = nil, nil
	value := r.expression()
	r.depth, r.brackets, r.muted = 0, 0, 0
	if r.err != nil {
		r.wasted += r.at - start
		if !r.tired() {
			r.at = start
		}
		r.restOfLine()
		r.err = nil
		i.text = strings.TrimSpace(r.text[start:r.at])
		return
	}
	i.value, i.comments = value, r.comments
	i.text = strings.TrimSpace(r.text[start:value.end])
}

// labels reads what stands between the kind of a block and its opening brace.
func (r *reader) labels() (labels []string, ok bool) {
	for {
		r.blankInLine()
		switch c := r.next(); {
		case c == '{':
			return labels, true
		case c == '"':
			start := r.at + 1
			end := strings.IndexAny(r.text[start:], "\"\n")
			if end < 0 || r.text[start+end] != '"' {
				return nil, false
			}
			labels = append(labels, r.text[start:start+end])
			r.at = start + end + 1
		case c == '\n':
			if at := afterBlanks(r.text, r.at+1); at < len(r.text) && r.text[at] == '{' {
				r.at = at
				continue
			}
			return nil, false
		default:
			name := r.name()
			if name == "" || len(labels) > 16 {
				return nil, false
			}
			labels = append(labels, name)
		}
	}
}

// mostBlocks is how deep blocks may be nested; what follows is foreign.
const mostBlocks = 32

// block reads the body of a block, from its opening brace on. A block that is
// not closed ends before the next one that opens at the margin.
func (r *reader) block(i *item) {
	if strings.Contains(r.text[i.start:r.at], "\n") {
		i.fault = "opened on another line"
	}
	r.at++
	r.inBlock++
	defer func() { r.inBlock-- }()
	for {
		above := r.between()
		switch {
		case r.at == len(r.text) || r.opensAtMargin():
			i.fault, i.comments = "not closed", above
			return
		case r.next() == '}':
			r.at++
			i.comments = above
			return
		case r.inBlock > mostBlocks:
			i.items = append(i.items, item{kind: foreignItem, text: r.text[r.at:], start: r.at})
			r.at = len(r.text)
			continue
		}
		next := r.item()
		next.above = above
		r.endOfItem(i, &next)
	}
}

// endOfItem adds an item to a block, with the comment after it. What else
// stands on its line is foreign, except the closing brace.
func (r *reader) endOfItem(i *item, next *item) {
	r.after(next)
	i.items = plain.Append(i.items, *next)
	if r.at == len(r.text) || r.next() == '\n' || r.next() == '}' {
		return
	}
	start := r.at
	r.restOfLine()
	i.items = plain.Append(i.items, item{
		kind: foreignItem, text: strings.TrimSpace(r.text[start:r.at]), start: start,
	})
}

// after passes the comments after an item on its line.
func (r *reader) after(i *item) {
	r.blankInLine()
	for end := r.commentEnd(r.at); end > r.at; end = r.commentEnd(r.at) {
		i.comments = appendComments(i.comments, r.text[r.at:end], r.at)
		r.at = afterBlanks(r.text, end)
	}
}

// between passes blank lines and comments inside a block.
func (r *reader) between() []comment {
	var all []comment
	for {
		r.blankLines()
		end := r.commentEnd(r.at)
		if end == r.at {
			return all
		}
		all = appendComments(all, r.text[r.at:end], r.at)
		r.at = end
	}
}

// opensAtMargin reports whether a block of a kind that stands outside of others begins at the margin here.
func (r *reader) opensAtMargin() bool {
	if r.at == 0 || r.text[r.at-1] != '\n' {
		return false
	}
	kind := r.text[r.at:r.nameEnd()]
	if _, known := kinds[kind]; !known && !slices.Contains(otherKinds, kind) {
		return false
	}
	at := r.at
	r.at += len(kind)
	_, ok := r.labels()
	r.at = at
	return ok
}

// otherKinds are the kinds of top-level blocks that the published score does not look at.
var otherKinds = []string{"moved", "import", "removed", "check"}

// print is the reverse of read, with one blank line between parts.
func (d document) print() string {
	if len(d.parts) == 0 {
		return ""
	}
	var b strings.Builder
	for i := range d.parts {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(d.parts[i].source + "\n")
	}
	return b.String()
}
