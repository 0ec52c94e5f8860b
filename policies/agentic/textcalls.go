package agentic

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"agentd/models"
)

// textCall is a tool call as models write it into their text.
type textCall struct {
	Name       string          `json:"name"`
	Tool       string          `json:"tool"`
	Arguments  json.RawMessage `json:"arguments"`
	Parameters json.RawMessage `json:"parameters"`
	Function   *textCall       `json:"function"`
}

// mostObjects bounds how many opening braces of a text are tried.
const mostObjects = 500

// textCalls finds tool calls that a model wrote as JSON into its text instead
// of calling: objects that name one of the tools, alone, in an array, in a
// code block or in <tool_call> tags, with prose around them or not.
func textCalls(text string, tools []string) []models.ToolCall {
	var calls []models.ToolCall
	rest := text
	for range mostObjects {
		start := strings.IndexByte(rest, '{')
		if start < 0 {
			break
		}
		rest = rest[start:]
		decoder := json.NewDecoder(strings.NewReader(rest))
		var raw json.RawMessage
		if decoder.Decode(&raw) != nil {
			rest = rest[1:]
			continue
		}
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
