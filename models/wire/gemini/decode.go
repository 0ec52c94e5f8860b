package gemini

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"agentd/models/wire"
)

// Decode implements wire.Codec.
func (Codec) Decode(members wire.Members) (*wire.Request, error) {
	c := conversation{request: &wire.Request{}}
	if err := errors.Join(readTools(c.request, members), readConfig(c.request, members["generationConfig"])); err != nil {
		return nil, err
	}
	if wire.Given(members["systemInstruction"]) {
		if err := c.add("systemInstruction", members["systemInstruction"], wire.System); err != nil {
			return nil, err
		}
	}
	return c.request, members.EachTurn("contents", func(path, _ string, raw json.RawMessage) error { return c.add(path, raw, "") })
}

// conversation is a conversation being decoded. Calls may have no id; then a result belongs to
// the first open call of its function without an id.
type conversation struct {
	request *wire.Request
	open    []wire.ToolCall // calls without a result so far
	calls   int
}

// add decodes one of the contents. role, if not "", replaces the content's own role.
func (c *conversation) add(path string, raw json.RawMessage, role wire.Role) error {
	all := wire.Pick(raw, "role", "parts")
	if role == "" {
		if role = wire.User; wire.Plain(all[0]) == "model" {
			role = wire.Assistant
		}
	}
	if !wire.Given(all[1]) {
		return wire.WrongType(path+".parts", all[1])
	}
	said := wire.Message{Role: role}
	var parts []wire.Part
	err := wire.EachKind(path+".parts", all[1], func(path, _ string, raw json.RawMessage) error {
		shown, err := c.addPart(path, raw, &said)
		parts = append(parts, shown...)
		return err
	})
	said.SetParts(parts)
	if len(parts)+len(said.ToolCalls) > 0 {
		c.request.Messages = append(c.request.Messages, said)
	}
	return err
}

// addPart decodes a part. It is added to the message, or answers a call. The model's reasoning
// is dropped.
func (c *conversation) addPart(path string, raw json.RawMessage, said *wire.Message) ([]wire.Part, error) {
	var p heardPart
	if err := wire.ReadAs(path, raw, &p); err != nil {
		return nil, err
	}
	switch {
	case p.Thought:
		said.Reasoned = true
	case p.Text != "":
		return []wire.Part{{Text: p.Text}}, nil
	case p.Call != nil:
		if len(said.ToolCalls) == 0 {
			said.Signature = string(p.Signature)
		}
		call, err := c.call(path+".functionCall", p.Call)
		said.ToolCalls = append(said.ToolCalls, call)
		return nil, err
	case p.Response != nil:
		return nil, c.response(path+".functionResponse", p.Response, wire.Pick(wire.Pick(raw, "functionResponse")[0], "response")[0])
	case p.Inline != nil && (said.Role != wire.User || !strings.HasPrefix(p.Inline.Type, "image/")):
		c.request.LeftOut = append(c.request.LeftOut, "data of type "+p.Inline.Type)
	case p.Inline != nil:
		shown, err := wire.ShownAs(path, p.Inline.Type, p.Inline.Data)
		return []wire.Part{shown}, err
	}
	for name := range p.Others {
		c.request.LeftOut = append(c.request.LeftOut, "a part with "+name)
	}
	return nil, nil
}

// call decodes a call made by the model.
func (c *conversation) call(path string, made *heardCall) (wire.ToolCall, error) {
	call := wire.ToolCall{ID: made.ID, Name: made.Name, Arguments: cmp.Or(string(made.Args), "{}")}
	if call.Name == "" {
		return call, fmt.Errorf("%s: the call has no name", path)
	}
	if c.calls++; call.ID == "" {
		call.ID = fmt.Sprintf("call_%d", c.calls)
	}
	c.open = append(c.open, call)
	return call, nil
}

// response decodes the result of a call.
func (c *conversation) response(path string, of *heardCall, raw json.RawMessage) (err error) {
	at := slices.IndexFunc(c.open, func(call wire.ToolCall) bool { return call.ID == of.ID })
	if at < 0 {
		at = slices.IndexFunc(c.open, func(call wire.ToolCall) bool { return call.Name == of.Name })
	}
	if at < 0 {
		return fmt.Errorf("%s: there is no call of %.50q before it that it answers", path, of.Name)
	}
	answer := wire.Message{Role: wire.ToolRole, ToolCallID: c.open[at].ID}
	c.open = slices.Delete(c.open, at, at+1)
	said := textIn(raw)
	switch {
	case !wire.Given(said):
		answer.Content = "{}"
	case said[0] == '"':
		answer.Content, err = wire.ReadText(path+".response", said)
	default:
		answer.Content = string(said)
	}
	c.request.Messages = append(c.request.Messages, answer)
	return err
}

// textIn returns the text of a result. Clients usually send an object with one member;
// otherwise the whole result is returned.
func textIn(answer json.RawMessage) json.RawMessage {
	inside, err := wire.Split("", answer)
	if err != nil {
		return answer
	}
	for _, name := range []string{"output", "error", "result"} {
		if text := inside[name]; len(inside) == 1 && wire.Given(text) && text[0] == '"' {
			return text
		}
	}
	return answer
}

// readTools decodes the functions among the tools, and the tool choice.
func readTools(r *wire.Request, members wire.Members) error {
	err := wire.EachKind("tools", members["tools"], func(path, _ string, raw json.RawMessage) error {
		var t struct {
			Declared []struct {
				function
				Plain json.RawMessage `json:"parameters"` // with upper-case types
			} `json:"functionDeclarations"`
			Others map[string]jsontext.Value `json:",embed"`
		}
		if err := wire.ReadAs(path, raw, &t); err != nil {
			return err
		}
		for name := range t.Others {
			r.LeftOut = append(r.LeftOut, "a tool of type "+name)
		}
		for i, f := range t.Declared {
			path := fmt.Sprintf("%s.functionDeclarations[%d]", path, i)
			if !wire.Given(f.Parameters) && wire.Given(f.Plain) {
				var err error
				if f.Parameters, err = plainSchema(f.Plain); err != nil {
					return fmt.Errorf("%s.parameters: %w", path, err)
				}
			}
			if err := r.Offer(path, wire.Tool{Name: f.Name, Description: f.Description, Parameters: f.Parameters, Strict: f.Strict}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil || len(r.Tools) == 0 {
		return err
	}
	var config struct {
		Calling struct {
			Mode    string   `json:"mode"`
			Allowed []string `json:"allowedFunctionNames"`
		} `json:"functionCallingConfig"`
	}
	if err := wire.Setting("toolConfig", members["toolConfig"], &config); err != nil {
		return err
	}
	switch mode := config.Calling.Mode; {
	case mode == "ANY" && len(config.Calling.Allowed) == 1:
		r.Choice.Function = config.Calling.Allowed[0]
	case mode == "ANY":
		r.Choice.Mode = wire.Must
	case mode == "NONE":
		r.Choice.Mode = wire.Never
	}
	return nil
}

// plainSchema converts a schema of this dialect, which has upper-case types, to JSON Schema.
func plainSchema(raw json.RawMessage) (json.RawMessage, error) {
	if len(raw) > wire.MaxSetting {
		return nil, fmt.Errorf("it has more than %d bytes", wire.MaxSetting)
	}
	var schema any
	if err := json.Unmarshal(raw, &schema); err != nil {
		return nil, err
	}
	lowerTypes(schema)
	return wire.Write(schema)
}

func lowerTypes(schema any) {
	switch it := schema.(type) {
	case map[string]any:
		for name, value := range it {
			if word, ok := value.(string); ok && name == "type" {
				it[name] = strings.ToLower(word)
			}
			lowerTypes(value)
		}
	case []any:
		for _, value := range it {
			lowerTypes(value)
		}
	}
}

// readConfig decodes the settings.
func readConfig(r *wire.Request, raw json.RawMessage) error {
	var c struct {
		MaxOutput   int             `json:"maxOutputTokens"`
		Temperature *float64        `json:"temperature"`
		TopP        *float64        `json:"topP"`
		Stop        []string        `json:"stopSequences"`
		Seed        *int64          `json:"seed"`
		MIME        string          `json:"responseMimeType"`
		JSONSchema  json.RawMessage `json:"responseJsonSchema"`
		Schema      json.RawMessage `json:"responseSchema"`
		Thinking    struct {
			Level   string `json:"thinkingLevel"`
			Include bool   `json:"includeThoughts"`
		} `json:"thinkingConfig"`
	}
	if err := wire.Setting("generationConfig", raw, &c); err != nil {
		return err
	}
	r.MaxOutput, r.Temperature, r.TopP, r.Stop, r.Seed = c.MaxOutput, c.Temperature, c.TopP, c.Stop, c.Seed
	r.Effort, r.Summary = strings.ToLower(c.Thinking.Level), c.Thinking.Include
	if c.MIME != jsonType {
		return nil
	}
	r.Format = &wire.Format{}
	schema := c.JSONSchema
	if !wire.Given(schema) {
		schema = c.Schema
	}
	if !wire.Given(schema) {
		return nil
	}
	schema, err := plainSchema(schema)
	r.Format = &wire.Format{Name: "answer", Schema: schema}
	return err
}

// Results implements wire.Codec. Results of calls without identifiers are returned only for the
// last turn, because they cannot be told apart from those of earlier turns.
func (Codec) Results(members wire.Members) (all []wire.Result, err error) {
	err = members.EachTurn("contents", func(path, _ string, raw json.RawMessage) error {
		content := wire.Pick(raw, "role", "parts")
		if wire.Plain(content[0]) == "model" {
			all = nil
		}
		return wire.EachKind(path+".parts", content[1], func(_, _ string, raw json.RawMessage) error {
			if answer := wire.Pick(raw, "functionResponse")[0]; wire.Given(answer) {
				it := wire.Pick(answer, "id", "name", "response")
				all = append(all, wire.Result{ID: wire.Plain(it[0]), Function: wire.Plain(it[1]), Text: textIn(it[2])})
			}
			return nil
		})
	})
	return all, err
}

// Methods in a model's address.
const (
	Generate = "generateContent"
	Stream   = "streamGenerateContent"
	Count    = "countTokens"
)

// Counted is the member of an answer that holds the number of tokens in a request.
const Counted = "totalTokens"

// Method splits the end of an address into the model and the method. A model's name may contain
// a colon.
func Method(call string) (model, method string) {
	at := max(strings.LastIndexByte(call, ':'), 0)
	return call[:at], strings.TrimPrefix(call[at:], ":")
}
