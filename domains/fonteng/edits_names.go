package fonteng

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// renameSuffixes changes the last suffixes of glyphs.
func renameSuffixes(p struct {
	Document, To string
	Suffixes     map[string]string // the new one by the old one, each with its full stop
	Table        string
}) exact.Steps {
	change := func(d *document) (vfs.Files, error) {
		names, there := map[string]string{}, map[string]bool{}
		table := [][]string{{"old", "new"}}
		d.renameWords(func(name string) string {
			there[name] = true
			dot := strings.LastIndexByte(name, '.')
			if dot <= 0 || p.Suffixes[name[dot:]] == "" {
				return name
			}
			if names[name] == "" {
				names[name] = name[:dot] + p.Suffixes[name[dot:]]
				table = append(table, []string{name, names[name]})
			}
			return names[name]
		})
		for old, renamed := range names {
			if there[renamed] {
				return nil, fmt.Errorf("there is a glyph %s already, which %s would become", renamed, old)
			}
		}
		return vfs.Files{p.Table: plain.WriteCSV(table)}, nil
	}
	restore := func(d *document, files vfs.Files) error {
		old, err := exact.ReadRegister(files, p.Table, "new", "old")
		d.renameWords(func(name string) string { return cmp.Or(old[name], name) })
		return err
	}
	return sources.Rewrite(p.Document, p.To, change, restore)
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

// isRule holds for what the rules of features and lookups are made of.
func (e *entry) isRule() bool {
	rules := []string{"sub", "substitute", "rsub", "reversesub", "pos", "position", "enum", "enumerate", "ignore"}
	return e.body == nil && slices.Contains(rules, e.text(0))
}

// spellOut writes classes in rules as lists, and notes which list was which.
func spellOut(p struct{ Document, To, Table string }) exact.Steps {
	change := func(d *document) (vfs.Files, error) {
		known := newClasses(d)
		table := [][]string{{"rule", "list", "class"}}
		rule := 0
		d.walk(func(e *entry) {
			if _, _, ok := known.definition(e); ok || !e.isRule() {
				return
			}
			rule++
			words, lists := known.spelled(e.words)
			e.words = words
			for _, list := range lists {
				table = append(table, append([]string{strconv.Itoa(rule)}, list...))
			}
		})
		return vfs.Files{p.Table: plain.WriteCSV(table)}, nil
	}
	restore := func(d *document, files vfs.Files) error {
		rows, err := plain.Table(files, p.Table, "rule", "list", "class")
		class := map[[2]int]string{}
		for _, row := range rows {
			class[[2]int{plain.LineNumber(row[0]), plain.LineNumber(row[1])}] = row[2]
		}
		rule := 0
		d.walk(func(e *entry) {
			if e.isRule() {
				rule++
				e.words = withClasses(e.words, func(list int) string { return class[[2]int{rule, list}] })
			}
		})
		return err
	}
	return sources.Rewrite(p.Document, p.To, change, restore)
}

// spelled writes the classes outside of lists as lists, and says which list of the rule, from
// 1, was which class.
func (c *classes) spelled(rule []word) (words []word, lists [][]string) {
	list := 0
	words = spelledOut(rule, func(n int, inList bool) ([]string, bool) {
		glyphs, isClass := c.find(rule[n].text)
		spell := isClass && !inList
		if spell || rule[n].text == "[" {
			list++
		}
		if spell {
			lists = append(lists, []string{strconv.Itoa(list), rule[n].text})
		}
		return glyphs, spell
	})
	return words, lists
}

// withClasses writes the lists of a rule that are a class as that class.
func withClasses(rule []word, classOf func(list int) string) (words []word) {
	list := 0
	for i := 0; i < len(rule); i++ {
		w := rule[i]
		if w.text == "[" {
			list++
			if name := classOf(list); name != "" {
				w.text = name
				i = listEnd(rule, i)
			}
		}
		words = append(words, w)
	}
	return words
}
