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
		read, _ := Parse(vfs.Files{"a.txt": c.text})
		var got []string
		for _, s := range read.sets {
			got = append(got, s.name)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", rule, diff)
		}
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
		{nan, nan, 0}, {nan, 1e-9, 0}, {1e-9, nan, 0}, {inf, inf, 1}, {inf, 1, 0},
	} {
		if got := closeness(c.a, c.b); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v and %v: %v, want %v", c.a, c.b, got, c.want)
		}
	}
}
