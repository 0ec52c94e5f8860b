package satellite

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"agentd/domains/domaintest"
	published "agentd/domains/published/satellite"
	"agentd/vfs"
)

// document is the file of the lists in these tests.
const document = "watchlist.tle"

func TestSuite(t *testing.T) {
	t.Parallel()
	domaintest.Suite{
		Domain:   New(),
		Seed:     domaintest.Seed(t, "satellite1"),
		Generate: rapid.Custom(drawCatalogue),
	}.Run(t)
}

func FuzzCompare(f *testing.F) {
	domaintest.Fuzz(f, New(), domaintest.Seed(f, "satellite1"))
}

func BenchmarkCompare(b *testing.B) {
	domaintest.BenchmarkCompare(b, New(), domaintest.Seed(b, "satellite1"))
}

// drawCatalogue draws a list as trackers keep it: pasted from several sources,
// with sets of one object from several days, comments, and lines typed by hand.
func drawCatalogue(t *rapid.T) vfs.Files {
	d := drawer{t}
	var lines []string
	for n := range 1 + d.upTo(8, "element sets") {
		lines = append(lines, d.set(n)...)
	}
	end := d.one("line end", "\n", "\n", "\r\n")
	text := strings.Join(lines, end)
	if !d.sometimes("no final line end") {
		text += end
	}
	return vfs.Files{document: text}
}

type drawer struct{ *rapid.T }

func (d *drawer) upTo(most int, label string) int { return rapid.IntRange(0, most).Draw(d.T, label) }
func (d *drawer) sometimes(label string) bool     { return d.upTo(3, label) == 0 }
func (d *drawer) one(label string, among ...string) string {
	return rapid.SampledFrom(among).Draw(d.T, label)
}

// set draws the lines of the n-th element set.
func (d *drawer) set(n int) []string {
	var lines []string
	if n > 0 && d.sometimes("blank line") {
		lines = append(lines, "")
	}
	if d.sometimes("comment") {
		lines = append(lines, d.one("comment text", "# amateur", "#decayed 2025, kept", "# 12: see the log", "# \"bright\", +2.1 mag", "##"))
	}
	if name := d.one("name", "ISS (ZARYA)", "0 NOAA 19", "Vanguard 1", "COSMOS 2251 DEB", "TIANGONG, \"core\"", "2 PALLAS", "SL-16  R/B", ""); name != "" {
		lines = append(lines, name+d.one("padding", "", "   ", "             "))
	}
	one, two := d.lineOne(n), d.lineTwo(n)
	for _, line := range []string{one, two} {
		digit := string(checksumOf(line))
		if d.sometimes("checksum typed wrong") {
			digit = d.one("checksum", "0", "5")
		}
		lines = append(lines, line+digit)
	}
	return lines
}

// number draws the catalog number, which sets of one object share.
func (d *drawer) number(n int) string {
	return []string{"00005", "25544", "25544", "    7", "T0147", "48274", "53106", "27386", "61000"}[n]
}

func (d *drawer) lineOne(n int) string {
	return fmt.Sprintf("1 %5s%1s %-8s %s%12s %10s %8s %8s %1s %4s", d.number(n), d.one("class", "U", "C", ""),
		d.one("designator", "98067A", "57001B", "13066AE", ""),
		d.one("year", "57", "99", "00", "26"), d.one("day", "044.92331660", "  5.00000001", "365.99999999", " 60.5"),
		d.one("ndot", ".00000466", "-.00000204", "+.00001000", "0.0"), d.one("nddot", "00000+0", "00000-0", "12345-6"),
		d.one("bstar", "76381-4", "-11371-3", "00000+0", ""), d.one("ephemeris type", "0", "2", ""),
		d.one("set", "999", "9991", " 12", ""))
}

func (d *drawer) lineTwo(n int) string {
	number := d.number(n)
	if d.upTo(7, "number typed wrong") == 0 {
		number = "25545"
	}
	return fmt.Sprintf("2 %5s %8s %8s %7s %8s %8s %11s%5s", number,
		d.one("inclination", "51.6325", "098.2200", "  0.0160", "97.8"), d.one("node", "0.0000", "359.9999", " 5.1", "95.2000"),
		d.one("eccentricity", "0001319", "7060244", "0000000"), d.one("perigee", "274.0002", "85.9"), d.one("anomaly", "0.0000", "359.0"),
		d.one("motion", "15.48554120", " 1.00273217", "2.00563104", "14.2"), d.one("revolution", "55231", "  11", "00011", ""))
}

func TestComparisonsFallInProportion(t *testing.T) {
	t.Parallel()
	seed := domaintest.Seed(t, "satellite1")
	one := vfs.Files{document: strings.Replace(seed[document], "98.7731", "98.7713", 1)}
	score := New().Compare(seed, one)
	if score.Strict < 0.99 || score.Strict >= 1 {
		t.Errorf("one wrong inclination leaves Strict at %v", score.Strict)
	}
	want := []string{"37849 SUOMI NPP, inclination: 98.7731 -> 98.7713"}
	var got []string
	for _, d := range New().Differences(seed, one) {
		got = append(got, d.String())
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	var squeezed []string
	for line := range strings.Lines(seed[document]) {
		squeezed = append(squeezed, strings.Join(strings.Fields(line), " "))
	}
	score = New().Compare(seed, vfs.Files{document: strings.Join(squeezed, "\n")})
	if score.Strict < 0.85 || score.Strict > 0.95 {
		t.Errorf("lines without their columns leave Strict at %v", score.Strict)
	}
}

const (
	issOne = "1 25544U 98067A   26044.52861234  .00014321  00000+0  26112-3 0  9992"
	issTwo = "2 25544  51.6324 181.4417 0010832  74.2210 285.9963 15.48621375552319"
)

func TestColumns(t *testing.T) {
	t.Parallel()
	want := published.Fields{
		"25544", "U", "98067A", "26", "044.52861234", ".00014321", "00000+0", "26112-3", "0", "999", "2",
		"25544", "51.6324", "181.4417", "0010832", "74.2210", "285.9963", "15.48621375", "55231", "9",
	}
	if diff := cmp.Diff(want, published.ReadFields(issOne, issTwo)); diff != "" {
		t.Error(diff)
	}
	var words published.Fields
	squeeze := func(line string) string { return strings.Join(strings.Fields(line), " ") }
	if !readWords(&words, squeeze(issOne), 1) || !readWords(&words, squeeze(issTwo), 2) {
		t.Error("the words of the lines are not taken")
	}
	if diff := cmp.Diff(want, words); diff != "" {
		t.Error(diff)
	}
}

func TestWordsOfADamagedLine(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		"", "1", "1 25544U 98067A 26044.5", "1 25544U 98067A 2 .0 0 0 0 9990", strings.Repeat("1 ", 9) + strings.Repeat(" ", 200) + "1",
		"1 25544Ü 98067A 26044.5 .0 0 0 0 9990",
	} {
		var f published.Fields
		if readWords(&f, line, 1) {
			t.Errorf("%q is taken for a line 1: %q", line, f)
		}
	}
	for _, line := range []string{"2 1 1 1 1 1 1 15", "2 1 1 1 1 1 1 15.4862137", "2 1 1 1 1 1 1 15.48621375", "2 1 1 1 1 1 15.486213755"} {
		var f published.Fields
		if readWords(&f, line, 2) {
			t.Errorf("%q is taken for a line 2: %q", line, f)
		}
	}
	var f published.Fields
	if !readWords(&f, "2 1 1 1 1 1 1 15.12606211 83964", 2) || f[published.Motion] != "15.12606211" || f[published.Revolution] != "8396" || f[published.ChecksumTwo] != "4" {
		t.Errorf("a short revolution number: %q", f)
	}
}

func TestStatistics(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct {
		files vfs.Files
		want  string
	}{
		"two entries":          {vfs.Files{"a.tle": issOne + "\n" + issTwo + "\n" + issOne + "\n" + strings.Replace(issTwo, " 51.6324", "101.2500", 1), "b": ""}, "Satellites 2, Files 2, Inc Range 51.6-101.2°, MM Range 15.49-15.49"},
		"none":                 {vfs.Files{"a.tle": "Nothing.\n"}, "Satellites 0, Files 1"},
		"no number to be read": {vfs.Files{"a.tle": issOne + "\n" + strings.Replace(issTwo, "51.6324", "51,6324", 1)}, "Satellites 1, Files 1, Inc Range N/A, MM Range 15.49-15.49"},
	} {
		stats, err := New().Statistics(c.files)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, count := range stats.Counts {
			got = append(got, count.Name+" "+count.Value)
		}
		if diff := cmp.Diff(c.want, strings.Join(got, ", ")); diff != "" {
			t.Errorf("%s: %s", rule, diff)
		}
	}
}
