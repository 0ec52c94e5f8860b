package sim

import (
	"errors"
	"net/http"
	"strings"

	"agentd/models/wire"
	wirechat "agentd/models/wire/chat"
	wiregemini "agentd/models/wire/gemini"
	wireimages "agentd/models/wire/images"
	wiremessages "agentd/models/wire/messages"
	wireresponses "agentd/models/wire/responses"
)

// dialect is a protocol of model servers: its codec, and what only the maker's servers do.
type dialect struct {
	wire.Codec
	// check returns why the maker's server would refuse a request that Codec decodes.
	check func(*http.Request, wire.Members, *request) *refusal
	// sign signs an answer's reasoning; nil if the dialect has no signatures.
	sign func(*answer)
	// noTemperature is the maker's message for a model without a temperature.
	noTemperature string
}

// dialects are the dialects of a server, by their paths.
func dialects() map[string]dialect {
	gemini := dialect{wiregemini.Codec{}, checkGemini, signContent,
		`Invalid JSON payload received. Unknown name "temperature" at 'generation_config': Cannot find field.`}
	return map[string]dialect{
		"/v1/chat/completions": {wirechat.Codec{}, checkChat, nil,
			"Unsupported value: 'temperature' does not support 1 with this model. Only the default (1) value is supported."},
		"/v1/responses":         {wireresponses.Codec{}, checkResponses, signResponse, responsesNoTemperature},
		"/v1/messages":          {wiremessages.Codec{}, newCaches().check, signMessage, "`temperature` is deprecated for this model."},
		"/v1/images/edits":      {Codec: images{}},
		"/v1beta/models/{call}": gemini,
		"/v1/models/{call}":     gemini,
	}
}

// read decodes a request. It refuses what the maker's server would refuse.
func (d dialect) read(h *http.Request, body []byte) (*request, *refusal) {
	if _, form := d.Codec.(images); form {
		asked, err := wireimages.DecodeForm(h.Header.Get("Content-Type"), body, maxBody)
		if err != nil {
			return nil, refusedf("%v", err)
		}
		return &request{Request: *asked}, nil
	}
	members, err := wire.Split("the request", body)
	if err != nil {
		return nil, refusedf("the request cannot be read: %v", err)
	}
	asked, err := d.Decode(members)
	if err != nil && !errors.Is(err, wire.ErrNoMessages) { // a request without messages is allowed here
		return nil, refusedf("%v", err)
	}
	r := &request{Request: *asked}
	return r, d.check(h, members, r)
}

// failure returns an error in the dialect's format.
func (d dialect) failure(why *refusal) any {
	e := wire.Error{Status: why.status, Code: why.code, Message: why.message}
	if why.status == http.StatusTooManyRequests {
		e.Wait = retryIn
	}
	return d.EncodeError(&e)
}

// events returns an answer as a stream. Each text comes in two pieces.
func (d dialect) events(r *request, a *answer) (events []wire.Event) {
	w := d.Writer(&r.Request, a, func(e wire.Event) { events = append(events, e) })
	if !a.Empty {
		for _, delta := range a.Deltas() {
			first, second := delta, wire.Delta{Call: delta.Call}
			first.Thought, second.Thought = halves(delta.Thought)
			first.Text, second.Text = halves(delta.Text)
			first.Arguments, second.Arguments = halves(delta.Arguments)
			_, _ = w.Delta(first), w.Delta(second) // the pieces are in order
		}
	}
	w.End(a)
	return events
}

// halves splits a text into the two pieces that a stream sends.
func halves(text string) (first, second string) {
	first = strings.ToValidUTF8(text[:len(text)/2], "") // a character is not divided
	return first, text[len(first):]
}

// checkChat is the check of chat completions, with the reasoning_content of other makers, which
// must be sent back.
func checkChat(_ *http.Request, _ wire.Members, asked *request) *refusal {
	for i := range asked.Messages {
		m := &asked.Messages[i]
		switch {
		case m.Role != assistant || !asked.Reasons || len(m.ToolCalls) == 0:
		case m.Reasoning == "":
			return refusedf("thinking is enabled but reasoning_content is missing in assistant tool call message at index %d", i)
		case m.Reasoning != thoughts(m):
			return refusedf("reasoning_content of message %d is not what the model wrote", i)
		}
	}
	return nil
}

const responsesNoTemperature = "Unsupported parameter: 'temperature' is not supported with this model."

// checkResponses is the check of OpenAI's Responses API. The stand-in stores nothing.
func checkResponses(_ *http.Request, _ wire.Members, asked *request) *refusal {
	switch {
	case asked.Reasons && asked.Temperature != nil:
		return &refusal{http.StatusBadRequest, "unsupported_parameter", responsesNoTemperature}
	case len(asked.LeftOut) > 0:
		return refusedf("%s cannot be had here", asked.LeftOut[0])
	}
	open := map[string]bool{} // calls without a result
	for i := range asked.Messages {
		m := &asked.Messages[i]
		for _, call := range m.ToolCalls {
			open[call.ID] = true
		}
		delete(open, m.ToolCallID)
		if refused := checkReasoning(m); refused != nil {
			return refused
		}
	}
	for id := range open {
		return refusedf("No tool output found for function call %s.", id)
	}
	return nil
}

// reasoned is the prefix of identifiers of answers with reasoning. Such answers must be sent
// back with their reasoning.
const reasoned = "r"

// checkReasoning refuses a turn whose reasoning differs from what the stand-in sent.
func checkReasoning(m *message) *refusal {
	switch {
	case !m.Reasoned && strings.HasPrefix(m.ID, "fc_"+reasoned):
		return refusedf("Item '%s' of type 'function_call' was provided without its required 'reasoning' item.", m.ID)
	case !m.Reasoned:
		return nil
	case !m.Says():
		return refusedf("Item '%s' of type 'reasoning' was provided without its required following item.", m.ID)
	case m.Signature == "":
		return refusedf("Item with id '%s' not found. Items are not persisted when `store` is set to false.", m.ID)
	case m.Signature != signature(thoughts(m), m):
		return &refusal{http.StatusBadRequest, "invalid_encrypted_content", "The encrypted content for item " + m.ID + " could not be verified."}
	}
	return nil
}

func signResponse(a *answer) {
	if m := &a.Message; m.Reasoning != "" {
		a.ID, m.Signature = reasoned+a.ID, signature(m.Reasoning, m)
	}
}

// checkGemini is the check of Google's generateContent: the order of calls and results, and the
// signatures of calls.
func checkGemini(h *http.Request, _ wire.Members, asked *request) *refusal {
	model, method := wiregemini.Method(h.PathValue("call"))
	if method != wiregemini.Generate && method != wiregemini.Stream {
		return &refusal{http.StatusNotFound, "not_found", "there is no method " + h.PathValue("call")}
	}
	asked.Model, asked.Stream, asked.Reasons = model, method == wiregemini.Stream, true
	const number = "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn."
	all := asked.Messages
	for i := range all {
		m := &all[i]
		if len(m.ToolCalls) == 0 {
			continue
		}
		if refused := checkSignature(i, m); refused != nil {
			return refused
		}
		for k, call := range m.ToolCalls {
			if at := i + 1 + k; at >= len(all) || all[at].ToolCallID != call.ID {
				return refusedf(number)
			}
		}
	}
	return nil
}

// checkSignature refuses a turn with calls whose signature is not from the stand-in.
func checkSignature(i int, m *message) *refusal {
	switch m.Signature {
	case wiregemini.Unsigned:
		return nil
	case "":
		return refusedf("Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly. Function call `%s`, position %d.", m.ToolCalls[0].Name, i)
	}
	if plainBase64(m.Signature) != plainBase64(signature(thoughts(m), m)) {
		return refusedf("Thought signature is not valid.")
	}
	return nil
}

// plainBase64 converts URL-safe base64 to standard base64. Google's servers accept both, and
// its Python package sends the former.
func plainBase64(text string) string {
	return strings.NewReplacer("-", "+", "_", "/", "=", "").Replace(text)
}

// signContent signs the first call of an answer, and removes call identifiers.
func signContent(a *answer) {
	m := &a.Message
	m.ToolCalls = wholeCalls(m)
	m.Signature = signature(m.Reasoning, m)
	for i := range m.ToolCalls {
		m.ToolCalls[i].ID = ""
	}
}
