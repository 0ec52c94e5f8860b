package catalog_test

import (
	"testing"

	"agentd/domains"
	"agentd/domains/catalog"
	"agentd/domains/domaintest"
	"agentd/domains/domaintest/equivalences"
	"agentd/vfs"
)

// A change that a format calls free, at a random place of a seed, keeps Strict 1; one
// that only looks like it does not.
func TestGeneratedEquivalences(t *testing.T) {
	t.Parallel()
	all := equivalences.All()
	for _, d := range catalog.All() {
		name := d.Info().Name
		if all[name] == nil && !d.Info().Binary {
			t.Errorf("%s has no equivalences", name)
		}
	}
	same, nearMisses := 0, 0
	for _, list := range all {
		for _, e := range list {
			if e.Same {
				same++
			} else {
				nearMisses++
			}
		}
	}
	t.Logf("generated pairs: in %d domains, %d equivalences that keep Strict 1 and %d near misses that bring it below 1, each at random places",
		len(all), same, nearMisses)
	for name, list := range all {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, ok := catalog.Lookup(name)
			if !ok {
				t.Fatal("no such domain")
			}
			checkEquivalences(t, d, domaintest.Seed(t, name+"1"), list)
		})
	}
}

// checkEquivalences applies changes at random to a document and checks what Strict says.
func checkEquivalences(t *testing.T, d domains.Domain, seed vfs.Files, list []domaintest.Equivalence) {
	t.Helper()
	reference := d.Against(seed)
	for _, e := range list {
		t.Run(e.Name, func(t *testing.T) {
			t.Parallel()
			candidates := e.Candidates(seed, 0, domaintest.EquivalenceTrials)
			if len(candidates) == 0 {
				t.Fatalf("nothing in the document matches %s", e.Needs)
			}
			for n, candidate := range candidates {
				if !e.Same && seed.Equal(candidate) {
					continue
				}
				if strict := reference.Compare(candidate).Strict; (strict == 1) != e.Same {
					t.Errorf("trial %d: Strict %v: %v", n, strict, reference.Differences(candidate))
				}
			}
		})
	}
}
