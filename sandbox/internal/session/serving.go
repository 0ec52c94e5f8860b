package session

import (
	"net"
	"os"
	"sync"

	"golang.org/x/net/netutil"

	"agentd/sandbox"
)

// mostConnections is how many connections of a command are answered at a time.
const mostConnections = 64

// Serving is the answering of a command's connections.
type Serving struct {
	running sync.WaitGroup

	mu       sync.Mutex
	stopped  bool
	listener net.Listener
}

// Serve has c.Serve, if there is one, answer what comes to the listener that receive
// returns, with the exchange. receive may wait for it, until an error says that none
// comes.
func Serve(c sandbox.Command, receive func() (*os.File, error), exchange sandbox.Exchange) *Serving {
	s := new(Serving)
	if c.Serve != nil {
		s.running.Go(func() {
			if l := s.listen(receive); l != nil {
				c.Serve(l, exchange)
			}
		})
	}
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

// Stop ends the answering and waits for that. Nothing that receive could wait for may
// run any more.
func (s *Serving) Stop() {
	s.mu.Lock()
	s.stopped = true
	if s.listener != nil {
		s.listener.Close()
	}
	s.mu.Unlock()
	s.running.Wait()
}
