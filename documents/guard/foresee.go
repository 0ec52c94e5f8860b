package guard

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// foresee judges a tool call in advance if its result can be predicted: Claude Code's tools that write a whole file or replace a
// text in one. A refused call is denied before it changes anything. If the rule has an --allow, a call is allowed if every change
// fits it, and left to the user if the rule does not decide. Any other call gets no answer: the agent's own permissions decide,
// and its result is judged afterwards.
func (e hookInput) foresee(agent string, l *Live) (a hookAnswer) {
	var in struct {
		Path    string  `json:"file_path"`
		Content *string `json:"content"`
		Old     string  `json:"old_string"`
		New     string  `json:"new_string"`
		All     bool    `json:"replace_all"`
	}
	if agent != Claude || !slices.Contains([]string{"Write", "Edit"}, e.Tool) || json.Unmarshal(e.Input, &in) != nil {
		return a
	}
	if !filepath.IsAbs(in.Path) {
		in.Path = filepath.Join(e.Folder, in.Path)
	}
	// The agent may reach the folder through a link, and the file may not exist yet.
	if folder, err := filepath.EvalSymlinks(filepath.Dir(in.Path)); err == nil {
		in.Path = filepath.Join(folder, filepath.Base(in.Path))
	}
	name, err := filepath.Rel(l.folder.path, in.Path)
	if err != nil || !filepath.IsLocal(name) {
		return a
	}
	name = filepath.ToSlash(name)
	was, there, err := l.store.load()
	if err != nil || !there {
		return a
	}
	before, _, err := l.contents([]string{name}, was.Files, was.Files, nil)
	if err != nil {
		return a
	}
	text, known := before[name]
	switch {
	case e.Tool == "Write" && in.Content != nil:
		text = *in.Content
	case e.Tool != "Edit" || !known || in.Old == "" || !strings.Contains(text, in.Old):
		return a
	case in.All:
		text = strings.ReplaceAll(text, in.Old, in.New)
	default:
		text = strings.Replace(text, in.Old, in.New, 1)
	}
	after := before.Clone()
	after[name] = text
	p := Proposal{before: before}
	p.compare(after)
	verdict := p.Judge(l.rule)
	reason := fmt.Sprintf("agentd guard, %s", l.rule)
	switch {
	case verdict == Denied:
		reason += ": nothing was changed. What is refused:\n" + p.RefusedLines(l.rule, 20)
		a.Specific = &hookSpecific{Event: e.Event, Decision: "deny", Reason: reason}
	case len(l.rule.allow) == 0 || len(p.Report.Documents) == 0 || p.Report.Same:
	case verdict == Undecided:
		reason += " does not decide:\n" + p.RefusedLines(l.rule, 20)
		a.Specific = &hookSpecific{Event: e.Event, Decision: "ask", Reason: reason}
	case !executes(was.Files[name].Meta) && whyProtected(name, func(other string) bool { _, there := was.Files[other]; return there }) == "":
		a.Specific = &hookSpecific{Event: e.Event, Decision: "allow", Reason: reason}
	}
	return a
}

// executes reports whether a file may be executed.
func executes(m *Meta) bool { return m != nil && m.Mode&execBits != 0 }
