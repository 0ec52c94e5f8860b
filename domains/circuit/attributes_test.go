package circuit

import "testing"

func TestElementsOf(t *testing.T) {
	t.Parallel()
	for part, want := range map[string]string{
		"* R9 1 2 3\n.subckt A p n\nR1 p n 1k\n  c2 p n 3p ; x\n+ tc=1\nX1 p n B\n.ends A": "3",
		".subckt A p n\n.ends": "0",
	} {
		if got := elementsOf(part); got != want {
			t.Errorf("%s: %q, want %q", part, got, want)
		}
	}
}
