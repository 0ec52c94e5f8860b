package exec

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"agentd/models"
	"agentd/policies"
	"agentd/sandbox"
	"agentd/tools"
	"agentd/tools/mcpserver"
)

// Paths of the server.
const (
	openaiPath = "/v1" // and of Messages
	geminiPath = "/v1beta/models"
	mcpPath    = "/mcp"
)

// server answers the requests of one command and measures them.
type server struct {
	policy   *Policy
	task     *policies.Task
	session  *tools.Session
	running  context.Context // of the command
	serving  context.Context // of its requests: it ends with the command
	end      context.CancelCauseFunc
	exchange sandbox.Exchange
	intake   intake
	kept     kept
	said     turns
	dialogue dialogue
	streams  atomic.Int64 // answers that are being streamed

	mu       sync.Mutex // of what follows, and of the trace
	turns    int        // begun
	failed   error      // the last completion that could not be had; nil after one that could
	asked    []asked    // tool calls that the model asked for, not yet seen done
	traced   int        // bytes of arguments and answers in the trace
	mcpCalls int
	early    []early // calls by MCP that came while an answer was being streamed
	changed  changes
	unknown  string   // the first route that was asked for and is not there
	left     []string // what was left out of requests, each once
	before   int      // tokens of the user turns before
	keeps    []byte   // what the command keeps of its session; nil if it has kept nothing
}

// serve answers until the listener is closed, and every answer has been given.
func (s *server) serve(l net.Listener, exchange sandbox.Exchange) {
	s.exchange = exchange
	handler := s.handler()
	under, stop := context.WithCancel(s.running)
	s.serving = under
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

// handler answers what a command may ask for.
func (s *server) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST "+openaiPath+"/chat/completions", s.complete(s.readChat))
	mux.HandleFunc("POST "+openaiPath+"/responses", s.complete(s.readResponses))
	mux.HandleFunc("POST "+openaiPath+"/messages", s.complete(s.readMessages))
	mux.HandleFunc("POST "+openaiPath+"/messages/count_tokens", s.countTokens("input_tokens"))
	mux.HandleFunc("POST "+geminiPath+"/{call}", s.serveGemini)
	mux.HandleFunc("GET "+openaiPath+"/models", s.listModels)
	if s.policy.options.ACP {
		mux.HandleFunc("GET "+acpPath, s.serveACP)
	}
	if s.policy.goesOn() {
		mux.HandleFunc(sessionPath, s.serveSession)
	}
	mux.HandleFunc("/", s.unknownRoute)
	mux.Handle(mcpPath, s.bounded(mcpserver.Handler(mcpserver.New("", s.task.Instruction, tools.All(), s.call))))
	return mux
}

// bounded lets a request by MCP through when there is room for it, and if it is within
// the bounds.
func (s *server) bounded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			body, done, err := s.intake.read(r, mcpFactor)
			defer done()
			if err == nil {
				_, err = survey(body)
			}
			if err != nil {
				refuse(w, fmt.Errorf("the request cannot be read: %w", err))
				return
			}
			r.Body = io.NopCloser(bytes.NewReader(body))
		}
		next.ServeHTTP(w, r)
	})
}

// outOf ends the command because a budget is used up. The files that it has written
// are kept.
func (s *server) outOf(reason policies.Reason, format string, args ...any) {
	_ = s.exchange(func() error { return nil }) // as far as it can be had
	s.end(policies.Failf(reason, format, args...))
}

// call performs a tool call that came by MCP.
func (s *server) call(ctx context.Context, tool, arguments string) (outcome tools.Outcome, err error) {
	if outcome, over := s.tooMany(); over {
		return outcome, nil
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
	s.mu.Lock()
	defer s.mu.Unlock()
	record := policies.NewCall(len(s.task.Trace.Turns), tool, arguments, outcome, time.Since(began))
	record.Arguments, record.Answer = s.retain(arguments), s.retain(outcome.Text)
	s.record(record, digestOf(arguments))
	return outcome, nil
}

// begin counts a turn. If the budget has no turn left, it ends the command and returns
// false.
func (s *server) begin() bool {
	s.mu.Lock()
	s.turns++
	over := s.turns > s.policy.options.Turns
	s.mu.Unlock()
	if over {
		s.outOf(policies.TurnBudget, "not finished after %d turns", s.policy.options.Turns)
	}
	return !over
}

// account adds a completion to the trace and looks at the budgets. It takes calls out
// of the answer that are too many.
func (s *server) account(answer *models.Response) {
	s.mu.Lock()
	s.failed = nil
	trace := s.task.Trace
	turn := trace.AddTurn(*answer, s.policy.Price)
	s.called(answer, turn)
	used, cost := trace.Usage().Total()-s.before, trace.Cost()
	s.mu.Unlock()
	switch o := s.policy.options; {
	case used >= o.Tokens:
		s.outOf(policies.TokenBudget, "%d of %d tokens used after %d turns", used, o.Tokens, turn)
	case o.USD > 0 && cost != nil && *cost >= o.USD:
		s.outOf(policies.CostBudget, "%.4f of %.4f USD used after %d turns", *cost, o.USD, turn)
	}
}

// failedWith notes a request that got no completion. An error that other requests
// would meet as well ends the run. A request that the command did not wait for is no
// failure; begun says that a part of its answer had come, which may be charged for.
func (s *server) failedWith(err error, begun bool) {
	var model *models.Error
	if errors.As(err, &model) && model.Kind.EndsWork() {
		s.end(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if ended := s.serving.Err() != nil && model == nil; !ended {
		s.failed = err
	} else if begun {
		err = &models.Error{Kind: models.Abandoned, Model: s.policy.Model.Name(), Waste: models.Waste{Unknown: 1}, Err: err}
	}
	s.task.Trace.AddFailure(err, s.policy.Price)
}
