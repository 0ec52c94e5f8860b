package genealogy

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/vfs"
)

// published writes what parse makes of a text, one word a part.
func published(t *testing.T, files vfs.Files) []string {
	t.Helper()
	tree, err := parse(files)
	if err != nil {
		return []string{err.Error()}
	}
	var parts []string
	for _, i := range tree.individuals {
		parts = append(parts, strings.TrimRight(fmt.Sprintf("%s %s|%s|%s %s|%s %s", i.pointer, i.name, i.sex,
			i.birthDate, i.birthPlace, i.deathDate, i.deathPlace), "| "))
	}
	for _, f := range tree.families {
		parts = append(parts, strings.TrimRight(fmt.Sprintf("%s %s+%s=%s|%s %s", f.pointer, f.husband, f.wife,
			strings.Join(f.children, ","), f.marriageDate, f.marriagePlace), "| "))
	}
	return parts
}

func TestPublishedReading(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct {
		text string
		want []string
	}{
		"surname after the given name":            {"0 @I@ INDI\n1 NAME Ole /Vik/ Jr.", []string{"@I@ Ole Vik"}},
		"a surname among the given names is one":  {"0 @I@ INDI\n1 NAME Ole VIK /Vik/", []string{"@I@ Ole VIK"}},
		"the first name with a value":             {"0 @I@ INDI\n1 NAME\n2 GIVN Per\n1 NAME Ole /Vik/\n1 NAME Ola", []string{"@I@ Ole Vik"}},
		"the parts of a name without value":       {"0 @I@ INDI\n1 NAME\n2 GIVN Ole\n2 SURN Vik\n1 NAME Per", []string{"@I@ Ole Vik"}},
		"the last sex":                            {"0 @I@ INDI\n1 SEX M\n1 SEX F", []string{"@I@ |F"}},
		"the last date and place over all births": {"0 @I@ INDI\n1 BIRT\n2 DATE 1\n2 PLAC A\n1 BIRT\n2 DATE 2", []string{"@I@ ||2 A"}},
		"the death":                                 {"0 @I@ INDI\n1 DEAT\n2 DATE 3\n2 PLAC B", []string{"@I@ || |3 B"}},
		"a second record fills what is empty":       {"0 @I@ INDI\n1 SEX M\n0 @I@ INDI\n1 SEX F\n1 NAME Ole", []string{"@I@ Ole|M"}},
		"a second family replaces the people":       {"0 @F@ FAM\n1 HUSB @A@\n1 CHIL @C@\n1 MARR\n2 DATE 1\n0 @F@ FAM\n1 WIFE @B@", []string{"@F@ +@B@=|1"}},
		"the last marriage":                         {"0 @F@ FAM\n1 MARR\n2 DATE 1\n2 PLAC A\n1 MARR\n2 DATE 2", []string{"@F@ +=|2"}},
		"a blank after a pointer stays":             {"0 @F@ FAM\n1 HUSB @A@ \n0 TRLR", []string{"@F@ @A@ +="}},
		"a tag in small letters is another":         {"0 @I@ INDI\n1 sex M", []string{"@I@"}},
		"a tag before a sign loses the value":       {"0 @I@ INDI\n1 SEX\tM", []string{"@I@"}},
		"an indented line is text":                  {"0 @I@ INDI\n 1 SEX M", []string{"@I@"}},
		"a line below text":                         {"0 @I@ INDI\nprose\nprose\n2 SEX M\n1 SEX F", []string{"@I@ |F"}},
		"a level with a leading zero is text":       {"0 @I@ INDI\n01 SEX M", []string{"@I@"}},
		"a jumped level":                            {"0 @I@ INDI\n2 SEX M", []string{"line 2: level 2 follows level 0"}},
		"a huge level":                              {"0 @I@ INDI\n99999999999999999999 SEX M", []string{"line 2: level 1000000 follows level 0"}},
		"a mark at the start of any line":           {"\ufeff0 @I@ INDI\n\ufeff1 SEX M", []string{"@I@ |M"}},
		"a carriage return ends the value":          {"0 @I@ INDI\r\n1 SEX M\rF\r\n", []string{"@I@ |M"}},
		"a trailer before the people":               {"0 HEAD\n0 TRLR\n1 CHAR\n0 @I@ INDI\n1 SEX M", []string{"@I@ |M"}},
		"a trailer among the people":                {"0 @I@ INDI\n0 TRLR\n1 SEX M", []string{"@I@"}},
		"a record below another is none":            {"0 HEAD\n1 @I@ INDI\n2 SEX M", nil},
		"a pointer may hold blanks":                 {"0 @I 1@ INDI", []string{"@I 1@"}},
		"two blanks after the level make it text":   {"0 HEAD\n0  @I@ INDI", nil},
		"the order is that of the first appearance": {"0 @F@ FAM\n0 @B@ INDI\n0 @A@ INDI", []string{"@B@", "@A@", "@F@ +="}},
	} {
		if diff := cmp.Diff(c.want, published(t, vfs.Files{"a.ged": c.text})); diff != "" {
			t.Errorf("%s: %s", rule, diff)
		}
	}
}

func TestPublishedReadingJoinsFiles(t *testing.T) {
	t.Parallel()
	got := published(t, vfs.Files{"b.ged": "1 SEX M \n\n", "a.ged": "0 @I@ INDI\n\n", "c.txt": "1 SEX F", "d.GED": "1 SEX F"})
	if diff := cmp.Diff([]string{"@I@ |M"}, got); diff != "" {
		t.Error(diff)
	}
}

// people is a family of three and a person beside it.
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
