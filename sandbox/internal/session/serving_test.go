//go:build linux

package session

import (
	"errors"
	"net"
	"os"
	"testing"
	"testing/synctest"

	"agentd/sandbox"
)

// listening returns a listener as a sandbox hands it out.
func listening(t *testing.T) *os.File {
	t.Helper()
	l, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	file, err := l.File()
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func TestAnsweringStops(t *testing.T) {
	t.Parallel()
	listener := listening(t)
	defer listener.Close()
	for name, c := range map[string]*sandbox.Command{
		"a script":         nil,
		"without a server": {},
		"with a server":    {Serve: func(l net.Listener, _ sandbox.Exchange) { l.Accept() }},
	} {
		stop, err := serve(c, listener, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := stop(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A server that does not come to its end is told of, not waited for.
func TestAnsweringThatDoesNotStop(t *testing.T) {
	t.Parallel()
	listener := listening(t)
	defer listener.Close()
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		stop, err := serve(&sandbox.Command{Serve: func(net.Listener, sandbox.Exchange) { <-release }}, listener, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := stop(); !errors.Is(err, errStillServing) {
			t.Errorf("got %v", err)
		}
		close(release)
	})
}
