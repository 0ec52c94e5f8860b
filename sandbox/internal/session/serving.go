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
	// mostConnections is how many connections of a command are answered at the same time.
	mostConnections = 64
	// stopTime is how long Command.Serve may take to return. Nothing that a command can do
	// delays it, so it should take no time.
	stopTime = 10 * time.Second
)

// errStillServing says that Command.Serve has not returned in time.
var errStillServing = errors.New("the requests of a command that has ended are still being answered")

// serve starts a command's Serve, if there is one, with the listener. stop, to be called
// when the command has ended, waits for it to return. If that fails, an exchange may still
// be under way.
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
