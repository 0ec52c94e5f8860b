package catalog

import (
	"math/rand/v2"
	"strings"
	"testing"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/environments"
	"agentd/vfs"
)

// badInputs are candidates that no model should make, and some do. Where they are large, they have so many bytes.
var badInputs = map[string]func(seed string, large int) string{
	"empty":     func(string, int) string { return "" },
	"truncated": func(seed string, _ int) string { return seed[:len(seed)/2] },
	"prose": func(_ string, large int) string {
		return repeated("I have carried the edit out as you asked. The board met on Tuesday; Inga took the minutes.\n", large)
	},
	"binary": func(_ string, large int) string {
		random := rand.NewChaCha8([32]byte{})
		b := make([]byte, large)
		_, _ = random.Read(b) // it has no error
		return string(b)
	},
	"brackets":   func(string, int) string { return strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000) },
	"many times": repeated,
}

func repeated(text string, bytes int) string { return strings.Repeat(text, 1+bytes/len(text))[:bytes] }

// BenchmarkBadInput compares the seed of each built-in environment with bad
// input in place of its files: the CPU time must stay below a second.
func BenchmarkBadInput(b *testing.B) {
	domaintest.BoundMemory(b)
	for env, d := range seeds(b) {
		for name, candidate := range spoiled(env.Seed, 5<<20) {
			b.Run(d.Info().Name+"/"+name, func(b *testing.B) {
				before := domaintest.CPUTime(b)
				for b.Loop() {
					d.Compare(env.Seed, candidate)
				}
				b.ReportMetric((domaintest.CPUTime(b)-before).Seconds()/float64(b.N), "cpu-s/op")
			})
		}
	}
}

// Bad input gets a score and, where nothing of it can be read, a reason.
func TestBadInput(t *testing.T) {
	t.Parallel()
	for env, d := range seeds(t) {
		t.Run(env.Name, func(t *testing.T) {
			t.Parallel()
			reference := d.Against(env.Seed)
			for name, candidate := range spoiled(env.Seed, 256<<10) {
				score := reference.Compare(candidate)
				if score.RS < 0 || score.RS > 1 || score.Strict < 0 || score.Strict >= 1 {
					t.Errorf("%s: value %v, strict %v", name, score.RS, score.Strict)
				}
				if score.Elements.Candidate == 0 && score.RS < 1 && score.Problem == "" {
					t.Errorf("%s: no element was found, and no reason is given", name)
				}
			}
		})
	}
}

// seeds are the built-in environments with their domains.
func seeds(t testing.TB) map[*environments.Environment]domains.Domain {
	t.Helper()
	all, err := environments.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	found := map[*environments.Environment]domains.Domain{}
	for i := range all {
		d, ok := Lookup(all[i].Domain)
		if !ok {
			t.Fatalf("%s: domain %s is not built", all[i].Name, all[i].Domain)
		}
		found[&all[i]] = d.With(all[i].Metadata)
	}
	return found
}

// spoiled puts each bad input in the place of the seed's first file, alone. Large ones have so many bytes.
func spoiled(seed vfs.Files, large int) map[string]vfs.Files {
	name := seed.Names()[0]
	all := map[string]vfs.Files{}
	for kind, make := range badInputs {
		all[kind] = vfs.Files{name: make(seed[name], large)}
	}
	return all
}
