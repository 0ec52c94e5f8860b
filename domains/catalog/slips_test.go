package catalog_test

import (
	"fmt"
	"strings"
	"testing"

	"agentd/domains/catalog"
	"agentd/vfs"
)

// What the tools of a format read has no slip, in any dialect, and what they do not read has one.
func TestSlipsOfDialects(t *testing.T) {
	t.Parallel()
	const (
		cues      = "WEBVTT - harbour film\n\nNOTE checked\n\n00:01.000 --> 00:03.500\nThe tide turns.\n\nlast\n01:00:04.000 --> 01:00:06.000 align:start\nGoodbye.\n"
		molfile   = "water\n  pen\n\n  2  1  0  0  0  0            999 V2000\n    0.0000    0.0000    0.0000 O   0  0\n    0.9600    0.0000    0.0000 H   0  0\n  1  2  1  0\nM  END\n"
		bib       = "% our works\n@article{tide12,\n  author = {Brandt, A.},\n  title = \"Tides of {50%} and {\\\"o}thers\",\n  url = {http://example.net/a%20b},\n  year = 2012\n}\n"
		rules     = "rule one {\n  strings:\n    $a = \"x\" nocase wide\n  condition:\n    $a\n}\n"
		kml       = `<kml xmlns="http://www.opengis.net/kml/2.2"><Document><Placemark><name>Pier</name><Point><coordinates>5.1,60.2</coordinates></Point></Placemark></Document></kml>`
		marc      = "<collection xmlns=\"http://www.loc.gov/MARC21/slim\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"><record><leader>00000nam a2200000 a 4500</leader><datafield tag=\"245\" ind1=\"1\" ind2=\"0\"><subfield code=\"a\">Tides</subfield></datafield></record></collection>"
		atom      = "ATOM      1  N   MET A   1      10.000  -1.500   3.250  1.00 20.00           N\nEND\n"
		svg       = "<?xml version=\"1.0\" encoding=\"ASCII\"?>\n<!DOCTYPE svg PUBLIC \"-//W3C//DTD SVG 1.1//EN\" \"http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd\">\n<svg xmlns=\"http://www.w3.org/2000/svg\"><rect width=\"2\" height=\"1\"/></svg>\n"
		docstring = "\"\"\"Tides.\n\nHeights\n~~~~~~~\n\n```\ntide(1)\n```\n\"\"\"\nx = 1\n"
		lemma     = "/-- Tides:\n```\nexample : 1 = 1\n```\n-/\ntheorem tide : 1 = 1 := rfl\n"
		graph     = "digraph tides {\n  a [label=\"A\", color=red];\n  b [label=<<table border=\"0\"><tr><td border=\"1\">x</td><td border=\"2\">y</td></tr></table>>];\n  a -> b [color=red];\n}\n"
		gpx       = "<gpx version=\"1.1\" creator=\"x\" xmlns=\"http://www.topografix.com/GPX/1/1\"><trk><trkseg><trkpt lat=\"57.1\" lon=\"-3.7\"><time>2010-08-05T09:03:00Z</time></trkpt></trkseg></trk></gpx>"
		numbers   = "1\n00:00:01,000 --> 00:00:02,000\nOne.\n\n2\n00:00:03,000 --> 00:00:04,000\nTwo.\n\n3\n00:00:05,000 --> 00:00:06,000\nThree.\n\n4\n00:00:07,000 --> 00:00:08,000\nFour.\n"
		letter    = "From: Mara <mara@harbour.example>\nTo: Ivo <ivo@harbour.example>\nSubject: Locks\nDate: Mon, 12 Jun 2023 09:41:00 +0100\nX-Loop: harbour\nMIME-Version: 1.0\n" +
			"Content-Type: multipart/mixed; boundary=zz\n\n--zz\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\nÖffnen.\n--zz--\n"
		guide = "# Locks\n\nOpen the gate:\n\n```sh\nlock open\n```\n"
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
		"a member of an object":      {"json", "a.json", "{\"a\": [{\"b\": 1}, {\"b\": 1}], \"b\": 1}", "{\"b\": 1}]", "{\"b\": 1, \"b\": 1}]"},
		"a member of a feature":      {"geodata", "a.geojson", `{"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {"type": "quay"}, "geometry": {"type": "Point", "coordinates": [1, 2]}}]}`, `"type": "quay"`, `"type": "quay", "type": "quay"`},
		"an attribute of a node":     {"graphviz", "a.dot", graph, "\"A\", color=red", "\"A\", color=red, color=red"},
		"an attribute of an arrow":   {"graphviz", "a.dot", graph, "b [color=red", "b [color=red color = \"red\""},
		"a month of one digit":       {"geotrack", "a.gpx", gpx, "2010-08", "2010-8"},
		"a minute of one digit":      {"geotrack", "a.gpx", gpx, "09:03:", "09:3:"},
		"a control number's tag":     {"libcatalog", "a.xml", strings.Replace(marc, "<datafield", "<controlfield tag=\"001\">b1</controlfield><datafield", 1), `"001"`, `"01"`},
		"a cue's number":             {"subtitles", "a.srt", numbers, "\n2\n", "\n12\n"},
		"the first cue's number":     {"subtitles", "a.srt", numbers, "1\n00:00:01", "11\n00:00:01"},
		"the last cue's number":      {"subtitles", "a.srt", numbers, "\n4\n", "\n3\n"},
		"a zone in a letter":         {"emails", "a.eml", letter, "+0100", "0100"},
		"a zone in a thread":         {"emails", "a.txt", "From: Mara <mara@harbour.example>\nDate: Mon, 12 Jun 2023 09:41:00 +0100\nSubject: Locks\n\nOpen.\n", "+0100", "0100"},
		"a header twice":             {"emails", "a.eml", letter, "Subject: Locks\n", "Subject: Locks\nSubject: Locks\n"},
		"a header of a thread twice": {"emails", "a.txt", "From: Mara <mara@harbour.example>\nSubject: Locks\n\nOpen.\n", "Subject: Locks\n", "Subject: Locks\nSubject: Locks\n"},
		"another header twice":       {"emails", "a.eml", letter, "X-Loop: harbour\n", "X-Loop: harbour\nX-Loop: harbour\n"},
		"a charset":                  {"emails", "a.eml", letter, "; charset=utf-8", ""},
		"a transfer encoding":        {"emails", "a.eml", letter, "Content-Transfer-Encoding: 8bit\n", ""},
		"a bracket of an ID":         {"emails", "a.txt", "From: mara@harbour.example\nMessage-ID: <7@harbour.example>\nSubject: Locks\n\nOpen.\n", "<7", "7"},
		"an unknown encoding":        {"emails", "a.eml", letter, "8bit", "bit8"},
		"a header of a part twice":   {"emails", "a.eml", letter, "Content-Transfer-Encoding: 8bit\n", "Content-Transfer-Encoding: 8bit\nContent-Transfer-Encoding: 8bit\n"},
		"an address of a thread":     {"emails", "a.txt", "From: Mara <mara@harbour.example>\nSubject: Locks\n\nOpen.\n", "example>", "example"},
		"an address of a mailbox":    {"emails", "a.eml", "From a Mon Jan  1 10:00:00 2024\nFrom: Mara <mara@harbour.example>\nSubject: Locks\n\nOpen.\n\nFrom b Mon Jan  1 11:00:00 2024\nFrom: Ivo <ivo@harbour.example>\nSubject: Locks\n\nShut.\n", "<ivo", "ivo"},
		"the default script":         {"fonteng", "a.fea", "languagesystem DFLT dflt;\nfeature liga {\n  sub f i by f_i;\n} liga;\n", "DFLT dflt", "dflt dflt"},
		"the head of a block":        {"crystal", "a.cif", "data_salt\n_cell_length_a 5.6\n_cell_length_b 5.6\n", "data_salt\n_cell_length_a 5.6\n", "_cell_length_a 5.6\ndata_salt\n"},
		"a value over lines":         {"hamradio", "a.adi", "<EOH>\r\n<CALL:4>LB1A<NOTES:14>calm\r\nbay\r\nsun<EOR>\r\n", "bay", "bays"},
		"the last boundary":          {"emails", "a.eml", letter, "--zz--\n", ""},
		"a document type of SVG":     {"vector", "a.svg", svg, "DTD SVG 1.1", "DTD SVG 1.7"},
		"the address of a type":      {"vector", "a.svg", svg, "svg11.dtd", "svg10.dtd"},
		"the name of a type":         {"vector", "a.svg", svg, "DOCTYPE svg", "DOCTYPE swg"},
		"an encoding of XML":         {"vector", "a.svg", svg, `"ASCII"`, `"ASCIJ"`},
		"a fence in Python":          {"python", "a.py", docstring, "x = 1\n", "```\nx = 1\n"},
		"a fence around Python":      {"python", "a.py", docstring, docstring, "```python\n" + docstring + "```\n"},
		"a fence in Lean":            {"mathlean", "a.lean", lemma, "theorem", "```\ntheorem"},
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

// A slip that a letter has from the start does not hide another one.
func TestALetterWithASlipHidesNoOther(t *testing.T) {
	t.Parallel()
	const letter = "From: Mara <mara@harbour.example>\nDate: Mon, 12 Jun 2023 09:41:00 +0100\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=\"zz\"\n\n" +
		"--zz\nContent-Type: text/plain\n\nOpen.\n--zz--\n"
	d, _ := catalog.Lookup("emails")
	for name, slip := range map[string][2]string{
		"a line among the headers": {"MIME-Version", "no header\nMIME-Version"},
		"a content type":           {"\"zz\"\n", "\"zz\"; ;=\n"},
		"an inner content type":    {"text/plain", "text/plain; ;="},
		"an unknown charset":       {"text/plain", "text/plain; charset=zebra"},
		"a header of a part":       {"Content-Type: text/plain", "no header\nContent-Type: text/plain"},
	} {
		was := strings.Replace(letter, slip[0], slip[1], 1)
		if len(d.Slips(vfs.Files{"a.eml": was})) == 0 {
			t.Errorf("%s: there is no slip", name)
		}
		for _, to := range [][2]string{{"--zz--\n", ""}, {"+0100", "0100"}} {
			is := strings.Replace(was, to[0], to[1], 1)
			if len(d.Against(vfs.Files{"a.eml": was}).Broken(vfs.Files{"a.eml": is})) == 0 {
				t.Errorf("%s hides %q for %q", name, to[1], to[0])
			}
		}
	}
}

// A number that does not follow is told where those around it do. Cues that are missing, or in another order, are a question of content.
func TestNumbersOfCuesFollow(t *testing.T) {
	t.Parallel()
	d, _ := catalog.Lookup("subtitles")
	for numbers, want := range map[string]int{"1 2 3 4": 0, "1 2 5 6": 0, "3 7 12": 0, "0 1 2": 0, "1 2 7 4": 1, "1 2 2 4": 1, "9 2 3": 1, "1 2 2": 1, "4": 0} {
		var b strings.Builder
		for n, number := range strings.Fields(numbers) {
			fmt.Fprintf(&b, "%s\n00:00:%02d,000 --> 00:00:%02d,000\nText.\n\n", number, 2*n, 2*n+1)
		}
		if slips := d.Slips(vfs.Files{"a.srt": b.String()}); len(slips) != want {
			t.Errorf("%s: %v", numbers, slips)
		}
	}
}
