package fonteng

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	renamedFile = "renamed.fea"
	glyphsTable = "glyphs.csv"
)

// newSuffixes are the suffixes of glyphs that change.
var newSuffixes = map[string]string{
	".sc": ".smcp", ".onum": ".osf", ".tnum": ".tf", ".tonum": ".tosf", ".case": ".uc",
}

// renameGlyphs changes the suffixes of glyphs.
func renameGlyphs(files vfs.Files) (vfs.Files, error) {
	d, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	names := map[string]string{}
	table := [][]string{{"old", "new"}}
	there := map[string]bool{}
	d.renameWords(func(name string) string {
		there[name] = true
		dot := strings.LastIndexByte(name, '.')
		if dot <= 0 {
			return name
		}
		suffix, changes := newSuffixes[name[dot:]]
		if !changes {
			return name
		}
		if names[name] == "" {
			names[name] = name[:dot] + suffix
			table = append(table, []string{name, names[name]})
		}
		return names[name]
	})
	for old, renamed := range names {
		if there[renamed] {
			return nil, fmt.Errorf("there is a glyph %s already, which %s would become", renamed, old)
		}
	}
	return vfs.Files{renamedFile: d.print(), glyphsTable: plain.WriteCSV(table)}, nil
}

func restoreGlyphs(files vfs.Files) (vfs.Files, error) {
	d, err := readNamed(files, renamedFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, glyphsTable, "old", "new")
	if err != nil {
		return nil, err
	}
	old := map[string]string{}
	for _, row := range rows {
		old[row[1]] = row[0]
	}
	d.renameWords(func(name string) string {
		if was, ok := old[name]; ok {
			return was
		}
		return name
	})
	return d.asDocument(), nil
}

// renameWords gives every word in statements that may be a glyph its new name,
// both ends of a range written as one word.
func (d *document) renameWords(rename func(string) string) {
	d.walk(func(e *entry) {
		words := slices.Clone(e.words)
		for i := 1; i < len(words); i++ {
			text := words[i].text
			if text[0] == '@' || text[0] == '"' || isNumber(text) || isWordEnd[text[0]] {
				continue
			}
			ends := strings.Split(text, "-")
			for k := range ends {
				ends[k] = rename(ends[k])
			}
			words[i].text = strings.Join(ends, "-")
		}
		e.words = words
	})
}

const (
	spelledFile = "spelled_out.fea"
	usesTable   = "classes_used.csv"
)

// isRule holds for what the rules of features and lookups are made of.
func (e *entry) isRule() bool {
	switch e.text(0) {
	case "sub", "substitute", "rsub", "reversesub", "pos", "position", "enum", "enumerate", "ignore":
		return e.body == nil
	}
	return false
}

// spellOut writes classes in rules as lists, and notes which list was which.
func spellOut(files vfs.Files) (vfs.Files, error) {
	d, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	known := newClasses(d)
	table := [][]string{{"rule", "list", "class"}}
	rule := 0
	d.walk(func(e *entry) {
		if _, _, ok := known.definition(e); ok || !e.isRule() {
			return
		}
		rule++
		list := 0
		inList := false
		var words []word
		for _, w := range e.words {
			glyphs, isClass := known.find(w.text)
			switch {
			case w.text == "[":
				list++
				inList = true
			case w.text == "]":
				inList = false
			case isClass && !inList:
				list++
				spelled := listWords(glyphs)
				spelled[0].lead = w.lead
				words = append(words, spelled...)
				table = append(table, []string{strconv.Itoa(rule), strconv.Itoa(list), w.text})
				continue
			}
			words = append(words, w)
		}
		e.words = words
	})
	return vfs.Files{spelledFile: d.print(), usesTable: plain.WriteCSV(table)}, nil
}

// nameClasses writes the lists of the table as classes again.
func nameClasses(files vfs.Files) (vfs.Files, error) {
	d, err := readNamed(files, spelledFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, usesTable, "rule", "list", "class")
	if err != nil {
		return nil, err
	}
	class := map[[2]int]string{}
	for _, row := range rows {
		class[[2]int{plain.LineNumber(row[0]), plain.LineNumber(row[1])}] = row[2]
	}
	rule := 0
	d.walk(func(e *entry) {
		if !e.isRule() {
			return
		}
		rule++
		list := 0
		var words []word
		for i := 0; i < len(e.words); i++ {
			w := e.words[i]
			if w.text == "[" {
				list++
				if name := class[[2]int{rule, list}]; name != "" {
					w.text = name
					i = listEnd(e.words, i)
				}
			}
			words = append(words, w)
		}
		e.words = words
	})
	return d.asDocument(), nil
}
