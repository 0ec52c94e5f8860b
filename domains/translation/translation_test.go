package translation

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/domains/internal/ratio"
	published "agentd/domains/published/translation"
	"agentd/vfs"
)

func TestSuite(t *testing.T) {
	t.Parallel()
	domaintest.Suite{
		Domain:   demonstration(t),
		Seed:     domaintest.Seed(t, "translation1"),
		Generate: rapid.Custom(drawCatalogue),
	}.Run(t)
}

// catalogueFile is the document in these tests.
const catalogueFile = "pl.po"

func FuzzCompare(f *testing.F) {
	domaintest.Fuzz(f, demonstration(f), domaintest.Seed(f, "translation1"))
}

func BenchmarkCompare(b *testing.B) {
	domaintest.BenchmarkCompare(b, New(), domaintest.Seed(b, "translation1"))
}

// drawCatalogue draws a catalogue with a header, entries with different keys and
// obsolete ones at the end. Texts are of one form of the language or of all.
func drawCatalogue(t *rapid.T) vfs.Files {
	d := drawer{t, rapid.IntRange(1, 3).Draw(t, "plural forms")}
	var text strings.Builder
	d.header(&text)
	for n := range 1 + d.upTo(9, "entries") {
		text.WriteString("\n")
		d.entry(&text, n, "")
	}
	for n := range d.upTo(2, "obsolete entries") {
		text.WriteString("\n")
		d.entry(&text, 100+n, "#~ ")
	}
	return vfs.Files{catalogueFile: text.String()}
}

type drawer struct {
	*rapid.T
	forms int
}

func (d drawer) upTo(most int, label string) int { return rapid.IntRange(0, most).Draw(d.T, label) }
func (d drawer) sometimes(label string) bool     { return d.upTo(3, label) == 0 }
func (d drawer) one(label string, among ...string) string {
	return rapid.SampledFrom(among).Draw(d.T, label)
}

func (d drawer) header(text *strings.Builder) {
	text.WriteString(d.one("credits", "", "# Łucja Żak <lucja@zak.pl>, 2019.\n", "# SOME TITLE\n#\n#, fuzzy\n"))
	rules := []string{"0", "(n != 1)", "n%10==1 && n%100!=11 ? 0 : n != 0 ? 1 : 2"}
	fmt.Fprintf(text, "msgid \"\"\nmsgstr \"\"\n\"Project-Id-Version: sluice 0.%d\\n\"\n", d.upTo(30, "version"))
	if !d.sometimes("no language") {
		text.WriteString("\"Language: lv\\n\"\n")
	}
	fmt.Fprintf(text, "\"Content-Type: text/plain; charset=UTF-8\\n\"\n\"Plural-Forms: nplurals=%d; plural=%s;\\n\"\n",
		d.forms, rules[d.forms-1])
}

// entry writes an entry. The number makes its key one of its own.
func (d drawer) entry(text *strings.Builder, number int, mark string) {
	comments := func(marker string, among ...string) {
		for range max(0, d.upTo(3, marker)-1) {
			text.WriteString(marker + " " + d.one("comment", among...) + "\n")
		}
	}
	plain := mark == ""
	comments("#", "KW: „żuraw” czy „dźwig”?", "TODO", `see "gate", a, b`, "")
	if plain {
		comments("#.", "Column heading, at most 12 characters.", "%s is a lock", "[sic] keep")
		comments("#:", "src/gate.c:12", "src/gate.c:101 src/lock.c:7", "ui/main.ui", "lib/gate.c:9 lib/gate.c:9", "src/lock.c:70")
		comments("#,", "fuzzy", "c-format", "fuzzy, no-wrap", "python-format", "python-brace-format, fuzzy", "no-c-format")
		if d.sometimes("previous") {
			text.WriteString("#| msgid \"Opene gate\"\n")
		}
	}
	if d.sometimes("context") {
		fmt.Fprintf(text, "%smsgctxt %q\n", mark, d.one("the context", "menu", "a|b", "Żuraw, mały"))
	}
	d.text(text, mark, fmt.Sprintf("msgid \"%d ", number))
	if !d.sometimes("plural") {
		d.text(text, mark, `msgstr "`)
		return
	}
	d.text(text, mark, `msgid_plural "plural `)
	for n := range d.forms {
		d.text(text, mark, fmt.Sprintf("msgstr[%d] \"", n))
	}
}

// text writes a text after what is given of it, over one line or two.
func (d drawer) text(text *strings.Builder, mark, start string) {
	text.WriteString(mark + start)
	if d.sometimes("wrapped") {
		text.WriteString("\"\n" + mark + "\"")
	}
	text.WriteString(d.one("text", "", "Open", "Otwórz śluzę…", `\"%s\" is %d %% full\n`, "a\\tb\\\\t ", "%(n)d of %1$s", "{n} kg, “wet”", " two  blanks ") + "\"\n")
}

func TestPrintingLosesNothing(t *testing.T) {
	t.Parallel()
	for name, text := range domaintest.Seed(t, "translation1") {
		if diff := cmp.Diff(text, read(text).print()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		text := drawCatalogue(t)[catalogueFile]
		var trimmed []string // a comment line may end with a blank
		for line := range strings.SplitSeq(text, "\n") {
			trimmed = append(trimmed, strings.TrimRight(line, " "))
		}
		if diff := cmp.Diff(strings.Join(trimmed, "\n"), read(text).print()); diff != "" {
			t.Fatal(diff)
		}
	})
}

const sample = `# Ilze Ozola <ilze@sluzas.lv>, 2021.
# Pēteris Krūmiņš, 2024.
#, fuzzy
msgid ""
msgstr ""
"Project-Id-Version: sluice 2\n"
"PO-Revision-Date: 2024-02-03 10:00+0200\n"
"Language: lv\n"
"Content-Type: text/plain; charset=UTF-8\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\n"
"X-Poedit-Basepath: ..\n"

# ask Ilze about the paddle
#. Title of the window.
#: src/gate.c:12 src/gate.c:40
#, fuzzy, c-format
#| msgid "Gate"
msgid "Gate %d: "
msgstr "Slūžas %d: "

#: src/gate.c:77
msgctxt "menu"
msgid "Open"
msgstr "Atvērt"

#: src/lock.c:5
#, c-format
msgid "%d boat waits for \"%s\"\n"
msgid_plural "%d boats wait for \"%s\"\n"
msgstr[0] "%d laiva gaida \"%s\"\n"
msgstr[1] "%d laivas gaida \"%s\"\n"

#~ msgid "Toll"
#~ msgstr "Nodeva"
`

// change is the sample with one text replaced by another.
func change(t *testing.T, was, is string) vfs.Files {
	t.Helper()
	if !strings.Contains(sample, was) {
		t.Fatalf("the sample has no %q", was)
	}
	return vfs.Files{catalogueFile: strings.ReplaceAll(sample, was, is)}
}

func TestStrictSees(t *testing.T) {
	t.Parallel()
	const open = "#: src/gate.c:77\nmsgctxt \"menu\"\nmsgid \"Open\"\nmsgstr \"Atvērt\"\n"
	const gate = "# ask Ilze about the paddle\n#. Title of the window.\n#: src/gate.c:12 src/gate.c:40\n#, fuzzy, c-format\n#| msgid \"Gate\"\nmsgid \"Gate %d: \"\nmsgstr \"Slūžas %d: \"\n"
	for rule, edit := range map[string][2]string{
		"letter case in a translation":                    {"Atvērt", "atvērt"},
		"a blank that was lost at the end":                {"Slūžas %d: ", "Slūžas %d:"},
		"a blank that was added inside":                   {"laiva gaida", "laiva  gaida"},
		"a line break that became a blank":                {`gaida \"%s\"\n`, `gaida \"%s\" `},
		"a placeholder that was lost":                     {"Slūžas %d", "Slūžas"},
		"a translation that was emptied":                  {`"Atvērt"`, `""`},
		"a plural form that was lost":                     {"msgstr[1] \"%d laivas gaida \\\"%s\\\"\\n\"\n", ""},
		"a plural form that was added":                    {"laivas gaida \\\"%s\\\"\\n\"\n", "laivas gaida \\\"%s\\\"\\n\"\nmsgstr[2] \"%d\"\n"},
		"plural forms that changed places":                {"msgstr[0] \"%d laiva ", "msgstr[0] \"%d laivas "},
		"another plural source":                           {"boats wait", "boats waits"},
		"a fuzzy flag that was lost":                      {"#, fuzzy, c-format", "#, c-format"},
		"a fuzzy flag that was added":                     {"#: src/gate.c:77\n", "#: src/gate.c:77\n#, fuzzy\n"},
		"a fuzzy header":                                  {"2024.\n#, fuzzy\n", "2024.\n"},
		"the plural rule":                                 {"n != 1", "n > 1"},
		"the number of plural forms":                      {"nplurals=2", "nplurals=3"},
		"the revision date":                               {"2024-02-03", "2031-02-03"},
		"a header field of an editor":                     {"\"X-Poedit-Basepath: ..\\n\"\n", ""},
		"a header field that was repeated":                {"\"Language: lv\\n\"\n", "\"Language: lv\\n\"\n\"Language: lv\\n\"\n"},
		"a credit that was lost":                          {"# Pēteris Krūmiņš, 2024.\n", ""},
		"credits that changed places":                     {"# Ilze Ozola <ilze@sluzas.lv>, 2021.\n# Pēteris Krūmiņš, 2024.\n", "# Pēteris Krūmiņš, 2024.\n# Ilze Ozola <ilze@sluzas.lv>, 2021.\n"},
		"a previous text that was lost":                   {"#| msgid \"Gate\"\n", ""},
		"an obsolete entry that was lost":                 {"#~ msgid \"Toll\"\n#~ msgstr \"Nodeva\"\n", ""},
		"an obsolete entry that is current":               {"#~ ", ""},
		"a reference that was repeated":                   {"src/gate.c:77", "src/gate.c:77 src/gate.c:77"},
		"a reference's line":                              {"gate.c:77", "gate.c:78"},
		"letter case in a comment":                        {"ask Ilze", "Ask Ilze"},
		"an extracted comment for a translator's":         {"#. Title", "# Title"},
		"a context that was lost":                         {"msgctxt \"menu\"\n", ""},
		"an empty context that was added":                 {"msgid \"Gate", "msgctxt \"\"\nmsgid \"Gate"},
		"a blank at the end of a source":                  {"msgid \"Open\"", "msgid \"Open \""},
		"a repeated entry":                                {open, open + "\n" + open},
		"an entry with the same key in front":             {open, strings.ReplaceAll(open, "Atvērt", "Vērt vaļā") + "\n" + open},
		"entries that changed places":                     {gate + "\n" + open, open + "\n" + gate},
		"an entry that was added":                         {open, "msgid \"Close\"\nmsgstr \"Aizvērt\"\n\n" + open},
		"prose before the file":                           {"# Ilze Ozola", "Here is the catalogue:\n# Ilze Ozola"},
		"a comment after the last entry":                  {"#~ msgstr \"Nodeva\"\n", "#~ msgstr \"Nodeva\"\n# end\n"},
		"typographic quotes inside a text":                {`laiva gaida \"%s\"`, "laiva gaida „%s”"},
		"a plural form that is there twice":               {"laiva gaida \\\"%s\\\"\\n\"\n", "laiva gaida \\\"%s\\\"\\n\"\nmsgstr[0] \"%d\"\n"},
		"a previous text that is there twice":             {"#| msgid \"Gate\"\n", "#| msgid \"Gates\"\n#| msgid \"Gate\"\n"},
		"a second translation of one entry":               {"msgstr \"Atvērt\"\n", "msgstr \"Atvērt\"\nmsgstr \"Vērt\"\n"},
		"a backslash that was lost":                       {`msgid "%d boat waits for \"%s\"\n"`, `msgid "%d boat waits for \"%s\"n"`},
		"a text cut short":                                {"\"Atvērt\"\n", "\"Atv"},
		"a line of a comment that moved to another entry": {gate + "\n" + open, strings.TrimPrefix(gate, "# ask Ilze about the paddle\n") + "\n# ask Ilze about the paddle\n" + open},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			score := New().Compare(vfs.Files{catalogueFile: sample}, change(t, edit[0], edit[1]))
			if score.Strict >= 1 || score.Strict < 0.5 {
				t.Errorf("Strict is %v", score.Strict)
			}
		})
	}
}

func TestStrictForgives(t *testing.T) {
	t.Parallel()
	for rule, edit := range map[string][2]string{
		"a text wrapped elsewhere":                   {`"Slūžas %d: "`, "\"\"\n\"Slūžas\"\n\" %d: \""},
		"header fields in another order":             {"\"Language: lv\\n\"\n\"Content-Type: text/plain; charset=UTF-8\\n\"\n", "\"Content-Type: text/plain; charset=UTF-8\\n\"\n\"Language: lv\\n\"\n"},
		"the plural rule without parentheses":        {"plural=(n != 1);", "plural=n!=1;"},
		"an encoding in lower case":                  {"charset=UTF-8", "charset=utf-8"},
		"references in another order":                {"src/gate.c:12 src/gate.c:40", "src/gate.c:40 src/gate.c:12"},
		"references on lines of their own":           {"src/gate.c:12 src/gate.c:40", "src/gate.c:12\n#: src/gate.c:40"},
		"flags in another order":                     {"fuzzy, c-format", "c-format,fuzzy"},
		"flags on lines of their own":                {"fuzzy, c-format", "fuzzy\n#, c-format"},
		"a flag that is set twice":                   {"fuzzy, c-format", "fuzzy, c-format, fuzzy"},
		"comments in another order":                  {"# ask Ilze about the paddle\n#. Title of the window.\n", "#. Title of the window.\n# ask Ilze about the paddle\n"},
		"a comment wrapped elsewhere":                {"# ask Ilze about", "# ask Ilze\n# about"},
		"empty comment lines":                        {"# ask Ilze", "#\n# ask Ilze"},
		"blank lines inside an entry":                {"msgid \"Open\"\n", "\nmsgid \"Open\"\n\n"},
		"no blank line between entries":              {"\n\n#: src/gate", "\n#: src/gate"},
		"blanks around a text":                       {"msgstr \"Atvērt\"", "  msgstr   \"Atvērt\"  "},
		"no blank after the marker of a reference":   {"#: src/gate.c:77", "#:src/gate.c:77"},
		"no blank after the marker of a comment":     {"# ask", "#ask"},
		"no blank after the marker of flags":         {"#, fuzzy, c", "#,fuzzy, c"},
		"a reference between source and translation": {"#: src/gate.c:77\nmsgctxt \"menu\"\nmsgid \"Open\"\n", "msgctxt \"menu\"\nmsgid \"Open\"\n#: src/gate.c:77\n"},
		"quotes that are not escaped":                {`laiva gaida \"%s\"`, `laiva gaida "%s"`},
		"typographic quotes around a text":           {`"Atvērt"`, "“Atvērt”"},
		"single quotes around a text":                {`"Atvērt"`, "'Atvērt'"},
		"a closing quote that is missing":            {`"Atvērt"`, `"Atvērt`},
		"a code fence":                               {"# Ilze Ozola", "```po\n# Ilze Ozola"},
		"a byte order mark":                          {"# Ilze Ozola", "\ufeff# Ilze Ozola"},
		"CRLF":                                       {"\n", "\r\n"},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			reference := vfs.Files{catalogueFile: sample}
			candidate := change(t, edit[0], edit[1])
			if score := New().Compare(reference, candidate); score.Strict != 1 {
				t.Errorf("Strict is %v: %v", score.Strict, New().Differences(reference, candidate))
			}
		})
	}
}

func TestStrictReadsFilesOfAnyNameAndNumber(t *testing.T) {
	t.Parallel()
	reference := vfs.Files{catalogueFile: sample}
	header, entries, _ := strings.Cut(sample, "\n\n")
	first, rest, _ := strings.Cut(entries, "\n\n")
	for rule, c := range map[string]struct {
		candidate vfs.Files
		want      []string
	}{
		"another name":              {vfs.Files{"lv_LV.pot": sample}, nil},
		"two files with the header": {vfs.Files{"a.po": header + "\n\n" + first, "b.po": header + "\n\n" + rest}, nil},
		"a second file with part of it": {vfs.Files{
			"a.po": header + "\n\n" + first,
			"b.po": "msgid \"\"\nmsgstr \"Language: lv\\n\"\n\n" + rest,
		}, nil},
		"a second file that contradicts": {vfs.Files{
			"a.po": header + "\n\n" + first,
			"b.po": "msgid \"\"\nmsgstr \"Language: lt\\n\"\n\n" + rest,
		}, []string{"header field Language: added (Language | lt)"}},
		"a name that gettext does not know": {vfs.Files{"pl.txt": sample}, []string{"pl.txt: added (pl.txt)"}},
	} {
		var got []string
		for _, d := range New().Differences(reference, c.candidate) {
			got = append(got, d.String())
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", rule, diff)
		}
	}
}

func TestStrictFallsInProportion(t *testing.T) {
	t.Parallel()
	seed := domaintest.Seed(t, "translation1")
	one := vfs.Files{catalogueFile: strings.Replace(seed[catalogueFile], "%d ramki czerwiu", "%d ramek czerwiu", 1)}
	score := New().Compare(seed, one)
	if score.Strict < 0.99 || score.Strict >= 1 {
		t.Errorf("one wrong form in 67 entries leaves Strict at %v", score.Strict)
	}
	want := []domains.Difference{{
		Kind: domains.Changed, Where: `"%d frame of brood", translation 1`, Was: "%d ramki czerwiu", Is: "%d ramek czerwiu",
	}}
	if diff := cmp.Diff(want, New().Differences(seed, one)); diff != "" {
		t.Error(diff)
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
		if diff := cmp.Diff(c[1], published.Repaired(c[0])); diff != "" {
			t.Errorf("%s: %s", rule, diff)
		}
	}
	const slip = "msgid \"a\"\nmsgstr \"b \"c\"\"\n"
	files := vfs.Files{"a.po": slip}
	if score := New().Compare(files, files); score.Elements.Reference != 0 || score.Elements.Candidate != 1 {
		t.Errorf("%+v: only the candidate is repaired", score.Elements)
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
