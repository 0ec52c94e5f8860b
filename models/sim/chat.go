package sim

import (
	"errors"
	"net/http"
	"time"

	"agentd/models/wire"
	codec "agentd/models/wire/chat"
)

// spoken is a dialect that has a codec.
type spoken struct{ wire.Codec }

// retryIn is after how long a server that is asked too often is to be asked again, in dialects
// that say so in the body.
const retryIn = 20 * time.Millisecond

// decode reads a request.
func (d spoken) decode(body []byte) (*request, *refusal) {
	members, err := wire.Split("the request", body)
	if err != nil {
		return nil, refusedf("the request cannot be read: %v", err)
	}
	asked, err := d.Decode(members)
	if err != nil && !errors.Is(err, wire.ErrNoMessages) { // of which the stand-in makes nothing
		return nil, refusedf("%v", err)
	}
	return &request{Request: *asked}, nil
}

func (d spoken) failure(why *refusal) any {
	e := wire.Error{Status: why.status, Code: why.code, Message: why.message}
	if why.status == http.StatusTooManyRequests {
		e.Wait = retryIn
	}
	return d.EncodeError(&e)
}

func (d spoken) whole(r *request, a answer) any { return d.EncodeAnswer(&r.Request, &a) }

// events has each text come in two pieces.
func (d spoken) events(r *request, a answer) (events []event) {
	w := d.Writer(&r.Request, &a, func(e event) { events = append(events, e) })
	m := &a.Message
	if !a.Empty {
		for _, piece := range halves(m.Reasoning) {
			_ = w.Delta(wire.Delta{Thought: piece}) // the pieces are in order
		}
		for _, piece := range halves(m.Content) {
			_ = w.Delta(wire.Delta{Text: piece})
		}
		for i, call := range m.ToolCalls {
			pieces := halves(call.Arguments)
			_ = w.Delta(wire.Delta{Call: i, ID: call.ID, Name: call.Name, Arguments: pieces[0]})
			_ = w.Delta(wire.Delta{Call: i, Arguments: pieces[1]})
		}
	}
	w.End(&a)
	return events
}

// chat is OpenAI's chat completions, with the reasoning_content of other makers, which they
// want back.
type chat struct{ spoken }

func newChat() chat { return chat{spoken{codec.Codec{}}} }

func (d chat) read(_ *http.Request, body []byte) (*request, *refusal) {
	asked, refused := d.decode(body)
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

func (chat) temperatureRefused() string {
	return "Unsupported value: 'temperature' does not support 1 with this model. Only the default (1) value is supported."
}
