package starcatalog

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/vfs"
)

func TestCells(t *testing.T) {
	t.Parallel()
	table := `<VOTABLE><RESOURCE><TABLE><FIELD name="a"/><FIELD/><FIELD name="a"/><FIELD name="b"/><DATA><TABLEDATA>`
	for cells, want := range map[string][]string{
		"<TD>1</TD><TD>2</TD><TD>3</TD><TD>4</TD><TD>5</TD>": {"3", "2", "4"},
		"<TD>1</TD><TD>2</TD>":                               {"1", "2"},
		"":                                                   nil,
		"<TD> 1\n</TD>":                                      {"1"},
		"<TD>1<b>2</b>3</TD>":                                {"1"},
		"<TD>1<!-- x -->2<?y?>3</TD>":                        {"123"},
		"<TD><![CDATA[1 & 2]]></TD>":                         {"1 & 2"},
		"<TD/><x/><TD>2</TD>":                                {"", "2"},
	} {
		doc, err := Parse(vfs.Files{"a.xml": table + "<TR>" + cells + "</TR></TABLEDATA></DATA></TABLE></RESOURCE></VOTABLE>"})
		if err != nil || len(doc.rows) != 1 {
			t.Fatalf("%s: %d rows, %v", cells, len(doc.rows), err)
		}
		if diff := cmp.Diff(want, doc.rows[0].cells); diff != "" {
			t.Errorf("%s: %s", cells, diff)
		}
	}
}

func TestCellSimilarity(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct {
		datatype, ref, got string
		want               float64
	}{
		"equal":                      {"float", "7.7", "7.7", 1},
		"equal save for blanks":      {"char", "a  b", "a b", 1},
		"equal by value":             {"float", "7.70", "7.7", 1},
		"one is empty":               {"float", "7.7", "", 0},
		"off by less than 0.001":     {"double", "1000", "1000.9", 0.98},
		"off by less than 0.01":      {"int", "1000", "1009", 0.9},
		"off by less than 0.1":       {"short", "1000", "1090", 0.7},
		"off by more":                {"long", "1000", "1100", 0},
		"off from nothing":           {"double", "0", "0.0001", 0},
		"no number, however spelled": {"double", "NaN", "nan", 0},
		"underscores":                {"double", "1_0", "10", 1},
		"a sign":                     {"double", "1", "-1", 0},
		"texts":                      {"char", "abcd", "abxd", 0.75},
		"bytes are texts":            {"unsignedByte", "12", "13", 0.5},
		"no field":                   {"", "12", "13", 0.5},
		"a text among numbers":       {"float", "12", "12:", 0.8},
	} {
		if got := cellSimilarity(c.ref, c.got, &field{attributes: [4]string{c.datatype}}); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", rule, got, c.want)
		}
	}
}
