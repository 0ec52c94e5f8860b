//go:build linux

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
	// mostConnections is how many connections of a command are served at the same time.
	mostConnections = 64
	// stopTime is how long Command.Serve may take to return. A command cannot delay it, so it
	// should return at once.
	stopTime = 10 * time.Second
)

// errStillServing is the error if Command.Serve does not return in time.
var errStillServing = errors.New("the requests of a command that has ended are still being answered")

// serve starts a command's Serve, if there is one, with the listener. Call stop when the command
// has ended: it waits for Serve to return. If stop fails, an exchange may still be running.
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
