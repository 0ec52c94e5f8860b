package quantum

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	declarationsFile = "declarations.qasm"
	routinesFile     = "routines.qasm"
	programFile      = "program.qasm"
	modulesFile      = "modules.json"
)

var modules = []string{declarationsFile, routinesFile, programFile}

// module is the file that a statement belongs to.
func (s *statement) module() string {
	switch s.form {
	case version, include, constantForm, registerForm, externForm:
		return declarationsFile
	case gateForm, subroutineForm:
		return routinesFile
	}
	return programFile
}

// place is where a unit was.
type place struct {
	Line   int    `json:"line"`
	Module string `json:"module"`
}

// splitModules divides a program into declarations, routines and what it does.
func splitModules(files vfs.Files) (vfs.Files, error) {
	f, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	units, tail := f.units()
	split := vfs.Files{declarationsFile: "", routinesFile: "", programFile: ""}
	var places []place
	for _, u := range units {
		module := u.first.module()
		split[module] += u.lead + u.code
		places = append(places, place{u.line, module})
	}
	split[programFile] += tail
	order, err := json.MarshalIndent(places, "", "  ")
	if err != nil {
		return nil, err
	}
	split[modulesFile] = string(order) + "\n"
	return split, nil
}

func mergeModules(files vfs.Files) (vfs.Files, error) {
	var places []place
	if err := plain.JSON(files, modulesFile, &places); err != nil {
		return nil, err
	}
	slices.SortStableFunc(places, func(a, b place) int { return a.Line - b.Line })
	left, tails := map[string][]unit{}, ""
	for _, module := range modules {
		f, err := readNamed(files, module)
		if err != nil {
			return nil, err
		}
		units, tail := f.units()
		left[module] = units
		tails += tail
	}
	var b strings.Builder
	for _, p := range places {
		units := left[p.Module]
		if len(units) == 0 {
			return nil, fmt.Errorf("%s has no more of what %s lists", p.Module, modulesFile)
		}
		b.WriteString(units[0].lead + units[0].code)
		left[p.Module] = units[1:]
	}
	for _, module := range modules {
		for _, u := range left[module] {
			b.WriteString(u.lead + u.code)
		}
	}
	return asDocument(b.String() + tails), nil
}

const notebookFile = "notebook.md"

// heading names what a section of the notebook shows.
func (f *file) heading(s *statement) string {
	kind, named := kinds[s.form]
	switch {
	case s.form == version:
		return kind
	case s.form == include || s.form == subroutineForm || s.form == gateForm || named && s.parent < 0:
		name, _ := f.nameOf(s)
		return kind + " " + strings.Trim(name, `"`)
	}
	return "program"
}

// toNotebook makes a section of each unit: what stands before it as a quotation,
// itself as code.
func toNotebook(files vfs.Files) (vfs.Files, error) {
	f, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	units, tail := f.units()
	var b strings.Builder
	b.WriteString("# " + document + "\n")
	for n, u := range units {
		fmt.Fprintf(&b, "\n## %d. %s\n\n", n+1, f.heading(u.first))
		if u.lead != "" {
			b.WriteString(quoted(u.lead) + "\n")
		}
		b.WriteString("```qasm\n" + u.code + "```\n")
	}
	if tail != "" {
		b.WriteString("\n## end\n\n" + quoted(tail))
	}
	return vfs.Files{notebookFile: b.String()}, nil
}

func quoted(text string) string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimSuffix("> "+line, " ")
		if line == "" {
			lines[i] = ">"
		}
	}
	return plain.Text(lines)
}

func fromNotebook(files vfs.Files) (vfs.Files, error) {
	text, err := plain.File(files, notebookFile)
	if err != nil {
		return nil, err
	}
	var lines []string
	code := false
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		switch quotation, isQuoted := strings.CutPrefix(line, ">"); {
		case strings.HasPrefix(line, "```"):
			code = !code
		case code:
			lines = append(lines, line)
		case isQuoted:
			lines = append(lines, strings.TrimPrefix(quotation, " "))
		}
	}
	f := readFile(document, plain.Text(lines))
	if len(f.statements) == 0 {
		return nil, errNoProgram
	}
	return asDocument(f.text), nil
}
