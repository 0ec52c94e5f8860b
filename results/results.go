// Package results stores what experiments did: relays, interactions with their
// traces and scores, and every version of the documents by content hash.
//
// An interaction is stored in one transaction. After a crash a relay therefore goes on
// from its last stored interaction: nothing is lost, and nothing is done twice.
//
// A column of an interaction is a field of Interaction with a db tag, or of a type of package record, and a migration
// in migrations/sqlite and migrations/postgres.
package results

import (
	"time"

	"agentd/internal/fidelity"
	"agentd/internal/opinion"
	"agentd/results/record"
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

// Interaction is the record of one delegated edit. Its columns are named as package record says; a score
// and what stands in for it share theirs.
type Interaction struct {
	ID        int64
	Relay     int64         `db:"relay"`
	Number    int           `db:"number"` // from 1; odd ones are forward steps
	Edit      string        `db:"edit"`
	Direction Direction     `db:"direction"`
	Started   time.Time     `db:"started"`
	Duration  time.Duration `db:"duration"`
	Ending    string        `db:"ending"`
	Failure   string        `db:"failure"`     // reason, empty if it did not fail
	Detail    string        `db:"detail,note"` // of the failure
	record.Usage
	Turns     []record.Turn
	ToolCalls []record.Call
	Reads     []record.Read
	Score     *Score    // of a backward step
	Fallback  *Fallback // of a backward step that only a judge could have scored, and none did
	// Bytes is what became of the bytes of the seed, of a backward step that has a score; nil if that is not known. It is no
	// part of a score.
	Bytes *fidelity.Kept `db:"bytes,json"`
	// Broken says where the tools of the format, which could read the seed, would stop, as in "line 3: a comma is missing"; of a
	// backward step that has a score. It is empty if the form was kept, and nil if that is not known. It is no part of a score.
	Broken   []string `db:"broken,names"`
	Unscored Unscored `db:"unscored"` // why there can be no score; empty if there can
	Judging  Judging  `db:"*"`
	// Executed says whether a forward step was carried out: it did not fail, and left
	// something that was not there before; nil of backward steps.
	Executed *bool    `db:"executed"`
	Forward  *float64 `db:"forward"` // score of a forward step against its exact program, nil without one
	// ForwardOpinion is a judge's of a forward step of a judged edit; nil without one.
	ForwardOpinion *Opinion `db:"forward_opinion,json"`
	// ForwardRS is the published score of a forward step against the seed, which only programs
	// have. Exports alone use it: Forward says how well the step did what was asked.
	ForwardRS *float64 `db:"forward_rs"`
	// Approximate says which limits on work acted on Score or Forward; empty if none did.
	Approximate string    `db:"approximate"`
	Strays      []string  `db:"strays,json,null"` // files beyond the targets, left out of the output
	Output      vfs.Files // stored as the hashes of its files
	// GivenUp is how many further interactions the relay will not have because this
	// one failed because a service was unavailable.
	GivenUp int `db:"given_up"`
	// PublishedTools says that the model had the tools of the published harness, not ours.
	PublishedTools bool `db:"published_tools"`
	// Complaint is the end of a command's standard error, if the command failed or left
	// nothing; nil otherwise.
	Complaint *string `db:"complaint"`
	// Printed is what a command wrote to its standard output; nil if it wrote nothing, or if
	// the trace is not a full one.
	Printed *string `db:"printed"`
	// Distractors is the number of distractor files that were there.
	Distractors int `db:"distractors"`
	// UnknownAttempts counts attempts that may have been charged for in addition to the
	// cost, by an unknown amount.
	UnknownAttempts int     `db:"unknown_attempts"`
	Use             ToolUse `db:"*"` // set by Append
	// UserTurns are what the user said, where an interaction may have several requests; nil
	// if it has one, the edit's instruction.
	UserTurns []UserTurn `db:"user_turns,json,[]"`
	// Conversation is what the interaction made of its conversation, for policies.Restore; nil
	// if no later interaction goes on with it and the trace is not a full one. It is stored,
	// and read by Store.Conversation alone.
	Conversation *string `db:"conversation,whole" json:"-"`
}

// Opinion is how far a judge says that a forward step did what a judged edit asks for.
type Opinion struct {
	Judge string `json:"judge"` // the model's name
	// Ratings are how true each of the edit's statements is, from 0, not at all, to
	// MostRating, entirely.
	Ratings []int `json:"ratings"`
}

// MostRating is the best rating of an Opinion.
const MostRating = opinion.MostRating

// Score is the mean of the ratings, from 0 to 1.
func (o *Opinion) Score() float64 {
	sum := 0
	for _, rating := range o.Ratings {
		sum += rating
	}
	return float64(sum) / float64(MostRating*len(o.Ratings))
}

// UserTurn is a request of the user's within an interaction.
type UserTurn struct {
	Kind UserTurnKind `json:"kind"`
	Edit string       `json:"edit"` // that the request is of
	Text string       `json:"text"`
}

// UserTurnKind says what a user turn is for.
type UserTurnKind string

// The kinds of user turns.
const (
	Request   UserTurnKind = "request"    // the whole instruction of the interaction's edit
	Part      UserTurnKind = "part"       // a part of it
	Revision  UserTurnKind = "revision"   // another edit, which is taken back later
	TakenBack UserTurnKind = "taken back" // a revision is left out after all
)

// Unscored is why an interaction has no score.
type Unscored string

const (
	ContextMismatch  Unscored = "context_mismatch"  // a file is missing; the name is the published harness's
	WildcardMismatch Unscored = "wildcard_mismatch" // a file fits no pattern; the name is the published harness's
	Crash            Unscored = "crash"             // the published harness would stop with an exception
	ServiceFault     Unscored = "service fault"     // the model's server gave no completion, or the sandbox did not work
)

// ToolUse sums up an interaction's tool calls and reads. A new sum is a field here, a migration for each database, a line
// in Interaction.toolUse, and the places that show it: report/tooluse.go, Report.tools, export/rows.go.
type ToolUse struct {
	Calls           int `db:"calls"`
	Scripts         int `db:"scripts"`          // calls and answers that changed files by a script or a shell
	Writes          int `db:"writes"`           // calls and answers that wrote the whole text of files
	Edits           int `db:"edits"`            // calls and answers that changed parts of files
	Patches         int `db:"patches"`          // of Edits: by a patch
	DistractorsRead int `db:"distractors_read"` // different distractor files read
	// ReadByTools and ReadByScripts count the distractor files that tools read, and that
	// run_python or a command read; both may have read the same file.
	ReadByTools   int    `db:"read_by_tools"`
	ReadByScripts int    `db:"read_by_scripts"`
	Tools         string `db:"tools"` // that were called, in order, with blanks between
}

// Score is how much of the seed survived.
type Score struct {
	RS, Strict           float64
	Components           map[string]float64
	Reference, Candidate int // counted elements
	Problem              string
	Judge                string // model whose opinion RS is, empty if it is computed
	// Unreadable says that the published reader cannot read the document, so that RS
	// is 0, while Strict could read it.
	Unreadable bool
}

// NotRead reports whether RS is 0 because the document could not be read.
func (s *Score) NotRead() bool { return s.RS == 0 && (s.Unreadable || s.Problem != "") }

// Fallback stands in for the score of a document that only a judge could have scored. Its
// Similarity compares texts and is never shown among scores.
type Fallback struct {
	Similarity, Strict   float64
	Reference, Candidate int // counted elements
	Problem              string
}

// Judging counts the judge's completions for an interaction's score. An answer that is
// stored already is not asked for again. The interaction's own tokens and cost do not
// include these.
type Judging struct {
	Asked      int `db:"judge_asked"` // completions
	Prompt     int `db:"judge_prompt"`
	Completion int `db:"judge_completion"` // tokens, as those of Prompt
	// Cost is in USD; nil if a price is unknown, or nothing was asked.
	Cost *float64 `db:"judge_cost"`
}
