package tools

import "testing"

func TestReadsInside(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{RunPython: true, Exec: true, ReadFile: false, "direct": false} {
		if got := ReadsInside(name); got != want {
			t.Errorf("reads under %q are inside: %v, want %v", name, got, want)
		}
	}
}
