package exact_test

import (
	"testing"

	"agentd/domains/internal/exact"
)

func TestFileName(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Old: Mill": "old_mill.txt", "Ærø 2": "ærø_2.txt", "../x": "x.txt", "": "rest.txt", " - ": "rest.txt",
	} {
		if got := exact.FileName(text, ".txt", "rest.txt"); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
