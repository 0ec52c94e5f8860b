// Package passing hands open files from one process to another, with messages.
package passing

import (
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Conn is our end of a connection: a file of Pair, or a net.UnixConn.
type Conn interface {
	syscall.Conn
	SetReadDeadline(time.Time) error
}

// Pair returns two ends of a connection that keeps messages apart. Reading from theirs
// blocks, as Python expects.
func Pair() (ours, theirs *os.File, err error) {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, nil, err
	}
	if err := unix.SetNonblock(pair[0], true); err != nil {
		unix.Close(pair[0])
		unix.Close(pair[1])
		return nil, nil, err
	}
	return os.NewFile(uintptr(pair[0]), "connection"), os.NewFile(uintptr(pair[1]), "connection"), nil
}

// Send sends a message with files.
func Send(to Conn, message string, files ...*os.File) error {
	var rights []byte
	if len(files) > 0 {
		var fds []int
		for _, file := range files {
			fds = append(fds, int(file.Fd()))
		}
		rights = unix.UnixRights(fds...)
	}
	raw, err := to.SyscallConn()
	if err != nil {
		return err
	}
	failed := raw.Write(func(fd uintptr) bool {
		err = unix.Sendmsg(int(fd), []byte(message), rights, nil, unix.MSG_NOSIGNAL)
		return !errors.Is(err, unix.EAGAIN)
	})
	return errors.Join(failed, err)
}

// Expect receives a message, which must be the one that is wanted, and so many files
// with it. Another message says what went wrong. A zero deadline is none.
func Expect(from Conn, want string, number int, deadline time.Time) ([]*os.File, error) {
	message, files, err := receive(from, deadline)
	if err == nil && (message != want || len(files) != number) {
		err = fmt.Errorf("it says %q, with %d files", message, len(files))
	}
	if err != nil {
		CloseAll(files...)
		return nil, err
	}
	return files, nil
}

// receive receives a message and the files that came with it. A connection that was
// closed is an error.
func receive(from Conn, deadline time.Time) (string, []*os.File, error) {
	if err := from.SetReadDeadline(deadline); err != nil {
		return "", nil, err
	}
	defer from.SetReadDeadline(time.Time{})
	raw, err := from.SyscallConn()
	if err != nil {
		return "", nil, err
	}
	message, rights := make([]byte, 256), make([]byte, 256)
	var n, m int
	failed := raw.Read(func(fd uintptr) bool {
		n, m, _, _, err = unix.Recvmsg(int(fd), message, rights, unix.MSG_CMSG_CLOEXEC)
		return !errors.Is(err, unix.EAGAIN)
	})
	if err := errors.Join(failed, err); err != nil {
		return "", nil, err
	}
	if n == 0 {
		return "", nil, errors.New("it has ended")
	}
	files, err := filesIn(rights[:m])
	return string(message[:n]), files, err
}

func filesIn(rights []byte) (files []*os.File, err error) {
	messages, err := unix.ParseSocketControlMessage(rights)
	for _, message := range messages {
		fds, _ := unix.ParseUnixRights(&message)
		for _, fd := range fds {
			files = append(files, os.NewFile(uintptr(fd), "received"))
		}
	}
	return files, err
}

// CloseAll closes files. Those that are nil are left out.
func CloseAll(files ...*os.File) {
	for _, file := range files {
		file.Close()
	}
}
