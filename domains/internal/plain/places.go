package plain

import (
	"strconv"
	"strings"
)

// LineNumber reads a line number; 0 if there is none.
func LineNumber(cell string) int {
	n, _ := strconv.Atoi(strings.TrimSpace(cell))
	return max(n, 0)
}
