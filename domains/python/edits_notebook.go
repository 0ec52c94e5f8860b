package python

import (
	"bytes"
	"encoding/json"
	"errors"
	"regexp"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// notebook is a Jupyter notebook.
type notebook struct {
	Cells         []cell         `json:"cells"`
	Metadata      map[string]any `json:"metadata"`
	Format        int            `json:"nbformat"`
	FormatEdition int            `json:"nbformat_minor"`
}

// cell is a cell of code or Markdown; that of Markdown has no outputs.
type cell struct {
	Type           string          `json:"cell_type"`
	ExecutionCount json.RawMessage `json:"execution_count,omitempty"`
	Metadata       struct{}        `json:"metadata"`
	Outputs        json.RawMessage `json:"outputs,omitempty"`
	Source         []string        `json:"source"`
}

const (
	codeCell     = "code"
	markdownCell = "markdown"
)

func newCell(kind, text string) cell {
	c := cell{Type: kind, Source: strings.SplitAfter(strings.Trim(text, "\n"), "\n")}
	if kind == codeCell {
		c.ExecutionCount, c.Outputs = json.RawMessage("null"), json.RawMessage("[]")
	}
	return c
}

// inNotebook makes a Markdown cell of each block of comments at the margin, and a code cell of
// what stands between two. On the way back the code may be in any state.
func inNotebook(p struct{ Document, To string }) exact.Steps {
	forward := func(s sheet) (vfs.Files, error) {
		var b bytes.Buffer
		encoder := json.NewEncoder(&b)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", " ")
		err := encoder.Encode(s.notebook())
		return vfs.Files{p.To: b.String()}, err
	}
	steps := programs.Whole(p.Document, forward, nil)
	steps.Backward = func(files vfs.Files) (vfs.Files, error) {
		var n notebook
		if err := plain.JSON(files, p.To, &n); err != nil {
			return nil, err
		}
		if len(n.Cells) == 0 {
			return nil, errors.New(p.To + " has no cell")
		}
		return vfs.Files{p.Document: n.script()}, nil
	}
	return steps
}

func (s *sheet) notebook() notebook {
	n := notebook{
		Metadata: map[string]any{"language_info": map[string]any{"name": "python"}}, Format: 4, FormatEdition: 4,
	}
	code := ""
	flush := func() {
		if strings.Trim(code, "\n") != "" {
			n.Cells = append(n.Cells, newCell(codeCell, code))
		}
		code = ""
	}
	comments := func(lead string) {
		for _, block := range commentBlocks(lead) {
			flush()
			n.Cells = append(n.Cells, newCell(markdownCell, markdown(block)))
		}
	}
	for i := range s.parts {
		comments(s.parts[i].lead)
		if code != "" {
			code += blankLines(s.parts[i].lead)
		}
		code += s.parts[i].code
	}
	flush()
	comments(s.closing)
	return n
}

// blankLines are those above a part that has no comment.
func blankLines(lead string) string { return strings.Repeat("\n", strings.Count(lead, "\n")) }

// commentBlocks are the lines of comment that no blank line divides.
func commentBlocks(lead string) [][]string {
	var blocks [][]string
	inside := false
	for line := range strings.Lines(lead) {
		line = strings.TrimSpace(line)
		if line == "" {
			inside = false
			continue
		}
		if !inside {
			blocks = append(blocks, nil)
		}
		inside = true
		blocks[len(blocks)-1] = append(blocks[len(blocks)-1], line)
	}
	return blocks
}

// numberSign is that of a line of comment with the blank after it, and the text, which begins with
// no other sign.
var numberSign = regexp.MustCompile(`(?m)^#(?:$| ([^#\n].*))`)

// markdown drops the number sign and the blank after it from each line.
func markdown(comments []string) string {
	return numberSign.ReplaceAllString(strings.Join(comments, "\n"), "$1")
}

func comments(markdown string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(markdown, "\n") {
		if !strings.HasPrefix(line, "#") {
			line = strings.TrimRight("# "+line, " ")
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}

// script is the program of a notebook.
func (n *notebook) script() string {
	var b strings.Builder
	for i, c := range n.Cells {
		text := strings.Trim(strings.Join(c.Source, ""), "\n")
		switch {
		case i > 0 && n.Cells[i-1].Type != markdownCell:
			b.WriteString("\n\n")
		case i > 0 && c.Type == markdownCell:
			b.WriteString("\n")
		}
		if c.Type == markdownCell {
			text = strings.TrimSuffix(comments(text), "\n")
		}
		b.WriteString(text + "\n")
	}
	return b.String()
}
