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
		works   = "% what we cite\n@article{lock1, author = {Anna Holt}, title = {Gates}, year = {1999}}\n\n@book{lock2, author = {Piet Maas}, title = {Sluices}, year = 2001}\n"
		paint   = "# paint of the lock\nnewmtl gate\nKa 0.1 0.1 0.1\nKd 0.4 0.2 0.1\nNs 12\nmap_Kd wood.png\n\nnewmtl wall\nKd 0.6 0.6 0.6\n"
		styles  = "<?xml version=\"1.0\"?>\n<kml xmlns=\"http://www.opengis.net/kml/2.2\"><Document><Style id=\"gate\"><LineStyle><width>2</width></LineStyle></Style></Document></kml>\n"
		nothing = "<?xml version=\"1.0\"?>\n<playlist version=\"1\" xmlns=\"http://xspf.org/ns/0/\"><title>Lock</title><trackList/></playlist>\n"
		stream  = "<?xml version=\"1.0\"?>\n<VOTABLE version=\"1.3\" xmlns=\"http://www.ivoa.net/xml/VOTable/v1.3\"><RESOURCE><TABLE><FIELD name=\"v\" datatype=\"int\"/>" +
			"<DATA><BINARY><STREAM encoding=\"base64\">AAAAAQAAAAI=</STREAM></BINARY></DATA></TABLE></RESOURCE></VOTABLE>\n"
		reexport = "from .gates import open_gate\nfrom .water import level\n\n__all__ = [\"open_gate\", \"level\"]\n"
		world    = "<?xml version=\"1.0\"?>\n<sdf version=\"1.6\"><model name=\"gate\"><link name=\"leaf\"/></model></sdf>\n"
		licensed = "; You may copy this zone, change it, and pass it on,\n; as long as this line, and the next, stay.\n; There is no warranty, for anything, at all.\n$TTL 300\n@ IN SOA ns root (1 2 3 4 5)\n NS ns\nns A 10.0.0.1\n"
		vars     = "# Region\n\nregion = \"eu\"\n\nzones = [\"a\", \"b\"]\n"
	)
	for _, c := range []struct{ file, text, want string }{
		{"README", guide, "markdown"}, {"guide.txt", guide, "markdown"}, {"guide.md", guide, "markdown"},
		{"lock", script, "screenplay"}, {"lock.txt", script, "screenplay"},
		{"stack", stack, "json"}, {"stack.txt", stack, "json"},
		{"talk.md", reveal, "slides"}, {"locks.md", reveal, "slides"},
		{"reports", reports, "weather"}, {"reports.txt", reports, "weather"},
		{"soup.txt", soup, "recipe"},
		{"query", query, "dbschema"}, {"query.txt", query, "dbschema"}, {"advice.txt", advice, "fiction"},
		{"works", works, "latex"}, {"works.txt", works, "latex"}, {"paint", paint, "obj3d"}, {"paint.txt", paint, "obj3d"},
		{"styles.kml", styles, "landmarks"}, {"list.xspf", nothing, "playlist"}, {"rows.xml", stream, "starcatalog"}, {"rows.vot", stream, "starcatalog"},
		{"gate.db", licensed, "dns"}, {"gate", licensed, "dns"},
		{"__init__.py", reexport, "python"}, {"gate.sdf", world, ""},
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
