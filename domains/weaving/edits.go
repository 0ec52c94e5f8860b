package weaving

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/exact"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
)

// drafts says how drafts, which are lists of sections, are taken apart and put together.
var drafts = exact.Format[file, section]{
	Patterns: []string{"*.wif"},
	Read: func(text string) (all file) {
		all.merge(read(text))
		return all
	},
	Print: func(f file) string { return f.print() },
	Parts: func(f *file) *[]section { return &f.sections },
	Join: func(files []file) (all file) {
		for _, f := range files {
			all.merge(f)
		}
		return all
	},
	Empty:  errors.New("no .wif file with a thread"),
	Counts: func(s *section) bool { return tables[s.name].kind == counted && len(s.entries()) > 0 },
}

func edits() []domains.Edit {
	return []domains.Edit{
		domains.Taking("liftplan", liftplan),
		domains.Taking("turn", turnDraft),
		domains.Taking("section_tables", sectionTables),
		domains.Taking("bench_sheet", benchSheet),
		domains.Taking("reverse_shafts", reverseShafts),
		domains.Taking("widen_palette", widenPalette),
		domains.Taking("list_yarn", listYarn),
		domains.Taking("inches", inInches),
	}
}

// merge adds the sections of another file, those of one name to each other.
func (f *file) merge(other file) {
	for _, s := range other.sections {
		if known := f.section(s.name); known != nil {
			known.lines = append(known.lines, s.lines...)
		} else {
			f.sections = append(f.sections, s)
		}
	}
}

// section is the first of that name, nil if there is none.
func (f *file) section(name string) *section {
	return lists.First(f.sections, func(s *section) bool { return s.name == name })
}

// needed is section, made at the end of the file if there is none.
func (f *file) needed(name string) *section {
	if s := f.section(name); s != nil {
		return s
	}
	if s := f.last(); len(s.lines) > 0 && s.lines[len(s.lines)-1].kind != blank {
		s.add(line{kind: blank})
	}
	f.sections = append(f.sections, section{head: "[" + name + "]", name: name})
	return f.last()
}

// remove takes sections out of the file and returns them.
func (f *file) remove(names ...string) []section {
	var removed []section
	f.sections = slices.DeleteFunc(f.sections, func(s section) bool {
		if !slices.Contains(names, s.name) {
			return false
		}
		removed = append(removed, s)
		return true
	})
	return removed
}

// pair is an entry that was taken out of its section.
type pair struct{ key, value string }

// pairs are the entries of a section. One that is repeated word by word counts
// once; one with two values is an error.
func (s *section) pairs() ([]pair, error) {
	var all []pair
	met := map[string]string{}
	for _, l := range s.entries() {
		number := plain.Number(l.key)
		was, twice := met[number]
		switch {
		case !twice:
			met[number] = l.value
			all = append(all, pair{l.key, l.value})
		case was != l.value:
			return nil, fmt.Errorf("%s has two entries %s", s.name, l.key)
		}
	}
	return all, nil
}

// entries are those of a section, to be changed.
func (s *section) entries() []*line {
	if s == nil {
		return nil
	}
	return lists.Found(s.lines, func(l *line) (*line, bool) { return l, l.kind == entry })
}

// take removes the entries of a section. Comments after them become lines.
func (s *section) take() ([]pair, error) {
	all, err := s.pairs()
	if err != nil || s == nil {
		return nil, err
	}
	var rest []line
	for _, l := range s.lines {
		switch {
		case l.kind != entry:
			rest = append(rest, l)
		case strings.TrimSpace(l.tail) != "":
			rest = append(rest, line{kind: comment, before: strings.TrimSpace(l.tail)})
		}
	}
	s.lines = rest
	return all, nil
}

// put adds entries to a section, before the blank lines at its end.
func (f *file) put(name string, entries []pair) {
	if len(entries) == 0 {
		return
	}
	s := f.needed(name)
	end := len(s.lines)
	for end > 0 && s.lines[end-1].kind == blank {
		end--
	}
	rest := slices.Clone(s.lines[end:])
	s.lines = s.lines[:end]
	for _, p := range entries {
		s.lines = append(s.lines, line{kind: entry, before: p.key + "=", key: p.key, value: p.value})
	}
	s.lines = append(s.lines, rest...)
}

// setting is the first entry of that key in a section, nil if there is none.
func (f *file) setting(section, key string) *line {
	for _, l := range f.section(section).entries() {
		if strings.EqualFold(l.key, key) {
			return l
		}
	}
	return nil
}

// whole reads a number of threads, shafts, treadles or colours.
func whole(text string) (int, error) {
	n, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil || n < 0 {
		return 0, fmt.Errorf("%q is not a number", text)
	}
	return n, nil
}

// wholes reads a list of them.
func wholes(list string) ([]int, error) {
	if strings.TrimSpace(list) == "" {
		return nil, nil
	}
	var all []int
	for _, part := range strings.Split(list, ",") {
		n, err := whole(part)
		if err != nil {
			return nil, err
		}
		all = append(all, n)
	}
	return all, nil
}

func joined(numbers []int) string {
	return strings.Join(strings.Fields(strings.Trim(fmt.Sprint(numbers), "[]")), ",")
}

// lists reads the entries of a section of numbers as number and list.
func (f *file) lists(name string) (map[int][]int, []int, error) {
	entries, err := f.section(name).pairs()
	if err != nil {
		return nil, nil, err
	}
	of := map[int][]int{}
	var order []int
	for _, p := range entries {
		n, err := whole(p.key)
		if err != nil {
			return nil, nil, fmt.Errorf("reading %s: %w", name, err)
		}
		if of[n], err = wholes(p.value); err != nil {
			return nil, nil, fmt.Errorf("reading %s, %d: %w", name, n, err)
		}
		order = append(order, n)
	}
	return of, order, nil
}
