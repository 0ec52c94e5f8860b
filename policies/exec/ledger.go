package exec

import (
	"fmt"
	"slices"
	"sync"

	"agentd/models"
	"agentd/models/wire"
	"agentd/policies"
	"agentd/results/record"
	"agentd/vfs"
)

// Limits on what a trace stores of a command's calls.
const (
	// maxRequests limits the number of a command's MCP calls and Agent Client Protocol file
	// requests. Further ones get an error and are not in the trace.
	maxRequests = 10_000
	// maxTraced limits the arguments and results in a trace, in bytes. Beyond it only sizes are
	// recorded.
	maxTraced = 64 << 20
)

// ledger records in the trace what the model said, the calls it asked for, their results, and
// which files changed. It is safe for concurrent use.
type ledger struct {
	mu        sync.Mutex
	trace     *policies.Trace
	workspace *vfs.Workspace
	price     *models.Price // nil if unknown
	failed    error         // error of the last request; nil after a success
	asked     []asked       // tool calls that the model asked for and that have no result yet
	early     []asked       // MCP calls received while an answer was being streamed
	streams   int           // answers that are being streamed
	traced    int           // bytes of arguments and answers in the trace
	requests  int           // by MCP, and for files
	changed   changes
}

// stream records that an answer is being streamed, until over is called.
func (l *ledger) stream() (over func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.streams++
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.streams--
	}
}

// completed records a completion. It returns the turn, and the tokens and cost of all turns. It
// removes excess calls from the answer.
func (l *ledger) completed(answer *models.Response) (turn, tokens int, cost *float64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.failed = nil
	turn = l.trace.AddTurn(*answer, l.price)
	l.called(answer, turn)
	return turn, l.trace.Usage().Total(), l.trace.Cost()
}

// notCompleted records a request without a completion. ended says that the command did not wait
// for it.
func (l *ledger) notCompleted(err error, ended bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !ended {
		l.failed = err
	}
	l.trace.AddFailure(err, l.price)
}

// retain returns a text for the trace, or "" if the trace is full. l.mu must be held.
func (l *ledger) retain(text string) string {
	if l.traced += len(text); l.traced > maxTraced {
		l.traced -= len(text)
		return ""
	}
	return text
}

// retained returns a call of the last turn, without texts for which the trace has no room. l.mu
// must be held.
func (l *ledger) retained(call record.Call) record.Call {
	call.Turn, call.Arguments, call.Answer = len(l.trace.Turns), new(l.retain(*call.Arguments)), new(l.retain(*call.Answer))
	return call
}

var errTooManyCalls = fmt.Errorf("there were %d calls in this interaction, no more are possible", maxRequests)

// tooMany counts an MCP call or file request and reports whether the limit is exceeded.
func (l *ledger) tooMany() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.requests++
	return l.requests > maxRequests
}

// Returned records the results that the command sent for the model's calls.
func (l *ledger) Returned(answers []wire.Result) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, a := range answers {
		at := slices.IndexFunc(l.asked, func(call asked) bool { return call.id == a.ID })
		if at < 0 && a.Function != "" {
			at = slices.IndexFunc(l.asked, func(call asked) bool { return call.tool == a.Function })
		}
		if at < 0 {
			continue
		}
		call := &l.trace.Calls[l.asked[at].record]
		call.Out, call.Answer = len(a.Text), new(l.retain(string(a.Text)))
		l.asked = slices.Delete(l.asked, at, at+1)
	}
}
