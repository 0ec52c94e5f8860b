package satellite

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/vfs"
)

const (
	issOne = "1 25544U 98067A   26044.52861234  .00014321  00000+0  26112-3 0  9992"
	issTwo = "2 25544  51.6324 181.4417 0010832  74.2210 285.9963 15.48621375552319"
)

func TestPublishedReading(t *testing.T) {
	t.Parallel()
	shortOne, shortTwo := issOne[:61], issTwo[:62]
	for rule, c := range map[string]struct {
		text string
		want []string // names
	}{
		"a named entry":                        {"ISS  \n" + issOne + "\n" + issTwo, []string{"ISS"}},
		"an entry without a name":              {issOne + "\n" + issTwo, []string{""}},
		"two of them":                          {issOne + "\n" + issTwo + "\n" + issOne + "\n" + issTwo, []string{"", ""}},
		"a name in three-line form":            {"0 ISS\n" + issOne + "\n" + issTwo, []string{"0 ISS"}},
		"a name that begins as a comment":      {"#ISS\n" + issOne + "\n" + issTwo, []string{""}},
		"a name that begins as a line":         {"2 PALLAS\n" + issOne + "\n" + issTwo, []string{""}},
		"prose directly above":                 {"Here it is:\n" + issOne + "\n" + issTwo, []string{"Here it is:"}},
		"prose further up":                     {"Here it is:\n\nISS\n" + issOne + "\n" + issTwo, []string{"ISS"}},
		"a code fence directly above":          {"```\n" + issOne + "\n" + issTwo + "\n```", []string{"```"}},
		"a blank line below the name":          {"ISS\n\n" + issOne + "\n" + issTwo, []string{""}},
		"a blank line between the lines":       {"ISS\n" + issOne + "\n\n" + issTwo, nil},
		"only the first line may be indented":  {"  " + issOne + "\n" + issTwo + "\n  " + issOne + "\n" + issTwo, []string{""}},
		"a short line 1":                       {"ISS\n" + shortOne + "\n" + issTwo, nil},
		"one that is just long enough":         {"ISS\n" + shortOne + "0\n" + issTwo, []string{"ISS"}},
		"a short line 2":                       {"ISS\n" + issOne + "\n" + shortTwo, nil},
		"one that is long enough":              {"ISS\n" + issOne + "\n" + shortTwo + "3", []string{"ISS"}},
		"trailing blanks do not count":         {"ISS\n" + shortOne + "     \n" + issTwo, nil},
		"lines of a lost entry are not a name": {"ISS\n" + shortOne + "\n" + issTwo + "\n" + issOne + "\n" + issTwo, []string{""}},
		"line 1 without line 2":                {"ISS\n" + issOne + "\nCSS\n" + issOne + "\n" + issTwo, []string{"CSS"}},
		"carriage returns":                     {"ISS\r\n" + issOne + "\r\n" + issTwo + "\r\n", []string{"ISS"}},
		"characters count, not bytes":          {"ISS\n" + strings.Replace(issOne[:60], "U", "Ü", 1) + "\n" + issTwo, nil},
		"nothing":                              {"", nil},
	} {
		read, _ := parse(vfs.Files{"a.txt": c.text})
		var got []string
		for _, s := range read.sets {
			got = append(got, s.name)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", rule, diff)
		}
	}
}

func TestColumns(t *testing.T) {
	t.Parallel()
	want := fields{
		"25544", "U", "98067A", "26", "044.52861234", ".00014321", "00000+0", "26112-3", "0", "999", "2",
		"25544", "51.6324", "181.4417", "0010832", "74.2210", "285.9963", "15.48621375", "55231", "9",
	}
	if diff := cmp.Diff(want, readFields(issOne, issTwo)); diff != "" {
		t.Error(diff)
	}
	var words fields
	squeeze := func(line string) string { return strings.Join(strings.Fields(line), " ") }
	if !words.readWords(squeeze(issOne), 1) || !words.readWords(squeeze(issTwo), 2) {
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
		var f fields
		if f.readWords(line, 1) {
			t.Errorf("%q is taken for a line 1: %q", line, f)
		}
	}
	for _, line := range []string{"2 1 1 1 1 1 1 15", "2 1 1 1 1 1 1 15.4862137", "2 1 1 1 1 1 1 15.48621375", "2 1 1 1 1 1 15.486213755"} {
		var f fields
		if f.readWords(line, 2) {
			t.Errorf("%q is taken for a line 2: %q", line, f)
		}
	}
	var f fields
	if !f.readWords("2 1 1 1 1 1 1 15.12606211 83964", 2) || f[motion] != "15.12606211" || f[revolution] != "8396" || f[checksumTwo] != "4" {
		t.Errorf("a short revolution number: %q", f)
	}
}

func TestAssumedDecimals(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]float64{
		"": 0, "00000+0": 0, "00000-0": 0, "26112-3": 0.00026112, "-11371-3": -0.00011371, "+5-1": 0.05, "12+2": 12,
		"0.5": 0.5, "1e3": 1000, "00000+772": 0,
	} {
		if got, ok := assumedDecimal(text); !ok || math.Abs(got-want) > 1e-12 {
			t.Errorf("%q is %v, %v, want %v", text, got, ok, want)
		}
	}
	for _, text := range []string{"a", "-", "1-", "1--3", "--1-3", "26112 3", "1-3-4"} {
		if got, ok := assumedDecimal(text); ok {
			t.Errorf("%q is taken for %v", text, got)
		}
	}
}

func TestNumbersAreComparedByTheirShare(t *testing.T) {
	t.Parallel()
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct{ a, b, want float64 }{
		{1, 1, 1}, {100, 99, 0.99}, {99, 100, 0.99}, {1, -1, 0}, {5e-9, -9e-9, 1}, {0, 1, 0},
		{nan, nan, 0}, {nan, 1e-9, 0}, {1e-9, nan, 1}, {inf, inf, 1}, {inf, 1, 0},
	} {
		if got := closeness(c.a, c.b); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v and %v: %v, want %v", c.a, c.b, got, c.want)
		}
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
