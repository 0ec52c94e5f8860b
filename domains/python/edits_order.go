package python

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// rearrange fills the places of the functions with them in another order.
func (s *sheet) rearrange(ordered []part) {
	next := 0
	for i := range s.parts {
		if s.parts[i].kind == functionPart {
			s.parts[i] = ordered[next]
			next++
		}
	}
}

// numbered is a function with its place among the functions, from 1.
type numbered struct {
	part
	place, complexity, lines int
}

func (s *sheet) numbered() ([]numbered, error) {
	functions := s.functions()
	if len(functions) == 0 {
		return nil, fmt.Errorf("no function at the margin")
	}
	all := make([]numbered, len(functions))
	for i, f := range functions {
		all[i] = numbered{part: *f, place: i + 1, complexity: f.complexity(), lines: f.lineCount()}
	}
	return all, nil
}

func parts(functions []numbered) []part {
	all := make([]part, len(functions))
	for i := range functions {
		all[i] = functions[i].part
	}
	return all
}

// deciding are the words that add a path through a function.
var deciding = []string{"if", "elif", "for", "while", "except", "and", "or"}

// complexity is McCabe's, as far as words tell it.
func (p *part) complexity() int {
	n := 1
	p.eachToken(func(tokens []token) {
		for _, t := range tokens {
			if t.kind == nameToken && slices.Contains(deciding, t.text) {
				n++
			}
		}
	})
	return n
}

// lineCount is the number of lines of a part that are not blank.
func (p *part) lineCount() int {
	n := 0
	for line := range strings.Lines(p.code) {
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
		functions, err := s.numbered()
		if err != nil {
			return nil, err
		}
		slices.SortStableFunc(functions, func(a, b numbered) int {
			return cmp.Or(-cmp.Compare(a.complexity, b.complexity), cmp.Compare(a.name, b.name))
		})
		table := [][]string{{"function", "complexity", "lines", "per_100_lines", "place"}}
		for i := range functions {
			f := &functions[i]
			f.code = p.Remark + strconv.Itoa(f.complexity) + "\n" + f.code
			per100 := math.Floor(1000*float64(f.complexity)/float64(f.lines)+0.5) / 10
			table = append(table, []string{
				f.name, strconv.Itoa(f.complexity), strconv.Itoa(f.lines), strconv.FormatFloat(per100, 'f', 1, 64), strconv.Itoa(f.place),
			})
		}
		s.rearrange(parts(functions))
		return vfs.Files{p.Table: plain.WriteCSV(table)}, nil
	}
	return programs.Rewrite(p.Document, p.To, forward, func(s *sheet, files vfs.Files) error {
		rows, err := plain.Table(files, p.Table, "place", "function")
		if err != nil {
			return err
		}
		slices.SortStableFunc(rows, plain.ByNumber)
		names := make([]string, len(rows))
		for i, row := range rows {
			names[i] = strings.TrimSpace(row[1])
		}
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
	functions, err := s.numbered()
	if err != nil {
		return err
	}
	places := map[string][]int{}
	for i, name := range names {
		places[name] = append(places[name], i)
	}
	for i := range functions {
		f := &functions[i]
		f.place = len(names)
		if list := places[f.name]; len(list) > 0 {
			f.place, places[f.name] = list[0], list[1:]
		}
	}
	slices.SortStableFunc(functions, func(a, b numbered) int { return cmp.Compare(a.place, b.place) })
	s.rearrange(parts(functions))
	return nil
}

// callersFirst puts every function above those that it calls, and draws who calls whom.
func callersFirst(p struct{ Document, To, Graph, List string }) exact.Steps {
	forward := func(s *sheet) (vfs.Files, error) {
		functions, err := s.numbered()
		if err != nil {
			return nil, err
		}
		calls := make([]map[string]bool, len(functions)) // the names of other functions
		isFunction := map[string]bool{}
		for _, f := range functions {
			isFunction[f.name] = true
		}
		var names strings.Builder
		for i := range functions {
			f := &functions[i]
			calls[i] = f.uses()
			maps.DeleteFunc(calls[i], func(name string, _ bool) bool { return !isFunction[name] || name == f.name })
			names.WriteString(f.name + "\n")
		}
		order := inCallOrder(functions, calls)
		var dot strings.Builder
		dot.WriteString("digraph calls {\n")
		ordered := make([]part, len(order))
		for i, at := range order {
			ordered[i] = functions[at].part
			fmt.Fprintf(&dot, "    %s;\n", functions[at].name)
		}
		for _, at := range order {
			for _, callee := range slices.Sorted(maps.Keys(calls[at])) {
				fmt.Fprintf(&dot, "    %s -> %s;\n", functions[at].name, callee)
			}
		}
		dot.WriteString("}\n")
		s.rearrange(ordered)
		return vfs.Files{p.Graph: dot.String(), p.List: names.String()}, nil
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
func inCallOrder(functions []numbered, calls []map[string]bool) []int {
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
