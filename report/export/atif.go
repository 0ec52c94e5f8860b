package export

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"agentd/models"
	"agentd/results"
)

// atifVersion is the version of the Agent Trajectory Interchange Format that is written.
const atifVersion = "ATIF-v1.8"

// The parts of a trajectory, as the format has them.
type (
	trajectory struct {
		Schema     string           `json:"schema_version"`
		Session    string           `json:"session_id"`
		Trajectory string           `json:"trajectory_id"`
		Agent      atifAgent        `json:"agent"`
		Steps      []atifStep       `json:"steps"`
		Notes      string           `json:"notes,omitempty"`
		Final      atifFinalMetrics `json:"final_metrics"`
		Extra      atifExtra        `json:"extra"`
	}
	atifAgent struct {
		Name    string            `json:"name"`
		Version string            `json:"version"`
		Model   string            `json:"model_name,omitempty"`
		Tools   []chatTool        `json:"tool_definitions,omitempty"`
		Extra   map[string]string `json:"extra"`
	}
	atifStep struct {
		ID          int              `json:"step_id"`
		Timestamp   string           `json:"timestamp,omitempty"`
		Source      string           `json:"source"`
		Message     string           `json:"message"`
		Reasoning   string           `json:"reasoning_content,omitempty"`
		Calls       []atifCall       `json:"tool_calls,omitempty"`
		Observation *atifObservation `json:"observation,omitempty"`
		Metrics     *atifMetrics     `json:"metrics,omitempty"`
		Copied      bool             `json:"is_copied_context,omitempty"`
		Inferences  *int             `json:"llm_call_count,omitempty"`
		Extra       *TurnFields      `json:"extra,omitempty"`
	}
	atifCall struct {
		ID        string            `json:"tool_call_id"`
		Name      string            `json:"function_name"`
		Arguments map[string]any    `json:"arguments"`
		Extra     map[string]string `json:"extra,omitempty"`

		id string // that the model gave it
	}
	atifObservation struct {
		Results []atifResult `json:"results"`
	}
	atifResult struct {
		Call    string `json:"source_call_id,omitempty"`
		Content string `json:"content"`
	}
	atifMetrics struct {
		Prompt     int      `json:"prompt_tokens"`
		Completion int      `json:"completion_tokens"`
		Cached     int      `json:"cached_tokens"`
		Cost       *float64 `json:"cost_usd,omitempty"`
	}
	atifFinalMetrics struct {
		Prompt     int      `json:"total_prompt_tokens"`
		Completion int      `json:"total_completion_tokens"`
		Cached     int      `json:"total_cached_tokens"`
		Cost       *float64 `json:"total_cost_usd,omitempty"`
		Steps      int      `json:"total_steps"`
	}
	// atifExtra is what the format has no member for: the row of the interaction.
	atifExtra struct {
		Interaction Interaction `json:"interaction"`
	}
)

// Notes of trajectories.
const (
	noteRebuilt = "The messages were not kept, only what the model said and what went through its tools: the request is the edit's instruction, without the policy's prompts and tools. "
	noteShorter = "The conversation was made shorter before one of its requests: the steps are what the last request held, and single steps have no metrics."
)

// Counts counts what an export of conversations has written.
type Counts struct {
	Written int // conversations
	NotKept int // that could not be written, since the run did not keep what was said
	Trips   int // round trips that are stored
	Exact   int // those of them that are written, or would be if they were kept
}

// WriteTrajectories writes the conversation of each interaction with a model as a line of JSON: a
// trajectory of the Agent Trajectory Interchange Format (ATIF). Trajectories of a relay have its
// session. Where its interactions share a conversation, steps of earlier ones are marked as copied.
func WriteTrajectories(ctx context.Context, w io.Writer, store *results.Store, experiment results.Experiment) (counts Counts, err error) {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	err = eachRelay(ctx, store, experiment, func(relay []source) error {
		talks, err := talksOf(ctx, store, &experiment.Manifest, relay[0].relay)
		if err != nil {
			return err
		}
		for _, s := range relay {
			found := talks.of(s.in)
			switch {
			case found != nil:
				counts.Written++
				if err := out.Encode(s.trajectory(experiment.ID, found)); err != nil {
					return err
				}
			case s.asked():
				counts.NotKept++
			}
		}
		return nil
	})
	return counts, err
}

// asked reports whether a model has answered in the interaction.
func (s source) asked() bool {
	for i := range s.in.Turns {
		if s.in.Turns[i].Answered() {
			return true
		}
	}
	return false
}

func (s source) trajectory(experiment string, found *talk) trajectory {
	session := fmt.Sprintf("%s-relay-%d", experiment, s.relay.ID)
	t := trajectory{
		Schema: atifVersion, Session: session, Trajectory: fmt.Sprintf("%s-interaction-%d", session, s.in.Number),
		Agent: atifAgent{s.relay.Policy, s.manifest.Version, s.relay.Model, chatTools(found.tools), map[string]string{"harness": "agentd"}},
		Steps: s.steps(found),
		Final: atifFinalMetrics{s.in.Prompt, s.in.Completion, s.in.Cached, s.in.Cost, 0},
		Extra: atifExtra{s.interaction(false)},
	}
	t.Final.Steps = len(t.Steps)
	if found.kept == nil {
		t.Notes = noteRebuilt
	}
	for i := range s.in.Turns {
		if s.in.Turns[i].Compacted != "" {
			t.Notes += noteShorter
			break
		}
	}
	return t
}

// steps are the messages of a conversation; the answers of tools belong to the step that called
// them. Only the beginning of an interaction is stored, so no later step has a time.
func (s source) steps(found *talk) []atifStep {
	var steps []atifStep
	turns := s.turns(false)
	for i, m := range found.said {
		if m.Role == models.ToolRole && len(steps) > 0 {
			steps[len(steps)-1].answered(m.Message)
			continue
		}
		step := atifStep{ID: len(steps) + 1, Source: string(m.Role), Message: m.Content, Copied: m.copied}
		if !m.copied && (i == 0 || found.said[i-1].copied) {
			step.Timestamp = s.in.Started.UTC().Format(time.RFC3339Nano)
		}
		if m.Role == models.Assistant {
			step.Source, step.Reasoning, step.Calls = "agent", m.Reasoning, atifCalls(m.ToolCalls)
			step.Inferences = new(1)
			if m.turn > 0 {
				u := turns[m.turn-1].Usage
				step.Metrics, step.Extra = &atifMetrics{u.Input, u.Output, u.Cached, u.Cost}, &turns[m.turn-1]
			} else if found.kept == nil {
				step.Inferences = new(0)
			}
		}
		steps = append(steps, step)
	}
	return steps
}

// atifCalls are tool calls whose ids differ.
func atifCalls(calls []models.ToolCall) []atifCall {
	var all []atifCall
	taken := map[string]bool{}
	for i, call := range calls {
		c := atifCall{ID: call.ID, Name: call.Name, id: call.ID}
		if c.ID == "" || taken[c.ID] {
			c.ID = fmt.Sprintf("%s#%d", call.ID, i+1)
		}
		taken[c.ID] = true
		if json.Unmarshal([]byte(call.Arguments), &c.Arguments) != nil || c.Arguments == nil {
			c.Arguments = map[string]any{}
			if call.Arguments != "" {
				c.Extra = map[string]string{"arguments_text": call.Arguments} // they are no JSON object
			}
		}
		all = append(all, c)
	}
	return all
}

// answered adds the answer of a tool to the step: of the first call with its id that has none yet.
func (s *atifStep) answered(m models.Message) {
	if s.Observation == nil {
		s.Observation = &atifObservation{}
	}
	result := atifResult{Content: m.Content}
	for _, call := range s.Calls {
		if call.id == m.ToolCallID && !s.Observation.has(call.ID) {
			result.Call = call.ID
			break
		}
	}
	s.Observation.Results = append(s.Observation.Results, result)
}

func (o *atifObservation) has(call string) bool {
	for _, result := range o.Results {
		if result.Call == call {
			return true
		}
	}
	return false
}
