// Package hand lets a client of the Model Context Protocol carry out an interaction: it works
// with the tools until it calls finish or disconnects.
package hand

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"agentd/policies"
	"agentd/tools"
	"agentd/tools/mcpserver"
)

// Policy offers the tools of an interaction to a client.
type Policy struct {
	Version string // of agentd, as clients are told
	// Serve lets clients use the server. It returns when they have disconnected. Once finished
	// is closed, it should answer pending requests and return.
	Serve func(ctx context.Context, server *mcp.Server, finished <-chan struct{}) error
}

// Name implements policies.Policy.
func (Policy) Name() string { return "hand" }

// Edit serves until the client finishes or disconnects.
func (p Policy) Edit(ctx context.Context, task *policies.Task) (err error) {
	session, err := task.Session(tools.All())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, session.Close()) }()
	w := work{session: session, trace: task.Trace, finished: make(chan struct{})}
	server := mcpserver.New(p.Version, brief(task), tools.All(), w.call)
	if err := p.Serve(ctx, server, w.finished); err != nil {
		task.Trace.Ending = policies.Failed
		return err
	}
	w.mu.Lock() // a call of a client that has left may be at its end
	defer w.mu.Unlock()
	task.Trace.Ending = policies.Stopped
	if session.Finished() {
		task.Trace.Ending = policies.Finished
	}
	return nil
}

// brief describes the task to clients.
func brief(task *policies.Task) string {
	return fmt.Sprintf("%s\n\nFiles in the workspace:\n- %s\n\nFiles to produce:\n- %s\n",
		task.Instruction, strings.Join(task.FileOrder, "\n- "), strings.Join(task.Targets, "\n- "))
}

// work is one interaction.
type work struct {
	mu       sync.Mutex // one call at a time
	session  *tools.Session
	trace    *policies.Trace
	finished chan struct{}
}

func (w *work) call(ctx context.Context, tool, arguments string) (tools.Outcome, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.session.Finished() {
		return tools.Outcome{Text: "Error: the interaction is finished", Failed: true}, nil
	}
	began := time.Now()
	outcome, err := w.session.Call(ctx, tool, arguments)
	if err != nil {
		return outcome, err
	}
	w.trace.AddCall(0, tool, arguments, outcome, time.Since(began))
	if w.session.Finished() {
		close(w.finished)
	}
	return outcome, nil
}
