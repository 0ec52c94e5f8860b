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

// Bounds of what a trace holds of a command's calls.
const (
	// maxRequests is how many calls a command may make by MCP, and requests for files by the
	// Agent Client Protocol. Further ones are answered with an error, and are not in the trace.
	maxRequests = 10_000
	// maxTraced bounds the arguments and answers in a trace, in bytes. Of further
	// ones it has the sizes alone.
	maxTraced = 64 << 20
)

// ledger books in the trace what the model said, which calls it asked for, what became of
// them, and which files changed. It is safe for concurrent use.
type ledger struct {
	mu        sync.Mutex
	trace     *policies.Trace
	workspace *vfs.Workspace
	price     *models.Price // nil if unknown
	failed    error         // the last completion that could not be had; nil after one that could
	asked     []asked       // tool calls that the model asked for, not yet seen done
	early     []asked       // calls by MCP that came while an answer was being streamed
	streams   int           // answers that are being streamed
	traced    int           // bytes of arguments and answers in the trace
	requests  int           // by MCP, and for files
	changed   changes
}

// stream notes that an answer is being streamed, until the function is called that it
// returns.
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

// completed books a completion. It returns the turn, and tokens and cost of all turns. It
// takes calls out of the answer that are too many.
func (l *ledger) completed(answer *models.Response) (turn, tokens int, cost *float64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.failed = nil
	turn = l.trace.AddTurn(*answer, l.price)
	l.called(answer, turn)
	return turn, l.trace.Usage().Total(), l.trace.Cost()
}

// notCompleted books a request that got no completion. ended says that the command did not
// wait for it.
func (l *ledger) notCompleted(err error, ended bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !ended {
		l.failed = err
	}
	l.trace.AddFailure(err, l.price)
}

// retain returns a text for the trace, "" if the trace is full. l.mu is held.
func (l *ledger) retain(text string) string {
	if l.traced += len(text); l.traced > maxTraced {
		l.traced -= len(text)
		return ""
	}
	return text
}

// retained is a call of the last turn, with as much of its texts as the trace has room for.
// l.mu is held.
func (l *ledger) retained(call record.Call) record.Call {
	call.Turn, call.Arguments, call.Answer = len(l.trace.Turns), new(l.retain(*call.Arguments)), new(l.retain(*call.Answer))
	return call
}

var errTooManyCalls = fmt.Errorf("there were %d calls in this interaction, no more are possible", maxRequests)

// tooMany counts a call by MCP, or a request for a file, and reports whether it is beyond
// the limit.
func (l *ledger) tooMany() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.requests++
	return l.requests > maxRequests
}

// Returned books the command's answers to the model's calls.
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
