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

// readItems decodes a conversation: the stored items, and those that a request adds. Errors
// name the positions of the latter.
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

// conversation is a conversation being decoded. Consecutive reasoning, text and calls of the
// model form one message.
type conversation struct {
	request *wire.Request
	known   map[string]bool // calls, by their identifiers
	begins  int             // after the system's message
}

// add decodes an item. A plain text is a user message.
func (c *conversation) add(path string, raw json.RawMessage) (err error) {
	if len(raw) > 0 && raw[0] == '"' {
		text, err := wire.ReadText(path, raw)
		c.put(wire.Message{Role: wire.User, Content: text})
		return err
	}
	if len(raw) == 0 || raw[0] != '{' {
		return wire.WrongType(path, raw)
	}
	it := wire.Pick(raw, "type", "role", "id")
	kind := kindOf(it)
	m := wire.Message{Role: wire.Assistant, ID: wire.Plain(it[2])}
	switch kind {
	case message:
		err = readSpoken(&m, path, raw)
	case reasoning:
		m.Reasoned = true
		m.Signature = wire.TextOf(wire.Pick(raw, "encrypted_content")[0])
	case functionCall, customCall:
		err = readCall(&m, path, kind, raw)
	case functionOutput, customOutput:
		err = c.readOutput(&m, path, raw)
	case reference:
		err = fmt.Errorf("%s: there is no item %s: %w", path, m.ID, errNotKept)
	default:
		if !hosted(kind) {
			return fmt.Errorf("%s: an item of type %.50q cannot be had here; there are %s, %s, %s, %s and %s", path, kind, message, functionCall, functionOutput, reasoning, reference)
		}
		c.request.LeftOut = append(c.request.LeftOut, "an item of type "+kind)
		return nil
	}
	c.put(m)
	return err
}

// put adds a message, or merges it with the model's last one.
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

// kindOf returns an item's type. Messages and references may omit it.
func kindOf(it []json.RawMessage) string {
	kind := wire.Plain(it[0])
	switch {
	case kind != "" || wire.Given(it[0]):
	case wire.Given(it[1]):
		kind = message
	case wire.Given(it[2]):
		kind = reference
	}
	return kind
}

// hosted reports whether an item belongs to a tool that the maker's server runs, or is readable
// only by that server. Other makers' models cannot use it.
func hosted(kind string) bool {
	return strings.HasSuffix(kind, "_call") || strings.HasSuffix(kind, "_call_output") || strings.HasPrefix(kind, "mcp_") || kind == "compaction"
}

// readSpoken decodes a message. The role developer becomes system, which every server supports.
func readSpoken(m *wire.Message, path string, raw json.RawMessage) error {
	var said struct {
		Role wire.Role `json:"role"`
	}
	if err := wire.ReadAs(path, raw, &said); err != nil {
		return err
	}
	takes := textParts
	m.Role = said.Role
	switch said.Role {
	case wire.User:
		takes = userParts
	case wire.Assistant:
		takes = modelParts
	case "developer":
		m.Role = wire.System
	case wire.System:
	default:
		return fmt.Errorf("%s.role: %.50q is not user, assistant, system or developer", path, said.Role)
	}
	return readContent(m, path+".content", wire.Pick(raw, "content")[0], takes)
}

// readCall decodes a call. The text of a custom tool becomes an argument of the function that
// represents the tool.
func readCall(m *wire.Message, path, kind string, raw json.RawMessage) error {
	var it struct {
		CallID    string `json:"call_id"`
		Name      string `json:"name"`
		Namespace string `json:"namespace"`
		Arguments string `json:"arguments"`
		Input     string `json:"input"`
	}
	if err := wire.ReadAs(path, raw, &it); err != nil {
		return err
	}
	if it.CallID == "" || it.Name == "" {
		return fmt.Errorf("%s: the call has no call_id, or no name", path)
	}
	call := wire.ToolCall{ID: it.CallID, Name: longName(it.Namespace, it.Name), Arguments: it.Arguments}
	if kind == customCall {
		raw, err := wire.Write(map[string]string{customInput: it.Input})
		if err != nil {
			return err
		}
		call.Arguments = string(raw)
	}
	m.ToolCalls = []wire.ToolCall{call}
	return nil
}

// readOutput decodes the result of a call.
func (c *conversation) readOutput(m *wire.Message, path string, raw json.RawMessage) (err error) {
	it := wire.Pick(raw, "call_id", "output")
	m.Role, m.ToolCallID = wire.ToolRole, wire.Plain(it[0])
	switch {
	case m.ToolCallID == "":
		return fmt.Errorf("%s: the output has no call_id", path)
	case !c.known[m.ToolCallID]:
		return fmt.Errorf("input: there is an output with the call_id %s, but no function call before it", m.ToolCallID)
	}
	return readContent(m, path+".output", it[1], textParts)
}

// readContent decodes the content of a message, a text or parts of the given types. path names
// it in errors.
func readContent(m *wire.Message, path string, raw json.RawMessage, takes []string) error {
	return m.ReadContent(path, raw, func(path, kind string, raw json.RawMessage) (*wire.Part, error) {
		if !slices.Contains(takes, kind) {
			return nil, fmt.Errorf("%s: a part of type %.50q cannot be had here; there are %v", path, kind, takes)
		}
		var part struct {
			Text    string       `json:"text"`
			Refusal string       `json:"refusal"`
			Image   wire.Address `json:"image_url"`
			Detail  wire.Text    `json:"detail"`
		}
		if err := wire.ReadAs(path, raw, &part); err != nil {
			return nil, err
		}
		switch {
		case kind != inputImage:
			return &wire.Part{Text: part.Text + part.Refusal}, nil
		case part.Image == "":
			return nil, fmt.Errorf("%s: the image has no image_url; there are no files that could be named", path)
		case !slices.Contains([]string{"auto", "low", "high"}, string(part.Detail)):
			part.Detail = ""
		}
		return &wire.Part{Address: part.Image, Detail: string(part.Detail)}, nil
	})
}
