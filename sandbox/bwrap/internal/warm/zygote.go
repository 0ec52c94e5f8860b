package warm

import (
	_ "embed"
	"os"
	"runtime"
	"sync/atomic"

	"agentd/sandbox/bwrap/internal/box"
	"agentd/sandbox/internal/passing"
)

//go:embed zygote.py
var source string

// zygote is a running zygote: a Python that has started, loaded what scripts import most
// often, and waits in a sandbox. It forks the interpreters that interactions keep
// waiting: that takes milliseconds, and their memory is shared for as long as nobody
// writes to it. It is in no cgroup, since it runs nobody's code but ours. See zygote.py.
// Its methods may be called concurrently.
type zygote struct {
	box   *box.Box
	stop  chan struct{} // closed to end it
	ended chan error
	forks atomic.Int32 // warm interpreters that are not closed
}

// idle reports whether there are so few interpreters that the processors have time to
// prepare for scripts that may not come.
func (z *zygote) idle() bool { return int(z.forks.Load()) <= 4*runtime.GOMAXPROCS(0) }

// newZygote starts a zygote. What goes wrong with it later shows in the forks that do
// not come.
func newZygote(host *box.Host) (*zygote, error) {
	z := &zygote{stop: make(chan struct{}), ended: make(chan error, 1)}
	started := make(chan error)
	go func() { // a box needs a goroutine of its own
		var err error
		z.box, err = host.OpenZygote(source)
		started <- err
		if err != nil {
			return
		}
		<-z.stop
		z.ended <- z.box.Close()
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	return z, nil
}

// fork has the zygote fork a server that gets the other end of a connection.
func (z *zygote) fork(theirs *os.File) error { return passing.Send(z.box.Channel, "fork", theirs) }

// close ends the zygote and all its forks.
func (z *zygote) close() error {
	close(z.stop)
	return <-z.ended
}
