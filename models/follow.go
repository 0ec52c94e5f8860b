package models

import (
	"bytes"
	"errors"
)

// Piece is a part of a streamed answer, as Request.Follow takes it.
type Piece struct {
	// Delta is what the answer has more than before.
	Delta Delta
	// Raw is an event as the server wrote it, with the empty line that ends it: of a
	// request with Members, whose pieces have nothing else. It is valid only during the call.
	Raw []byte
	// Last says that the answer is whole with this piece: it is one of those that end it.
	Last bool
}

// following passes the pieces of a stream on to the caller. After the first piece no other
// attempt can be made, because a piece cannot be taken back.
type following struct {
	tell     func(Piece) error
	verbatim bool
	secrets  *secrets
	begun    bool
	// tails are the ends of the texts so far, one for each kind of text, because a key may be
	// spread over several pieces.
	tails [3]string
}

// errKey ends a stream that repeats a key. From an answer that is not streamed the key is
// removed instead.
var errKey = errors.New("the stream repeats a key")

// Event hands on what an event said: deltas, or the event as it was written, with its data,
// if the request was verbatim.
func (f *following) Event(raw, data []byte, deltas []Delta, last bool) error {
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

// check returns an error if a delta ends a key, or holds one.
func (f *following) check(d *Delta) error {
	for i, more := range [...]string{d.Text, d.Thought, d.Arguments} {
		if more == "" {
			continue
		}
		text := f.tails[i] + more
		if f.secrets.hideWhole(text) != text {
			return errKey
		}
		f.tails[i] = text[max(0, len(text)-f.secrets.longest()):]
	}
	return nil
}

// Rest hands on lines that are no event: comments, with which servers keep connections
// alive. Before the first event they are dropped, because a server may still refuse.
func (f *following) Rest(raw []byte) error {
	if f.begun && f.verbatim && bytes.HasPrefix(raw, []byte(":")) {
		return f.tell(Piece{Raw: raw})
	}
	return nil
}

// Takes reports whether the model's server speaks a dialect, so that requests in it go on
// as Members; stream says whether they ask for events. It is false where the model's
// settings cannot be laid over such a request.
func Takes(m Model, api API, stream bool) bool {
	speaker, ok := m.(interface{ takes(API, bool) bool })
	return ok && speaker.takes(api, stream)
}

// takes is Takes. A model whose answers have to be streamed takes no request for one that
// is not, and one that knows no system messages takes none.
func (c *client) takes(api API, stream bool) bool {
	return c.spec.API == api && (stream || !c.spec.Stream) && !c.spec.NoSystem
}

func (g *Guard) takes(api API, stream bool) bool { return Takes(g.model, api, stream) }
