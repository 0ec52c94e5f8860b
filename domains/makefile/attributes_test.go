package makefile

import "testing"

func TestComputedAttributes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ part, commands, prerequisites, count, variables string }{
		"a rule":                         {"a: b $(C) ## help\n\tcp $< $(D)\n\t$(D) x", "2", "b $(C)", "2", "C, D"},
		"special targets above":          {".PHONY: a b\na: c\n", "0", "c", "1", ""},
		"order-only prerequisites":       {"a: b | c d\n", "0", "b c d", "3", ""},
		"a static pattern rule":          {"$(O): %.o: %.c\n\tcc\n", "1", "%.c", "1", "O"},
		"a continued command":            {"a:\n\tfor x; do \\\n\t\techo; \\\n\tdone\n", "1", "", "0", ""},
		"a command on the rule's line":   {"a: b; cp $< $@\n", "1", "b", "1", ""},
		"conditionals in a recipe":       {"a:\nifdef V\n\techo v\nelse\n\techo w\nendif\n", "2", "", "0", ""},
		"a variable of the target":       {"a: B := $(C)", "0", "", "0", "C"},
		"functions are no variables":     {"a:\n\t$(call log,$(B)) ${B}\n", "1", "", "0", "B"},
		"nothing that Make would accept": {"what is this", "0", "", "0", ""},
	} {
		for attribute, pair := range map[string][2]string{
			"commands": {commandCount(c.part), c.commands}, "prerequisites": {prerequisites(c.part), c.prerequisites},
			"number of prerequisites": {prerequisiteCount(c.part), c.count}, "variables": {usedVariables(c.part), c.variables},
		} {
			if pair[0] != pair[1] {
				t.Errorf("%s: %s %q, want %q", name, attribute, pair[0], pair[1])
			}
		}
	}
}
