package messages

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"agentd/models/wire"
)

// known are the members that Anthropic's servers accept.
var known = []string{
	"model", "max_tokens", "system", "messages", "tools", "tool_choice", "stream", "temperature", "top_p", "top_k", "stop_sequences",
	"thinking", "output_config", "metadata", "service_tier", "cache_control", "context_management", "container", "mcp_servers",
}

// refused is a refusal in the server's words.
type refused string

func (r refused) Error() string { return string(r) }

func refusef(format string, args ...any) error { return refused(fmt.Sprintf(format, args...)) }

// Check returns the refusal of Anthropic's servers, in their words, for a request that Decode
// reads as r; nil if they would accept it. Decode itself is more lenient, because other servers
// are.
func Check(asked wire.Members, r *wire.Request) error {
	for name := range asked {
		if !slices.Contains(known, name) {
			return refusef("%s: Extra inputs are not permitted", name)
		}
	}
	kind, _ := wire.Split("thinking", asked["thinking"]) // anything but an object is ignored
	enabled := wire.Plain(kind["type"]) == "enabled"
	switch {
	case r.MaxOutput < 1:
		return refusef("max_tokens: Field required")
	case r.Reasons && !enabled && wire.Plain(kind["type"]) != "adaptive":
		return refusef("thinking.type: %s is not known", kind["type"])
	case enabled && r.Budget < minThinking:
		return refusef("thinking.enabled.budget_tokens: Input should be greater than or equal to %d", minThinking)
	case enabled && r.Budget >= r.MaxOutput:
		return refusef("`max_tokens` must be greater than `thinking.budget_tokens`.")
	case r.Reasons && r.Temperature != nil && *r.Temperature != 1:
		return refusef("`temperature` may only be set to 1 when thinking is enabled.")
	}
	for i := range r.Tools {
		if len(r.Tools[i].Parameters) == 0 {
			return refusef("tools.%d: a tool needs a name and an input_schema", i)
		}
	}
	first := slices.IndexFunc(r.Messages, func(m wire.Message) bool { return m.Role != wire.System })
	if first < 0 || r.Messages[first].Role == wire.Assistant {
		return refusef("messages: first message must use the \"user\" role")
	}
	return checkBlocks(asked["messages"])
}

// checkBlocks checks the order of blocks. Each call must be answered in the next message.
func checkBlocks(messages json.RawMessage) error {
	var open []string // calls without a result
	return wire.EachKind("messages", messages, func(at, _ string, raw json.RawMessage) error {
		content := wire.Pick(raw, "content")[0]
		answers, number := open, 0
		open = nil
		err := eachBlock(at+".content", content, func(at, kind string, raw json.RawMessage) error {
			number++
			b := wire.Pick(raw, "text", "id", "tool_use_id")
			switch kind {
			case "text":
				if strings.TrimSpace(wire.TextOf(b[0])) == "" {
					return refusef("messages: text content blocks must be non-empty (%s)", dotted(at))
				}
			case "thinking":
				if number > 1 {
					return refusef("%s: a `thinking` block must come first", dotted(at))
				}
			case "tool_use":
				open = append(open, wire.Plain(b[1]))
			case "tool_result":
				id := wire.Plain(b[2])
				found := slices.Index(answers, id)
				if found < 0 {
					return refusef("%s: unexpected `tool_use_id` found in `tool_result` blocks: %s. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.", dotted(at), id)
				}
				answers = slices.Delete(answers, found, found+1)
			}
			return nil
		})
		switch {
		case err != nil:
			return err
		case number == 0 && wire.TextOf(content) == "":
			return refusef("%s: all messages must have non-empty content", dotted(at))
		case len(answers) > 0:
			return refusef("%s: `tool_use` ids were found without `tool_result` blocks immediately after: %s.", dotted(at), strings.Join(answers, ", "))
		}
		return nil
	})
}

// dotted returns a path in the notation of Anthropic's servers: messages.0.content.1.
func dotted(path string) string { return strings.NewReplacer("[", ".", "]", "").Replace(path) }

// unquoted returns a value as it is written, a text without its quotes.
func unquoted(value json.RawMessage) []byte {
	if len(value) > 1 && value[0] == '"' {
		return value[1 : len(value)-1]
	}
	return value
}

// Prompt calls look with each block of a prompt, in the order in which a cache reads it. marked
// says that the prompt is to be cached up to the end of the block.
func Prompt(asked wire.Members, look func(text []byte, marked bool)) error {
	block := func(path, _ string, raw json.RawMessage) error {
		b, err := wire.Split(path, raw)
		if err != nil {
			return err
		}
		var text []byte
		for _, name := range slices.Sorted(maps.Keys(b)) {
			if name != "cache_control" && name != "type" {
				text = append(text, unquoted(b[name])...)
			}
		}
		look(text, wire.Given(b["cache_control"]))
		return nil
	}
	content := func(value json.RawMessage) error {
		if len(value) > 0 && value[0] == '"' {
			look(unquoted(value), false)
			return nil
		}
		return wire.EachKind("content", value, block)
	}
	if err := wire.EachKind("tools", asked["tools"], block); err != nil {
		return err
	}
	if err := content(asked["system"]); err != nil {
		return err
	}
	return wire.EachKind("messages", asked["messages"], func(_, _ string, raw json.RawMessage) error {
		return content(wire.Pick(raw, "content")[0])
	})
}
