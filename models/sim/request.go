package sim

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"agentd/models/wire"
)

type (
	message  = wire.Message
	toolCall = wire.ToolCall
	answer   = wire.Answer
)

// Roles of messages.
const (
	system    = wire.System
	user      = wire.User
	assistant = wire.Assistant
	fromTool  = wire.ToolRole
)

// request is a conversation that the stand-in is to continue.
type request struct {
	wire.Request
	profile Profile
	// caching says that the dialect counts what is cached itself: of the prompt's bytes
	// those read from a cache, and those written to one.
	caching         bool
	cached, written int
}

// seed is the request's; 0 if it has none.
func (r *request) seed() int64 {
	if r.Seed == nil {
		return 0
	}
	return *r.Seed
}

// refusal is why a request is not served.
type refusal struct {
	status  int
	code    string // OpenAI's word for it
	message string
}

func refusedf(format string, args ...any) *refusal {
	return &refusal{http.StatusBadRequest, "invalid_request_error", fmt.Sprintf(format, args...)}
}

func refuse(w http.ResponseWriter, d dialect, why *refusal) { reply(w, why.status, d.failure(why)) }

// retryIn is after how long a client that asks too often may ask again, in dialects that say
// so in the body.
const retryIn = 20 * time.Millisecond

// RulesHeader of a request names further rules that the request must keep.
const RulesHeader = "Sim-Rules"

// Rules that some models have and others not.
const (
	// NoTemperature refuses a temperature.
	NoTemperature = "no-temperature"
	// NoToolsWithEffort refuses tools together with an effort, in chat completions.
	NoToolsWithEffort = "no-tools-with-effort"
	// Reasons has models reason without being asked.
	Reasons = "reasons"
)

// AllRules lists the rules.
func AllRules() []string { return []string{NoTemperature, NoToolsWithEffort, Reasons} }

type rules []string

// rulesOf are a server's rules and those that a request names.
func rulesOf(r *http.Request, all rules) rules {
	if said := r.Header.Get(RulesHeader); said != "" {
		for rule := range strings.SplitSeq(said, ",") {
			all = append(slices.Clone(all), strings.TrimSpace(rule))
		}
	}
	return all
}

// hold returns why a request does not keep the rules; nil if it does.
func (all rules) hold(d dialect, r *request) *refusal {
	for _, rule := range all {
		switch rule {
		case NoTemperature:
			if r.Temperature != nil {
				return &refusal{http.StatusBadRequest, "unsupported_value", d.noTemperature}
			}
		case NoToolsWithEffort:
			if d.API() == wire.Chat && r.Effort != "" && r.Effort != "none" && len(r.Tools) > 0 {
				return refusedf("Function tools with reasoning_effort are not supported for %s in /v1/chat/completions. Please use /v1/responses instead.", r.Model)
			}
		case Reasons:
			r.Reasons = true
		default:
			return refusedf("there is no rule %q; there are %s", rule, strings.Join(AllRules(), ", "))
		}
	}
	return nil
}

// send sends an answer, as events if the client wants them, with a pause between two of them. half
// sends only the first half.
func send(w http.ResponseWriter, d dialect, r *request, a answer, pace time.Duration, half bool) {
	var pieces [][]byte
	if d.sign != nil {
		d.sign(&a)
	}
	if r.Stream {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, e := range d.events(r, &a) {
			raw, _ := e.Bytes() // they are made of texts, numbers, lists and maps
			pieces = append(pieces, raw)
		}
	} else {
		pieces = [][]byte{written(d.EncodeAnswer(&r.Request, &a))}
		announce(w, pieces[0])
	}
	if pace <= 0 || half {
		all := bytes.Join(pieces, nil)
		if half {
			all = all[:len(all)/2]
		}
		pieces = [][]byte{all}
	}
	for i, piece := range pieces {
		if i > 0 {
			time.Sleep(pace)
		}
		if _, err := w.Write(piece); err != nil {
			return // the client has gone away
		}
		if pace > 0 {
			_ = http.NewResponseController(w).Flush() // without it, all comes at the end
		}
	}
}

// reply sends a value as JSON.
func reply(w http.ResponseWriter, status int, body any) {
	raw := written(body)
	announce(w, raw)
	w.WriteHeader(status)
	_, _ = w.Write(raw) // a client that has gone away needs no answer
}

func announce(w http.ResponseWriter, json []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(json)))
}

// written is a value as JSON, without escapes for HTML.
func written(value any) []byte {
	raw, _ := wire.Write(value) // texts, numbers, lists and maps of them can always be written
	return raw
}

// signature stands for a turn's reasoning together with its text and calls, so that neither can
// be altered or moved to another turn.
func signature(reasoning string, m *message) string {
	sum := sha256.New()
	fmt.Fprintf(sum, "agentd stand-in\x00%s\x00%s", reasoning, m.Content)
	for _, c := range m.ToolCalls {
		fmt.Fprintf(sum, "\x00%s\x00%s", c.Name, canonical(c.Arguments))
	}
	return base64.StdEncoding.EncodeToString(sum.Sum(nil))
}

// wholeCalls are copies of the calls for dialects whose arguments are objects: arguments that
// were cut off are empty.
func wholeCalls(m *message) []toolCall {
	calls := slices.Clone(m.ToolCalls)
	for i := range calls {
		if arguments := &calls[i].Arguments; !json.Valid([]byte(*arguments)) {
			*arguments = "{}"
		}
	}
	return calls
}

// canonical is JSON that looks the same however a client writes it.
func canonical(arguments string) string {
	var value any
	if wire.Lenient([]byte(arguments), &value) != nil {
		return arguments
	}
	return string(written(value))
}
