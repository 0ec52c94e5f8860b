package sim

import (
	"encoding/json"
	"hash/fnv"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"time"

	"agentd/models/wire"
)

// responses is OpenAI's Responses API. Nothing is stored.
type responses struct{}

type responsesRequest struct {
	Model        string          `json:"model"`
	Instructions string          `json:"instructions"`
	Input        json.RawMessage `json:"input"`
	Tools        []struct {
		Type        string          `json:"type"`
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Parameters  json.RawMessage `json:"parameters"`
	} `json:"tools"`
	Stream      bool     `json:"stream"`
	Temperature *float64 `json:"temperature"`
	Previous    string   `json:"previous_response_id"`
	Include     []string `json:"include"`
	Reasoning   *struct {
		Effort  string `json:"effort"`
		Summary string `json:"summary"`
	} `json:"reasoning"`
	Text struct {
		Format struct {
			Type string `json:"type"`
		} `json:"format"`
	} `json:"text"`
}

type responsesItem struct {
	Type      string          `json:"type"`
	ID        string          `json:"id"`
	Role      string          `json:"role"`
	Content   any             `json:"content"`
	CallID    string          `json:"call_id"`
	Name      string          `json:"name"`
	Arguments string          `json:"arguments"`
	Output    any             `json:"output"`
	Summary   json.RawMessage `json:"summary"`
	Encrypted string          `json:"encrypted_content"`
}

// reasoned begins the identifiers of items that came with reasoning, which they need when
// they come back.
const reasoned = "_r"

func (responses) read(_ *http.Request, body []byte) (*request, *refusal) {
	var in responsesRequest
	if err := wire.Lenient(body, &in); err != nil {
		return nil, refusedf("the request cannot be read: %v", err)
	}
	if in.Previous != "" {
		return nil, refusedf("Previous response with id '%s' not found.", in.Previous)
	}
	out := &request{Request: wire.Request{Model: in.Model, Stream: in.Stream, Settings: wire.Settings{Temperature: in.Temperature}}}
	if in.Text.Format.Type == "json_object" {
		out.Format = &wire.Format{}
	}
	if in.Reasoning != nil {
		out.Effort, out.Reasons, out.Summary = in.Reasoning.Effort, in.Reasoning.Effort != "none", in.Reasoning.Summary != ""
	}
	for _, include := range in.Include {
		out.Encrypted = out.Encrypted || include == "reasoning.encrypted_content"
	}
	if out.Reasons && in.Temperature != nil {
		return nil, &refusal{http.StatusBadRequest, "unsupported_parameter", responses{}.temperatureRefused()}
	}
	for i, t := range in.Tools {
		if t.Type != "function" || t.Name == "" {
			return nil, refusedf("tools[%d]: only functions can be had here", i)
		}
		var offered wire.Tool
		offered.Name, offered.Description, offered.Parameters = t.Name, t.Description, t.Parameters
		out.Tools = append(out.Tools, offered)
	}
	if in.Instructions != "" {
		out.Messages = append(out.Messages, message{Role: system, Content: in.Instructions})
	}
	return out, out.items(in.Input)
}

// items takes the conversation. What the model reasoned, said and called in a turn is
// one message.
func (r *request) items(input json.RawMessage) *refusal {
	if len(input) > 0 && input[0] == '"' {
		var text string
		_ = wire.Lenient(input, &text) // it is one
		r.Messages = append(r.Messages, message{Role: user, Content: text})
		return nil
	}
	var all []responsesItem
	if err := wire.Lenient(input, &all); err != nil {
		return refusedf("input: %v", err)
	}
	open := map[string]bool{}
	for at := 0; at < len(all); {
		it := &all[at]
		if it.ofModel() {
			end := at
			for end < len(all) && all[end].ofModel() && (end == at || all[end].Type != "reasoning") {
				end++
			}
			m, refused := turnOf(all[at:end])
			if refused != nil {
				return refused
			}
			for _, call := range m.ToolCalls {
				open[call.ID] = true
			}
			r.Messages, at = append(r.Messages, m), end
			continue
		}
		at++
		switch it.Type {
		case "", "message":
			role := it.Role
			if role == "developer" {
				role = string(system)
			}
			r.Messages = append(r.Messages, parted(wire.Role(role), it.Content))
		case "function_call_output":
			if !open[it.CallID] {
				return refusedf("No tool call found for function call output with call_id %s.", it.CallID)
			}
			delete(open, it.CallID)
			output := parted(fromTool, it.Output)
			output.ToolCallID = it.CallID
			r.Messages = append(r.Messages, output)
		default:
			return refusedf("input: an item of type %q cannot be had here", it.Type)
		}
	}
	for id := range open {
		return refusedf("No tool output found for function call %s.", id)
	}
	return nil
}

// ofModel reports whether the model made the item.
func (it *responsesItem) ofModel() bool {
	return it.Type == "reasoning" || it.Type == "function_call" || it.Role == string(assistant)
}

// turnOf makes a message of a turn's items, and looks at its reasoning.
func turnOf(items []responsesItem) (message, *refusal) {
	m := message{Role: assistant}
	text := ""
	var thought *responsesItem
	for i := range items {
		it := &items[i]
		switch it.Type {
		case "reasoning":
			thought = it
			continue
		case "function_call":
			m.ToolCalls = append(m.ToolCalls, toolCall{ID: it.CallID, Name: it.Name, Arguments: it.Arguments})
		default:
			said := parted(assistant, it.Content)
			text += said.Text(between)
		}
		if thought == nil && strings.HasPrefix(it.ID, "fc"+reasoned) {
			return m, refusedf("Item '%s' of type 'function_call' was provided without its required 'reasoning' item.", it.ID)
		}
	}
	m.Content = text
	switch {
	case thought == nil:
		return m, nil
	case len(items) == 1:
		return m, refusedf("Item '%s' of type 'reasoning' was provided without its required following item.", thought.ID)
	case thought.Encrypted == "":
		return m, refusedf("Item with id '%s' not found. Items are not persisted when `store` is set to false.", thought.ID)
	case thought.Encrypted != signature(thoughts(&m), text, m.ToolCalls):
		return m, &refusal{http.StatusBadRequest, "invalid_encrypted_content", "The encrypted content for item " + thought.ID + " could not be verified."}
	}
	return m, nil
}

func (responses) temperatureRefused() string {
	return "Unsupported parameter: 'temperature' is not supported with this model."
}

func (responses) failure(why *refusal) any { return newChat().failure(why) }

// output is an answer as items.
func (responses) output(r *request, a answer) []any {
	output := []any{}
	if a.Empty {
		return output
	}
	m := &a.Message
	id := func(kind string, i int) string {
		hash := fnv.New64a()
		hash.Write(written(m))
		mark := ""
		if m.Reasoning != "" {
			mark = reasoned
		}
		return kind + mark + "_" + strconv.FormatUint(hash.Sum64(), 16) + strconv.Itoa(i)
	}
	if m.Reasoning != "" {
		item := map[string]any{"id": id("rs", 0), "type": "reasoning", "summary": []any{}}
		if r.Summary {
			item["summary"] = []any{map[string]string{"type": "summary_text", "text": m.Reasoning}}
		}
		if r.Encrypted {
			item["encrypted_content"] = signature(m.Reasoning, m.Text(between), m.ToolCalls)
		}
		output = append(output, item)
	}
	if text := m.Text(between); text != "" || len(m.ToolCalls) == 0 {
		output = append(output, map[string]any{
			"id": id("msg", 0), "type": "message", "status": "completed", "role": assistant,
			"content": []any{map[string]any{"type": "output_text", "text": text, "annotations": []any{}}},
		})
	}
	for i, call := range m.ToolCalls {
		output = append(output, map[string]any{
			"id": id("fc", i), "type": "function_call", "status": "completed", "call_id": call.ID,
			"name": call.Name, "arguments": call.Arguments,
		})
	}
	return output
}

func (d responses) whole(r *request, a answer) any {
	u := a.Usage
	whole := map[string]any{
		"id": "resp_" + a.ID, "object": "response", "created_at": time.Now().Unix(), "model": a.Model, "status": "completed",
		"output": d.output(r, a), "error": nil, "incomplete_details": nil, "instructions": nil, "metadata": map[string]any{},
		"parallel_tool_calls": true, "temperature": nil, "top_p": nil, "tool_choice": "auto", "tools": []any{}, "store": false,
		"usage": map[string]any{
			"input_tokens": u.Prompt, "input_tokens_details": map[string]int{"cached_tokens": u.Cached},
			"output_tokens": u.Completion, "output_tokens_details": map[string]int{"reasoning_tokens": u.Reasoning},
			"total_tokens": u.Total(),
		},
	}
	switch {
	case a.Empty:
		whole["status"], whole["error"] = "failed", map[string]string{"code": "server_error", "message": "the answer was lost"}
	case a.FinishReason == wire.Length:
		whole["status"], whole["incomplete_details"] = "incomplete", map[string]string{"reason": "max_output_tokens"}
	case a.FinishReason == wire.Filter:
		whole["status"], whole["incomplete_details"] = "incomplete", map[string]string{"reason": "content_filter"}
	}
	return whole
}

func (d responses) events(r *request, a answer) []event {
	var events []event
	send := func(name string, data map[string]any) {
		data["type"], data["sequence_number"] = name, len(events)
		events = append(events, event{Name: name, Data: data})
	}
	whole := d.whole(r, a).(map[string]any)
	begun := d.whole(r, a).(map[string]any)
	begun["status"], begun["output"], begun["usage"] = "in_progress", []any{}, nil
	send("response.created", map[string]any{"response": begun})
	for i, raw := range whole["output"].([]any) {
		item := raw.(map[string]any)
		send("response.output_item.added", map[string]any{"output_index": i, "item": without(item, "arguments", "content")})
		switch item["type"] {
		case "message":
			text := a.Message.Text(between)
			at := map[string]any{"item_id": item["id"], "output_index": i, "content_index": 0}
			part := func(text string) map[string]any {
				return map[string]any{"type": "output_text", "text": text, "annotations": []any{}}
			}
			send("response.content_part.added", with(at, "part", part("")))
			for _, piece := range halves(text) {
				send("response.output_text.delta", with(at, "delta", piece))
			}
			send("response.output_text.done", with(at, "text", text))
			send("response.content_part.done", with(at, "part", part(text)))
		case "function_call":
			arguments := item["arguments"].(string)
			at := map[string]any{"item_id": item["id"], "output_index": i}
			for _, piece := range halves(arguments) {
				send("response.function_call_arguments.delta", with(at, "delta", piece))
			}
			send("response.function_call_arguments.done", with(at, "arguments", arguments))
		}
		send("response.output_item.done", map[string]any{"output_index": i, "item": item})
	}
	send("response."+whole["status"].(string), map[string]any{"response": whole})
	return events
}

// without is an item as it begins: its texts are still to come.
func without(item map[string]any, names ...string) map[string]any {
	begun := maps.Clone(item)
	for _, name := range names {
		switch begun[name].(type) {
		case string:
			begun[name] = ""
		case []any:
			begun[name] = []any{}
		}
	}
	return begun
}

func with(all map[string]any, name string, value any) map[string]any {
	more := maps.Clone(all)
	more[name] = value
	return more
}
