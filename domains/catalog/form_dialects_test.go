package catalog_test

import (
	"strings"
	"testing"

	"agentd/domains/catalog"
	"agentd/vfs"
)

// Good files of older programs are not broken, and what breaks them is found all the same.
func TestFormOfOlderFiles(t *testing.T) {
	t.Parallel()
	const (
		cues  = "1\n00:00:01,50 --> 00:00:03,20\nRope on deck.\n\n2\n00:00:04,00 --> 00:00:06,75\nHaul it in!\n\n3\n00:00:07,10 --> 00:00:09,00\nDone.\n"
		three = "1\n00:00:01,500 --> 00:00:03,200\nRope on deck.\n\n2\n00:00:04,000 --> 00:00:06,750\nHaul it in!\n"
		table = "<TABLE><FIELD name=\"id\" datatype=\"int\"/><DATA><TABLEDATA><TR><TD>1</TD></TR></TABLEDATA></DATA></TABLE></RESOURCE></VOTABLE>\n"
		typed = "<?xml version=\"1.0\"?>\n<!DOCTYPE VOTABLE SYSTEM \"VOTable.dtd\">\n<VOTABLE version=\"1.0\"><RESOURCE>" + table
		none  = "<VOTABLE version=\"1.1\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xsi:noNamespaceSchemaLocation=\"VOTable-1.1.xsd\"><RESOURCE>" + table
		named = "<VOTABLE version=\"1.1\" xmlns=\"http://www.ivoa.net/xml/VOTable/v1.1\"><RESOURCE>" + table
	)
	padded := func(text, columns string) string { return text + strings.Repeat(" ", 72-len(text)) + columns + "\n" }
	atoms := padded("ATOM      1  N   GLY A   1       1.500   2.500   3.250  1.00  9.50", "9OUR   1") + padded("END", "9OUR   2")
	blank := strings.Repeat(" ", 80) + "\n"
	for title, c := range map[string]struct {
		domain, file, text, was, is string
		slip                        string // empty where nothing is broken
	}{
		"times of two digits":                {"subtitles", "a.srt", cues, "Rope", "Ropes", ""},
		"no digits of a time among them":     {"subtitles", "a.srt", cues, "06,75", "06", "times are not written"},
		"two digits among three":             {"subtitles", "a.srt", three, "06,750", "06,75", "times are not written"},
		"END with the columns of a name":     {"protein", "a.pdb", atoms, "GLY", "ALA", ""},
		"blank lines after END":              {"protein", "a.pdb", atoms + blank + blank, "GLY", "ALA", ""},
		"a text after END":                   {"protein", "a.pdb", atoms, "END    ", "END of ", "END is not"},
		"no END":                             {"protein", "a.pdb", atoms, padded("END", "9OUR   2"), "", "END is not"},
		"VOTable 1.0 with its document type": {"starcatalog", "a.xml", typed, "\"id\"", "\"no\"", ""},
		"VOTable 1.1 with no namespace":      {"starcatalog", "a.xml", none, "\"id\"", "\"no\"", ""},
		"VOTable of another namespace":       {"starcatalog", "a.xml", none, "xmlns:xsi", "xmlns=\"http://votable.example/\" xmlns:xsi", "namespace"},
		"VOTable 1.4 with no namespace":      {"starcatalog", "a.xml", none, "1.1\"", "1.4\"", "namespace"},
		"VOTable that loses its namespace":   {"starcatalog", "a.xml", named, " xmlns=\"http://www.ivoa.net/xml/VOTable/v1.1\"", "", "namespace"},
	} {
		d, _ := catalog.Lookup(c.domain)
		changed := strings.Replace(c.text, c.was, c.is, 1)
		if changed == c.text {
			t.Fatalf("%s: %q is not there", title, c.was)
		}
		if slips := d.Slips(vfs.Files{c.file: c.text}); len(slips) > 0 {
			t.Errorf("%s: of the original, %v", title, slips)
		}
		slips := d.Against(vfs.Files{c.file: c.text}).Broken(vfs.Files{c.file: changed})
		if (len(slips) > 0) != (c.slip != "") || c.slip != "" && !strings.Contains(slips[0].What, c.slip) {
			t.Errorf("%s: %v", title, slips)
		}
	}
}
