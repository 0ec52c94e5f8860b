package catalog_test

import (
	"strings"
	"testing"

	"agentd/domains/catalog"
	"agentd/vfs"
)

// Slips that leave all information in place, and that no tool of the format reads over.
func TestSlipsThatLoseNothing(t *testing.T) {
	t.Parallel()
	const (
		cues  = "1\n00:00:01,000 --> 00:00:02,000\nHigh water.\n\n2\n00:00:03,000 --> 00:00:04,000\nLow water.\n"
		cells = "data_tide\n_cell_length_a 5.0\nloop_\n_atom_site_label\n_atom_site_fract_x\n_atom_site_fract_y\nNa1 0.0 0.1\nCl1 0.5 0.6\n"
		loop  = "loop_\n_atom_site_label\n_atom_site_fract_x\n_atom_site_fract_y\nNa1 0.0 0.1\nCl1 0.5 0.6\n"
		rule  = "rule harbour\n{\n  strings:\n    $a = \"crane\"\n  condition:\n    $a\n}\n"
		gates = "OPENQASM 2.0;\ninclude \"qelib1.inc\";\nqreg q[2];\nh q[0];\ncx q[0],q[1];\n"
	)
	for name, c := range map[string]struct{ domain, file, before, after, slip string }{
		"cues without a blank line":    {"subtitles", "a.srt", cues, strings.Replace(cues, "\n\n", "\n", 1), "no blank line stands above a cue"},
		"a point for a comma in times": {"subtitles", "a.srt", cues, strings.Replace(cues, "01,000", "01.000", 1), "the times are not written"},
		"a name twice in a loop":       {"crystal", "a.cif", cells, strings.Replace(cells, "_atom_site_label\n", "_atom_site_label\n_atom_site_label\n", 1), "a name stands twice"},
		"a loop twice":                 {"crystal", "a.cif", cells, cells + loop, "a name stands twice"},
		"a rule that is not closed":    {"malware", "a.yar", rule, strings.TrimSuffix(rule, "}\n"), "{ is not closed"},
		"a statement without its end":  {"quantum", "a.qasm", gates, strings.Replace(gates, "h q[0];", "h q[0]", 1), "a semicolon is missing"},
	} {
		d, err := catalog.Find(c.domain)
		if err != nil {
			t.Fatal(err)
		}
		against := d.Against(vfs.Files{c.file: c.before})
		if slips := against.Broken(vfs.Files{c.file: c.before}); len(slips) > 0 {
			t.Errorf("%s: as it was: %v", name, slips)
		}
		slips := against.Broken(vfs.Files{c.file: c.after})
		if len(slips) == 0 || !strings.Contains(slips[0].What, c.slip) {
			t.Errorf("%s: %v, and %q was expected", name, slips, c.slip)
		}
	}
}

// The order of a mail's lines is said in places, with a stroke for a blank line.
func TestTheOrderOfLinesOfAMailIsSaidInPlaces(t *testing.T) {
	t.Parallel()
	const mail = "From: a@b.test\nTo: c@d.test\nSubject: x\nDate: Mon, 1 Jan 2024 10:00:00 +0000\n\nHigh water at nine.\n\nLow water at three.\n"
	d, err := catalog.Find("emails")
	if err != nil {
		t.Fatal(err)
	}
	for after, want := range map[string][2]string{
		strings.Replace(mail, "nine.\n\nLow", "nine.\nLow", 1):                                                               {"1 | 2", "1 2"},
		strings.Replace(mail, "High water at nine.\n\nLow water at three.", "Low water at three.\n\nHigh water at nine.", 1): {"1 | 2", "2 | 1"},
	} {
		got := d.Against(vfs.Files{"a.eml": mail}).Review(vfs.Files{"a.eml": after}).Differences
		if len(got) != 1 || !strings.HasSuffix(got[0].Where, "order of lines") || [2]string{got[0].Was, got[0].Is} != want {
			t.Errorf("%v, and %v was expected", got, want)
		}
	}
}
