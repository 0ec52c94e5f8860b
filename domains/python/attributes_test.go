package python

import "testing"

func TestComputedAttributes(t *testing.T) {
	t.Parallel()
	for code, want := range map[string][2]string{
		"def f(): return 1\n\n": {"1", "1"},
		"# if so\ndef f(a):\n    \"\"\"for or if\"\"\"\n    if a and b:\n        return 'or'\n\n": {"3", "5"},
		"class A:\n    def f(self):\n        for x in [y for y in z if y]:\n            pass\n":   {"4", "4"},
		"def f():\n    try:\n        a = b or c\n    except (D, E):\n        d.or_ = elif_\n":     {"3", "5"},
	} {
		if got := [2]string{complexity(code), lineCount(code)}; got != want {
			t.Errorf("%q has complexity and lines %v, want %v", code, got, want)
		}
	}
}
