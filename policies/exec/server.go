package exec

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"agentd/models"
	"agentd/models/gateway"
	"agentd/policies"
	"agentd/policies/exec/acp"
	"agentd/sandbox"
	"agentd/tools"
	"agentd/tools/mcpserver"
)

const mcpPath = "/mcp"

const (
	// maxHeader bounds the header of a request, in bytes.
	maxHeader = 64 << 10
	// mcpFactor is the weight of each byte of an MCP request in the gateway's memory limits,
	// because the MCP library makes many copies.
	mcpFactor = 8
)

// server serves one command: the gateway to the model, the tools by MCP, its session, and the
// client side of the Agent Client Protocol. The ledger records everything.
type server struct {
	policy   *Policy
	task     *policies.Task
	session  *tools.Session
	running  context.Context // of the command
	serving  context.Context // of its requests: it ends with the command
	end      context.CancelCauseFunc
	exchange sandbox.Exchange
	agent    *acp.Agent   // nil for a command that does not speak that protocol
	begun    atomic.Int64 // turns
	before   int          // tokens of the user turns before
	keeps    kept
	remarks
	ledger
}

// newServer returns the server of a command. The command runs until running is done; end stops
// it.
func newServer(p *Policy, task *policies.Task, session *tools.Session, running context.Context, end context.CancelCauseFunc) *server {
	s := &server{
		policy: p, task: task, session: session, running: running, serving: running, end: end, keeps: kept{talk: task.Talk},
		before: task.Trace.Usage().Total(),
		ledger: ledger{trace: task.Trace, workspace: task.Workspace, price: p.Price},
	}
	if p.options.ACP {
		s.agent = acp.New(promptOf(p.values(task)), s)
	}
	return s
}

// serve answers requests until the listener is closed and every answer is complete.
func (s *server) serve(l net.Listener, exchange sandbox.Exchange) {
	s.exchange = exchange
	under, stop := context.WithCancel(s.running)
	s.serving = under
	handler := s.handler()
	var answering sync.RWMutex // held for reading by those who answer
	web := &http.Server{
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			answering.RLock()
			defer answering.RUnlock()
			if under.Err() == nil {
				handler.ServeHTTP(w, r)
			}
		}),
		BaseContext:       func(net.Listener) context.Context { return under },
		ReadHeaderTimeout: time.Minute,
		MaxHeaderBytes:    maxHeader,
	}
	_ = web.Serve(l) // until the listener is closed
	stop()
	_ = web.Close()  // the command has ended, and its connections with it
	answering.Lock() // from here on, the trace is not changed
	defer answering.Unlock()
}

// handler returns the routes of the server.
func (s *server) handler() http.Handler {
	o := s.policy.options
	g := gateway.New(s.serving, s.policy.Model, s, gateway.Options{Seed: s.task.Seed, OwnSettings: o.OwnSettings, MaxCalls: policies.MaxCalls})
	mux := http.NewServeMux()
	g.Register(mux)
	mux.Handle(mcpPath, g.Bound(mcpFactor, mcpserver.Handler(mcpserver.New("", s.task.Instruction, tools.All(), s.call))))
	if s.agent != nil {
		mux.HandleFunc("GET "+acp.Path, func(w http.ResponseWriter, r *http.Request) { s.agent.Serve(s.serving, w) })
	}
	if s.policy.goesOn() {
		mux.Handle(sessionPath, &s.keeps)
	}
	return mux
}

// outOf stops the command because a budget is used up. Files that it has written are kept.
func (s *server) outOf(reason policies.Reason, format string, args ...any) {
	_ = s.exchange(func() error { return nil }) // best effort
	s.end(policies.Failf(reason, format, args...))
}

// Arrived copies the command's file changes to the workspace before a request to the model.
func (s *server) Arrived() {
	_ = s.exchange(func() error { // what is in the way is seen when the command ends
		s.compare()
		return nil
	})
}

// Ask counts a turn. If none is left, it stops the command and returns an error.
func (s *server) Ask(streamed bool) (over func(), err error) {
	if most := s.policy.options.Turns; int(s.begun.Add(1)) > most {
		s.outOf(policies.TurnBudget, "not finished after %d turns", most)
		return nil, errors.New("the interaction has no turn left")
	}
	if !streamed {
		return func() {}, nil
	}
	return s.stream(), nil
}

// Answered records a completion and checks the budgets.
func (s *server) Answered(answer *models.Response) {
	turn, used, cost := s.completed(answer)
	used -= s.before
	switch o := s.policy.options; {
	case used >= o.Tokens:
		s.outOf(policies.TokenBudget, "%d of %d tokens used after %d turns", used, o.Tokens, turn)
	case o.USD > 0 && cost != nil && *cost >= o.USD:
		s.outOf(policies.CostBudget, "%.4f of %.4f USD used after %d turns", *cost, o.USD, turn)
	}
}

// Failed records a request without a completion. An error that other requests would get as well
// stops the run. A request that the command did not wait for is not a failure.
func (s *server) Failed(err error, begun bool) {
	var model *models.Error
	if errors.As(err, &model) && model.Kind.EndsWork() {
		s.end(err)
	}
	ended := s.serving.Err() != nil && model == nil
	if ended && begun {
		err = &models.Error{Kind: models.Abandoned, Model: s.policy.Model.Name(), Waste: models.Waste{Unknown: 1}, Err: err}
	}
	s.notCompleted(err, ended)
}

// call performs an MCP tool call.
func (s *server) call(ctx context.Context, tool, arguments string) (outcome tools.Outcome, err error) {
	if s.tooMany() {
		return tools.Outcome{Text: "Error: " + errTooManyCalls.Error(), Failed: true}, nil
	}
	began := time.Now()
	inTheWay := s.exchange(func() error {
		s.compare()
		outcome, err = s.session.Call(ctx, tool, arguments)
		s.forget()
		return nil
	})
	if err != nil {
		if ctx.Err() == nil {
			s.end(policies.Failf(policies.SandboxFailure, "%v", err))
		}
		return outcome, err
	}
	if inTheWay != nil && !outcome.Failed {
		outcome.Text, outcome.Failed = "Error: the files changed in between: "+inTheWay.Error(), true
	}
	s.record(policies.NewCall(0, tool, arguments, outcome, time.Since(began)))
	return outcome, nil
}
