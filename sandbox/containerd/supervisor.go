//go:build linux

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

	"agentd/sandbox/internal/passing"
)

// supervisorScript is the program of a container's first process.
//
//go:embed supervisor.py
var supervisorScript string

// supervisorLoader reads the program from standard input, so that it is on no command line.
var supervisorLoader = fmt.Sprintf("import sys; exec(sys.stdin.buffer.read(%d))", len(supervisorScript))

const (
	// supervisorTime is how long the supervisor may take to answer one request.
	supervisorTime = 5 * time.Second
	// greetingAt is the path of the socket over which the supervisor hands over folders.
	greetingAt = "/run/host"
)

// errSupervisor is wrapped by errors after which the state of a container is unknown.
var errSupervisor = errors.New("the container's first process")

// supervisor is the first process of a container. It cleans up after scripts.
type supervisor struct {
	questions io.WriteCloser
	answers   chan string // closed when the supervisor has ended
}

// newSupervisor talks to a supervisor over its standard streams.
func newSupervisor(stdin io.WriteCloser, stdout io.Reader) *supervisor {
	s := &supervisor{questions: stdin, answers: make(chan string, 1)}
	go func() {
		defer close(s.answers)
		for lines := bufio.NewScanner(stdout); lines.Scan(); {
			s.answers <- lines.Text()
		}
	}()
	return s
}

// write puts a file into /run, where the container's other processes cannot change it.
func (s *supervisor) write(at, content string) error {
	return s.ask(fmt.Sprintf("file %s %d\n%s", path.Base(at), len(content), content))
}

// kill ends every process of the container but the supervisor.
func (s *supervisor) kill() error { return s.ask("kill\n") }

// clear empties the folders that scripts can write to.
func (s *supervisor) clear() error { return s.ask("clear\n") }

func (s *supervisor) ask(question string) error {
	written := make(chan error, 1) // a pipe that is not read takes only so much
	go func() {
		_, err := io.WriteString(s.questions, question)
		written <- err
	}()
	late := time.After(supervisorTime)
	for {
		select {
		case err := <-written:
			if err != nil {
				return fmt.Errorf("%w has ended: %w", errSupervisor, err)
			}
			written = nil
		case answer, running := <-s.answers:
			if !running {
				return fmt.Errorf("%w has ended", errSupervisor)
			}
			if answer != "done" {
				return fmt.Errorf("%w answers %q", errSupervisor, answer)
			}
			return nil
		case <-late:
			return fmt.Errorf("%w has not answered for %v", errSupervisor, supervisorTime)
		}
	}
}

// listen makes a socket for a supervisor. No other user of the host can enter its folder,
// and it is closed before the first script starts.
func listen(path string) (*net.UnixListener, error) {
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: path})
	if err != nil {
		return nil, err
	}
	return listener, os.Chmod(path, 0o666)
}

// receive receives this many files from a supervisor: the folder above the workspace, /tmp and,
// for a command, a listener.
func receive(from *net.UnixListener, number int) ([]*os.File, error) {
	deadline := time.Now().Add(answerTime)
	from.SetDeadline(deadline)
	conn, err := from.AcceptUnix()
	if err != nil {
		return nil, fmt.Errorf("%w does not start: %w", errSupervisor, err)
	}
	defer conn.Close()
	files, err := passing.Expect(conn, "folders", number, deadline)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errSupervisor, err)
	}
	return files, nil
}
