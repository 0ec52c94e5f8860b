package printable

import (
	"io"
	"sync"
)

// Redirect is a writer whose destination can change, so that a log which others hold
// already goes above bars that are drawn now. It may be used concurrently.
type Redirect struct {
	mu sync.Mutex
	to io.Writer
}

// NewRedirect returns a Redirect to a writer.
func NewRedirect(to io.Writer) *Redirect { return &Redirect{to: to} }

// Write implements io.Writer.
func (r *Redirect) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.to.Write(p)
}

// To changes where the writer writes to. The function that it returns changes it back.
func (r *Redirect) To(w io.Writer) (restore func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	before := r.to
	r.to = w
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.to = before
	}
}
