package gateway

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
	role       models.Role
	content    content
	calls      []chatCall
	toolCallID string
}

type chatCall struct {
	id, name  string
	arguments json.RawMessage // a text, as it is written
}

// size is about what a piece needs in memory, in bytes.
func (p piece) size() int {
	size := 200 + len(p.id) + len(p.message.content) + len(p.message.toolCallID)
	for _, call := range p.message.calls {
		size += len(call.id) + len(call.name) + len(call.arguments)
	}
	return size
}

// clone returns a piece that needs no request to stay in memory.
func (p piece) clone() piece {
	p.message.content = slices.Clone(p.message.content)
	p.message.calls = slices.Clone(p.message.calls)
	for i := range p.message.calls {
		call := &p.message.calls[i]
		call.arguments = slices.Clone(call.arguments)
	}
	return p
}

// callPiece is a piece with a model's call.
func callPiece(id string, call chatCall) piece {
	return piece{id, chatMessage{role: models.Assistant, calls: []chatCall{call}}}
}

// readInput reads a request's input: a text of the user's, or a list of items.
func (g *Gateway) readInput(input json.RawMessage) ([]piece, error) {
	if !given(input) {
		return nil, nil
	}
	if input[0] == '"' {
		return []piece{{message: chatMessage{role: models.User, content: content(input)}}}, nil
	}
	var pieces []piece
	referred := map[string]bool{} // a short request could ask for a conversation without end
	err := each("input", input, func(i int, raw json.RawMessage) error {
		path := fmt.Sprintf("input[%d]", i)
		if !given(raw) {
			return fmt.Errorf("%s is nothing", path)
		}
		it, err := readItem(path, raw)
		if err != nil {
			return err
		}
		switch {
		case it.kind == "reasoning": // chat completions have no word for it
			return nil
		case !it.known() && isHosted(it.kind):
			g.leaveOut("an item of type " + it.kind)
			return nil
		}
		p, err := it.piece(path, &g.kept)
		if err != nil {
			return err
		}
		if p.id != "" && referred[p.id] {
			return fmt.Errorf("%s: the item %s is there already", path, p.id)
		}
		referred[p.id] = true
		pieces = append(pieces, p)
		return nil
	})
	return pieces, err
}

// item is one of a request's input.
type item struct {
	kind     string // its type, which messages and references may leave out
	id, role string
	members  members
}

func readItem(path string, raw json.RawMessage) (item, error) {
	all, err := split(path, raw)
	if err != nil {
		return item{}, err
	}
	it := item{members: all}
	for name, into := range map[string]*string{"type": &it.kind, "id": &it.id, "role": &it.role} {
		if *into, err = all.word(path, name); err != nil {
			return item{}, err
		}
	}
	switch {
	case it.kind != "":
	case it.role != "":
		it.kind = "message"
	case it.id != "":
		it.kind = "item_reference"
	}
	return it, nil
}

// known reports whether an item adds something to a conversation.
func (it item) known() bool {
	return slices.Contains([]string{"message", "function_call", "function_call_output", "custom_tool_call", "custom_tool_call_output", "item_reference"}, it.kind)
}

// piece is what an item adds to a conversation.
func (it item) piece(path string, earlier *kept) (piece, error) {
	switch it.kind {
	case "message":
		return it.spoken(path)
	case "function_call":
		return it.call(path)
	case "custom_tool_call":
		return it.customCall(path)
	case "function_call_output", "custom_tool_call_output":
		return it.output(path)
	case "item_reference":
		p, ok := earlier.item(it.id)
		if !ok {
			return p, fmt.Errorf("%s: there is no item %s: it was not given in this interaction, was not to be stored, or has made room for later ones", path, it.id)
		}
		return p, nil
	}
	return piece{}, fmt.Errorf("%s: an item of type %q cannot be had here; there are message, function_call, function_call_output, reasoning and item_reference", path, it.kind)
}

// call is what a model called.
func (it item) call(path string) (piece, error) {
	id, err := it.members.word(path, "call_id")
	name, wrong := it.members.word(path, "name")
	namespace, strange := it.members.word(path, "namespace")
	arguments, unfit := it.members.text(path, "arguments")
	if err := errors.Join(err, wrong, strange, unfit); err != nil {
		return piece{}, err
	}
	if id == "" || name == "" {
		return piece{}, fmt.Errorf("%s: the call has no call_id, or no name", path)
	}
	if arguments == nil {
		arguments = json.RawMessage(`""`)
	}
	return callPiece("", chatCall{id, longName(namespace, name), arguments}), nil
}

// output is the answer to a call.
func (it item) output(path string) (piece, error) {
	id, err := it.members.word(path, "call_id")
	if err != nil {
		return piece{}, err
	}
	if id == "" {
		return piece{}, fmt.Errorf("%s: the output has no call_id", path)
	}
	said, err := readContent(path+".output", it.members["output"], textParts)
	return piece{message: chatMessage{role: models.ToolRole, content: said, toolCallID: id}}, err
}

// spoken is a message. A developer's is a system's, which every server knows.
func (it item) spoken(path string) (piece, error) {
	takes, role := textParts, models.Role(it.role)
	switch it.role {
	case "user":
		takes = userParts
	case "assistant":
		takes = modelParts
	case "developer":
		role = models.System
	case "system":
	default:
		return piece{}, fmt.Errorf("%s.role: %q is not user, assistant, system or developer", path, it.role)
	}
	said, err := readContent(path+".content", it.members["content"], takes)
	return piece{message: chatMessage{role: role, content: said}}, err
}

// joined makes messages of pieces: what a model said and called, with nothing in
// between, is one message.
func joined(pieces []piece) ([]chatMessage, error) {
	messages := make([]chatMessage, 0, len(pieces))
	known := map[string]bool{} // calls
	for _, p := range pieces {
		m := p.message
		for _, call := range m.calls {
			known[call.id] = true
		}
		if m.role == models.ToolRole && !known[m.toolCallID] {
			return nil, fmt.Errorf("input: there is an output with the call_id %s, but no function call before it", m.toolCallID)
		}
		if len(messages) > 0 {
			last := &messages[len(messages)-1]
			if last.role == models.Assistant && m.role == models.Assistant && (m.content == nil || last.content == nil) {
				if last.content == nil {
					last.content = m.content
				}
				last.calls = append(last.calls, m.calls...)
				continue
			}
		}
		m.calls = slices.Clip(m.calls) // which others may have, too
		messages = append(messages, m)
	}
	return messages, nil
}
