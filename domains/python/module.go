package python

import (
	"path"
	"slices"
	"strings"

	"agentd/domains/internal/pytext"
	published "agentd/domains/published/python"
	"agentd/vfs"
)

// module is one file.
type module struct {
	file                 string
	program              program
	imports              []int // the numbers of its import statements
	isImported, isMerged bool
}

// readModule reads a file. Blocks are known by their indentation alone, so that
// what a wrong header does stays at that header.
func readModule(file, text string) *module {
	source := plainSource(text)
	lines, rest := scan(source)
	r := moduleReader{module: &module{file: file}, source: source, scopes: []scope{{first: true}}}
	for i := range lines {
		r.line(&lines[i])
	}
	if rest < len(source) {
		r.program.strays = append(r.program.strays, stray{file, source[rest:]})
	}
	return r.module
}

// plainSource is a text as Python reads it: universal newlines, and no byte order mark.
func plainSource(text string) string {
	return pytext.UniversalNewlines(strings.TrimPrefix(text, "\ufeff"))
}

type moduleReader struct {
	*module
	source     string
	scopes     []scope // the module and the definitions that are open
	blocks     []block // that are open, the module left out
	decorators [][]token
}

// block has the indentation of a header, and of the statements below it, -1 before the first.
type block struct{ header, body int }

// scope is an open definition.
type scope struct {
	name   string
	indent int // of its header
	level  int // of its statements
	first  bool
}

func (r *moduleReader) top() *scope { return &r.scopes[len(r.scopes)-1] }

func (r *moduleReader) line(l *line) {
	if len(l.tokens) == 0 {
		r.comment(l)
		return
	}
	for len(r.blocks) > 0 && l.indent <= r.blocks[len(r.blocks)-1].header {
		r.blocks = r.blocks[:len(r.blocks)-1]
	}
	r.indented(l)
	for len(r.scopes) > 1 && l.indent <= r.top().indent {
		r.scopes = r.scopes[:len(r.scopes)-1]
	}
	r.comment(l)
	if l.broken {
		for _, text := range strings.Split(strings.TrimSpace(r.source[l.start:l.end]), "\n") {
			r.program.strays = append(r.program.strays, stray{r.file, strings.TrimSpace(text)})
		}
		return
	}
	r.statements(l)
}

// indented notes a statement that is not indented as its block is, which Python does not take.
func (r *moduleReader) indented(l *line) {
	want := 0
	if n := len(r.blocks); n > 0 {
		if r.blocks[n-1].body < 0 {
			r.blocks[n-1].body = l.indent
		}
		want = r.blocks[n-1].body
	}
	if l.indent != want && !l.broken {
		r.program.strays = append(r.program.strays, stray{r.file, "unexpected indentation"})
	}
}

// comment notes the comments of a line.
func (r *moduleReader) comment(l *line) {
	for _, c := range l.comments {
		scope := ""
		for _, s := range slices.Backward(r.scopes) {
			if l.indent > s.indent || len(l.tokens) > 0 || s.name == "" {
				scope = s.name
				break
			}
		}
		text := strings.TrimSpace(strings.TrimLeft(c.text, "#"))
		r.program.comments = append(r.program.comments, comment{text, scope, len(r.program.statements)})
	}
}

// statements notes what a line says, and opens the block that it heads.
func (r *moduleReader) statements(l *line) {
	tokens := l.tokens
	first := tokens[0].text
	if first == "@" {
		r.decorators = append(r.decorators, tokens[1:])
		return
	}
	end := headerEnd(tokens)
	if end < 0 {
		r.simple(tokens, 0)
		return
	}
	isDefinition := first == "def" || first == "class" || first == "async" && len(tokens) > 1 && tokens[1].text == "def"
	if isDefinition {
		r.define(l, tokens[:end])
		r.simple(tokens[end:], 0)
	} else {
		r.add(tokens[:end], 0)
		r.simple(tokens[end:], 1)
	}
	r.blocks = append(r.blocks, block{l.indent, -1})
}

// simple notes the simple statements of a line; of a program with very many, the line as one.
func (r *moduleReader) simple(tokens []token, deeper int) {
	if len(r.program.statements) > mostLines && len(tokens) > 0 {
		r.add(tokens, deeper)
		return
	}
	for _, s := range split(tokens, ";") {
		r.add(s, deeper)
	}
}

func (r *moduleReader) add(tokens []token, deeper int) {
	in := r.top()
	if word := tokens[0].text; word == "import" || word == "from" {
		r.imports = append(r.imports, len(r.program.statements))
	}
	r.program.statements = append(r.program.statements, statement{
		tokens: tokens, scope: in.name, depth: max(len(r.blocks)-in.level, 0) + deeper, first: in.first,
	})
	in.first = false
}

// define notes a definition; the lines that follow at a deeper indentation belong to it.
func (r *moduleReader) define(l *line, header []token) {
	name := definedName(header)
	if outer := r.top().name; outer != "" {
		name = outer + "." + name
	}
	r.top().first = false
	r.program.definitions = append(r.program.definitions, definition{name, r.decorators, header})
	r.decorators = nil
	r.scopes = append(r.scopes, scope{name: name, indent: l.indent, level: len(r.blocks) + 1, first: true})
}

// definedName is the name in the header of a definition.
func definedName(header []token) string {
	for _, t := range header {
		if word := t.text; t.kind == nameToken && !keywords[word] {
			return word
		}
	}
	return ""
}

// program is what Strict sees of a document: its files as one, each module where it is first imported.
type program struct {
	entries      []string // files that no other one imports
	definitions  []definition
	statements   []statement
	comments     []comment
	commentsGone bool // the other program has none
	strays       []stray
	// spelling gives variables the names that they are compared by, if any.
	spelling map[string]string
}

// definition is a function or class.
type definition struct {
	name       string // with those of the definitions that it stands in
	decorators [][]token
	header     []token // the colon included
}

// statement is a simple statement, or the header of a block.
type statement struct {
	tokens []token
	scope  string // the definition that it stands in
	depth  int    // of blocks inside of that
	first  bool   // of the definition or module
}

// comment is one line of comment.
type comment struct {
	text  string
	scope string
	next  int // the statement that it stands before or next to, by its number
}

// stray is a line that is no Python.
type stray struct{ file, text string }

// read reads the files of a document as one program.
func read(files vfs.Files) *program {
	m := merger{modules: map[string]*module{}, merged: &program{}}
	for _, name := range files.Names() {
		if published.IsTests(name) {
			continue
		}
		if path.Ext(name) != ".py" {
			for line := range linesOf(pytext.UniversalNewlines(files[name])) {
				m.merged.strays = append(m.merged.strays, stray{name, line})
			}
			continue
		}
		mod := readModule(name, files[name])
		m.order = append(m.order, mod)
		m.modules[strings.ReplaceAll(strings.TrimSuffix(name, ".py"), "/", ".")] = mod
	}
	m.merge()
	return m.merged
}

// merger puts modules together.
type merger struct {
	modules  map[string]*module
	order    []*module
	merged   *program
	imported map[string]bool // imports of other modules that stand in the program
}

func (m *merger) merge() {
	m.imported = map[string]bool{}
	for _, mod := range m.order {
		for _, s := range mod.imports {
			if own := m.own(mod, s); own != nil && own != mod {
				own.isImported = true
			}
		}
	}
	for _, importEachOther := range []bool{false, true} {
		for _, mod := range m.order {
			if !mod.isMerged && (!mod.isImported || importEachOther) {
				m.merged.entries = append(m.merged.entries, mod.file)
				m.add(mod)
			}
		}
	}
}

// own returns the document's module that an import statement names, nil if it names none.
func (m *merger) own(mod *module, number int) *module {
	s := &mod.program.statements[number]
	name := importedModule(s.tokens)
	if own := m.modules[name]; own != nil {
		return own
	}
	return m.modules[strings.TrimLeft(name, ".")]
}

// add adds a module, and before it, or at their imports, those that it imports.
func (m *merger) add(mod *module) {
	mod.isMerged = true
	isImport := map[int]bool{}
	for _, number := range mod.imports {
		isImport[number] = true
		own := m.own(mod, number)
		if s := &mod.program.statements[number]; own != nil && !own.isMerged && (s.scope != "" || s.depth > 0) {
			m.add(own)
		}
	}
	from := &mod.program
	numbers := make([]int, len(from.statements)+1) // in the merged program
	for i := range from.statements {
		s := &from.statements[i]
		if isImport[i] {
			own := m.own(mod, i)
			if own != nil && !own.isMerged {
				m.add(own)
			}
			numbers[i] = len(m.merged.statements)
			if own != nil || m.isRepeated(s) {
				continue
			}
		}
		numbers[i] = len(m.merged.statements)
		m.merged.statements = append(m.merged.statements, *s)
	}
	numbers[len(from.statements)] = len(m.merged.statements)
	for _, c := range from.comments {
		c.next = numbers[c.next]
		m.merged.comments = append(m.merged.comments, c)
	}
	m.merged.definitions = append(m.merged.definitions, from.definitions...)
	m.merged.strays = append(m.merged.strays, from.strays...)
}

// isRepeated reports whether an import of the whole program, not of one definition, stands in it already.
func (m *merger) isRepeated(s *statement) bool {
	if s.scope != "" || s.depth > 0 {
		return false
	}
	text := written(s.tokens, nil)
	repeated := m.imported[text]
	m.imported[text] = true
	return repeated
}

// importedModule is the module that an import statement names first.
func importedModule(tokens []token) string {
	var b strings.Builder
	for _, t := range tokens[1:] {
		text := t.text
		if t.kind == nameToken && keywords[text] || text == "," {
			break
		}
		b.WriteString(text)
	}
	return b.String()
}
