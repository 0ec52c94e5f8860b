package policies

import (
	"errors"
	"slices"
	"strings"
	"time"

	"agentd/models"
	"agentd/results/record"
	"agentd/tools"
)

// Ending says how an interaction came to its end.
type Ending string

const (
	Finished Ending = "finished" // the model called finish
	Stopped  Ending = "stopped"  // the model stopped calling tools, having written
	Answered Ending = "answered" // one answer, read completely
	Exited   Ending = "exited"   // the command ended well
	OutOf    Ending = "budget"   // a budget ran out
	Failed   Ending = "failed"   // anything else
)

// Trace is what an interaction did, in order. Reads are recorded by the
// workspace.
type Trace struct {
	Turns  []record.Turn
	Calls  []record.Call
	Ending Ending
	// PublishedTools says that the calls are of the published harness's tools.
	PublishedTools bool
	// Complaint is the end of what a command wrote to its standard error, if it failed or
	// left nothing; nil otherwise.
	Complaint *string
	// Printed is what a command wrote to its standard output, as far as the sandbox's limit on
	// output has room for it; nil if it wrote nothing.
	Printed *string
	// UserTurn is the number of the user turn that turns belong to from here on; 0 means 1.
	UserTurn int
	// Compacted is what the next turn has as Compacted.
	Compacted string
}

// MaxCalls is how many tool calls of one answer are carried out. The rest are answered
// with TooManyCalls.
const MaxCalls = 128

// TooManyCalls is the error that a call beyond MaxCalls is answered with.
const TooManyCalls = "Error: this call was not carried out, because one answer may have at most 128 calls. Make it again in a later turn."

// AddTurn records a completion and returns its number, from 1.
func (t *Trace) AddTurn(r models.Response, price *models.Price) int {
	return t.add(record.Turn{
		Duration: r.Duration, Retries: r.Retries, Finish: r.FinishReason,
		Text: new(r.Message.Content), Thought: new(r.Message.Reasoning), Without: strings.Join(r.Without, ", "),
	}, r.Usage, r.Waste, price)
}

// AddFailure records a completion that could not be had, with what its attempts
// cost. It does nothing for errors that are not of the model.
func (t *Trace) AddFailure(err error, price *models.Price) {
	var failure *models.Error
	if errors.As(err, &failure) {
		t.add(record.Turn{
			Retries: failure.Retries, Finish: record.FailedFinish + string(failure.Kind), Text: new(""), Thought: new(""),
		}, models.Usage{}, failure.Waste, price)
	}
}

// AddCall records a tool call of a turn, which is 0 for a call that no turn asked for.
// arguments are as the model wrote them. It returns the place of the call in Calls.
func (t *Trace) AddCall(turn int, tool, arguments string, outcome tools.Outcome, took time.Duration) int {
	t.Calls = append(t.Calls, NewCall(turn, tool, arguments, outcome, took))
	return len(t.Calls) - 1
}

// NewCall returns what a trace holds of a tool call; see AddCall.
func NewCall(turn int, tool, arguments string, outcome tools.Outcome, took time.Duration) record.Call {
	call := record.Call{
		Turn: turn, Tool: tool, ArgNames: outcome.ArgNames, In: len(arguments), Out: len(outcome.Text),
		Changed: outcome.Changed, Duration: took, Arguments: &arguments, Answer: &outcome.Text,
	}
	if outcome.Failed {
		call.Error = outcome.Text
	}
	return call
}

// add records a turn, with its tokens and those of the attempts before it that came to nothing.
func (t *Trace) add(turn record.Turn, used models.Usage, waste models.Waste, price *models.Price) int {
	turn.Prompt, turn.Cached, turn.CacheWrite, turn.Completion, turn.Reasoning = used.Prompt, used.Cached, used.CacheWrite, used.Completion, used.Reasoning
	turn.WastedPrompt, turn.WastedCompletion, turn.UnknownAttempts = waste.Usage.Prompt, waste.Usage.Completion, waste.Unknown
	if price != nil {
		turn.Cost = new(price.Cost(used.Add(waste.Usage)))
	}
	turn.UserTurn, turn.Compacted, t.Compacted = max(t.UserTurn, 1), t.Compacted, ""
	t.Turns = append(t.Turns, turn)
	return len(t.Turns)
}

// Answered reports whether the model has given an answer.
func (t *Trace) Answered() bool {
	return slices.ContainsFunc(t.Turns, func(turn record.Turn) bool { return turn.Answered() })
}

// Usage sums the turns' tokens.
func (t *Trace) Usage() models.Usage {
	var sum models.Usage
	for i := range t.Turns {
		u := &t.Turns[i].Usage
		sum = sum.Add(models.Usage{Prompt: u.Prompt, Cached: u.Cached, CacheWrite: u.CacheWrite, Completion: u.Completion, Reasoning: u.Reasoning})
	}
	return sum
}

// Cost sums the turns' costs in USD; nil if one is unknown.
func (t *Trace) Cost() *float64 {
	sum := 0.0
	for _, turn := range t.Turns {
		if turn.Cost == nil {
			return nil
		}
		sum += *turn.Cost
	}
	return &sum
}
