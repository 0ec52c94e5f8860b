package models

import (
	"bytes"
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"

	"agentd/models/wire"
)

// Bounds of what a server sends, in bytes. Bodies are counted after decompression.
const (
	maxHeaders = 256 << 10
	// usualAnswer exceeds the size of most answers. Larger answers are read into one of
	// largeAtOnce buffers of the model; further ones wait.
	usualAnswer = 256 << 10
	largeAtOnce = 2
)

// idleConnections is the limit of idle connections, for relays that ask a model at the same
// time.
const idleConnections = 10_000

// sender posts requests to a server.
type sender struct {
	address, stream string      // URLs for whole and streamed answers
	header          http.Header // of every request
	http            *http.Client
	large           chan []byte // buffers; nil if not allocated yet
}

// newSender returns a sender of JSON requests. It does not connect yet.
func newSender(address, stream string, header http.Header) *sender {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConns, t.MaxIdleConnsPerHost = 0, idleConnections
	t.WriteBufferSize, t.ReadBufferSize = 32<<10, 16<<10 // conversations are long
	t.MaxResponseHeaderBytes = maxHeaders
	s := &sender{address: address, stream: stream, header: header, large: make(chan []byte, largeAtOnce)}
	s.http = &http.Client{
		Transport: t,
		// A redirect would carry the key and the documents to wherever a server points.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	for range largeAtOnce {
		s.large <- nil
	}
	return s
}

// posting is a request to be sent.
type posting struct {
	body   []byte
	stream bool
	header http.Header        // additional headers; those of every request take precedence
	events func() wire.Reader // returns a reader of streamed answers, nil if the dialect has none
	follow *following         // nil if the caller does not follow the answer
	// verbatim asks for the server's own text. kept asks to keep that of a streamed answer.
	verbatim, kept bool
}

// reply is the result of sending a request once.
type reply struct {
	status int // 0 if there was no answer
	header http.Header
	body   []byte
	events bool            // whether it was streamed
	raw    strings.Builder // text of the stream, if it is kept
	// charged is the reported usage of an answer that could not be used.
	charged Usage
	// done must be called once, when body is no longer needed. It is never nil.
	done func()
}

// ok reports whether the status is 2xx.
func (r *reply) ok() bool { return r.status >= 200 && r.status < 300 }

// post sends a request once and reads the whole answer, whatever its status. A streamed answer is
// assembled into one body. The answer's first byte is there when http.Client.Do returns. How long an answer
// took, with retries and pauses, is measured by client.persist.
func (s *sender) post(ctx context.Context, p *posting) (*reply, error) {
	r := &reply{done: func() {}}
	address := s.address
	if p.stream {
		address = s.stream
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(p.body))
	if err != nil {
		return r, err
	}
	request.Header = s.header.Clone() // the transport may change it
	for name, values := range p.header {
		if request.Header.Values(name) == nil {
			request.Header[name] = values
		}
	}
	answer, err := s.http.Do(request)
	if err != nil {
		return r, err
	}
	defer answer.Body.Close()
	r.status, r.header = answer.StatusCode, answer.Header
	if !r.ok() {
		r.body, err = io.ReadAll(io.LimitReader(answer.Body, wire.MaxError))
		return r, err
	}
	if kind, _, _ := mime.ParseMediaType(answer.Header.Get("Content-Type")); kind == wire.EventStream {
		r.events = true
		events := p.events()
		if events == nil {
			return r, errors.New("the server streams, which was not asked for")
		}
		var stream io.Reader = answer.Body
		if p.kept {
			stream = io.TeeReader(stream, &r.raw)
		}
		var follow wire.Follow
		if p.follow != nil {
			follow = p.follow.event
		}
		r.body, err = wire.Assemble(stream, events, follow)
		return r, err
	}
	err = r.read(ctx, answer, s.large)
	return r, err
}

// read reads the body of an answer. A large answer waits for a buffer.
func (r *reply) read(ctx context.Context, answer *http.Response, large chan []byte) (err error) {
	if answer.ContentLength > wire.MaxAnswer {
		return wire.ErrTooLarge
	}
	r.body, err = io.ReadAll(io.LimitReader(answer.Body, usualAnswer))
	if err != nil || len(r.body) < usualAnswer {
		return err
	}
	var buffer []byte
	select {
	case buffer = <-large:
	case <-ctx.Done():
		return ctx.Err()
	}
	if buffer == nil {
		buffer = make([]byte, wire.MaxAnswer+1)
	}
	r.done = func() { large <- buffer }
	n := copy(buffer, r.body)
	for err == nil && n < len(buffer) {
		var more int
		more, err = answer.Body.Read(buffer[n:])
		n += more
	}
	switch {
	case err != nil && err != io.EOF:
		return err
	case n > wire.MaxAnswer:
		return wire.ErrTooLarge
	}
	r.body = buffer[:n]
	return nil
}
