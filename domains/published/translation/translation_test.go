package translation

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

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
		words := []string{m.Text(ContextField), m.Text(SourceField), m.Text(PluralField), m.Text(TranslationField)}
		for _, f := range m.Forms {
			words = append(words, fmt.Sprintf("%d:%s", f.Index, f.Text()))
		}
		words = append(words, m.Flags...)
		words = append(words, m.References...)
		words = append(words, comment(m.Extracted), comment(m.Notes))
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
	} {
		if diff := cmp.Diff(c.want, summary(c.text)); diff != "" {
			t.Errorf("%s: %s", rule, diff)
		}
	}
}

func TestPublishedReadingOfFiles(t *testing.T) {
	t.Parallel()
	const one = "msgid \"\"\nmsgstr \"Language: pl\\n\"\n\nmsgid \"a\"\nmsgstr \"b\"\n"
	files := vfs.Files{"b.pot": one, "a.po": strings.ReplaceAll(one, "pl", "cs"), "c.PO": one, "d.txt": one, "e.po": "oops", "f.po": ""}
	d, err := Parse(files)
	if err != nil {
		t.Fatal(err)
	}
	p := d.asReference()
	if len(p.entries) != 2 || p.metadata["Language"] != "pl" || !strings.Contains(p.problem, "e.po: line 1") {
		t.Errorf("%d entries, language %s, %s", len(p.entries), p.metadata["Language"], p.problem)
	}
}
