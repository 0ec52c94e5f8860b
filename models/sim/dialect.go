package sim

import (
	"errors"
	"net/http"
	"strings"

	"agentd/models/wire"
	wirechat "agentd/models/wire/chat"
	wiregemini "agentd/models/wire/gemini"
	wireresponses "agentd/models/wire/responses"
)

// dialect is a protocol of model servers.
type dialect interface {
	// read decodes a request. It refuses what the maker's server would refuse.
	read(*http.Request, []byte) (*request, *refusal)
	// whole returns an answer as one object. events returns it as a stream.
	whole(*request, answer) any
	events(*request, answer) []wire.Event
	// failure returns an error in the dialect's format.
	failure(*refusal) any
	// temperatureRefused returns the maker's message for a model without a temperature.
	temperatureRefused() string
}

// spoken is a dialect with a codec.
type spoken struct {
	wire.Codec
	signed        func(answer) answer // signs an answer's reasoning; nil if the dialect has no signatures
	noTemperature string
}

func (d spoken) temperatureRefused() string { return d.noTemperature }

// decode reads a request.
func (d spoken) decode(body []byte) (*request, wire.Members, *refusal) {
	members, err := wire.Split("the request", body)
	if err != nil {
		return nil, nil, refusedf("the request cannot be read: %v", err)
	}
	asked, err := d.Decode(members)
	if err != nil && !errors.Is(err, wire.ErrNoMessages) { // a request without messages is allowed here
		return nil, nil, refusedf("%v", err)
	}
	return &request{Request: *asked}, members, nil
}

func (d spoken) failure(why *refusal) any {
	e := wire.Error{Status: why.status, Code: why.code, Message: why.message}
	if why.status == http.StatusTooManyRequests {
		e.Wait = retryIn
	}
	return d.EncodeError(&e)
}

func (d spoken) sign(a answer) answer {
	if d.signed == nil {
		return a
	}
	return d.signed(a)
}

func (d spoken) whole(r *request, a answer) any {
	a = d.sign(a)
	return d.EncodeAnswer(&r.Request, &a)
}

// events sends each text in two pieces.
func (d spoken) events(r *request, a answer) (events []wire.Event) {
	a = d.sign(a)
	w := d.Writer(&r.Request, &a, func(e wire.Event) { events = append(events, e) })
	if !a.Empty {
		for _, delta := range a.Deltas() {
			first, second := delta, wire.Delta{Call: delta.Call}
			first.Thought, second.Thought = halves(delta.Thought)
			first.Text, second.Text = halves(delta.Text)
			first.Arguments, second.Arguments = halves(delta.Arguments)
			_, _ = w.Delta(first), w.Delta(second) // the pieces are in order
		}
	}
	w.End(&a)
	return events
}

// halves splits a text into the two pieces that a stream sends.
func halves(text string) (first, second string) {
	first = strings.ToValidUTF8(text[:len(text)/2], "") // a character is not divided
	return first, text[len(first):]
}

// chat is OpenAI's chat completions, with the reasoning_content of other makers, which must be
// sent back.
type chat struct{ spoken }

func newChat() chat {
	return chat{spoken{Codec: wirechat.Codec{},
		noTemperature: "Unsupported value: 'temperature' does not support 1 with this model. Only the default (1) value is supported."}}
}

func (d chat) read(_ *http.Request, body []byte) (*request, *refusal) {
	asked, _, refused := d.decode(body)
	if refused != nil {
		return nil, refused
	}
	for i := range asked.Messages {
		m := &asked.Messages[i]
		switch {
		case m.Role != assistant || !asked.Reasons || len(m.ToolCalls) == 0:
		case m.Reasoning == "":
			return nil, refusedf("thinking is enabled but reasoning_content is missing in assistant tool call message at index %d", i)
		case m.Reasoning != thoughts(m):
			return nil, refusedf("reasoning_content of message %d is not what the model wrote", i)
		}
	}
	return asked, nil
}

// responses is OpenAI's Responses API. It stores nothing.
type responses struct{ spoken }

func newResponses() responses {
	return responses{spoken{Codec: wireresponses.Codec{}, signed: signedResponse,
		noTemperature: "Unsupported parameter: 'temperature' is not supported with this model."}}
}

// reasoned is the prefix of identifiers of answers with reasoning. Such answers must be sent
// back with their reasoning.
const reasoned = "r"

func (d responses) read(_ *http.Request, body []byte) (*request, *refusal) {
	asked, _, refused := d.decode(body)
	switch {
	case refused != nil:
		return nil, refused
	case asked.Reasons && asked.Temperature != nil:
		return nil, &refusal{http.StatusBadRequest, "unsupported_parameter", d.noTemperature}
	case len(asked.LeftOut) > 0:
		return nil, refusedf("%s cannot be had here", asked.LeftOut[0])
	}
	open := map[string]bool{} // calls without a result
	for i := range asked.Messages {
		m := &asked.Messages[i]
		for _, call := range m.ToolCalls {
			open[call.ID] = true
		}
		delete(open, m.ToolCallID)
		if refused := d.checkReasoning(m); refused != nil {
			return nil, refused
		}
	}
	for id := range open {
		return nil, refusedf("No tool output found for function call %s.", id)
	}
	return asked, nil
}

// checkReasoning refuses a turn whose reasoning differs from what the stand-in sent.
func (responses) checkReasoning(m *message) *refusal {
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

func signedResponse(a answer) answer {
	if m := &a.Message; m.Reasoning != "" {
		a.ID, m.Signature = reasoned+a.ID, signature(m.Reasoning, m)
	}
	return a
}

// gemini is Google's generateContent.
type gemini struct{ spoken }

func newGemini() gemini {
	return gemini{spoken{Codec: wiregemini.Codec{}, signed: signedContent,
		noTemperature: `Invalid JSON payload received. Unknown name "temperature" at 'generation_config': Cannot find field.`}}
}

func (d gemini) read(h *http.Request, body []byte) (*request, *refusal) {
	model, method := wiregemini.Method(h.PathValue("call"))
	if method != wiregemini.Generate && method != wiregemini.Stream {
		return nil, &refusal{http.StatusNotFound, "not_found", "there is no method " + h.PathValue("call")}
	}
	asked, _, refused := d.decode(body)
	if refused != nil {
		return nil, refused
	}
	asked.Model, asked.Stream, asked.Reasons = model, method == wiregemini.Stream, true
	return asked, d.inTurns(asked.Messages)
}

// inTurns checks the order of calls and results, and the signatures of calls.
func (d gemini) inTurns(all []message) *refusal {
	const number = "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn."
	for i := range all {
		m := &all[i]
		if len(m.ToolCalls) == 0 {
			continue
		}
		if refused := d.checkSignature(i, m); refused != nil {
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
func (gemini) checkSignature(i int, m *message) *refusal {
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

// signedContent returns an answer with a signature on its first call, and without call
// identifiers.
func signedContent(a answer) answer {
	m := &a.Message
	m.ToolCalls = wholeCalls(m)
	m.Signature = signature(m.Reasoning, m)
	for i := range m.ToolCalls {
		m.ToolCalls[i].ID = ""
	}
	return a
}
