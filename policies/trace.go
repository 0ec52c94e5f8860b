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

// Ending says how an interaction ended.
type Ending string

const (
	Finished Ending = "finished" // the model called finish
	Stopped  Ending = "stopped"  // the model stopped calling tools, having written
	Answered Ending = "answered" // one answer, read completely
	Exited   Ending = "exited"   // the command ended well
	OutOf    Ending = "budget"   // a budget ran out
	Failed   Ending = "failed"   // anything else
)

// Trace records what an interaction did, in order. The workspace records reads.
type Trace struct {
	Turns  []record.Turn
	Calls  []record.Call
	Ending Ending
	// PublishedTools says that the calls are of the published harness's tools.
	PublishedTools bool
	// Complaint is the end of a command's standard error, if the command failed or left
	// nothing; nil otherwise.
	Complaint *string
	// Printed is a command's standard output, up to the sandbox's limit on output; nil if it is
	// empty.
	Printed *string
	// UserTurn is the number of the user turn to which the next turns belong; 0 means 1.
	UserTurn int
	// Compacted is the value of Compacted for the next turn.
	Compacted string
}

// MaxCalls is the largest number of tool calls of one answer that are carried out. The others
// get the result TooManyCalls.
const MaxCalls = 128

// TooManyCalls is the result of a call beyond MaxCalls.
const TooManyCalls = "Error: this call was not carried out, because one answer may have at most 128 calls. Make it again in a later turn."

// AddTurn records a completion and returns its number, from 1.
func (t *Trace) AddTurn(r models.Response, price *models.Price) int {
	return t.add(record.Turn{
		Duration: r.Duration, Retries: r.Retries, Finish: r.FinishReason,
		Text: new(r.Message.Content), Thought: new(r.Message.Reasoning), Without: strings.Join(r.Without, ", "),
	}, r.Usage, r.Waste, price)
}

// AddFailure records a failed request to the model, with the cost of its attempts. It does
// nothing for other errors.
func (t *Trace) AddFailure(err error, price *models.Price) {
	var failure *models.Error
	if errors.As(err, &failure) {
		t.add(record.Turn{
			Retries: failure.Retries, Finish: record.FailedFinish + string(failure.Kind), Text: new(""), Thought: new(""),
		}, models.Usage{}, failure.Waste, price)
	}
}

// AddCall records a tool call of a turn; turn is 0 for a call that no turn asked for. arguments
// are the model's own text. It returns the index of the call in Calls.
func (t *Trace) AddCall(turn int, tool, arguments string, outcome tools.Outcome, took time.Duration) int {
	t.Calls = append(t.Calls, NewCall(turn, tool, arguments, outcome, took))
	return len(t.Calls) - 1
}

// NewCall returns the record of a tool call; see AddCall.
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

// add records a turn, with its tokens and those of failed attempts before it.
func (t *Trace) add(turn record.Turn, used models.Usage, waste models.Waste, price *models.Price) int {
	turn.Tokens = record.Tokens(used)
	turn.WastedPrompt, turn.WastedCompletion, turn.UnknownAttempts = waste.Usage.Prompt, waste.Usage.Completion, waste.Unknown
	if price != nil {
		turn.Cost = new(price.Cost(used.Add(waste.Usage)))
	}
	turn.UserTurn, turn.Compacted, t.Compacted = max(t.UserTurn, 1), t.Compacted, ""
	t.Turns = append(t.Turns, turn)
	return len(t.Turns)
}

// Answered reports whether the model has answered at least once.
func (t *Trace) Answered() bool {
	return slices.ContainsFunc(t.Turns, func(turn record.Turn) bool { return turn.Answered() })
}

// Usage returns the sum of the turns' tokens.
func (t *Trace) Usage() models.Usage {
	var sum models.Usage
	for i := range t.Turns {
		sum = sum.Add(models.Usage(t.Turns[i].Tokens))
	}
	return sum
}

// Cost returns the sum of the turns' costs in USD; nil if one is unknown.
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
