package python

import (
	"testing"

	"agentd/vfs"
)

// What a formatter does with parentheses leaves the syntax tree as it is; the pairs of the second list are two trees.
func TestParentheses(t *testing.T) {
	t.Parallel()
	strict := func(a, b string) float64 {
		return New().Compare(vfs.Files{"a.py": "import os\n" + a}, vfs.Files{"a.py": "import os\n" + b}).Strict
	}
	for _, pair := range [][2]string{
		{"if a and b:\n    c()\n", "if (\n    a\n    and b\n):\n    c()\n"},
		{"def f():\n    return len(a), b\n", "def f():\n    return (\n        len(a),\n        b,\n    )\n"},
		{"x = a + b\n", "x = (\n    a + b\n)\n"}, {"x = \"a\" \"b\"\n", "x = (\n    \"a\"\n    \"b\"\n)\n"},
		{"for (a, b) in c:\n    d(a)\n", "for a, b in c:\n    d(a)\n"}, {"for a in (b, c):\n    d(a)\n", "for a in b, c:\n    d(a)\n"},
		{"(a, b) = c\n", "a, b = c\n"}, {"print((1))\n", "print(1)\n"}, {"while (a):\n    b()\n", "while a:\n    b()\n"},
		{"assert a, (b)\n", "assert a, b\n"}, {"del (a, b)\n", "del a, b\n"}, {"d = {\"k\": (a or b)}\n", "d = {\"k\": a or b}\n"},
		{"with (open(a) as f):\n    b(f)\n", "with open(a) as f:\n    b(f)\n"}, {"x = ((a))\n", "x = a\n"},
		{"x = (a, b)\n", "x = a, b\n"}, {"def f():\n    x, y = ((1, 2), 3)\n", "def f():\n    x, y = (1, 2), 3\n"}, {"x = (a, b,)\n", "x = a, b\n"},
		{"x: tuple = (a, b)\n", "x: tuple = a, b\n"},
	} {
		if got := strict(pair[0], pair[1]); got != 1 {
			t.Errorf("%q and %q: Strict %v, want 1", pair[0], pair[1], got)
		}
		if got := strict(pair[1], pair[0]); got != 1 {
			t.Errorf("%q and %q: Strict %v, want 1", pair[1], pair[0], got)
		}
	}
	for _, pair := range [][2]string{
		{"x = (a + b) * c\n", "x = a + b * c\n"}, {"x = not (a and b)\n", "x = not a and b\n"}, {"assert (a, b)\n", "assert a, b\n"},
		{"if x in (a or b):\n    c()\n", "if x in a or b:\n    c()\n"}, {"if x in (a, b):\n    c()\n", "if x in a, b:\n    c()\n"},
		{"f((a, b))\n", "f(a, b)\n"}, {"x = (a,)\n", "x = a\n"}, {"x = [(a, b)]\n", "x = [a, b]\n"}, {"x = (a for a in b)\n", "x = a for a in b\n"},
		{"x = ()\n", "x = None\n"}, {"def f(a=(1, 2)):\n    pass\n", "def f(a=1):\n    pass\n"}, {"x = (a).b(c)\n", "x = a.b((c, d))\n"},
		{"x = (a, b), c\n", "x = a, b, c\n"}, {"x = (a, b)\n", "x = [a, b]\n"}, {"x = lambda a, b: a\n", "x = (lambda a, b: b)\n"},
		{"x = lambda a, b: a\n", "x = (lambda a), (b: a)\n"}, {"def f():\n    return (a, b), c\n", "def f():\n    return a, b, c\n"},
		{"try:\n    a()\nexcept (B, C):\n    pass\n", "try:\n    a()\nexcept B:\n    pass\n"},
	} {
		if got := strict(pair[0], pair[1]); got == 1 {
			t.Errorf("%q and %q: Strict is 1", pair[0], pair[1])
		}
	}
}

func TestLinesOfTextsHaveAnOrder(t *testing.T) {
	t.Parallel()
	for rule, texts := range map[string][2]string{
		"a docstring":         {"def f():\n    \"\"\"Mend.\n\n    First the rope.\n    Then the sail.\n    \"\"\"\n", "def f():\n    \"\"\"Mend.\n\n    Then the sail.\n    First the rope.\n    \"\"\"\n"},
		"a text of a program": {"HELP = \"\"\"one\ntwo\n\"\"\"\n", "HELP = \"\"\"two\none\n\"\"\"\n"},
	} {
		if strict := New().Compare(vfs.Files{"a.py": texts[0]}, vfs.Files{"a.py": texts[1]}).Strict; strict == 1 {
			t.Errorf("%s: Strict is 1 with two lines swapped", rule)
		}
	}
}
