// Package export writes stored results in the forms that other programs read:
// rows as JSON lines, CSV or Parquet, the published code's result files, and
// spans of OpenTelemetry. Fields that the semantic conventions for generative AI
// name have their names (gen_ai.request.model); a cost that is unknown has no
// value, never 0.
package export

import (
	"time"

	"agentd/results"
	"agentd/vfs"
)

// source is an interaction with its relay and experiment.
type source struct {
	experiment string
	relay      results.Relay
	in         *results.Interaction
}

// Key says which interaction a row belongs to.
type Key struct {
	Experiment string `json:"experiment"`
	Relay      int64  `json:"relay"`
	Number     int    `json:"interaction"` // from 1
}

// Usage counts tokens. Cached and Written, to a cache, are part of Input, Reasoning of Output.
type Usage struct {
	Input     int      `json:"gen_ai.usage.input_tokens"`
	Cached    int      `json:"gen_ai.usage.cache_read.input_tokens"`
	Written   int      `json:"gen_ai.usage.cache_creation.input_tokens"`
	Output    int      `json:"gen_ai.usage.output_tokens"`
	Reasoning int      `json:"gen_ai.usage.reasoning.output_tokens"`
	Cost      *float64 `json:"cost_usd"` // nil if unknown
	// UnknownAttempts may have been charged for beyond the cost.
	UnknownAttempts int `json:"unknown_attempts"`
}

// Interaction is a row of an interaction. Scores are nil where there are none.
type Interaction struct {
	Key
	Model       string `json:"gen_ai.request.model"` // empty for policies without one
	Policy      string `json:"gen_ai.agent.name"`
	Environment string `json:"environment"`
	Domain      string `json:"domain"`
	Repeat      int    `json:"repeat"`
	RoundTrip   int    `json:"round_trip"` // from 1
	Direction   string `json:"direction"`
	Edit        string `json:"edit"`

	Started  string  `json:"started"` // RFC 3339, UTC
	Duration float64 `json:"duration_s"`
	Ending   string  `json:"ending"`
	Failure  string  `json:"error.type"` // empty if it did not fail
	Detail   string  `json:"error.message"`
	Usage

	Value   *float64 `json:"rs"`
	Strict  *float64 `json:"strict"`
	Forward *float64 `json:"forward"`
	// Executed says whether a forward step was carried out; null for others. Unscored is
	// why there is no score, empty if nothing stands against one. ForwardValue is the
	// published score of a forward step, which only programs have.
	Executed     *bool              `json:"executed"`
	Unscored     string             `json:"unscored"`
	ForwardValue *float64           `json:"forward_rs"`
	Unreadable   bool               `json:"unreadable"`  // to the published reader, not to Strict
	Approximate  string             `json:"approximate"` // limits on work that acted on rs, strict or forward
	Components   map[string]float64 `json:"components"`
	Reference    *int               `json:"reference_elements"`
	Candidate    *int               `json:"candidate_elements"`
	Problem      string             `json:"problem"`
	// Judge is the model whose opinion Value is, empty if it is computed; Fallback
	// the similarity of texts, where only a judge could have found Value and none did.
	Judge     string   `json:"judge"`
	Fallback  *float64 `json:"fallback"`
	Asked     int      `json:"judge_asked"` // completions
	JudgeCost *float64 `json:"judge_cost_usd"`

	UserTurns       []string `json:"user_turns"` // the kind of each request of the user's, where there may be several
	Turns           int      `json:"turn_count"`
	Calls           int      `json:"call_count"`
	Operations      []string `json:"operations"`      // names of tools, in order
	PublishedTools  bool     `json:"published_tools"` // of the published harness, not ours
	Scripts         int      `json:"scripts_that_changed_files"`
	Writes          int      `json:"writes_that_changed_files"`
	Edits           int      `json:"edits_that_changed_files"`
	Patches         int      `json:"patches_that_changed_files"` // of the edits
	Distractors     int      `json:"distractors"`
	DistractorsRead int      `json:"distractors_read"`
	Strays          []string `json:"strays"`

	UserSaid  []string          `json:"user_said,omitempty"` // the texts of user_turns, with contents only
	Documents map[string]string `json:"documents,omitempty"` // with contents only
}

func (s source) key() Key { return Key{s.experiment, s.relay.ID, s.in.Number} }

func usage(u results.Usage, unknown int) Usage {
	return Usage{u.Prompt, u.Cached, u.CacheWrite, u.Completion, u.Reasoning, u.Cost, unknown}
}

func (s source) interaction(contents bool) Interaction {
	r, in := s.relay, s.in
	row := Interaction{
		Key: s.key(), Model: r.Model, Policy: r.Policy, Environment: r.Environment, Domain: r.Domain, Repeat: r.Repeat,
		RoundTrip: (in.Number + 1) / 2, Direction: string(in.Direction), Edit: in.Edit,
		Started: in.Started.UTC().Format(time.RFC3339Nano), Duration: in.Duration.Seconds(),
		Ending: in.Ending, Failure: in.Failure, Detail: in.Detail,
		Usage: usage(in.Usage, in.UnknownAttempts), Forward: in.Forward,
		Executed: in.Executed, Unscored: string(in.Unscored), ForwardValue: in.ForwardValue, Approximate: in.Approximate,
		Turns: len(in.Turns), Calls: len(in.ToolCalls), Scripts: in.Use.Scripts, Writes: in.Use.Writes, Edits: in.Use.Edits, Patches: in.Use.Patches,
		Distractors: in.Distractors, DistractorsRead: in.Use.DistractorsRead, Strays: in.Strays,
		PublishedTools: in.PublishedTools,
		Asked:          in.Judging.Asked, JudgeCost: in.Judging.Cost,
	}
	if score := in.Score; score != nil {
		row.Value, row.Strict, row.Components, row.Problem = &score.Value, &score.Strict, score.Components, score.Problem
		row.Reference, row.Candidate, row.Judge = &score.Reference, &score.Candidate, score.Judge
		row.Unreadable = score.Unreadable
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
		row.Documents = vfs.Files(in.Output).Texts() // a picture is in base64
	}
	return row
}

// TurnFields are those of a completion.
type TurnFields struct {
	Turn int `json:"turn"` // from 1
	Usage
	Duration         float64  `json:"duration_s"`
	Finish           []string `json:"gen_ai.response.finish_reasons"`
	Retries          int      `json:"retries"`
	WastedPrompt     int      `json:"wasted_input_tokens"`
	WastedCompletion int      `json:"wasted_output_tokens"`
	Without          string   `json:"settings_left_out"` // that the server refused, with commas
	UserTurn         int      `json:"user_turn"`         // from 1: which request of the user's the turn belongs to
	Compacted        string   `json:"compacted"`         // how the conversation was made shorter before the turn; empty if it was not
	Changed          int      `json:"files_changed"`     // after an answer without calls
	Way              string   `json:"changed_by"`        // likewise
	Text             *string  `json:"text,omitempty"`    // with contents only
	Thought          *string  `json:"reasoning,omitempty"`
}

// CallFields are those of a tool call.
type CallFields struct {
	Turn      int      `json:"turn"`
	Call      int      `json:"call"` // from 1, over the interaction
	Tool      string   `json:"gen_ai.tool.name"`
	Arguments []string `json:"argument_names"`
	In        int      `json:"bytes_in"`
	Out       int      `json:"bytes_out"`
	Changed   int      `json:"files_changed"`
	Way       string   `json:"changed_by"`    // script, writing, editing or patch; empty if it changed none, or that is not known
	Error     string   `json:"error.message"` // empty if it succeeded
	Duration  float64  `json:"duration_s"`
	// With contents only:
	ArgumentsText *string `json:"gen_ai.tool.call.arguments,omitempty"`
	Answer        *string `json:"gen_ai.tool.call.result,omitempty"`
}

// ReadFields are those of one reading of a file.
type ReadFields struct {
	File   string `json:"file"`
	Origin string `json:"origin"` // document, distractor or created
	Tool   string `json:"gen_ai.tool.name"`
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
		TurnLog []TurnFields `json:"turns"`
		CallLog []CallFields `json:"tool_calls"`
		ReadLog []ReadFields `json:"reads"`
	}
)

func (s source) turns(contents bool) []TurnFields {
	rows := make([]TurnFields, len(s.in.Turns))
	for i, t := range s.in.Turns {
		rows[i] = TurnFields{
			Turn: i + 1, Usage: usage(t.Usage, t.UnknownAttempts), Duration: t.Duration.Seconds(), Finish: []string{t.Finish},
			Retries: t.Retries, WastedPrompt: t.WastedPrompt, WastedCompletion: t.WastedCompletion,
			Without: t.Without, Changed: t.Changed, Way: t.Way, UserTurn: t.UserTurn, Compacted: t.Compacted,
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
			Turn: c.Turn, Call: i + 1, Tool: c.Tool, Arguments: c.Arguments, In: c.In, Out: c.Out,
			Changed: c.Changed, Way: c.Way, Error: c.Error, Duration: c.Duration.Seconds(),
		}
		if contents {
			rows[i].ArgumentsText, rows[i].Answer = c.ArgumentsText, c.Answer
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
