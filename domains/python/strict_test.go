package python

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

const levels = `import json
import sys
from collections import Counter

LIMITS = {"low": 80, "high": 230}

# one line a gauge
def read_levels(path, unit="cm"):
    """Read a day."""
    with open(path) as f:
        days = json.load(f)
    total = 0
    for day in days:
        if day["level"] >= LIMITS["high"]:
            total += 1
        else:
            total -= 1  # dry
    return days, total


def show(days):
    for day in days:
        print(f"{day['name']:<8} {day['level']}")


days, total = read_levels(sys.argv[1])
show(days)
print("total", total)
`

func levelsWith(t *testing.T, pairs ...string) vfs.Files {
	t.Helper()
	text := levels
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(text, pairs[i]) {
			t.Fatalf("there is no %q", pairs[i])
		}
		text = strings.ReplaceAll(text, pairs[i], pairs[i+1])
	}
	return vfs.Files{"levels.py": text}
}

func TestStrictForgives(t *testing.T) {
	t.Parallel()
	reference := vfs.Files{"levels.py": levels}
	head, tail, _ := strings.Cut(levels, "\n# one line a gauge")
	bottom := "days, total = read_levels(sys.argv[1])\nshow(days)\nprint(\"total\", total)\n"
	for rule, candidate := range map[string]vfs.Files{
		"tabs":                       levelsWith(t, "    ", "\t"),
		"line ends":                  levelsWith(t, "\n", "\r\n"),
		"a byte order mark":          levelsWith(t, "import json\n", "\ufeffimport json\n"),
		"blank lines":                levelsWith(t, "\n\n", "\n\n\n\n"),
		"quotes":                     levelsWith(t, `"""Read a day."""`, `'''Read a day.'''`, `"low"`, `'low'`),
		"escapes":                    levelsWith(t, `"low"`, `"\x6cow"`),
		"a text in two":              levelsWith(t, `"total"`, `"to" "tal"`),
		"a last comma":               levelsWith(t, "230}", "230,}", "(days)", "(days,)"),
		"other notation of a number": levelsWith(t, "230", "0xE6"),
		"lines joined and divided":   levelsWith(t, "LIMITS = {", "LIMITS = {\n    ", `print("total", total)`, "print(\"total\", \\\n    total)"),
		"a body beside its header":   levelsWith(t, "if day[\"level\"] >= LIMITS[\"high\"]:\n            total += 1", "if day[\"level\"] >= LIMITS[\"high\"]: total += 1"),
		"semicolons":                 levelsWith(t, "show(days)\nprint", "show(days); print"),
		"order of imports":           levelsWith(t, "import json\nimport sys", "import sys, json"),
		"order of functions":         {"levels.py": head + "\n\n" + functionOf("show") + "\n\n# one line a gauge\n" + functionOf("read_levels") + "\n\n" + bottom},
		"variables by another name":  levelsWith(t, "total", "n", `"n"`, `"total"`, "(days", "(rows", "days, n", "rows, n", "days =", "rows =", "days:", "rows:", "day[", "row[", "day in", "row in"),
		"without any comment":        levelsWith(t, "# one line a gauge\n", "", "  # dry", ""),
		"in a function":              {"levels.py": strings.Replace(levels, bottom, "def main():\n    "+strings.ReplaceAll(strings.TrimSpace(bottom), "\n", "\n    ")+"\n\n\nmain()\n", 1)},
		"in a guarded function":      {"levels.py": strings.Replace(levels, bottom, "def main():\n    "+strings.ReplaceAll(strings.TrimSpace(bottom), "\n", "\n    ")+"\n\n\nif __name__ == \"__main__\":\n    main()\n", 1)},
		"two modules":                {"limits.py": head, "levels.py": "from limits import *\n# one line a gauge" + tail},
		"a package":                  {"gauge/limits.py": head, "levels.py": "from gauge.limits import LIMITS\nimport json\n# one line a gauge" + tail},
		"tests of its own":           {"levels.py": levels, "testing.py": "x = 1\n", "__init__.py": "y = 2\n"},
	} {
		if score := New().Compare(reference, candidate); score.Strict != 1 {
			t.Errorf("%s: Strict is %v: %v", rule, score.Strict, New().Differences(reference, candidate))
		}
	}
}

func functionOf(name string) string {
	_, rest, _ := strings.Cut(levels, "def "+name)
	body, _, _ := strings.Cut(rest, "\n\n\n")
	return "def " + name + body + "\n"
}

func TestStrictSees(t *testing.T) {
	t.Parallel()
	reference := vfs.Files{"levels.py": levels}
	for rule, candidate := range map[string]vfs.Files{
		"a number":                levelsWith(t, "230", "23"),
		"a printed text":          levelsWith(t, `"total"`, `"Total"`),
		"an operator":             levelsWith(t, ">=", ">"),
		"a field of an f-string":  levelsWith(t, "day['level']", "day['name']"),
		"a format":                levelsWith(t, ":<8", ":<9"),
		"a default value":         levelsWith(t, `unit="cm"`, `unit="m"`),
		"a docstring":             levelsWith(t, "Read a day.", "Read a week."),
		"a false comment":         levelsWith(t, "# dry", "# wet"),
		"one lost comment":        levelsWith(t, "  # dry", ""),
		"an added comment":        levelsWith(t, "    total = 0\n", "    total = 0  # none\n"),
		"indentation":             levelsWith(t, "    return days, total", "        return days, total"),
		"an order of statements":  levelsWith(t, "show(days)\nprint(\"total\", total)", "print(\"total\", total)\nshow(days)"),
		"an unused function":      levelsWith(t, "def show", "def unused():\n    return 1\n\n\ndef show"),
		"a statement twice":       levelsWith(t, "show(days)\nprint", "show(days)\nshow(days)\nprint"),
		"an import":               levelsWith(t, "import sys", "import os"),
		"a variable in one place": levelsWith(t, `print("total", total)`, `print("total", totals)`),
		"a renamed function":      levelsWith(t, "show", "print_all"),
		"a decorator":             levelsWith(t, "def show", "@cached\ndef show"),
		"a coroutine":             levelsWith(t, "def show", "async def show"),
		"a tuple of one":          levelsWith(t, "total = 0", "total = (0,)"),
		"a code fence":            {"levels.py": "```python\n" + levels + "```\n"},
		"typographic quotes":      levelsWith(t, `"total"`, `“total”`),
		"prose":                   levelsWith(t, "import json\n", "Here is the file you asked for.\nimport json\n"),
		"another file name":       {"gauge.py": levels},
		"an added module":         {"levels.py": levels, "notes.py": "SECRET = 1\n"},
		"a data file":             {"levels.py": levels, "days.json": "[]\n"},
		"another extension":       {"levels.txt": levels},
		"nothing":                 {},
	} {
		score := New().Compare(reference, candidate)
		if score.Strict >= 1 || score.Strict < 0 {
			t.Errorf("%s: Strict is %v", rule, score.Strict)
		}
		if len(New().Differences(reference, candidate)) == 0 {
			t.Errorf("%s: no difference is named", rule)
		}
	}
}

func TestDifferencesNameThePlace(t *testing.T) {
	t.Parallel()
	reference := vfs.Files{"levels.py": levels}
	for _, c := range []struct {
		was, is string
		want    []domains.Difference
	}{
		{"230", "23", []domains.Difference{{Kind: domains.Changed, Where: `LIMITS, item "high", text`, Was: `"high": 230`, Is: `"high": 23`}}},
		{`unit="cm"`, `unit="m"`, []domains.Difference{{Kind: domains.Changed, Where: "function read_levels, parameter 2", Was: `unit = "cm"`, Is: `unit = "m"`}}},
		{"total -= 1", "total -= 2", []domains.Difference{{Kind: domains.Changed, Where: "read_levels: total, text", Was: "total -= 1", Is: "total -= 2"}}},
		{"# dry", "# wet", []domains.Difference{{Kind: domains.Changed, Where: "comment at read_levels: total, line 1", Was: "dry", Is: "wet"}}},
		{"import sys\n", "", []domains.Difference{{Kind: domains.Lost, Where: "import of sys", Was: "sys"}}},
		{"show", "print_all", []domains.Difference{
			{Kind: domains.Changed, Where: "function show, name", Was: "show", Is: "print_all"},
			{Kind: domains.Changed, Where: "show(days), text", Was: "show(days)", Is: "print_all(days)"},
		}},
	} {
		if diff := cmp.Diff(c.want, New().Differences(reference, levelsWith(t, c.was, c.is))); diff != "" {
			t.Error(diff)
		}
	}
}

func TestStrictFallsInProportion(t *testing.T) {
	t.Parallel()
	seed := domaintest.Seed(t, "python1")
	for rule, edit := range map[string][2]string{
		"one wrong number":             {"GAP = 0.45", "GAP = 0.54"},
		"a lost bracket":               {"total, classes = takings(stowed)", "total, classes = takings(stowed"},
		"a bracket lost in a table":    {`"C": (47.2, 4.60, 0.0),`, `"C": (47.2, 4.60, 0.0,`},
		"an unclosed text":             {`print("heel: " +`, `print("heel: +`},
		"a lost colon":                 {"def clock(minutes):", "def clock(minutes)"},
		"a function by another name":   {"loading_minutes", "minutes_of_loading"},
		"an option that was added":     {"    return parser.parse_args(argv)", "    parser.add_argument(\"--currency\")\n    return parser.parse_args(argv)"},
		"a block that is not indented": {"        classes[name] += 1", "    classes[name] += 1"},
	} {
		text := strings.ReplaceAll(seed[mainFile], edit[0], edit[1])
		if text == seed[mainFile] {
			t.Fatalf("%s: the seed has no %q", rule, edit[0])
		}
		score := New().Compare(seed, vfs.Files{mainFile: text})
		if score.Strict < 0.85 || score.Strict >= 1 {
			t.Errorf("%s leaves Strict at %v: %v", rule, score.Strict, New().Differences(seed, vfs.Files{mainFile: text}))
		}
	}
}

// An import may stand anywhere above the statement that needs it.
func TestAnImportBelowItsUseIsAChange(t *testing.T) {
	t.Parallel()
	const paths, code = "import math\nfrom os import path as p\n", "RADIUS = math.sqrt(2)\nBASE = p.sep\n"
	before := vfs.Files{"a.py": "import sys\n" + paths + "\nWIDTH = 3\n" + code}
	for name, c := range map[string]struct {
		after string
		same  bool
	}{
		"in another order":             {"from os import path as p\nimport math\nimport sys\n\nWIDTH = 3\n" + code, true},
		"below what does not need it":  {"import sys\n\nWIDTH = 3\n" + paths + code, true},
		"below all that does":          {"import sys\n\nWIDTH = 3\n" + code + paths, false},
		"one below":                    {"import sys\nimport math\n\nWIDTH = 3\n" + code + "from os import path as p\n", false},
		"one that nothing needs below": {paths + "\nWIDTH = 3\n" + code + "import sys\n", true},
	} {
		if strict := New().Against(before).Review(vfs.Files{"a.py": c.after}).Strict; (strict == 1) != c.same {
			t.Errorf("%s: %v", name, strict)
		}
	}
}
