package agentic

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"agentd/internal/lazyregexp"
	"agentd/models"
	"agentd/tools"
)

// textCall is a tool call written as text.
type textCall struct {
	Name       string          `json:"name"`
	Tool       string          `json:"tool"`
	Arguments  json.RawMessage `json:"arguments"`
	Parameters json.RawMessage `json:"parameters"`
	Function   *textCall       `json:"function"`
}

// mostObjects limits how many opening braces of a text are tried. mostDecoded limits how many
// bytes are decoded in total.
const (
	mostObjects = 500
	mostDecoded = 32 << 20
)

// textCalls finds tool calls that a model wrote as JSON text: objects that name one of the
// tools. They may be alone, in an array, in a code block or in <tool_call> tags, with or
// without other text around them.
func textCalls(text string, tools []string) []models.ToolCall {
	var calls []models.ToolCall
	rest, decoded := text, 0
	for range mostObjects {
		start := strings.IndexByte(rest, '{')
		if start < 0 || decoded > mostDecoded {
			break
		}
		rest = rest[start:]
		decoder := json.NewDecoder(strings.NewReader(rest))
		var raw json.RawMessage
		if err := decoder.Decode(&raw); err != nil {
			decoded += len(rest)
			if broken, ok := errors.AsType[*json.SyntaxError](err); ok {
				decoded += int(broken.Offset) - len(rest)
			}
			rest = rest[1:]
			continue
		}
		decoded += len(raw)
		if call, ok := asCall(raw, tools); ok {
			call.ID = fmt.Sprintf("text_%d", len(calls)+1)
			calls = append(calls, call)
			rest = rest[decoder.InputOffset():]
		} else {
			rest = rest[1:] // a call may stand inside: {"tool_calls": [{…}]}
		}
	}
	return calls
}

func asCall(raw json.RawMessage, tools []string) (models.ToolCall, bool) {
	var c textCall
	if json.Unmarshal(raw, &c) != nil {
		return models.ToolCall{}, false
	}
	if c.Function != nil {
		c = *c.Function
	}
	name, arguments := c.Name, c.Arguments
	if name == "" {
		name = c.Tool
	}
	if arguments == nil {
		arguments = c.Parameters
	}
	if !slices.Contains(tools, name) {
		return models.ToolCall{}, false
	}
	text := string(arguments)
	var quoted string // arguments as a JSON text in a JSON text
	if json.Unmarshal(arguments, &quoted) == nil {
		text = quoted
	}
	return models.ToolCall{Name: name, Arguments: text}, true
}

// inlineObject matches what the published harness looks for: braces without inner braces.
var inlineObject = lazyregexp.New(`\{[^{}]*\}`)

// inlineCalls finds tool calls as the published harness does. An object with code is a script,
// one with filename and content a write, and one with only a filename a read.
func inlineCalls(text string) []models.ToolCall {
	var calls []models.ToolCall
	for _, raw := range inlineObject.FindAllString(text, -1) {
		var given map[string]json.RawMessage
		if json.Unmarshal([]byte(raw), &given) != nil {
			continue
		}
		_, code := given["code"]
		_, filename := given["filename"]
		_, content := given["content"]
		tool := ""
		switch {
		case code:
			tool = tools.RunPython
		case filename && content:
			tool = tools.WriteFile
		case filename:
			tool = tools.ReadFile
		default:
			continue
		}
		calls = append(calls, models.ToolCall{ID: fmt.Sprintf("text_%d", len(calls)+1), Name: tool, Arguments: raw})
	}
	return calls
}
