package makefile

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/vfs"
)

// readOne reads a makefile with a first rule that Make would have to run, so
// that no file is missed.
func readOne(t *testing.T, text string) Document {
	t.Helper()
	d, err := Parse(vfs.Files{"Makefile": "help: ; @echo\n" + text})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestVariablesAreReadAsMakePrintsThem(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"X = a  b  # c":                                              "a  b",
		"X := $(Y)\nY = 1":                                           emptyValue,
		"Y = 1\nX := $(Y)$${Z}":                                      "1$${Z}",
		"Y = 1\nX = $(Y)":                                            "$(Y)",
		"X = a \\\n   b":                                             "a b",
		"X += a\nX += b":                                             "a b",
		"Y := y\nX := a\nX += $(Y)":                                  "a y",
		"X ?= a\nX ?= b":                                             "a",
		"X != echo a":                                                emptyValue,
		"define X\n one\nendef":                                      "one",
		"X = \\# 5":                                                  "# 5",
		"X := $(subst a,b,banana)":                                   "bbnbnb",
		"X := $(patsubst %.c,%.o,a.c b.h)":                           "a.o b.h",
		"S = a.c b.c\nX := $(S:.c=.o)":                               "a.o b.o",
		"S = a.c b.c\nX := ${S:%.c=o/%}":                             "o/a o/b",
		"X := $(filter-out %.h b,a.c b.h b)":                         "a.c",
		"X := $(sort c a b a)":                                       "a b c",
		"X := $(wordlist 2,3,a b c d)":                               "b c",
		"X := $(foreach i,1 2,n$(i))":                                "n1 n2",
		"f = <$(2)$(1)>\nX := $(call f,a,b)":                         "<ba>",
		"X := $(if ,a,b)$(or ,c)$(and a,d)":                          "bcd",
		"X := $(dir a/b c)$(notdir a/b)":                             "a/ ./b",
		"X := $(addprefix p,a b)$(addsuffix s,c)":                    "pa pbcs",
		"X := $(origin CC) $(origin Q)":                              "default undefined",
		"$(eval X := $$$$x)":                                         "$$x",
		"ifeq (a, a)\nX = 1\nelse\nX = 2\nendif":                     "1",
		"ifdef NO\nX = 1\nelse ifndef NO\nX = 2\nelse\nX = 3\nendif": "2",
		"ifneq 'a' \"a\"\ndefine X\nX = 1\nendef\nendif\nX = 4":      "4",
	} {
		if got := readOne(t, text).variables["X"]; got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

func TestVariablesThatAreNotRead(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"override X = 1", "define X\na\nb\nendef", "X.Y = 1", "CC ?= gcc", "MAKEFLAGS += -r", "ifdef NO\nX = 1\nendif",
	} {
		if got := readOne(t, text).variables; len(got) > 0 {
			t.Errorf("%s: %v, want none", text, got)
		}
	}
}

func TestRulesAreReadAsMakePrintsThem(t *testing.T) {
	t.Parallel()
	run := target{recipe: []string{"run"}}
	for text, want := range map[string]map[string]target{
		"a: b | c\n\trun":              {"a": {[]string{"b", "|", "c"}, run.recipe}, "b": {}, "c": {}},
		"a: b\na: c\n\trun":            {"a": {[]string{"b", "c"}, run.recipe}, "b": {}, "c": {}},
		"a:\n\tx\na:\n\trun":           {"a": run},
		"a b:\n\trun":                  {"a": run, "b": run},
		"O = a\n$(O): ; run":           {"a": run},
		"a::\n\trun":                   {"a": {[]string{":"}, run.recipe}},
		"a: %: %.c\n\trun":             {"a": {[]string{"a.c"}, run.recipe}, "a.c": {}},
		"./a: sub/x\n\trun":            {"a": {[]string{"sub/x"}, run.recipe}},
		"-include b":                   {"b": {}},
		"a:\n\tx \\\n\ty\n\tcd \\\n z": {"a": {nil, []string{"x \\", "\ty", "cd \\"}}},
		"a: X = y":                     {"a": {prerequisites: []string{"X", "=", "y"}}},
	} {
		got := readOne(t, text).targets
		delete(got, "help")
		if diff := cmp.Diff(normalTargets(want), normalTargets(got)); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}

func normalTargets(targets map[string]target) map[string]string {
	all := map[string]string{}
	for name, t := range targets {
		all[name] = strings.Join(t.prerequisites, " ") + "; " + strings.Join(t.recipe, "\n")
	}
	return all
}

func TestATargetWithoutRecipeHidesItsNeighbour(t *testing.T) {
	t.Parallel()
	// In the table spellcheck stands at 40 and precommit at 45.
	d := readOne(t, "spellcheck:\nprecommit:\n\trun\n")
	if _, read := d.targets["precommit"]; read || len(d.targets) != 2 {
		t.Errorf("read %v", d.targets)
	}
}

func TestWhatMakeRefusesIsReadLineByLine(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"A = 1\n\techo\n", "all:\n    echo\n", "all:\nifdef X\n", "endif\nall:\n", "all: $(A\n", "include none.mk\nall:\n", "A = $(A)\nall: $(A)\n",
		"define A\nall:\n", "all:\n$(error no)\n", "prog: main.o\n\tcc\nmain.o: main.c\n\tcc -c\n", "X = 1\n", "a:\na::\n", "all: ;\nSome prose\n",
	} {
		d, err := Parse(vfs.Files{"Makefile": text})
		if err != nil || !d.usedFallback {
			t.Errorf("%q was not refused: %v", text, err)
		}
	}
	for _, text := range []string{"", "prose\n", "-include a\n"} {
		if _, err := Parse(vfs.Files{"Makefile": text}); err == nil {
			t.Errorf("%q was read", text)
		}
	}
}

func TestLineByLine(t *testing.T) {
	t.Parallel()
	got := parseLines("A = 1 # one\nA += 2\nSHELL = sh\n.PHONY: a b # c\na b: x\na: b c ## text\n\tone\n    two\n\nb:\n%.o: %.c\n\tcc\nexport Q = 1\na: d\n")
	want := Document{
		targets:      map[string]target{"a": {[]string{"d"}, nil}, "b": {[]string{}, nil}},
		variables:    map[string]string{"A": "2"},
		phony:        map[string]bool{"a": true, "b": true, "c": true},
		patterns:     map[string]bool{"%.o": true},
		usedFallback: true,
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(Document{}, target{})); diff != "" {
		t.Error(diff)
	}
}

func TestExpansionIsBounded(t *testing.T) {
	t.Parallel()
	bomb := "A0 = x\n"
	for i := range 60 {
		n := string(rune('A' + i))
		bomb += n + "1 = $(" + string(rune('@'+i)) + "1)$(" + string(rune('@'+i)) + "1)\n"
	}
	for name, text := range map[string]string{
		"bomb":       "help: ; @echo\n@1 = x\n" + bomb + "X := $(z1)\n",
		"empty bomb": "help: ; @echo\n@1 =\n" + bomb + "X := $(z1)\n",
		"product":    "X := " + strings.Repeat("a", 100_000) + "\nY := $(subst a,$(X),$(X))\nhelp: ; @echo\n",
		"nested":     "X := " + strings.Repeat("$(A", 10_000) + strings.Repeat(")", 10_000) + "\nhelp: ; @echo\n",
		"eval":       "f = $(eval $(f))\nhelp: ; @echo\n$(f)\n",
	} {
		if d, err := Parse(vfs.Files{"Makefile": text}); err != nil || !d.usedFallback {
			t.Errorf("%s was not refused: %v", name, err)
		}
	}
}
