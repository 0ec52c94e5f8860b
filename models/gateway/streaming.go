package gateway

import (
	"context"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	"agentd/models"
	"agentd/models/wire"
	"agentd/models/wire/chat"
)

// Patience is how long a client may take to read an event. After that nothing more is sent to
// it, because a slow client keeps the model's server waiting, and perhaps other clients.
const Patience = 30 * time.Second

// maxHeld is the largest part of an answer that is held back at its end, in bytes.
const maxHeld = 16 << 20

// outgoing is an answer that is sent as events. Its end is held back until the answer is in the
// trace, because the client may send its next request as soon as it has seen the end.
type outgoing struct {
	w      http.ResponseWriter
	q      *question
	head   *wire.Answer // as far as it is known
	writer wire.Writer
	begun  atomic.Bool // whether the client has been sent something
	gone   bool        // the client has stopped reading
	most   int         // largest number of calls written
	held   []byte
	// text is the number of bytes of text written so far. calls is the same for the arguments
	// of each call.
	text  int
	calls []int
}

// send writes an event.
func (o *outgoing) send(e wire.Event) {
	raw, err := e.Bytes()
	if err == nil { // cannot fail: events are built from valid JSON
		o.write(raw)
	}
}

// write sends bytes to the client immediately. It does nothing for a client that has
// disconnected.
func (o *outgoing) write(raw []byte) {
	if o.gone || len(raw) == 0 {
		return
	}
	if !o.begun.Swap(true) {
		o.w.Header().Set("Content-Type", wire.EventStream)
	}
	control := http.NewResponseController(o.w)
	_ = control.SetWriteDeadline(time.Now().Add(Patience)) // clients in tests may not support one
	if _, err := o.w.Write(raw); err != nil {
		o.gone = true
		return
	}
	_ = control.Flush()
	_ = control.SetWriteDeadline(time.Time{})
}

// follow handles a piece of the model's answer.
func (o *outgoing) follow(p models.Piece) error {
	switch {
	case p.Raw == nil:
		return o.delta(p.Delta)
	case !p.Last:
		o.write(p.Raw)
		return nil
	}
	if len(o.held)+len(p.Raw) > maxHeld {
		return fmt.Errorf("the stream has more than %d bytes after its end", maxHeld)
	}
	if o.q.decoded.Usage || o.q.codec.API() != wire.Chat || !chat.UsageAlone(p.Raw) {
		o.held = append(o.held, p.Raw...)
	}
	return nil
}

// delta writes what a piece adds to the answer. It omits the model's reasoning, and calls that
// exceed the limit.
func (o *outgoing) delta(d models.Delta) error {
	d.Thought = ""
	if d.OfCall() && d.Call >= o.most || !d.OfCall() && d.Text == "" {
		return nil
	}
	if d.OfCall() {
		for len(o.calls) <= d.Call {
			o.calls = append(o.calls, 0)
		}
		o.calls[d.Call] += len(d.Arguments)
	}
	o.text += len(d.Text)
	return o.events().Delta(d)
}

// events returns the writer of the events.
func (o *outgoing) events() wire.Writer {
	if o.writer == nil {
		o.writer = o.q.codec.Writer(o.q.decoded, o.head, o.send)
	}
	return o.writer
}

// fill sets the answer from what the model said, without its reasoning.
func (o *outgoing) fill(answer models.Response) {
	said := &answer.Message
	o.head.Message = wire.Message{Role: wire.Assistant, Content: said.Content, ToolCalls: said.ToolCalls, Pictures: said.Pictures}
	o.head.FinishReason, o.head.Usage = answer.FinishReason, answer.Usage
}

// end sends the rest of an answer.
func (o *outgoing) end(answer models.Response) error {
	if o.q.verbatim && answer.Streamed {
		o.write(o.held)
		return nil
	}
	o.fill(answer)
	for _, d := range o.head.Deltas() {
		if d.OfCall() && d.Call < len(o.calls) {
			d = models.Delta{Call: d.Call, Arguments: d.Arguments[min(o.calls[d.Call], len(d.Arguments)):]}
		} else if !d.OfCall() {
			d.Text = d.Text[min(o.text, len(d.Text)):]
		}
		if err := o.delta(d); err != nil {
			return err
		}
	}
	o.events().End(o.head)
	return nil
}

// broken tells the client that the answer was interrupted.
func (o *outgoing) broken(err error) { o.events().Broken(err) }

// asking returns the context of a request to the model. Before the client has received
// anything, it ends with the client's connection. After that it ends with the gateway:
// otherwise a client that disconnects could get tokens that are not counted.
func (g *Gateway) asking(r *http.Request, begun func() bool) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(r.Context()))
	client := context.AfterFunc(r.Context(), func() {
		if !begun() {
			cancel()
		}
	})
	command := context.AfterFunc(g.ends, cancel)
	return ctx, func() {
		client()
		command()
		cancel()
	}
}
