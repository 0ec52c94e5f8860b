package environments_test

import (
	"errors"
	"strings"
	"testing"

	"agentd/domains"
	"agentd/domains/catalog"
	"agentd/environments"
	"agentd/vfs"
)

func TestCheckSeeds(t *testing.T) {
	t.Parallel()
	readable := environments.Environment{Name: "good1", Domain: "json", Seed: vfs.Files{"a.json": `{"port": 8080}`}}
	cut := environments.Environment{Name: "cut1", Domain: "json", Seed: vfs.Files{"a.json": `{"port": [`}}
	foreign := environments.Environment{Name: "foreign1", Domain: "recipe", Seed: vfs.Files{"soup.md": "# Pea soup\n"}}
	for rule, c := range map[string]struct {
		all  []environments.Environment
		want string // how the error begins; empty for none
	}{
		"a seed that can be read":            {[]environments.Environment{readable}, ""},
		"a domain that is not built":         {[]environments.Environment{{Name: "odd1", Domain: "odd", Seed: foreign.Seed}}, ""},
		"a program that cannot be scored":    {[]environments.Environment{{Name: "tests1", Domain: "python", Seed: vfs.Files{"a.md": "# soup"}}}, ""},
		"one seed that cannot, with example": {[]environments.Environment{readable, foreign}, "no score on this environment would mean anything: foreign1: no ingredient or step found in soup.md; expected *.txt with lines such as\n    Ingredient 1"},
		"several that cannot, by name":       {[]environments.Environment{foreign, readable, cut}, "no score on these 2 environments would mean anything:\n    foreign1: no ingredient or step found in soup.md\n    cut1: the published reader cannot read a.json"},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			err := environments.CheckSeeds(c.all, catalog.Lookup)
			if c.want == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			var unread *environments.UnreadError
			if !errors.As(err, &unread) || len(unread.Names) != len(unread.Errors) || !strings.HasPrefix(err.Error(), c.want) {
				t.Fatalf("%v, want %s", err, c.want)
			}
			for i, reason := range unread.Errors {
				var refused *domains.ReferenceError
				if !errors.As(reason, &refused) || !strings.HasPrefix(reason.Error(), unread.Names[i]+": ") {
					t.Errorf("%s: %v", unread.Names[i], reason)
				}
			}
		})
	}
}
