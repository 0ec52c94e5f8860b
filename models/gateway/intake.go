package gateway

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	"golang.org/x/sync/semaphore"
)

// Bounds of a command's requests in agentd's memory, in bytes.
const (
	// maxRequest bounds one request. Long conversations have some hundred kilobytes;
	// pictures, which agents send as data: URLs, some megabytes each.
	maxRequest = 16 << 20
	// maxRequests bounds all requests of a command that are being answered. Further
	// ones wait.
	maxRequests = 16 << 20
	// minRequest is the least that a request counts against maxRequests.
	minRequest = 512 << 10
	// maxNamed bounds the conversations that requests being answered name instead of
	// sending them.
	maxNamed = 16 << 20
)

// decodedAtOnce is how many requests of a command are decoded at the same time.
const decodedAtOnce = 2

// intake limits how much memory the requests of one command take. Requests wait until
// there is room.
type intake struct {
	requests, named, decoded *semaphore.Weighted
}

func newIntake() intake {
	return intake{semaphore.NewWeighted(maxRequests), semaphore.NewWeighted(maxNamed), semaphore.NewWeighted(decodedAtOnce)}
}

// errTooLarge is a request beyond the limit for its kind.
var errTooLarge = errors.New("the request is too large")

// read waits until there is room for a request and reads its body. Each of its bytes
// counts factor times. done, which is never nil, gives the room back.
func (i *intake) read(r *http.Request, factor int64) (body []byte, done func(), err error) {
	most := maxRequest / factor
	size := r.ContentLength
	switch {
	case size > most:
		return nil, func() {}, fmt.Errorf("%w: it has %d bytes, more than %d", errTooLarge, size, most)
	case size < 0: // it is sent in chunks
		size = most
	}
	room := max(size*factor, minRequest)
	if err := i.requests.Acquire(r.Context(), room); err != nil {
		return nil, func() {}, err
	}
	done = func() { i.requests.Release(room) }
	if r.ContentLength >= 0 {
		body = make([]byte, size)
		_, err = io.ReadFull(r.Body, body)
		return body, done, err
	}
	body, err = io.ReadAll(io.LimitReader(r.Body, most+1))
	if err == nil && int64(len(body)) > most {
		err = fmt.Errorf("%w: it has more than %d bytes", errTooLarge, most)
	}
	return body, done, err
}

// decode calls do when fewer than decodedAtOnce others are being decoded.
func (i *intake) decode(ctx context.Context, do func() error) error {
	if err := i.decoded.Acquire(ctx, 1); err != nil {
		return err
	}
	defer i.decoded.Release(1)
	return do()
}

// name waits until there is room for so many bytes of a conversation that a request
// names. done gives the room back.
func (i *intake) name(ctx context.Context, size int) (done func(), err error) {
	room := min(int64(size), maxNamed)
	if err := i.named.Acquire(ctx, room); err != nil {
		return nil, err
	}
	return func() { i.named.Release(room) }, nil
}
