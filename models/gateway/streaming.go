package gateway

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync/atomic"
	"time"

	"agentd/models"
)

// writer writes an answer as events of a dialect, while it comes.
type writer interface {
	// delta writes what the answer has more than before. Calls come one after the other;
	// it is an error if one goes on after another began.
	delta(models.Delta) error
	// end writes the end of an answer, all of which was given to delta.
	end(models.Response)
	// broken writes that the answer breaks off.
	broken(error)
}

// Patience is how long a client may take to read an event. Then nothing more is sent to
// it: while it reads, the model's server waits, and others may wait for that.
const Patience = 30 * time.Second

// maxHeld bounds the end of an answer that is held back, in bytes.
const maxHeld = 16 << 20

// outgoing is an answer that is sent as events. Its end is held back until the answer is
// in the trace: the next request may come as soon as the client has seen it.
type outgoing struct {
	w      http.ResponseWriter
	q      question
	writer writer
	begun  atomic.Bool // whether the client has been sent something
	gone   bool        // the client does not read any more
	most   int         // calls that are written
	held   []byte
	// text is how much of the answer's text was written, and calls how much of the
	// arguments of each call, in bytes.
	text  int
	calls []int
}

// send writes an event.
func (o *outgoing) send(e event) {
	text, ok := e.data.(string)
	if !ok {
		raw, err := encode(e.data)
		if err != nil { // events are made of what was JSON before
			return
		}
		text = string(raw)
	}
	var b bytes.Buffer
	if e.name != "" {
		fmt.Fprintf(&b, "event: %s\n", e.name)
	}
	fmt.Fprintf(&b, "data: %s\n\n", text)
	o.write(b.Bytes())
}

// write sends bytes to the client at once. A client that went away needs no answer.
func (o *outgoing) write(raw []byte) {
	if o.gone || len(raw) == 0 {
		return
	}
	if !o.begun.Swap(true) {
		o.w.Header().Set("Content-Type", "text/event-stream")
	}
	control := http.NewResponseController(o.w)
	_ = control.SetWriteDeadline(time.Now().Add(Patience)) // tests have clients without one
	if _, err := o.w.Write(raw); err != nil {
		o.gone = true
		return
	}
	_ = control.Flush()
	_ = control.SetWriteDeadline(time.Time{})
}

// follow takes a piece of the model's answer.
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
	if o.q.wanted(p.Raw) {
		o.held = append(o.held, p.Raw...)
	}
	return nil
}

// delta writes what the answer has more. Calls beyond those that are carried out are left
// out.
func (o *outgoing) delta(d models.Delta) error {
	if d.OfCall() && d.Call >= o.most || !d.OfCall() && d.Text == "" {
		return nil
	}
	if o.writer == nil {
		o.writer = o.q.writer(o.send, nil)
	}
	if d.OfCall() {
		for len(o.calls) <= d.Call {
			o.calls = append(o.calls, 0)
		}
		o.calls[d.Call] += len(d.Arguments)
	}
	o.text += len(d.Text)
	return o.writer.delta(d)
}

// end sends what of an answer was not sent yet.
func (o *outgoing) end(answer models.Response) error {
	if o.q.raw(answer) {
		o.write(o.held)
		return nil
	}
	if o.writer == nil {
		o.writer = o.q.writer(o.send, &answer.Usage)
	}
	said := &answer.Message
	if len(said.Content) > o.text {
		if err := o.delta(models.Delta{Text: said.Content[o.text:]}); err != nil {
			return err
		}
	}
	for i, call := range said.ToolCalls {
		d := models.Delta{Call: i, ID: call.ID, Name: call.Name, Arguments: call.Arguments}
		if i < len(o.calls) {
			d = models.Delta{Call: i, Arguments: call.Arguments[min(o.calls[i], len(call.Arguments)):]}
		}
		if !d.OfCall() {
			continue
		}
		if err := o.delta(d); err != nil {
			return err
		}
	}
	o.writer.end(answer)
	return nil
}

// broken tells the client that the answer breaks off.
func (o *outgoing) broken(err error) {
	if o.writer == nil {
		o.writer = o.q.writer(o.send, nil)
	}
	o.writer.broken(err)
}

// asking is the context in which the model is asked. It ends with the client's connection
// or, once the client has been sent something, with the gateway: a client that goes away
// could else have an answer whose tokens were not counted.
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

// brokenOff is what errors of streams are called.
const brokenOff = "model_error"

// errOutOfOrder is an answer whose pieces cannot be written in another dialect.
var errOutOfOrder = errors.New("the model's server goes on with a call after another one began")

// dropUsage reports whether an event of chat completions holds nothing but the usage.
func dropUsage(raw []byte) bool {
	for line := range bytes.Lines(raw) {
		data, ok := bytes.CutPrefix(line, []byte("data:"))
		if !ok || !bytes.Contains(data, []byte(`"usage"`)) {
			continue
		}
		all, err := split("", bytes.TrimSpace(data))
		if err == nil && slices.Contains([]string{"[]", "null", ""}, string(all["choices"])) {
			return true
		}
	}
	return false
}
