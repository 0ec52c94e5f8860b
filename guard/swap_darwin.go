package guard

import (
	"os"

	"golang.org/x/sys/unix"
)

// swap exchanges two folders in one step.
func swap(a, b string) error {
	if err := unix.RenamexNp(a, b, unix.RENAME_SWAP); err != nil {
		return &os.PathError{Op: "exchanging", Path: b, Err: err}
	}
	return nil
}
