package session

import (
	"errors"
	"net"
	"os"
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

// errStillServing says that something waits that should not.
var errStillServing = errors.New("the requests of a command that has ended are still being answered")

// serve has a command's Serve, if there is one, answer what comes to the listener. stop
// ends that, and waits until nothing is answered any more. Nothing of the command may run
// any more when it is called. After an error, exchanges may still be under way.
func serve(c *sandbox.Command, listener *os.File, exchange sandbox.Exchange) (stop func() error, err error) {
	if c == nil || c.Serve == nil {
		return func() error { return nil }, nil
	}
	l, err := net.FileListener(listener)
	if err != nil {
		return nil, err
	}
	l = netutil.LimitListener(l, mostConnections)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		c.Serve(l, exchange)
	}()
	return func() error {
		l.Close()
		select {
		case <-ended:
			return nil
		case <-time.After(stopTime):
			return errStillServing
		}
	}, nil
}
