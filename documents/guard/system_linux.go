package guard

import (
	"errors"

	"golang.org/x/sys/unix"
)

const noAttribute = unix.ENODATA

// systemOwn reports whether the system itself keeps an extended attribute.
func systemOwn(string) bool { return false }

// renameNew renames and never replaces what has the new name already.
func renameNew(fromDir int, from string, toDir int, to string) error {
	return unix.Renameat2(fromDir, from, toDir, to, unix.RENAME_NOREPLACE)
}

// renameExchange exchanges two names in one step.
func renameExchange(fromDir int, from string, toDir int, to string) error {
	return unix.Renameat2(fromDir, from, toDir, to, unix.RENAME_EXCHANGE)
}

// openForWriting reports whether a program has a file open for writing, or writes to it through memory: only where there is
// none does the kernel grant a lease for reading. Where leases cannot be had, as on network file systems, it is false.
func openForWriting(fd int) bool {
	_, err := unix.FcntlInt(uintptr(fd), unix.F_SETLEASE, unix.F_RDLCK)
	if err == nil {
		_, _ = unix.FcntlInt(uintptr(fd), unix.F_SETLEASE, unix.F_UNLCK) // closing it ends it as well
	}
	return errors.Is(err, unix.EAGAIN)
}
