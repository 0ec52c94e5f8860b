package catalog_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"agentd/domains/catalog"
	"agentd/domains/domaintest"
)

// A change that a format calls free, at a random place of a seed, keeps Strict 1; a
// digit that is another one does not.
func TestGeneratedEquivalences(t *testing.T) {
	t.Parallel()
	any := func(string) bool { return true }
	blanks := domaintest.Lines("blanks at a line's end", true,
		func(line string) bool { return strings.HasSuffix(line, "\n") && !strings.HasSuffix(line, "\\\n") },
		func(_ *rapid.T, line string) string { return strings.TrimSuffix(line, "\n") + "  \n" })
	statement := func(marks string) func(string) bool {
		return func(line string) bool { return strings.HasSuffix(strings.TrimSpace(line), marks) }
	}
	for domain, c := range map[string]struct {
		environment, comment string
		list                 []domaintest.Equivalence
	}{
		"quantum":   {"quantum1", "//", []domaintest.Equivalence{blanks, domaintest.WithComment("//", statement(";"))}},
		"graphviz":  {"graphviz1", "//", []domaintest.Equivalence{blanks, domaintest.WithComment("//", statement(";"))}},
		"fonteng":   {"fonteng1", "#", []domaintest.Equivalence{blanks, domaintest.WithComment("#", statement(";"))}},
		"satellite": {"satellite1", "#", []domaintest.Equivalence{domaintest.WithComment("#", func(line string) bool { return strings.HasPrefix(line, "1 ") })}},
		"circuit":   {"circuit1", "*", []domaintest.Equivalence{blanks, domaintest.Lines("lower case", true, any, func(_ *rapid.T, line string) string { return strings.ToLower(line) })}},
	} {
		t.Run(domain, func(t *testing.T) {
			t.Parallel()
			d, ok := catalog.Lookup(domain)
			if !ok {
				t.Fatal("no such domain")
			}
			seed := domaintest.Seed(t, c.environment)
			domaintest.Equivalences(t, d, seed, append(c.list, domaintest.AnotherDigit(c.comment))...)
		})
	}
}
