package resize_test

import (
	"errors"
	"fmt"
	"testing"

	"agentd/domains"
	"agentd/domains/catalog"
	"agentd/environments"
	"agentd/environments/resize"
	"agentd/environments/tokens"
)

func TestVariantsOfBuiltInEnvironments(t *testing.T) {
	t.Parallel()
	envs, err := environments.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	for _, env := range envs {
		d, ok := catalog.Lookup(env.Domain)
		if !ok {
			t.Fatalf("%s: domain %s is not built", env.Name, env.Domain)
		}
		size, err := tokens.Count(env.Seed)
		if err != nil {
			t.Fatal(err)
		}
		for _, most := range []int{1000, 3000} {
			t.Run(fmt.Sprintf("%s-%d", env.Name, most), func(t *testing.T) {
				t.Parallel()
				v, err := resize.To(&env, d, most, 1)
				var short *resize.TooShortError
				switch {
				case errors.As(err, &short) && short.Tokens == size && size < most:
					return
				case errors.Is(err, domains.ErrNoEntries),
					errors.Is(err, resize.ErrImpossible) && 2*most < size: // too little to work on
					t.Log(err)
					return
				case err != nil:
					t.Fatal(err)
				}
				checkVariant(t, &env, &v, d, most)
			})
		}
	}
}

func checkVariant(t *testing.T, env *environments.Environment, v *resize.Variant, d domains.Domain, most int) {
	t.Helper()
	if size, err := tokens.Count(v.Environment.Seed); err != nil || size != v.Tokens || size > most {
		t.Errorf("%d tokens (%v), said to be %d, of at most %d", size, err, v.Tokens, most)
	}
	for i, edit := range v.Environment.Edits {
		if edit.Forward != env.Edits[i].Forward || edit.Backward != env.Edits[i].Backward {
			t.Errorf("edit %s changed", edit.Name)
		}
		if err := v.Environment.Exact(edit, d); err != nil {
			t.Errorf("edit %s: %v", edit.Name, err)
		}
	}
	d = d.With(env.Metadata)
	for _, difference := range d.Differences(env.Seed, v.Environment.Seed) {
		// A family loses its members one by one.
		if difference.Kind == domains.Added || difference.Kind == domains.Changed && env.Domain != "genealogy" {
			t.Errorf("not left out: %v", difference)
		}
	}
	checkBalance(t, env, v, d)
}

// checkBalance expects of each category its share of the entries, rounded up or
// down.
func checkBalance(t *testing.T, env *environments.Environment, v *resize.Variant, d domains.Domain) {
	t.Helper()
	all, total := categories(t, env, d)
	kept, rest := categories(t, &v.Environment, d)
	if rest != v.Kept || total != v.Of {
		t.Errorf("%d of %d entries, said to be %d of %d", rest, total, v.Kept, v.Of)
	}
	if _, divided := all["stretch 1"]; divided {
		return // a smaller document has stretches of its own
	}
	most, least := 1.0, 0.0 // the share lies between these
	for category, n := range all {
		most = min(most, float64(kept[category]+1)/float64(n))
		least = max(least, float64(kept[category]-1)/float64(n))
	}
	if least > most {
		t.Errorf("no share makes %v of %v", kept, all)
	}
}

// categories counts the entries of each.
func categories(t *testing.T, env *environments.Environment, d domains.Domain) (counts map[string]int, total int) {
	t.Helper()
	entries, err := d.Entries(env.Seed)
	if err != nil {
		t.Fatal(err)
	}
	counts = map[string]int{}
	for _, entry := range entries {
		counts[entry.Category]++
	}
	return counts, len(entries)
}

func TestAVariantDependsOnItsSeedAlone(t *testing.T) {
	t.Parallel()
	env, d := ledger(t)
	texts := map[string]int{}
	for _, seed := range []uint64{1, 1, 2} {
		v, err := resize.To(env, d, 2000, seed)
		if err != nil {
			t.Fatal(err)
		}
		texts[v.Environment.Encode()]++
	}
	if len(texts) != 2 {
		t.Errorf("%d different variants of the seeds 1, 1 and 2, want 2", len(texts))
	}
}

func TestOneMoreEntryWouldBeTooMuch(t *testing.T) {
	t.Parallel()
	env, d := ledger(t)
	v, err := resize.To(env, d, 2000, 1)
	if err != nil {
		t.Fatal(err)
	}
	next, err := resize.To(env, d, 2000+150, 1) // an entry has fewer tokens than that
	if err != nil {
		t.Fatal(err)
	}
	if next.Kept <= v.Kept {
		t.Errorf("%d entries within 2,150 tokens, %d within 2,000", next.Kept, v.Kept)
	}
	for _, difference := range d.Differences(v.Environment.Seed, next.Environment.Seed) {
		if difference.Kind != domains.Added {
			t.Errorf("the larger variant lacks what the smaller has: %v", difference)
		}
	}
}

func TestADocumentOfTheSizeStaysAndAShorterOneHasNoVariant(t *testing.T) {
	t.Parallel()
	env, d := ledger(t)
	size, err := tokens.Count(env.Seed)
	if err != nil {
		t.Fatal(err)
	}
	v, err := resize.To(env, d, size, 1)
	if err != nil || v.Environment.Name != fmt.Sprintf("accounting1-%d", size) || !v.Environment.Seed.Equal(env.Seed) || v.Kept != v.Of {
		t.Errorf("%s with %d of %d entries, %v", v.Environment.Name, v.Kept, v.Of, err)
	}
	var short *resize.TooShortError
	if _, err := resize.To(env, d, size+1, 1); !errors.As(err, &short) || short.Tokens != size {
		t.Errorf("a token more than there are: %v", err)
	}
}

func ledger(t *testing.T) (*environments.Environment, domains.Domain) {
	t.Helper()
	envs, err := environments.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	for i := range envs {
		if envs[i].Name == "accounting1" {
			d, _ := catalog.Lookup("accounting")
			return &envs[i], d
		}
	}
	t.Fatal("accounting1 is not built in")
	return nil, nil
}
