package python

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

var errNoFunction = errors.New("no function at the margin")

// reorder sorts the functions, which it compares by their places among themselves, and returns
// where each was. The other parts stay where they are.
func (s *sheet) reorder(compare func(a, b int) int) (order []int) {
	functions := s.functions()
	order = lists.Order(len(functions), compare)
	moved := lists.Map(order, func(at int) part { return *functions[at] })
	for i, f := range functions {
		*f = moved[i]
	}
	return order
}

// deciding are the words that add a path through a function.
var deciding = []string{"if", "elif", "for", "while", "except", "and", "or"}

// complexity is McCabe's, as far as words tell it.
func (p *part) complexity() int {
	n := 1
	for _, l := range p.lines {
		for _, t := range l.tokens {
			if t.kind == nameToken && slices.Contains(deciding, t.text) {
				n++
			}
		}
	}
	return n
}

// lineCount is the number of lines that are not blank.
func lineCount(code string) int {
	n := 0
	for line := range strings.Lines(code) {
		if strings.TrimSpace(line) != "" {
			n++
		}
	}
	return n
}

// sortByComplexity puts the functions with the most paths first and says above each how many it
// has.
func sortByComplexity(p struct {
	Document, To string
	Remark       string // before the number
	Table        string
}) exact.Steps {
	forward := func(s *sheet) (vfs.Files, error) {
		type measured struct {
			name              string
			complexity, lines int
		}
		var was []measured
		for _, f := range s.functions() {
			was = append(was, measured{f.name, f.complexity(), lineCount(f.code)})
			f.code = p.Remark + strconv.Itoa(f.complexity()) + "\n" + f.code
		}
		if was == nil {
			return nil, errNoFunction
		}
		order := s.reorder(func(a, b int) int {
			return cmp.Or(-cmp.Compare(was[a].complexity, was[b].complexity), cmp.Compare(was[a].name, was[b].name))
		})
		table := [][]string{{"function", "complexity", "lines", "per_100_lines", "place"}}
		for _, at := range order {
			f := was[at]
			per100 := math.Floor(1000*float64(f.complexity)/float64(f.lines)+0.5) / 10
			table = append(table, []string{
				f.name, strconv.Itoa(f.complexity), strconv.Itoa(f.lines), fmt.Sprintf("%.1f", per100), strconv.Itoa(at + 1),
			})
		}
		return vfs.Files{p.Table: plain.WriteCSV(table)}, nil
	}
	return programs.Rewrite(p.Document, p.To, forward, func(s *sheet, files vfs.Files) error {
		rows, err := plain.Table(files, p.Table, "place", "function")
		if err != nil {
			return err
		}
		slices.SortStableFunc(rows, plain.ByNumber)
		names := lists.Map(rows, func(row []string) string { return strings.TrimSpace(row[1]) })
		for _, f := range s.functions() {
			f.lead = withoutRemark(f.lead, p.Remark)
		}
		return s.arrange(names)
	})
}

// withoutRemark takes the last line out of what stands above a function, where
// it is the remark.
func withoutRemark(lead, remark string) string {
	start := strings.LastIndexByte(strings.TrimSuffix(lead, "\n"), '\n') + 1
	if strings.HasPrefix(lead[start:], strings.TrimSpace(remark)) {
		return lead[:start]
	}
	return lead
}

// arrange puts the functions in the order in which they are listed, several of
// a name in the order of the file. Those that are not listed come last.
func (s *sheet) arrange(names []string) error {
	functions := s.functions()
	if len(functions) == 0 {
		return errNoFunction
	}
	listed := map[string][]int{}
	for i, name := range names {
		listed[name] = append(listed[name], i)
	}
	places := make([]int, len(functions))
	for i, f := range functions {
		places[i] = len(names)
		if list := listed[f.name]; len(list) > 0 {
			places[i], listed[f.name] = list[0], list[1:]
		}
	}
	s.reorder(func(a, b int) int { return cmp.Compare(places[a], places[b]) })
	return nil
}

// callersFirst puts every function above those that it calls, and draws who calls whom.
func callersFirst(p struct{ Document, To, Graph, List string }) exact.Steps {
	forward := func(s *sheet) (vfs.Files, error) {
		functions := s.functions()
		if len(functions) == 0 {
			return nil, errNoFunction
		}
		calls := make([]map[string]bool, len(functions)) // the names of other functions
		isFunction := map[string]bool{}
		for _, f := range functions {
			isFunction[f.name] = true
		}
		var names strings.Builder
		for i, f := range functions {
			calls[i] = f.uses()
			maps.DeleteFunc(calls[i], func(name string, _ bool) bool { return !isFunction[name] || name == f.name })
			names.WriteString(f.name + "\n")
		}
		order := inCallOrder(functions, calls)
		var arrows strings.Builder
		dot := "digraph calls {\n"
		places := make([]int, len(order))
		for place, at := range order {
			places[at] = place
			name := functions[at].name
			dot += "    " + name + ";\n"
			for _, callee := range slices.Sorted(maps.Keys(calls[at])) {
				fmt.Fprintf(&arrows, "    %s -> %s;\n", name, callee)
			}
		}
		s.reorder(func(a, b int) int { return places[a] - places[b] })
		return vfs.Files{p.Graph: dot + arrows.String() + "}\n", p.List: names.String()}, nil
	}
	return programs.Rewrite(p.Document, p.To, forward, func(s *sheet, files vfs.Files) error {
		text, err := plain.File(files, p.List)
		if err != nil {
			return err
		}
		return s.arrange(strings.Fields(text))
	})
}

// inCallOrder takes the first function that none calls but those that were
// taken; if there is none, the first that is left.
func inCallOrder(functions []*part, calls []map[string]bool) []int {
	callers := map[string]int{} // of a name, that were not taken
	for i := range functions {
		for callee := range calls[i] {
			callers[callee]++
		}
	}
	taken := make([]bool, len(functions))
	order := make([]int, 0, len(functions))
	for range functions {
		next := -1
		for i, f := range functions {
			if taken[i] {
				continue
			}
			if next < 0 {
				next = i
			}
			if callers[f.name] == 0 {
				next = i
				break
			}
		}
		taken[next] = true
		for callee := range calls[next] {
			callers[callee]--
		}
		order = append(order, next)
	}
	return order
}
