package python

import (
	"path"
	"strings"

	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// program is what Strict sees of a document: its files as one, each module
// where it is first imported.
type program struct {
	entries     []string // files that no other one imports
	definitions []definition
	statements  []statement
	comments    []comment
	strays      []stray
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

// isTests reports whether a file has a name under which the published
// evaluator drops it, so that a candidate cannot bring tests along.
func isTests(name string) bool { return name == "testing.py" || name == "__init__.py" }

// read reads the files of a document as one program.
func read(files vfs.Files) *program {
	m := merger{modules: map[string]*module{}, merged: &program{}}
	for _, name := range files.Names() {
		if isTests(name) {
			continue
		}
		if path.Ext(name) != ".py" {
			m.addLines(name, files[name])
			continue
		}
		mod := readModule(name, files[name])
		m.order = append(m.order, mod)
		m.modules[moduleName(name)] = mod
	}
	m.merge()
	return m.merged
}

func moduleName(file string) string {
	return strings.ReplaceAll(strings.TrimSuffix(file, ".py"), "/", ".")
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

// own returns the document's module that an import statement names, nil if it
// names none.
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

// isRepeated reports whether an import of the whole program, not of one
// definition, stands in it already.
func (m *merger) isRepeated(s *statement) bool {
	if s.scope != "" || s.depth > 0 {
		return false
	}
	text := written(s.tokens, nil)
	repeated := m.imported[text]
	m.imported[text] = true
	return repeated
}

// addLines adds the lines of a file that is no module.
func (m *merger) addLines(name, text string) {
	for line := range linesOf(pytext.UniversalNewlines(text)) {
		m.merged.strays = append(m.merged.strays, stray{name, line})
	}
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
