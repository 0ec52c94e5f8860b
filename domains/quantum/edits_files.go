package quantum

import (
	"fmt"
	"slices"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// splitModules divides a program into declarations, routines and what it does.
func splitModules(p struct {
	Document                        string
	Declarations, Routines, Program string
	List                            string
}) exact.Steps {
	type place struct {
		Line   int    `json:"line"`
		Module string `json:"module"`
	}
	module := func(s *statement) string {
		switch s.form {
		case version, include, constantForm, registerForm, externForm:
			return p.Declarations
		case gateForm, subroutineForm:
			return p.Routines
		}
		return p.Program
	}
	forward := func(whole listing) (vfs.Files, error) {
		var places []place
		made := programs.Divide(whole, p.Program, func(u *unit) string {
			places = append(places, place{u.line, module(u.first)})
			return module(u.first)
		})
		made[p.List] = plain.WriteJSON(places)
		return made, nil
	}
	return programs.Whole(p.Document, forward, func(files vfs.Files) (listing, error) {
		var places []place
		if err := plain.JSON(files, p.List, &places); err != nil {
			return listing{}, err
		}
		slices.SortStableFunc(places, func(a, b place) int { return a.Line - b.Line })
		taken, positions := map[string]int{}, map[exact.Place]int{}
		for n, at := range places {
			taken[at.Module]++
			positions[exact.Place{File: at.Module, Number: taken[at.Module]}] = n
		}
		return programs.Merge(files, p.Program, positions)
	})
}

// heading names what a section of the notebook shows.
func (f *file) heading(s *statement) string {
	kind, named := kinds[s.form]
	switch {
	case s.form == version:
		return kind
	case s.form == include || s.form == subroutineForm || s.form == gateForm || named && s.parent < 0:
		name := f.nameOf(s)
		return kind + " " + strings.Trim(name, `"`)
	}
	return "program"
}

// inNotebook makes a section of each unit: what stands before it as a quotation,
// itself as code.
func inNotebook(p struct{ Document, To string }) exact.Steps {
	forward := func(whole listing) (vfs.Files, error) {
		var b strings.Builder
		b.WriteString("# " + p.Document + "\n")
		for n, u := range whole.units {
			fmt.Fprintf(&b, "\n## %d. %s\n\n", n+1, whole.heading(u.first))
			if u.lead != "" {
				b.WriteString(quoted(u.lead) + "\n")
			}
			b.WriteString("```qasm\n" + u.code + "```\n")
		}
		if whole.tail != "" {
			b.WriteString("\n## end\n\n" + quoted(whole.tail))
		}
		return vfs.Files{p.To: b.String()}, nil
	}
	return programs.Whole(p.Document, forward, func(files vfs.Files) (listing, error) {
		text, err := plain.File(files, p.To)
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
		return readListing(plain.Text(lines)), err
	})
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
