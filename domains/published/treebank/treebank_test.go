package treebank

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/vfs"
)

// TestPublishedReading has the rules of the published reader. A word is written
// as form/lemma/upos/xpos/feats/head/deprel, "-" being absent; a sentence as
// its words, after its ID, speaker and text where it has them.
func TestPublishedReading(t *testing.T) {
	t.Parallel()
	const a, b = "1\ta\tA\tX\tY\tF=1\t0\troot\t_\t_\n", "2\tb\tB\tX\t_\t_\t1\tdep\t_\t_\n"
	const readA, readB = "a/A/X/Y/F=1/0/root", "b/B/X/-/_/1/dep"
	head := func(text string) string { return strings.Replace(a, "\t0\t", "\t"+text+"\t", 1) }
	withHead := func(text string) []string { return []string{strings.Replace(readA, "/0/", "/"+text+"/", 1)} }
	for rule, c := range map[string]struct {
		text string
		want []string
	}{
		"runs of lines are sentences":                      {a + b + "\n \t\n" + a, []string{readA + " " + readB, readA}},
		"a carriage return is trimmed":                     {strings.ReplaceAll(a+b, "\n", "\r\n"), []string{readA + " " + readB}},
		"multiword tokens and empty nodes are left out":    {"1-2\tab\n" + a + b + "2.1\tc\n", []string{readA + " " + readB}},
		"a multiword token may be in error":                {a + "\n2-1\tab\n" + b, []string{readA}},
		"an empty node may be in error":                    {a + "\n2.0\tab\n" + b, []string{readA}},
		"an ID with a leading zero loses its sentence":     {a + "\n01" + a[1:], []string{readA}},
		"ID 0 is a word":                                   {"0" + a[1:], []string{readA}},
		"an ID may be missing":                             {"_" + a[1:], []string{readA}},
		"a single column loses its sentence":               {a + "note\n\n" + b, []string{readB}},
		"two blanks divide columns":                        {strings.ReplaceAll(a, "\t", "   "), []string{readA}},
		"single blanks do not":                             {strings.ReplaceAll(a, "\t", " ") + "\n" + b, []string{readB}},
		"the sixth of eleven columns goes":                 {strings.Replace(a, "\tF", "\tnew\tF", 1), []string{readA}},
		"that also befalls a trailing tab":                 {strings.Replace(a, "\n", "\t\n", 1), nil},
		"of twelve columns the last are ignored":           {strings.Replace(a, "\n", "\tx\ty\n", 1), []string{readA}},
		"missing columns are absent":                       {"1\ta\tA\n\n1\ta\tA\tX", []string{"a/A/-/-/_/-/-", "a/A/X/-/_/-/-"}},
		"a lemma may be missing":                           {"1\ta\t\n", []string{"a/-/-/-/_/-/-"}},
		"a word of underscores is kept":                    {"1\t_\t_\t_\t_\t_\t_\t_\t_\t_\n", []string{"_/_/_/-/_/-/_"}},
		"a head is rounded to the nearest":                 {head("27.4"), withHead("27")},
		"half a head to even upwards":                      {head("27.5"), withHead("28")},
		"half a head to even downwards":                    {head("26.5"), withHead("26")},
		"a head may have an exponent":                      {head("1e1"), withHead("10")},
		"a head may have leading zeros":                    {head("007"), withHead("7")},
		"a head may be negative":                           {head("-3"), withHead("-3")},
		"a head just below zero is zero":                   {head("-0.4"), withHead("0")},
		"an infinite head loses its sentence":              {head("inf") + "\n" + b, []string{readB}},
		"a head in letters loses its sentence":             {head("x") + "\n" + b, []string{readB}},
		"blanks for tabs see no rounding":                  {strings.ReplaceAll(head("1.0"), "\t", "  ") + "\n" + b, []string{readB}},
		"features are sorted":                              {strings.Replace(a, "F=1", "b=1|a=2|B=3", 1), []string{"a/A/X/Y/B=3|a=2|b=1/0/root"}},
		"of one feature the last value counts":             {strings.Replace(a, "F=1", "a=1|a=2", 1), []string{"a/A/X/Y/a=2/0/root"}},
		"a feature without value is None":                  {strings.Replace(a, "F=1", "a=|b=_|c", 1), []string{"a/A/X/Y/a=None|b=None|c=/0/root"}},
		"a second equals sign ends a value":                {strings.Replace(a, "F=1", "a=1=2|b==3", 1), []string{"a/A/X/Y/a=1|b=None/0/root"}},
		"a feature without name is dropped":                {strings.Replace(a, "F=1", "=1|_=2|a=3", 1), []string{"a/A/X/Y/a=3/0/root"}},
		"comments are trimmed":                             {"#sent_id=s1 \n#  speaker =  Una\n# text = a = b\n" + a, []string{"s1 Una (a = b) " + readA}},
		"comments may stand between words":                 {a + "# sent_id = s1\n" + b, []string{"s1 " + readA + " " + readB}},
		"the later of two comments counts":                 {"# text = x\n# text = y\n" + a, []string{"(y) " + readA}},
		"but an empty one does not":                        {"# text = x\n# text =\n" + a, []string{"(x) " + readA}},
		"and an indented one is later than all":            {"# speaker = Mag\n # text = x\n# text = y\n" + a, []string{"Mag (x) " + readA}},
		"comments alone are a sentence":                    {"# sent_id = s1\n\n" + a, []string{"s1", readA}},
		"columns may be declared, for later sentences too": {"# global.columns = ID LEMMA FORM\n1\tA\ta\n\n1\tB\tb\n", []string{"a/A/-/-/_/-/-", "b/B/-/-/_/-/-"}},
		"an error ends that":                               {"# global.columns = ID LEMMA FORM\n1\tA\ta\n\n1\tB\tb\n\nprose\n", []string{"a/A/-/-/_/-/-", "B/b/-/-/_/-/-"}},
		"a byte order mark loses the first comment":        {"\ufeff# text = x\n" + a + "\n" + b, []string{readB}},
		"prose":   {"Nothing of the kind.\n", nil},
		"nothing": {"", nil},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, s := range parseFile(c.text) {
				got = append(got, s.String())
			}
			if diff := cmp.Diff(strings.Join(c.want, "\n"), strings.Join(got, "\n")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func (s Annotation) String() string {
	words := []string{s.id, s.speaker}
	if s.text != "" {
		words = append(words, "("+s.text+")")
	}
	for _, w := range s.words {
		words = append(words, fmt.Sprintf("%s/%v/%v/%v/%s/%v/%v", w.form, w.lemma, w.upos, w.xpos, w.feats, w.head, w.relation))
	}
	return strings.Join(strings.Fields(strings.Join(words, " ")), " ")
}

func (c cell) String() string {
	if !c.there {
		return "-"
	}
	return c.text
}

func TestOnlyFilesOfTheFormatArePublishedReading(t *testing.T) {
	t.Parallel()
	got, err := Parse(vfs.Files{"b.conllu": "# text = b\n", "a.conllu": "# text = a\n", "c.CONLLU": "# text = c\n", "d.txt": "# text = d\n"})
	if err != nil || len(got) != 2 || got[0].text != "a" || got[1].text != "b" {
		t.Errorf("parse gave %v, %v; want the sentences a and b", got, err)
	}
}
