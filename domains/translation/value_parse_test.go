package translation

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"agentd/domains/internal/ratio"
	"agentd/vfs"
)

// summary lists the messages that the published reading finds, "lost" if it
// loses the file.
func summary(text string) []string {
	metadata, messages, err := readPublished(text)
	if err != nil {
		return []string{"lost"}
	}
	var all []string
	for _, name := range []string{"Language", "Plural-Forms"} {
		if value, ok := metadata[name]; ok {
			all = append(all, name+"="+value)
		}
	}
	for i := range messages {
		m := &messages[i]
		words := []string{m.text(contextField), m.text(sourceField), m.text(pluralField), m.text(translationField)}
		for _, f := range m.forms {
			words = append(words, fmt.Sprintf("%d:%s", f.index, f.text()))
		}
		words = append(words, m.flags...)
		words = append(words, m.references...)
		words = append(words, comment(m.extracted), comment(m.notes))
		all = append(all, strings.Join(strings.Fields(strings.Join(words, " ")), " "))
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
		"nothing":                        {"", nil},
		"prose":                          {"The bees are well.", lost},
		"a code fence":                   {"```\nmsgid \"a\"\nmsgstr \"b\"", lost},
		"all parts of an entry":          {"#. x\n#: f.c:1 g\n#, fuzzy, c-format\nmsgctxt \"c\"\nmsgid \"a\"\nmsgstr \"b\"", []string{"c a b fuzzy c-format f.c:1 g x"}},
		"a comment opens the next entry": {"msgid \"a\"\nmsgstr \"b\"\n# n\nmsgid \"c\"\nmsgstr \"d\"", []string{"a b", "c d n"}},
		"comments before anything else are the file's": {"# one\n## two\nmsgid \"a\"\nmsgstr \"b\"", []string{"a b"}},
		"a comment after another kind is the entry's":  {"#. x\n# n\nmsgid \"a\"\nmsgstr \"b\"", []string{"a b x n"}},
		"a comment at the end loses the last entry":    {"msgid \"a\"\nmsgstr \"b\"\n\nmsgid \"c\"\nmsgstr \"d\"\n#: f", []string{"a b", "c d"}},
		"a skipped comment at the end does so":         {"msgid \"a\"\nmsgstr \"b\"\n#.", nil},
		"an obsolete entry at the end does not":        {"msgid \"a\"\nmsgstr \"b\"\n#~ msgid \"c\"\n#~ msgstr \"d\"", []string{"a b"}},
		"an entry without a translation at the end":    {"msgid \"a\"", []string{"a"}},
		"two sources":                                    {"msgid \"a\"\nmsgid \"b\"", lost},
		"a translation without a source":                 {"msgstr \"b\"", lost},
		"two translations":                               {"msgid \"a\"\nmsgstr \"b\"\nmsgstr \"c\"", lost},
		"a reference after the source":                   {"msgid \"a\"\n#: f\nmsgstr \"b\"", lost},
		"a comment after the source":                     {"msgid \"a\"\n# n\nmsgstr \"b\"", []string{"a b n"}},
		"a comment after the context":                    {"msgctxt \"c\"\n# n\nmsgid \"a\"\nmsgstr \"b\"", lost},
		"flags between context and source":               {"msgctxt \"c\"\n#, fuzzy\nmsgid \"a\"\nmsgstr \"b\"", []string{"c a b fuzzy"}},
		"plural forms":                                   {"msgid \"a\"\nmsgid_plural \"as\"\nmsgstr[0] \"b\"\n\"c\"\nmsgstr[2]\"d\"", []string{"a as 0:bc 2:d"}},
		"only the first digit of an index counts":        {"msgid \"a\"\nmsgstr[12] \"b\"", []string{"a 1:b"}},
		"an index that is none":                          {"msgid \"a\"\nmsgstr[n] \"b\"", lost},
		"a form's text starts after the first quote":     {"msgid \"a\"\nmsgstr[0] x\"b\"", []string{"a 0:b"}},
		"a form again replaces it":                       {"msgid \"a\"\nmsgstr[0] \"b\"\nmsgstr[0] \"c\"", []string{"a 0:c"}},
		"any first and last character is taken off":      {"msgid “a”\nmsgstr (b", []string{"a"}},
		"an inner quote":                                 {`msgid "a"b"`, lost},
		"an escaped quote":                               {`msgid "a\"b"`, []string{`a"b`}},
		"an escaped backslash before a quote":            {`msgid "a\\"b"`, []string{`a\"b`}},
		"escapes, known and unknown":                     {`msgid "a\\n\q\x"`, []string{`a\n\q\x`}},
		"a continuation":                                 {"msgid \"\"\n\"a\"\n  \"b\"\nmsgstr \"c\"", []string{"ab c"}},
		"a continuation after a comment":                 {"msgid \"a\"\n#. x\n\"b\"", lost},
		"a keyword without text":                         {"msgid \"a\"\nmsgstr", lost},
		"a comment without a blank":                      {"#foo\nmsgid \"a\"", lost},
		"a reference without a blank":                    {"#:f\nmsgid \"a\"", lost},
		"empty comment lines of three kinds are skipped": {"msgid \"a\"\n#:\n#,\n#.\nmsgstr \"b\"", []string{"a b"}},
		"a bare obsolete mark":                           {"#~", lost},
		"a previous text that is obsolete is skipped":    {"#~| whatever\nmsgid \"a\"", []string{"a"}},
		"a previous text":                                {"#| msgid \"o\"\n#| \"ld\"\nmsgid \"a\"", []string{"a"}},
		"an unknown previous text":                       {"#| old \"o\"\nmsgid \"a\"", lost},
		"a line separator ends a line":                   {"msgid \"a\"\u2028msgstr \"b\"", []string{"a b"}},
		"a no-break space is white space":                {"msgid\u00a0\"a\"\n\u00a0msgstr \"b\"", []string{"a b"}},
		"a byte order mark":                              {"\ufeffmsgid \"a\"", []string{"a"}},
		"the header":                                     {"msgid \"\"\nmsgstr \"Language: pl \\nx\\n\"\n\nmsgid \"a\"", []string{"Language=pl\nx", "a"}},
		"a header with a context if there is none else":  {"msgctxt \"c\"\nmsgid \"\"\nmsgstr \"Language: pl\"", []string{"Language=pl"}},
		"the last header without context":                {"msgid \"\"\nmsgstr \"Language: pl\"\n\nmsgid \"\"\nmsgstr \"Language: cs\"", []string{"Language=cs", "Language: pl"}},
		"of equal headers the first is removed":          {"msgid \"\"\nmsgstr \"Language: pl\"\nmsgid \"a\"\nmsgstr \"b\"\n#, fuzzy\nmsgid \"\"\nmsgstr \"Language: pl\"", []string{"Language=pl", "a b", "Language: pl fuzzy"}},
		"plural forms cannot be compared with a header":  {"msgid \"a\"\nmsgstr[0] \"b\"\nmsgid \"\"\nmsgstr \"Language: pl\"", lost},
	} {
		if diff := cmp.Diff(c.want, summary(c.text)); diff != "" {
			t.Errorf("%s: %s", rule, diff)
		}
	}
}

func TestRepairsOfACandidate(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string][2]string{
		"references that a backslash continues":          {"#: a:1 \\\n b:2\\\nc:3\nd:4", "#: a:1 b:2 c:3\nd:4"},
		"a chain ends at a comment":                      {"#: a:1 \\\n#, fuzzy", "#: a:1\n#, fuzzy"},
		"a chain ends at a blank line":                   {"#: a:1 \\\n\nb:2", "#: a:1\n\nb:2"},
		"references after a source":                      {"msgid \"a\"\n#: f\n#, c\nmsgstr \"b\"", "#: f\n#, c\nmsgid \"a\"\nmsgstr \"b\""},
		"references after a plural source":               {"msgid \"a\"\nmsgid_plural \"b\"\n#: f\nmsgstr[0] \"c\"", "#: f\nmsgid \"a\"\nmsgid_plural \"b\"\nmsgstr[0] \"c\""},
		"another comment after a source stays":           {"msgid \"a\"\n#. x\n#: f\nmsgstr \"b\"", "msgid \"a\"\n#. x\n#: f\nmsgstr \"b\""},
		"no translation after the references":            {"msgid \"a\"\n#: f\nmsgid \"b\"", "msgid \"a\"\n#: f\nmsgid \"b\""},
		"quotes in a line of which references are moved": {"msgid \"a\"b\"\n#: f\nmsgstr \"b\"", "#: f\nmsgid \"a\"b\"\nmsgstr \"b\""},
		"inner quotes":                                   {`msgstr "a "b" \"c\"" `, `msgstr "a \"b\" \"c\"" `},
		"inner quotes of a form":                         {`msgstr[10]  "a"b"`, `msgstr[10]  "a\"b"`},
		"inner quotes of a context stay":                 {`msgctxt "a"b"`, `msgctxt "a"b"`},
		"inner quotes of a continuation stay":            {`"a"b"`, `"a"b"`},
		"no blank before the text":                       {`msgid"a"b"`, `msgid"a"b"`},
		"no quote at the end":                            {`msgid "a"b`, `msgid "a"b`},
	} {
		if diff := cmp.Diff(c[1], repaired(c[0])); diff != "" {
			t.Errorf("%s: %s", rule, diff)
		}
	}
	const slip = "msgid \"a\"\nmsgstr \"b \"c\"\"\n"
	files := vfs.Files{"a.po": slip}
	if score := New().Compare(files, files); score.Elements.Reference != 0 || score.Elements.Candidate != 1 {
		t.Errorf("%+v: only the candidate is repaired", score.Elements)
	}
}

func TestPublishedReadingOfFiles(t *testing.T) {
	t.Parallel()
	const one = "msgid \"\"\nmsgstr \"Language: pl\\n\"\n\nmsgid \"a\"\nmsgstr \"b\"\n"
	files := vfs.Files{"b.pot": one, "a.po": strings.ReplaceAll(one, "pl", "cs"), "c.PO": one, "d.txt": one, "e.po": "oops", "f.po": ""}
	d, err := parse(files)
	if err != nil {
		t.Fatal(err)
	}
	p := d.asReference()
	if len(p.entries) != 2 || p.metadata["Language"] != "pl" || !strings.Contains(p.problem, "e.po: line 1") {
		t.Errorf("%d entries, language %s, %s", len(p.entries), p.metadata["Language"], p.problem)
	}
}

func TestPublishedScore(t *testing.T) {
	t.Parallel()
	const reference = "msgid \"\"\nmsgstr \"Language: pl\\nX-Generator: g\\n\"\n\n#: f:1 f:2\n#, fuzzy\nmsgid \"a\"\nmsgstr \"ul\"\n"
	for rule, c := range map[string]struct {
		was, is string
		want    float64
	}{
		"letter case and white space":                  {"ul", " UL ", 1},
		"white space around a source":                  {`"a"`, `" a\n"`, 1},
		"one letter of two":                            {"ul", "ur", 1 - 0.4*0.5},
		"an unknown header field":                      {"X-Generator", "X-Editor", 1 - 0.1*0.3},
		"an important header field":                    {"Language: pl", "Team: pl", 1 - 0.1*0.7},
		"one reference of two":                         {" f:2", "", 1 - 0.15*0.5},
		"a translator's comment that is new":           {"#, fuzzy", "#, fuzzy\n# n", 1 - 0.15*0.5},
		"a lost flag":                                  {"#, fuzzy\n", "", 0.9},
		"a plural source counts only in the reference": {"msgid \"a\"", "msgid \"a\"\nmsgid_plural \"b\"", 1},
		"another context is another entry":             {"msgid \"a\"", "msgctxt \"c\"\nmsgid \"a\"", 0},
	} {
		files := vfs.Files{"a.po": strings.Replace(reference, c.was, c.is, 1)}
		score := New().Compare(vfs.Files{"a.po": reference}, files)
		if math.Abs(score.RS-c.want) > 1e-12 {
			t.Errorf("%s: Value %v, want %v (%v)", rule, score.RS, c.want, score.Components)
		}
	}
}

func TestDocumentsWithoutEntries(t *testing.T) {
	t.Parallel()
	for text, strict := range map[string]float64{"": 0, "msgid \"\"\nmsgstr \"Language: pl\\n\"\n": 1, "oops\n": 0} {
		files := vfs.Files{"a.po": text}
		if score := New().Compare(files, files); math.Abs(score.RS-0.6) > 1e-12 || score.Strict != strict {
			t.Errorf("%q against itself: %+v, want a Value of 0.6, as published, and a Strict of %v", text, score, strict)
		}
	}
}

func TestRatioOfEqualTextsIsOne(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		alphabet := []rune("abcdefghijklmnopqrstuvwxyząęłó")[:rapid.IntRange(1, 30).Draw(t, "letters")]
		text := rapid.StringOfN(rapid.SampledFrom(alphabet), 190, 600, -1).Draw(t, "text")
		if got := ratio.Of(text, text); got != 1 {
			t.Fatalf("%q: %v", text, got)
		}
	})
}

func TestPluralForms(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"nplurals=2; plural=(n != 1);":                    "nplurals=2; plural=(n!=1)",
		" nplurals=1 ;plural=0":                           "nplurals=1; plural=0",
		"nplurals=2; plural=n>1 && !(n%100);":             "nplurals=2; plural=((n>1)&&!(n%100))",
		"nplurals=3; plural=n==1 ? 0 : n<5 ? 1 : 2;":      "nplurals=3; plural=((n==1)?0:((n<5)?1:2))",
		"nplurals=3; plural=n - 1 - 1 * 2 || n <= 3 == 1": "nplurals=3; plural=(((n-1)-(1*2))||((n<=3)==1))",
	} {
		rule, err := readPluralForms(text)
		if err != nil || rule != want {
			t.Errorf("%q is read as %v (%v), want %s", text, rule, err, want)
		}
	}
	for _, text := range []string{
		"", "nplurals=2", "nplurals=2; plural=", "nplurals=x; plural=n", "nplurals=2; plural=m", "nplurals=2; plural=(n",
		"nplurals=2; plural=n ?1", "nplurals=2; plural=n n", "nplurals=INTEGER; plural=EXPRESSION;",
		"nplurals=2; plural=" + strings.Repeat("(", 900) + "n", "nplurals=2; plural=" + strings.Repeat("!", 900) + "n",
		"nplurals=2; plural=" + strings.Repeat("n+", 2000) + "n",
	} {
		if rule, err := readPluralForms(text); err == nil {
			t.Errorf("%.60q is read as %v", text, rule)
		}
	}
}
