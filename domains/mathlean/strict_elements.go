package mathlean

import (
	"path"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// Kinds of elements other than the declarations that are counted.
const (
	otherDeclaration = "other declaration" // the published evaluator does not read it
	importElement    = "import"
	commandElement   = "command"
	docElement       = "module doc"
	commentElement   = "comment"
	lineElement      = "line"
)

// above names the field that says before which declaration something stands.
const above = "above"

// fileStride is the difference between the positions of two files' elements;
// see inOneOrder.
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

// modulesOf are the files of a document as they are imported, and as a model
// imports them that leaves the folder out.
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
	scopes   []string        // the namespaces in force within the open ones
	modules  map[string]bool // that are files of the document itself
	imported map[string]bool // keys of imports; several files may repeat them
}

// mostScopes is how deep namespaces are told apart.
const mostScopes = 64

func (f *flattener) flatten(source file) {
	f.file, f.scopes = source, nil
	start, next := len(f.all), 0
	for _, c := range f.commands() {
		f.comments(next, c.first)
		f.command(&c)
		f.comments(c.first, c.last)
		next = c.last
	}
	f.comments(next, len(f.tokens))
	setAbove(f.all[start:])
}

// setAbove says of all that is no declaration before which one it stands.
func setAbove(elements []domains.Element) {
	next := ""
	for i := len(elements) - 1; i >= 0; i-- {
		switch e := &elements[i]; {
		case e.Kind == importElement:
		case e.Kind == counted:
			next = identity(e)
		default:
			if next != "" {
				e.Fields = append(e.Fields, domains.Field{Name: above, Value: next})
			}
			if e.Kind == otherDeclaration {
				next = identity(e)
			}
		}
	}
}

// identity is by what a declaration is known within its file: its name or, if it
// has none, its statement.
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
	add := func(paragraph string) {
		if paragraph != "" {
			fields = append(fields, domains.Field{Name: "paragraph", Value: paragraph})
		}
	}
	var paragraph strings.Builder
	for rest := inside(text); rest != ""; {
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		if strings.TrimSpace(line) == "" {
			add(prose(paragraph.String()))
			paragraph.Reset()
		}
		paragraph.WriteString(line + "\n")
	}
	add(prose(paragraph.String()))
	if len(fields) > 0 {
		f.add(docElement, "module doc "+cut(fields[0].Value), bounded(withOrder(fields)))
	}
}

// lines adds the lines of what is no command.
func (f *flattener) lines(c *command) {
	for first := c.first; first < c.last; {
		end := first + 1
		for end < c.last && !f.tokens[end].begins {
			end++
		}
		line := slices.DeleteFunc(slices.Clone(f.tokens[first:end]), func(t token) bool { return t.kind == comment })
		if text := f.printed(line); text != "" {
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
		if key := keyOf(fields); len(f.modules) > 0 && f.imported[key] {
			continue
		} else if len(f.modules) > 0 {
			f.imported[key] = true
		}
		f.add(importElement, "import "+module, fields)
	}
}

func keyOf(fields []domains.Field) string {
	var b strings.Builder
	for _, f := range fields {
		b.WriteString(f.Value + "\n")
	}
	return b.String()
}

// other adds a command that declares nothing: a scope's beginning or end, `open`,
// `variable` and the like.
func (f *flattener) other(c *command) {
	f.scope(c)
	fields := append([]domains.Field{{Name: "keyword", Value: c.keyword}}, f.head(c)...)
	f.groups(c.at+1, c.last, func(first, last int) {
		fields = f.argument(fields, "argument", first, last)
	})
	key := f.printed(f.tokens[c.at:min(c.last, c.at+8)])
	f.add(commandElement, cut(key), bounded(withOrder(fields)))
}

// argument adds a token, or what a pair of brackets holds together. A binder of
// several names is one of each.
func (f *flattener) argument(fields []domains.Field, name string, first, last int) []domains.Field {
	if first+1 == last && f.tokens[first].kind == comment {
		return fields
	}
	group := f.tokens[first:last]
	if slices.ContainsFunc(group, func(t token) bool { return t.kind == comment }) {
		group = slices.DeleteFunc(slices.Clone(group), func(t token) bool { return t.kind == comment })
	}
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
		if c.keyword == "namespace" && c.at+1 < c.last && len(f.scopes) < mostScopes {
			namespace = joined(namespace, f.at(c.at+1))
		}
		f.scopes = append(f.scopes, namespace)
	case "end":
		f.scopes = f.scopes[:max(0, len(f.scopes)-1)]
	}
}

func (f *flattener) namespace() string {
	if len(f.scopes) == 0 {
		return ""
	}
	return f.scopes[len(f.scopes)-1]
}

func joined(namespace, name string) string {
	if namespace == "" {
		return name
	}
	return namespace + "." + name
}

// withOrder adds a field with the order of those that may repeat.
func withOrder(fields []domains.Field) []domains.Field {
	var inOrder []string
	for i := range fields {
		if isOrdered(fields[i].Name) {
			inOrder = append(inOrder, fields[i].Value)
		}
	}
	if len(inOrder) < 2 {
		return fields
	}
	return append(fields, domains.Field{Name: order, Value: strings.Join(inOrder, "; ")})
}

// order names the field that says in which order others stand.
const order = "order"

func isOrdered(name string) bool {
	return name == "binder" || name == "body" || name == "argument" || name == "paragraph"
}

// bounded keeps an element to a number of fields that can be compared one with
// the other; those beyond become one.
func bounded(fields []domains.Field) []domains.Field {
	const most = 128
	if len(fields) <= most {
		return fields
	}
	var rest strings.Builder
	for _, f := range fields[most-1:] {
		if f.Name != order {
			rest.WriteString(f.Name + " " + f.Value + "\n")
		}
	}
	return append(fields[:most-1:most-1], domains.Field{Name: "rest", Value: rest.String()})
}
