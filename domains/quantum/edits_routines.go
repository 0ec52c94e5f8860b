package quantum

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// routine is a subroutine with the comments directly above it.
type routine struct {
	name       string
	start, end int32 // whole lines
	head       int32 // where the line of its def begins
	statement  *statement
}

// routines are the subroutines, each of which must have its lines for itself.
func (f *file) routines() ([]routine, error) {
	var all []routine
	known := map[string]bool{}
	starts := map[int32]int32{} // of the comments directly above
	for i := len(f.comments) - 1; i >= 0; i-- {
		starts[f.owners[i]] = f.lineStart(f.comments[i].start)
	}
	var err error
	after := int32(0) // where the statement before ends
	f.top(func(n int32, s *statement) {
		start, end := f.span(s)
		if len(all) > 0 && start < all[len(all)-1].end {
			err = fmt.Errorf("more than the subroutine on a line of %s", all[len(all)-1].name)
		}
		if s.form == subroutineForm {
			name := f.nameOf(s)
			if known[name] {
				err = fmt.Errorf("subroutine %s is defined twice", name)
			}
			known[name] = true
			r := routine{name, f.lineStart(start), f.lineEnd(end), f.lineStart(start), s}
			if above, ok := starts[n]; ok {
				r.start = min(r.start, above)
			}
			if r.start < after || strings.Contains(f.text[r.start:r.head], "/*") || strings.Contains(f.text[end:r.end], "/*") {
				err = fmt.Errorf("more than the subroutine on a line of %s", name)
			}
			all = append(all, r)
		}
		after = end
	})
	if len(all) == 0 {
		return nil, errors.New("no subroutine")
	}
	return all, err
}

// callees are the names of what a subroutine uses of the program's own, in
// alphabetical order.
func (f *file) callees(s *statement, own map[string]bool) string {
	found := map[string]bool{}
	for at := s.to; at < s.end; at++ {
		if f.isWord(at) && own[f.of(at)] {
			found[f.of(at)] = true
		}
	}
	if len(found) == 0 {
		return "none"
	}
	return strings.Join(slices.Sorted(maps.Keys(found)), ", ")
}

// sortRoutines puts subroutines in alphabetical order, each with a line of what it
// uses.
func sortRoutines(p struct {
	Document, To string
	Mark         string // how that line begins
	List         string
}) exact.Steps {
	if !strings.HasPrefix(p.Mark, "//") {
		return exact.Refuse("mark must begin a comment with //")
	}
	forward := func(f *file) (vfs.Files, error) {
		all, err := f.routines()
		if err != nil {
			return nil, err
		}
		if strings.Contains(f.text, p.Mark) {
			return nil, fmt.Errorf("there are lines with %s already", p.Mark)
		}
		own := map[string]bool{}
		f.top(func(_ int32, s *statement) {
			if s.form == externForm || s.form.defines() {
				name := f.nameOf(s)
				own[name] = true
			}
		})
		texts, names := map[string]string{}, []string{}
		for _, r := range all {
			names = append(names, r.name)
			texts[r.name] = f.text[r.start:r.head] + p.Mark + " " + f.callees(r.statement, own) + "\n" + f.text[r.head:r.end]
		}
		sorted := slices.Sorted(slices.Values(names))
		return vfs.Files{p.To: f.inSlots(all, sorted, texts), p.List: plain.Text(names)}, nil
	}
	return rewrite(p.Document, p.To, forward, func(f *file, files vfs.Files) (string, error) {
		order, err := plain.File(files, p.List)
		if err != nil {
			return "", err
		}
		all, err := f.routines()
		if err != nil {
			return "", err
		}
		texts := map[string]string{}
		for _, r := range all {
			lines := strings.SplitAfter(f.text[r.start:r.head], "\n")
			lines = slices.DeleteFunc(lines, func(line string) bool {
				return strings.HasPrefix(strings.TrimSpace(line), p.Mark)
			})
			texts[r.name] = strings.Join(lines, "") + f.text[r.head:r.end]
		}
		names := strings.Fields(order)
		if len(names) != len(all) {
			return "", fmt.Errorf("%s lists %d of %d subroutines", p.List, len(names), len(all))
		}
		for _, name := range names {
			if _, ok := texts[name]; !ok {
				return "", fmt.Errorf("no subroutine %s", name)
			}
		}
		return f.inSlots(all, names, texts), nil
	})
}

// inSlots puts the texts of subroutines in the place of subroutines, in the order
// of the names.
func (f *file) inSlots(slots []routine, names []string, texts map[string]string) string {
	changes := make([]splice, len(slots))
	for i, r := range slots {
		changes[i] = splice{r.start, r.end, texts[names[i]]}
	}
	return f.spliced(changes)
}

// camelCase is a name without the underscores within it; what follows them is in
// upper case.
func camelCase(name string) string {
	return name[:1] + afterUnderscore.ReplaceAllStringFunc(name[1:], func(found string) string {
		return strings.ToUpper(found[1:])
	})
}

var afterUnderscore = regexp.MustCompile(`_[a-z]`)

// inCamelCase renames subroutines, gates and externs wherever they are used.
func inCamelCase(p struct{ Document, To, Table string }) exact.Steps {
	forward := func(f *file) (_ vfs.Files, err error) {
		names, kindOf, taken := map[string]string{}, map[string]string{}, map[string]string{}
		f.top(func(_ int32, s *statement) {
			if s.form != externForm && !s.form.defines() {
				return
			}
			name := f.nameOf(s)
			camel := camelCase(name)
			if camel == name {
				return
			}
			if other, ok := taken[camel]; ok && other != name && err == nil {
				err = fmt.Errorf("%s and %s would both be %s", other, name, camel)
			}
			taken[camel], names[name] = name, camel
			if kindOf[name] == "" {
				kindOf[name] = kinds[s.form]
			}
		})
		for camel := range taken {
			if err == nil {
				err = f.unused(camel)
			}
		}
		renamed, uses := f.renamed(names)
		table := [][]string{{"kind", "name", "camel_case", "uses"}}
		for _, name := range slices.Sorted(maps.Keys(names)) {
			table = append(table, []string{kindOf[name], name, names[name], strconv.Itoa(uses[name])})
		}
		return vfs.Files{p.To: renamed, p.Table: plain.WriteCSV(table)}, err
	}
	return rewrite(p.Document, p.To, forward, func(f *file, files vfs.Files) (string, error) {
		names, err := exact.ReadRegister(files, p.Table, "camel_case", "name")
		text, _ := f.renamed(names)
		return text, err
	})
}

// renamed is the text with other names, and how often each was used.
func (f *file) renamed(names map[string]string) (text string, uses map[string]int) {
	var changes []splice
	uses = map[string]int{}
	for at := range int32(len(f.tokens)) {
		if !f.isWord(at) {
			continue
		}
		if name, ok := names[f.of(at)]; ok {
			uses[f.of(at)]++
			changes = append(changes, f.token(at, name))
		}
	}
	return f.spliced(changes), uses
}
