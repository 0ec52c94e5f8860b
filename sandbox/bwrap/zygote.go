package bwrap

import (
	_ "embed"
	"errors"
	"os"
	"runtime"
	"sync/atomic"

	"agentd/sandbox/internal/output"
)

// A zygote is a Python that has started, loaded what scripts import most often, and
// waits in a sandbox. It forks the interpreters that interactions keep waiting: that
// takes milliseconds, and their memory is shared for as long as nobody writes to it.
// It is in no cgroup, since it runs nobody's code but ours. See zygote.py.

//go:embed zygote.py
var zygoteSource string

// zygote is a running zygote. Its methods may be called concurrently.
type zygote struct {
	box     *box
	channel *os.File      // our end
	stop    chan struct{} // closed to end it
	ended   chan error
	forks   atomic.Int32 // warm interpreters that are not closed
}

// idle reports whether there are so few interpreters that the processors have time to
// prepare for scripts that may not come.
func (z *zygote) idle() bool { return int(z.forks.Load()) <= 4*runtime.GOMAXPROCS(0) }

// newZygote starts a zygote. What goes wrong with it later shows in the forks that
// do not come.
func (b *Backend) newZygote() (*zygote, error) {
	z := &zygote{stop: make(chan struct{}), ended: make(chan error, 1)}
	started := make(chan error)
	go func() {
		runtime.LockOSThread() // see box
		defer runtime.UnlockOSThread()
		err := z.open(b)
		started <- err
		if err == nil {
			<-z.stop
			z.box.kill()
			err = z.box.wait()
		}
		z.channel.Close()
		z.ended <- errors.Join(err, z.box.close())
	}()
	if err := <-started; err != nil {
		<-z.ended
		return nil, err
	}
	return z, nil
}

func (z *zygote) open(b *Backend) error {
	z.box = &box{initFD: -1}
	ours, theirs, err := channelPair()
	if err != nil {
		return err
	}
	z.channel = ours
	defer theirs.Close()
	site, err := inMemory(zygoteSource)
	if err != nil {
		return err
	}
	defer site.Close()
	l := launch{options: b.zygoteOptions(), command: b.interpreter(), files: map[int]*os.File{channelFD: theirs, siteFD: site}}
	const charactersOfErrors = 1000
	z.box, err = b.build(l, nil, output.NewBudget(charactersOfErrors), func(*box) error { return nil })
	return err
}

// fork has the zygote fork a server that gets the other end of a channel.
func (z *zygote) fork(theirs *os.File) error { return send(z.channel, []byte("fork"), theirs) }

// gone reports whether the zygote has ended.
func (z *zygote) gone() bool { return ended(z.box.initFD, 0) }

// close ends the zygote and all its forks; nil is no harm.
func (z *zygote) close() error {
	if z == nil {
		return nil
	}
	close(z.stop)
	return <-z.ended
}
