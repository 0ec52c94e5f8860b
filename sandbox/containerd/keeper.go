package containerd

import (
	"bufio"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path"
	"time"

	"golang.org/x/sys/unix"
)

// keeperScript is the program of a container's first process.
//
//go:embed keeper.py
var keeperScript string

// keeperLoader is what the process is started with: the program follows on
// standard input, so that it is on no command line.
var keeperLoader = fmt.Sprintf("import sys; exec(sys.stdin.buffer.read(%d))", len(keeperScript))

const (
	// keeperTime is how long the keeper may take for one thing.
	keeperTime = 5 * time.Second
	// helloAt is where the keeper finds the socket to hand over folders.
	helloAt = "/run/host"
)

// errKeeper is wrapped by errors after which nothing is known about a container.
var errKeeper = errors.New("the container's first process")

// keeper is the first process of a container, which clears up after scripts.
type keeper struct {
	questions io.WriteCloser
	answers   chan string // closed when it has ended
}

// newKeeper gives the keeper its program, and talks to it through its standard
// streams.
func newKeeper(stdin io.WriteCloser, stdout io.Reader) *keeper {
	k := &keeper{questions: stdin, answers: make(chan string, 1)}
	go func() {
		defer close(k.answers)
		for lines := bufio.NewScanner(stdout); lines.Scan(); {
			k.answers <- lines.Text()
		}
	}()
	return k
}

// write puts a file into /run, where the container's other processes cannot change it.
func (k *keeper) write(at, content string) error {
	return k.ask(fmt.Sprintf("file %s %d\n%s", path.Base(at), len(content), content))
}

// kill ends every process of the container but the keeper.
func (k *keeper) kill() error { return k.ask("kill\n") }

// clear empties the folders that scripts can write to.
func (k *keeper) clear() error { return k.ask("clear\n") }

func (k *keeper) ask(question string) error {
	written := make(chan error, 1) // a pipe that nobody reads takes only so much
	go func() {
		_, err := io.WriteString(k.questions, question)
		written <- err
	}()
	late := time.After(keeperTime)
	for {
		select {
		case err := <-written:
			if err != nil {
				return fmt.Errorf("%w has ended: %w", errKeeper, err)
			}
			written = nil
		case answer, running := <-k.answers:
			if !running {
				return fmt.Errorf("%w has ended", errKeeper)
			}
			if answer != "done" {
				return fmt.Errorf("%w answers %q", errKeeper, answer)
			}
			return nil
		case <-late:
			return fmt.Errorf("%w has not answered for %v", errKeeper, keeperTime)
		}
	}
}

// hello waits for a keeper to hand over its folders.
type hello struct {
	path     string
	listener *net.UnixListener
}

// listen makes a socket that a keeper can reach. Nobody else can on the host,
// where its folder is closed to others; nor can scripts, since it is closed
// before the first of them starts.
func listen(path string) (*hello, error) {
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: path})
	if err != nil {
		return nil, err
	}
	return &hello{path, listener}, os.Chmod(path, 0o666)
}

func (h *hello) close() error { return h.listener.Close() }

// receive receives so many files: the workspace, /tmp and, if it was asked for, a
// listener.
func (h *hello) receive(number int) ([]*os.File, error) {
	h.listener.SetDeadline(time.Now().Add(answerTime))
	conn, err := h.listener.AcceptUnix()
	if err != nil {
		return nil, fmt.Errorf("%w does not start: %w", errKeeper, err)
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(answerTime))
	control := make([]byte, unix.CmsgSpace(number*4))
	_, n, _, _, err := conn.ReadMsgUnix(make([]byte, 1), control)
	if err != nil {
		return nil, err
	}
	messages, err := unix.ParseSocketControlMessage(control[:n])
	if err != nil || len(messages) != 1 {
		return nil, fmt.Errorf("%w hands over %d messages (%v)", errKeeper, len(messages), err)
	}
	fds, err := unix.ParseUnixRights(&messages[0])
	if err != nil || len(fds) != number {
		return nil, fmt.Errorf("%w hands over %d files (%v)", errKeeper, len(fds), err)
	}
	var files []*os.File
	for _, fd := range fds {
		unix.CloseOnExec(fd)
		files = append(files, os.NewFile(uintptr(fd), "received"))
	}
	return files, nil
}
