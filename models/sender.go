package models

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
)

// maxAnswer bounds an answer, in bytes.
const maxAnswer = 64 << 20

// idleConnections are kept for the relays that ask a model at the same time.
const idleConnections = 10_000

// sender posts requests to one address.
type sender struct {
	address string
	header  http.Header // of every request
	http    *http.Client
}

// newSender returns a sender of JSON. It does not connect yet.
func newSender(address string, header http.Header) *sender {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConns, t.MaxIdleConnsPerHost = 0, idleConnections
	t.WriteBufferSize, t.ReadBufferSize = 32<<10, 16<<10 // conversations are long
	return &sender{address, header, &http.Client{
		Transport: t,
		// A redirect would carry the key and the documents to wherever a server points.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// reply is what came of posting a request once.
type reply struct {
	status int // 0 if no answer began
	header http.Header
	body   []byte
}

// ok reports whether the status is one of success.
func (r *reply) ok() bool { return r.status >= 200 && r.status < 300 }

// post sends a request once and reads what it is answered with, whatever its status.
func (s *sender) post(ctx context.Context, body []byte) (reply, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.address, bytes.NewReader(body))
	if err != nil {
		return reply{}, err
	}
	request.Header = s.header.Clone() // the transport may add to it
	answer, err := s.http.Do(request)
	if err != nil {
		return reply{}, err
	}
	defer answer.Body.Close()
	r := reply{status: answer.StatusCode, header: answer.Header}
	r.body, err = readBody(answer)
	return r, err
}

func readBody(answer *http.Response) ([]byte, error) {
	var raw bytes.Buffer
	if answer.ContentLength > 0 {
		raw.Grow(int(min(answer.ContentLength, maxAnswer)) + bytes.MinRead)
	}
	if n, err := raw.ReadFrom(io.LimitReader(answer.Body, maxAnswer+1)); err != nil {
		return nil, err
	} else if n > maxAnswer {
		return nil, fmt.Errorf("the answer has more than %d bytes", maxAnswer)
	}
	return raw.Bytes(), nil
}
