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
	none := func() (*os.File, error) { return nil, errors.New("the command has ended") }
	listener := listening(t)
	for name, c := range map[string]struct {
		serve   func(net.Listener, sandbox.Exchange)
		receive func() (*os.File, error)
	}{
		"without a server":   {nil, none},
		"without a listener": {func(net.Listener, sandbox.Exchange) { t.Error("there is nothing to serve") }, none},
		"with its listener":  {func(l net.Listener, _ sandbox.Exchange) { l.Accept() }, func() (*os.File, error) { return listener, nil }},
	} {
		if err := Serve(&sandbox.Command{Serve: c.serve}, c.receive, nil).Stop(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A server that does not come to its end is told of, not waited for.
func TestAnsweringThatDoesNotStop(t *testing.T) {
	t.Parallel()
	listener := listening(t)
	synctest.Test(t, func(t *testing.T) {
		begun, release := make(chan struct{}), make(chan struct{})
		stuck := func(net.Listener, sandbox.Exchange) { close(begun); <-release }
		s := Serve(&sandbox.Command{Serve: stuck}, func() (*os.File, error) { return listener, nil }, nil)
		<-begun
		if err := s.Stop(); !errors.Is(err, errStillServing) {
			t.Errorf("got %v", err)
		}
		close(release)
		<-s.ended
	})
}
