// Package export writes stored results in the forms that other programs read:
// rows as JSON lines, CSV or Parquet, the published code's result files, spans of
// OpenTelemetry, trajectories (ATIF), and conversations to train on. Fields that the semantic conventions for generative AI
// name have their names (gen_ai.request.model); a cost that is unknown has no
// value, never 0.
package export

import (
	"time"

	"agentd/environments"
	"agentd/policies"
	"agentd/results"
	"agentd/results/record"
	"agentd/vfs"
)

// source is an interaction with its relay and experiment.
type source struct {
	experiment string
	manifest   *results.Manifest
	relay      results.Relay
	in         *results.Interaction
	trip       results.Trip // that it is part of
	// env and conversation are nil where they are not stored, or contents are not wanted.
	env          *environments.Environment
	conversation *policies.Conversation
}

// Key says which interaction a row belongs to.
type Key struct {
	Experiment string `json:"experiment"`  // its name
	Relay      int64  `json:"relay"`       // its number in the database, as agentd trace shows it
	Number     int    `json:"interaction"` // its number in the relay, from 1; even ones are backward
}

// Usage counts tokens. Cached and Written, to a cache, are part of Input, Reasoning of Output.
type Usage struct {
	Input     int      `json:"gen_ai.usage.input_tokens"`                // tokens of the prompts
	Cached    int      `json:"gen_ai.usage.cache_read.input_tokens"`     // those of Input that came from the server's cache
	Written   int      `json:"gen_ai.usage.cache_creation.input_tokens"` // those of Input that were written to the server's cache
	Output    int      `json:"gen_ai.usage.output_tokens"`               // tokens of the answers
	Reasoning int      `json:"gen_ai.usage.reasoning.output_tokens"`     // those of Output that were reasoning
	Cost      *float64 `json:"cost_usd"`                                 // in USD; nil if it is unknown
	// UnknownAttempts counts attempts that may have been charged for beyond the cost.
	UnknownAttempts int `json:"unknown_attempts"`
}

// Interaction is a row of an interaction. Scores are nil where there are none.
type Interaction struct {
	Key
	Model       string `json:"gen_ai.request.model"` // empty for policies without one
	Policy      string `json:"gen_ai.agent.name"`    // as tables show it
	Environment string `json:"environment"`          // its name
	Domain      string `json:"domain"`               // that of the environment
	Repeat      int    `json:"repeat"`               // which of the arm's relays on the environment, from 1
	RoundTrip   int    `json:"round_trip"`           // from 1
	Direction   string `json:"direction"`            // forward or backward
	Edit        string `json:"edit"`                 // the name of the edit

	Started  string  `json:"started"`       // RFC 3339, UTC
	Duration float64 `json:"duration_s"`    // in seconds
	Ending   string  `json:"ending"`        // how the policy ended, such as finished, answered or exited
	Failure  string  `json:"error.type"`    // why the interaction failed, such as missing target; empty if it did not
	Detail   string  `json:"error.message"` // what the failure says in addition
	Usage

	RS          *float64 `json:"rs"`                // the published score from 0 to 1, of backward steps; nil if there is no score
	Strict      *float64 `json:"strict"`            // the strict score from 0 to 1, of backward steps
	NoOps       *float64 `json:"rs_noops_zero"`     // rs of a backward step, or 0 if the forward step before it was not carried out, also where the protocol leaves it unscored
	StrictNoOps *float64 `json:"strict_noops_zero"` // strict, likewise
	Forward     *float64 `json:"forward"`           // from 0 to 1, how well a forward step did what was asked; nil without an exact program
	// Executed says whether a forward step was carried out; nil for backward steps.
	Executed *bool `json:"executed"`
	// Unscored is why the protocol gives no score; empty if nothing stands against one.
	Unscored string `json:"unscored"`
	// ForwardRS is the published score of a forward step against the seed, which only the domain
	// python has. --layout delegate52 writes it as the step's score; no table uses it, as an edit may rightly
	// leave other documents than the seed.
	ForwardRS   *float64           `json:"forward_rs"`
	Unreadable  bool               `json:"unreadable"`         // whether the published reader could not read the document, while Strict could
	BytesKept   *bool              `json:"bytes_kept"`         // whether all bytes are as they were where nothing changed, of backward steps
	BytesRest   *float64           `json:"bytes_rest"`         // the share of the bytes outside of changes that are not as they were, from 0 to 1
	BytesOther  []string           `json:"bytes_changed"`      // what is not as it was: encoding, byte order mark, line ends and others
	Broken      *bool              `json:"broken"`             // whether the tools of the format, which could read the seed, would stop in the document, of backward steps
	BrokenAt    []string           `json:"broken_at"`          // where they would stop, as in "line 3: a comma is missing"
	Approximate string             `json:"approximate"`        // limits on work that acted on rs, strict or forward; mostly empty
	Components  map[string]float64 `json:"components"`         // the parts of RS
	Reference   *int               `json:"reference_elements"` // elements of the seed, such as transactions
	Candidate   *int               `json:"candidate_elements"` // elements of the scored document
	Problem     string             `json:"problem"`            // what is wrong with the document, such as a syntax error
	// ForwardJudged is how far a forward step of a judged edit did what was asked, from 0 to 1, in the
	// opinion of Judge; nil of other edits.
	ForwardJudged *float64 `json:"forward_judged"`
	// Judge is the model whose opinion RS or ForwardJudged is; empty if neither is one.
	Judge string `json:"judge"`
	// Fallback is the similarity of texts from 0 to 1, where only a judge could have found RS and
	// none did.
	Fallback  *float64 `json:"fallback"`
	Asked     int      `json:"judge_asked"`    // completions that the judge was asked for
	JudgeCost *float64 `json:"judge_cost_usd"` // what they cost, in USD; nil if it is unknown

	UserTurns       []string `json:"user_turns"`                 // the kind of each request of the user's, where there may be several
	Turns           int      `json:"turn_count"`                 // completions
	Calls           int      `json:"call_count"`                 // tool calls
	Operations      []string `json:"operations"`                 // names of the tools called, in order
	PublishedTools  bool     `json:"published_tools"`            // whether the tools were those of the published harness, not ours
	Scripts         int      `json:"scripts_that_changed_files"` // calls that changed files by running a script
	Writes          int      `json:"writes_that_changed_files"`  // calls that changed files by writing whole texts
	Edits           int      `json:"edits_that_changed_files"`   // calls that changed files by editing parts of them
	Patches         int      `json:"patches_that_changed_files"` // those of Edits that were patches
	Distractors     int      `json:"distractors"`                // files next to the documents that have nothing to do with the edit
	DistractorsRead int      `json:"distractors_read"`           // how many of them were opened
	Strays          []string `json:"strays"`                     // files that the step left and that were not asked for

	Instruction string            `json:"instruction,omitempty"` // what the edit asks for; with contents only
	UserSaid    []string          `json:"user_said,omitempty"`   // the texts of user_turns; with contents only
	Documents   map[string]string `json:"documents,omitempty"`   // the files after the interaction; with contents only
}

func (s source) key() Key { return Key{s.experiment, s.relay.ID, s.in.Number} }

func usage(u record.Usage, unknown int) Usage {
	return Usage{u.Prompt, u.Cached, u.CacheWrite, u.Completion, u.Reasoning, u.Cost, unknown}
}

func (s source) interaction(contents bool) Interaction {
	r, in := s.relay, s.in
	row := Interaction{
		Key: s.key(), Model: r.Model, Policy: r.Policy, Environment: r.Environment, Domain: r.Domain, Repeat: r.Repeat,
		RoundTrip: s.trip.Number, Direction: string(in.Direction), Edit: in.Edit,
		Started: in.Started.UTC().Format(time.RFC3339Nano), Duration: in.Duration.Seconds(),
		Ending: in.Ending, Failure: in.Failure, Detail: in.Detail,
		Usage: usage(in.Usage, in.UnknownAttempts), Forward: in.Forward,
		Executed: in.Executed, Unscored: string(in.Unscored), ForwardRS: in.ForwardRS, Approximate: in.Approximate,
		Turns: len(in.Turns), Calls: len(in.ToolCalls), Scripts: in.Use.Scripts, Writes: in.Use.Writes, Edits: in.Use.Edits, Patches: in.Use.Patches,
		Distractors: in.Distractors, DistractorsRead: in.Use.DistractorsRead, Strays: in.Strays,
		PublishedTools: in.PublishedTools,
		Asked:          in.Judging.Asked, JudgeCost: in.Judging.Cost,
	}
	if score := in.Score; score != nil {
		row.RS, row.Strict, row.Components, row.Problem = &score.RS, &score.Strict, score.Components, score.Problem
		row.Reference, row.Candidate, row.Judge = &score.Reference, &score.Candidate, score.Judge
		row.Unreadable = score.Unreadable
	}
	if kept := in.Bytes; kept != nil {
		row.BytesKept, row.BytesRest, row.BytesOther = new(len(kept.Changes) == 0), &kept.Rest, kept.Properties()
	}
	if in.Broken != nil {
		row.Broken, row.BrokenAt = new(len(in.Broken) > 0), in.Broken
	}
	if in == s.trip.Backward {
		row.NoOps, row.StrictNoOps = s.trip.NoOpsZero(false)
	}
	if o := in.ForwardOpinion; o != nil {
		row.ForwardJudged, row.Judge = new(o.Score()), o.Judge
	}
	if f := in.Fallback; f != nil {
		row.Fallback, row.Strict, row.Problem = &f.Similarity, &f.Strict, f.Problem
		row.Reference, row.Candidate = &f.Reference, &f.Candidate
	}
	for _, c := range in.ToolCalls {
		row.Operations = append(row.Operations, c.Tool)
	}
	for _, said := range in.UserTurns {
		row.UserTurns = append(row.UserTurns, string(said.Kind))
		if contents {
			row.UserSaid = append(row.UserSaid, said.Text)
		}
	}
	if contents {
		row.Instruction = s.env.Instruction(in.Edit, in.Direction == results.Backward)
		row.Documents = vfs.Files(in.Output).Texts() // a picture is in base64
	}
	return row
}

// TurnFields are those of a completion.
type TurnFields struct {
	Turn int `json:"turn"` // from 1
	Usage
	Duration         float64  `json:"duration_s"`                     // in seconds
	Finish           []string `json:"gen_ai.response.finish_reasons"` // why the answer ended, as the server says
	Retries          int      `json:"retries"`                        // attempts before the one that was answered
	WastedPrompt     int      `json:"wasted_input_tokens"`            // tokens in of attempts whose answers could not be used
	WastedCompletion int      `json:"wasted_output_tokens"`           // tokens out of such attempts
	Without          string   `json:"settings_left_out"`              // settings that the server refused, separated by commas
	UserTurn         int      `json:"user_turn"`                      // from 1: which request of the user's the turn belongs to
	Compacted        string   `json:"compacted"`                      // how the conversation was made shorter before the turn; empty if it was not
	AsText           bool     `json:"calls_as_text"`                  // whether the model wrote its tool calls as JSON in the text, from where they were read
	Changed          int      `json:"files_changed"`                  // files that changed after an answer without calls
	Way              string   `json:"changed_by"`                     // how they changed: script, writing, editing or patch
	Text             *string  `json:"text,omitempty"`                 // what the model said; with contents only
	Thought          *string  `json:"reasoning,omitempty"`            // its reasoning, as far as the server gives it; with contents only
}

// CallFields are those of a tool call.
type CallFields struct {
	Turn      int      `json:"turn"`             // the completion that asked for the call, from 1
	Call      int      `json:"call"`             // from 1, over the interaction
	Tool      string   `json:"gen_ai.tool.name"` // the name of the tool
	Arguments []string `json:"argument_names"`   // the names of the arguments
	In        int      `json:"bytes_in"`         // size of the arguments
	Out       int      `json:"bytes_out"`        // size of the answer
	Changed   int      `json:"files_changed"`    // files that the call changed
	Way       string   `json:"changed_by"`       // script, writing, editing or patch; empty if it changed none, or that is not known
	Error     string   `json:"error.message"`    // empty if it succeeded
	Duration  float64  `json:"duration_s"`       // in seconds

	ArgumentsText *string `json:"gen_ai.tool.call.arguments,omitempty"` // the arguments as JSON; with contents only
	Answer        *string `json:"gen_ai.tool.call.result,omitempty"`    // what the tool answered; with contents only
}

// ReadFields are those of one reading of a file.
type ReadFields struct {
	File   string `json:"file"`             // its name
	Origin string `json:"origin"`           // document, distractor or created
	Tool   string `json:"gen_ai.tool.name"` // the tool that read it; prompt where all files stood in the prompt
}

// The rows that are no Interaction.
type (
	// Turn is a row for one completion.
	Turn struct {
		Key
		TurnFields
	}
	// Call is a row for one tool call.
	Call struct {
		Key
		CallFields
	}
	// Read is a row for one reading of a file.
	Read struct {
		Key
		ReadFields
	}
	// Trace is an interaction with all of its turns, calls and reads.
	Trace struct {
		Interaction
		// Messages are those that the model was sent and those that it answered, in the form of chat
		// completions; with contents only.
		Messages []chatMessage `json:"messages,omitempty"`
		TurnLog  []TurnFields  `json:"turns"`      // its completions
		CallLog  []CallFields  `json:"tool_calls"` // its tool calls
		ReadLog  []ReadFields  `json:"reads"`      // its readings of files
	}
)

// messages are those of the interaction's conversation; nil if they were not kept or are not wanted.
func (s source) messages() []chatMessage {
	if s.conversation == nil {
		return nil
	}
	return chatMessages(s.conversation.Messages)
}

func (s source) turns(contents bool) []TurnFields {
	rows := make([]TurnFields, len(s.in.Turns))
	for i, t := range s.in.Turns {
		rows[i] = TurnFields{
			Turn: i + 1, Usage: usage(t.Usage, t.UnknownAttempts), Duration: t.Duration.Seconds(), Finish: []string{t.Finish},
			Retries: t.Retries, WastedPrompt: t.WastedPrompt, WastedCompletion: t.WastedCompletion,
			Without: t.Without, AsText: t.AsText, Changed: t.Changed, Way: string(t.Way), UserTurn: t.UserTurn, Compacted: t.Compacted,
		}
		if contents {
			rows[i].Text, rows[i].Thought = t.Text, t.Thought
		}
	}
	return rows
}

func (s source) calls(contents bool) []CallFields {
	rows := make([]CallFields, len(s.in.ToolCalls))
	for i, c := range s.in.ToolCalls {
		rows[i] = CallFields{
			Turn: c.Turn, Call: i + 1, Tool: c.Tool, Arguments: c.ArgNames, In: c.In, Out: c.Out,
			Changed: c.Changed, Way: string(c.Way), Error: c.Error, Duration: c.Duration.Seconds(),
		}
		if contents {
			rows[i].ArgumentsText, rows[i].Answer = c.Arguments, c.Answer
		}
	}
	return rows
}

func (s source) reads() []ReadFields {
	rows := make([]ReadFields, len(s.in.Reads))
	for i, r := range s.in.Reads {
		rows[i] = ReadFields{r.File, r.Origin, r.Tool}
	}
	return rows
}
