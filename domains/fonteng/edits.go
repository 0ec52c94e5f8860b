package fonteng

import (
	"errors"
	"fmt"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
)

// sources says how documents, which are lists of entries, are taken apart and put together.
var sources = exact.Format[document, *entry]{
	Patterns: patterns,
	Read:     func(text string) document { return *read(text) },
	Print:    func(d document) string { return d.print() },
	Parts:    func(d *document) *[]*entry { return &d.entries },
	Join:     join,
	Empty:    errors.New("no .fea file with a statement"),
	Counts: func(e **entry) bool {
		_, isClass := (*e).className()
		return isClass || (*e).body != nil || (*e).text(0) == "languagesystem" || isDefinition((*e).text(0))
	},
}

func edits() []domains.Edit {
	return []domains.Edit{
		domains.Taking("split_by_purpose", splitByPurpose),
		domains.Taking("list_pairs", listPairs),
		domains.Taking("scale", scale),
		domains.Taking("rename_suffixes", renameSuffixes),
		domains.Taking("sort_features", sortFeatures),
		domains.Taking("spell_out", spellOut),
		domains.Taking("take_lookups_out", takeLookupsOut),
		domains.Taking("list_tables", listTables),
	}
}

// join reads documents as their texts, one after the other, would be read.
func join(all []document) (joined document) {
	for _, d := range all {
		if len(d.entries) > 0 {
			if joined.below == "" && len(joined.entries) > 0 {
				joined.below = "\n"
			}
			d.entries[0].above = joined.below + d.entries[0].above
			joined.below = ""
		}
		joined.entries = append(joined.entries, d.entries...)
		joined.below += d.below
	}
	return joined
}

// walk calls do with every entry, before those inside it.
func (d *document) walk(do func(*entry)) {
	for _, e := range d.entries {
		e.walk(do)
	}
}

// isBlock holds for a feature, table or lookup with braces.
func (e *entry) isBlock(keyword string) bool {
	_, ok := e.blockName()
	return ok && e.text(0) == keyword
}

// joinedWords are words with one blank where there were blanks or comments.
func joinedWords(words []word) string {
	var t strings.Builder
	for i, w := range words {
		if i > 0 && w.lead != "" {
			t.WriteByte(' ')
		}
		t.WriteString(w.text)
	}
	return t.String()
}

// onOneLine is a statement without its semicolon, or a block, without comments.
func (e *entry) onOneLine() string {
	words := e.words
	if e.body == nil {
		if e.ended() {
			words = words[:len(words)-1]
		}
		return joinedWords(words)
	}
	parts := []string{joinedWords(words)}
	for _, inner := range e.body.entries {
		text := inner.onOneLine()
		if inner.body == nil {
			text += ";"
		}
		parts = append(parts, text)
	}
	closing := e.body.closing
	if n := len(closing); n > 0 && closing[n-1].text == ";" {
		closing = closing[:n-1]
	}
	return strings.Join(append(parts, joinedWords(closing)), " ")
}

// commentLines are the comments in what stands between statements.
func commentLines(between string) []string {
	lines := []string{}
	for line := range strings.SplitSeq(between, "\n") {
		if line = strings.TrimSpace(strings.TrimLeft(line, "; \t")); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// note is the comment after an entry.
func note(e *entry) string { return strings.Join(commentLines(e.after), " ") }

// statementOf makes an entry of a statement without its semicolon, with comments
// above and a note after it.
func statementOf(text, indent string, comments []string, note string) (*entry, error) {
	d := read(text + ";")
	if len(d.entries) != 1 {
		return nil, fmt.Errorf("no statement: %q", text)
	}
	e := d.entries[0]
	e.above = "\n" + indent
	for i := len(comments) - 1; i >= 0; i-- {
		if comments[i] != "" {
			e.above = "\n" + indent + comments[i] + e.above
		}
	}
	e.after = ""
	if note != "" {
		e.after = " " + note
	}
	return e, nil
}

// placedEntry is an entry and its place among those it stood with, from 1.
type placedEntry struct {
	entry *entry
	place int
}

// putIn puts entries back in their places.
func putIn(taken []placedEntry, rest []*entry) []*entry {
	placed := func(p placedEntry) (int, *entry) { return p.place, p.entry }
	return plain.PutIn(taken, rest, placed, nil)
}
