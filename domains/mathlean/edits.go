package mathlean

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// document is the file that every backward step leaves.
const document = "PellNumbers.lean"

func edits() []domains.Edit {
	return []domains.Edit{
		{Name: "section_files", Forward: splitSections, Backward: mergeSections},
		{Name: "section_sizes", Forward: sortSections, Backward: unsortSections},
		{Name: "code_names", Forward: codeNames, Backward: titleNames},
		{Name: "doc_registry", Forward: registerDocs, Backward: insertDocs},
		{Name: "source_json", Forward: toJSON, Backward: fromJSON},
		{Name: "attribute_table", Forward: tabulateAttributes, Backward: writeAttributes},
		{Name: "proof_archive", Forward: archiveProofs, Backward: restoreProofs},
		{Name: "constant_table", Forward: tabulateConstants, Backward: writeConstants},
		{Name: "uses_index", Forward: indexUses, Backward: dropUses},
	}
}

var errNoDeclaration = errors.New("no Lean file with a declaration")

// lean is a Lean source that an oracle works on.
type lean struct {
	file
	commands []command
}

func readLean(text string) lean {
	f := lex(text)
	return lean{f, f.commands()}
}

// readDocument reads the one Lean file that a forward step is given.
func readDocument(files vfs.Files) (lean, error) {
	files = files.Match(patterns)
	if len(files) > 1 {
		return lean{}, fmt.Errorf("%d Lean files, want one", len(files))
	}
	for _, text := range files {
		l := readLean(text)
		if slices.ContainsFunc(l.commands, func(c command) bool { return c.isDeclaration() }) {
			return l, nil
		}
	}
	return lean{}, errNoDeclaration
}

func readNamed(files vfs.Files, name string) (lean, error) {
	text, err := plain.File(files, name)
	if err != nil {
		return lean{}, err
	}
	return readLean(text), nil
}

// declarations returns the commands that declare something, in order.
func (l *lean) declarations() []command {
	return slices.DeleteFunc(slices.Clone(l.commands), func(c command) bool { return !c.isDeclaration() })
}

func (l *lean) nameOf(c command) string { return l.name(l.partsOf(&c)) }

func isTheorem(c command) bool { return c.keyword == "theorem" || c.keyword == "lemma" }

// patch replaces a stretch of a text.
type patch struct {
	start, end int
	text       string
}

// patched applies patches, which are in order and apart from each other.
func patched(text string, patches []patch) string {
	var b strings.Builder
	at := 0
	for _, p := range patches {
		b.WriteString(text[at:p.start])
		b.WriteString(p.text)
		at = p.end
	}
	b.WriteString(text[at:])
	return b.String()
}

// lineStart is the beginning of the line in which a place stands.
func lineStart(text string, at int) int { return strings.LastIndexByte(text[:at], '\n') + 1 }

// lineEnd is the end of the line in which a place stands, before its line feed.
func lineEnd(text string, at int) int { return at + lineLength(text[at:]) }
