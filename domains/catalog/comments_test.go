package catalog_test

import (
	"strings"
	"testing"

	"agentd/domains/catalog"
	"agentd/vfs"
)

// Comments have places where all other lines kept theirs, and none where those were put elsewhere.
func TestPlacesOfComments(t *testing.T) {
	t.Parallel()
	const graph = "digraph pier {\n  // berths of the north side\n  // deep enough for the ferry\n  a -> b;\n\n  # the slipway\n  b -> c;\n  /* closed\n   * in winter */\n  c -> d;\n}\n"
	for title, c := range map[string]struct {
		was, is string
		says    string // empty where nothing is damaged
	}{
		"two lines of a block are swapped":  {"  // berths of the north side\n  // deep enough for the ferry\n", "  // deep enough for the ferry\n  // berths of the north side\n", "moved"},
		"the lines of a remark are swapped": {"  /* closed\n   * in winter */\n", "  /* in winter\n   * closed */\n", ""}, // the marks changed with them
		"a comment stands below its line":   {"  # the slipway\n  b -> c;\n", "  b -> c;\n  # the slipway\n", "stands above"},
		"a comment stands there twice":      {"  # the slipway\n", "  # the slipway\n  # the slipway\n", "added"},
		"a comment is new":                  {"  # the slipway\n", "  # the slipway\n  # of wood\n", ""},
		"blanks are others":                 {"  # the slipway\n", "\n    #  the   slipway  \n", ""},
		"a line went with its comment":      {"  # the slipway\n  b -> c;\n  /* closed\n   * in winter */\n  c -> d;\n", "  /* closed\n   * in winter */\n  c -> d;\n  # the slipway\n  b -> c;\n", ""},
	} {
		d, _ := catalog.Lookup("graphviz")
		changed := strings.Replace(graph, c.was, c.is, 1)
		if changed == graph {
			t.Fatalf("%s: %q is not there", title, c.was)
		}
		reference := d.Against(vfs.Files{"pier.dot": graph})
		review := reference.Review(vfs.Files{"pier.dot": changed})
		said := ""
		for _, difference := range review.Differences {
			said += difference.String() + "\n"
		}
		if (review.Strict < 1) != (c.says != "") || !strings.Contains(said, c.says) || c.says == "" && said != "" {
			t.Errorf("%s: strict %.3f, %q", title, review.Strict, said)
		}
		if score := reference.Compare(vfs.Files{"pier.dot": changed}).Strict; score != review.Strict {
			t.Errorf("%s: scored %.3f, reviewed %.3f", title, score, review.Strict)
		}
	}
}

// Comments of XML have lines and places, too, above the root as well.
func TestCommentsOfXML(t *testing.T) {
	t.Parallel()
	const (
		remark = "<?xml version=\"1.0\"?>\n<!-- kept by hand\n     since the flood\n     of May -->\n"
		marc   = "<collection xmlns=\"http://www.loc.gov/MARC21/slim\">\n<record>\n<leader>00000nam a2200000 a 4500</leader>\n<controlfield tag=\"001\">b1</controlfield>\n</record>\n</collection>\n"
		xspf   = "<playlist version=\"1\" xmlns=\"http://xspf.org/ns/0/\">\n<trackList>\n<track><title>Slow Boat</title></track>\n</trackList>\n</playlist>\n"
	)
	for domain, file := range map[string][2]string{"libcatalog": {"a.xml", marc}, "playlist": {"a.xspf", xspf}} {
		d, _ := catalog.Lookup(domain)
		was := remark + file[1]
		reference := d.Against(vfs.Files{file[0]: was})
		for title, c := range map[string]struct {
			from, to string
			strict   float64 // below 1 where 0
			names    bool    // a difference is named
		}{
			"another word":         {"flood", "fire", 0, true},
			"a line twice":         {"     since the flood\n", "     since the flood\n     since the flood\n", 0, true},
			"a comment that went":  {remark, "", 1, true},
			"a comment that came":  {remark, remark + "<!-- read -->\n", 1, false},
			"a comment laid out":   {"since the flood\n     of", "since the flood\n of", 1, false},
			"nothing but a margin": {remark, remark + "\n", 1, false},
		} {
			review := reference.Review(vfs.Files{file[0]: strings.Replace(was, c.from, c.to, 1)})
			if (review.Strict == 1) != (c.strict == 1) || (len(review.Differences) > 0) != c.names {
				t.Errorf("%s, %s: strict %.3f, %v", domain, title, review.Strict, review.Differences)
			}
		}
	}
}

// A line that is repeated directly below is named, even if its format reads it once. It weighs nothing.
func TestRepeatedLines(t *testing.T) {
	t.Parallel()
	for title, c := range map[string]struct {
		domain, file, was, is string
		named                 bool
	}{
		"an import":              {"python", "berth.py", "import csv\n\nprint(csv)\n", "import csv\nimport csv\n\nprint(csv)\n", true},
		"a target":               {"makefile", "Makefile", "all: hull\nhull:\n\tmake -C hull\n", "all: hull\nhull:\nhull:\n\tmake -C hull\n", true},
		"an entry":               {"weaving", "a.wif", "[WIF]\nVersion=1.1\n[THREADING]\n1=2\n2=1\n", "[WIF]\nVersion=1.1\n[THREADING]\n1=2\n2=1\n2=1\n", true},
		"a comment of YAML":      {"json", "a.yaml", "# berths:\n# - north\npier: 4\n", "# berths:\n# berths:\n# - north\npier: 4\n", true},
		"not directly below":     {"makefile", "Makefile", "all: hull\nhull:\n\tmake -C hull\n", "all: hull\nhull:\n\tmake -C hull\nall: hull\n", false},
		"other lines moved, too": {"json", "a.yaml", "# berths:\npier: 4\nquay: 2\n", "# berths:\n# berths:\nquay: 2\npier: 4\n", false},
	} {
		d, _ := catalog.Lookup(c.domain)
		review := d.Against(vfs.Files{c.file: c.was}).Review(vfs.Files{c.file: c.is})
		if review.Strict != 1 || (len(review.Differences) > 0) != c.named {
			t.Errorf("%s: strict %.3f, %v", title, review.Strict, review.Differences)
		}
	}
}
