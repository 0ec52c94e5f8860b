package exec

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"agentd/models"
)

// piece is an item of a conversation as the Responses API has it: a message, a
// model's call or the answer to one. In a chat completion, what a model says and
// its calls are one message.
type piece struct {
	id      string // by which clients may refer to it; "" if it is not of ours
	message chatMessage
}

// chatMessage is a message of a chat completion. Only one with tool calls may be
// without content.
type chatMessage struct {
	Role       models.Role     `json:"role"`
	Content    json.RawMessage `json:"content,omitempty"` // a text, or parts
	ToolCalls  []chatCall      `json:"tool_calls,omitempty"`
	ToolCallID string          `json:"tool_call_id,omitempty"`
}

type chatCall struct {
	ID       string       `json:"id"`
	Type     string       `json:"type"`
	Function chatFunction `json:"function"`
}

type chatFunction struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// size is about what a piece needs in memory, in bytes.
func (p piece) size() int {
	size := 200 + len(p.id) + len(p.message.Content) + len(p.message.ToolCallID)
	for _, call := range p.message.ToolCalls {
		size += len(call.ID) + len(call.Function.Name) + len(call.Function.Arguments)
	}
	return size
}

// called is a piece with a model's call.
func called(id string, call models.ToolCall) piece {
	return piece{id, chatMessage{Role: models.Assistant, ToolCalls: []chatCall{
		{ID: call.ID, Type: "function", Function: chatFunction{call.Name, call.Arguments}},
	}}}
}

// item is one of a request's input.
type item struct {
	Type      string          `json:"type"`
	ID        string          `json:"id"` // of a reference
	Role      string          `json:"role"`
	Content   json.RawMessage `json:"content"`
	CallID    string          `json:"call_id"`
	Name      string          `json:"name"`
	Arguments string          `json:"arguments"`
	Output    json.RawMessage `json:"output"`
}

// readInput reads a request's input: a text of the user's, or a list of items.
func readInput(input json.RawMessage, earlier *kept) ([]piece, error) {
	if !given(input) {
		return nil, nil
	}
	var text string
	if json.Unmarshal(input, &text) == nil {
		return []piece{{message: chatMessage{Role: models.User, Content: input}}}, nil
	}
	var list []json.RawMessage
	if err := decode("input", input, &list); err != nil {
		return nil, err
	}
	var pieces []piece
	referred := map[string]bool{} // a short request could ask for a conversation without end
	for i, raw := range list {
		path := fmt.Sprintf("input[%d]", i)
		if !given(raw) {
			return nil, fmt.Errorf("%s is nothing", path)
		}
		var it item
		if err := decode(path, raw, &it); err != nil {
			return nil, err
		}
		if it.kind() == "reasoning" { // chat completions have no word for it
			continue
		}
		p, err := it.piece(earlier)
		if err != nil {
			return nil, fmt.Errorf("%s%w", path, err)
		}
		if p.id != "" && referred[p.id] {
			return nil, fmt.Errorf("%s: the item %s is there already", path, p.id)
		}
		referred[p.id] = true
		pieces = append(pieces, p)
	}
	return pieces, nil
}

// kind is an item's type, which messages and references may leave out.
func (it item) kind() string {
	switch {
	case it.Type != "":
		return it.Type
	case it.Role != "":
		return "message"
	case it.ID != "":
		return "item_reference"
	}
	return ""
}

// piece is what an item adds to a conversation. An error begins with the path of
// what is wrong within the item.
func (it item) piece(earlier *kept) (piece, error) {
	switch it.kind() {
	case "message":
		return it.spoken()
	case "function_call":
		if it.CallID == "" || it.Name == "" {
			return piece{}, errors.New(": the call has no call_id, or no name")
		}
		return called("", models.ToolCall{ID: it.CallID, Name: it.Name, Arguments: it.Arguments}), nil
	case "function_call_output":
		if it.CallID == "" {
			return piece{}, errors.New(": the output has no call_id")
		}
		output, err := readContent(it.Output, textParts)
		if err != nil {
			return piece{}, fmt.Errorf(".output%w", err)
		}
		return piece{message: chatMessage{Role: models.ToolRole, Content: output, ToolCallID: it.CallID}}, nil
	case "item_reference":
		p, ok := earlier.item(it.ID)
		if !ok {
			return p, fmt.Errorf(": there is no item %s: it was not given in this interaction, was not to be stored, or has made room for later ones", it.ID)
		}
		return p, nil
	}
	return piece{}, fmt.Errorf(": an item of type %q cannot be had here; there are message, function_call, function_call_output, reasoning and item_reference", it.Type)
}

// spoken is a message. A developer's is a system's, which every server knows.
func (it item) spoken() (piece, error) {
	takes := textParts
	switch it.Role {
	case "user":
		takes = userParts
	case "assistant":
		takes = modelParts
	case "developer":
		it.Role = string(models.System)
	case "system":
	default:
		return piece{}, fmt.Errorf(".role: %q is not user, assistant, system or developer", it.Role)
	}
	said, err := readContent(it.Content, takes)
	if err != nil {
		return piece{}, fmt.Errorf(".content%w", err)
	}
	return piece{message: chatMessage{Role: models.Role(it.Role), Content: said}}, nil
}

// Parts that the content of a message may have.
var (
	textParts  = []string{"input_text", "output_text"}
	modelParts = []string{"output_text", "input_text", "refusal"}
	userParts  = []string{"input_text", "output_text", "input_image"}
)

// part is one of a message's content.
type part struct {
	Type     string `json:"type"`
	Text     string `json:"text"`
	Refusal  string `json:"refusal"`
	ImageURL string `json:"image_url"`
	Detail   string `json:"detail"`
}

// readContent reads what a message says, a text or parts of the given types. A text
// stays as it was written. An error begins with the path of what is wrong.
func readContent(value json.RawMessage, takes []string) (json.RawMessage, error) {
	if !given(value) {
		return nil, errors.New(": there is none")
	}
	var text string
	if json.Unmarshal(value, &text) == nil {
		return value, nil
	}
	var list []json.RawMessage
	if err := decode("", value, &list); err != nil {
		return nil, err
	}
	if len(list) == 0 { // as of a tool that says nothing
		return encode("")
	}
	var parts []map[string]any
	for i, raw := range list {
		path := fmt.Sprintf("[%d]", i)
		var p part
		if err := decode(path, raw, &p); err != nil {
			return nil, err
		}
		if !slices.Contains(takes, p.Type) {
			return nil, fmt.Errorf("%s: a part of type %q cannot be had here; there are %v", path, p.Type, takes)
		}
		if p.Type == "input_image" && p.ImageURL == "" {
			return nil, fmt.Errorf("%s: the image has no image_url; there are no files that could be named", path)
		}
		parts = append(parts, p.chat())
	}
	if only, ok := parts[0]["text"]; ok && len(parts) == 1 { // every server knows a text
		return encode(only)
	}
	return encode(parts)
}

// chat is a part as chat completions have it.
func (p part) chat() map[string]any {
	if p.Type != "input_image" {
		return map[string]any{"type": "text", "text": p.Text + p.Refusal}
	}
	image := map[string]string{"url": p.ImageURL}
	if slices.Contains([]string{"auto", "low", "high"}, p.Detail) {
		image["detail"] = p.Detail
	}
	return map[string]any{"type": "image_url", "image_url": image}
}

// joined makes messages of pieces: what a model said and called, with nothing in
// between, is one message.
func joined(pieces []piece) ([]chatMessage, error) {
	var messages []chatMessage
	known := map[string]bool{} // calls
	for _, p := range pieces {
		m := p.message
		for _, call := range m.ToolCalls {
			known[call.ID] = true
		}
		if m.Role == models.ToolRole && !known[m.ToolCallID] {
			return nil, fmt.Errorf("input: there is an output with the call_id %s, but no function call before it", m.ToolCallID)
		}
		if len(messages) > 0 {
			last := &messages[len(messages)-1]
			if last.Role == models.Assistant && m.Role == models.Assistant && (m.Content == nil || last.Content == nil) {
				if last.Content == nil {
					last.Content = m.Content
				}
				last.ToolCalls = append(last.ToolCalls, m.ToolCalls...)
				continue
			}
		}
		m.ToolCalls = slices.Clip(m.ToolCalls) // which others may have, too
		messages = append(messages, m)
	}
	return messages, nil
}
