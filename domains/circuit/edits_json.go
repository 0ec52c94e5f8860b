package circuit

import (
	"errors"
	"slices"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
)

// item is a statement in JSON.
type item struct {
	Kind      string   `json:"kind"`
	Device    string   `json:"device,omitempty"`
	Name      string   `json:"name,omitempty"`
	Nodes     []string `json:"nodes,omitempty"`
	Value     string   `json:"value,omitempty"`
	Arguments string   `json:"arguments,omitempty"`
	Text      string   `json:"text,omitempty"`
	Comment   string   `json:"comment,omitempty"`
}

var errNoItem = errors.New("no element among the entries")

// inJSON makes an array of the statements.
func inJSON(p struct{ Document, To string }) exact.Steps {
	return exact.JSON(&netlists, p.Document, p.To, func(f netFile) ([]item, error) {
		return lists.Each(f.statements, (*statement).item), nil
	}, func(items []item) (f netFile, err error) {
		if !slices.ContainsFunc(items, func(it item) bool { return it.Kind == "element" }) {
			return f, errNoItem
		}
		return netlists.Read(plain.Text(lists.Each(items, (*item).line))), nil
	})
}

func (s *statement) item() item {
	switch s.kind {
	case blankLine:
		return item{Kind: "blank"}
	case commentLine, titleLine:
		return item{Kind: "comment", Text: strings.TrimSpace(strings.TrimLeft(s.text, "*;$#/ \t"))}
	case controlLine, otherLine:
		return item{Kind: "control", Text: strings.TrimSpace(s.text)}
	}
	words, remarks := s.parts()
	comments := lists.Map(remarks, func(r word) string { return strings.TrimSpace(r.text) })
	it := item{Name: words[0].text, Comment: strings.Join(comments, " ")}
	if s.kind == commandLine {
		it.Kind, it.Arguments = "command", s.codeAfter(words[0], remarks)
		return it
	}
	it.Kind, it.Device = "element", s.device().name
	nodes := s.nodeCount(words)
	it.Nodes = textsOf(words[1 : 1+nodes])
	it.Value = s.codeAfter(words[nodes], remarks)
	return it
}

// codeAfter is what stands after a word, on one line and without comments.
func (s *statement) codeAfter(w word, remarks []word) string {
	var b strings.Builder
	at := w.end()
	for _, r := range remarks {
		b.WriteString(s.text[at:max(r.start, at)])
		at = max(r.end(), at)
	}
	b.WriteString(s.text[at:])
	lines := strings.Split(b.String(), "\n")
	code := lines[0]
	for _, line := range lines[1:] {
		line = strings.TrimLeft(line, " \t")
		if said, ok := strings.CutPrefix(line, "+"); ok {
			code += " " + strings.TrimLeft(said, " \t")
		}
	}
	return strings.TrimSpace(code)
}

func (it *item) line() string {
	var parts []string
	switch it.Kind {
	case "blank":
		return ""
	case "comment":
		parts = []string{"*", it.Text}
	case "control":
		return it.Text
	case "command":
		parts = []string{it.Name, it.Arguments, it.Comment}
	default:
		parts = append([]string{it.Name}, it.Nodes...)
		parts = append(parts, it.Value, it.Comment)
	}
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), " ")
}
