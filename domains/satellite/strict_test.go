package satellite

import (
	"strings"
	"testing"

	"agentd/vfs"
)

const sample = `# roof station, week 7
ISS (ZARYA)
1 25544U 98067A   26044.52861234  .00014321  00000+0  26112-3 0  9992
2 25544  51.6324 181.4417 0010832  74.2210 285.9963 15.48621375552319

# digipeater, no Doppler table needed
IO-117 (GREENCUBE)
1 53106U 22080B   26043.41772508 -.00000003  00000+0  00000+0 0  9998
2 53106  70.1503 122.6678 0007961 331.4028  28.5940  6.42558921 84214
1 81174U          26042.94711083  .00000412  00000+0  11802-3 0   114
2 81174  74.0285 301.5526 0018846  19.2273 340.9511 14.32190447   112
`

// change is the sample with one text replaced by another, which must be there.
func change(t *testing.T, was, is string) vfs.Files {
	t.Helper()
	if !strings.Contains(sample, was) {
		t.Fatalf("the sample has no %q", was)
	}
	return vfs.Files{document: strings.ReplaceAll(sample, was, is)}
}

// set is the text of the n-th element set of the sample, with its name.
func set(n int) string {
	for _, p := range format.Read(sample) {
		if p.Kind != counted {
			continue
		}
		if n--; n < 0 {
			return sample[p.From:p.To]
		}
	}
	return ""
}

func TestStrictSees(t *testing.T) {
	t.Parallel()
	for rule, candidate := range map[string]vfs.Files{
		"a lost element set":                change(t, set(1), ""),
		"a repeated one":                    change(t, set(1), set(1)+set(1)),
		"one that was added":                change(t, set(1), set(1)+strings.ReplaceAll(set(2), "81174", "81175")),
		"the order of the list":             {document: strings.Replace(sample, set(2), "", 1) + set(0) + set(2)},
		"a name":                            change(t, "GREENCUBE", "GREEN CUBE"),
		"a comment that says another thing": change(t, "# digipeater, no Doppler table needed", "# decayed"),
		"a lost name":                       change(t, "ISS (ZARYA)\n", ""),
		"a name for a set without one":      change(t, "1 81174U", "PARUS R/B\n1 81174U"),
		"a name after a hash":               change(t, "ISS", "#ISS"),
		"a catalog number":                  change(t, "53106", "53109"),
		"a catalog number of line 2 only":   change(t, "2 53106", "2 53109"),
		"the classification":                change(t, "25544U", "25544C"),
		"the launch designator":             change(t, "98067A", "98067B"),
		"a designator that was made up":     change(t, "81174U         ", "81174U 75028B  "),
		"the year of the epoch":             change(t, "26044.5", "25044.5"),
		"the last digit of the epoch":       change(t, "52861234", "52861235"),
		"the sign of a derivative":          change(t, "-.00000003", " .00000003"),
		"the exponent of the drag term":     change(t, "26112-3", "26112-4"),
		"the ephemeris type":                change(t, "26112-3 0", "26112-3 2"),
		"the number of the element set":     change(t, " 9992", " 9982"),
		"the last digit of an angle":        change(t, "181.4417", "181.4418"),
		"an eccentricity":                   change(t, "0010832", "0108320"),
		"digits of the mean motion":         change(t, "15.48621375", "15.48621000"),
		"the revolution number":             change(t, "552319", "552329"),
		"a wrong checksum":                  change(t, "9992", "9991"),
		"a lost checksum":                   change(t, "9992\n", "999\n"),
		"a line that was cut":               change(t, "285.9963 15.48621375552319", "285.99"),
		"a lost line 2":                     change(t, "2 25544  51.6324 181.4417 0010832  74.2210 285.9963 15.48621375552319\n", ""),
		"a lost line 1":                     change(t, "1 25544U 98067A   26044.52861234  .00014321  00000+0  26112-3 0  9992\n", ""),
		"exchanged lines 2":                 change(t, "51.6324 181.4417", "70.1503 122.6678"),
		"a lost blank in a line":            change(t, "25544  51", "25544 51"),
		"text after a line":                 change(t, "9992\n", "9992 4.1\n"),
		"a changed comment":                 change(t, "Doppler", "doppler"),
		"a comment above another set":       change(t, "# digipeater, no Doppler table needed\n"+set(1), set(1)+"# digipeater, no Doppler table needed\n"),
		"prose above the list":              {document: "Here is the restored list of the station:\n\n" + sample},
		"prose below the list":              {document: sample + "\nAll sets are there.\n"},
		"a table that was left beside it":   {document: sample, "order.csv": "position,file\n1,leo.tle\n"},
		"the list again in another file":    {document: sample, "b.tle": sample},
		"another order of the files' sets":  {"a.tle": set(1), "b.tle": set(0) + set(2)},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			if score := New().Compare(vfs.Files{document: sample}, candidate); score.Strict >= 1 {
				t.Errorf("Strict is %v", score.Strict)
			}
		})
	}
}

func TestStrictForgives(t *testing.T) {
	t.Parallel()
	for rule, candidate := range map[string]vfs.Files{
		"names in lower case":            change(t, "ISS (ZARYA)", "Iss (Zarya)"),
		"padded names":                   change(t, "ISS (ZARYA)", "ISS (ZARYA)             "),
		"the three-line form":            change(t, "ISS (ZARYA)", "0 ISS (ZARYA)"),
		"blank lines":                    change(t, "\n", "\n\n"),
		"no blank lines":                 change(t, "\n\n", "\n"),
		"indentation":                    change(t, "\n", "\n    "),
		"blanks at line ends":            change(t, "\n", "  \n"),
		"CRLF":                           change(t, "\n", "\r\n"),
		"a byte order mark":              {document: "\ufeff" + sample},
		"a code fence":                   {document: "```tle\n" + sample + "```\n"},
		"another file name":              {"out/list.txt": sample},
		"two files in order":             {"1.tle": sample[:strings.Index(sample, "1 81174U")], "2.tle": set(2)},
		"a number padded with zeros":     change(t, "  74.2210", " 074.2210"),
		"an epoch padded with blanks":    change(t, "26044.52861234", "26 44.52861234"),
		"a revolution number with zeros": change(t, "  112\n", "00112\n"),
		"a plus sign":                    change(t, " .00014321", "+.00014321"),
		"a zero with another exponent":   change(t, " 00000+0 0  9998", " 00000-0 0  9999"),
		"a comment without its blank":    change(t, "# roof", "#roof"),
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			reference := vfs.Files{document: sample}
			if score := New().Compare(reference, candidate); score.Strict != 1 {
				t.Errorf("Strict is %v: %v", score.Strict, New().Differences(reference, candidate))
			}
		})
	}
}

// The format has no comments, so a list without any may get some.
func TestCommentsAreForgivenToAListWithoutAny(t *testing.T) {
	t.Parallel()
	bare, candidate := vfs.Files{document: set(0) + set(1) + set(2)}, vfs.Files{document: sample}
	if score := New().Compare(bare, candidate); score.Strict != 1 {
		t.Errorf("Strict is %v: %v", score.Strict, New().Differences(bare, candidate))
	}
}

// A comment stays where it is when the element set that it stands above is lost.
func TestALostSetChangesNoComment(t *testing.T) {
	t.Parallel()
	var got []string
	for _, d := range New().Differences(vfs.Files{document: sample}, change(t, set(1), "")) {
		got = append(got, d.Kind.String()+" "+d.Where)
	}
	if len(got) != 1 || got[0] != "lost 53106 IO-117 (GREENCUBE)" {
		t.Errorf("differences: %q", got)
	}
}
