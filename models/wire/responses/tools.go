package responses

import (
	"encoding/json"
	"fmt"
	"slices"

	"agentd/models/wire"
)

// offering is what a request offers to a model in addition to functions, which are all that
// other dialects have: functions of a namespace get names with its name before, and custom
// tools, which take a text, are functions of one text.
type offering struct {
	namespaced map[string][2]string // the namespace and the name of a function, by its long name
	custom     map[string]bool
}

// longName is the name of a function in a namespace.
func longName(namespace, name string) string {
	if namespace == "" {
		return name
	}
	return namespace + "__" + name
}

// customInput is the argument that holds a custom tool's text.
const customInput = "input"

const customParameters = `{"type":"object","properties":{"` + customInput + `":{"type":"string"}},"required":["` + customInput + `"],"additionalProperties":false}`

// readTools reads the functions that are offered, and which of them the model must call. If
// there are none, members about tools are left out, because servers refuse them.
func readTools(r *wire.Request, members wire.Members, o *offering) error {
	if !wire.Given(members["tools"]) {
		return nil
	}
	err := wire.Each("tools", members["tools"], func(i int, raw json.RawMessage) error {
		return o.read(r, fmt.Sprintf("tools[%d]", i), raw, "")
	})
	if err != nil || len(r.Tools) == 0 {
		return err
	}
	if err := wire.Setting("parallel_tool_calls", members["parallel_tool_calls"], &r.Parallel); err != nil {
		return err
	}
	return readChoice(r, members["tool_choice"])
}

// read reads a tool. One that the maker's server runs itself is left out.
func (o *offering) read(r *wire.Request, path string, raw json.RawMessage, namespace string) error {
	if !wire.Given(raw) {
		raw = json.RawMessage("{}")
	}
	tool, err := wire.Split(path, raw)
	if err != nil {
		return err
	}
	var kind, name string
	if err := tool.Words(path, map[string]*string{"type": &kind, "name": &name}); err != nil {
		return err
	}
	switch {
	case kind == "":
		return fmt.Errorf("%s: the tool has no type", path)
	case kind != "function" && kind != "custom" && kind != "namespace":
		r.LeftOut = append(r.LeftOut, "a tool of type "+kind)
		return nil
	case name == "":
		return fmt.Errorf("%s: the %s has no name", path, kind)
	case kind == "namespace" && namespace != "":
		return fmt.Errorf("%s: a namespace in a namespace cannot be had here", path)
	case kind == "namespace":
		return wire.Each(path+".tools", tool["tools"], func(i int, raw json.RawMessage) error {
			return o.read(r, fmt.Sprintf("%s.tools[%d]", path, i), raw, name)
		})
	}
	offered, err := wire.ReadTool(path, raw, "parameters")
	if err != nil {
		return err
	}
	if namespace != "" {
		offered.Name = longName(namespace, name)
		o.namespaced[offered.Name] = [2]string{namespace, name}
	}
	if kind == "custom" {
		o.custom[offered.Name] = true
		offered.Parameters, offered.Strict = json.RawMessage(customParameters), nil
	}
	r.Tools = append(r.Tools, offered)
	return nil
}

// readChoice reads which tool the model must call: one of three words, or a function.
func readChoice(r *wire.Request, raw json.RawMessage) error {
	words := []string{wire.Never, wire.Auto, wire.Must}
	if len(raw) > 0 && raw[0] == '"' {
		r.Choice.Mode = wire.Plain(raw)
		if !slices.Contains(words, r.Choice.Mode) {
			return fmt.Errorf("tool_choice: %q is none of %v", r.Choice.Mode, words)
		}
		return nil
	}
	var choice struct {
		Type      string `json:"type"`
		Name      string `json:"name"`
		Namespace string `json:"namespace"`
	}
	if err := wire.Setting("tool_choice", raw, &choice); err != nil || !wire.Given(raw) {
		return err
	}
	if choice.Type != "function" && choice.Type != "custom" || choice.Name == "" {
		return fmt.Errorf("tool_choice: one of type %q cannot be had here, only a function with its name, or one of %v", choice.Type, words)
	}
	r.Choice.Function = longName(choice.Namespace, choice.Name)
	return nil
}

// item is a model's call as the item that the client knows.
func (o *offering) item(call *wire.ToolCall) map[string]any {
	item := map[string]any{"type": functionCall, "call_id": call.ID, "name": call.Name, "arguments": call.Arguments}
	if parts, ok := o.namespaced[call.Name]; ok {
		item["namespace"], item["name"] = parts[0], parts[1]
	}
	if o.custom[call.Name] {
		delete(item, "arguments")
		item["type"], item[customInput] = customCall, customText(call.Arguments)
	}
	return item
}

// customText is what a model gave to a custom tool: the one text among the arguments, or
// all of what it wrote if that is something else.
func customText(arguments string) string {
	var given map[string]string
	if json.Unmarshal([]byte(arguments), &given) != nil {
		return arguments
	}
	return given[customInput]
}
