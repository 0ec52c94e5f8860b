package crystal

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// summary lists what the published reading finds under some tags, of loops only
// where a score reads them. It is "lost" if the text is.
func summary(b Block, err error) []string {
	if err != nil {
		return []string{"lost"}
	}
	var all []string
	for _, tag := range []string{"_a", "_b", "_c", SiteTags[0], SiteTags[2], "_journal_name_full"} {
		if e, known := b[tag]; known && e.texts != nil {
			all = append(all, tag+"="+strings.Join(e.texts, "|"))
		}
	}
	return all
}

func TestPublishedReading(t *testing.T) {
	t.Parallel()
	lost := []string{"lost"}
	for rule, c := range map[string]struct {
		text string
		want []string
	}{
		"items":                                   {"data_x\n_a 1\n_b 'c d'", []string{"_a=1", "_b=c d"}},
		"tags in any case":                        {"DATA_x _A 1", []string{"_a=1"}},
		"a loop":                                  {"data_x loop_ _atom_site_label C1 C2", []string{"_atom_site_label=C1|C2"}},
		"a quote inside of a text":                {"data_x _a 'it's so' _b \"a \"b\"", []string{"_a=it's so", "_b=a \"b"}},
		"a quote before a letter":                 {"data_x _a 'it's' _b 1", []string{"_a=it's", "_b=1"}},
		"a quote that nothing closes":             {"data_x _a 'b c", lost},
		"a text field":                            {"data_x _a\n;b\n c\n; _b 1", []string{"_a=b\n c", "_b=1"}},
		"a comment in a text field is dropped":    {"data_x _a\n;b\n# no\nc\n;", []string{"_a=b\nc"}},
		"a semicolon in a line":                   {"data_x _a ;b", []string{"_a=;b"}},
		"a text field that nothing closes":        {"data_x _a\n;b\nc", lost},
		"a comment":                               {"# c\ndata_x _a C#1 # d", []string{"_a=C#1"}},
		"something before the block":              {"Here it is: data_x _a 1", lost},
		"a value without a tag":                   {"data_x _a 1 2", lost},
		"a tag without a value":                   {"data_x _a _b 1", lost},
		"a loop with a value too few":             {"data_x loop_ _a _b 1 2 3", lost},
		"a loop without tags":                     {"data_x loop_ 1 2 3 _a 1", []string{"_a=1"}},
		"a word that begins with loop_":           {"data_x _a loop_1", []string{"_a=loop_1"}},
		"a repeated tag":                          {"data_x _a 1 _A 1", lost},
		"a tag that is too long":                  {"data_x _" + strings.Repeat("a", 75) + " 1", lost},
		"blocks after the first":                  {"data_x _a 1 data_y _b 2", []string{"_a=1"}},
		"blocks of one name":                      {"data_x _a 1 data_X _b 2", lost},
		"a reserved word":                         {"data_x _a stop_", lost},
		"brackets, at the second attempt":         {"data_x _a [1", []string{"_a=[1"}},
		"brackets in the second block":            {"data_x _a 1 data_y _b [1", lost},
		"quotes of CIF 2":                         {"#\\#CIF_2.0\ndata_x _a '''b\n'c''' _b \"d\"", []string{"_a=b\n'c", "_b=d"}},
		"of a list the first":                     {"#\\#CIF_2.0\ndata_x _a [[1 2] 'b'] _b {'k':1}", []string{"_a=1", "_b=k"}},
		"no block":                                {"# nothing", lost},
		"a no-break space ends a word for nobody": {"data_x _a 1\u00a0_b 2", lost},
	} {
		got := summary(readBlock(c.text))
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", rule, diff)
		}
	}
}

func TestRepairs(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string][2]string{
		"code fences":                           {"```cif\ndata_x\n```", "data_x"},
		"a text between quote lines":            {"_a\n'\nb c\nd'\n_b 1", "_a\n;\nb c\nd\n;\n_b 1"},
		"a value with blanks":                   {"_a  b c ", "_a 'b c'"},
		"a value with blanks in quotes":         {"_a 'b c'", "_a 'b c'"},
		"a number with a comment":               {"_a 5.2 # note", "_a '5.2 # note'"},
		"a loop without values":                 {"loop_\n_a\n_b\n\nloop_\n_c\n1", "\nloop_\n_c\n1"},
		"a loop of a comment":                   {"loop_\n_a\n# none\n_b 1", "loop_\n_a\n# none\n_b 1"},
		"a loop that is repeated":               {"loop_\n_a\n_b\n1 2\nloop_\n_b\n_a\n2 1\n_c 3\n\n_d 4", "loop_\n_a\n_b\n1 2\n\n_d 4"},
		"a loop that is repeated in capitals":   {"loop_\n_a\n1\nloop_\n_A\n1", "loop_\n_a\n1\nloop_\n_A\n1"},
		"a text field on one line":              {"_a\n;b;", "_a\n;\nb\n;"},
		"a text field of nothing stays":         {"_a\n;;", "_a\n;;"},
		"a quote line that nothing else closes": {"_a\n'\nb", "_a\n'\nb"},
	} {
		if got := repaired(c[0]); got != c[1] {
			t.Errorf("%s: %q, want %q", rule, got, c[1])
		}
	}
}
