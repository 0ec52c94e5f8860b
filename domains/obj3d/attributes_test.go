package obj3d

import "testing"

func TestFacesOf(t *testing.T) {
	t.Parallel()
	for part, want := range map[string]string{
		"g floor\nv 0 0 0\nf 1 2 3\n f 1//2 2//2 3//1\n# f 1 2 3\n": "2",
		"o lamp\n": "0",
	} {
		if got := facesOf(part); got != want {
			t.Errorf("%s: %q, want %q", part, got, want)
		}
	}
}
