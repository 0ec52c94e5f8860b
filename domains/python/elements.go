package python

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// Kinds of elements.
const (
	definitionElement = "definition"
	statementElement  = "statement"
	itemElement       = "item"
	importElement     = "import"
	docElement        = "docstring"
	commentElement    = "comment"
	fileElement       = "file"
	lineElement       = "line"
)

// Bounds on what is compared one by one: parts of a definition or comment, and
// items of a list or table.
const (
	mostParts = 64
	mostItems = 1 << 14
)

func elements(files vfs.Files) []domains.Element { return read(files).elements() }

// elements flattens a program.
func (p *program) elements() []domains.Element {
	f := flattener{program: p}
	for _, file := range p.entries {
		f.add(domains.Element{Kind: fileElement, Key: "file " + file, Fields: []domains.Field{{Name: "name", Value: file}}})
	}
	for i := range p.definitions {
		f.definition(&p.definitions[i])
	}
	for position, i := range p.inOrder() {
		f.statement(&p.statements[i], position)
	}
	f.allComments()
	for n, s := range p.strays {
		f.add(domains.Element{
			Kind: lineElement, Key: "line of " + s.file, Position: n,
			Fields: []domains.Field{{Name: "text", Value: s.text}},
		})
	}
	return f.all
}

// inOrder lists the statements by what they belong to, since definitions may
// change places.
func (p *program) inOrder() []int {
	order := make([]int, len(p.statements))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return strings.Compare(p.statements[a].scope, p.statements[b].scope)
	})
	return order
}

type flattener struct {
	*program
	all   []domains.Element
	items int
}

func (f *flattener) add(e domains.Element) { f.all = plain.Append(f.all, e) }

// definition has the header of a function or class part by part.
func (f *flattener) definition(d *definition) {
	kind := d.header[0].text
	what := "function "
	if kind == "class" {
		what = "class "
	}
	e := domains.Element{Kind: definitionElement, Key: what + d.name}
	var more []string
	add := func(name, value string) {
		if len(e.Fields) < mostParts {
			e.Fields = append(e.Fields, domains.Field{Name: name, Value: value})
		} else {
			more = append(more, value)
		}
	}
	add("kind", kind)
	add("name", d.name)
	parameters, returns := d.parts()
	name := "parameter"
	if kind == "class" {
		name = "base"
	}
	for n, part := range parameters {
		if n == mostParts {
			rest := d.header[slices.Index(d.header, part[0]):]
			more = append(more, written(rest, f.spelling))
			break
		}
		add(fmt.Sprint(name, " ", n+1), written(part, f.spelling))
	}
	if len(returns) > 0 {
		add("returns", written(returns, f.spelling))
	}
	for n, decorator := range d.decorators {
		add(fmt.Sprint("decorator ", n+1), written(decorator, f.spelling))
	}
	if len(more) > 0 {
		e.Fields = append(e.Fields, domains.Field{Name: "more", Value: strings.Join(more, "\n")})
	}
	f.add(e)
}

// parts divides a header into what stands in its parentheses and what it says
// to return.
func (d *definition) parts() (parameters [][]token, returns []token) {
	open := slices.IndexFunc(d.header, func(t token) bool { return t.text == "(" })
	if open < 0 {
		return nil, nil
	}
	parameters, end := divided(d.header, open)
	if end+1 < len(d.header) && d.header[end+1].text == "->" {
		returns = d.header[end+2 : len(d.header)-1]
	}
	return parameters, returns
}

// divided are the parts between the commas of a bracket, and the place where it
// closes.
func divided(tokens []token, open int) (parts [][]token, end int) {
	inside := tokens[open+1:]
	start := 0
	for i, t := range outside(inside) {
		if t.text != "," && !t.closes() {
			continue
		}
		if i > start {
			parts = append(parts, inside[start:i])
		}
		start = i + 1
		if t.closes() {
			return parts, open + 1 + i
		}
	}
	return parts, len(tokens) - 1
}

func (f *flattener) statement(s *statement, position int) {
	switch word := s.tokens[0].text; {
	case (word == "import" || word == "from") && len(s.tokens) > 1:
		f.imports(s)
		return
	case s.first && len(s.tokens) == 1 && s.tokens[0].kind == stringToken:
		f.docstring(s, position)
		return
	}
	text := s.tokens
	if open := tableStart(s); open >= 0 {
		f.table(s, open)
		text = text[:open]
	}
	f.add(domains.Element{
		Kind: statementElement, Key: within(s.scope) + s.head(f.spelling), Position: position,
		Fields: []domains.Field{
			{Name: "in", Value: s.scope},
			{Name: "depth", Value: strconv.Itoa(s.depth)},
			{Name: "text", Value: written(text, f.spelling)},
		},
	})
}

// within is how a key says what something belongs to.
func within(scope string) string {
	if scope == "" {
		return ""
	}
	return scope + ": "
}

// head is how a practitioner would call a statement: what it assigns to, or how
// it begins.
func (s *statement) head(spelling map[string]string) string {
	const most, longest = 8, 48 // tokens and characters
	first := s.tokens[:min(len(s.tokens), most)]
	for i, t := range outside(first) {
		if i > 0 && (t.text == ":" || isAssignment(t.text)) {
			return written(s.tokens[:i], spelling)
		}
	}
	text := []rune(written(first, spelling))
	if len(s.tokens) <= most && len(text) <= longest {
		return string(text)
	}
	return string(text[:min(len(text), longest)]) + " …"
}

// tableStart is the place of the bracket in which an assignment lists the items
// of a list, set, tuple or table; -1 if it lists none.
func tableStart(s *statement) int {
	last := len(s.tokens) - 1
	for i := 1; i < last; i++ {
		if s.tokens[i].opens() {
			return -1 // before any =
		}
		if s.tokens[i].text != "=" || !s.tokens[i+1].opens() {
			continue
		}
		if parts, end := divided(s.tokens, i+1); end == last && len(parts) > 1 {
			return i + 1
		}
		return -1
	}
	return -1
}

// table has an element for each item that an assignment lists.
func (f *flattener) table(s *statement, open int) {
	parts, _ := divided(s.tokens, open)
	name := written(s.tokens[:open-1], f.spelling)
	where := within(s.scope) + name + ", item "
	brackets := s.tokens[open].text
	for n, part := range parts {
		text := written(part, f.spelling)
		if n == mostItems {
			text = written(s.tokens[slices.Index(s.tokens, part[0]):len(s.tokens)-1], f.spelling)
		}
		f.items++
		f.add(domains.Element{
			Kind: itemElement, Key: where + itemName(part, n), Position: f.items,
			Fields: []domains.Field{{Name: "of", Value: s.scope + " " + name + " " + brackets}, {Name: "text", Value: text}},
		})
		if n == mostItems {
			return
		}
	}
}

// itemName is the key of an item, or its number.
func itemName(part []token, n int) string {
	if len(part) > 2 && part[1].text == ":" {
		return part[0].text
	}
	return fmt.Sprint(n + 1)
}

// imports has an element for each name that a statement imports.
func (f *flattener) imports(s *statement) {
	add := func(from string, what []token) {
		text := from + written(what, f.spelling)
		f.add(domains.Element{
			Kind: importElement, Key: within(s.scope) + "import of " + text,
			Fields: []domains.Field{{Name: "in", Value: s.scope}, {Name: "name", Value: text}},
		})
	}
	from, list := "", s.tokens[1:]
	if s.tokens[0].text == "from" {
		at := slices.IndexFunc(s.tokens, func(t token) bool { return t.text == "import" })
		if at < 0 {
			add("from ", list)
			return
		}
		from, list = written(s.tokens[1:at], f.spelling)+": ", s.tokens[at+1:]
	}
	list = slices.DeleteFunc(slices.Clone(list), func(t token) bool { return t.text == "(" || t.text == ")" })
	names := 0
	for start := 0; start < len(list); {
		end := start
		for end < len(list) && list[end].text != "," {
			end++
		}
		if names++; names > mostItems {
			end = len(list)
		}
		if end > start {
			add(from, list[start:end])
		}
		start = end + 1
	}
}

// docstring has an element for each line of one.
func (f *flattener) docstring(s *statement, position int) {
	_, text := decoded(s.tokens[0].text)
	of := s.scope
	if of == "" {
		of = "the module"
	}
	for n := 0; text != ""; n++ {
		line, rest, _ := strings.Cut(text, "\n")
		if n == mostItems {
			line, rest = text, ""
		}
		if line = strings.TrimSpace(line); line != "" {
			f.add(domains.Element{
				Kind: docElement, Key: "docstring of " + of, Position: position,
				Fields: []domains.Field{{Name: "in", Value: s.scope}, {Name: "line", Value: line}},
			})
		}
		text = rest
	}
}

// allComments has an element for the comment lines at one statement.
func (f *flattener) allComments() {
	type block struct {
		scope string
		next  int
	}
	places, more := map[block]int{}, map[int][]string{}
	for _, c := range f.comments {
		if c.text == "" {
			continue
		}
		at, known := places[block{c.scope, c.next}]
		if !known {
			at = len(f.all)
			places[block{c.scope, c.next}] = at
			f.add(f.commentAt(c))
		}
		e := &f.all[at]
		if n := len(e.Fields) - 1; n <= mostParts {
			e.Fields = append(e.Fields, domains.Field{Name: fmt.Sprint("line ", n), Value: c.text})
		} else {
			more[at] = append(more[at], c.text)
		}
	}
	for at, lines := range more {
		f.all[at].Fields = append(f.all[at].Fields, domains.Field{Name: "more", Value: strings.Join(lines, "\n")})
	}
}

// commentAt begins the element of comments: what they belong to and stand at.
func (f *flattener) commentAt(c comment) domains.Element {
	at := "the end"
	if c.next < len(f.statements) {
		at = f.statements[c.next].head(f.spelling)
		if scope := f.statements[c.next].scope; scope != c.scope {
			at = scope
		}
	}
	return domains.Element{
		Kind: commentElement, Key: "comment at " + within(c.scope) + at,
		Fields: []domains.Field{{Name: "in", Value: c.scope}, {Name: "at", Value: at}},
	}
}
