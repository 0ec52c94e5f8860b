package catalog_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"agentd/domains/catalog"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

// No limit on work acts on the documents of the built-in environments.
func TestScoresOfOrdinaryDocumentsAreExact(t *testing.T) {
	t.Parallel()
	for _, d := range catalog.All() {
		name := d.Info().Name
		if d.Info().Binary {
			continue // there are no elements to leave out
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			seed := domaintest.Seed(t, name+"1")
			damaged := d.Without(seed, func(n int) bool { return n%20 == 7 })
			if noted := d.Compare(seed, damaged).Approximate; noted != "" {
				t.Error(noted)
			}
		})
	}
}

// Where a limit acts, the score says so.
func TestScoresOfVeryLargeDocumentsSayThatTheyAreApproximate(t *testing.T) {
	t.Parallel()
	lines := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	for domain, c := range map[string]struct {
		ref, got string // what the seed's first file has at its end
		want     string
	}{
		"slides": {"\n- " + strings.Repeat("a long bullet ", 2000) + "\n", "\n- " + strings.Repeat("a longer bullet ", 2000) + "\n",
			"RS: long texts or lists are compared by their beginnings"},
		"docker": {"\nRUN " + strings.Repeat("x", 1<<18) + "\n", "\nRUN " + strings.Repeat("x", 1<<18) + "y\n",
			"RS: long texts or lists are compared by their beginnings"},
		"malware": {rule(lines(400, "    $ = \"mooring %d\"\n")), rule(lines(400, "    $ = \"anchor %d\"\n")),
			"RS: of many elements not all pairs are tried"},
	} {
		t.Run(domain, func(t *testing.T) {
			t.Parallel()
			d, _ := catalog.Lookup(domain)
			seed := domaintest.Seed(t, domain+"1")
			ref, got := vfs.Files(maps.Clone(seed)), vfs.Files(maps.Clone(seed))
			ref[seed.Names()[0]] += c.ref
			got[seed.Names()[0]] += c.got
			if noted := d.Compare(ref, got).Approximate; !strings.Contains(noted, c.want) {
				t.Errorf("%q, want %q", noted, c.want)
			}
		})
	}
}

// rule is a YARA rule with the strings.
func rule(texts string) string {
	return "\nrule large {\n  strings:\n" + texts + "  condition:\n    any of them\n}\n"
}
