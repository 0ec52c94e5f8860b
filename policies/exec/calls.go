package exec

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"agentd/models"
	"agentd/policies"
	"agentd/tools"
)

// Bounds of what an interaction's trace has of a command.
const (
	// maxMCPCalls is how many calls a command may make by MCP. Further ones are
	// answered with an error, and are not in the trace.
	maxMCPCalls = 10_000
	// maxTraced bounds the arguments and answers in a trace, in bytes. Of further
	// ones it has the sizes alone.
	maxTraced = 64 << 20
)

// asked is a call that the model asked for. The command may do it itself, or pass
// it on to our tools.
type asked struct {
	id     string
	record int // in the trace
}

// ask adds the calls that the model asked for to the trace. Those beyond
// policies.MaxCalls get an error there and are taken out of the answer, so that the
// command does not make them. s.mu is held.
func (s *server) ask(answer *models.Response, turn int) {
	trace, calls := s.task.Trace, answer.Message.ToolCalls
	for i, call := range calls {
		record := policies.Call{
			Turn: turn, Tool: call.Name, ArgNames: argumentNames(call.Arguments), In: len(call.Arguments), Arguments: s.retain(call.Arguments),
		}
		if i < policies.MaxCalls {
			s.asked = append(s.asked, asked{call.ID, len(trace.Calls)})
		} else {
			record.Failed, record.Error, record.Answer, record.Out = true, policies.TooManyCalls, policies.TooManyCalls, len(policies.TooManyCalls)
		}
		trace.Calls = append(trace.Calls, record)
	}
	answer.Message.ToolCalls = calls[:min(len(calls), policies.MaxCalls)]
}

// argumentNames are the names of a call's arguments, in order; none if they are no
// object.
func argumentNames(arguments string) []string {
	given, err := split("", json.RawMessage(strings.TrimSpace(arguments)))
	if err != nil {
		return nil
	}
	return slices.Sorted(maps.Keys(given))
}

// retain returns a text for the trace, "" if that has as much as it may. s.mu is held.
func (s *server) retain(text string) string {
	if s.traced += len(text); s.traced > maxTraced {
		s.traced -= len(text)
		return ""
	}
	return text
}

// tooMany counts a call by MCP and returns what it is answered with if there were too
// many before.
func (s *server) tooMany() (outcome tools.Outcome, over bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.mcpCalls++; s.mcpCalls <= maxMCPCalls {
		return tools.Outcome{}, false
	}
	return tools.Outcome{Text: fmt.Sprintf("Error: there were %d calls in this interaction, no more are possible", maxMCPCalls), Failed: true}, true
}

// record adds a call to the trace. One that the model has asked for is there
// already. s.mu is held.
func (s *server) record(call policies.Call) {
	calls := s.task.Trace.Calls
	for i, a := range s.asked {
		if known := calls[a.record]; known.Tool == call.Tool {
			call.Turn = known.Turn
			calls[a.record] = call
			s.asked = slices.Delete(s.asked, i, i+1)
			return
		}
	}
	s.task.Trace.Calls = append(calls, call)
}

var errNoMessages = errors.New("the request has no messages")

// answered notes the answers that the command gives to the model's calls. It returns
// an error if the messages are none.
func (s *server) answered(messages json.RawMessage) error {
	type toolAnswer struct {
		id      string
		message json.RawMessage
	}
	var answers []toolAnswer
	number := 0
	err := each("messages", messages, func(i int, raw json.RawMessage) error {
		number++
		var m struct {
			Role       string `json:"role"`
			ToolCallID string `json:"tool_call_id"`
		}
		if err := jsonv2.Unmarshal(raw, &m, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)); err != nil {
			return fmt.Errorf("messages[%d] cannot be read: %w", i, err)
		}
		if m.Role == string(models.ToolRole) {
			answers = append(answers, toolAnswer{m.ToolCallID, raw})
		}
		return nil
	})
	if err != nil {
		return err
	}
	if number == 0 {
		return errNoMessages
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, answer := range answers {
		at := slices.IndexFunc(s.asked, func(a asked) bool { return a.id == answer.id })
		if at < 0 {
			continue
		}
		message, err := split("messages", answer.message)
		if err != nil {
			return err
		}
		call := &s.task.Trace.Calls[s.asked[at].record]
		call.Out, call.Answer = len(message["content"]), s.retain(string(message["content"]))
		s.asked = slices.Delete(s.asked, at, at+1)
	}
	return nil
}
