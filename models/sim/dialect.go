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

// dialect is a protocol of model servers: how it words what the stand-in understands.
type dialect interface {
	// read reads a request, and refuses what the maker's server refuses.
	read(*http.Request, []byte) (*request, *refusal)
	// whole returns an answer as one object, and events the same as a stream.
	whole(*request, answer) any
	events(*request, answer) []event
	// failure is an error as the dialect writes it.
	failure(*refusal) any
	// temperatureRefused is how the maker says that a model takes no temperature.
	temperatureRefused() string
}

// event is one of a stream.
type event = wire.Event

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
				return &refusal{http.StatusBadRequest, "unsupported_value", d.temperatureRefused()}
			}
		case NoToolsWithEffort:
			if _, ok := d.(chat); ok && r.Effort != "" && r.Effort != "none" && len(r.Tools) > 0 {
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

// send sends an answer, as events if the client wants them, with a pause between two.
func send(w http.ResponseWriter, d dialect, r *request, a answer, pace time.Duration) {
	if !r.Stream {
		reply(w, http.StatusOK, d.whole(r, a))
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	events := d.events(r, a)
	if pace <= 0 {
		_, _ = w.Write(streamed(events)) // a client that went away needs no answer
		return
	}
	for i := range events {
		if i > 0 {
			time.Sleep(pace)
		}
		if _, err := w.Write(streamed(events[i : i+1])); err != nil {
			return
		}
		_ = http.NewResponseController(w).Flush() // where it cannot be had, all comes at the end
	}
}

// sendHalf sends half of an answer.
func sendHalf(w http.ResponseWriter, d dialect, r *request, a answer) {
	if r.Stream {
		raw := streamed(d.events(r, a))
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = w.Write(raw[:len(raw)/2])
		return
	}
	raw := written(d.whole(r, a))
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(raw)))
	_, _ = w.Write(raw[:len(raw)/2])
}

// streamed are events as they are sent.
func streamed(events []event) []byte {
	var b bytes.Buffer
	for _, e := range events {
		raw, _ := e.Bytes() // they are made of texts, numbers, lists and maps
		b.Write(raw)
	}
	return b.Bytes()
}

// halves are a text in two pieces, as a stream sends it.
func halves(text string) []string {
	at := len(text) / 2
	for at > 0 && at < len(text) && text[at]&0xc0 == 0x80 { // not inside of a character
		at--
	}
	return []string{text[:at], text[at:]}
}

// signature stands for a turn's reasoning together with what was said and called after
// it, so that neither can be altered or moved to another turn.
func signature(reasoning, text string, calls []toolCall) string {
	sum := sha256.New()
	fmt.Fprintf(sum, "agentd stand-in\x00%s\x00%s", reasoning, text)
	for _, c := range calls {
		fmt.Fprintf(sum, "\x00%s\x00%s", c.Name, canonical(c.Arguments))
	}
	return base64.StdEncoding.EncodeToString(sum.Sum(nil))
}

// whole are the calls as a dialect sends them whose arguments are objects: those that were cut
// off are empty.
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
