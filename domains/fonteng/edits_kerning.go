package fonteng

import (
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// bodyOf is the body of the first feature of a tag, nil if there is none.
func (d *document) bodyOf(feature string) *body {
	for _, e := range d.entries {
		if e.isBlock("feature") && e.text(1) == feature {
			return e.body
		}
	}
	return nil
}

// listPairs moves the pairs of a feature to a table.
func listPairs(p struct{ Document, Feature, Rest, Table string }) exact.Steps {
	columns := []string{"place", "enum", "left", "right", "value", "right value", "comment", "note"}
	change := func(d *document) (vfs.Files, error) {
		table := [][]string{columns}
		if feature := d.bodyOf(p.Feature); feature != nil {
			var kept []*entry
			for i, e := range feature.entries {
				pair := pairOf(e)
				if pair == nil {
					kept = append(kept, e)
					continue
				}
				remarks := []string{strings.Join(commentLines(e.above), "\n"), note(e)}
				table = append(table, slices.Concat([]string{strconv.Itoa(i + 1)}, pair, remarks))
			}
			feature.entries = kept
		}
		return vfs.Files{p.Table: plain.WriteCSV(table)}, nil
	}
	restore := func(d *document, files vfs.Files) error {
		rows, err := plain.Table(files, p.Table, columns...)
		feature := d.bodyOf(p.Feature)
		if feature == nil {
			return err
		}
		var pairs []placedEntry
		for _, row := range rows {
			text := "pos " + row[2] + " " + row[3] + " " + row[4]
			if row[5] != "" {
				text = "pos " + row[2] + " " + row[4] + " " + row[3] + " " + row[5]
			}
			if row[1] != "" {
				text = "enum " + text
			}
			e, err := statementOf(text, shift, strings.Split(row[6], "\n"), row[7])
			if err != nil {
				continue // a damaged row
			}
			pairs = append(pairs, placedEntry{e, plain.LineNumber(row[0])})
		}
		feature.entries = putIn(pairs, feature.entries)
		return err
	}
	return sources.Rewrite(p.Document, p.Rest, change, restore)
}

// pairOf reads a rule of two glyphs or classes without marks, with a value
// after the second, or one after each: its columns from enum on, nil of another rule.
func pairOf(e *entry) []string {
	words, enum := e.words, ""
	if e.text(0) == "enum" || e.text(0) == "enumerate" {
		words, enum = words[1:], "yes"
	}
	if e.body != nil || !e.ended() || len(words) < 2 || words[0].text != "pos" && words[0].text != "position" {
		return nil
	}
	glyphs, values, ok := pairItems(words[1 : len(words)-1])
	if !ok || len(glyphs) != 2 || values[0] == "" && values[1] == "" {
		return nil
	}
	if values[0] == "" {
		slices.Reverse(values)
	}
	return slices.Concat([]string{enum}, glyphs, values)
}

// notInPairs are the words that make a rule one of another kind.
var notInPairs = []string{"cursive", "base", "ligature", "mark", "lookup"}

// pairItems divides words into glyphs or classes and the values after them.
func pairItems(words []word) (glyphs, values []string, ok bool) {
	for i := 0; i < len(words); {
		end := i + 1
		isValue := false
		switch text := words[i].text; {
		case text == "<" || text == "(":
			end, isValue = recordEnd(words, i), true
		case text == "[":
			end = min(listEnd(words, i)+1, len(words))
		case isNumber(text):
			isValue = true
		case isWordEnd[text[0]] || slices.Contains(notInPairs, text):
			return nil, nil, false
		}
		text := joinedWords(words[i:end])
		switch {
		case !isValue:
			glyphs, values = append(glyphs, text), append(values, "")
		case len(glyphs) == 0 || values[len(values)-1] != "":
			return nil, nil, false
		default:
			values[len(values)-1] = text
		}
		i = end
	}
	return glyphs, values, true
}
