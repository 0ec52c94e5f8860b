package aviation

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"agentd/domains"
	"agentd/domains/domaintest"
	published "agentd/domains/published/aviation"
	"agentd/vfs"
)

const document = "bulletin.txt"

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "aviation1") }

func TestSuite(t *testing.T) {
	t.Parallel()
	domaintest.Suite{
		Domain:   demonstration(t),
		Seed:     domaintest.Seed(t, "aviation1"),
		Generate: rapid.Custom(drawBulletin),
	}.Run(t)
}

func FuzzCompare(f *testing.F) {
	domaintest.Fuzz(f, demonstration(f), domaintest.Seed(f, "aviation1"))
}

func BenchmarkCompare(b *testing.B) {
	domaintest.BenchmarkCompare(b, New(), domaintest.Seed(b, "aviation1"))
}

// drawBulletin draws a bulletin in whose notices items are missing, share lines or
// do not, and hold what the edits must leave alone.
func drawBulletin(t *rapid.T) vfs.Files {
	d := drawer{T: t}
	d.add(d.one("heading", "", "PRE-FLIGHT INFORMATION BULLETIN\n\n", "NOTAM LIST 14 JUN 2025\nA1348/20\n====\n", "\n\n"))
	for n := range 1 + d.upTo(7, "notices") {
		d.notice(n)
		d.add(d.one("after a notice", "\n", "\n", "\n\n\n", "\n-- EN ROUTE --\n\n", "\n----------\n", "\n12 JUN NOTAM CHECKED /tk\n"))
	}
	d.add(d.one("end", "", "*** END ***\n", "no trailing newline"))
	return vfs.Files{document: d.text.String()}
}

type drawer struct {
	*rapid.T
	text strings.Builder
}

func (d *drawer) add(text string)                 { d.text.WriteString(text) }
func (d *drawer) upTo(most int, label string) int { return rapid.IntRange(0, most).Draw(d.T, label) }
func (d *drawer) one(label string, among ...string) string {
	return rapid.SampledFrom(among).Draw(d.T, label)
}

func (d *drawer) time(label string) string {
	return fmt.Sprintf("25%02d%02d%02d%s", 1+d.upTo(11, label+" month"), 1+d.upTo(30, label+" day"), d.upTo(23, label+" hour"), d.one(label+" minute", "00", "15", "59"))
}

func (d *drawer) notice(n int) {
	d.add(fmt.Sprintf("%s%04d/25%s\n", d.one("series", "A", "B", "M"), 1000+n,
		d.one("type", " NOTAMN", " NOTAMN", " NOTAMR A0988/25", " NOTAMC B0120/24", "  NOTAMN  ", "")))
	d.add(d.one("indent", "", "", " ") + "Q)" + d.one("blank", " ", "") + d.one("FIR", "ENOR", "LGGG", "enor") + "/" +
		d.one("code", "QMRLC", "QMXLC", "QFALC", "QRTCA", "QWULW", "QICAS", "QSTAH", "QXXXX", "QOBCE") +
		d.one("traffic", "/IV/NBO/A /", "/IV/M  /AE/", "/I/BO/W/", "/V /B  /E /") + d.one("levels", "000/999/", "045/195/", "/") +
		d.one("centre", "6018N00513E005", "3513S07036W120", "0000N00000E001", "6075N00513E005", "", "6018N00513E") + "\n")
	between := d.one("between the items", " ", "\n", "  ")
	d.add(d.one("locations", "A) ENBR", "A) ENAL", "A) ENOR ENFL", "A)", "A) K/X") + between)
	d.add("B) " + d.one("from", d.time("from"), d.time("from"), "WIE", "2502300000") + between)
	d.add(d.one("to", "C) "+d.time("to"), "C) "+d.time("to")+" EST", "C) PERM", "C) 2506142200EST", "") + "\n")
	d.add(d.one("schedule", "", "", "D) DAILY 0600-1000, SAT 1200-1500\n", "D) MON-FRI\n0500-0700\n"))
	d.text.WriteString("E) " + d.one("text", "RWY 17/35 CLSD. TEL +47 55 99 81 20.", "CRANE AT 374112N0265455E AND 6018N 00513W.", "AREA:\n355000N0220000E 355000N0230000E.\n\nB) SEE SUP",
		"ALT 15000FT (RWY 09 OFF) A) AND B) TWY", "REF A1201/20 NOTAMN\nA0002/20\nIN FORCE", "ØRLAND ÅPEN, \"POSISJON\"", "SEE [1] AND Q) [2]") + "\n")
	d.add(d.one("limits", "", "", "F) SFC                 G) FL245\n", "F) 1500FT AMSL\nG) 9500 FT AMSL\n", "F) GND G) 400FT AGL\n", "G) UNL\n"))
	d.add(d.one("created", "CREATED: 12 Jun 2025 07:55:00\n", "Created: 12 JUN 2025 07:55:00\n", ""))
	d.add(d.one("source", "SOURCE: EUECYIYN\n", "SOURCE: EUECYIYN\nREAD BACK OK\n", "SOURCE:\n", "\n"))
}

func TestWhereNoticesBegin(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text      string
		published []string // identifiers
		strict    []string
	}{
		"an identifier and a type":             {"A1/25 NOTAMN\nQ) a\n", []string{"A1/25"}, []string{"A1/25"}},
		"an indented one":                      {"\n \tA1/25  NOTAMR A2/25\n", []string{"A1/25"}, []string{"A1/25"}},
		"no blank line between":                {"A1/25 NOTAMN\nE) x\nA2/25 NOTAMC A1/25\n", []string{"A1/25", "A2/25"}, []string{"A1/25", "A2/25"}},
		"a heading above":                      {"PIB ENOR\n\nA1/25 NOTAMN\n", []string{"A1/25"}, []string{"A1/25"}},
		"an identifier alone with an item":     {"A1/25\n\nQ) a\n", []string{"A1/25"}, []string{"A1/25"}},
		"an identifier alone within a text":    {"A1/25 NOTAMN\nE) SEE\nA2/25\nTOO\n", []string{"A1/25", "A2/25"}, []string{"A1/25"}},
		"a type of another kind":               {"A1/25 NOTAM\nA) x\n", nil, []string{"A1/25"}},
		"small letters":                        {"a1/25 notamn\nA) x\n", []string{}, []string{"A1/25"}},
		"bold":                                 {"**A1/25 NOTAMN**\nA) x\n", []string{"**A1/25"}, []string{"A1/25"}},
		"a list":                               {"- A1/25 NOTAMN\n- A2/25 NOTAMN\n", nil, []string{"A1/25", "A2/25"}},
		"a slip in the identifier":             {"A1-25 NOTAMN\nA) x\n", []string{"A1-25"}, []string{"A1-25"}},
		"a word in front":                      {"EUROPE NOTAMN LIST\n", []string{"EUROPE"}, nil},
		"digits of another script":             {"A١/٢٥ NOTAMN\nA) x\n", []string{"A١/٢٥"}, nil},
		"a code fence, which the format lacks": {"```\nA1/25 NOTAMN\n```\n", []string{"A1/25"}, []string{"A1/25"}},
	} {
		b, _ := published.Parse(vfs.Files{"a.txt": c.text})
		var published, strict []string
		for _, n := range b {
			published = append(published, n.ID)
		}
		for _, e := range readEntries(c.text) {
			if e.kind == noticeEntry {
				strict = append(strict, e.notice.id)
			}
		}
		if len(c.published)+len(published) > 0 && !cmp.Equal(c.published, published) {
			t.Errorf("%s: the published reading has %q, want %q", name, published, c.published)
		}
		if !cmp.Equal(c.strict, strict) {
			t.Errorf("%s: the format's has %q, want %q", name, strict, c.strict)
		}
	}
}

func TestItemsOfTheFormat(t *testing.T) {
	t.Parallel()
	const text = "A1/25 NOTAMN\n" +
		"Q) ENOR/QMRLC A) ENBR\n" +
		"B) 1 C) 2\n" +
		"E) LIST:\nA) one\n\nB) two F) and G\n" +
		"f) SFC G) FL95\n" +
		"SOURCE: X\nfar off\n"
	entries := readEntries(text)
	if len(entries) != 2 || entries[1].kind != textEntry {
		t.Fatalf("%d entries", len(entries))
	}
	want := map[itemName]string{
		itemNone: "", itemQ: " ENOR/QMRLC ", itemA: " ENBR", itemB: " 1 ", itemC: " 2", itemE: " LIST:\nA) one\n\nB) two F) and G",
		itemF: " SFC ", itemG: " FL95", itemSource: " X",
	}
	got := map[itemName]string{}
	for _, at := range entries[0].notice.items {
		got[at.name] = at.text(entries[0].lines)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
