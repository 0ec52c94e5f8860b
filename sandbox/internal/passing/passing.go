//go:build linux

// Package passing sends messages with open files from one process to another.
package passing

import (
	"fmt"
	"net"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// Pair returns the two ends of a connection that preserves message boundaries. Reads from theirs
// block, as Python expects.
func Pair() (ours *net.UnixConn, theirs *os.File, err error) {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, nil, err
	}
	theirs = os.NewFile(uintptr(pair[1]), "connection")
	if ours, err = Conn(os.NewFile(uintptr(pair[0]), "connection")); err != nil {
		theirs.Close()
		return nil, nil, err
	}
	return ours, theirs, nil
}

// Conn returns the connection that a file is one end of, and closes the file.
func Conn(end *os.File) (*net.UnixConn, error) {
	defer end.Close()
	conn, err := net.FileConn(end)
	if err != nil {
		return nil, err
	}
	return conn.(*net.UnixConn), nil
}

// Send sends a message with files.
func Send(to *net.UnixConn, message string, files ...*os.File) error {
	var rights []byte
	if len(files) > 0 {
		var fds []int
		for _, file := range files {
			fds = append(fds, int(file.Fd()))
		}
		rights = unix.UnixRights(fds...)
	}
	_, _, err := to.WriteMsgUnix([]byte(message), rights, nil)
	return err
}

// Expect receives a message, which must be the wanted one, with this many files. Any other message
// is the sender's error text. The end of the connection is an error.
func Expect(from *net.UnixConn, want string, number int, deadline time.Time) ([]*os.File, error) {
	if err := from.SetReadDeadline(deadline); err != nil {
		return nil, err
	}
	defer from.SetReadDeadline(time.Time{})
	message, rights := make([]byte, 256), make([]byte, 256)
	n, m, _, _, err := from.ReadMsgUnix(message, rights)
	if err != nil {
		return nil, err
	}
	files, err := filesIn(rights[:m])
	if got := string(message[:n]); err == nil && (got != want || len(files) != number) {
		err = fmt.Errorf("it says %q, with %d files", got, len(files))
	}
	if err != nil {
		CloseAll(files...)
		return nil, err
	}
	return files, nil
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

// CloseAll closes files. It ignores nil files.
func CloseAll(files ...*os.File) {
	for _, file := range files {
		file.Close()
	}
}
