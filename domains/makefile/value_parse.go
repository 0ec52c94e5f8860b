package makefile

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"agentd/vfs"
)

// document is what the published evaluator reads.
type document struct {
	targets   map[string]target
	variables map[string]string
	phony     map[string]bool
	patterns  map[string]bool // stems
	// usedFallback is set where Make would refuse a file.
	usedFallback bool
	explicit     func() int // targets by the rules of the format
}

type target struct {
	prerequisites []string
	recipe        []string
}

// filePatterns are those of the names of the files that belong to a document.
var filePatterns = []string{"*.[mM][kK]", "*[mM][aA][kK][eE][fF][iI][lL][eE]*"}

func isMakefile(name string) bool {
	return slices.ContainsFunc(filePatterns, func(p string) bool { return vfs.Matches(p, name) })
}

func newDocument() document {
	return document{
		targets: map[string]target{}, variables: map[string]string{},
		phony: map[string]bool{}, patterns: map[string]bool{},
	}
}

// parse reads a document as the published evaluator does: each file alone, what
// Make would print of it, or line by line where Make would refuse it.
func parse(files vfs.Files) (document, error) {
	d := newDocument()
	for _, name := range files.Names() {
		if !isMakefile(name) {
			continue
		}
		next, err := parseFile(files[name])
		if err != nil {
			return document{}, fmt.Errorf("reading %s: %w", name, err)
		}
		maps.Copy(d.targets, next.targets)
		maps.Copy(d.variables, next.variables)
		maps.Copy(d.phony, next.phony)
		maps.Copy(d.patterns, next.patterns)
		d.usedFallback = d.usedFallback || next.usedFallback
	}
	d.explicit = sync.OnceValue(func() int { return countTargets(files) })
	return d, nil
}

func parseFile(text string) (document, error) {
	m := newMaker(len(text))
	m.read(strings.TrimPrefix(strings.ReplaceAll(text, "\r\n", "\n"), "\ufeff"))
	m.checkGoal()
	if m.err == nil {
		return m.document(), nil
	}
	d := parseLines(text)
	if len(d.targets) == 0 && len(d.variables) == 0 {
		return document{}, fmt.Errorf("neither targets nor variables: %w", m.err)
	}
	return d, nil
}
