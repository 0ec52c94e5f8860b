package gateway

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	"golang.org/x/sync/semaphore"
)

// Memory limits for a command's requests, in bytes.
const (
	// maxRequest limits one request. A long conversation has some hundred kilobytes. Agents
	// send pictures as data: URLs of some megabytes each.
	maxRequest = 16 << 20
	// maxRequests limits the total size of a command's requests in progress. Further requests
	// wait.
	maxRequests = 16 << 20
	// minRequest is the minimum that a request counts against maxRequests.
	minRequest = 512 << 10
	// maxNamed limits the total size of stored conversations that the requests in progress
	// refer to.
	maxNamed = 16 << 20
)

// decodedAtOnce limits how many of a command's requests are decoded at the same time.
const decodedAtOnce = 2

// intake limits the memory of one command's requests. Requests wait until there is room.
type intake struct {
	requests, named, decoded *semaphore.Weighted
}

func newIntake() intake {
	return intake{semaphore.NewWeighted(maxRequests), semaphore.NewWeighted(maxNamed), semaphore.NewWeighted(decodedAtOnce)}
}

// errTooLarge means that a request exceeds its size limit.
var errTooLarge = errors.New("the request is too large")

// read waits until there is room for a request, then reads its body. Each byte counts factor
// times. done releases the room. It is never nil.
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

// decode calls do, after waiting while decodedAtOnce others are being decoded.
func (i *intake) decode(ctx context.Context, do func() error) error {
	if err := i.decoded.Acquire(ctx, 1); err != nil {
		return err
	}
	defer i.decoded.Release(1)
	return do()
}

// name waits until there is room for a stored conversation of the given size in bytes. done
// releases the room.
func (i *intake) name(ctx context.Context, size int) (done func(), err error) {
	room := min(int64(size), maxNamed)
	if err := i.named.Acquire(ctx, room); err != nil {
		return nil, err
	}
	return func() { i.named.Release(room) }, nil
}
