package models

import (
	"bytes"
	"errors"
)

// Piece is a part of a streamed answer, as passed to Request.Follow.
type Piece struct {
	// Delta is what this piece adds to the answer.
	Delta Delta
	// Raw is an event as the server wrote it, including the empty line that ends it. It is set
	// only if the request has Members; then Delta is empty. Raw is valid only during the call.
	Raw []byte
	// Last says that the answer is complete with this piece. Several final pieces may have it
	// set.
	Last bool
}

// following passes the pieces of a stream to the caller. After the first piece no retry is
// possible, because a piece cannot be taken back.
type following struct {
	tell     func(Piece) error
	verbatim bool
	secrets  *secrets
	begun    bool
	// tails are the ends of the texts so far, one for each kind of text. A key may be spread
	// over several pieces.
	tails [3]string
}

// errKey ends a stream that repeats a key. In an answer that is not streamed, the key is
// removed instead.
var errKey = errors.New("the stream repeats a key")

// event passes on the deltas of an event. For a verbatim request it passes on the raw event.
// Comments before the first event are dropped, because the server may still refuse the request.
func (f *following) event(raw, data []byte, deltas []Delta, last bool) error {
	if data == nil && !last {
		if f.begun && f.verbatim && bytes.HasPrefix(raw, []byte(":")) {
			return f.tell(Piece{Raw: raw})
		}
		return nil
	}
	for i := range deltas {
		if err := f.check(&deltas[i]); err != nil {
			return err
		}
	}
	if f.verbatim {
		if _, ok := f.secrets.hideIn(string(data)); !ok || f.secrets.hideWhole(string(raw)) != string(raw) {
			return errKey
		}
		f.begun = true
		return f.tell(Piece{Raw: raw, Last: last})
	}
	for _, d := range deltas {
		if d == (Delta{Call: d.Call}) {
			continue
		}
		f.begun = true
		if err := f.tell(Piece{Delta: d}); err != nil {
			return err
		}
	}
	return nil
}

// check returns an error if the text so far contains a key, which may end in this delta.
func (f *following) check(d *Delta) error {
	for i, more := range [...]string{d.Text, d.Thought, d.Arguments} {
		if more == "" {
			continue
		}
		text := f.tails[i] + more
		if f.secrets.hideWhole(text) != text {
			return errKey
		}
		f.tails[i] = text[max(0, len(text)-f.secrets.longest):]
	}
	return nil
}

// Takes reports whether requests in a dialect can be sent to the model unchanged, as Members.
// stream says whether they ask for events. It is false if the server speaks another dialect, or
// if the model's settings cannot be applied to such a request.
func Takes(m Model, api API, stream bool) bool {
	speaker, ok := m.(interface{ takes(API, bool) bool })
	return ok && speaker.takes(api, stream)
}

// takes implements Takes. A model with streamed answers cannot serve a request for an answer in
// one piece. A model without system messages accepts no such request either.
func (c *client) takes(api API, stream bool) bool {
	return c.spec.API == api && (stream || !c.spec.Stream) && !c.spec.NoSystem
}

func (g *Guard) takes(api API, stream bool) bool { return Takes(g.model, api, stream) }
