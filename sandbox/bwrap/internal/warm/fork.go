//go:build linux

package warm

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path"
	"strconv"
	"time"

	"golang.org/x/sys/unix"

	"agentd/sandbox"
	"agentd/sandbox/bwrap/internal/box"
	"agentd/sandbox/internal/output"
	"agentd/sandbox/internal/passing"
	"agentd/sandbox/internal/session"
	"agentd/sandbox/internal/system"
)

// fork is the process of a script, prepared by an interpreter. It is a session.Process.
type fork struct {
	session.Sandbox
	warm   *Interpreter
	gate   *net.UnixConn // to the script's process
	run    *os.File      // folder of the script
	cwd    sandbox.Cwd
	theirs []*os.File // the write ends of the script's output
	waited bool
	status string // how the script ended; empty if it was killed
}

// take hands a script to the fork.
func (f *fork) take(job session.Job) error {
	f.cwd, f.Streams = job.Cwd(), output.NewStreams(job.Limits.OutputChars)
	if err := passing.Send(f.warm.connection, fmt.Sprint(job.Room)); err != nil {
		return err
	}
	if err := f.warm.pool.host.User.As(func() error { return f.write(job.Script.Code) }); err != nil {
		return err
	}
	out, failed, err := f.Streams.Pipes()
	f.theirs = []*os.File{out, failed}
	return err
}

// write writes the text of the script.
func (f *fork) write(code string) error {
	fd, err := unix.Openat(int(f.run.Fd()), path.Base(system.ScriptAt), unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL|unix.O_CLOEXEC, 0o600)
	if err != nil {
		return err
	}
	file := os.NewFile(uintptr(fd), system.ScriptAt)
	_, err = file.WriteString(code)
	return errors.Join(err, file.Close())
}

// Release implements session.Process. It waits until the size of the folder above the workspace is
// limited.
func (f *fork) Release() error {
	_, err := passing.Expect(f.warm.connection, "fits", 0, time.Now().Add(box.SetupTime))
	if err == nil {
		err = passing.Send(f.gate, f.cwd.Path(), f.theirs...)
	}
	passing.CloseAll(f.theirs...)
	if err != nil {
		f.warm.lost = true // Wait can still read its error message
		return fmt.Errorf("%w: %w", session.ErrLost, err)
	}
	return nil
}

// Kill implements session.Process. It ends the whole interpreter, because a script could prevent
// any other way.
func (f *fork) Kill() { f.warm.Kill() }

// Wait implements session.Process. The interpreter reports how the script ended once no other
// process is left. If the interpreter was killed, the kernel has ended all the others first.
func (f *fork) Wait() error {
	f.waited = true
	answer := make([]byte, 16)
	n, _ := f.warm.connection.Read(answer)
	f.status = string(answer[:n])
	if n > 0 && f.warm.zygote.idle() {
		f.warm.ask() // or prepare will, and tell its error
	}
	var err error
	if n == 0 && !box.Ended(f.warm.pidfd, box.DeathTime) {
		err = fmt.Errorf("processes of the script still run %v after they were killed", box.DeathTime)
	}
	f.Streams.Finish(box.DeathTime)
	return err
}

// Ending implements session.Process.
func (f *fork) Ending() (session.Ending, error) {
	hits, err := f.warm.group.Hits()
	if err != nil {
		return session.Ending{}, err
	}
	before := f.warm.hits
	f.warm.hits = hits
	code, err := f.exitCode()
	return session.Ending{
		ExitCode: code, ForksRefused: hits.ForksRefused > before.ForksRefused,
		OOMKilled: hits.OOMKills > before.OOMKills || f.warm.group == nil && code == session.KilledExit, // see Box.Ending
	}, err
}

func (f *fork) exitCode() (int, error) {
	if f.status == "" {
		// A zygote that was killed ends after all that it has forked.
		const after = 100 * time.Millisecond
		if f.warm.zygote.box.Ended(after) {
			return 0, fmt.Errorf("%w: its zygote has ended", session.ErrLost)
		}
		return session.KilledExit, nil
	}
	code, err := strconv.Atoi(f.status)
	if err != nil {
		return 0, fmt.Errorf("the warm interpreter says that a script ended with %q", f.status)
	}
	if code < 0 {
		code = 128 - code
	}
	return code, nil
}

// Close implements session.Process.
func (f *fork) Close() error {
	var err error
	if !f.waited {
		f.Kill()
		err = f.Wait()
	}
	f.warm.lost = f.warm.lost || f.status == ""
	f.close()
	return err
}

// close frees a fork in which nothing runs any more.
func (f *fork) close() {
	f.gate.Close()
	passing.CloseAll(append(f.theirs, f.Above, f.Tmp, f.run)...)
}
