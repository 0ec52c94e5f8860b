package export

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"agentd/results"
	"agentd/vfs"
	"agentd/vfs/fenced"
)

// startState is the name of the first state in nearly all published environments. The names
// that the others use are not stored.
const startState = "basic_state"

// publishedRow is a line of the published code's result files.
type publishedRow struct {
	SampleID    string         `json:"sample_id"`
	SampleType  string         `json:"sample_type"`
	ResponseID  string         `json:"response_id"`
	ModelName   string         `json:"model_name"`
	Timestamp   string         `json:"timestamp"`
	Response    string         `json:"raw_llm_response"`
	TargetState string         `json:"target_state_id"`
	StartState  string         `json:"initial_state_id"`
	Evaluation  map[string]any `json:"evaluation"`
	StateChain  []string       `json:"state_chain"`
	IDChain     []string       `json:"rid_chain"`
	RoundTrip   int            `json:"round_trip_num"`
	Direction   string         `json:"round_trip_direction"`
	Retries     int            `json:"num_retries"`
	Latency     float64        `json:"llm_latency"` // seconds
	Prompt      int            `json:"prompt_tokens"`
	Completion  int            `json:"completion_tokens"`
	Reasoning   int            `json:"reasoning_tokens"`
	Total       int            `json:"total_tokens"`
	Cost        *float64       `json:"total_usd"` // null if unknown
	Distractors bool           `json:"distractor_included"`
	*publishedTools
}

// publishedTools are the fields of the rows of policies with tools alone.
type publishedTools struct {
	Turns      int             `json:"agentic_num_turns"`
	Calls      int             `json:"agentic_num_tool_calls"`
	ToolCalls  []publishedCall `json:"agentic_tool_calls"`
	Operations []string        `json:"agentic_operation_sequence"`
	Finished   bool            `json:"agentic_finished_cleanly"`
	FilesRead  []string        `json:"agentic_files_read"`
}

type publishedCall struct {
	Tool string   `json:"tool"`
	Turn int      `json:"turn"`
	Keys []string `json:"args_keys"`
}

// WritePublished writes an experiment into a folder as the published code does:
// results_DOMAIN_MODEL.jsonl, where a policy other than direct editing stands before the
// model, as in agentic-gpt-5.4. A file that is there already is an error that wraps
// fs.ErrExist. If anything fails, what was written is removed.
func WritePublished(ctx context.Context, dir string, store *results.Store, experiment results.Experiment) (err error) {
	out, err := newPublishedFiles(dir)
	if err != nil {
		return fmt.Errorf("exporting: %w", err)
	}
	var chain publishedRow
	err = each(ctx, store, experiment, false, func(s source) error {
		if s.in.Number == 1 {
			chain = publishedRow{}
		}
		chain = s.published(chain)
		return out.write(chain)
	})
	return errors.Join(err, out.close(err == nil))
}

// publishedFiles are the files of an export, by their names. The names come from
// what is stored, so nothing outside of the folder is written.
type publishedFiles struct {
	dir   *os.Root
	files map[string]*os.File
}

func newPublishedFiles(dir string) (*publishedFiles, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	return &publishedFiles{root, map[string]*os.File{}}, err
}

func (p *publishedFiles) write(row publishedRow) error {
	name := fmt.Sprintf("results_%s_%s.jsonl", row.SampleType, strings.NewReplacer("_", "-", "/", "").Replace(row.ModelName))
	if p.files[name] == nil {
		if err := vfs.CleanName(name); err != nil {
			return fmt.Errorf("exporting: %w", err)
		}
		file, err := p.dir.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if err != nil {
			return fmt.Errorf("exporting: %w; move it away, or choose another folder", err)
		}
		p.files[name] = file
	}
	return json.NewEncoder(p.files[name]).Encode(row)
}

// close keeps the files or removes them.
func (p *publishedFiles) close(keep bool) error {
	var failed error
	for name, file := range p.files {
		failed = errors.Join(failed, file.Close())
		if !keep {
			failed = errors.Join(failed, p.dir.Remove(name))
		}
	}
	return errors.Join(failed, p.dir.Close())
}

func (s source) published(before publishedRow) publishedRow {
	r, in := s.relay, s.in
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %d %d", s.experiment, r.ID, in.Number))
	row := publishedRow{
		SampleID: r.Environment, SampleType: r.Domain, ResponseID: hex.EncodeToString(sum[:12]),
		ModelName: s.publishedModel(), Timestamp: in.Started.Format("2006-01-02_15-04-05"), Response: fenced.Format(in.Output, in.Output.Names()),
		TargetState: in.Edit, StartState: startState, Evaluation: evaluation(in),
		RoundTrip: s.trip.Number, Direction: string(in.Direction), Retries: 1,
		Prompt: in.Prompt, Completion: in.Completion, Reasoning: in.Reasoning, Total: in.Prompt + in.Completion, Cost: in.Cost,
		Distractors: in.Distractors > 0,
	}
	if in.Direction == results.Backward {
		row.TargetState = startState
	}
	row.StateChain = append(before.StateChain, row.TargetState)
	row.IDChain = append(before.IDChain, row.ResponseID)
	for _, t := range in.Turns {
		row.Latency += t.Duration.Seconds()
	}
	if !s.manifest.TraitsOf(r.Policy).Tools {
		return row
	}
	tools := &publishedTools{Turns: len(in.Turns), Calls: len(in.ToolCalls), Finished: in.Ending == "finished" || in.Ending == "stopped",
		ToolCalls: []publishedCall{}, Operations: []string{}, FilesRead: []string{}} // lists, as published, where they are empty too
	for _, c := range in.ToolCalls {
		tools.ToolCalls = append(tools.ToolCalls, publishedCall{c.Tool, c.Turn, append([]string{}, c.ArgNames...)})
		tools.Operations = append(tools.Operations, c.Tool)
	}
	for _, read := range in.Reads {
		if read.Tool == "read_file" {
			tools.FilesRead = append(tools.FilesRead, read.File)
		}
	}
	row.publishedTools = tools
	return row
}

// publishedModel is the model's name, with the policy's before it unless it is the experiment's
// way of direct editing.
func (s source) publishedModel() string {
	if s.relay.Policy == s.manifest.Baseline() {
		return s.relay.Model
	}
	return strings.TrimSuffix(s.relay.Policy+"-"+s.relay.Model, "-")
}

// evaluation is the score with its components, or the reason why there is none. For a forward
// step it also has agentd's own score, if the step was compared with its exact program.
func evaluation(in *results.Interaction) map[string]any {
	found := map[string]any{}
	switch {
	case in.Score != nil:
		for name, value := range in.Score.Components {
			found[name] = value
		}
		found["score"] = in.Score.RS
		if in.Score.Problem != "" {
			found["error"] = in.Score.Problem
		}
	case in.Fallback != nil:
		found["error"] = in.Fallback.Problem
	case in.ForwardRS != nil:
		found["score"] = *in.ForwardRS
	case in.Unscored != "":
		found["error"] = string(in.Unscored)
	case in.Failure != "":
		found["error"] = in.Failure
	}
	if in.Forward != nil {
		found["forward_score"] = *in.Forward
	}
	return found
}
