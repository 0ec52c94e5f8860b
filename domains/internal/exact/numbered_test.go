package exact_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/domains/internal/exact"
	"agentd/vfs"
)

func TestNumberedFilesAreInTheOrderOfTheirNumbers(t *testing.T) {
	t.Parallel()
	files := vfs.Files{"part_10.txt": "", "part_2.txt": "", "part_007.txt": "", "part_.txt": "", "part_x.txt": "", "my_part_1.txt": "", "part_3.csv": ""}
	if diff := cmp.Diff([]string{"part_2.txt", "part_007.txt", "part_10.txt"}, exact.Numbered(files, "part_", ".txt")); diff != "" {
		t.Error(diff)
	}
}
