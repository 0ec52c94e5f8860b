package guard

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"agentd/sandbox"
	"agentd/tools"
	"agentd/vfs"
)

// Desk offers tools on the folder. Each call works on a copy. Its changes are applied if the rule accepts them; otherwise
// the call fails, and the answer names what the rule refuses.
type Desk struct {
	folder *Folder
	rule   Rule
	open   func() (sandbox.Backend, error)

	mu      sync.Mutex // one call at a time
	backend sandbox.Backend
}

// NewDesk returns a desk. It calls open for the first script.
func NewDesk(f *Folder, r Rule, open func() (sandbox.Backend, error)) *Desk {
	return &Desk{folder: f, rule: r, open: open}
}

// Close ends the sandbox, if a script was run.
func (d *Desk) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.backend == nil {
		return nil
	}
	return d.backend.Close()
}

// runner is a sandbox for one call.
func (d *Desk) runner() (sandbox.Runner, error) {
	if d.backend == nil {
		backend, err := d.open()
		if err != nil {
			return nil, err
		}
		d.backend = backend
	}
	return d.backend.NewRunner(sandbox.DefaultLimits())
}

// Tools are the tools of a desk: to read, write and delete whole files, and to run scripts.
func Tools() []tools.Tool {
	return slices.DeleteFunc(tools.Standard(), func(t tools.Tool) bool { return t.Name == tools.Finish })
}

// Instructions tell clients how writes are checked.
func (d *Desk) Instructions() string {
	text := "The files are documents in use. Every write is compared with the document as it was, by the meaning of its format"
	if rule := d.rule.String(); rule != "" {
		text += ", and checked against the rule " + rule
	}
	return text + ". A write that is refused changes nothing and is answered with the differences, so that you can correct it."
}

// Call carries out a tool call with its arguments as JSON. A refused change is a failed outcome. An error means that the
// sandbox or the folder does not work.
func (d *Desk) Call(ctx context.Context, tool, arguments string) (outcome tools.Outcome, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	before, _, err := d.folder.Files()
	if err != nil {
		return outcome, err
	}
	ws, err := vfs.New(before, nil)
	if err != nil {
		return outcome, err
	}
	session := tools.NewSession(ws, d.runner, Tools())
	defer func() { err = errors.Join(err, session.Close()) }()
	if outcome, err = session.Call(ctx, tool, arguments); err != nil || outcome.Failed {
		return outcome, err
	}
	after, err := ws.Output()
	if err != nil {
		return outcome, err
	}
	p := Proposal{before: before, command: []string{tool}}
	if err := d.folder.propose(&p, after); err != nil {
		return failed("%v", err), nil
	}
	if !p.Changed() {
		return outcome, nil
	}
	if d.rule.Unattended(p.Judge(d.rule)) == Denied {
		const most = 20
		return failed("refused by the rule %s; nothing was changed. What is refused:\n%s", d.rule, p.Refusal(d.rule, most)), nil
	}
	if asked := p.Unnamed(d.rule); len(asked) > 0 {
		return failed("refused; nothing was changed. The person who started this server can let these through:\n%s", refusal(asked)), nil
	}
	number, err := d.folder.Accept(ctx, &p, Decision{Reason: "rule " + d.rule.String(), named: d.rule.Named})
	if errors.Is(err, ErrRace) {
		return failed("%v; read the file again", err), nil
	}
	if err != nil {
		return failed("%v", err), nil
	}
	outcome.Text += fmt.Sprintf("\nAccepted as change %d.", number)
	return outcome, nil
}

func failed(format string, args ...any) tools.Outcome {
	return tools.Outcome{Text: "Error: " + fmt.Sprintf(format, args...), Failed: true}
}
