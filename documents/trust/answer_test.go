package trust

import (
	"strings"
	"testing"

	"agentd/domains/catalog"
	"agentd/environments"
	"agentd/results"
	"agentd/vfs"
)

// A backward step that lost a comment is not right, though Strict is 1; agentd diff names it, too.
func TestAnEditThatLostACommentIsNotRight(t *testing.T) {
	t.Parallel()
	const text = "hull = oak # from the old pier\nmast = pine\nsail = linen\nrope = hemp\n\nboat: hull.o mast.o\n\tcc -o boat\n\nclean:\n\trm -f boat\n"
	d, _ := catalog.Lookup("makefile")
	env, err := environments.Own{Name: "boat", Documents: vfs.Files{"Makefile": text}, Edits: 1, Seed: 1}.Environment(d)
	if err != nil {
		t.Fatal(err)
	}
	d = env.Apply(d)
	oracle, _ := env.OracleFor(env.Edits[0], d)
	there, err := oracle.Forward(env.Seed)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		was, is string
		right   bool
	}{
		"as it was":           {"oak", "oak", true},
		"other blanks":        {"mast = pine", "mast  =  pine", true},
		"a comment more":      {"mast = pine", "mast = pine # tall", true},
		"the comment is lost": {" # from the old pier", "", false},
		"another value":       {"linen", "canvas", false},
	} {
		back := vfs.Files{"Makefile": strings.Replace(text, c.was, c.is, 1)}
		if right := isRight(&env, d, &results.Interaction{Edit: env.Edits[0].Name, Output: back}, there); right != c.right {
			t.Errorf("%s: right: %t", name, right)
		}
	}
}
