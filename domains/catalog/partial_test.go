package catalog_test

import (
	"strings"
	"testing"

	"agentd/domains"
	"agentd/domains/catalog"
	"agentd/environments"
	"agentd/vfs"
)

// partials are documents of a format that have none of what its domain counts: parts of a larger one, or another use of the format.
var partials = map[string]struct {
	domain, name, text string
	was, is            string // damage
}{
	"SQL without a table": {"dbschema", "reports.sql", "-- What the reports of the ferry office need.\nCREATE TYPE berth_state AS ENUM ('free', 'taken', 'closed');\n\n" +
		"CREATE OR REPLACE FUNCTION close_berth(id bigint) RETURNS void\nLANGUAGE plpgsql\nAS $$\nBEGIN\n    UPDATE berth SET state = 'closed' WHERE berth_id = id;\nEND;\n$$;\n\n" +
		"CREATE TRIGGER closed AFTER UPDATE ON berth FOR EACH ROW EXECUTE FUNCTION log_berth();\n\nCREATE MATERIALIZED VIEW busy AS\nSELECT berth_id, count(*) FROM visit GROUP BY berth_id;\n\n" +
		"DO $$\nBEGIN\n    PERFORM close_berth(7);\nEND\n$$;\n", "close_berth(7)", "close_berth(8)"},
	"queries": {"dbschema", "late.sql", "WITH late AS (\n    SELECT boat, count(*) AS times FROM visit WHERE left_at > due_at GROUP BY boat\n)\nSELECT boat, times\nFROM late\nWHERE times > 3\nORDER BY times DESC;\n\n" +
		"SELECT name FROM boat WHERE length > 12;\n", "times > 3", "times > 4"},
	"rows": {"dbschema", "seed.sql", "INSERT INTO berth (id, label) VALUES (1, 'north'), (2, 'south');\nINSERT INTO berth (id, label) VALUES (3, 'pier');\n\nUPDATE berth SET label = 'east' WHERE id = 2;\n", "'pier'", "'quay'"},
	"chess positions": {"chess", "endings.pgn", "[Event \"Two rooks\"]\n[FEN \"8/8/8/4k3/8/8/8/RR2K3 w - - 0 1\"]\n[SetUp \"1\"]\n\n{White mates in ten.}\n*\n\n" +
		"[Event \"Queen\"]\n[FEN \"8/8/8/4k3/8/8/8/Q3K3 w - - 0 1\"]\n[SetUp \"1\"]\n\n*\n", "Q3K3 w", "Q3K3 b"},
	"a time zone": {"calendar", "fjord.ics", "BEGIN:VTIMEZONE\nTZID:Fjord/Harbour\nBEGIN:STANDARD\nDTSTART:20071104T020000\nTZOFFSETFROM:+0200\nTZOFFSETTO:+0100\nTZNAME:CET\nEND:STANDARD\nEND:VTIMEZONE\n",
		"+0100", "+0000"},
	"GEDCOM of sources alone": {"genealogy", "sources.ged", "0 HEAD\n1 SOUR a\n1 GEDC\n2 VERS 7.0\n0 @S1@ SOUR\n1 TITL Parish of Old Pier, 1810 to 1842\n1 AUTH Mara Lind\n0 @R1@ REPO\n1 NAME Town archive\n0 TRLR\n", "1842", "1824"},
	"CIF of a molecule's description": {"crystal", "sulfite.cif", "data_comp_SFT\nloop_\n_chem_comp_atom.comp_id\n_chem_comp_atom.atom_id\n_chem_comp_atom.charge\nSFT S 0\nSFT O1 0\nSFT O2 -1\n" +
		"loop_\n_chem_comp_bond.atom_id_1\n_chem_comp_bond.atom_id_2\n_chem_comp_bond.type\nS O1 double\nS O2 single\n", "S O2 single", "S O2 double"},
	"a GPX route": {"geotrack", "sound.gpx", "<?xml version=\"1.0\"?>\n<gpx version=\"1.1\" creator=\"a\" xmlns=\"http://www.topografix.com/GPX/1/1\">\n<rte><name>The sound</name>\n" +
		"<rtept lat=\"59.1\" lon=\"10.1\"><name>Buoy 3</name></rtept>\n<rtept lat=\"59.2\" lon=\"10.4\"><name>Skerry</name></rtept>\n</rte>\n</gpx>\n", "59.2", "59.3"},
	"a library of models": {"circuit", "diodes.lib", "* diodes of the drawer\n.model D1X D(IS=2.5n RS=0.6\n+ N=1.7 TT=4n)\n.model Q2X NPN(BF=220\n+ IS=1.1e-14)\n", "BF=220", "BF=200"},
	"font lookups":        {"fonteng", "kerning.fea", "# kerning of the harbour signs\nlookup kern_signs {\n    lookupflag 0;\n    @first = [T V];\n    @second = [a o];\n    pos @first @second -40;\n    pos A V -60;\n} kern_signs;\n", "-40", "-80"},
	"font tables": {"fonteng", "stat.fea", "# names of the axes\ntable name {\n    nameid 25 \"HarbourSans\";\n} name;\n\ntable STAT {\n    ElidedFallbackName { name \"Regular\"; };\n    DesignAxis wght 0 { name \"Weight\"; };\n} STAT;\n",
		"\"Weight\"", "\"Width\""},
	"Beancount without a transaction": {"accounting", "accounts.beancount", ";; accounts of the boat club\n2024-01-01 open Assets:Bank  EUR\n2024-01-01 open Expenses:Rope\n2024-01-01 commodity EUR\n\n" +
		"2024-02-01 balance Assets:Bank  12.00 EUR\n2024-02-02 price EUR  1.08 USD\n", "12.00", "21.00"},
}

// A document without anything that its domain counts is found by its content under any name, can be edited, and what is damaged in it is named.
func TestDocumentsWithoutACountedElement(t *testing.T) {
	t.Parallel()
	for title, c := range partials {
		t.Run(title, func(t *testing.T) {
			t.Parallel()
			for _, name := range []string{c.name, "document.txt", "document"} {
				found := catalog.Recognise(vfs.Files{name: c.text})
				if len(found) == 0 || found[0].Domain.Info().Name != c.domain {
					t.Errorf("%s is found as %v, want %s", name, found, c.domain)
				}
			}
			d, files, err := catalog.Of(vfs.Files{c.name: c.text}, c.domain)
			if err != nil {
				t.Fatal(err)
			}
			d = d.With(domains.Metadata{domains.RSOption: domains.RSStrict})
			damaged := vfs.Files{files.Names()[0]: strings.Replace(c.text, c.was, c.is, 1)}
			if review := d.Against(files).Review(damaged); review.Strict == 1 || len(review.Differences) == 0 {
				t.Errorf("%s for %s is not named: %+v", c.is, c.was, review)
			}
			edits, err := environments.Derive(d, files, 8, 1)
			if err != nil {
				t.Fatal(err)
			}
			env := environments.Environment{Domain: c.domain, Seed: files}
			for _, e := range edits {
				oracle, ok := env.OracleFor(e, d)
				if !ok {
					t.Fatalf("%s has no program", e.Name)
				}
				there, err := oracle.Forward(files)
				if err != nil {
					t.Fatal(err)
				}
				if back, err := oracle.Backward(there); err != nil || !back.Equal(files) {
					t.Errorf("%s leads back to %q, %v", e.Name, back, err)
				}
			}
		})
	}
}
