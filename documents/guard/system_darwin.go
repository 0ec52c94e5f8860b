package guard

import "golang.org/x/sys/unix"

const noAttribute = unix.ENOATTR

// systemOwn reports whether the system itself keeps an extended attribute.
func systemOwn(name string) bool { return name == "com.apple.provenance" }

// renameNew renames and never replaces what has the new name already.
func renameNew(fromDir int, from string, toDir int, to string) error {
	return unix.RenameatxNp(fromDir, from, toDir, to, unix.RENAME_EXCL)
}

// renameExchange exchanges two names in one step.
func renameExchange(fromDir int, from string, toDir int, to string) error {
	return unix.RenameatxNp(fromDir, from, toDir, to, unix.RENAME_SWAP)
}

// openForWriting is not known on macOS, which has no leases.
func openForWriting(int) bool { return false }
