package catalog_test

import (
	"strings"
	"testing"

	"agentd/domains"
	"agentd/domains/catalog"
	"agentd/vfs"
)

// Damage that each of these domains once passed over is named: from is replaced by to in a document, which is the same as itself.
func TestDamageThatWasPassedOver(t *testing.T) {
	t.Parallel()
	const (
		function = "CREATE TABLE berth (id INTEGER PRIMARY KEY AUTOINCREMENT, label TEXT);\n\n" +
			"CREATE FUNCTION close_berth(id bigint) RETURNS int AS $$\nDECLARE\n  n int;\n  m int;\n  k int;\nBEGIN\n  -- nobody's berth\n  n := id;\n  m := n * 2;\n  k := n * 3;\n\n  RETURN m;\nEND$$ LANGUAGE plpgsql;\n\n" +
			"DO $body$ BEGIN\n  PERFORM close_berth(7);\n  PERFORM close_berth(8);\nEND $body$;\n\nCREATE TABLE quay (id INT);\n"
		books = "option \"title\" \"Boat club\"\nplugin \"club.dues\"\n\n2024-01-01 open Assets:Bank EUR\n2024-01-01 open Expenses:Rope EUR\n\n" +
			"2024-02-01 query \"rope\" \"\n  SELECT date, position\n  WHERE account ~ 'Rope'\n  ORDER BY date\"\n\n" +
			"2024-03-02 * \"Chandler\" \"Two coils\nof the blue\nand one of the red\"\n  Assets:Bank  -12.00 EUR\n  Expenses:Rope\n"
		around = "From: mara@pier.example\nSubject: Boat\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=zz\n\nfirst line\nsecond line\n--zz\n\nWe leave at ten.\n--zz--\n"
		tree   = "0 HEAD\n1 SOUR pier\n2 VERS 1.0\n2 CORP Pier\n3 WWW pier.example\n1 GEDC\n2 VERS 5.5.5\n0 @I1@ INDI\n1 NAME Mara /Lind/\n0 TRLR\n"
		events = "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:x\nBEGIN:VEVENT\nUID:1\nDTSTAMP:20240101T000000Z\nDTSTART:20240102T100000Z\nDURATION:PT1H\nSUMMARY:Boat\nEND:VEVENT\nEND:VCALENDAR\n"
		track  = "<gpx version=\"1.1\" creator=\"x\" xmlns=\"http://www.topografix.com/GPX/1/1\"><trk><name>Pier</name><desc/><trkseg><trkpt lat=\"57.1\" lon=\"-3.7\"/></trkseg></trk></gpx>"
		zone   = "$ORIGIN pier.example.\n$TTL 3600 ; one hour\n@ IN SOA ns hostmaster 2024010101 7200 3600 1209600 3600\n@ IN NS ns\nns IN A 192.0.2.1\n"
	)
	for name, c := range map[string]struct{ domain, file, text, from, to string }{
		"statements of a function":       {"dbschema", "a.sql", function, "  m := n * 2;\n  k := n * 3;\n", "  k := n * 3;\n  m := n * 2;\n"},
		"declarations of a function":     {"dbschema", "a.sql", function, "  m int;\n  k int;\n", "  k int;\n  m int;\n"},
		"statements of a block":          {"dbschema", "a.sql", function, "(7);\n  PERFORM close_berth(8)", "(8);\n  PERFORM close_berth(7)"},
		"a key of SQLite":                {"dbschema", "a.sql", function, "PRIMARY KEY", "KEY"},
		"lines of a query":               {"accounting", "a.beancount", books, "  WHERE account ~ 'Rope'\n  ORDER BY date\"", "  ORDER BY date\n  WHERE account ~ 'Rope'\""},
		"lines of a narration":           {"accounting", "a.beancount", books, "of the blue\nand one of the red", "and one of the red\nof the blue"},
		"lines between the parts":        {"emails", "a.eml", around, "first line\nsecond line\n", "second line\nfirst line\n"},
		"a line of the head":             {"genealogy", "a.ged", tree, "2 VERS 1.0\n", "2 VERS 1.0\n2 VERS 1.0\n"},
		"a line below the head":          {"genealogy", "a.ged", tree, "3 WWW pier.example\n", "3 WWW pier.example\n3 WWW pier.example\n"},
		"a duration that stands twice":   {"calendar", "a.ics", events, "DURATION:PT1H\n", "DURATION:PT1H\nDURATION:PT1H\n"},
		"the name of an empty element":   {"geotrack", "a.gpx", track, "<desc/>", "<desk/>"},
		"a comment beside a directive":   {"dns", "a.zone", zone, "one hour", "two hours"},
		"a comment below its posting":    {"accounting", "a.ledger", "2024/01/02 Rope\n    Expenses:Rope  $3\n    ; blue\n    Assets:Bank\n", "    ; blue\n    Assets:Bank\n", "    Assets:Bank\n    ; blue\n"},
		"a comment above its instrument": {"audiosyn", "a.csd", "<CsoundSynthesizer>\n<CsInstruments>\nsr = 44100\ninstr 1\n; the theme\na1 oscil 1, 440, 1\nout a1\nend: endin\n</CsInstruments>\n<CsScore>\ni1 0 2\n</CsScore>\n</CsoundSynthesizer>\n", "; the theme\na1 oscil 1, 440, 1\n", "a1 oscil 1, 440, 1\n; the theme\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, files, err := catalog.Of(vfs.Files{c.file: c.text}, c.domain)
			if err != nil {
				t.Fatal(err)
			}
			reference := d.With(domains.Metadata{domains.RSOption: domains.RSStrict}).Against(files)
			if slips := d.Slips(files); len(slips) > 0 || !reference.Review(files).Same() {
				t.Errorf("the document as it is: %v", slips)
			}
			damaged := strings.Replace(c.text, c.from, c.to, 1)
			if damaged == c.text {
				t.Fatalf("it has no %q", c.from)
			}
			if review := reference.Review(vfs.Files{files.Names()[0]: damaged}); review.Same() || review.Strict == 1 {
				t.Errorf("it is the same: %+v", review)
			}
		})
	}
}
