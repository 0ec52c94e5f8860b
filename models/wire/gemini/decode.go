package gemini

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

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
	if !wire.Given(members["contents"]) {
		return c.request, wire.ErrNoMessages
	}
	err := wire.Each("contents", members["contents"], func(i int, raw json.RawMessage) error {
		return c.add(fmt.Sprintf("contents[%d]", i), raw, "")
	})
	return c.request, err
}

// conversation is one that is being read. Calls may come without an id: then an
// answer belongs to the first call of its function that has none.
type conversation struct {
	request *wire.Request
	open    []wire.ToolCall // without an answer yet
	calls   int
}

// add adds what one of the contents says. The role is the content's own if none is given.
func (c *conversation) add(path string, raw json.RawMessage, role wire.Role) error {
	all, err := wire.Split(path, raw)
	if err != nil {
		return err
	}
	if role == "" {
		word, err := all.Word(path, "role")
		if err != nil {
			return err
		}
		if role = wire.User; word == "model" {
			role = wire.Assistant
		}
	}
	said := wire.Message{Role: role}
	var parts []wire.Part
	err = wire.Each(path+".parts", all["parts"], func(i int, raw json.RawMessage) error {
		path := fmt.Sprintf("%s.parts[%d]", path, i)
		one, err := wire.Split(path, raw)
		if err != nil {
			return err
		}
		shown, err := c.addPart(path, one, &said)
		parts = append(parts, shown...)
		return err
	})
	said.SetParts(parts)
	if len(parts)+len(said.ToolCalls) > 0 {
		c.request.Messages = append(c.request.Messages, said)
	}
	return err
}

// addPart adds a part: to what is said, or as the answer to a call. What the model thought
// is left out.
func (c *conversation) addPart(path string, one wire.Members, said *wire.Message) ([]wire.Part, error) {
	switch {
	case string(one["thought"]) == "true":
		said.Reasoned = true
	case wire.Given(one["text"]):
		text, err := one.Text(path, "text")
		if text == "" {
			return nil, err
		}
		return []wire.Part{{Text: text}}, err
	case wire.Given(one["functionCall"]):
		if len(said.ToolCalls) == 0 {
			said.Signature = wire.TextOf(one["thoughtSignature"])
		}
		call, err := c.call(path+".functionCall", one["functionCall"])
		said.ToolCalls = append(said.ToolCalls, call)
		return nil, err
	case wire.Given(one["functionResponse"]):
		return nil, c.response(path+".functionResponse", one["functionResponse"])
	case wire.Given(one["inlineData"]):
		return c.picture(path, one["inlineData"], said.Role)
	default:
		for name := range one {
			if name != "thoughtSignature" {
				c.request.LeftOut = append(c.request.LeftOut, "a part with "+name)
			}
		}
	}
	return nil, nil
}

// picture is one that the user shows; other data are left out.
func (c *conversation) picture(path string, raw json.RawMessage, role wire.Role) ([]wire.Part, error) {
	data, err := wire.Split(path+".inlineData", raw)
	if err != nil {
		return nil, err
	}
	kind, err := data.Word(path+".inlineData", "mimeType")
	if err != nil {
		return nil, err
	}
	if role != wire.User || !strings.HasPrefix(kind, "image/") {
		c.request.LeftOut = append(c.request.LeftOut, "data of type "+kind)
		return nil, nil
	}
	encoded, err := data.Text(path+".inlineData", "data")
	if err != nil {
		return nil, err
	}
	shown, err := wire.ShownAs(path, kind, encoded)
	return []wire.Part{shown}, err
}

// call is a call that the model made.
func (c *conversation) call(path string, raw json.RawMessage) (wire.ToolCall, error) {
	all, err := wire.Split(path, raw)
	if err != nil {
		return wire.ToolCall{}, err
	}
	call := wire.ToolCall{Arguments: "{}"}
	if err := all.Words(path, map[string]*string{"id": &call.ID, "name": &call.Name}); err != nil {
		return call, err
	}
	if call.Name == "" {
		return call, fmt.Errorf("%s: the call has no name", path)
	}
	if c.calls++; call.ID == "" {
		call.ID = fmt.Sprintf("call_%d", c.calls)
	}
	if wire.Given(all["args"]) {
		call.Arguments = string(all["args"])
	}
	c.open = append(c.open, call)
	return call, nil
}

// response is the answer to a call.
func (c *conversation) response(path string, raw json.RawMessage) error {
	all, err := wire.Split(path, raw)
	if err != nil {
		return err
	}
	var id, name string
	if err := all.Words(path, map[string]*string{"id": &id, "name": &name}); err != nil {
		return err
	}
	at := slices.IndexFunc(c.open, func(call wire.ToolCall) bool { return call.ID == id })
	if at < 0 {
		at = slices.IndexFunc(c.open, func(call wire.ToolCall) bool { return call.Name == name })
	}
	if at < 0 {
		return fmt.Errorf("%s: there is no call of %.50q before it that it answers", path, name)
	}
	answer := wire.Message{Role: wire.ToolRole, ToolCallID: c.open[at].ID}
	c.open = slices.Delete(c.open, at, at+1)
	said := textIn(all["response"])
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

// textIn is the text of an answer, which clients put into an object of one member; all
// of the answer if that is something else.
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

// readTools reads the functions among the tools, and which of them the model must call.
func readTools(r *wire.Request, members wire.Members) error {
	if !wire.Given(members["tools"]) {
		return nil
	}
	err := wire.Each("tools", members["tools"], func(i int, raw json.RawMessage) error {
		path := fmt.Sprintf("tools[%d]", i)
		tool, err := wire.Split(path, raw)
		if err != nil {
			return err
		}
		for name := range tool {
			if name != "functionDeclarations" {
				r.LeftOut = append(r.LeftOut, "a tool of type "+name)
			}
		}
		if !wire.Given(tool["functionDeclarations"]) {
			return nil
		}
		return wire.Each(path+".functionDeclarations", tool["functionDeclarations"], func(i int, raw json.RawMessage) error {
			declared, err := readFunction(fmt.Sprintf("%s.functionDeclarations[%d]", path, i), raw)
			r.Tools = append(r.Tools, declared)
			return err
		})
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

// readFunction reads a function, whose parameters come in either kind of schema.
func readFunction(path string, raw json.RawMessage) (wire.Tool, error) {
	function, err := wire.ReadTool(path, raw, "parametersJsonSchema")
	if err != nil || function.Parameters != nil {
		return function, err
	}
	if function, err = wire.ReadTool(path, raw, "parameters"); err != nil || function.Parameters == nil {
		return function, err
	}
	if function.Parameters, err = plainSchema(function.Parameters); err != nil {
		err = fmt.Errorf("%s.parameters: %w", path, err)
	}
	return function, err
}

// plainSchema is a schema of this dialect, whose types are in capitals, as JSON Schema
// has it.
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

// readConfig reads the settings.
func readConfig(r *wire.Request, raw json.RawMessage) error {
	if !wire.Given(raw) {
		return nil
	}
	config, err := wire.Split("generationConfig", raw)
	if err != nil {
		return err
	}
	var thinking struct {
		Level   string `json:"thinkingLevel"`
		Include bool   `json:"includeThoughts"`
	}
	var form string
	for name, into := range map[string]any{
		"maxOutputTokens": &r.MaxOutput, "temperature": &r.Temperature, "topP": &r.TopP, "stopSequences": &r.Stop, "seed": &r.Seed,
		"responseMimeType": &form, "thinkingConfig": &thinking,
	} {
		err = errors.Join(err, wire.Setting("generationConfig."+name, config[name], into))
	}
	r.Effort, r.Summary = strings.ToLower(thinking.Level), thinking.Include
	if err != nil || form != jsonType {
		return err
	}
	r.Format = &wire.Format{}
	for _, name := range []string{"responseJsonSchema", "responseSchema"} {
		if wire.Given(config[name]) {
			schema, err := plainSchema(config[name])
			if err != nil {
				return fmt.Errorf("generationConfig.%s: %w", name, err)
			}
			r.Format = &wire.Format{Name: "answer", Schema: schema}
			break
		}
	}
	return nil
}

// Results implements wire.Codec. What a turn's calls are answered with comes after it, so
// that of calls without identifiers only the last turn's can be told apart.
func (Codec) Results(members wire.Members) (all []wire.Result, err error) {
	if !wire.Given(members["contents"]) || string(members["contents"]) == "[]" {
		return nil, wire.ErrNoMessages
	}
	err = wire.Each("contents", members["contents"], func(i int, raw json.RawMessage) error {
		content, err := wire.Split(fmt.Sprintf("contents[%d]", i), raw)
		if err != nil {
			return err
		}
		if string(content["role"]) == `"model"` {
			all = nil
		}
		if !wire.Given(content["parts"]) {
			return nil
		}
		return wire.Each("parts", content["parts"], func(_ int, raw json.RawMessage) error {
			one, err := wire.Split("parts", raw)
			if err != nil || !wire.Given(one["functionResponse"]) {
				return err
			}
			answer, err := wire.Split("functionResponse", one["functionResponse"])
			all = append(all, wire.Result{ID: wire.Plain(answer["id"]), Function: wire.Plain(answer["name"]), Text: textIn(answer["response"])})
			return err
		})
	})
	return all, err
}

// Methods of a model's address.
const (
	Generate = "generateContent"
	Stream   = "streamGenerateContent"
	Count    = "countTokens"
)

// Counted is the member of an answer that says how many tokens a request has.
const Counted = "totalTokens"

// Method returns the model and the method that the end of an address names. A model's name
// may hold a colon as well.
func Method(call string) (model, method string) {
	at := max(strings.LastIndexByte(call, ':'), 0)
	return call[:at], strings.TrimPrefix(call[at:], ":")
}
