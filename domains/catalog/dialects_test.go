package catalog_test

import (
	"strings"
	"testing"

	"agentd/domains"
	"agentd/domains/catalog"
	"agentd/domains/domaintest/dialects"
	"agentd/vfs"
)

// Each dialect is found by name and content, is the same as itself and as a resave, and what is damaged in it is named.
func TestDialects(t *testing.T) {
	t.Parallel()
	for title, c := range dialects.All() {
		t.Run(title, func(t *testing.T) {
			t.Parallel()
			decoded := func(text string) string {
				read, ok := dialects.Decoded(text)
				if !ok {
					t.Fatalf("the encoding of %q is not told", text)
				}
				return read
			}
			found := catalog.Recognise(vfs.Files{c.Name: decoded(c.Text)})
			if len(found) == 0 || found[0].Domain.Info().Name != c.Domain {
				t.Fatalf("%s is found as %v, want %s", c.Name, found, c.Domain)
			}
			d, as := found[0].Domain.With(domains.Metadata{domains.RSOption: domains.RSStrict}), found[0].Files.Names()[0]
			reference := d.Against(found[0].Files)
			for what, pair := range map[string][2]string{"itself": {"", ""}, "a resave": c.Harmless, "damage": c.Damage} {
				changed := strings.Replace(c.Text, pair[0], pair[1], 1)
				if what != "itself" && changed == c.Text {
					t.Fatalf("%s: %q is not in the text", what, pair[0])
				}
				review := reference.Review(vfs.Files{as: decoded(changed)})
				switch {
				case what == "damage" && (review.Strict == 1 || len(review.Differences) == 0):
					t.Errorf("damage is not named: %+v", review)
				case what != "damage" && review.Strict != 1:
					t.Errorf("%s: strict %.4f, %v", what, review.Strict, review.Differences)
				}
			}
		})
	}
}
