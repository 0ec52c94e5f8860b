package gateway

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"agentd/models"
)

// offering is what a request of the Responses API offers to a model, whose functions are
// all that a chat completion has: functions of a namespace get names with its name
// before, and custom tools, which take a text, are functions of one text.
type offering struct {
	gateway    *Gateway
	namespaced map[string][2]string // the namespace and the name of a function, by its long name
	custom     map[string]bool
}

// separator stands between a namespace and a function's name.
const separator = "__"

// longName is the name of a function in a namespace.
func longName(namespace, name string) string {
	if namespace == "" {
		return name
	}
	return namespace + separator + name
}

// customInput is the argument that holds a custom tool's text.
const customInput = "input"

const customParameters = `{"type":"object","properties":{"` + customInput + `":{"type":"string"}},"required":["` + customInput + `"],"additionalProperties":false}`

// write writes a tool as functions, with commas between them. A tool that the maker's
// server runs itself is left out.
func (o *offering) write(b *bytes.Buffer, path string, raw json.RawMessage, namespace string) error {
	if !given(raw) {
		raw = json.RawMessage("{}")
	}
	tool, err := split(path, raw)
	if err != nil {
		return err
	}
	kind, err := tool.word(path, "type")
	if err != nil {
		return err
	}
	name, err := tool.word(path, "name")
	if err != nil {
		return err
	}
	switch {
	case kind == "":
		return fmt.Errorf("%s: the tool has no type", path)
	case kind != "function" && kind != "custom" && kind != "namespace":
		o.gateway.leaveOut("a tool of type " + kind)
		return nil
	case name == "":
		return fmt.Errorf("%s: the %s has no name", path, kind)
	case kind == "namespace" && namespace != "":
		return fmt.Errorf("%s: a namespace in a namespace cannot be had here", path)
	case kind == "namespace":
		return each(path+".tools", tool["tools"], func(i int, raw json.RawMessage) error {
			return o.write(b, fmt.Sprintf("%s.tools[%d]", path, i), raw, name)
		})
	}
	long := longName(namespace, name)
	if namespace != "" {
		o.namespaced[long] = [2]string{namespace, name}
		if tool["name"], err = encode(long); err != nil {
			return err
		}
	}
	if kind == "custom" {
		o.custom[long] = true
		tool["parameters"], tool["strict"] = json.RawMessage(customParameters), nil
	}
	if b.Len() > len("[") {
		b.WriteByte(',')
	}
	b.WriteString(`{"function":{"name":`)
	b.Write(tool["name"])
	for _, member := range []string{"description", "parameters", "strict"} {
		if value := tool[member]; given(value) {
			fmt.Fprintf(b, `,%q:%s`, member, value)
		}
	}
	b.WriteString(`},"type":"function"}`)
	return nil
}

// item is a model's call as an item of the dialect.
func (o *offering) item(call *models.ToolCall) map[string]any {
	item := map[string]any{"type": "function_call", "call_id": call.ID, "name": call.Name, "arguments": call.Arguments}
	if parts, ok := o.namespaced[call.Name]; ok {
		item["namespace"], item["name"] = parts[0], parts[1]
	}
	if o.custom[call.Name] {
		delete(item, "arguments")
		item["type"], item["input"] = "custom_tool_call", customText(call.Arguments)
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

// customCall is a call of a custom tool that a model made.
func (it item) customCall(path string) (piece, error) {
	id, err := it.members.word(path, "call_id")
	name, wrong := it.members.word(path, "name")
	text, unfit := it.members.text(path, "input")
	if err := errors.Join(err, wrong, unfit); err != nil {
		return piece{}, err
	}
	if id == "" || name == "" {
		return piece{}, fmt.Errorf("%s: the call has no call_id, or no name", path)
	}
	if text == nil {
		text = json.RawMessage(`""`)
	}
	namespace, err := it.members.word(path, "namespace")
	return callPiece("", chatCall{id, longName(namespace, name), asText(json.RawMessage(`{"` + customInput + `":` + string(text) + `}`))}), err
}

// isHosted reports whether an item is of a tool that the maker's server runs itself, or
// of what only that server knows. A model of another maker has no use for it.
func isHosted(kind string) bool {
	return strings.HasSuffix(kind, "_call") || strings.HasSuffix(kind, "_call_output") || strings.HasPrefix(kind, "mcp_") || kind == "compaction"
}
