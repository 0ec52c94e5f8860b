package catalog_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"agentd/domains/catalog"
	"agentd/environments"
)

func TestZZ(t *testing.T) {
	envs, _ := environments.Builtin()
	ex, _ := environments.Load(os.Getenv("AGENTD_RELEASED") + "/excerpts.jsonl")
	for _, env := range append(envs, ex...) {
		if w := os.Getenv("ZZ"); w != "" && !strings.Contains(" "+w+" ", " "+env.Domain+" ") {
			continue
		}
		d, ok := catalog.Lookup(env.Domain)
		if !ok || d.Vocabulary() == nil {
			continue
		}
		d = env.Apply(d)
		edits, err := environments.Derive(d, env.Seed, 99, 1)
		var names []string
		for _, e := range edits {
			names = append(names, e.Name)
		}
		fmt.Printf("%-12s %2d %.2f %v %s\n", env.Domain, len(edits), d.Against(env.Seed).Compare(env.Seed).Value, err, strings.Join(names, " "))
		if os.Getenv("ZZS") != "" {
			for _, e := range edits {
				fmt.Printf("  %s\n     %s\n     %s\n", e.Name, e.Forward, e.Backward)
			}
		}
	}
}
