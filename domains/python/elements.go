package python

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/internal/lazyregexp"
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

// mostParts is how many parts of a definition or comment are compared one by one.
const mostParts = 64

func elements(files vfs.Files) []domains.Element { return read(files).elements() }

// elements flattens a program.
func (p *program) elements() []domains.Element {
	f := flattener{program: p}
	for _, file := range p.entries {
		f.add(fileElement, "file "+file, 0, domains.Field{Name: "name", Value: file})
	}
	for i := range p.definitions {
		f.definition(&p.definitions[i])
	}
	for position, i := range p.inOrder() {
		f.statement(&p.statements[i], position)
	}
	f.allComments()
	for n, s := range p.strays {
		f.add(lineElement, "line of "+s.file, n, domains.Field{Name: "text", Value: s.text})
	}
	return f.all
}

// inOrder lists the statements by what they belong to, since definitions may change places.
func (p *program) inOrder() []int {
	return lists.Order(len(p.statements), func(a, b int) int {
		return strings.Compare(p.statements[a].scope, p.statements[b].scope)
	})
}

type flattener struct {
	*program
	all      []domains.Element
	items    int
	docLines int
	scope    string          // of the statement in hand
	above    []*statement    // before it in the scope, since the import before it
	used     map[string]bool // names of the scope that statements have before that import
}

func (f *flattener) add(kind, key string, position int, fields ...domains.Field) {
	f.all = plain.Append(f.all, domains.Element{Kind: kind, Key: key, Position: position, Fields: fields})
}

// definition has the header of a function or class part by part.
func (f *flattener) definition(d *definition) {
	kind, what, parameter := d.header[0].text, "function ", "parameter"
	if kind == "class" {
		what, parameter = "class ", "base"
	}
	fields := []domains.Field{{Name: "kind", Value: kind}, {Name: "name", Value: d.name}}
	add := func(name string, tokens []token) {
		fields = append(fields, domains.Field{Name: name, Value: written(tokens, f.spelling)})
	}
	parameters, returns := d.parts()
	for n, part := range parameters {
		add(fmt.Sprint(parameter, " ", n+1), part)
	}
	if len(returns) > 0 {
		add("returns", returns)
	}
	for n, decorator := range d.decorators {
		add(fmt.Sprint("decorator ", n+1), decorator)
	}
	f.add(definitionElement, what+d.name, 0, domains.Bounded(fields, mostParts+1)...)
}

// parts divides a header into what stands in its parentheses and what it says to return.
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

// divided are the parts between the commas of a bracket, and the place where it closes.
func divided(tokens []token, open int) (parts [][]token, end int) {
	inside := tokens[open+1:]
	for i, t := range outside(inside) {
		if t.closes() {
			return split(inside[:i], ","), open + 1 + i
		}
	}
	return split(inside, ","), len(tokens) - 1
}

func (f *flattener) statement(s *statement, position int) {
	if s.scope != f.scope {
		f.scope, f.above, f.used = s.scope, f.above[:0], nil
	}
	switch word := s.tokens[0].text; {
	case (word == "import" || word == "from") && len(s.tokens) > 1:
		f.imports(s)
		return
	case s.first && len(s.tokens) == 1 && s.tokens[0].kind == stringToken:
		f.docstring(s)
		return
	}
	f.above = append(f.above, s)
	tokens := withoutIdleParentheses(s.tokens)
	var text string
	whole := bracketed(s.tokens)
	if open := tableStart(whole); open >= 0 {
		f.table(s.scope, whole, open)
		text = written(whole[:open], f.spelling)
	} else {
		text = spelled(tokens, f.spelling)
	}
	f.add(statementElement, within(s.scope)+head(tokens, f.spelling), position,
		domains.Field{Name: "in", Value: s.scope},
		domains.Field{Name: "depth", Value: strconv.Itoa(s.depth)},
		domains.Field{Name: "text", Value: text})
}

// within is how a key says what something belongs to.
func within(scope string) string {
	if scope == "" {
		return ""
	}
	return scope + ": "
}

// head is how a practitioner would call a statement: what it assigns to, or how it begins.
func head(tokens []token, spelling map[string]string) string {
	const most, longest = 8, 48 // tokens and characters
	first := tokens[:min(len(tokens), most)]
	for i, t := range outside(first) {
		if i > 0 && (t.text == ":" || isAssignment(t.text)) {
			return written(tokens[:i], spelling)
		}
	}
	text := []rune(written(first, spelling))
	if len(tokens) <= most && len(text) <= longest {
		return string(text)
	}
	return string(text[:min(len(text), longest)]) + " …"
}

// tableStart is the place of the bracket in which an assignment lists the items
// of a list, set, tuple or table; -1 if it lists none.
func tableStart(tokens []token) int {
	last := len(tokens) - 1
	for i := 1; i < last; i++ {
		if tokens[i].opens() {
			return -1 // before any =
		}
		if tokens[i].text != "=" || !tokens[i+1].opens() {
			continue
		}
		if parts, end := divided(tokens, i+1); end == last && len(parts) > 1 {
			return i + 1
		}
		return -1
	}
	return -1
}

// bracketed are the tokens of an assignment of a tuple without parentheses, with these: both mean the same. Other tokens stay.
func bracketed(tokens []token) []token {
	for i, t := range tokens {
		if t.opens() {
			return tokens
		}
		if t.text != "=" || i == 0 {
			continue
		}
		values := tokens[i+1:]
		for _, inner := range outside(values) {
			switch inner.text {
			case "=", ":=", "lambda", "yield":
				return tokens
			}
		}
		if len(split(values, ",")) < 2 {
			return tokens
		}
		whole := append(slices.Clone(tokens[:i+1]), token{text: "(", start: values[0].start, kind: operatorToken})
		return append(append(whole, values...), token{text: ")", start: int32(values[len(values)-1].end()), kind: operatorToken})
	}
	return tokens
}

// table has an element for each item that an assignment lists.
func (f *flattener) table(scope string, tokens []token, open int) {
	parts, _ := divided(tokens, open)
	name := written(tokens[:open-1], f.spelling)
	where := within(scope) + name + ", item "
	of := scope + " " + name + " " + tokens[open].text
	for n, part := range parts {
		text := written(part, f.spelling)
		f.items++
		f.add(itemElement, where+itemName(part, n), f.items,
			domains.Field{Name: "of", Value: of}, domains.Field{Name: "text", Value: text})
	}
}

// itemName is the key of an item, or its number.
func itemName(part []token, n int) string {
	if len(part) > 2 && part[1].text == ":" {
		return part[0].text
	}
	return fmt.Sprint(n + 1)
}

// imports has an element for each name that a statement imports. An import may stand anywhere before a statement of its scope that
// uses the name.
func (f *flattener) imports(s *statement) {
	if f.used == nil {
		f.used = map[string]bool{}
	}
	for _, above := range f.above {
		for _, t := range above.tokens {
			if t.kind == nameToken {
				f.used[t.text] = true
			}
		}
	}
	f.above = f.above[:0]
	add := func(from string, what []token) {
		text := from + written(what, f.spelling)
		fields := []domains.Field{{Name: "in", Value: s.scope}, {Name: "name", Value: text}}
		if f.used[bound(what)] {
			fields = append(fields, domains.Field{Name: "stands", Value: "below its use"})
		}
		f.add(importElement, within(s.scope)+"import of "+text, 0, fields...)
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
	for _, what := range split(list, ",") {
		add(from, what)
	}
}

// bound is the name that one part of an import gives to what it imports.
func bound(what []token) string {
	n := len(what)
	switch {
	case n == 0:
		return ""
	case n > 2 && what[n-2].text == "as":
		return what[n-1].text
	}
	return what[0].text
}

// docstring has an element for each line of one.
func (f *flattener) docstring(s *statement) {
	_, text := decoded(s.tokens[0].text)
	for line := range linesOf(text) {
		f.docLines++
		f.add(docElement, "docstring of "+cmp.Or(s.scope, "the module"), f.docLines,
			domains.Field{Name: "in", Value: s.scope}, domains.Field{Name: "line", Value: line})
	}
}

// linesOf are the lines of a text that are not blank, without blanks around them; of a text with
// very many, what follows mostLines as one.
func linesOf(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, line := range strings.SplitN(text, "\n", mostLines+1) {
			if line = strings.TrimSpace(line); line != "" && !yield(line) {
				return
			}
		}
	}
}

// allComments has an element for the comment lines at one statement.
func (f *flattener) allComments() {
	type block struct {
		scope string
		next  int
	}
	first := len(f.all)
	places := map[block]int{}
	for _, c := range f.comments {
		if c.text == "" {
			continue
		}
		at, known := places[block{c.scope, c.next}]
		if !known {
			at = len(f.all)
			places[block{c.scope, c.next}] = at
			f.commentAt(c)
		}
		e := &f.all[at]
		e.Fields = append(e.Fields, domains.Field{Name: fmt.Sprint("line ", len(e.Fields)-1), Value: c.text})
	}
	for i := range f.all[first:] {
		e := &f.all[first+i]
		e.Fields = domains.Bounded(e.Fields, mostParts+3) // the lines, what they belong to, and where they stand
		e.Weightless = f.commentsGone
	}
}

// commentAt begins the element of comments: what they belong to and stand at.
func (f *flattener) commentAt(c comment) {
	at := "the end"
	if c.next < len(f.statements) {
		at = head(withoutIdleParentheses(f.statements[c.next].tokens), f.spelling)
		if scope := f.statements[c.next].scope; scope != c.scope {
			at = scope
		}
	}
	f.add(commentElement, "comment at "+within(c.scope)+at, 0,
		domains.Field{Name: "in", Value: c.scope}, domains.Field{Name: "at", Value: at})
}

// evidence counts the definitions, the imports and the statements that assign, call
// or control. Python runs no program with a line that is no Python, and much other
// text can be read as expressions: a row of a table as a tuple, JSON as a dictionary.
func evidence(files vfs.Files, elements []domains.Element) int {
	if domains.OfKinds(lineElement)(files, elements) > 0 {
		return 0
	}
	return domains.OfKinds(definitionElement, importElement)(files, elements) +
		lists.Count(elements, func(e *domains.Element) bool {
			return e.Kind == statementElement && effective.MatchString(e.Value("text"))
		})
}

// effective is how a statement begins that assigns, calls or controls.
var effective = lazyregexp.New(`^[\pL_][\pL\pN_.]*( *[-+*/%&|^@:]?=|:.*=|\(|\[.*\] *=| .*\()`)
