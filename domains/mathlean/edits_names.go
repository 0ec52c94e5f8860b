package mathlean

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/vfs"
)

// uses are the places in code where a known name stands, as an identifier or between its points;
// names of more parts come first.
func uses[V any](l *lean, tokens []token, known map[string]V) (found []stretch) {
	for _, t := range tokens {
		if t.kind != word {
			continue
		}
		identifier := l.of(t)
		for start := 0; start < len(identifier); {
			if end := start + knownLength(identifier[start:], known); end > start {
				found = append(found, stretch{int(t.start) + start, int(t.start) + end})
				start = end + 1
				continue
			}
			_, rest, _ := strings.Cut(identifier[start:], ".")
			start = len(identifier) - len(rest)
		}
	}
	return found
}

// knownLength is the length of the longest known name, up to a point or the end, with which an
// identifier begins.
func knownLength[V any](identifier string, known map[string]V) int {
	for end := len(identifier); end > 0; end = strings.LastIndexByte(identifier[:end], '.') {
		if _, ok := known[identifier[:end]]; ok {
			return end
		}
	}
	return 0
}

// renamed are the patches that put other names in code.
func (l *lean) renamed(to map[string]string) (patches []patch) {
	for _, at := range uses(l, l.tokens, to) {
		patches = append(patches, patch{at.start, at.end, to[l.text[at.start:at.end]]})
	}
	return patches
}

// codeTheorems puts codes in the place of the names of theorems. The table counts how often each
// stands in code.
func codeTheorems(p struct{ Document, To, First, Table string }) exact.Steps {
	return rewrite(p.Document, p.To, func(l *lean) ([]patch, vfs.Files, error) {
		codes := exact.Codes{New: exact.Counting(p.First)}
		names, coded := map[string]string{}, map[string]string{} // codes by names, and back
		for _, c := range l.declarations() {
			name := l.nameOf(c)
			if !isTheorem(c) || name == "" {
				continue
			}
			if names[name] != "" {
				return nil, nil, fmt.Errorf("two theorems are named %s", name)
			}
			names[name] = codes.Of(name)
			coded[names[name]] = name
		}
		if len(names) == 0 {
			return nil, nil, errNoTheorem
		}
		if len(uses(l, l.tokens, coded)) > 0 {
			return nil, nil, fmt.Errorf("names like %s are taken", p.First)
		}
		patches, counts := l.renamed(names), map[string]int{}
		for _, at := range patches {
			counts[l.text[at.start:at.end]]++
		}
		count := func(name string) []string { return []string{strconv.Itoa(counts[name])} }
		return patches, vfs.Files{p.Table: codes.Table(count, "code", "name", "occurrences")}, nil
	}, func(l *lean, files vfs.Files) ([]patch, error) {
		names, err := exact.ReadRegister(files, p.Table, "code", "name")
		return l.renamed(names), err
	})
}

var errNoTheorem = errors.New("no theorem with a name")

// listUses says above every theorem which declarations of the file it uses, and how deep it rests
// on theorems of the file.
func listUses(p struct{ Document, To, Mark string }) exact.Steps {
	mark := "-- " + p.Mark + ":"
	return rewrite(p.Document, p.To, func(l *lean) ([]patch, vfs.Files, error) {
		patches, err := l.usesLines(mark)
		switch {
		case err != nil:
		case len(patches) == 0:
			err = errNoTheorem
		case len(l.commentsWith(mark)) > 0:
			err = fmt.Errorf("there is a comment %s already", mark)
		}
		return patches, nil, err
	}, func(l *lean, _ vfs.Files) ([]patch, error) {
		lines := l.commentsWith(mark)
		if len(lines) == 0 {
			return nil, fmt.Errorf("%s has no comment %s", p.To, mark)
		}
		return lines, nil
	})
}

// usesLines are the lines to be put above theorems.
func (l *lean) usesLines(mark string) (patches []patch, _ error) {
	declarations := l.declarations()
	var names []string
	known, depths := map[string]bool{}, map[string]int{}
	for _, c := range declarations {
		if name := l.nameOf(c); name != "" && !known[name] {
			names = append(names, name)
			known[name] = true
		}
	}
	for _, c := range declarations {
		name := l.nameOf(c)
		if !isTheorem(c) || name == "" {
			continue
		}
		first := int(l.tokens[c.first].start)
		if !l.tokens[c.first].begins {
			return nil, fmt.Errorf("%s does not begin a line", name)
		}
		used, depth := map[string]bool{}, 0
		for _, at := range uses(l, l.tokens[c.at:c.last], known) {
			used[l.text[at.start:at.end]] = true
		}
		delete(used, name)
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
		line := fmt.Sprintf("%s%s %s; depth %d\n", l.text[start:first], mark, strings.Join(list, ", "), depth)
		patches = append(patches, patch{start, start, line})
	}
	return patches, nil
}

// commentsWith takes out the comments that begin with a mark, as whole lines.
func (l *lean) commentsWith(mark string) (lines []patch) {
	for _, t := range l.tokens {
		if t.kind == comment && t.begins && strings.HasPrefix(l.of(t), mark) {
			lines = append(lines, patch{start: lineStart(l.text, int(t.start)), end: min(int(t.end)+1, len(l.text))})
		}
	}
	return lines
}
