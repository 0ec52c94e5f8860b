package exec

import (
	"crypto/sha256"
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

// Bounds of what a trace holds of a command's calls.
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
	id, tool  string // as the command offered it
	arguments digest
	record    int // in the trace
}

// called adds the calls that the model asked for to the trace. Those beyond
// policies.MaxCalls get an error there and are taken out of the answer, so that the
// command does not make them. s.mu is held.
func (s *server) called(answer *models.Response, turn int) {
	trace, calls := s.task.Trace, answer.Message.ToolCalls
	s.changed.calls, s.changed.said = nil, 0
	if len(calls) == 0 {
		s.changed.said = turn
	}
	for i, call := range calls {
		if s.wasEarly(call, turn) {
			continue
		}
		outcome := tools.Outcome{ArgNames: argumentNames(call.Arguments)} // of which nothing is known yet
		if i >= policies.MaxCalls {
			outcome.Failed, outcome.Text = true, policies.TooManyCalls
		}
		at := trace.AddCall(turn, call.Name, call.Arguments, outcome, 0)
		trace.Calls[at].Arguments = s.retain(call.Arguments)
		if i < policies.MaxCalls {
			s.changed.calls = append(s.changed.calls, at)
			s.asked = append(s.asked, asked{call.ID, call.Name, digestOf(call.Arguments), at})
		}
	}
	answer.Message.ToolCalls = calls[:min(len(calls), policies.MaxCalls)]
	if s.streams.Load() <= 1 {
		s.early = nil
	}
}

// early is a call by MCP that the command made before the answer was whole in which the
// model asked for it.
type early struct {
	tool      string
	arguments digest
	record    int // in the trace
}

// wasEarly reports whether a call of the model's was made already, and says of which turn
// it is. s.mu is held.
func (s *server) wasEarly(call models.ToolCall, turn int) bool {
	a := asked{tool: call.Name, arguments: digestOf(call.Arguments)}
	at := slices.IndexFunc(s.early, func(e early) bool { return a.fits(e.tool, e.arguments) != noMatch && a.arguments == e.arguments })
	if at < 0 {
		return false
	}
	s.task.Trace.Calls[s.early[at].record].Turn = turn
	s.early = slices.Delete(s.early, at, at+1)
	return true
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

// retain returns a text for the trace, "" if the trace is full. s.mu is held.
func (s *server) retain(text string) string {
	if s.traced += len(text); s.traced > maxTraced {
		s.traced -= len(text)
		return ""
	}
	return text
}

// tooMany counts a call by MCP. If it is beyond the limit, it returns the error that the
// call is answered with.
func (s *server) tooMany() (outcome tools.Outcome, over bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.mcpCalls++; s.mcpCalls <= maxMCPCalls {
		return tools.Outcome{}, false
	}
	return tools.Outcome{Text: fmt.Sprintf("Error: there were %d calls in this interaction, no more are possible", maxMCPCalls), Failed: true}, true
}

// record adds a call that came by MCP to the trace. One that the model has asked for is
// there already: it keeps its turn, and gets our tool's name. s.mu is held.
func (s *server) record(call policies.Call, arguments digest) {
	calls := s.task.Trace.Calls
	best, at := noMatch, -1
	for i, a := range s.asked {
		if fits := a.fits(call.Tool, arguments); fits > best {
			best, at = fits, i
		}
	}
	if at < 0 {
		s.task.Trace.Calls = append(calls, call)
		if s.streams.Load() > 0 {
			s.early = append(s.early, early{call.Tool, arguments, len(calls)})
		}
		return
	}
	place := s.asked[at].record
	s.changed.calls = slices.DeleteFunc(s.changed.calls, func(other int) bool { return other == place })
	known := &calls[place]
	call.Turn = known.Turn
	*known = call
	s.asked = slices.Delete(s.asked, at, at+1)
}

// How well a call that came by MCP matches one that the model asked for. Of the best
// matches the first is taken.
const (
	noMatch       = iota
	sameArguments // and a name that ends in the tool's
	sameTool
	sameCall // tool and arguments
)

// fits compares a call that came by MCP with this one. The model names a tool as the
// command offered it: read_file, or with the server's name before it, as in
// mcp__agentd__read_file, agentd_read_file or agentd.read_file. If the command gave the
// server another name, the arguments must be the same.
func (a asked) fits(tool string, arguments digest) int {
	before, found := strings.CutSuffix(a.tool, tool)
	if !found || before != "" && !strings.ContainsAny(before[len(before)-1:], separators) {
		return noMatch
	}
	same := a.arguments == arguments
	before = strings.ToLower(before)
	ours := before == "" || strings.Contains(before, "mcp") || strings.Contains(before, "agentd")
	switch {
	case ours && same:
		return sameCall
	case ours:
		return sameTool
	case same:
		return sameArguments
	}
	return noMatch
}

// separators come between a server's name and a tool's.
const separators = "_-.:/ "

// digest stands for the arguments of a call, however they are written.
type digest [sha256.Size]byte

func digestOf(arguments string) digest {
	value := jsontext.Value(strings.TrimSpace(arguments))
	if len(value) == 0 {
		value = jsontext.Value("{}")
	}
	_ = value.Canonicalize() // what is no JSON stays as it is
	return sha256.Sum256(value)
}

var errNoMessages = errors.New("the request has no messages")

// answered notes the command's answers to the model's calls. It returns an error if the
// messages cannot be read.
func (s *server) answered(messages json.RawMessage) error {
	var answers []callAnswer
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
			answers = append(answers, callAnswer{id: m.ToolCallID, text: raw})
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
		if !slices.ContainsFunc(s.asked, func(a asked) bool { return a.id == answer.id }) {
			continue
		}
		message, err := split("messages", answer.text)
		if err != nil {
			return err
		}
		s.note(callAnswer{id: answer.id, text: message["content"]})
	}
	return nil
}
