package mathlean

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	registeredFile = "registered.lean"
	docsFile       = "DOCS.md"
	statementsFile = "statements.lean"
	proofsFile     = "proofs.json"
	sourceFile     = "source.json"
)

var docHeading = regexp.MustCompile(`(?m)^## (DOC-\d+)\b.*$`)

// registerDocs moves the texts of doc comments to a Markdown file.
func registerDocs(files vfs.Files) (vfs.Files, error) {
	l, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	docs := "# Doc comments\n"
	var patches []patch
	for _, c := range l.declarations() {
		for _, t := range l.tokens[c.first:c.last] {
			if t.kind != docText {
				continue
			}
			text := strings.TrimSpace(strings.TrimSuffix(l.of(t)[len("/--"):], "-/"))
			if text == "" {
				continue
			}
			if strings.Contains(text, "## DOC-") || docMark.MatchString(l.of(t)) {
				return nil, fmt.Errorf("a doc comment has a mark already: %s", cut(text))
			}
			mark := fmt.Sprintf("DOC-%02d", len(patches)+1)
			start := int(t.start) + strings.Index(l.of(t), text)
			patches = append(patches, patch{start, start + len(text), mark})
			heading := strings.TrimSpace(mark + " " + l.nameOf(c))
			docs += "\n## " + heading + "\n\n" + text + "\n"
		}
	}
	if len(patches) == 0 {
		return nil, fmt.Errorf("no doc comment")
	}
	return vfs.Files{registeredFile: patched(l.text, patches), docsFile: docs}, nil
}

var docMark = regexp.MustCompile(`^/--\s*(DOC-\d+)\s*-/$`)

func insertDocs(files vfs.Files) (vfs.Files, error) {
	l, err := readNamed(files, registeredFile)
	if err != nil {
		return nil, err
	}
	markdown, err := plain.File(files, docsFile)
	if err != nil {
		return nil, err
	}
	texts := map[string]string{}
	headings := docHeading.FindAllStringSubmatchIndex(markdown, -1)
	for n, at := range headings {
		end := len(markdown)
		if n+1 < len(headings) {
			end = headings[n+1][0]
		}
		texts[markdown[at[2]:at[3]]] = strings.TrimSpace(markdown[at[1]:end])
	}
	var patches []patch
	for _, t := range l.tokens {
		found := docMark.FindStringSubmatchIndex(l.of(t))
		if t.kind != docText || found == nil {
			continue
		}
		text, ok := texts[l.of(t)[found[2]:found[3]]]
		if !ok {
			return nil, fmt.Errorf("%s has no %s", docsFile, l.of(t)[found[2]:found[3]])
		}
		patches = append(patches, patch{int(t.start) + found[2], int(t.start) + found[3], text})
	}
	return vfs.Files{document: patched(l.text, patches)}, nil
}

// archivedProof is a proof by tactics.
type archivedProof struct {
	Theorem string   `json:"theorem"`
	Lines   []string `json:"lines"`
}

// tacticProof is the stretch of a theorem's proof after `by`, and whether it has
// one.
func (l *lean) tacticProof(c command) (p patch, ok bool) {
	at := l.partsOf(&c)
	if !isTheorem(c) || at.body+2 >= c.last || l.at(at.body) != ":=" || l.at(at.body+1) != "by" {
		return p, false
	}
	p = patch{start: int(l.tokens[at.body+1].end), end: int(l.tokens[c.last-1].end), text: " sorry"}
	return p, l.text[p.start] == ' ' || l.text[p.start] == '\n'
}

// archiveProofs moves the proofs by tactics to a file.
func archiveProofs(files vfs.Files) (vfs.Files, error) {
	l, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	proofs := []archivedProof{}
	var patches []patch
	for _, c := range l.declarations() {
		p, ok := l.tacticProof(c)
		if !ok {
			continue
		}
		proof := strings.TrimPrefix(l.text[p.start:p.end], " ")
		proofs = append(proofs, archivedProof{l.nameOf(c), strings.Split(proof, "\n")})
		patches = append(patches, p)
	}
	return vfs.Files{statementsFile: patched(l.text, patches), proofsFile: asJSON(proofs)}, nil
}

func restoreProofs(files vfs.Files) (vfs.Files, error) {
	l, err := readNamed(files, statementsFile)
	if err != nil {
		return nil, err
	}
	var proofs []archivedProof
	if err := plain.JSON(files, proofsFile, &proofs); err != nil {
		return nil, err
	}
	var patches []patch
	for _, c := range l.declarations() {
		p, ok := l.tacticProof(c)
		if !ok || l.text[p.start:p.end] != p.text {
			continue
		}
		if len(patches) == len(proofs) {
			return nil, fmt.Errorf("%s has no proof of %s", proofsFile, l.nameOf(c))
		}
		p.text = strings.Join(proofs[len(patches)].Lines, "\n")
		if !strings.HasPrefix(p.text, "\n") {
			p.text = " " + p.text
		}
		patches = append(patches, p)
	}
	if len(patches) < len(proofs) {
		return nil, fmt.Errorf("%s has no place for the proof of %s", statementsFile, proofs[len(patches)].Theorem)
	}
	return vfs.Files{document: patched(l.text, patches)}, nil
}

// piece is a command as lines, with what was read of it.
type piece struct {
	Kind      string   `json:"kind"`
	Name      string   `json:"name,omitempty"`
	Statement string   `json:"statement,omitempty"`
	Lines     []string `json:"lines"`
}

// toJSON divides the document into commands, none of its lines being lost.
func toJSON(files vfs.Files) (vfs.Files, error) {
	l, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	if !strings.HasSuffix(l.text, "\n") {
		return nil, fmt.Errorf("the last line does not end")
	}
	pieces := []piece{{Kind: "header"}}
	start := 0
	finish := func(end int) {
		if end == start && len(pieces) == 1 {
			pieces = pieces[:0]
			return
		}
		pieces[len(pieces)-1].Lines = strings.Split(strings.TrimSuffix(l.text[start:end], "\n"), "\n")
		start = end
	}
	for _, c := range l.commands {
		if !l.tokens[c.first].begins {
			continue
		}
		finish(lineStart(l.text, int(l.tokens[c.first].start)))
		pieces = append(pieces, l.pieceOf(c))
	}
	finish(len(l.text))
	return vfs.Files{sourceFile: asJSON(pieces)}, nil
}

func (l *lean) pieceOf(c command) piece {
	p := piece{Kind: c.keyword}
	switch {
	case c.isDeclaration():
		at := l.partsOf(&c)
		p.Name = l.name(at)
		if at.statement+1 < at.body {
			statement := l.text[l.tokens[at.statement].end:l.tokens[at.body-1].end]
			p.Statement = strings.Join(strings.Fields(statement), " ")
		}
	case c.keyword != "":
		if c.at+1 < c.last {
			rest := l.text[l.tokens[c.at].end:l.tokens[c.last-1].end]
			p.Name = strings.Join(strings.Fields(rest), " ")
		}
	case l.tokens[c.first].kind == moduleDoc:
		p.Kind = "doc"
	default:
		p.Kind = "text"
	}
	return p
}

func fromJSON(files vfs.Files) (vfs.Files, error) {
	var pieces []piece
	if err := plain.JSON(files, sourceFile, &pieces); err != nil {
		return nil, err
	}
	var lines []string
	for _, p := range pieces {
		lines = append(lines, p.Lines...)
	}
	return vfs.Files{document: plain.Text(lines)}, nil
}

// asJSON prints a value on many lines, with all its characters as they are.
func asJSON(value any) string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	_ = encoder.Encode(value) // texts and lists of them cannot fail
	return b.String()
}
