// Package infra is the published reading and score of the domain infra.
//
//  1. coverage: Jaccard of the fingerprint sets; both empty 1, one empty 0.
//  2. body accuracy: over fingerprints on both sides, mean body similarity, 0 if none. Several blocks with one
//     fingerprint: the LAST in reading order stands for all.
//  3. type distribution: count per key resource.<type>, data.<type> or kind. 0.5 x Jaccard of the key sets + 0.5 x mean
//     over common keys of min/max of the counts (0 if none common). Both sides empty 1, one empty 0.
//  4. reference integrity: Jaccard of the sets of references found in all strings of all bodies. Two patterns, both on
//     word boundaries: aws_, random_ or data.aws_ followed by lower-case letters and underscores, a dot, and a
//     lower-case name; and var. or local. with a lower-case name. Types with digits (aws_route53_zone) and other
//     vendors are not seen. No references on the reference side: 1; only on that side: 0.
//  5. comments: Jaccard of the comment sets; reference empty 1; candidate empty 0.
//
// score = coverage^2 x body accuracy x sqrt((type + reference + comment) / 3). No rounding.
//
// Value similarity v(a,b), after trimming all strings; equal values give 1 (true equals 1, false equals 0):
//
//   - map/map: mean over the union of keys, 0 for a key on one side only; both empty 1.
//   - list/list: mean over positions up to the longer length, 0 beyond the shorter; one empty 0.
//   - number or boolean on both sides: 0 if either is zero, else min/max (true = 1).
//   - string/string: difflib ratio by characters.
//   - mixed types: ratio of the printed forms (Python style: True, None, ['a', 1], {'k': 1}).
//
// R, or ratio, is that of package ratio, with the reference first.
package infra

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/internal/lazyregexp"
	"agentd/vfs"
)

// Configuration is what the published evaluator reads.
type Configuration struct {
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

// Kinds are the blocks that are read, with their numbers of labels.
var Kinds = map[string]int{
	"terraform": 0, "provider": 1, "locals": 0, "variable": 1, "output": 1, "resource": 2, "data": 2, "module": 1,
}

// Parse reads a document as the published evaluator does: any syntax error in any of its files is one of the document.
func Parse(files vfs.Files) (Configuration, error) {
	var c Configuration
	for _, name := range files.Names() {
		c.comments = gatherComments(c.comments, files[name])
		if path.Ext(name) != ".tf" {
			continue
		}
		if err := c.file(files[name]); err != nil {
			return Configuration{}, fmt.Errorf("reading %s: %w", name, err)
		}
	}
	return c, nil
}

func (c *Configuration) file(text string) error {
	p := Parser{Text: text + "\n", published: true}
	body := p.body(true)
	if p.Err != nil {
		return p.Err
	}
	for i, kind := range body.keys {
		if _, read := Kinds[kind]; !read || !body.items[i].blocks {
			continue
		}
		for _, labelled := range body.items[i].items {
			c.add(kind, labelled)
		}
	}
	return nil
}

// add takes a block of a kind, its body below its labels as keys. One with too
// few labels counts as so many blocks as its body has entries.
func (c *Configuration) add(kind string, labelled value) {
	switch Kinds[kind] {
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
			for k, name := range named.keys {
				c.blocks = plain.Append(c.blocks, block{fingerprint{kind, label, name}, named.items[k]})
			}
		}
	}
}

// The keys that the published reading adds to bodies.
const (
	isBlock           = "__is_block__"
	commentsKey       = "__comments__"
	inlineCommentsKey = "__inline_comments__"
)

// body reads attributes and blocks up to a closing brace or, of a file, to the end.
func (p *Parser) body(ofFile bool) value {
	t := value{kind: mapValue}
	var comments, inline []string
	for p.Err == nil {
		comments = append(comments, publishedComments(p.pass(p.breaks()))...)
		p.blank()
		if p.At == len(p.Text) || p.Next() == '}' {
			break
		}
		name := p.Name()
		if name == "" {
			p.fail("neither an attribute nor a block")
			break
		}
		p.blank()
		if p.Next() != '=' {
			p.nested(&t, name)
			continue
		}
		p.At++
		p.Comments = nil
		expression := p.Expression()
		if p.Err != nil {
			break
		}
		t.set(name, expression.value())
		for _, c := range p.Comments {
			inline = append(inline, c.Text)
		}
		if raw := p.trailing.raw; p.trailing.of == expression && strings.HasPrefix(raw, "\n") {
			comments = append(comments, publishedComments(raw)...)
		}
	}
	if (p.At == len(p.Text)) != ofFile {
		p.fail("a brace too many or too few")
	}
	t.setComments(commentsKey, comments)
	t.setComments(inlineCommentsKey, inline)
	if !ofFile {
		t.set(isBlock, boolean(true))
	}
	return t
}

// nested reads a block after its kind.
func (p *Parser) nested(t *value, kind string) {
	var labels []string
	for p.Err == nil && p.Next() != '{' {
		switch name := p.Name(); {
		case name != "":
			labels = append(labels, name)
		case p.Next() == '"':
			if n := p.quoted(); p.Err == nil {
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
	p.At++
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
func (p *Parser) breaksBeforeBody() string {
	breaks := p.breaks()
	if len(breaks) == 0 {
		p.fail("neither an attribute nor a block")
		return ""
	}
	passed := p.pass(breaks)
	if p.blank(); p.Next() != '{' {
		p.fail("neither an attribute nor a block")
	}
	return passed
}

// append adds a block to those of its kind. One that has the name of an attribute before it is an error.
func (p *Parser) append(t *value, kind string, body value) {
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

var blockComment = lazyregexp.New(`(?s)/\*(.*?)\*/`)

type valueKind uint8

const (
	nullValue valueKind = iota
	booleanValue
	numberValue
	textValue
	listValue
	mapValue
)

// value is what the published evaluator makes of an expression or body.
type value struct {
	kind   valueKind
	text   string  // of a number as Python prints it
	number float64 // of a boolean 0 or 1
	items  []value
	keys   []string       // of a map, in the order of items
	blocks bool           // of a list, that it is one of nested blocks
	places map[string]int // of the keys
}

func text(s string) value { return value{kind: textValue, text: pytext.Strip(s)} }

func boolean(b bool) value {
	if b {
		return value{kind: booleanValue, number: 1}
	}
	return value{kind: booleanValue}
}

// place is where a key of a map stands, -1 if it has none of the name.
func (v *value) place(key string) int {
	if at, known := v.places[key]; known {
		return at
	}
	return -1
}

// set replaces the value of a key of a map or adds it.
func (v *value) set(key string, to value) {
	if at := v.place(key); at >= 0 {
		v.items[at] = to
		return
	}
	if v.places == nil {
		v.places = map[string]int{}
	}
	v.places[key] = len(v.keys)
	v.keys, v.items = append(v.keys, key), append(v.items, to)
}

// number is a literal without exponent, printed as Python prints it.
func number(literal string) value {
	float, _ := strconv.ParseFloat(literal, 64) // infinite beyond its range
	v := value{kind: numberValue, number: float}
	if strings.Contains(literal, ".") {
		v.text = pytext.FloatText(float)
		return v
	}
	digits, negative := strings.CutPrefix(literal, "-")
	v.text = strings.TrimLeft(digits[:len(digits)-1], "0") + digits[len(digits)-1:]
	if negative && v.text != "0" {
		v.text = "-" + v.text
	}
	return v
}

// value is what stands for an expression on the right of an equals sign, or inside lists and objects that stand there.
func (n *Node) value() value {
	switch n.Kind {
	case numberNode:
		if strings.ContainsAny(n.Text, "eE") {
			return text(dollar(n.Text))
		}
		return number(n.Text)
	case literalNode:
		if n.Text == "null" {
			return value{}
		}
		return boolean(n.Text == "true")
	case WordNode, quotedNode, HeredocNode:
		return text(n.inline())
	case TupleNode:
		list := value{kind: listValue, items: make([]value, len(n.Kids))}
		for i, kid := range n.Kids {
			list.items[i] = kid.value()
		}
		return list
	case ObjectNode:
		object := value{kind: mapValue}
		for i := 0; i < len(n.Kids); i += 2 {
			object.set(n.Kids[i].key(), n.Kids[i+1].value())
		}
		return object
	case parensNode:
		inner := n.Kids[0].value()
		return text(parenthesised(inner.printed()))
	}
	return text(dollar(n.inline()))
}

// key is the key of an object's element.
func (n *Node) key() string {
	switch n.Kind {
	case WordNode, quotedNode, literalNode:
		return n.inline()
	case numberNode:
		v := n.value()
		return v.text
	}
	return dollar(n.inline())
}

func isDollar(s string) bool { return strings.HasPrefix(s, "${") && strings.HasSuffix(s, "}") }

func dollar(s string) string {
	if isDollar(s) {
		return s
	}
	return "${" + s + "}"
}

func parenthesised(s string) string {
	if isDollar(s) {
		s = s[2 : len(s)-1]
	}
	return dollar("(" + s + ")")
}
