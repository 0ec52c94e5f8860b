package export

import (
	"context"
	"encoding/json"
	"io"
	"slices"

	"agentd/domains/catalog"
	"agentd/environments"
	"agentd/models"
	"agentd/results"
	"agentd/results/record"
	"agentd/vfs"
)

// The parts of a conversation in the format of chat completions, which trainers read.
type (
	chatLine struct {
		Messages []chatMessage `json:"messages"`
		Tools    []chatTool    `json:"tools"`
		Source   chatSource    `json:"source"`
	}
	chatMessage struct {
		Role      models.Role `json:"role"`
		Content   string      `json:"content"`
		Reasoning string      `json:"reasoning_content,omitempty"`
		Calls     []chatCall  `json:"tool_calls,omitempty"`
		Answers   string      `json:"tool_call_id,omitempty"`
	}
	chatCall struct {
		ID       string       `json:"id"`
		Type     string       `json:"type"`
		Function chatFunction `json:"function"`
	}
	chatFunction struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	}
	chatTool struct {
		Type     string      `json:"type"`
		Function models.Tool `json:"function"`
	}
	chatSource struct {
		Key
		Model       string   `json:"model"`
		Policy      string   `json:"policy"`
		Environment string   `json:"environment"`
		Domain      string   `json:"domain"`
		Edit        string   `json:"edit"`
		Direction   string   `json:"direction"`
		Forward     *float64 `json:"forward"`
	}
)

func chatTools(tools []models.Tool) []chatTool {
	all := make([]chatTool, len(tools))
	for i, tool := range tools {
		all[i] = chatTool{"function", tool}
	}
	return all
}

func chatMessages(messages []models.Message) []chatMessage {
	all := make([]chatMessage, len(messages))
	for i, m := range messages {
		all[i] = chatMessage{Role: m.Role, Content: m.Content, Reasoning: m.Reasoning, Answers: m.ToolCallID}
		for _, call := range m.ToolCalls {
			all[i].Calls = append(all[i].Calls, chatCall{call.ID, "function", chatFunction{call.Name, call.Arguments}})
		}
	}
	return all
}

// WriteConversations writes the conversations of round trips that were carried out and restored
// the document exactly (domains.Review.Same), each as a line of JSON in the format of chat completions. It
// omits conversations that were shortened, and those about pictures: what was stored of them is not
// what the model was sent. If the interactions of a relay share a conversation, it is written once,
// up to the first round trip that is not exact.
func WriteConversations(ctx context.Context, w io.Writer, store *results.Store, experiment results.Experiment) (counts Counts, err error) {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	err = eachRelay(ctx, store, experiment, func(relay []source) error {
		talks, err := talksOf(ctx, store, &experiment.Manifest, relay[0].relay)
		if err != nil {
			return err
		}
		for _, s := range chosen(relay, talks.env, experiment.Manifest.Conversation == carried, &counts) {
			lines := s.lines(talks.of(s.in))
			if lines == nil {
				counts.NotKept++
			}
			for _, line := range lines {
				counts.Written++
				if err := out.Encode(line); err != nil {
					return err
				}
			}
		}
		return nil
	})
	return counts, err
}

// restored reports whether a backward step gave the seed back. Without the environment or its domain, Strict alone says it.
func restored(env *environments.Environment, in *results.Interaction) bool {
	if in.Score == nil || in.Score.Strict != 1 {
		return false
	}
	if env == nil || env.Seed.Equal(in.Output) {
		return true
	}
	d, built := catalog.Lookup(env.Domain)
	return !built || env.Apply(d).Against(env.Seed).Review(in.Output).Same()
}

// chosen are the interactions of a relay on an environment whose conversations are written.
func chosen(relay []source, env *environments.Environment, together bool, counts *Counts) []source {
	var all []source
	whole := true // so far
	for i, backward := range relay {
		trip := backward.trip
		if backward.in != trip.Backward || trip.Forward == nil || !backward.asked() {
			continue
		}
		counts.Trips++
		forward, done := relay[i-1], trip.Executed()
		if !exact(trip.Forward) || !exact(trip.Backward) || !restored(env, trip.Backward) || done == nil || !*done {
			whole = false
			continue
		}
		if together && !whole {
			continue
		}
		counts.Exact++
		if together {
			all = all[:0] // the later conversation holds the earlier one
		} else {
			all = append(all, forward)
		}
		all = append(all, backward)
	}
	return all
}

// exact reports whether what was kept of an interaction can be what the model was sent and did.
func exact(in *results.Interaction) bool {
	return in.Failure == "" && !vfs.Files(in.Output).HasBinary() &&
		!slices.ContainsFunc(in.Turns, func(t record.Turn) bool { return t.Compacted != "" })
}

// lines are the conversations of an interaction; nil if they were not kept.
func (s source) lines(found *talk) []chatLine {
	if found == nil || found.kept == nil {
		return nil
	}
	var lines []chatLine
	add := func(messages []models.Message, tools []models.Tool) {
		last := len(messages)
		for last > 0 && messages[last-1].Role != models.Assistant {
			last-- // what follows the last answer of the model teaches nothing
		}
		if last > 0 {
			lines = append(lines, chatLine{chatMessages(messages[:last]), chatTools(tools), s.chatSource()})
		}
	}
	add(found.kept.Messages, found.kept.Tools)
	for _, aside := range found.kept.Asides {
		add(aside.Messages, aside.Tools)
	}
	return lines
}

func (s source) chatSource() chatSource {
	return chatSource{
		Key: s.key(), Model: s.relay.Model, Policy: s.relay.Policy, Environment: s.relay.Environment, Domain: s.relay.Domain,
		Edit: s.in.Edit, Direction: string(s.in.Direction), Forward: s.in.Forward,
	}
}
