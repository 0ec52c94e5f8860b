package python

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	appFile    = "app.py"
	layoutFile = "layout.csv"
)

// libraries are the modules that parts of a kind go to.
var libraries = []struct {
	kind partKind
	file string
}{
	{assignmentPart, "constants.py"},
	{classPart, "records.py"},
	{functionPart, "functions.py"},
}

func libraryModules() []string {
	names := make([]string, len(libraries))
	for i, l := range libraries {
		names[i] = baseName(l.file)
	}
	return names
}

func fileOf(p *part) string {
	for _, l := range libraries {
		if l.kind == p.kind {
			return l.file
		}
	}
	return appFile
}

// splitModules makes a module of each kind of definition; all else, the imports
// among it, stays in the program.
func splitModules(files vfs.Files) (vfs.Files, error) {
	s, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	if err := s.clashes(libraryModules(), func(string) bool { return false }); err != nil {
		return nil, err
	}
	sheets := map[string]*sheet{appFile: {closing: s.closing}}
	for _, l := range libraries {
		sheets[l.file] = &sheet{}
	}
	layout := [][]string{{"position", "file"}}
	for i, p := range s.parts {
		file := fileOf(&p)
		sheets[file].parts = append(sheets[file].parts, p)
		layout = append(layout, []string{strconv.Itoa(i + 1), file})
	}
	result := vfs.Files{layoutFile: plain.WriteCSV(layout)}
	for file, in := range sheets {
		own := ownImports(s, in, file)
		if file == appFile {
			if own != "" {
				in.insert(own)
			}
			result[file] = in.print()
			continue
		}
		result[file] = copiedImports(s, in) + own + in.print()
	}
	return result, nil
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
		isFrom, listing := len(tokens) > 0 && tokens[0].in(p.code) == "from", false
		for i, t := range tokens {
			text := t.in(p.code)
			switch {
			case text == "import":
				listing = true
			case !listing || t.kind != nameToken && text != "*" || text == "as":
			case i > 0 && tokens[i-1].in(p.code) == "as":
				names[len(names)-1] = text
			case i > 0 && tokens[i-1].in(p.code) == "." && !isFrom:
			default:
				names = append(names, text)
			}
		}
	})
	return names
}

// ownImports are the lines by which a module imports what it uses of the
// others.
func ownImports(s, module *sheet, file string) string {
	used := module.uses()
	var b strings.Builder
	for _, l := range libraries {
		if l.file == file {
			continue
		}
		var names []string
		for i := range s.parts {
			p := &s.parts[i]
			if p.kind != l.kind {
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
			fmt.Fprintf(&b, "from %s import %s\n", baseName(l.file), strings.Join(names, ", "))
		}
	}
	return b.String()
}

// mergeModules puts the parts of all modules in the order of the layout. What
// it does not list comes last.
func mergeModules(files vfs.Files) (vfs.Files, error) {
	rows, err := plain.Table(files, layoutFile, "position", "file")
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(rows, plain.ByNumber)
	merged := &sheet{}
	waiting := map[string][]part{}
	for _, file := range append([]string{appFile}, fileNames()...) {
		text, err := plain.File(files, file)
		if err != nil {
			return nil, err
		}
		s, err := readSheet(text)
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", file, err)
		}
		s.remove(func(p *part) bool {
			return p.importsFrom(libraryModules()...) || file != appFile && p.kind == importPart
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
	for _, file := range append([]string{appFile}, fileNames()...) {
		merged.parts = append(merged.parts, waiting[file]...)
	}
	if len(merged.parts) == 0 {
		return nil, fmt.Errorf("none of the modules has a statement")
	}
	return asDocument(merged), nil
}

func fileNames() []string {
	names := make([]string, len(libraries))
	for i, l := range libraries {
		names[i] = l.file
	}
	return names
}
