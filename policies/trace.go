package policies

import (
	"errors"
	"slices"
	"time"

	"agentd/models"
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
	Turns  []Turn
	Calls  []Call
	Ending Ending
	// PublishedTools says that the calls are of the published harness's tools.
	PublishedTools bool
	// Complaint is the end of what a command wrote to its standard error, if it failed or
	// left nothing; nil otherwise.
	Complaint *string
	// UserTurn is the number of the user turn that turns belong to from here on; 0 means 1.
	UserTurn int
	// Compacted is what the next turn has as Turn.Compacted.
	Compacted string
}

// Turn is one completion.
type Turn struct {
	Usage        models.Usage
	Cost         *float64 // USD, nil if the model's price is unknown
	Duration     time.Duration
	Retries      int
	Waste        models.Waste // what the retries cost; Cost holds it as far as it is known
	FinishReason string       // as the server named it
	Failed       bool         // whether no completion could be had
	AsText       bool         // whether tool calls were found in the text
	Text         string       // what the model said in addition to its tool calls
	Thought      string       // its reasoning as far as its maker shows it
	Without      []string     // settings that the server refused and that were left out
	// Changed counts files that changed after an answer without calls: a command may take
	// changes from its text.
	Changed int
	// UserTurn is the number of the user turn that the completion belongs to, from 1.
	UserTurn int
	// Compacted says how the conversation was made shorter before the completion; empty if
	// it was not.
	Compacted string
}

// Call is one tool call.
type Call struct {
	Turn     int // from 1
	Tool     string
	ArgNames []string
	In, Out  int // bytes of arguments and of the answer
	Changed  int // files it wrote, altered or deleted
	Failed   bool
	Error    string // the answer, if it is an error
	Duration time.Duration
	// Arguments and Answer are what went in and out, as they were.
	Arguments, Answer string
}

// MaxCalls is how many tool calls of one answer are carried out. The rest are answered
// with TooManyCalls.
const MaxCalls = 128

// TooManyCalls is the error that a call beyond MaxCalls is answered with.
const TooManyCalls = "Error: this call was not carried out, because one answer may have at most 128 calls. Make it again in a later turn."

// AddTurn records a completion and returns its number, from 1.
func (t *Trace) AddTurn(r models.Response, price *models.Price) int {
	return t.add(Turn{
		Usage: r.Usage, Duration: r.Duration, Retries: r.Retries, Waste: r.Waste,
		FinishReason: r.FinishReason, Text: r.Message.Content, Thought: r.Message.Reasoning, Without: r.Without,
	}, price)
}

// AddFailure records a completion that could not be had, with what its attempts
// cost. It does nothing for errors that are not of the model.
func (t *Trace) AddFailure(err error, price *models.Price) {
	var failure *models.Error
	if errors.As(err, &failure) {
		t.add(Turn{Failed: true, Retries: failure.Retries, Waste: failure.Waste, FinishReason: "error: " + string(failure.Kind)}, price)
	}
}

// AddCall records a tool call of a turn, which is 0 for a call that no turn asked for.
// arguments are as the model wrote them. It returns the place of the call in Calls.
func (t *Trace) AddCall(turn int, tool, arguments string, outcome tools.Outcome, took time.Duration) int {
	t.Calls = append(t.Calls, NewCall(turn, tool, arguments, outcome, took))
	return len(t.Calls) - 1
}

// NewCall returns what a trace holds of a tool call; see AddCall.
func NewCall(turn int, tool, arguments string, outcome tools.Outcome, took time.Duration) Call {
	call := Call{
		Turn: turn, Tool: tool, ArgNames: outcome.ArgNames, In: len(arguments), Out: len(outcome.Text),
		Changed: outcome.Changed, Failed: outcome.Failed, Duration: took,
		Arguments: arguments, Answer: outcome.Text,
	}
	if outcome.Failed {
		call.Error = outcome.Text
	}
	return call
}

func (t *Trace) add(turn Turn, price *models.Price) int {
	if price != nil {
		cost := price.Cost(turn.Usage.Add(turn.Waste.Usage))
		turn.Cost = &cost
	}
	turn.UserTurn, turn.Compacted, t.Compacted = max(t.UserTurn, 1), t.Compacted, ""
	t.Turns = append(t.Turns, turn)
	return len(t.Turns)
}

// Answered reports whether the model has given an answer.
func (t *Trace) Answered() bool {
	return slices.ContainsFunc(t.Turns, func(turn Turn) bool { return !turn.Failed })
}

// Usage sums the turns' tokens.
func (t *Trace) Usage() models.Usage {
	var sum models.Usage
	for _, turn := range t.Turns {
		sum = sum.Add(turn.Usage)
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
