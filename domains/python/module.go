package python

import (
	"slices"
	"strings"

	"agentd/domains/internal/pytext"
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

// plainSource is a text as Python reads it: universal newlines, and no byte
// order mark.
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

// indented notes a statement that is not indented as its block is, which Python does
// not take.
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

// simple notes the simple statements of a line; of a program with very many, the
// line as one.
func (r *moduleReader) simple(tokens []token, deeper int) {
	if len(r.program.statements) > mostLines && len(tokens) > 0 {
		r.add(tokens, deeper)
		return
	}
	for _, s := range simple(tokens) {
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

// define notes a definition; the lines that follow at a deeper indentation
// belong to it.
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
