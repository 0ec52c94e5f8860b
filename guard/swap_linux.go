package guard

import (
	"os"

	"golang.org/x/sys/unix"
)

// swap exchanges two folders in one step.
func swap(a, b string) error {
	if err := unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE); err != nil {
		return &os.PathError{Op: "exchanging", Path: b, Err: err}
	}
	return nil
}
