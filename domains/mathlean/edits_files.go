package mathlean

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// numberDocs moves the texts of doc comments to a Markdown file with a heading for each.
func numberDocs(p struct {
	Document, To, First string
	List, Title         string
}) exact.Steps {
	number := regexp.QuoteMeta(unnumbered(p.First)) + `\d+`
	mark := regexp.MustCompile(`^/--\s*(` + number + `)\s*-/$`)
	heading := regexp.MustCompile(`(?m)^## (` + number + `)\b.*$`)
	return sources.Rewrite(p.Document, p.To, func(l *lean) (vfs.Files, error) {
		next, list := exact.Counting(p.First), "# "+p.Title+"\n"
		for _, c := range l.declarations() {
			for _, t := range l.tokens[c.first:c.last] {
				if t.kind != docText {
					continue
				}
				text := strings.TrimSpace(strings.TrimSuffix(l.of(t)[len("/--"):], "-/"))
				if text == "" {
					continue
				}
				if strings.Contains(text, "## "+unnumbered(p.First)) || mark.MatchString(l.of(t)) {
					return nil, fmt.Errorf("a doc comment has a mark already: %s", cut(text))
				}
				code := next("", len(l.patches))
				start := int(t.start) + strings.Index(l.of(t), text)
				l.put(start, start+len(text), code)
				list += "\n## " + strings.TrimSpace(code+" "+l.nameOf(c)) + "\n\n" + text + "\n"
			}
		}
		if len(l.patches) == 0 {
			return nil, errors.New("no doc comment")
		}
		return vfs.Files{p.List: list}, nil
	}, func(l *lean, files vfs.Files) error {
		list, err := plain.File(files, p.List)
		if err != nil {
			return err
		}
		texts := map[string]string{}
		headings := heading.FindAllStringSubmatchIndex(list, -1)
		for n, at := range headings {
			end := len(list)
			if n+1 < len(headings) {
				end = headings[n+1][0]
			}
			texts[list[at[2]:at[3]]] = strings.TrimSpace(list[at[1]:end])
		}
		for _, t := range l.tokens {
			found := mark.FindStringSubmatchIndex(l.of(t))
			if t.kind != docText || found == nil {
				continue
			}
			code := l.of(t)[found[2]:found[3]]
			text, ok := texts[code]
			if !ok {
				return fmt.Errorf("%s has no %s", p.List, code)
			}
			l.put(int(t.start)+found[2], int(t.start)+found[3], text)
		}
		return nil
	})
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

// archiveProofs moves the proofs by tactics to a list.
func archiveProofs(p struct{ Document, To, List string }) exact.Steps {
	type proof struct {
		Theorem string   `json:"theorem"`
		Lines   []string `json:"lines"`
	}
	change := func(l *lean) ([]proof, error) {
		proofs := []proof{}
		for _, c := range l.declarations() {
			if by, ok := l.tacticProof(c); ok {
				text := strings.TrimPrefix(l.text[by.start:by.end], " ")
				proofs = append(proofs, proof{l.nameOf(c), strings.Split(text, "\n")})
				l.patches = append(l.patches, by)
			}
		}
		return proofs, nil
	}
	return exact.Keeping(&sources, p.Document, p.To, p.List, change, func(l *lean, proofs []proof) error {
		for _, c := range l.declarations() {
			by, ok := l.tacticProof(c)
			if !ok || l.text[by.start:by.end] != by.text {
				continue
			}
			if len(l.patches) == len(proofs) {
				return fmt.Errorf("%s has no proof of %s", p.List, l.nameOf(c))
			}
			by.text = strings.Join(proofs[len(l.patches)].Lines, "\n")
			if !strings.HasPrefix(by.text, "\n") {
				by.text = " " + by.text
			}
			l.patches = append(l.patches, by)
		}
		if len(l.patches) < len(proofs) {
			return fmt.Errorf("%s has no place for the proof of %s", p.To, proofs[len(l.patches)].Theorem)
		}
		return nil
	})
}

// piece is a command as lines, with what was read of it.
type piece struct {
	Kind      string   `json:"kind"`
	Name      string   `json:"name,omitempty"`
	Statement string   `json:"statement,omitempty"`
	Lines     []string `json:"lines"`
}

// inJSON divides the document into commands, none of its lines being lost.
func inJSON(p struct{ Document, To string }) exact.Steps {
	return exact.JSON(&sources, p.Document, p.To, func(l *lean) ([]piece, error) {
		if !strings.HasSuffix(l.text, "\n") {
			return nil, errors.New("the last line does not end")
		}
		return l.pieces(), nil
	}, func(pieces []piece) (*lean, error) {
		lines := lists.Map(pieces, func(p piece) []string { return p.Lines })
		return readLean(plain.Text(slices.Concat(lines...))), nil
	})
}

func (l *lean) pieces() []piece {
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
		if l.tokens[c.first].begins {
			finish(lineStart(l.text, int(l.tokens[c.first].start)))
			pieces = append(pieces, l.pieceOf(c))
		}
	}
	finish(len(l.text))
	return pieces
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
