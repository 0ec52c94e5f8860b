package responses

import (
	"encoding/json"
	"fmt"
	"slices"

	"agentd/models/wire"
)

// offering converts tools to functions, which are the only tools of other dialects. Functions
// of a namespace get its name as a prefix. Custom tools, which take a text, become functions
// with one text argument.
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

// readTools decodes the offered functions and the tool choice. Without functions it drops
// members about tools, because servers refuse them.
func readTools(r *wire.Request, members wire.Members, o *offering) error {
	err := wire.EachKind("tools", members["tools"], func(path, kind string, raw json.RawMessage) error {
		return o.read(r, path, kind, raw, "")
	})
	if err != nil || len(r.Tools) == 0 {
		return err
	}
	if err := wire.Setting("parallel_tool_calls", members["parallel_tool_calls"], &r.Parallel); err != nil {
		return err
	}
	return readChoice(r, members["tool_choice"])
}

// read decodes a tool. Tools that the maker's server runs are dropped.
func (o *offering) read(r *wire.Request, path, kind string, raw json.RawMessage, namespace string) error {
	switch kind {
	case "":
		return fmt.Errorf("%s: the tool has no type", path)
	case "function", "custom", "namespace":
	default:
		r.LeftOut = append(r.LeftOut, "a tool of type "+kind)
		return nil
	}
	var offered wire.Tool
	if err := wire.ReadAs(path, raw, &offered); err != nil {
		return err
	}
	name := offered.Name
	switch {
	case kind != "function" && name == "":
		return fmt.Errorf("%s: the %s has no name", path, kind)
	case kind == "namespace" && namespace != "":
		return fmt.Errorf("%s: a namespace in a namespace cannot be had here", path)
	case kind == "namespace":
		return wire.EachKind(path+".tools", wire.Pick(raw, "tools")[0], func(path, kind string, raw json.RawMessage) error {
			return o.read(r, path, kind, raw, name)
		})
	case namespace != "" && name != "":
		offered.Name = longName(namespace, name)
		o.namespaced[offered.Name] = [2]string{namespace, name}
	}
	if kind == "custom" {
		o.custom[offered.Name] = true
		offered.Parameters, offered.Strict = json.RawMessage(customParameters), nil
	}
	return r.Offer(path, offered)
}

// readChoice decodes the tool choice: one of three words, or a function.
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

// item returns a model's call as the item that the client expects.
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

// customText returns a model's text for a custom tool: the argument named customInput, or the
// unchanged arguments if they are not an object of texts.
func customText(arguments string) string {
	var given map[string]string
	if json.Unmarshal([]byte(arguments), &given) != nil {
		return arguments
	}
	return given[customInput]
}
