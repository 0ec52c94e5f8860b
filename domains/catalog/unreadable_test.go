package catalog

import (
	"strings"
	"testing"

	"agentd/vfs"
)

// One token that stops the published reader is no lost document: Strict costs the
// token, and the score says why RS is 0.
func TestOneTokenThatStopsThePublishedReader(t *testing.T) {
	t.Parallel()
	tokens := map[string][2]string{ // what it replaces, once
		"calendar":  {"VERSION:2.0", "VERSION 2.0"},
		"genealogy": {"\n2 DATE", "\n7 DATE"},
		"geodata":   {`"condition": 2`, `"condition": two`},
		"infra":     {"terraform {", "terraform: {"},
		"json":      {"{", "{'"},
		"landmarks": {"</coordinates>", "</coordinate>"},
	}
	found := map[string]bool{}
	for env, d := range seeds(t) {
		token, ok := tokens[env.Domain]
		if !ok || env.Name != env.Domain+"1" {
			continue
		}
		found[env.Domain] = true
		t.Run(env.Domain, func(t *testing.T) {
			t.Parallel()
			damaged, name := vfs.Files{}, env.Seed.Names()[0]
			damaged[name] = strings.Replace(env.Seed[name], token[0], token[1], 1)
			if damaged.Equal(env.Seed) {
				t.Fatalf("the seed has no %q", token[0])
			}
			score := d.Compare(env.Seed, damaged)
			if score.RS != 0 || !score.Unreadable || score.Strict < 0.9 || score.Strict == 1 {
				t.Errorf("Value %v, Strict %v, unreadable %v, %s", score.RS, score.Strict, score.Unreadable, score.Problem)
			}
			if lost := d.Compare(env.Seed, vfs.Files{name: ""}); lost.Unreadable {
				t.Errorf("an empty candidate is unreadable: %s", lost.Problem)
			}
		})
	}
	if len(found) != len(tokens) {
		t.Errorf("tried %d of %d domains", len(found), len(tokens))
	}
}
