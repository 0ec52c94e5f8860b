package genealogy

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

const document = "kroman_marstal.ged"

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "genealogy1") }

func TestSuite(t *testing.T) {
	t.Parallel()
	domaintest.Suite{
		Domain:   demonstration(t),
		Seed:     domaintest.Seed(t, "genealogy1"),
		Generate: rapid.Custom(drawTree),
	}.Run(t)
}

func FuzzCompare(f *testing.F) {
	domaintest.Fuzz(f, demonstration(f), domaintest.Seed(f, "genealogy1"))
}

func BenchmarkCompare(b *testing.B) {
	domaintest.BenchmarkCompare(b, New(), domaintest.Seed(b, "genealogy1"))
}

func TestPrintingLosesNothing(t *testing.T) {
	t.Parallel()
	for name, text := range domaintest.Seed(t, "genealogy1") {
		if diff := cmp.Diff(text, print(read(text))); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		text := drawTree(t)[document]
		if diff := cmp.Diff(text, print(read(text))); diff != "" {
			t.Fatal(diff)
		}
	})
}

const sample = `0 HEAD
1 SOUR Gramps
1 DATE 4 MAY 2020
0 @I1@ INDI
1 NAME Ole Hansen /Vik/
1 NAME Ola /Wick/
2 TYPE aka
1 SEX M
1 BIRT
2 DATE 5 JUN 1850
2 PLAC Vik, Sogn
2 SOUR @S1@
3 PAGE fol. 7
1 RESI
2 DATE 1900
2 PLAC Madison, Wisconsin
1 RESI
2 DATE 1910
2 PLAC Stoughton, Wisconsin
1 EDUC Voss folk school
1 FAMS @F1@
0 @I2@ INDI
1 NAME Anna /Lie/
2 GIVN Anna
2 SURN Lie
1 DEAT
2 DATE BET 1901 AND 1903
2 CAUS typhoid fever
1 NOTE She kept the farm a
2 CONC fter he left.
2 CONT Sold in 1902.
1 FAMS @F1@
0 @I3@ INDI
1 NAME Hans /Vik/
1 BIRT
2 DATE 1 FEB 1880
1 DEAT Y
1 FAMC @F1@
0 @I4@ INDI
1 NAME Hans /Vik/
1 BIRT
2 DATE 3 MAR 1880
1 ASSO @I2@
2 RELA Godmother
1 FAMC @F2@
2 PEDI adopted
0 @F1@ FAM
1 HUSB @I1@
1 WIFE @I2@
1 MARR
2 DATE ABT 1875
1 CHIL @I3@
0 @F2@ FAM
1 HUSB @I1@
1 MARR
2 DATE 1904
1 CHIL @I4@
0 @S1@ SOUR
1 TITL Kirkebok, Vik
1 NOTE seen on microfilm
0 TRLR
`

// change is the sample with one text replaced by another.
func change(t *testing.T, was, is string) vfs.Files {
	t.Helper()
	if !strings.Contains(sample, was) {
		t.Fatalf("the sample has no %q", was)
	}
	return vfs.Files{"vik.ged": strings.ReplaceAll(sample, was, is)}
}

func TestStrictSees(t *testing.T) {
	t.Parallel()
	for rule, edit := range map[string][2]string{
		"an individual that was added":              {"0 @F1@ FAM", "0 @I9@ INDI\n1 NAME Per /Vik/\n0 @F1@ FAM"},
		"an individual that is there twice":         {"0 @I3@ INDI\n", "0 @I3@ INDI\n1 NAME Hans /Vik/\n1 BIRT\n2 DATE 1 FEB 1880\n1 DEAT Y\n1 FAMC @F1@\n0 @I3@ INDI\n"},
		"the same under a new pointer":              {"0 @F1@ FAM", "0 @I9@ INDI\n1 NAME Hans /Vik/\n1 BIRT\n2 DATE 1 FEB 1880\n1 DEAT Y\n0 @F1@ FAM"},
		"a conflicting record under one pointer":    {"0 @F1@ FAM", "0 @I3@ INDI\n1 NAME Someone /Else/\n0 @F1@ FAM"},
		"a family that is there twice":              {"0 @F1@ FAM", "0 @F1@ FAM\n1 HUSB @I1@\n1 WIFE @I2@\n1 MARR\n2 DATE ABT 1875\n1 CHIL @I3@\n0 @F1@ FAM"},
		"an empty family under a pointer in use":    {"0 @S1@ SOUR", "0 @F1@ FAM\n0 @S1@ SOUR"},
		"education":                                 {"Voss folk school", "Oslo folk school"},
		"education that was lost":                   {"1 EDUC Voss folk school\n", ""},
		"the cause of death":                        {"2 CAUS typhoid fever\n", ""},
		"a note that was lost":                      {"1 NOTE She kept the farm a\n2 CONC fter he left.\n2 CONT Sold in 1902.\n", ""},
		"a line of a note":                          {"2 CONT Sold in 1902.\n", ""},
		"a line break in a note that was lost":      {"2 CONT Sold", "2 CONC Sold"},
		"a blank put where a note was divided":      {"2 CONC fter", "2 CONC  fter"},
		"a citation":                                {"2 SOUR @S1@\n3 PAGE fol. 7\n", ""},
		"the page of a citation":                    {"fol. 7", "fol. 17"},
		"a source":                                  {"Kirkebok, Vik", "Kirkebok, Voss"},
		"a source that was lost":                    {"0 @S1@ SOUR\n1 TITL Kirkebok, Vik\n1 NOTE seen on microfilm\n", ""},
		"a note of a source":                        {"1 NOTE seen on microfilm\n", ""},
		"the second name":                           {"1 NAME Ola /Wick/\n2 TYPE aka\n", ""},
		"which name is the first":                   {"1 NAME Ole Hansen /Vik/\n1 NAME Ola /Wick/\n2 TYPE aka\n", "1 NAME Ola /Wick/\n2 TYPE aka\n1 NAME Ole Hansen /Vik/\n"},
		"the slashes around a surname":              {"/Vik/", "Vik"},
		"another surname":                           {"/Lie/", "/Lien/"},
		"a surname below the name":                  {"2 SURN Lie", "2 SURN Lien"},
		"a name suffix":                             {"Ole Hansen /Vik/", "Ole Hansen /Vik/ Jr."},
		"the sex":                                   {"1 SEX M", "1 SEX F"},
		"the header":                                {"4 MAY 2020", "14 MAY 2020"},
		"the day of birth":                          {"5 JUN 1850", "15 JUN 1850"},
		"a date made less exact":                    {"5 JUN 1850", "JUN 1850"},
		"a date made exact":                         {"ABT 1875", "1875"},
		"about made estimated":                      {"ABT 1875", "EST 1875"},
		"a range turned round":                      {"BET 1901 AND 1903", "BET 1903 AND 1901"},
		"a range made a period":                     {"BET 1901 AND 1903", "FROM 1901 TO 1903"},
		"a death without date":                      {"1 DEAT Y\n", ""},
		"the year of a marriage":                    {"ABT 1875", "ABT 1885"},
		"a divorce that was added":                  {"2 DATE 1904\n", "2 DATE 1904\n1 DIV Y\n"},
		"two residences with their places swapped":  {"2 DATE 1900\n2 PLAC Madison, Wisconsin\n1 RESI\n2 DATE 1910\n2 PLAC Stoughton, Wisconsin", "2 DATE 1900\n2 PLAC Stoughton, Wisconsin\n1 RESI\n2 DATE 1910\n2 PLAC Madison, Wisconsin"},
		"a death that moved to the other namesake":  {"2 DATE 1 FEB 1880\n1 DEAT Y\n1 FAMC @F1@\n0 @I4@ INDI\n1 NAME Hans /Vik/\n1 BIRT\n2 DATE 3 MAR 1880\n", "2 DATE 1 FEB 1880\n1 FAMC @F1@\n0 @I4@ INDI\n1 NAME Hans /Vik/\n1 BIRT\n2 DATE 3 MAR 1880\n1 DEAT Y\n"},
		"namesakes in each other's family":          {"1 CHIL @I3@\n0 @F2@ FAM\n1 HUSB @I1@\n1 MARR\n2 DATE 1904\n1 CHIL @I4@", "1 CHIL @I4@\n0 @F2@ FAM\n1 HUSB @I1@\n1 MARR\n2 DATE 1904\n1 CHIL @I3@"},
		"a namesake that was lost":                  {"1 CHIL @I4@\n", ""},
		"a lost FAMC":                               {"1 FAMC @F1@\n", ""},
		"a FAMC to another family":                  {"1 FAMC @F1@", "1 FAMC @F2@"},
		"a FAMC to no family":                       {"1 FAMC @F1@", "1 FAMC @F9@"},
		"a lost FAMS":                               {"2 CONT Sold in 1902.\n1 FAMS @F1@", "2 CONT Sold in 1902."},
		"a FAMS to another family":                  {"2 CONT Sold in 1902.\n1 FAMS @F1@", "2 CONT Sold in 1902.\n1 FAMS @F2@"},
		"a lost CHIL":                               {"1 CHIL @I3@\n", ""},
		"a lost WIFE":                               {"1 WIFE @I2@\n", ""},
		"husband and wife swapped":                  {"1 HUSB @I1@\n1 WIFE @I2@", "1 HUSB @I2@\n1 WIFE @I1@"},
		"a marriage with another wife":              {"1 HUSB @I1@\n1 MARR\n2 DATE 1904", "1 HUSB @I1@\n1 WIFE @I2@\n1 MARR\n2 DATE 1904"},
		"marriage dates of two families swapped":    {"2 DATE ABT 1875\n1 CHIL @I3@\n0 @F2@ FAM\n1 HUSB @I1@\n1 MARR\n2 DATE 1904", "2 DATE 1904\n1 CHIL @I3@\n0 @F2@ FAM\n1 HUSB @I1@\n1 MARR\n2 DATE ABT 1875"},
		"an adoption":                               {"2 PEDI adopted\n", ""},
		"a godmother":                               {"1 ASSO @I2@", "1 ASSO @I3@"},
		"what a godmother is called":                {"2 RELA Godmother", "2 RELA Witness"},
		"a level slip":                              {"1 EDUC", "3 EDUC"},
		"a jumped level":                            {"2 CAUS", "3 CAUS"},
		"a tag in small letters":                    {"1 NAME Anna", "1 name Anna"},
		"text outside records that was added":       {"0 @F1@ FAM", "Here are the families:\n0 @F1@ FAM"},
		"a fact moved from one event to another":    {"2 PLAC Vik, Sogn\n2 SOUR @S1@\n3 PAGE fol. 7\n", "2 SOUR @S1@\n3 PAGE fol. 7\n1 DEAT\n2 PLAC Vik, Sogn\n"},
		"a second account of a birth":               {"1 RESI\n2 DATE 1900", "1 BIRT\n2 DATE 1851\n1 RESI\n2 DATE 1900"},
		"a shared record that something else cites": {"0 TRLR", "0 @S2@ SOUR\n1 TITL Census\n0 TRLR"},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			score := New().Compare(vfs.Files{"vik.ged": sample}, change(t, edit[0], edit[1]))
			if score.Strict >= 1 || score.Strict < 0.5 {
				t.Errorf("Strict is %v", score.Strict)
			}
		})
	}
}

func TestStrictForgives(t *testing.T) {
	t.Parallel()
	before := map[string]string{ // where the rule needs another reference than the sample
		"a title and suffix in their parts": "1 NAME Dr. Anna /Lie/ Jr.\n2 NPFX Dr.\n2 NSFX Jr.\n",
		"siblings in another order":         "1 CHIL @I3@\n1 CHIL @I4@\n",
	}
	for rule, edit := range map[string][2]string{
		"ISO dates":                         {"2 DATE 5 JUN 1850", "2 DATE 1850-06-05"},
		"a leading zero":                    {"5 JUN 1850", "05 JUN 1850"},
		"small letters in a date":           {"BET 1901 AND 1903", "bet 1901 and 1903"},
		"a month in full":                   {"5 JUN 1850", "5 June 1850"},
		"a keyword in full":                 {"ABT 1875", "about 1875"},
		"the calendar that goes without":    {"5 JUN 1850", "@#DGREGORIAN@ 5 JUN 1850"},
		"indentation":                       {"\n2 ", "\n    2 "},
		"a blank after a pointer":           {"1 HUSB @I1@", "1 HUSB @I1@ "},
		"pointers renumbered":               {"@I", "@X"},
		"families renumbered":               {"@F", "@FAM0"},
		"sources renumbered":                {"@S1@", "@S00012@"},
		"records in another order":          {"0 @S1@ SOUR\n1 TITL Kirkebok, Vik\n1 NOTE seen on microfilm\n0 TRLR\n", "0 TRLR\n0 @S1@ SOUR\n1 NOTE seen on microfilm\n1 TITL Kirkebok, Vik\n"},
		"facts in another order":            {"2 DATE 5 JUN 1850\n2 PLAC Vik, Sogn\n2 SOUR @S1@\n3 PAGE fol. 7\n1 RESI", "2 SOUR @S1@\n3 PAGE fol. 7\n2 PLAC Vik, Sogn\n2 DATE 5 JUN 1850\n1 RESI"},
		"siblings in another order":         {"1 CHIL @I3@\n", "1 CHIL @I4@\n1 CHIL @I3@\n"},
		"residences in another order":       {"1 RESI\n2 DATE 1900\n2 PLAC Madison, Wisconsin\n1 RESI\n2 DATE 1910\n2 PLAC Stoughton, Wisconsin\n", "1 RESI\n2 PLAC Stoughton, Wisconsin\n2 DATE 1910\n1 RESI\n2 DATE 1900\n2 PLAC Madison, Wisconsin\n"},
		"a name only in its parts":          {"1 NAME Anna /Lie/", "1 NAME"},
		"a name without its parts":          {"2 GIVN Anna\n2 SURN Lie\n", ""},
		"a name with its parts added":       {"1 NAME Ole Hansen /Vik/\n", "1 NAME Ole Hansen /Vik/\n2 GIVN Ole Hansen\n2 SURN Vik\n"},
		"a title and suffix in their parts": {"1 NAME Anna /Lie/\n", "1 NAME\n2 NPFX Dr.\n2 NSFX Jr.\n"},
		"a surname in capitals":             {"/Lie/", "/LIE/"},
		"a surname doubled":                 {"Anna /Lie/", "Anna Lie /Lie/"},
		"a note divided elsewhere":          {"kept the farm a\n2 CONC fter he left.", "kept\n2 CONC  the farm after\n2 CONC  he left."},
		"the assertion of a dated event":    {"1 DEAT\n", "1 DEAT Y\n"},
		"a place without blanks":            {"Vik, Sogn", "Vik,Sogn"},
		"a trailer in the middle":           {"0 @F1@ FAM", "0 TRLR\n0 @F1@ FAM"},
		"no trailer":                        {"0 TRLR\n", ""},
		"a second header that says no more": {"0 @F1@ FAM", "0 HEAD\n1 SOUR Gramps\n0 @F1@ FAM"},
		"a code fence":                      {"0 HEAD", "```gedcom\n0 HEAD"},
		"a byte order mark":                 {"0 HEAD", "\ufeff0 HEAD"},
		"blank lines":                       {"\n0 ", "\n\n0 "},
		"CRLF":                              {"\n", "\r\n"},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			reference := vfs.Files{"vik.ged": sample}
			if was, ok := before[rule]; ok {
				reference = change(t, edit[0], was)
			}
			candidate := change(t, edit[0], edit[1])
			if score := New().Compare(reference, candidate); score.Strict != 1 {
				t.Errorf("Strict is %v: %v", score.Strict, New().Differences(reference, candidate))
			}
		})
	}
}

func TestStrictForgivesDividedFiles(t *testing.T) {
	t.Parallel()
	reference := vfs.Files{"vik.ged": sample}
	at, source := strings.Index(sample, "0 @F1@"), strings.Index(sample, "0 @S1@")
	for rule, candidate := range map[string]vfs.Files{
		"another name":               {"tree.txt": sample},
		"two files":                  {"a.ged": sample[:at], "b.ged": sample[at:]},
		"two files with a source in": {"a.ged": sample[:at] + sample[source:], "b.ged": "0 HEAD\n1 SOUR Gramps\n" + sample[at:]},
	} {
		if score := New().Compare(reference, candidate); score.Strict != 1 {
			t.Errorf("%s: Strict is %v: %v", rule, score.Strict, New().Differences(reference, candidate))
		}
	}
}

// A slip costs about its share: of the 4 individuals and the 14 other elements
// of the sample, those that it touches.
func TestStrictFallsInProportion(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct {
		was, is string
		least   float64
	}{
		"one date":             {"5 JUN 1850", "15 JUN 1850", 0.95},
		"one note":             {"Sold in 1902", "Sold in 1903", 0.9},
		"one page":             {"fol. 7", "fol. 8", 0.95},
		"one name":             {"Anna /Lie/", "Anne /Lie/", 0.8},
		"an invented sentence": {"0 @F1@ FAM", "Enjoy!\n0 @F1@ FAM", 0.9},
	} {
		score := New().Compare(vfs.Files{"vik.ged": sample}, change(t, c.was, c.is))
		if score.Strict < c.least || score.Strict >= 1 {
			t.Errorf("%s: Strict %.4f, want at least %v and below 1", rule, score.Strict, c.least)
		}
	}
}

func TestNamesAreShownAsWritten(t *testing.T) {
	t.Parallel()
	const tree = "0 HEAD\n0 @I1@ INDI\n1 NAME José /Lind/\n0 TRLR\n"
	differ := func(name string) []domains.Difference {
		return New().Differences(vfs.Files{"a.ged": tree}, vfs.Files{"a.ged": strings.Replace(tree, "José /Lind/", name, 1)})
	}
	if d := differ("José /Berg/"); len(d) == 0 || d[0].Was != "José /Lind/" || d[0].Is != "José /Berg/" {
		t.Errorf("a surname: %v", d)
	}
	if d := differ("José /LIND/"); len(d) > 0 {
		t.Errorf("capitals: %v", d)
	}
}

func TestDifferencesReadLikeSentences(t *testing.T) {
	t.Parallel()
	d := New()
	for _, c := range []struct{ was, is, want string }{
		{"5 JUN 1850", "15 JUN 1850", "Ole Hansen Vik 1850, BIRT DATE: 5 JUN 1850 -> 15 JUN 1850"},
		{"1 FAMC @F1@\n", "", "Hans Vik 1880, child of Anna Lie, FAMC: listed -> (nothing)"},
		{"2 PEDI adopted", "2 PEDI foster", "Hans Vik 1880, child of Ole Hansen Vik 1850, FAMC: listed · PEDI adopted -> listed · PEDI foster"},
		{"Madison, Wisconsin", "Monona, Wisconsin", "Ole Hansen Vik 1850, RESI: · DATE 1900 · PLAC Madison, Wisconsin -> · DATE 1900 · PLAC Monona, Wisconsin"},
		{"Kirkebok, Vik", "Kirkebok, Voss", "SOUR Kirkebok, Vik, TITL: Kirkebok, Vik -> Kirkebok, Voss"},
	} {
		var got []string
		for _, difference := range d.Differences(vfs.Files{"a.ged": sample}, change(t, c.was, c.is)) {
			got = append(got, difference.String())
		}
		if !strings.Contains("\n"+strings.Join(got, "\n")+"\n", "\n"+c.want+"\n") {
			t.Errorf("no %q among\n%s", c.want, strings.Join(got, "\n"))
		}
	}
}

// An individual that is left out takes along its links, and nothing else.
func TestWithoutLeavesNoLinkToNowhere(t *testing.T) {
	t.Parallel()
	left := New().Without(vfs.Files{"a.ged": sample}, func(n int) bool { return n == 0 })["a.ged"]
	for _, gone := range []string{"@I1@", "@F2@", "Ole Hansen"} {
		if strings.Contains(left, gone) {
			t.Errorf("%s is still there:\n%s", gone, left)
		}
	}
	for _, d := range New().Differences(vfs.Files{"a.ged": sample}, vfs.Files{"a.ged": left}) {
		if d.Kind != domains.Lost {
			t.Errorf("unexpected difference: %v", d)
		}
	}
}

// Any candidate gets scores within 0 and 1, and a reason where no
// individual could be read. The large ones would not end if anything in the
// comparison grew with the square of their size.
func TestCompareTakesAnything(t *testing.T) {
	t.Parallel()
	const many = 50_000
	unreadable := domaintest.Hostile()
	unreadable["a jumped level"] = strings.Replace(sample, "1 SEX", "5 SEX", 1)
	unreadable["levels without end"] = strings.Repeat("99 A x\n", many)
	for n := range 5_000 {
		unreadable["deeper and deeper"] += fmt.Sprintf("%d A\n", n)
	}
	readable := map[string]string{
		"cut off in the middle": sample[:len(sample)/2],
		"very many children":    "0 @A@ INDI\n0 @F@ FAM\n1 HUSB @A@\n1 WIFE @A@\n" + strings.Repeat("1 CHIL @A@\n", many),
		"children of nobody":    "0 @A@ INDI\n0 @F@ FAM\n" + strings.Repeat("1 CHIL @A@\n", many),
		"very many spouses":     "0 @A@ INDI\n0 @F@ FAM\n" + strings.Repeat("1 HUSB @A@\n1 CHIL @A@\n", many),
		"very many notes":       "0 @A@ INDI\n" + strings.Repeat("1 NOTE a\n", many),
		"very many claims":      "0 @A@ INDI\n" + strings.Repeat("1 FAMS @F@\n", many) + "0 @F@ FAM\n1 HUSB @A@\n",
		"one record repeated":   strings.Repeat("0 @A@ INDI\n1 NAME Ole\n", many),
	}
	for name, text := range unreadable {
		score := New().Compare(vfs.Files{"a.ged": sample}, vfs.Files{"a.ged": text})
		if score.RS != 0 || score.Problem == "" || score.Strict < 0 || score.Strict >= 1 {
			t.Errorf("%s: %+v", name, score)
		}
	}
	for name, text := range readable {
		score := New().Compare(vfs.Files{"a.ged": sample}, vfs.Files{"a.ged": text})
		if score.RS < 0 || score.RS >= 1 || score.Problem != "" || score.Strict < 0 || score.Strict >= 1 {
			t.Errorf("%s: %+v", name, score)
		}
	}
}

// people is a family of three and a person outside of it.
const people = `0 @A@ INDI
1 NAME Ole /Vik/
1 SEX M
1 BIRT
2 DATE 5 JUN 1850
2 PLAC Voss
0 @B@ INDI
1 NAME Anna /Lie/
0 @C@ INDI
1 NAME Hans /Vik/
0 @D@ INDI
1 NAME Per /Moe/
0 @F@ FAM
1 HUSB @A@
1 WIFE @B@
1 MARR
2 DATE 1875
1 CHIL @C@
`

func TestPublishedScore(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct {
		was, is string
		want    float64
	}{
		"what is not read is free":            {"1 SEX M", "1 SEX M\n1 OCCU Smith", 1},
		"the case is free":                    {"Voss", "VOSS", 1},
		"a field that is lost":                {"1 SEX M\n", "", 0.45*(2.0/3+3)/4 + 0.55},
		"a field that differs is half alike":  {"Voss", "Vass", 0.45*((2+0.5*0.75)/3+3)/4 + 0.55},
		"a day is a part of the date":         {"5 JUN", "15 JUN", 0.45*((2+0.5*(20.0/21))/3+3)/4 + 0.55},
		"another person, in a family":         {"/Lie/", "/Lien/", 0.45 * (3.0 / 5) * (3.0 / 5)},
		"another child":                       {"Hans", "Jens", 0.45*(3.0/5)*(3.0/5) + 0.35*0.6 + 0.2},
		"a person beside the family":          {"Per", "Pål", 0.45*(3.0/5)*(3.0/5) + 0.55},
		"a person that was added":             {"0 @F@", "0 @E@ INDI\n1 NAME E\n0 @F@", 0.45*(4.0/5)*(4.0/5) + 0.55},
		"a namesake that was added is free":   {"0 @F@", "0 @E@ INDI\n1 NAME Per /Moe/\n0 @F@", 1},
		"a child that is nobody":              {"1 CHIL @C@", "1 CHIL @X@", 0.45 + 0.35*0.6 + 0.2},
		"a marriage without date":             {"2 DATE 1875\n", "", 0.45 + 0.35},
		"a family that is lost":               {people[strings.Index(people, "0 @F@"):], "", 0.45},
		"a family that was added":             {people, people + "0 @G@ FAM\n1 HUSB @D@\n", 0.45 + 0.35*(0.6*0.5+0.4) + 0.2},
		"the year counts where it is a word":  {"5 JUN 1850", "5 JUN 1850/51", 0.45 * (3.0 / 5) * (3.0 / 5)},
		"everything is lost":                  {people, "", 0},
		"a jumped level loses the whole file": {"1 SEX M", "2 SEX M", 0.45*(2.0/3+3)/4 + 0.55},
		"more so after a record":              {"1 NAME Per", "2 NAME Per", 0},
		"a document against itself":           {people, people, 1},
	} {
		candidate := strings.Replace(people, c.was, c.is, 1)
		score := New().Compare(vfs.Files{"a.ged": people}, vfs.Files{"a.ged": candidate})
		if math.Abs(score.RS-c.want) > 1e-12 {
			t.Errorf("%s: Value %v, want %v (%v)", rule, score.RS, c.want, score.Components)
		}
	}
}

func TestPublishedScoreWithoutFamilies(t *testing.T) {
	t.Parallel()
	alone := vfs.Files{"a.ged": "0 @A@ INDI\n1 NAME Ole"}
	if score := New().Compare(alone, vfs.Files{}); score.RS != 0.55 || score.Strict != 0 || score.Problem == "" {
		t.Errorf("nothing against a person without family: %+v", score)
	}
	if score := New().Compare(vfs.Files{}, vfs.Files{}); score.RS != 1 || score.Strict != 0 {
		t.Errorf("nothing against nothing: %+v", score)
	}
}

// A line below a name that says again what the name says counts where nearly all other names have theirs.
func TestAPartOfANameThatIsLost(t *testing.T) {
	t.Parallel()
	person := func(n int, given, lines string) string {
		return fmt.Sprintf("0 @I%d@ INDI\n1 NAME %s /Lie/\n%s1 SEX F\n", n, given, lines)
	}
	tree := func(withGiven, withSurname int) string {
		var b strings.Builder
		for n, given := range []string{"Anna", "Berit", "Clara", "Dagny", "Eva"} {
			lines := ""
			if n < withGiven {
				lines = "2 GIVN " + given + "\n"
			}
			if n < withSurname {
				lines += "2 SURN Lie\n"
			}
			b.WriteString(person(n+1, given, lines))
		}
		return "0 HEAD\n1 CHAR UTF-8\n" + b.String() + "0 TRLR\n"
	}
	for name, c := range map[string]struct {
		was, is string
		same    bool
	}{
		"a given name":                {tree(5, 5), tree(4, 5), false},
		"a surname":                   {tree(5, 5), tree(5, 4), false},
		"all given names":             {tree(5, 5), tree(0, 5), true},
		"all":                         {tree(5, 5), tree(0, 0), true},
		"most":                        {tree(5, 5), tree(1, 1), true},
		"one of few that have it":     {tree(2, 2), tree(1, 1), true},
		"one more":                    {tree(0, 0), tree(1, 0), true},
		"most are new":                {tree(0, 0), tree(4, 4), true},
		"all are new":                 {tree(0, 0), tree(5, 5), true},
		"one that others have is new": {tree(4, 5), tree(5, 5), true},
	} {
		score := New().Compare(vfs.Files{"a.ged": c.was}, vfs.Files{"a.ged": c.is})
		if (score.Strict == 1) != c.same {
			t.Errorf("%s: Strict is %v: %v", name, score.Strict, New().Differences(vfs.Files{"a.ged": c.was}, vfs.Files{"a.ged": c.is}))
		}
	}
}
