package models

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"

	"golang.org/x/sync/semaphore"
)

// Bounds of what a server sends, in bytes. Bodies are counted after decompression.
const (
	maxAnswer      = 8 << 20
	maxErrorAnswer = 64 << 10 // of an error status; the rest is not read
	maxHeaders     = 256 << 10
	// usualAnswer is more than most answers have. Of larger ones only so many are in
	// memory at the same time, for each model, that they come to maxLarge.
	usualAnswer = 256 << 10
	maxLarge    = 4 * maxAnswer
)

// idleConnections are kept for the relays that ask a model at the same time.
const idleConnections = 10_000

// sender posts requests to one address.
type sender struct {
	address string
	header  http.Header // of every request
	http    *http.Client
	large   *semaphore.Weighted
}

// newSender returns a sender of JSON. It does not connect yet.
func newSender(address string, header http.Header) *sender {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConns, t.MaxIdleConnsPerHost = 0, idleConnections
	t.WriteBufferSize, t.ReadBufferSize = 32<<10, 16<<10 // conversations are long
	t.MaxResponseHeaderBytes = maxHeaders
	return &sender{address, header, &http.Client{
		Transport: t,
		// A redirect would carry the key and the documents to wherever a server points.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}, semaphore.NewWeighted(maxLarge)}
}

// reply is what came of posting a request once.
type reply struct {
	status int // 0 if no answer began
	header http.Header
	body   []byte
	// done must be called once, when body is no longer needed. It is never nil.
	done func()
}

// ok reports whether the status is one of success.
func (r *reply) ok() bool { return r.status >= 200 && r.status < 300 }

// post sends a request once and reads what it is answered with, whatever its status.
func (s *sender) post(ctx context.Context, body []byte) (reply, error) {
	r := reply{done: func() {}}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.address, bytes.NewReader(body))
	if err != nil {
		return r, err
	}
	request.Header = s.header.Clone() // the transport may add to it
	answer, err := s.http.Do(request)
	if err != nil {
		return r, err
	}
	defer answer.Body.Close()
	r.status, r.header = answer.StatusCode, answer.Header
	if !r.ok() {
		r.body, err = io.ReadAll(io.LimitReader(answer.Body, maxErrorAnswer))
		return r, err
	}
	err = r.read(ctx, answer, s.large)
	return r, err
}

// read reads the body of an answer. If it is a large one, that waits until there is
// room for it.
func (r *reply) read(ctx context.Context, answer *http.Response, large *semaphore.Weighted) (err error) {
	if answer.ContentLength > maxAnswer {
		return errTooLarge
	}
	r.body, err = io.ReadAll(io.LimitReader(answer.Body, usualAnswer))
	if err != nil || len(r.body) < usualAnswer {
		return err
	}
	room, grown := answer.ContentLength, answer.ContentLength
	if room < 0 {
		room, grown = maxAnswer, 2*usualAnswer
	}
	if err := large.Acquire(ctx, room); err != nil {
		return err
	}
	r.done = func() { large.Release(room) }
	all := bytes.NewBuffer(make([]byte, 0, grown+bytes.MinRead))
	all.Write(r.body)
	if _, err := all.ReadFrom(io.LimitReader(answer.Body, maxAnswer+1-usualAnswer)); err != nil {
		return err
	}
	if r.body = all.Bytes(); len(r.body) > maxAnswer {
		return errTooLarge
	}
	return nil
}

var errTooLarge = fmt.Errorf("the answer has more than %d bytes", maxAnswer)
