package guard

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"agentd/internal/charset"
	"agentd/sandbox"
	"agentd/tools"
	"agentd/vfs"
)

// Server offers tools on the folder. Each call works on a copy. Its changes are applied if the rule accepts them; otherwise
// the call fails, and the answer names what the rule refuses.
type Server struct {
	folder *Folder
	rule   Rule
	open   func() (sandbox.Backend, error)

	mu      sync.Mutex // one call at a time
	backend sandbox.Backend
}

// NewServer returns a server. It calls open for the first script.
func NewServer(f *Folder, r Rule, open func() (sandbox.Backend, error)) *Server {
	return &Server{folder: f, rule: r, open: open}
}

// Close ends the sandbox, if a script was run.
func (s *Server) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.backend == nil {
		return nil
	}
	return s.backend.Close()
}

// runner is a sandbox for one call.
func (s *Server) runner() (sandbox.Runner, error) {
	if s.backend == nil {
		backend, err := s.open()
		if err != nil {
			return nil, err
		}
		s.backend = backend
	}
	return s.backend.NewRunner(sandbox.DefaultLimits())
}

// Tools are the tools of a server: to read, write and delete whole files, and to run scripts.
func Tools() []tools.Tool {
	return slices.DeleteFunc(tools.Standard(), func(t tools.Tool) bool { return t.Name == tools.Finish })
}

// Instructions tell clients how writes are checked.
func (s *Server) Instructions() string {
	text := "The files are documents in use. Every write is compared with the document as it was, by the meaning of its format"
	if rule := s.rule.String(); rule != "" {
		text += ", and checked against the rule " + rule
	}
	return text + ". A write that is refused changes nothing and is answered with the differences, so that you can correct it."
}

// Call carries out a tool call with its arguments as JSON. A refused change is a failed outcome. An error means that the
// sandbox or the folder does not work.
func (s *Server) Call(ctx context.Context, tool, arguments string) (outcome tools.Outcome, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before, _, err := s.folder.Files()
	if err != nil {
		return outcome, err
	}
	seen := before
	var encodings charset.Encodings
	if tool != tools.RunPython { // a script reads bytes; the other tools speak UTF-8
		seen, encodings = asUTF8(before)
	}
	ws, err := vfs.New(seen, nil)
	if err != nil {
		return outcome, err
	}
	session := tools.NewSession(ws, s.runner, Tools())
	defer func() { err = errors.Join(err, session.Close()) }()
	if outcome, err = session.Call(ctx, tool, arguments); err != nil || outcome.Failed {
		return outcome, err
	}
	after, err := ws.Output()
	if err != nil {
		return outcome, err
	}
	if err := writeBack(after, before, seen, encodings); err != nil {
		return failed("%v; nothing was changed", err), nil
	}
	p := Proposal{before: before, command: []string{tool}}
	if err := s.folder.propose(&p, after); err != nil {
		return failed("%v", err), nil
	}
	if !p.Changed() {
		return outcome, nil
	}
	if s.rule.Unattended(p.Judge(s.rule)) == Denied {
		const most = 20
		return failed("refused by the rule %s; nothing was changed. What is refused:\n%s", s.rule, p.RefusedLines(s.rule, most)), nil
	}
	if asked := p.Unnamed(s.rule); len(asked) > 0 {
		return failed("refused; nothing was changed. The person who started this server can let these through:\n%s", protectedLines(asked)), nil
	}
	number, err := s.folder.Accept(ctx, &p, Decision{Reason: "rule " + s.rule.String(), named: s.rule.Named})
	if errors.Is(err, ErrRace) {
		return failed("%v; read the file again", err), nil
	}
	if err != nil {
		return failed("%v", err), nil
	}
	outcome.Text += fmt.Sprintf("\nAccepted as change %d.", number)
	return outcome, nil
}

// asUTF8 are the files with all texts in UTF-8, and the encodings of those that are in another one.
func asUTF8(files vfs.Files) (vfs.Files, charset.Encodings) {
	texts, encodings := files.Clone(), charset.Encodings{}
	for name, content := range files {
		if as, ok := charset.Detect(content, ""); ok && !as.IsUTF8() {
			texts[name], _ = as.Decode(content)
			encodings[name] = as
		}
	}
	return texts, encodings
}

// writeBack puts the files that were seen in UTF-8 back into their encodings.
func writeBack(after, before, seen vfs.Files, encodings charset.Encodings) error {
	for name := range encodings {
		text, there := after[name]
		switch {
		case !there:
		case text == seen[name]:
			after[name] = before[name]
		default:
			content, err := encodings.BytesOf(name, text)
			if err != nil {
				return err
			}
			after[name] = content
		}
	}
	return nil
}

func failed(format string, args ...any) tools.Outcome {
	return tools.Outcome{Text: "Error: " + fmt.Sprintf(format, args...), Failed: true}
}
