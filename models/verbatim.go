package models

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
)

// The request of another client, in the dialect of the model's server: its members stay as
// they are written, and what the experiment sets is laid over them.

// maxLaidOver bounds an object into which members are laid, in bytes: it is decoded.
const maxLaidOver = 256 << 10

// lay lays members over others: objects into objects, nil in place of what is to be left
// out, all else in place of what is there.
func lay(members map[string]json.RawMessage, over map[string]any) error {
	for name, value := range over {
		if value == nil {
			delete(members, name)
			continue
		}
		into, ok := value.(map[string]any)
		if !ok {
			raw, err := writeJSON(value)
			if err != nil {
				return err
			}
			members[name] = raw
			continue
		}
		if len(members[name]) > maxLaidOver {
			return fmt.Errorf("the member %s has more than %d bytes", name, maxLaidOver)
		}
		inside := map[string]json.RawMessage{}
		if bytes.HasPrefix(members[name], []byte("{")) {
			if err := json.Unmarshal(members[name], &inside); err != nil {
				return fmt.Errorf("reading the member %s: %w", name, err)
			}
		}
		if err := lay(inside, into); err != nil {
			return err
		}
		raw, err := writeMembers(inside, false)
		if err != nil {
			return err
		}
		members[name] = raw
	}
	return nil
}

// laid returns a request with members over it, and the spec's own over those.
func (e *envelope) laid(req Request, over map[string]any) (map[string]json.RawMessage, error) {
	all := maps.Clone(req.Members)
	if err := lay(all, over); err != nil {
		return nil, err
	}
	return all, lay(all, e.spec.Body)
}

// putTemperature says which temperature is laid over a request with one of its own.
// reasoning says that the model reasons, which leaves no choice.
func (e *envelope) putTemperature(over map[string]any, own json.RawMessage, without omissions, reasoning bool) {
	const name = settingTemperature
	switch {
	case e.spec.Temperature != nil:
		over[name] = *e.spec.Temperature
	case without.has(name) || !e.profile.takesTemperature():
		over[name] = nil
	case own == nil && !reasoning:
		over[name] = 1.0
	}
}

// limitOver is the output limit to be laid over a request, in tokens; 0 for its own.
func (e *envelope) limitOver(terms Terms) int {
	if e.spec.MaxOutput > 0 {
		return e.spec.MaxOutput
	}
	if most := e.profile.MaxOutput; most > 0 {
		return min(terms.MaxOutput, most)
	}
	return terms.MaxOutput
}

// overlay writes a request in this dialect.
func (m *messages) overlay(req Request, without omissions) ([]byte, error) {
	over := map[string]any{"model": m.spec.Model, "stream": req.Stream}
	own := 0
	_ = json.Unmarshal(req.Members["max_tokens"], &own) // what is no number is none
	limit := cmp.Or(m.limitOver(req.Terms), own, m.profile.MaxOutput, usualMaxTokens)
	over["max_tokens"] = limit
	thinking, effort, err := m.thinking(limit)
	if err != nil {
		return nil, err
	}
	if thinking != nil {
		over["thinking"] = thinking
	}
	if effort != nil {
		over["output_config"] = effort
	}
	m.putTemperature(over, req.Members["temperature"], without, thinking != nil || req.Members["thinking"] != nil)
	if p := m.spec.ParallelTools; p != nil && req.Members["tools"] != nil && !without.has(settingParallel) {
		choice := map[string]any{"disable_parallel_tool_use": !*p}
		if req.Members["tool_choice"] == nil {
			choice["type"] = "auto"
		}
		over["tool_choice"] = choice
	}
	all, err := m.laid(req, over)
	if err != nil {
		return nil, err
	}
	// It is refused where there is no thinking to be cleared.
	if all["thinking"] == nil && bytes.Contains(all["context_management"], []byte("clear_thinking")) {
		delete(all, "context_management")
	}
	return writeMembers(all, false)
}

// overlay writes a request in this dialect. Nothing is stored at the server.
func (r *responses) overlay(req Request, without omissions) ([]byte, error) {
	over := map[string]any{"model": r.spec.Model, "stream": req.Stream, "store": false}
	if limit := r.limitOver(req.Terms); limit > 0 {
		over["max_output_tokens"] = limit
	}
	if r.spec.Reasoning != "" {
		over["reasoning"] = map[string]any{"effort": r.spec.Reasoning}
	}
	r.putTemperature(over, req.Members["temperature"], without, r.profile.reasons() || r.spec.Reasoning != "" || req.Members["reasoning"] != nil)
	if p := r.spec.ParallelTools; p != nil && req.Members["tools"] != nil && !without.has(settingParallel) {
		over["parallel_tool_calls"] = *p
	}
	all, err := r.laid(req, over)
	if err != nil {
		return nil, err
	}
	return writeMembers(all, false)
}

// overlay writes a request in this dialect.
func (g *gemini) overlay(req Request, without omissions) ([]byte, error) {
	var own struct {
		Temperature json.RawMessage `json:"temperature"`
	}
	if raw := req.Members["generationConfig"]; len(raw) <= maxLaidOver {
		_ = json.Unmarshal(raw, &own) // what is no object has none
	}
	config := map[string]any{}
	g.putTemperature(config, own.Temperature, without, false)
	if limit := g.limitOver(req.Terms); limit > 0 {
		config["maxOutputTokens"] = limit
	}
	if g.spec.Seeded && !without.has(settingSeed) {
		config["seed"] = int32(req.Seed & 0x7fffffff)
	}
	if g.spec.Reasoning != "" {
		thinking, err := g.thinking(without)
		if err != nil {
			return nil, err
		}
		config["thinkingConfig"] = thinking
	}
	all, err := g.laid(req, map[string]any{"generationConfig": config})
	if err != nil {
		return nil, err
	}
	return writeMembers(all, false)
}
