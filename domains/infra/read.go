package infra

import (
	"slices"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	published "agentd/domains/published/infra"
)

// document is a configuration file as Terraform reads it, in parts that print puts together again without loss.
type document struct{ parts []part }

// part is a block, or what stands between blocks: an attribute, as in a .tfvars file, comments,
// or what Terraform would refuse to read. Comments directly above a block or attribute belong to it.
type part struct {
	source string // its lines, comments above included
	item   item
	// comments are those above or, of a remark, all.
	comments []published.Comment
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
	value    *published.Node     // of an attribute; nil if it cannot be read
	text     string              // of a foreign line, or as which a value is written
	items    []item              // of a block
	comments []published.Comment // those inside an attribute, or at the end of a block
	above    []published.Comment // those between the item before and this one
	start    int
	fault    string // how a block breaks the format's rules
}

// read takes in any text.
func read(text string) document {
	text = pytext.UniversalNewlines(strings.TrimPrefix(text, "\ufeff"))
	r := reader{Parser: published.Parser{Text: text}}
	for r.At < len(text) {
		r.part()
	}
	return document{r.parts}
}

type reader struct {
	published.Parser
	parts       []part
	foreignFrom int // where the foreign lines began that were read last
	inBlock     int // how many blocks are open
}

// part reads what comes next at the top level.
func (r *reader) part() {
	r.blankLines()
	start := r.At
	comments := r.remarks()
	if r.At == len(r.Text) || r.Next() == '\n' {
		if r.At > start {
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
	before := strings.TrimRight(r.Text[:start], " \t")
	return !strings.HasSuffix(before, "\n\n") && strings.HasSuffix(before, "\n")
}

func (r *reader) line(start int) string { return strings.TrimRight(r.Text[start:r.At], " \t\n") }

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
		each(i.value, func(n *published.Node) { n.Start, n.End = n.Start+by, n.End+by })
	}
	for k := range i.items {
		i.items[k].move(by, end)
	}
}

func (r *reader) blankLines() {
	for r.At < len(r.Text) && strings.IndexByte(" \t\n", r.Text[r.At]) >= 0 {
		r.At++
	}
}

// remarks passes comments that stand on lines of their own one below the other,
// up to the line end of the last if a blank line or nothing follows.
func (r *reader) remarks() []published.Comment {
	var all []published.Comment
	for {
		end := r.CommentEnd(r.At)
		if end == r.At {
			return all
		}
		all = published.AppendComments(all, r.Text[r.At:end], r.At)
		r.At = published.AfterBlanks(r.Text, end)
		if r.Next() != '\n' {
			continue // something follows a block comment on its line
		}
		below := published.AfterBlanks(r.Text, r.At+1)
		if below == len(r.Text) || r.Text[below] == '\n' {
			return all
		}
		r.At = below
	}
}

// item reads an attribute, a block or a foreign line. What is left of its line
// goes with it: a comment, or what is foreign.
func (r *reader) item() item {
	start := r.At
	i := item{kind: foreignItem, start: start}
	name := r.Name()
	r.BlankInLine()
	switch {
	case name == "":
	case r.Next() == '=' && !r.Sees("=="):
		i.kind, i.name = attributeItem, name
		r.attribute(&i)
	default:
		if labels, ok := r.labels(); ok {
			i.kind, i.name, i.labels = blockItem, name, labels
			r.block(&i)
		}
	}
	if i.kind == foreignItem {
		r.At = start
		r.restOfLine()
		i.text = strings.TrimSpace(r.Text[start:r.At])
	}
	return i
}

func (r *reader) restOfLine() {
	if end := strings.IndexByte(r.Text[r.At:], '\n'); end >= 0 {
		r.At += end
	} else {
		r.At = len(r.Text)
	}
}

// attribute reads the value of an attribute, all of its line if it is not to be understood.
func (r *reader) attribute(i *item) {
	r.At = published.AfterBlanks(r.Text, r.At+1)
	start := r.At
	r.Comments, r.Err = nil, nil
	value := r.Expression()
	r.Depth, r.Brackets, r.Muted = 0, 0, 0
	if r.Err != nil {
		r.Wasted += r.At - start
		if !r.Tired() {
			r.At = start
		}
		r.restOfLine()
		r.Err = nil
		i.text = strings.TrimSpace(r.Text[start:r.At])
		return
	}
	i.value, i.comments = value, r.Comments
	i.text = strings.TrimSpace(r.Text[start:value.End])
}

// labels reads what stands between the kind of a block and its opening brace.
func (r *reader) labels() (labels []string, ok bool) {
	for {
		r.BlankInLine()
		switch c := r.Next(); {
		case c == '{':
			return labels, true
		case c == '"':
			start := r.At + 1
			end := strings.IndexAny(r.Text[start:], "\"\n")
			if end < 0 || r.Text[start+end] != '"' {
				return nil, false
			}
			labels = append(labels, r.Text[start:start+end])
			r.At = start + end + 1
		case c == '\n':
			if at := published.AfterBlanks(r.Text, r.At+1); at < len(r.Text) && r.Text[at] == '{' {
				r.At = at
				continue
			}
			return nil, false
		default:
			name := r.Name()
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
	if strings.Contains(r.Text[i.start:r.At], "\n") {
		i.fault = "opened on another line"
	}
	r.At++
	r.inBlock++
	defer func() { r.inBlock-- }()
	for {
		above := r.between()
		switch {
		case r.At == len(r.Text) || r.opensAtMargin():
			i.fault, i.comments = "not closed", above
			return
		case r.Next() == '}':
			r.At++
			i.comments = above
			return
		case r.inBlock > mostBlocks:
			i.items = append(i.items, item{kind: foreignItem, text: r.Text[r.At:], start: r.At})
			r.At = len(r.Text)
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
	if r.At == len(r.Text) || r.Next() == '\n' || r.Next() == '}' {
		return
	}
	start := r.At
	r.restOfLine()
	i.items = plain.Append(i.items, item{
		kind: foreignItem, text: strings.TrimSpace(r.Text[start:r.At]), start: start,
	})
}

// after passes the comments after an item on its line.
func (r *reader) after(i *item) {
	r.BlankInLine()
	for end := r.CommentEnd(r.At); end > r.At; end = r.CommentEnd(r.At) {
		i.comments = published.AppendComments(i.comments, r.Text[r.At:end], r.At)
		r.At = published.AfterBlanks(r.Text, end)
	}
}

// between passes blank lines and comments inside a block.
func (r *reader) between() []published.Comment {
	var all []published.Comment
	for {
		r.blankLines()
		end := r.CommentEnd(r.At)
		if end == r.At {
			return all
		}
		all = published.AppendComments(all, r.Text[r.At:end], r.At)
		r.At = end
	}
}

// opensAtMargin reports whether a block of a kind that stands outside of others begins at the margin here.
func (r *reader) opensAtMargin() bool {
	if r.At == 0 || r.Text[r.At-1] != '\n' {
		return false
	}
	kind := r.Text[r.At:r.NameEnd()]
	if _, known := published.Kinds[kind]; !known && !slices.Contains(otherKinds, kind) {
		return false
	}
	at := r.At
	r.At += len(kind)
	_, ok := r.labels()
	r.At = at
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
