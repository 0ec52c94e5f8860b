package catalog_test

import (
	"testing"

	"agentd/domains/catalog"
	"agentd/vfs"
)

// Content decides where a name says nothing.
func TestContentDecides(t *testing.T) {
	t.Parallel()
	const (
		guide   = "# Lock keeper's guide\n\nHow to run the lock.\n\n## Gates\n\n- Open the upper gate first.\n- See [the plan](plan.md).\n\nNote: never at low water.\n"
		script  = "INT. LOCK HOUSE - NIGHT\n\nRain.\n\nMARTA\nNot tonight.\n\nEXT. LOCK GATE - NIGHT\n\nPIET\nOpen up!\n"
		stack   = "services:\n  web:\n    image: nginx\n    ports:\n      - \"80:80\"\n"
		reveal  = "# Locks\n\nAnna Holt\n\n---\n\n## Why\n\nWater flows down.\n\nNote: wait for questions.\n\n--\n\n### Gates\n\nTwo of them.\n\n---\n\n## Thanks\n"
		reports = "SAUS70 KWBC 201200\nKBOS 201154Z 32014KT 10SM SCT050 03/M06 A3010 RMK AO2=\nKPVD 201151Z 31012KT 10SM CLR 03/M07 A3009=\n"
		soup    = "Pea soup\n\nIngredients\n1 lb split peas\n2 onions\n8 cups water\n\nDirections\nRinse the peas.\nSimmer for 90 minutes.\n"
		shell   = "#!/bin/sh\n# Lock\n\n# Open the gate\n\n# - upper\n- lower\necho '[x](y.md)' **bold**\n"
		query   = "SELECT s.id,\n       count(*) AS calls\n  FROM stops AS s\n  LEFT JOIN stop_times AS t ON t.stop_id = s.id\n WHERE s.zone = 'north'\n GROUP BY s.id\n LIMIT 20\n"
		advice  = "Select a lock\nfrom the list on the wall.\nWhere the water is low, wait.\n"
		vars    = "# Region\n\nregion = \"eu\"\n\nzones = [\"a\", \"b\"]\n"
	)
	for _, c := range []struct{ file, text, want string }{
		{"README", guide, "markdown"}, {"guide.txt", guide, "markdown"}, {"guide.md", guide, "markdown"},
		{"lock", script, "screenplay"}, {"lock.txt", script, "screenplay"},
		{"stack", stack, "json"}, {"stack.txt", stack, "json"},
		{"talk.md", reveal, "slides"}, {"locks.md", reveal, "slides"},
		{"reports", reports, "weather"}, {"reports.txt", reports, "weather"},
		{"soup.txt", soup, "recipe"},
		{"query", query, "dbschema"}, {"query.txt", query, "dbschema"}, {"advice.txt", advice, "fiction"},
		{"open", shell, ""}, {"region", vars, ""},
	} {
		got := ""
		if found := catalog.Recognise(vfs.Files{c.file: c.text}); len(found) > 0 {
			got = found[0].Domain.Info().Name
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.file, got, c.want)
		}
	}
}
