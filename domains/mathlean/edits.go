package mathlean

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

func edits() []domains.Edit {
	return []domains.Edit{
		domains.Taking("split_by_section", splitBySection),
		domains.Taking("sort_sections", sortSections),
		domains.Taking("code_theorems", codeTheorems),
		domains.Taking("number_docs", numberDocs),
		domains.Taking("json", inJSON),
		domains.Taking("attribute_table", attributeTable),
		domains.Taking("archive_proofs", archiveProofs),
		domains.Taking("constant_table", constantTable),
		domains.Taking("list_uses", listUses),
	}
}

// lean is a Lean source that an oracle works on.
type lean struct {
	file
	commands []command
	patches  []patch // that print makes, apart from each other
}

func readLean(text string) *lean {
	f := lex(text)
	return &lean{file: f, commands: f.commands()}
}

// sources says how Lean sources are read and printed. A forward step is given one.
var sources = exact.Single[*lean]{
	Document: func(files vfs.Files) (*lean, error) {
		files = files.Match(patterns)
		if len(files) > 1 {
			return nil, fmt.Errorf("%d Lean files, want one", len(files))
		}
		for _, text := range files {
			if l := readLean(text); len(l.declarations()) > 0 {
				return l, nil
			}
		}
		return nil, errors.New("no Lean file with a declaration")
	},
	Named: func(files vfs.Files, name string) (*lean, error) {
		text, err := plain.File(files, name)
		return readLean(text), err
	},
	Print: func(l *lean) string {
		return plain.Splice(l.text, l.patches, func(p patch) (int, int, string) { return p.start, p.end, p.text })
	},
}

// unnumbered is the first of some names that count up, without its number.
func unnumbered(first string) string { return strings.TrimRight(first, "0123456789") }

// declarations returns the commands that declare something, in order.
func (l *lean) declarations() []command {
	return slices.DeleteFunc(slices.Clone(l.commands), func(c command) bool { return !c.isDeclaration() })
}

func (l *lean) nameOf(c command) string { return l.name(l.partsOf(&c)) }

func isTheorem(c command) bool { return c.keyword == "theorem" || c.keyword == "lemma" }

// patch replaces a stretch of a text. Of those at one place the first comes first.
type patch struct {
	start, end int
	text       string
}

func (l *lean) put(start, end int, text string) {
	l.patches = append(l.patches, patch{start, end, text})
}

// lineStart is the beginning of the line in which a place stands.
func lineStart(text string, at int) int { return strings.LastIndexByte(text[:at], '\n') + 1 }

// lineEnd is the end of the line in which a place stands, before its line feed.
func lineEnd(text string, at int) int { return at + lineLength(text[at:]) }
