package catalog_test

import (
	"strings"
	"testing"

	"agentd/domains/catalog"
	"agentd/vfs"
)

// What the tools of a format read has no slip, in any dialect, and what they do not read has one.
func TestSlipsOfDialects(t *testing.T) {
	t.Parallel()
	const (
		cues    = "WEBVTT - harbour film\n\nNOTE checked\n\n00:01.000 --> 00:03.500\nThe tide turns.\n\nlast\n01:00:04.000 --> 01:00:06.000 align:start\nGoodbye.\n"
		molfile = "water\n  pen\n\n  2  1  0  0  0  0            999 V2000\n    0.0000    0.0000    0.0000 O   0  0\n    0.9600    0.0000    0.0000 H   0  0\n  1  2  1  0\nM  END\n"
		bib     = "% our works\n@article{tide12,\n  author = {Brandt, A.},\n  title = \"Tides of {50%} and {\\\"o}thers\",\n  url = {http://example.net/a%20b},\n  year = 2012\n}\n"
		rules   = "rule one {\n  strings:\n    $a = \"x\" nocase wide\n  condition:\n    $a\n}\n"
		kml     = `<kml xmlns="http://www.opengis.net/kml/2.2"><Document><Placemark><name>Pier</name><Point><coordinates>5.1,60.2</coordinates></Point></Placemark></Document></kml>`
		marc    = "<collection xmlns=\"http://www.loc.gov/MARC21/slim\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"><record><leader>00000nam a2200000 a 4500</leader><datafield tag=\"245\" ind1=\"1\" ind2=\"0\"><subfield code=\"a\">Tides</subfield></datafield></record></collection>"
		atom    = "ATOM      1  N   MET A   1      10.000  -1.500   3.250  1.00 20.00           N\nEND\n"
		guide   = "# Locks\n\nOpen the gate:\n\n```sh\nlock open\n```\n"
	)
	for name, c := range map[string]struct{ domain, file, whole, from, to string }{
		"a prefix of a text":         {"python", "a.py", "x = (\n    f\"{a} \"\n    f\"? {b}\"\n    u'c'\n)\n", "(\n    f", "(\n    a f"},
		"an expression over lines":   {"infra", "a.tf", "locals {\n  a = \"${var.b == null ? \"x\" :\n    \"y-${var.b}\"}\"\n}\n", "\"y-", "y-"},
		"an expression that is none": {"infra", "a.tf", "locals {\n  a = \"$${b\"\n}\n", "$$", "$"},
		"times of WebVTT":            {"subtitles", "a.srt", cues, "00:03.500", "00:03,500"},
		"the header of WebVTT":       {"subtitles", "a.vtt.srt", cues, "WEBVTT - harbour film\n\n", ""},
		"a cue of WebVTT":            {"subtitles", "a.srt", cues, "turns.\n\nlast", "turns.\nlast"},
		"a molecule alone":           {"molecule", "a.sdf", molfile, "M  END\n", ""},
		"a version":                  {"molecule", "a.sdf", molfile + "$$$$\n", "V2000", "V2000_x"},
		"a comma after a key":        {"latex", "a.bib", bib, "tide12,", "tide12"},
		"a comma after a field":      {"latex", "a.bib", bib, "b},", "b}"},
		"a brace of a bibliography":  {"latex", "a.bib", bib, "20b}", "20b"},
		"a second condition":         {"malware", "a.yar", rules, "condition:\n", "condition:\n  condition:\n"},
		"a modifier":                 {"malware", "a.yar", rules, "nocase wide", "nocase wide nocase"},
		"a recipe":                   {"makefile", "Makefile", "all: a\n\tcc a\n\nifdef X\nb:\n\tcc b\nelse\nb:\n\tcc c\nendif\n", "\n\nifdef", "\nall: a\n\tcc a\n\nifdef"},
		"the namespace of KML":       {"landmarks", "a.kml", kml, "/kml/2.2", "/zebra/2.2"},
		"no namespace of KML":        {"landmarks", "a.kml", kml, ` xmlns="http://www.opengis.net/kml/2.2"`, ""},
		"the namespace of MARC":      {"libcatalog", "a.xml", marc, "/slim", "/slime"},
		"an indicator":               {"libcatalog", "a.xml", marc, "ind2", "ind7"},
		"the namespace of schemas":   {"libcatalog", "a.xml", marc, "XMLSchema-instance", "XMLSchema"},
		"the namespace of SVG":       {"vector", "a.svg", `<svg xmlns="http://www.w3.org/2000/svg"><rect width="2" height="1"/></svg>`, "http:", "http"},
		"the namespace of VOTable":   {"starcatalog", "a.xml", `<VOTABLE version="1.3" xmlns="http://www.ivoa.net/xml/VOTable/v1.3"><RESOURCE><TABLE><FIELD name="id" datatype="int"/><DATA><TABLEDATA><TR><TD>1</TD></TR></TABLEDATA></DATA></TABLE></RESOURCE></VOTABLE>`, "ivoa.net", "ivoa.com"},
		"the namespace of XSPF":      {"playlist", "a.xspf", `<playlist version="1" xmlns="http://xspf.org/ns/0/"><trackList><track><title>Slow Boat</title></track></trackList></playlist>`, "/ns/0/", "/ns/1/"},
		"the first line of M3U":      {"playlist", "a.xspf", "#EXTM3U\n#EXTINF:12,Slow Boat\nboat.mp3\n", "#EXTM3U\n#EXTINF:12,Slow Boat\n", "#EXTINF:12,Slow Boat\n#EXTM3U\n"},
		"columns":                    {"protein", "a.pdb", atom, "10.000", "10.0000"},
		"a key of a draft":           {"weaving", "a.wif", "[WIF]\nVersion=1.1\n\n[THREADING]\n1=1\n2=2\n\n[TREADLING]\n1=1\n", "2=2\n", "2=2\n2=2\n"},
		"a fence of code":            {"markdown", "a.md", guide, "open\n```", "open"},
	} {
		d, ok := catalog.Lookup(c.domain)
		if !ok {
			t.Fatal(c.domain)
		}
		if slips := d.Slips(vfs.Files{c.file: c.whole}); len(slips) > 0 {
			t.Errorf("%s: the whole one: %v", name, slips)
		}
		if !strings.Contains(c.whole, c.from) {
			t.Fatalf("%s: no %q", name, c.from)
		}
		broken := d.Against(vfs.Files{c.file: c.whole}).Broken(vfs.Files{c.file: strings.Replace(c.whole, c.from, c.to, 1)})
		if len(broken) == 0 {
			t.Errorf("%s: %q for %q has no slip", name, c.to, c.from)
		}
	}
}
