// Package results stores what experiments did: relays, interactions with their
// traces and scores, and every version of the documents by content hash.
//
// An interaction is stored in one transaction, so after a crash a relay goes on
// from its last stored interaction, with nothing lost and nothing twice.
package results

import (
	"time"

	"agentd/vfs"
)

// Direction of a step.
type Direction string

// The directions.
const (
	Forward  Direction = "forward"  // the edit is made
	Backward Direction = "backward" // the edit is undone
)

// Experiment is a named set of relays.
type Experiment struct {
	ID       string
	Name     string
	Created  time.Time
	Manifest Manifest
	State    State
	MaxCost  *float64 // USD, nil for no limit
}

// Relay is one chain of round trips.
type Relay struct {
	ID          int64
	Experiment  string // ID
	Model       string // empty for policies without one
	Policy      string
	Environment string
	Domain      string
	Repeat      int      // from 1; with one relay for each edit, it counts on over the edits
	Schedule    []string // the edit of each round trip
}

// Interaction is one delegated edit, as it went.
type Interaction struct {
	ID        int64
	Relay     int64
	Number    int // from 1; odd ones are forward steps
	Edit      string
	Direction Direction
	Started   time.Time
	Duration  time.Duration
	Ending    string
	Failure   string // reason, empty if it did not fail
	Detail    string // of the failure
	Usage
	Turns     []Turn
	ToolCalls []ToolCall
	Reads     []Read
	Score     *Score    // of a backward step
	Fallback  *Fallback // of a backward step that only a judge could have scored, and none did
	Unscored  Unscored  // why there is neither, empty if nothing stands against a score
	Judging   Judging
	// Executed says whether a forward step was carried out: it did not fail, and left
	// something that was not there before; nil of backward steps.
	Executed *bool
	Forward  *float64 // score of a forward step against its exact program, nil without one
	// ForwardValue is the published score of a forward step, which only programs have.
	ForwardValue *float64
	Strays       []string // files beyond the targets, left out of the output
	Output       vfs.Files
	// GivenUp is how many further interactions the relay will not have because this
	// one failed for want of a service.
	GivenUp int
	// PublishedTools says that the model had the tools of the published harness, not ours.
	PublishedTools bool
	// Complaint is the end of a command's standard error, if the command failed or left
	// nothing; nil otherwise.
	Complaint *string
	// Distractors is the number of distractor files that were there.
	Distractors int
	// UnknownAttempts may have been charged for beyond the cost, by an unknown amount.
	UnknownAttempts int
	Use             ToolUse // set by Append
}

// Unscored is why an interaction has no score.
type Unscored string

const (
	ContextMismatch  Unscored = "context_mismatch"  // a file is missing; so the published harness calls it
	WildcardMismatch Unscored = "wildcard_mismatch" // a file is there that fits no pattern; likewise
	Crash            Unscored = "crash"             // the published harness would stop with an exception
	ServiceFault     Unscored = "service fault"     // no completion could be had, or the sandbox did not work
)

// ToolUse sums up an interaction's tool calls and reads.
type ToolUse struct {
	Calls           int
	Scripts         int // calls and answers that changed files by a script or a shell
	Writes          int // calls and answers that changed files by a whole text of the model's
	Edits           int // calls and answers that changed parts of files
	Patches         int // of Edits: by a patch
	DistractorsRead int // different distractor files read
	// ReadByTools and ReadByScripts are those read by tools, and from inside of
	// run_python or a command; both may have read the same.
	ReadByTools, ReadByScripts int
	Tools                      string // that were called, in order, with blanks between
}

// Usage counts tokens and their price.
type Usage struct {
	Prompt, Cached, Completion, Reasoning int
	CacheWrite                            int      // of Prompt: written to the server's cache
	Cost                                  *float64 // USD, nil if unknown
}

// Score is how much of the seed survived.
type Score struct {
	Value, Strict        float64
	Components           map[string]float64
	Reference, Candidate int // counted elements
	Problem              string
	Judge                string // model whose opinion Value is, empty if it is computed
	// Unreadable says that the published reader cannot read the document, so that Value
	// is 0, while Strict could read it.
	Unreadable bool
}

// Fallback is what can be said of a document that only a judge could score. Its
// Similarity is that of texts and is never shown with scores.
type Fallback struct {
	Similarity, Strict   float64
	Reference, Candidate int // counted elements
	Problem              string
}

// Judging is what was asked of a judge to score an interaction. Answers that were
// known are not asked for again. Its tokens and cost are none of the
// interaction's.
type Judging struct {
	Asked              int // completions
	Prompt, Completion int // tokens
	// Cost is in USD; nil if a price is unknown, or nothing was asked.
	Cost *float64
}

// Turn is one completion.
type Turn struct {
	Usage
	Duration time.Duration
	Retries  int
	Finish   string
	// Tokens of answers that came to nothing and were asked for again, and attempts
	// that may have been charged for. The cost holds the former.
	WastedPrompt, WastedCompletion, UnknownAttempts int
	Text                                            *string // what the model said, nil if that was not kept
	Thought                                         *string // its reasoning as its maker shows it, likewise
	Without                                         string  // settings that the server refused and that were left out, with commas
	// Changed counts files that changed after an answer without calls, in the given Way.
	Changed int
	Way     string
}

// ToolCall is one call of a tool.
type ToolCall struct {
	Turn      int
	Tool      string
	Arguments []string // names
	In, Out   int      // bytes
	Changed   int      // files it wrote, altered or deleted
	Way       string   // how it changed them; empty if it did not, or if that is not known
	Error     string   // empty if it succeeded
	Duration  time.Duration
	// ArgumentsText and Answer are what went in and out, nil if that was not kept.
	ArgumentsText, Answer *string
}

// Read is one reading of a file.
type Read struct {
	File, Origin, Tool string
	ByScript           bool // it was read from inside of a script or a command
}
