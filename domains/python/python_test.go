package python

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"agentd/domains"
	"agentd/domains/domaintest"
	published "agentd/domains/published/python"
	"agentd/vfs"
)

const mainFile = "main.py"

// unrun stands in for what runs programs where documents are many: a program
// passes its tests if its code is, token for token, that of the reference. What
// the tests of the built-in environment say, real_test.go asks.
type unrun struct{ runs int }

func (u *unrun) RunPython(files vfs.Files, _ string) (domains.Outcome, error) {
	u.runs++
	beside, own := "", ""
	for _, name := range files.Names() {
		if name == published.TestsFile {
			continue
		}
		if strings.HasPrefix(name, published.BesideFolder+"/") {
			beside += tokenStream(files[name])
		} else {
			own += tokenStream(files[name])
		}
	}
	score := 0.0
	if beside == own {
		score = 1
	}
	answer, err := json.Marshal(published.Verdict{Evaluation: map[string]any{"score": score}, Runs: json.RawMessage("{}")})
	return domains.Outcome{Stdout: string(answer)}, err
}

func (u *unrun) Transform(vfs.Files, string) (vfs.Files, error) { return nil, domains.ErrNoPrograms }

func tokenStream(text string) string {
	source := plainSource(text)
	lines, _ := scan(source)
	var b strings.Builder
	for _, l := range lines {
		for _, t := range l.tokens {
			b.WriteString(t.text + " ")
		}
	}
	return b.String()
}

func unrunDomain() domains.Domain {
	return New().(executing).WithPrograms(&unrun{}).(executing).WithScaffold(vfs.Files{published.TestsFile: ""})
}

func TestSuite(t *testing.T) {
	t.Parallel()
	domaintest.Suite{
		Domain: domaintest.With(t, unrunDomain(), "python1"), Seed: domaintest.Seed(t, "python1"), Generate: rapid.Custom(drawProgram),
	}.Run(t)
}

func FuzzCompare(f *testing.F) {
	domaintest.Fuzz(f, domaintest.With(f, unrunDomain(), "python1"), domaintest.Seed(f, "python1"))
}

func BenchmarkCompare(b *testing.B) {
	domaintest.BenchmarkCompare(b, unrunDomain(), domaintest.Seed(b, "python1"))
}

func TestHostileInputHasAScore(t *testing.T) {
	t.Parallel()
	seed := domaintest.Seed(t, "python1")
	for name, content := range domaintest.Hostile() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			domaintest.Survives(t, domaintest.With(t, unrunDomain(), "python1"), seed, mainFile, content)
		})
	}
}

func TestWithoutLeavesAProgram(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text  string
		leave int
		want  string
	}{
		"a function with what stands above it": {
			"import a\n\n# one\n@deco\ndef f():\n    return 1\n    # deeper\n\n# two\ndef g():\n    pass\n", 0,
			"import a\n\n# two\ndef g():\n    pass\n",
		},
		"a comment at the margin of a body": {
			"def f():\n    a = 1\n# odd\n    return a\nx = 2\n", 0, "x = 2\n",
		},
		"the only method of a class": {
			"class A:\n    def f(self):\n        pass\nx = 1\n", 1, "class A:\n    pass\nx = 1\n",
		},
		"a method among others": {
			"class A:\n    n = 1\n\n    def f(self):\n        pass\n\n    def g(self):\n        pass\n", 1,
			"class A:\n    n = 1\n\n    def g(self):\n        pass\n",
		},
		"a line of a script": {"a = 1\nb = 2\n", 1, "a = 1\n"},
		"a block of one":     {"if a:\n    b = 2\nelse:\n    b = 3\nc = 4\n", 0, "c = 4\n"},
		"the last line of a block": {
			"for a in b:\n    c()\nd()\n", 1, "for a in b:\n    pass\nd()\n",
		},
	} {
		got := New().Without(vfs.Files{"a.py": c.text}, func(n int) bool { return n == c.leave })
		if diff := cmp.Diff(c.want, got["a.py"]); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// drawProgram draws a program as people write them: comments anywhere, tables,
// decorators, nested functions, texts of every kind, odd layout.
func drawProgram(t *rapid.T) vfs.Files {
	d := drawer{T: t}
	if d.sometimes("shebang") {
		d.write("#!/usr/bin/env python3")
	}
	if d.sometimes("docstring") {
		d.write(`"""Bilge alarms of the day.`, "", `Reads "levels" and 'times'.`, `"""`)
	}
	d.write("import sys", d.one("import", "import json, csv as table", "from os import (path,\n    sep)", "import os.path"))
	for range d.upTo(3, "constants") {
		d.comment("")
		d.write(d.one("constant", "LIMIT = 80", "NAMES = {'a': 1,  # first\n    'b': 2,\n}", "low, high = 1, 0.5", "RATE: float = 1e-3",
			"TABLE = [(1, 'x'), (2, 'y')]", "MASK = 0xFF  # both", "paths = [p for p in sys.path if p]", "LIMIT += 1"))
	}
	if d.sometimes("class") {
		d.write("", "class Level(Exception):", "    unit = 'cm'", "", "    def depth(self, by=2):", "        return self.unit * by", "")
	}
	functions := []string{"read_all", "level_of", "_mean_level", "show", "to_cm"}
	for n := range 1 + d.upTo(len(functions)-1, "functions") {
		d.function(functions[n], functions[:n+1])
	}
	if d.sometimes("guard") {
		d.write("", "", `if __name__ == "__main__":`, "    sys.exit(read_all(sys.argv))")
	} else {
		d.write("", "read_all([]); print('ready')")
	}
	d.comment("")
	return vfs.Files{mainFile: strings.Join(d.lines, "\n") + "\n"}
}

type drawer struct {
	*rapid.T
	lines []string
}

func (d *drawer) upTo(most int, label string) int { return rapid.IntRange(0, most).Draw(d.T, label) }
func (d *drawer) sometimes(label string) bool     { return d.upTo(3, label) == 0 }
func (d *drawer) write(lines ...string)           { d.lines = append(d.lines, lines...) }
func (d *drawer) one(label string, among ...string) string {
	return rapid.SampledFrom(among).Draw(d.T, label)
}

func (d *drawer) comment(indent string) {
	if d.sometimes("comment") {
		if indent == "" {
			d.write("")
		}
		d.write(indent + d.one("comment text", "# by hand", "#", "#: tight", "## heading", "# # off: x = 1", "# print('no')", "# --- section ---"))
	}
}

func (d *drawer) function(name string, known []string) {
	d.write("")
	d.comment("")
	if d.sometimes("decorator") {
		d.write("@sys.intern")
	}
	d.write("def " + name + d.one("parameters", "(a):", "(a, b=3, *rest, **more) -> str:", "(a: 'int | None' = None,\n        b=2.50):", "():  # no one's", "(a, /, b, *, c=1_000):"))
	if d.sometimes("docstring of it") {
		d.write(`    """Never mind 12."""`)
	}
	for range 1 + d.upTo(4, "statements") {
		d.statement("    ", known)
	}
	d.comment("    ")
}

func (d *drawer) statement(indent string, known []string) {
	d.comment(indent)
	callee := d.one("callee", known...)
	switch d.upTo(7, "statement") {
	case 0:
		d.write(indent+"for i in range(10):", indent+"    total = i * 2.5 if i else -1", indent+"    print(\"%d m\" % total, 'at ' 'sea', sep=\"\\t\")")
	case 1:
		d.write(indent+"try:", indent+"\tx = "+callee+"(80)", indent+"except (ValueError, KeyError) as e:", indent+"\traise LookupError(e) from None")
	case 2:
		d.write(indent + "print(f\"{" + callee + "(3):>8.2f} {{}} {'k'!r}\", names['key'], b'raw', r'\\d')")
	case 3:
		d.write(indent+"def inner(y, z=7):", indent+"    return y and z or "+callee, indent+"inner(1)")
	case 4:
		d.write(indent+"with open('log.txt') as f: f.write('''two", "lines 33''')")
	case 5:
		d.write(indent+"if a < 12 and \\", indent+"        a > 1:", indent+"    pass", indent+"elif a: return 0", indent+"else:", indent+"    a = a[1:-2]")
	case 6:
		d.write(indent + "lookup = {'x': (1, 2), **{}}; value = lookup.get('x', 0b11)")
	default:
		d.write(indent + "return " + callee + "(a, key=lambda v: v.level_of)")
	}
}
