package filesystem

import "testing"

func TestComputedAttributes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ part, kind, top, size, description string }{
		"a file":                {"# why\n100644    1824 src/a/main.c\n", file, "src", "1.8", "file, 1.8 KiB"},
		"a file at the top":     {"100644 51 README.md", file, "", "0.0", "file, 0.0 KiB"},
		"halves are rounded up": {"100755 1741 ./run/me", executable, "run", "1.7", "executable, 1.7 KiB"},
		"a directory at the top": {
			"040000       - .ci", directory, ".ci", "", "directory",
		},
		"a submodule":     {"160000 - lib/x", submodule, "lib", "", "submodule"},
		"a link":          {"120000 9 README", symlink, "", "0.0", "symlink, 0.0 KiB"},
		"not an entry":    {"# 100644 1 a/b", "", "", "", ""},
		"an unknown size": {"100644 4K a/b", file, "a", "", "file"},
	} {
		if got := kindOf(c.part); got != c.kind {
			t.Errorf("%s: kind %q, want %q", name, got, c.kind)
		}
		if got := topDirectory(c.part); got != c.top {
			t.Errorf("%s: top %q, want %q", name, got, c.top)
		}
		if got := kibibytes(c.part); got != c.size {
			t.Errorf("%s: %q KiB, want %q", name, got, c.size)
		}
		if got := description(c.part); got != c.description {
			t.Errorf("%s: described as %q, want %q", name, got, c.description)
		}
	}
}
