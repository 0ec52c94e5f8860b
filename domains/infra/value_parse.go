package infra

import (
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// configuration is what the published evaluator reads.
type configuration struct {
	blocks   []block
	comments []string // of all files, in lower case, without their marks
}

// block is a top-level block of one of the kinds that are read. Labels have
// their quotes, if they were written with them.
type block struct {
	fingerprint
	body value
}

// fingerprint is what blocks are paired by.
type fingerprint struct{ kind, label, name string }

// kinds are the blocks that are read, with their numbers of labels.
var kinds = map[string]int{
	"terraform": 0, "provider": 1, "locals": 0, "variable": 1, "output": 1, "resource": 2, "data": 2, "module": 1,
}

// parse reads a document as the published evaluator does: any syntax error in any of its files is one of the document.
func parse(files vfs.Files) (configuration, error) {
	var c configuration
	for _, name := range files.Names() {
		c.comments = gatherComments(c.comments, files[name])
		if path.Ext(name) != ".tf" {
			continue
		}
		if err := c.file(files[name]); err != nil {
			return configuration{}, fmt.Errorf("reading %s: %w", name, err)
		}
	}
	return c, nil
}

func (c *configuration) file(text string) error {
	p := parser{text: text + "\n", published: true}
	body := p.body(true)
	if p.err != nil {
		return p.err
	}
	for i, kind := range body.keys {
		if _, read := kinds[kind]; !read || !body.items[i].blocks {
			continue
		}
		for _, labelled := range body.items[i].items {
			if err := c.add(kind, labelled); err != nil {
				return err
			}
		}
	}
	return nil
}

var errLabels = errors.New("a resource or data block without labels")

// add takes a block of a kind, its body below its labels as keys. One with too
// few labels is taken for as many blocks as its body has entries.
func (c *configuration) add(kind string, labelled value) error {
	switch kinds[kind] {
	case 0:
		c.blocks = plain.Append(c.blocks, block{fingerprint{kind: kind}, labelled})
	case 1:
		for i, label := range labelled.keys {
			print := fingerprint{kind: kind, name: label}
			if kind == "provider" {
				print = fingerprint{kind: kind, label: label}
			}
			c.blocks = plain.Append(c.blocks, block{print, labelled.items[i]})
		}
	default:
		for i, label := range labelled.keys {
			named := labelled.items[i]
			if named.kind != mapValue {
				return errLabels
			}
			for k, name := range named.keys {
				c.blocks = plain.Append(c.blocks, block{fingerprint{kind, label, name}, named.items[k]})
			}
		}
	}
	return nil
}

// The keys that the published reading adds to bodies.
const (
	isBlock           = "__is_block__"
	commentsKey       = "__comments__"
	inlineCommentsKey = "__inline_comments__"
)

// body reads attributes and blocks up to a closing brace or, of a file, to the end.
func (p *parser) body(ofFile bool) value {
	t := value{kind: mapValue}
	var comments, inline []string
	for p.err == nil {
		comments = append(comments, publishedComments(p.pass(p.breaks()))...)
		p.blank()
		if p.at == len(p.text) || p.next() == '}' {
			break
		}
		name := p.name()
		if name == "" {
			p.fail("neither an attribute nor a block")
			break
		}
		p.blank()
		if p.next() != '=' {
			p.nested(&t, name)
			continue
		}
		expression := p.assigned()
		if p.err != nil {
			break
		}
		t.set(name, expression.value())
		for _, c := range p.comments {
			inline = append(inline, c.text)
		}
		if raw := p.trailing.raw; p.trailing.of == expression && strings.HasPrefix(raw, "\n") {
			comments = append(comments, publishedComments(raw)...)
		}
	}
	if (p.at == len(p.text)) != ofFile {
		p.fail("a brace too many or too few")
	}
	t.setComments(commentsKey, comments)
	t.setComments(inlineCommentsKey, inline)
	if !ofFile {
		t.set(isBlock, boolean(true))
	}
	return t
}

// assigned reads what is assigned to an attribute.
func (p *parser) assigned() *node {
	if p.sees("==") || p.sees("=>") {
		p.fail("no value of an attribute")
		return nil
	}
	p.at++
	p.comments = nil
	return p.expression()
}

// nested reads a block after its kind.
func (p *parser) nested(t *value, kind string) {
	var labels []string
	for p.err == nil && p.next() != '{' {
		switch name := p.name(); {
		case name != "":
			labels = append(labels, name)
		case p.next() == '"':
			if n := p.quoted(); p.err == nil {
				labels = append(labels, n.inline())
			}
		default:
			labels = append(labels, p.breaksBeforeBody())
		}
		p.blank()
	}
	defer p.leave()
	if !p.enter() {
		return
	}
	p.at++
	body := p.body(false)
	p.need("}")
	for _, label := range slices.Backward(labels) {
		outer := value{kind: mapValue}
		outer.set(label, body)
		body = outer
	}
	p.append(t, kind, body)
}

// breaksBeforeBody passes line ends and comments before an opening brace, which
// the published reading takes for one more label.
func (p *parser) breaksBeforeBody() string {
	breaks := p.breaks()
	if len(breaks) == 0 {
		p.fail("neither an attribute nor a block")
		return ""
	}
	passed := p.pass(breaks)
	if p.blank(); p.next() != '{' {
		p.fail("neither an attribute nor a block")
	}
	return passed
}

// append adds a block to those of its kind. One that has the name of an attribute before it is an error.
func (p *parser) append(t *value, kind string, body value) {
	at := t.place(kind)
	switch {
	case at < 0:
		t.set(kind, value{kind: listValue, items: []value{body}, blocks: true})
	case t.items[at].blocks:
		t.items[at].items = plain.Append(t.items[at].items, body)
	default:
		p.fail("a block named like an attribute")
	}
}

func (v *value) setComments(key string, texts []string) {
	if len(texts) == 0 {
		return
	}
	list := value{kind: listValue, items: make([]value, len(texts))}
	for i, t := range texts {
		list.items[i] = value{kind: mapValue}
		list.items[i].set("value", text(t))
	}
	v.set(key, list)
}

// publishedComments are the comments in a run of line ends and comments: a
// block comment as one, otherwise one for each line.
func publishedComments(raw string) []string {
	stripped := pytext.Strip(raw)
	if stripped == "" {
		return nil
	}
	if len(stripped) >= 4 && strings.HasPrefix(stripped, "/*") && strings.HasSuffix(stripped, "*/") {
		if text := pytext.Strip(stripped[2 : len(stripped)-2]); text != "" {
			return []string{text}
		}
		return nil
	}
	var all []string
	for line := range strings.SplitSeq(raw, "\n") {
		if line, _ = cutMark(pytext.Strip(line)); line != "" {
			all = append(all, pytext.Strip(line))
		}
	}
	return all
}

// cutMark takes the mark off a line that is a comment.
func cutMark(line string) (comment string, ok bool) {
	if comment, ok = strings.CutPrefix(line, "#"); ok {
		return comment, true
	}
	return strings.CutPrefix(line, "//")
}

// gatherComments adds the comments of a text as the comment score has them: the lines that begin with a mark and the
// spans of block comments, even where those begin inside a string.
func gatherComments(all []string, text string) []string {
	for line := range strings.SplitSeq(text, "\n") {
		comment, ok := cutMark(pytext.Strip(line))
		if comment = pytext.Lower(pytext.Strip(comment)); ok && comment != "" {
			all = append(all, comment)
		}
	}
	for _, found := range blockComment.FindAllStringSubmatch(text, -1) {
		all = append(all, pytext.Lower(pytext.Strip(found[1])))
	}
	return all
}

var blockComment = regexp.MustCompile(`(?s)/\*(.*?)\*/`)
