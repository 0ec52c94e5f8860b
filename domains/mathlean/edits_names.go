package mathlean

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	codedFile     = "coded.lean"
	namesFile     = "names.csv"
	annotatedFile = "annotated.lean"
	usesMark      = "-- uses:"
)

// eachName calls do with the places in an identifier, whole or between its
// points, where a known name stands; names of more parts come first.
func eachName(identifier string, known map[string]bool, do func(start, end int)) {
	if known[identifier] {
		do(0, len(identifier))
		return
	}
	for start := 0; start < len(identifier); {
		end := len(identifier)
		for end > start && !known[identifier[start:end]] {
			end = max(start, strings.LastIndexByte(identifier[:end], '.'))
		}
		if end > start {
			do(start, end)
			start = end + 1
			continue
		}
		point := strings.IndexByte(identifier[start:], '.')
		if point < 0 {
			return
		}
		start += point + 1
	}
}

// renamed is the text with other names in code.
func (l *lean) renamed(to map[string]string) string {
	known := map[string]bool{}
	for name := range to {
		known[name] = true
	}
	var patches []patch
	for _, t := range l.tokens {
		if t.kind == word {
			eachName(l.of(t), known, func(start, end int) {
				at := int(t.start)
				patches = append(patches, patch{at + start, at + end, to[l.of(t)[start:end]]})
			})
		}
	}
	return patched(l.text, patches)
}

// uses counts how often each of the known names stands in code.
func (l *lean) uses(known map[string]bool) map[string]int {
	counts := map[string]int{}
	for _, t := range l.tokens {
		if t.kind == word {
			eachName(l.of(t), known, func(start, end int) { counts[l.of(t)[start:end]]++ })
		}
	}
	return counts
}

// codeNames gives the theorems numbers in the place of their names.
func codeNames(files vfs.Files) (vfs.Files, error) {
	l, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	codes, known, taken := map[string]string{}, map[string]bool{}, map[string]bool{}
	var names []string
	for _, c := range l.declarations() {
		name := l.nameOf(c)
		if !isTheorem(c) || name == "" {
			continue
		}
		if known[name] {
			return nil, fmt.Errorf("two theorems are named %s", name)
		}
		names = append(names, name)
		known[name] = true
		codes[name] = fmt.Sprintf("thm%02d", len(names))
		taken[codes[name]] = true
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("no theorem with a name")
	}
	if len(l.uses(taken)) > 0 {
		return nil, fmt.Errorf("names like thm01 are taken")
	}
	counts := l.uses(known)
	rows := [][]string{{"code", "name", "occurrences"}}
	for _, name := range names {
		rows = append(rows, []string{codes[name], name, strconv.Itoa(counts[name])})
	}
	return vfs.Files{codedFile: l.renamed(codes), namesFile: plain.WriteCSV(rows)}, nil
}

func titleNames(files vfs.Files) (vfs.Files, error) {
	l, err := readNamed(files, codedFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, namesFile, "code", "name")
	if err != nil {
		return nil, err
	}
	names := map[string]string{}
	for _, row := range rows {
		names[row[0]] = row[1]
	}
	return vfs.Files{document: l.renamed(names)}, nil
}

// indexUses says above every theorem which declarations of the file it uses, and
// how deep it rests on theorems of the file.
func indexUses(files vfs.Files) (vfs.Files, error) {
	l, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	declarations := l.declarations()
	var names []string
	known, depths := map[string]bool{}, map[string]int{}
	for _, c := range declarations {
		if name := l.nameOf(c); name != "" && !known[name] {
			names = append(names, name)
			known[name] = true
		}
	}
	var patches []patch
	for _, c := range declarations {
		name := l.nameOf(c)
		if !isTheorem(c) || name == "" {
			continue
		}
		first := int(l.tokens[c.first].start)
		if !l.tokens[c.first].begins {
			return nil, fmt.Errorf("%s does not begin a line", name)
		}
		used := l.usedBy(c, known)
		depth := 0
		for other := range used {
			if below, isTheorem := depths[other]; isTheorem {
				depth = max(depth, below+1)
			}
		}
		if _, again := depths[name]; !again {
			depths[name] = depth
		}
		list := slices.DeleteFunc(slices.Clone(names), func(other string) bool { return !used[other] })
		if len(list) == 0 {
			list = []string{"nothing"}
		}
		start := lineStart(l.text, first)
		line := fmt.Sprintf("%s%s %s; depth %d\n", l.text[start:first], usesMark, strings.Join(list, ", "), depth)
		patches = append(patches, patch{start, start, line})
	}
	if len(patches) == 0 {
		return nil, fmt.Errorf("no theorem with a name")
	}
	if len(usesLines(l.file)) > 0 {
		return nil, fmt.Errorf("there is a comment %s already", usesMark)
	}
	return vfs.Files{annotatedFile: patched(l.text, patches)}, nil
}

// usedBy are the known names in a declaration but its own.
func (l *lean) usedBy(c command, known map[string]bool) map[string]bool {
	used := map[string]bool{}
	own := l.nameOf(c)
	for _, t := range l.tokens[c.at:c.last] {
		if t.kind == word {
			eachName(l.of(t), known, func(start, end int) { used[l.of(t)[start:end]] = true })
		}
	}
	delete(used, own)
	return used
}

// usesLines are the comments that indexUses writes, as whole lines.
func usesLines(f file) []patch {
	var lines []patch
	for _, t := range f.tokens {
		if t.kind == comment && t.begins && strings.HasPrefix(f.of(t), usesMark) {
			lines = append(lines, patch{start: lineStart(f.text, int(t.start)), end: min(int(t.end)+1, len(f.text))})
		}
	}
	return lines
}

func dropUses(files vfs.Files) (vfs.Files, error) {
	l, err := readNamed(files, annotatedFile)
	if err != nil {
		return nil, err
	}
	lines := usesLines(l.file)
	if len(lines) == 0 {
		return nil, fmt.Errorf("%s has no comment %s", annotatedFile, usesMark)
	}
	return vfs.Files{document: patched(l.text, lines)}, nil
}
