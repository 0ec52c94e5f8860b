package exec

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"agentd/models"
	"agentd/models/gateway"
	"agentd/policies"
	"agentd/results/record"
	"agentd/tools"
)

// asked is a call that the model asked for. The command may execute it itself, or pass it on to
// agentd's tools.
type asked struct {
	id, tool  string // as the command named it
	arguments gateway.Digest
	record    int // in the trace
}

// called adds the calls that the model asked for to the trace. Calls beyond policies.MaxCalls
// are recorded as errors and removed from the answer, so that the command does not execute
// them. l.mu must be held.
func (l *ledger) called(answer *models.Response, turn int) {
	trace, calls := l.trace, answer.Message.ToolCalls
	l.changed.calls, l.changed.said = nil, 0
	if len(calls) == 0 {
		l.changed.said = turn
	}
	for i, call := range calls {
		if l.wasEarly(call, turn) {
			continue
		}
		outcome := tools.Outcome{ArgNames: argumentNames(call.Arguments)} // of which nothing is known yet
		if i >= policies.MaxCalls {
			outcome.Failed, outcome.Text = true, policies.TooManyCalls
		}
		at := trace.AddCall(turn, call.Name, call.Arguments, outcome, 0)
		trace.Calls[at].Arguments = new(l.retain(call.Arguments))
		if i < policies.MaxCalls {
			l.changed.calls = append(l.changed.calls, at)
			l.asked = append(l.asked, asked{call.ID, call.Name, gateway.DigestOf(call.Arguments), at})
		}
	}
	answer.Message.ToolCalls = calls[:min(len(calls), policies.MaxCalls)]
	if l.streams <= 1 {
		l.early = nil
	}
}

// wasEarly reports whether the command made a call of the model before its answer was complete,
// and records the call's turn. l.mu must be held.
func (l *ledger) wasEarly(call models.ToolCall, turn int) bool {
	a := asked{tool: call.Name, arguments: gateway.DigestOf(call.Arguments)}
	at := slices.IndexFunc(l.early, func(e asked) bool { return a.fits(e.tool, e.arguments) != noMatch && a.arguments == e.arguments })
	if at < 0 {
		return false
	}
	l.trace.Calls[l.early[at].record].Turn = turn
	l.early = slices.Delete(l.early, at, at+1)
	return true
}

// argumentNames returns the names of a call's arguments, in order; nil if they are not an
// object.
func argumentNames(arguments string) []string {
	var given map[string]json.RawMessage
	if json.Unmarshal([]byte(arguments), &given) != nil {
		return nil
	}
	return slices.Sorted(maps.Keys(given))
}

// record adds an MCP call to the trace, in the last turn. A call that the model asked for is in
// the trace already: it keeps its turn and gets agentd's tool name.
func (l *ledger) record(call record.Call) {
	arguments := gateway.DigestOf(*call.Arguments)
	l.mu.Lock()
	defer l.mu.Unlock()
	call = l.retained(call)
	calls := l.trace.Calls
	best, at := noMatch, -1
	for i, a := range l.asked {
		if fits := a.fits(call.Tool, arguments); fits > best {
			best, at = fits, i
		}
	}
	if at < 0 {
		l.trace.Calls = append(calls, call)
		if l.streams > 0 {
			l.early = append(l.early, asked{tool: call.Tool, arguments: arguments, record: len(calls)})
		}
		return
	}
	place := l.asked[at].record
	l.changed.calls = slices.DeleteFunc(l.changed.calls, func(other int) bool { return other == place })
	known := &calls[place]
	call.Turn = known.Turn
	*known = call
	l.asked = slices.Delete(l.asked, at, at+1)
}

// How well an MCP call matches a call that the model asked for. The first of the best matches
// is used.
const (
	noMatch       = iota
	sameArguments // and a name that ends with the tool's
	sameTool
	sameCall // tool and arguments
)

// fits compares an MCP call with this one. The model uses the command's name of the tool:
// read_file, or the same after the server's name, as in mcp__agentd__read_file,
// agentd_read_file or agentd.read_file. If the command gave the server another name, the
// arguments must be equal.
func (a asked) fits(tool string, arguments gateway.Digest) int {
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

// separators are the characters between a server's name and a tool's.
const separators = "_-.:/ "
