package resize_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/domains/catalog"
	"agentd/environments"
	"agentd/environments/checks"
	"agentd/environments/resize"
	"agentd/environments/tokens"
)

// The documents for the paper's experiment on sizes (Table 5, Appendix I): one of
// about 10,000 tokens in each of five domains, six edits, no distractors.
func documentsForSizes(t *testing.T) []environments.Environment {
	t.Helper()
	envs, err := environments.Load("../experiments/sizes")
	if err != nil {
		t.Fatal(err)
	}
	return envs
}

func TestDocumentsForSizesAreThoseOfThePaper(t *testing.T) {
	t.Parallel()
	var domains []string
	for _, env := range documentsForSizes(t) {
		domains = append(domains, env.Domain)
		size, err := tokens.Count(env.Seed)
		if err != nil {
			t.Fatal(err)
		}
		if env.Name != env.Domain+"-10k" || size < 10_000 || size > 10_500 || len(env.Edits) != 6 || len(env.Distractors) != 0 {
			t.Errorf("%s: %d tokens, %d edits, %d distractors", env.Name, size, len(env.Edits), len(env.Distractors))
		}
		d, ok := catalog.Lookup(env.Domain)
		if !ok {
			t.Fatalf("%s: domain %s is not built", env.Name, env.Domain)
		}
		for _, edit := range env.Edits {
			if _, ok := env.OracleFor(edit, d); !ok {
				t.Errorf("%s, %s: no oracle", env.Name, edit.Name)
			}
		}
	}
	slices.Sort(domains)
	if diff := cmp.Diff([]string{"accounting", "calendar", "playlist", "satellite", "spreadsheet"}, domains); diff != "" {
		t.Error(diff)
	}
}

// They are larger than other environments, and alone; nothing else is against them.
func TestDocumentsForSizesPassTheChecks(t *testing.T) {
	t.Parallel()
	drafts, err := environments.Drafts("../experiments/sizes")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range checks.Run(drafts, catalog.Lookup) {
		if f.Check != "seed-tokens" && f.Check != "distractor-tokens" {
			t.Errorf("%s, %s: %v", f.Environment, f.Check, f.Findings)
		}
	}
}

func TestDocumentsForSizesGiveSixSizes(t *testing.T) {
	t.Parallel()
	for _, env := range documentsForSizes(t) {
		t.Run(env.Name, func(t *testing.T) {
			t.Parallel()
			d, _ := catalog.Lookup(env.Domain)
			before := 0
			for _, most := range []int{1000, 2000, 4000, 6000, 8000, 10000} {
				v, err := resize.To(&env, d, most, 1)
				if err != nil {
					t.Fatal(err)
				}
				if v.Tokens <= before || v.Tokens < most*85/100 {
					t.Errorf("%d tokens for a size of %d, after %d", v.Tokens, most, before)
				}
				before = v.Tokens
				checkVariant(t, &env, &v, d, most)
			}
		})
	}
}
