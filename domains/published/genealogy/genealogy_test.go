package genealogy

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/vfs"
)

// published writes what parse makes of a text, one word a part.
func published(t *testing.T, files vfs.Files) []string {
	t.Helper()
	tree, err := Parse(files)
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
