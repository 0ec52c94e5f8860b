package responses

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"agentd/models/wire"
)

// Types of items and of parts of their content.
const (
	message        = "message"
	reasoning      = "reasoning"
	reference      = "item_reference"
	functionCall   = "function_call"
	functionOutput = "function_call_output"
	customCall     = "custom_tool_call"
	customOutput   = "custom_tool_call_output"

	inputText  = "input_text"
	outputText = "output_text"
	inputImage = "input_image"
	refusal    = "refusal"
)

// Parts that the content of a message may have.
var (
	textParts  = []string{inputText, outputText}
	modelParts = []string{outputText, inputText, refusal}
	userParts  = []string{inputText, outputText, inputImage}
)

// readItems reads a conversation: what was kept of it, and what a request adds, whose
// places errors name.
func readItems(r *wire.Request, earlier, added []json.RawMessage) error {
	c := conversation{request: r, known: map[string]bool{}, begins: len(r.Messages)}
	r.Messages = slices.Grow(r.Messages, len(earlier)+len(added))
	for _, raw := range earlier {
		if err := c.add("input", raw); err != nil {
			return err
		}
	}
	for i, raw := range added {
		if err := c.add(fmt.Sprintf("input[%d]", i), raw); err != nil {
			return err
		}
	}
	if !slices.ContainsFunc(r.Messages[c.begins:], wire.Message.Says) {
		return errors.New("the request has no input")
	}
	return nil
}

// conversation is one that is being read. What a model reasoned, said and called with
// nothing in between is one message.
type conversation struct {
	request *wire.Request
	known   map[string]bool // calls, by their identifiers
	begins  int             // after the system's message
}

// add adds an item. A text is the user's.
func (c *conversation) add(path string, raw json.RawMessage) error {
	if len(raw) > 0 && raw[0] == '"' {
		text, err := wire.ReadText(path, raw)
		c.put(wire.Message{Role: wire.User, Content: text})
		return err
	}
	it, err := wire.Split(path, raw)
	if err != nil {
		return err
	}
	kind, err := kindOf(path, it)
	if err != nil {
		return err
	}
	m := wire.Message{Role: wire.Assistant}
	if m.ID, err = it.Word(path, "id"); err != nil {
		return err
	}
	switch kind {
	case message:
		err = readSpoken(&m, path, it)
	case reasoning:
		m.Reasoned = true
		m.Signature = wire.TextOf(it["encrypted_content"])
	case functionCall, customCall:
		err = readCall(&m, path, kind, it)
	case functionOutput, customOutput:
		err = c.readOutput(&m, path, it)
	case reference:
		err = fmt.Errorf("%s: there is no item %s: %w", path, m.ID, errNotKept)
	default:
		if !hosted(kind) {
			return fmt.Errorf("%s: an item of type %q cannot be had here; there are %s, %s, %s, %s and %s", path, kind, message, functionCall, functionOutput, reasoning, reference)
		}
		c.request.LeftOut = append(c.request.LeftOut, "an item of type "+kind)
		return nil
	}
	c.put(m)
	return err
}

// put adds a message, or to what the model said before.
func (c *conversation) put(m wire.Message) {
	for _, call := range m.ToolCalls {
		c.known[call.ID] = true
	}
	all := &c.request.Messages
	if len(*all) > c.begins && m.Role == wire.Assistant {
		last := &(*all)[len(*all)-1]
		if last.Role == wire.Assistant && (m.Content == "" || last.Content == "") {
			last.Content += m.Content
			last.ToolCalls = append(last.ToolCalls, m.ToolCalls...)
			last.ID, last.Reasoned, last.Signature = m.ID, last.Reasoned || m.Reasoned, last.Signature+m.Signature
			return
		}
	}
	*all = append(*all, m)
}

// kindOf is the type of an item, which messages and references may leave out.
func kindOf(path string, it wire.Members) (string, error) {
	kind, err := it.Word(path, "type")
	role, wrong := it.Word(path, "role")
	switch err := errors.Join(err, wrong); {
	case err != nil || kind != "":
		return kind, err
	case role != "":
		return message, nil
	case wire.Given(it["id"]):
		return reference, nil
	}
	return "", nil
}

// hosted reports whether an item is of a tool that the maker's server runs itself, or
// of what only that server knows. A model of another maker has no use for it.
func hosted(kind string) bool {
	return strings.HasSuffix(kind, "_call") || strings.HasSuffix(kind, "_call_output") || strings.HasPrefix(kind, "mcp_") || kind == "compaction"
}

// readSpoken reads a message. A developer's is a system's, which every server knows.
func readSpoken(m *wire.Message, path string, it wire.Members) error {
	takes, role := textParts, wire.TextOf(it["role"])
	m.Role = wire.Role(role)
	switch role {
	case "user":
		takes = userParts
	case "assistant":
		takes = modelParts
	case "developer":
		m.Role = wire.System
	case "system":
	default:
		return fmt.Errorf("%s.role: %q is not user, assistant, system or developer", path, role)
	}
	return readContent(m, path+".content", it["content"], takes)
}

// readCall reads what a model called. A custom tool's text is an argument of the function
// that stands for the tool.
func readCall(m *wire.Message, path, kind string, it wire.Members) error {
	given := "arguments"
	if kind == customCall {
		given = customInput
	}
	text, unfit := it.Text(path, given)
	id, wrong := it.Word(path, "call_id")
	name, strange := it.Word(path, "name")
	namespace, odd := it.Word(path, "namespace")
	if err := errors.Join(unfit, wrong, strange, odd); err != nil {
		return err
	}
	if id == "" || name == "" {
		return fmt.Errorf("%s: the call has no call_id, or no name", path)
	}
	call := wire.ToolCall{ID: id, Name: longName(namespace, name), Arguments: text}
	if kind == customCall {
		raw, err := wire.Write(map[string]string{customInput: text})
		if err != nil {
			return err
		}
		call.Arguments = string(raw)
	}
	m.ToolCalls = []wire.ToolCall{call}
	return nil
}

// readOutput reads the answer to a call.
func (c *conversation) readOutput(m *wire.Message, path string, it wire.Members) (err error) {
	m.Role = wire.ToolRole
	if m.ToolCallID, err = it.Word(path, "call_id"); err != nil {
		return err
	}
	switch {
	case m.ToolCallID == "":
		return fmt.Errorf("%s: the output has no call_id", path)
	case !c.known[m.ToolCallID]:
		return fmt.Errorf("input: there is an output with the call_id %s, but no function call before it", m.ToolCallID)
	}
	return readContent(m, path+".output", it["output"], textParts)
}

// readContent reads what a message says, a text or parts of the given types; path
// is what an error calls it.
func readContent(m *wire.Message, path string, raw json.RawMessage, takes []string) (err error) {
	if !wire.Given(raw) {
		return fmt.Errorf("%s: there is none", path)
	}
	if raw[0] == '"' {
		m.Content, err = wire.ReadText(path, raw)
		return err
	}
	var parts []wire.Part
	err = wire.Each(path, raw, func(i int, raw json.RawMessage) error {
		p, err := readPart(fmt.Sprintf("%s[%d]", path, i), raw, takes)
		parts = append(parts, p)
		return err
	})
	m.SetParts(parts)
	return err
}

func readPart(path string, raw json.RawMessage, takes []string) (p wire.Part, err error) {
	var part wire.Members
	if wire.Given(raw) {
		if part, err = wire.Split(path, raw); err != nil {
			return p, err
		}
	}
	kind, err := part.Word(path, "type")
	switch {
	case err != nil:
		return p, err
	case !slices.Contains(takes, kind):
		return p, fmt.Errorf("%s: a part of type %q cannot be had here; there are %v", path, kind, takes)
	case kind == refusal:
		p.Text, err = part.Text(path, refusal)
		return p, err
	case kind != inputImage:
		p.Text, err = part.Text(path, "text")
		return p, err
	}
	address, err := part.Text(path, "image_url")
	if err == nil && address == "" {
		err = fmt.Errorf("%s: the image has no image_url; there are no files that could be named", path)
	}
	if detail := wire.Plain(part["detail"]); slices.Contains([]string{"auto", "low", "high"}, detail) {
		p.Detail = detail
	}
	p.Address = wire.Address(address)
	return p, err
}
