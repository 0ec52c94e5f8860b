package python

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// modules are files that parts of a kind go to.
type modules []struct {
	Kind, File string
}

// partKinds are the kinds of parts that a module may have, by their names.
var partKinds = map[string]partKind{"assignment": assignmentPart, "class": classPart, "function": functionPart}

// names are those of the modules, to import from.
func (m modules) names() []string {
	names := make([]string, len(m))
	for i := range m {
		names[i] = baseName(m[i].File)
	}
	return names
}

// fileOf is the file that a part goes to.
func (m modules) fileOf(p *part, others string) string {
	for _, module := range m {
		if partKinds[module.Kind] == p.kind {
			return module.File
		}
	}
	return others
}

// splitByKind makes a module of each kind of definition; all else, the imports among it, stays
// in the program.
func splitByKind(p struct {
	Document      string
	Modules       modules
	Others, Table string
}) exact.Steps {
	for _, module := range p.Modules {
		if _, known := partKinds[module.Kind]; !known {
			return exact.Refuse("kind must be assignment, class or function")
		}
	}
	forward := func(s sheet) (vfs.Files, error) {
		if err := s.clashes(p.Modules.names(), func(string) bool { return false }); err != nil {
			return nil, err
		}
		sheets := map[string]*sheet{p.Others: {closing: s.closing}}
		for _, module := range p.Modules {
			sheets[module.File] = &sheet{}
		}
		table := [][]string{{"position", "file"}}
		for i, of := range s.parts {
			file := p.Modules.fileOf(&of, p.Others)
			sheets[file].parts = append(sheets[file].parts, of)
			table = append(table, []string{strconv.Itoa(i + 1), file})
		}
		made := vfs.Files{p.Table: plain.WriteCSV(table)}
		for file, in := range sheets {
			own := p.Modules.imports(&s, in, file)
			if file != p.Others {
				made[file] = copiedImports(&s, in) + own + in.print()
				continue
			}
			if own != "" {
				in.insert(own)
			}
			made[file] = in.print()
		}
		return made, nil
	}
	return programs.Whole(p.Document, forward, func(files vfs.Files) (sheet, error) {
		return p.Modules.merge(files, p.Others, p.Table)
	})
}

// copiedImports are the import lines of a program of which a module uses a
// name.
func copiedImports(s, module *sheet) string {
	used := module.uses()
	var b strings.Builder
	for i := range s.parts {
		p := &s.parts[i]
		if p.kind == importPart && slices.ContainsFunc(p.imported(), func(name string) bool { return used[name] || name == "*" }) {
			b.WriteString(p.code)
		}
	}
	return b.String()
}

// imported are the names that an import statement gives to the program.
func (p *part) imported() []string {
	var names []string
	p.eachToken(func(tokens []token) {
		isFrom, listing := len(tokens) > 0 && tokens[0].text == "from", false
		for i, t := range tokens {
			text := t.text
			switch {
			case text == "import":
				listing = true
			case !listing || t.kind != nameToken && text != "*" || text == "as":
			case i > 0 && tokens[i-1].text == "as":
				names[len(names)-1] = text
			case i > 0 && tokens[i-1].text == "." && !isFrom:
			default:
				names = append(names, text)
			}
		}
	})
	return names
}

// imports are the lines by which a module imports what it uses of the others.
func (m modules) imports(s, module *sheet, file string) string {
	used := module.uses()
	var b strings.Builder
	for _, other := range m {
		if other.File == file {
			continue
		}
		var names []string
		for i := range s.parts {
			p := &s.parts[i]
			if p.kind != partKinds[other.Kind] {
				continue
			}
			defined := []string{p.name}
			if p.kind == assignmentPart {
				defined = p.assigned()
			}
			for _, name := range defined {
				if used[name] && !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
		if len(names) > 0 {
			slices.Sort(names)
			fmt.Fprintf(&b, "from %s import %s\n", baseName(other.File), strings.Join(names, ", "))
		}
	}
	return b.String()
}

// merge puts the parts of all modules in the order of a table. What it does not list comes last.
func (m modules) merge(files vfs.Files, others, table string) (merged sheet, err error) {
	rows, err := plain.Table(files, table, "position", "file")
	if err != nil {
		return merged, err
	}
	slices.SortStableFunc(rows, plain.ByNumber)
	names := []string{others}
	for _, module := range m {
		names = append(names, module.File)
	}
	waiting := map[string][]part{}
	for _, file := range names {
		s, err := programs.Named(files, file)
		if err != nil {
			return merged, err
		}
		s.remove(func(p *part) bool {
			return p.importsFrom(m.names()...) || file != others && p.kind == importPart
		})
		waiting[file] = s.parts
		merged.closing += s.closing
	}
	for _, row := range rows {
		file := strings.TrimSpace(row[1])
		if parts := waiting[file]; len(parts) > 0 {
			merged.parts = append(merged.parts, parts[0])
			waiting[file] = parts[1:]
		}
	}
	for _, file := range names {
		merged.parts = append(merged.parts, waiting[file]...)
	}
	return merged, nil
}
