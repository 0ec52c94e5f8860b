package mathlean

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/element"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/sets"
	published "agentd/domains/published/mathlean"
	"agentd/internal/lazyregexp"
	"agentd/vfs"
)

// Kinds of elements.
const (
	counted          = "declaration"
	otherDeclaration = "other declaration" // the published evaluator does not read it
	importElement    = "import"
	commandElement   = "command"
	docElement       = "module doc"
	commentElement   = element.RemarkKind
	lineElement      = "line"
)

// above names the field that says before which declaration something stands.
const above = "above"

// fileStride is the difference between the positions of two files' elements; see inOneOrder.
const fileStride = 1 << 32

// elements flattens files of any name by the rules of Lean.
func elements(files vfs.Files) []domains.Element {
	f := flattener{modules: modulesOf(files), imported: map[string]bool{}}
	for n, name := range files.Names() {
		f.before, f.places = n*fileStride, map[string]int{}
		f.flatten(lex(plain.Text(plain.Lines(files[name]))))
	}
	return f.all
}

// modulesOf are the files of a document as they are imported, and as a model imports them that leaves the folder out.
func modulesOf(files vfs.Files) map[string]bool {
	modules := map[string]bool{}
	if len(files) < 2 {
		return modules
	}
	for name := range files {
		bare := strings.TrimSuffix(name, path.Ext(name))
		modules[strings.ReplaceAll(bare, "/", ".")] = true
		modules[path.Base(bare)] = true
	}
	return modules
}

type flattener struct {
	file
	all      []domains.Element
	before   int             // the position before those of the file
	places   map[string]int  // by kind, the last in the file
	scopes   []string        // the namespaces in force, outermost and within the open ones
	modules  map[string]bool // that are files of the document itself
	imported map[string]bool // keys of imports; several files may repeat them
}

// mostScopes is how deep namespaces are told apart.
const mostScopes = 64

func (f *flattener) flatten(source file) {
	f.file, f.scopes = source, []string{""}
	start, next := len(f.all), 0
	for _, c := range f.commands() {
		f.comments(next, c.first)
		f.command(&c)
		f.comments(c.first, c.last)
		next = c.last
	}
	f.comments(next, len(f.tokens))
	setAbove(f.all[start:], func(string) bool { return true })
}

// setAbove says of all but imports and counted declarations before which declaration it stands,
// of those whose identity counts.
func setAbove(elements []domains.Element, counts func(declaration string) bool) {
	next := ""
	for i := range slices.Backward(elements) {
		e := &elements[i]
		if e.Kind != importElement && e.Kind != counted && e.Value(above) != next {
			setField(e, above, next)
		}
		if isDeclaration(e) {
			if name := identity(e); counts(name) {
				next = name
			}
		}
	}
}

func isDeclaration(e *domains.Element) bool { return e.Kind == counted || e.Kind == otherDeclaration }

// identity is by what a declaration is known within its file: its name or, if it has none, its statement.
func identity(e *domains.Element) string {
	if name := e.Value("name"); name != "" {
		return name
	}
	return cut(e.Value("keyword") + " " + e.Value("statement"))
}

func cut(text string) string {
	const most = 60
	if runes := []rune(text[:min(len(text), 4*most)]); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

func (f *flattener) add(kind, key string, fields []domains.Field) {
	e := domains.Element{Kind: kind, Key: key, Fields: fields}
	if kind != importElement {
		f.places[kind]++
		e.Position = f.before + f.places[kind]
	}
	f.all = plain.Append(f.all, e)
}

// comments adds the comments among some tokens.
func (f *flattener) comments(first, last int) {
	for _, t := range f.tokens[first:last] {
		if t.kind != comment {
			continue
		}
		if text := prose(inside(f.of(t))); text != "" {
			f.add(commentElement, "comment "+cut(text), []domains.Field{{Name: "", Value: text}})
		}
	}
}

func (f *flattener) command(c *command) {
	switch {
	case c.isDeclaration():
		f.declaration(c)
	case c.keyword == "import":
		f.imports(c)
	case c.keyword != "":
		f.other(c)
	case f.tokens[c.first].kind == moduleDoc:
		f.moduleDoc(f.of(f.tokens[c.first]))
	default:
		f.lines(c)
	}
}

// moduleDoc adds the paragraphs of a module's doc comment as one element.
func (f *flattener) moduleDoc(text string) {
	var fields []domains.Field
	for _, paragraph := range blankLines.Split(inside(text), -1) {
		if paragraph = prose(paragraph); paragraph != "" {
			fields = append(fields, domains.Field{Name: "paragraph", Value: paragraph})
		}
	}
	if len(fields) > 0 {
		f.add(docElement, "module doc "+cut(fields[0].Value), withOrder(fields))
	}
}

var blankLines = lazyregexp.New(`(?m)^[\s\v\x{85}\p{Z}]*$`)

// lines adds the lines of what is no command.
func (f *flattener) lines(c *command) {
	for first := c.first; first < c.last; {
		end := first + 1
		for end < c.last && !f.tokens[end].begins {
			end++
		}
		if text := f.printed(f.code(first, end)); text != "" {
			f.add(lineElement, "line "+cut(text), []domains.Field{{Name: "", Value: text}})
		}
		first = end
	}
}

// imports adds the modules that a command imports, unless they are files of the
// same document or another file imports them in the same way.
func (f *flattener) imports(c *command) {
	head := f.head(c)
	for n := c.at + 1; n < c.last; n++ {
		t := f.tokens[n]
		if t.kind == comment || f.at(n) == "all" && n+1 < c.last {
			if t.kind != comment {
				head = append(head, domains.Field{Name: "modifier", Value: "all"})
			}
			continue
		}
		module := f.at(n)
		if f.modules[module] {
			continue
		}
		fields := append([]domains.Field{{Name: "module", Value: module}}, head...)
		if key := fmt.Sprint(fields); len(f.modules) > 0 && f.imported[key] {
			continue
		} else if len(f.modules) > 0 {
			f.imported[key] = true
		}
		f.add(importElement, "import "+module, fields)
	}
}

// other adds a command that declares nothing: a scope's beginning or end, `open`, `variable` and the like.
func (f *flattener) other(c *command) {
	f.scope(c)
	fields := append([]domains.Field{{Name: "keyword", Value: c.keyword}}, f.head(c)...)
	f.groups(c.at+1, c.last, func(first, last int) {
		fields = f.argument(fields, "argument", first, last)
	})
	key := f.printed(f.tokens[c.at:min(c.last, c.at+8)])
	f.add(commandElement, cut(key), withOrder(fields))
}

// code are the tokens from first to last that are no comments.
func (f *flattener) code(first, last int) []token {
	isComment := func(t token) bool { return t.kind == comment }
	tokens := f.tokens[first:last]
	if slices.ContainsFunc(tokens, isComment) {
		tokens = slices.DeleteFunc(slices.Clone(tokens), isComment)
	}
	return tokens
}

// argument adds a token, or what a pair of brackets holds together. A binder of several names is one of each.
func (f *flattener) argument(fields []domains.Field, name string, first, last int) []domains.Field {
	if first+1 == last && f.tokens[first].kind == comment {
		return fields
	}
	group := f.code(first, last)
	const most = 256 // tokens that are written again for other names
	colon := 1
	for colon < len(group) && group[colon].kind == word {
		colon++
	}
	if colon < 3 || colon == len(group) || f.of(group[colon]) != ":" || colon*len(group) > most {
		return plain.Append(fields, domains.Field{Name: name, Value: f.printed(group)})
	}
	for _, variable := range group[1:colon] {
		one := append([]token{group[0], variable}, group[colon:]...)
		fields = plain.Append(fields, domains.Field{Name: name, Value: f.printed(one)})
	}
	return fields
}

// scope keeps the namespaces that are open.
func (f *flattener) scope(c *command) {
	switch c.keyword {
	case "namespace", "section":
		namespace := f.namespace()
		if c.keyword == "namespace" && c.at+1 < c.last && len(f.scopes) <= mostScopes {
			namespace = joined(namespace, f.at(c.at+1))
		}
		f.scopes = append(f.scopes, namespace)
	case "end":
		f.scopes = f.scopes[:max(1, len(f.scopes)-1)]
	}
}

func (f *flattener) namespace() string { return f.scopes[len(f.scopes)-1] }

func joined(namespace, name string) string {
	if namespace == "" {
		return name
	}
	return namespace + "." + name
}

// mostFields is how many fields of two elements can be compared one with the other.
const mostFields = 128

// withOrder adds a field with the order of those that may repeat. Of too many fields those at the end become one.
func withOrder(fields []domains.Field) []domains.Field {
	if len(fields) >= mostFields {
		return domains.Bounded(fields, mostFields)
	}
	var inOrder []string
	for _, f := range fields {
		if isOrdered[f.Name] {
			inOrder = append(inOrder, f.Value)
		}
	}
	if len(inOrder) < 2 {
		return fields
	}
	return append(fields, domains.Field{Name: order, Value: strings.Join(inOrder, "; ")})
}

// order names the field that says in which order others stand.
const order = "order"

var isOrdered = sets.Words("binder body argument paragraph")

// head are the fields of what stands before a keyword.
func (f *flattener) head(c *command) []domains.Field {
	var fields []domains.Field
	var prefix []token
	for n := c.first; n < c.at; n++ {
		switch t := f.tokens[n]; {
		case t.kind == comment:
		case t.kind == docText:
			fields = append(fields, domains.Field{Name: "doc", Value: prose(inside(f.of(t)))})
		case f.of(t) == "@[":
			end := min((&commandReader{file: &f.file}).afterAttributes(n), c.at)
			f.attributes(n, end, func(attribute string) {
				fields = plain.Append(fields, domains.Field{Name: "attribute", Value: attribute})
			})
			n = end - 1
		case keywords[f.of(t)] == modifier:
			fields = append(fields, domains.Field{Name: "modifier", Value: f.of(t)})
		default:
			prefix = append(prefix, t)
		}
	}
	if len(prefix) > 0 {
		fields = append(fields, domains.Field{Name: "before it", Value: f.printed(prefix)})
	}
	return fields
}

// attributes calls do with each attribute of the list from token first to last.
func (f *flattener) attributes(first, last int, do func(attribute string)) {
	from, depth := first+1, 0
	for n := from; n < last; n++ {
		switch text := f.at(n); {
		case f.tokens[n].kind != symbol:
		case depth == 0 && (text == "," || text == "]"):
			if from < n {
				do(f.printed(f.tokens[from:n]))
			}
			from = n + 1
		default:
			depth += bracket(text)
		}
	}
	if from < last {
		do(f.printed(f.tokens[from:last]))
	}
}

// declaration adds a declaration.
func (f *flattener) declaration(c *command) {
	p := f.partsOf(c)
	keyword := c.keyword
	if keyword == "lemma" {
		keyword = "theorem"
	}
	fields := append(make([]domains.Field, 0, 8), domains.Field{Name: "keyword", Value: keyword})
	fields = append(fields, f.head(c)...)
	key := f.name(p)
	if key != "" {
		fields = append(fields, domains.Field{Name: "name", Value: key})
		key = joined(f.namespace(), key)
	}
	binder := func(first, last int) { fields = f.argument(fields, "binder", first, last) }
	f.groups(c.at+1, p.name, binder)
	f.groups(p.binders, p.statement, binder)
	if p.statement < p.body {
		fields = plain.Append(fields, domains.Field{Name: "statement", Value: f.statement(p)})
	}
	if key == "" {
		key = cut(keyword + " " + f.statement(p))
	}
	for _, item := range f.items(p.body, p.end) {
		fields = plain.Append(fields, domains.Field{Name: "body", Value: item})
	}
	f.add(kindOf(c, p, &f.file), key, withOrder(fields))
}

func (f *flattener) statement(p parts) string {
	if p.statement >= p.body {
		return ""
	}
	return f.printed(f.tokens[p.statement+1 : p.body])
}

// kindOf tells the declarations that are counted from the others: the published
// evaluator reads neither those after a modifier nor those without `:=`.
func kindOf(c *command, p parts, f *file) string {
	if !slices.Contains(published.Opening, c.keyword) {
		return otherDeclaration
	}
	for n := c.first; n < c.at; n++ {
		if keywords[f.at(n)] == modifier {
			return otherDeclaration
		}
	}
	for n := p.body; n < p.end; n++ {
		if f.at(n) == ":=" {
			return counted
		}
	}
	return otherDeclaration
}

// evidence counts the declarations that have a body as Lean writes it, or need none. Python and OpenQASM have the
// keyword def too. Where all declarations are of a kind that the published reader passes over, lines that are no Lean
// must not outnumber them.
func evidence(files vfs.Files, elements []domains.Element) int {
	found := map[string]int{}
	for i := range elements {
		e := &elements[i]
		if bodiless[e.Value("keyword")] || e.Value("body") != "" {
			found[e.Kind]++
		}
	}
	if found[counted] == 0 && domains.OfKinds(lineElement)(files, elements) > found[otherDeclaration] {
		return 0
	}
	return found[counted] + found[otherDeclaration]
}

// bodiless are the keywords of declarations that need no body.
var bodiless = sets.Words("axiom structure inductive")
