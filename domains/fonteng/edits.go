package fonteng

import (
	"errors"
	"fmt"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// documentFile is the file that every backward step leaves.
const documentFile = "holmsund-text.fea"

func edits() []domains.Edit {
	return []domains.Edit{
		{Name: "modules", Forward: toModules, Backward: fromModules},
		{Name: "kerning_csv", Forward: takeKerning, Backward: giveKerning},
		{Name: "units_2000", Forward: doubleUnits, Backward: halveUnits},
		{Name: "glyph_suffixes", Forward: renameGlyphs, Backward: restoreGlyphs},
		{Name: "alphabetical", Forward: sortFeatures, Backward: unsortFeatures},
		{Name: "spelled_out", Forward: spellOut, Backward: nameClasses},
		{Name: "standalone_lookups", Forward: takeLookupsOut, Backward: putLookupsBack},
		{Name: "tables_json", Forward: tablesToJSON, Backward: tablesFromJSON},
	}
}

var errNoDocument = errors.New("no .fea file with a statement")

// readDocument reads the files that a forward step is given, as one.
func readDocument(files vfs.Files) (*document, error) {
	files = files.Match(patterns)
	if len(files) == 0 {
		return nil, errNoDocument
	}
	return readFiles(files).withStatements()
}

// readNamed reads the file that a backward step needs.
func readNamed(files vfs.Files, name string) (*document, error) {
	text, err := plain.File(files, name)
	if err != nil {
		return nil, err
	}
	return read(text).withStatements()
}

func (d *document) withStatements() (*document, error) {
	for _, e := range d.entries {
		if _, isClass := e.className(); isClass || e.body != nil || e.text(0) == "languagesystem" || isDefinition(e.text(0)) {
			return d, nil
		}
	}
	return nil, errNoDocument
}

func (d *document) asDocument() vfs.Files { return vfs.Files{documentFile: d.print()} }

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
	return plain.PutIn(taken, rest, placed, func(*entry) int { return 1 })
}
