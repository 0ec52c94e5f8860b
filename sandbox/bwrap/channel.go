package bwrap

import (
	"errors"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// channelPair returns two ends of a connection that keeps messages apart.
// Theirs is read by Python, which expects to block.
func channelPair() (ours, theirs *os.File, err error) {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, nil, err
	}
	if err := unix.SetNonblock(pair[0], true); err != nil {
		unix.Close(pair[0])
		unix.Close(pair[1])
		return nil, nil, err
	}
	return os.NewFile(uintptr(pair[0]), "channel"), os.NewFile(uintptr(pair[1]), "channel"), nil
}

// send sends a message with files.
func send(channel *os.File, message []byte, files ...*os.File) error {
	var rights []byte
	if len(files) > 0 {
		var fds []int
		for _, file := range files {
			fds = append(fds, int(file.Fd()))
		}
		rights = unix.UnixRights(fds...)
	}
	raw, err := channel.SyscallConn()
	if err != nil {
		return err
	}
	failed := raw.Write(func(fd uintptr) bool {
		err = unix.Sendmsg(int(fd), message, rights, nil, unix.MSG_NOSIGNAL)
		return !errors.Is(err, unix.EAGAIN)
	})
	return errors.Join(failed, err)
}

// receive receives a message and the files that came with it. A connection
// that was closed is an error.
func receive(channel *os.File, deadline time.Time) (string, []*os.File, error) {
	if err := channel.SetReadDeadline(deadline); err != nil {
		return "", nil, err
	}
	defer channel.SetReadDeadline(time.Time{})
	raw, err := channel.SyscallConn()
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

// expect receives a message, which must be the one that is wanted, and so many files
// with it. Another message says what went wrong.
func expect(channel *os.File, want string, number int, deadline time.Time) ([]*os.File, error) {
	message, files, err := receive(channel, deadline)
	if err == nil && (message != want || len(files) != number) {
		err = fmt.Errorf("it says %q, with %d files", message, len(files))
	}
	if err != nil {
		closeAll(files...)
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
