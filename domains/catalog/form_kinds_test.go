package catalog_test

import (
	"strings"
	"testing"

	"agentd/domains/catalog"
	"agentd/vfs"
)

// Slips that a grammar does not tell of: what must come first, what must be there, and what must be as many.
func TestFormOfOrderAndNumber(t *testing.T) {
	t.Parallel()
	const (
		circuit = "OPENQASM 3.0;\ninclude \"stdgates.inc\";\ngate flip a { x a; }\ngate turn q { flip q; h q; }\nqubit[2] q;\nturn q[0];\n"
		marc    = "<collection xmlns=\"http://www.loc.gov/MARC21/slim\">\n<record>\n<leader>00000nam a2200000 a 4500</leader>\n" +
			"<datafield tag=\"245\" ind1=\" \" ind2='0'>\n<subfield code=\"a\">Slow Boat</subfield>\n</datafield>\n</record>\n</collection>\n"
		stars = "<VOTABLE version=\"1.4\" xmlns=\"http://www.ivoa.net/xml/VOTable/v1.3\"><RESOURCE><TABLE>\n<FIELD name=\"id\" datatype=\"int\"/>\n<FIELD name=\"mag\" datatype=\"double\"/>\n" +
			"<DATA><TABLEDATA>\n<TR>\n<TD>1</TD>\n<TD/>\n</TR>\n</TABLEDATA></DATA></TABLE></RESOURCE></VOTABLE>\n"
		lean  = "/- Tides -/\nimport Mathlib.Tactic\n\nopen Nat\n\ntheorem tide (n : ℕ) : n = n := rfl\n"
		prose = "# Boat\n\nWhat it takes:\n\n1. tar\n2. rope\n3. paint\n"
	)
	for title, c := range map[string]struct {
		domain, file, text, was, is string
		slip                        string // empty where nothing is broken
	}{
		"a gate below its use":         {"quantum", "a.qasm", circuit, "gate flip a { x a; }\ngate turn q { flip q; h q; }\n", "gate turn q { flip q; h q; }\ngate flip a { x a; }\n", "above its declaration"},
		"a register below its use":     {"quantum", "a.qasm", circuit, "qubit[2] q;\nturn q[0];\n", "turn q[0];\nqubit[2] q;\n", "above its declaration"},
		"a parameter called as one is": {"quantum", "a.qasm", circuit, "gate flip a { x a; }\n", "gate flip q { x q; }\n", ""},
		"no indicator":                 {"libcatalog", "a.xml", marc, " ind1=\" \"", "", "indicator"},
		"an empty indicator":           {"libcatalog", "a.xml", marc, "ind2='0'", "ind2=''", "indicator"},
		"another attribute":            {"libcatalog", "a.xml", marc, "ind1", "ond1", "indicator"},
		"a cell too many":              {"starcatalog", "a.xml", stars, "<TD/>\n", "<TD/>\n<TD/>\n", "one cell for each field"},
		"a cell too few":               {"starcatalog", "a.xml", stars, "<TD/>\n", "", "one cell for each field"},
		"an import below a command":    {"mathlean", "a.lean", lean, "import Mathlib.Tactic\n\nopen Nat\n", "open Nat\n\nimport Mathlib.Tactic\n", "import"},
		"an item's number":             {"markdown", "a.md", prose, "2. rope", "7. rope", "number of an item"},
		"an item's number on a slide":  {"slides", "a.md", strings.Replace(prose, "# Boat", "## Boat", 1), "2. rope", "7. rope", "number of an item"},
	} {
		d, _ := catalog.Lookup(c.domain)
		changed := strings.Replace(c.text, c.was, c.is, 1)
		if changed == c.text {
			t.Fatalf("%s: %q is not there", title, c.was)
		}
		if slips := d.Against(vfs.Files{}).Broken(vfs.Files{c.file: c.text}); len(slips) > 0 {
			t.Errorf("%s: of the original, %v", title, slips)
		}
		slips := d.Against(vfs.Files{c.file: c.text}).Broken(vfs.Files{c.file: changed})
		if (len(slips) > 0) != (c.slip != "") || c.slip != "" && !strings.Contains(slips[0].What, c.slip) {
			t.Errorf("%s: %v", title, slips)
		}
	}
}

// A key of a bibliography that stands alone is cited elsewhere; with the paper that cites it, it may be renamed throughout.
func TestKeysOfABibliography(t *testing.T) {
	t.Parallel()
	const (
		entries = "@book{knuth84, title = {The Book}, author = {Knuth, Donald}, year = 1984}\n"
		paper   = "\\documentclass{article}\n\\begin{document}\nAs \\cite{knuth84} says.\n\\bibliography{refs}\n\\end{document}\n"
	)
	d, _ := catalog.Lookup("latex")
	renamed := func(files vfs.Files) vfs.Files {
		changed := vfs.Files{}
		for name, text := range files {
			changed[name] = strings.ReplaceAll(text, "knuth84", "knuth83")
		}
		return changed
	}
	alone, whole := vfs.Files{"refs.bib": entries}, vfs.Files{"refs.bib": entries, "a.tex": paper}
	if review := d.Against(alone).Review(renamed(alone)); review.Strict == 1 {
		t.Error("another key of a bibliography alone is no change")
	}
	if review := d.Against(whole).Review(renamed(whole)); review.Strict < 1 {
		t.Errorf("a key that is renamed throughout: %v", review.Differences)
	}
}

// Libraries of materials without a mesh, decks whose slides have front matter, bulletins of forecasts, and what packages of programs
// come with are found.
func TestFoundWithoutWhatIsUsual(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, domain string }{
		"hull.mtl":     {"# painted\nnewmtl tar\nKd 0.1 0.1 0.1\nNs 12.5\n\nnewmtl rope\nKd 0.8 0.7 0.5\n", "obj3d"},
		"start.md":     {"---\ntitle: Tides\n---\n\n# Tides\n\n---\nlayout: center\n---\n\n# High water\n\nTwice a day.\n\n---\n\n## Low water\n\n- mud\n- birds\n", "slides"},
		"post.md":      {"---\nlayout: post\ntitle: Tides\n---\n\n# Tides\n\nThey come [twice](https://a.test/) a day.\n\n---\n\n## Low water\n\n- mud\n", "markdown"},
		"forecast.txt": {"FTNO31 ENMI 311100\nTAF\nENVA 311100Z 3112/0112 24012KT 9999 FEW020 TEMPO 3112/3118\n     4000 -SN=\n", "weather"},
		"COPYING":      {"You may copy this text and hand it on.\n\nIt comes without a warranty.\n", "text"},
	} {
		found := catalog.Recognise(vfs.Files{name: c.text})
		if len(found) == 0 || found[0].Domain.Info().Name != c.domain {
			t.Errorf("%s: %v, want %s", name, found, c.domain)
		}
	}
}
