package python

import (
	"fmt"
	"testing"

	"agentd/vfs"
)

func TestStatisticsAreThePublishedOnes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text                        string
		functions, classes, imports int
		elements                    int
	}{
		"nothing":                      {"", 0, 0, 0, 0},
		"lines of a script":            {"a = 1\n\nb = 2\n# c\n", 0, 0, 0, 3},
		"functions and classes":        {"class A:\n    def f(self): pass\n\ndef g(): pass\n", 2, 1, 0, 3},
		"no async ones":                {"async def f(): pass\nx = 1\n", 0, 0, 0, 2},
		"in a text too":                {"s = '''\ndef f\n'''\n", 1, 0, 0, 1},
		"a name on the next line":      {"def\nf(): pass\n", 1, 0, 0, 1},
		"no name":                      {"def (): pass\n", 0, 0, 0, 1},
		"imports at the margin":        {"import a\nfrom b import c\n  import d\nimports = 1\nimport\n", 0, 0, 2, 5},
		"an import with nothing below": {"import\n", 0, 0, 0, 1},
	} {
		got := Stats(vfs.Files{"a.py": c.text})
		want := fmt.Sprint(c.functions, c.classes, c.imports, c.elements)
		if is := fmt.Sprint(got.Counts[0].Value, " ", got.Counts[1].Value, " ", got.Counts[2].Value, " ", got.Elements); is != want {
			t.Errorf("%s: %s, want %s", name, is, want)
		}
	}
}
