package session

import (
	"errors"
	"net"
	"os"
	"sync"
	"time"

	"golang.org/x/net/netutil"

	"agentd/sandbox"
)

const (
	// mostConnections is how many connections of a command are answered at the same time.
	mostConnections = 64
	// stopTime is how long the answering may take to come to its end. It waits for
	// nothing that a command could hold back, so it should take no time.
	stopTime = 10 * time.Second
)

// Serving answers a command's connections.
type Serving struct {
	ended chan struct{} // closed when nothing is answered any more

	mu       sync.Mutex
	stopped  bool
	listener net.Listener
}

// Serve has a command's Serve, if there is one, answer what comes to the listener that
// receive returns, with the exchange. receive may wait for the listener; an error says
// that none comes.
func Serve(c *sandbox.Command, receive func() (*os.File, error), exchange sandbox.Exchange) *Serving {
	s := &Serving{ended: make(chan struct{})}
	if c == nil || c.Serve == nil {
		close(s.ended)
		return s
	}
	go func() {
		defer close(s.ended)
		if l := s.listen(receive); l != nil {
			c.Serve(l, exchange)
		}
	}()
	return s
}

// listen returns the listener; nil if none comes, or too late.
func (s *Serving) listen(receive func() (*os.File, error)) net.Listener {
	file, err := receive()
	if err != nil {
		return nil
	}
	defer file.Close()
	l, err := net.FileListener(file)
	if err != nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped {
		l.Close()
		return nil
	}
	s.listener = netutil.LimitListener(l, mostConnections)
	return s.listener
}

// errStillServing says that something waits that should not.
var errStillServing = errors.New("the requests of a command that has ended are still being answered")

// Stop ends the answering, and waits until nothing is answered any more. Nothing of the
// command may run any more. After an error, exchanges may still be under way.
func (s *Serving) Stop() error {
	s.mu.Lock()
	s.stopped = true
	if s.listener != nil {
		s.listener.Close()
	}
	s.mu.Unlock()
	select {
	case <-s.ended:
		return nil
	case <-time.After(stopTime):
		return errStillServing
	}
}
