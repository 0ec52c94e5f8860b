package models

import (
	"cmp"
	"fmt"
	"maps"
	"strings"

	"github.com/sashabaranov/go-openai"

	"agentd/models/wire"
)

// asked is what a server is asked: the spec's settings come first, then those of the terms,
// another client's, and the usual ones.
func (d *dialect) asked(req Request, without wire.Omissions) (*wire.Request, error) {
	spec, profile := &d.spec, &d.profile
	r := &wire.Request{
		Model: spec.Model, Messages: d.conversation(&req), Tools: req.Tools, Settings: req.Settings, Stream: spec.Stream || req.Stream,
		Draws: req.Draws, Body: spec.Body, Without: without, Recall: req.Recall,
	}
	switch usual := 1.0; {
	case spec.Temperature != nil:
		r.Temperature, r.Usual = spec.Temperature, false
	case without.Has(wire.SettingTemperature) || !profile.takesTemperature():
		r.Temperature = nil
	default:
		r.Temperature, r.Usual = cmp.Or(r.Temperature, &usual), true
	}
	r.LimitField, r.MostOutput = spec.MaxOutputField, profile.MaxOutput
	if r.MaxOutput, r.Fixed = cmp.Or(spec.MaxOutput, req.Terms.MaxOutput, r.MaxOutput), spec.MaxOutput > 0; !r.Fixed && r.MostOutput > 0 {
		r.MaxOutput = min(r.MaxOutput, r.MostOutput)
	}
	if spec.ParallelTools != nil {
		r.Parallel = spec.ParallelTools
	}
	if without.Has(wire.SettingParallel) {
		r.Parallel = nil
	}
	if r.Seed = nil; spec.Seeded && !without.Has(wire.SettingSeed) {
		r.Seed = &req.Seed
	}
	d.askForm(r)
	return r, d.askReasoning(r)
}

// askReasoning says how much the model is to reason, and what of that is wanted.
func (d *dialect) askReasoning(r *wire.Request) (err error) {
	r.Effort = cmp.Or(d.spec.Reasoning, r.Effort)
	r.Reasons = d.profile.reasons() || r.Effort != ""
	r.Summary = r.Reasons && !r.Without.Has(wire.SettingSummary)
	r.Encrypted = r.Reasons && !r.Without.Has(wire.SettingEncrypted)
	r.Budget = 0
	inTokens := d.profile.Thinking == "budget" && (d.spec.API == Messages || d.spec.API == Gemini)
	if inTokens && r.Effort != "" && r.Effort != "none" {
		r.Budget, err = budgetOf(r.Effort)
	}
	return err
}

// askForm takes the form of an answer, which a spec has in the words of chat completions,
// out of the body for other dialects.
func (d *dialect) askForm(r *wire.Request) {
	if value, said := r.Body[wire.SettingFormat]; said && d.spec.API != Chat {
		r.Body = maps.Clone(r.Body)
		delete(r.Body, wire.SettingFormat)
		if form, _ := value.(map[string]any); form["type"] == string(openai.ChatCompletionResponseFormatTypeJSONObject) {
			r.Format = &wire.Format{}
		}
	}
	if r.Without.Has(wire.SettingFormat) {
		r.Format = nil
	}
}

// budgetOf is what an effort stands for with a model that takes a number of tokens.
func budgetOf(effort string) (int, error) {
	switch effort {
	case "minimal":
		return 1024, nil
	case "low":
		return 4096, nil
	case "medium":
		return 10_240, nil
	case "high":
		return 24_576, nil
	}
	return 0, fmt.Errorf("reasoning %q is none of minimal, low, medium and high, which the model takes", effort)
}

// conversation is a request's messages as the model takes them: with what the server sent of
// turns that another client repeats, and without system messages if it knows none.
func (d *dialect) conversation(req *Request) []Message {
	for i := range req.Messages {
		if m := &req.Messages[i]; m.Role == Assistant && m.Replay == nil && req.Recall != nil {
			m.Replay = req.Recall(m.Content, m.ToolCalls)
		}
	}
	if d.spec.NoSystem {
		return foldSystem(req.Messages)
	}
	return req.Messages
}

// foldSystem puts what system messages say before the user's next message, or makes
// one of it.
func foldSystem(messages []Message) []Message {
	var system strings.Builder
	folded := make([]Message, 0, len(messages))
	for _, m := range messages {
		switch {
		case m.Role == System:
			if text := m.Text(""); text != "" {
				system.WriteString(text + "\n\n")
			}
			continue
		case m.Role == User && system.Len() > 0:
			m.Content, m.Written = system.String()+m.Content, nil
			system.Reset()
		}
		folded = append(folded, m)
	}
	if system.Len() > 0 { // there is no user's to put it before
		folded = append(folded, Message{Role: User, Content: strings.TrimSpace(system.String())})
	}
	return folded
}
