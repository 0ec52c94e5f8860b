package treebank

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"agentd/domains"
	"agentd/domains/domaintest"
	published "agentd/domains/published/treebank"
	"agentd/vfs"
)

const document = "tilting_talk.conllu"

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "treebank1") }

func TestSuite(t *testing.T) {
	t.Parallel()
	domaintest.Suite{
		Domain:   demonstration(t),
		Seed:     domaintest.Seed(t, "treebank1"),
		Generate: rapid.Custom(generate),
	}.Run(t)
}

// generate draws a treebank with the habits of one annotation project.
func generate(t *rapid.T) vfs.Files {
	series := rapid.SampledFrom([]string{"doc-", "GUM_court-", "s", ""}).Draw(t, "series of sentence IDs")
	hasEnhanced := rapid.Bool().Draw(t, "has enhanced dependencies")
	var b strings.Builder
	if rapid.Bool().Draw(t, "declares its columns") {
		b.WriteString("# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC\n")
	}
	first := rapid.IntRange(1, 98).Draw(t, "first sentence")
	for n := range rapid.IntRange(1, 7).Draw(t, "sentences") {
		if series != "" {
			fmt.Fprintf(&b, "# sent_id = %s%d\n", series, first+n)
		}
		for _, comment := range rapid.SliceOfNDistinct(sentenceComment, 0, 4, rapid.ID).Draw(t, "comments") {
			b.WriteString("# " + comment + "\n")
		}
		generateTokens(t, &b, hasEnhanced)
		b.WriteString(rapid.SampledFrom([]string{"\n", "\n", "\n\n"}).Draw(t, "end of sentence"))
	}
	content := b.String()
	if rapid.IntRange(0, 5).Draw(t, "from Windows") == 0 {
		content = strings.ReplaceAll(content, "\n", "\r\n")
	}
	return vfs.Files{document: content}
}

var sentenceComment = rapid.SampledFrom([]string{
	"newpar", "newdoc id = letters-3", "newdoc", "meta::genre = a = b", "speaker = Judge", "speaker = Ms. O'Dea",
	"speaker =", "text = Anna said: où est Šárka?", "text_en = Where is Anna?", "checked twice", "# two hashes", "x=y",
})

// generateTokens draws the words of a sentence, with a tree, and with multiword
// tokens and empty nodes here and there.
func generateTokens(t *rapid.T, b *strings.Builder, hasEnhanced bool) {
	words := rapid.IntRange(1, 9).Draw(t, "words")
	root := rapid.IntRange(1, words).Draw(t, "root")
	covered := 0
	for id := 1; id <= words; id++ {
		head, relation := 0, "root"
		if id != root {
			head, relation = root, rapid.SampledFrom([]string{"nsubj", "obl:tmod", "punct", "_"}).Draw(t, "relation")
			if before := rapid.IntRange(0, id-1).Draw(t, "head"); before > 0 && before != root {
				head = before
			}
		}
		if id < words && covered < id && rapid.IntRange(0, 4).Draw(t, "multiword") == 0 {
			covered = id + 1
			fmt.Fprintf(b, "%d-%d\tŠárka's\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n", id, covered)
		}
		deps := "_"
		if hasEnhanced {
			deps = fmt.Sprintf("%d:%s", head, strings.Trim(relation, "_")+"x|0:ref")
		}
		w := rapid.SampledFrom(lexicon).Draw(t, "word")
		misc := rapid.SampledFrom([]string{"_", "_", "SpaceAfter=No", "Gloss=a b|Lang=cs", "Note"}).Draw(t, "misc")
		fmt.Fprintf(b, "%d\t%s\t%d\t%s\t%s\t%s\n", id, w, head, relation, deps, misc)
		if hasEnhanced && rapid.IntRange(0, 6).Draw(t, "empty node") == 0 {
			fmt.Fprintf(b, "%d.1\tgave\tgive\tVERB\t_\t_\t_\t_\t0:root\tCopyOf=%d\n", id, root)
		}
	}
}

// lexicon has words with their first columns after the ID.
var lexicon = []string{
	"Anna\tAnna\tPROPN\tNNP\tNumber=Sing", "Šárka\tŠárka\tPROPN\t_\t_", "Anna\tHanna\tPROPN\tNNP\t_",
	"said\tsay\tVERB\tVBD\tTense=Past|Mood=Ind", "Go\tgo\tVERB\tVB\tMood=Imp|VerbForm=Fin", "?\t?\tPUNCT\t.\t_",
	",\t,\tPUNCT\t,\t_", "_\t_\tSYM\t_\t_", "10 000\t10 000\tNUM\tCD\tNumType=Card", "où\toù\tADV\t_\tPronType=Int,Rel",
	"'s\t's\tPART\tPOS\t_", "#\t#\tSYM\t#\t_", "|\t|\tPUNCT\t:\t_", "GLASS\tglass\tNOUN\tNN\tTypo=Yes|Abbr=Yes",
}

// permit is a treebank of two sentences, columns divided by blanks for
// legibility.
var permit = tabbed(`
# newdoc id = permit
# sent_id = permit-1
# speaker = Clerk
# text = Anna's permit, and Anna's fee?
1-2 Anna's _ _ _ _ _ _ _ _
1 Anna Anna PROPN NNP Number=Sing 3 nmod:poss 3:nmod:poss _
2 's 's PART POS _ 1 case 1:case _
3 permit permit NOUN NN Number=Sing 0 root 0:root SpaceAfter=No
4 , , PUNCT , _ 8 punct 8:punct _
5 and and CCONJ CC _ 8 cc 8:cc _
6-7 Anna's _ _ _ _ _ _ _ _
6 Anna Anna PROPN NNP Number=Sing 8 nmod:poss 8:nmod:poss _
7 's 's PART POS _ 6 case 6:case _
8 fee fee NOUN NN Number=Sing 3 conj 3:conj:and SpaceAfter=No
9 ? ? PUNCT . _ 3 punct 3:punct _

# newpar
# sent_id = permit-2
# speaker = Boris
# text = Pay Mills, Boris you.
1 Pay pay VERB VB Mood=Imp|VerbForm=Fin 0 root 0:root _
2 Mills Mills PROPN NNP Number=Sing 1 obj 1:obj SpaceAfter=No
3 , , PUNCT , _ 4 punct 4.1:punct _
4 Boris Boris PROPN NNP Number=Sing 1 conj 4.1:nsubj _
4.1 pays pay VERB VBZ _ _ _ 1:conj CopyOf=1
5 you you PRON PRP _ 4 orphan 4.1:obj SpaceAfter=No
6 . . PUNCT . _ 1 punct 1:punct _
`)

// tabbed writes tabs for the blanks in lines that are no comments.
func tabbed(text string) string {
	lines := strings.Split(strings.TrimPrefix(text, "\n"), "\n")
	for i, line := range lines {
		if !strings.HasPrefix(line, "#") {
			lines[i] = strings.ReplaceAll(line, " ", "\t")
		}
	}
	return strings.Join(lines, "\n") + "\n"
}

// altered is permit with one passage replaced; both are written with blanks for
// tabs.
func altered(t *testing.T, was, is string) string {
	t.Helper()
	return replaced(t, permit, strings.TrimPrefix(tabbed(was), "\n"), tabbed(is))
}

func replaced(t *testing.T, text, was, is string) string {
	t.Helper()
	was, is = strings.TrimSuffix(was, "\n"), strings.TrimSuffix(is, "\n")
	if strings.Count(text, was) != 1 {
		t.Fatalf("%q stands %d times in\n%s", was, strings.Count(text, was), text)
	}
	return strings.Replace(text, was, is, 1)
}

func sentencesOf(text string) (first, second string) {
	at := strings.Index(text, "# newpar")
	return text[:at], text[at:]
}

func TestStrictSeesWhatRSForgives(t *testing.T) {
	t.Parallel()
	first, second := sentencesOf(permit)
	const words, others = 15., 5. // two sentences, two multiword tokens and an empty node
	field := func(of float64) float64 { return 1 - 1/of/words }
	other := func(damage float64) float64 { return 1 - damage/(words+others) }
	for rule, c := range map[string]struct {
		candidate     string
		least, strict float64 // the least RS, the exact Strict or 0
	}{
		"enhanced dependencies blanked":     {altered(t, "case 1:case", "case _"), 1, field(9)},
		"a new enhanced dependency":         {altered(t, "4 orphan 4.1:obj", "4 orphan 4.1:obj|4.1:obl"), 1, field(10)},
		"SpaceAfter=No removed":             {altered(t, "4.1:obj SpaceAfter=No", "4.1:obj _"), 1, field(10)},
		"a lemma's letter case":             {altered(t, "2 Mills Mills", "2 Mills mills"), 1, field(11)},
		"a head":                            {altered(t, "_ 8 cc", "_ 7 cc"), 0.98, field(9)},
		"a feature's value":                 {altered(t, "Mood=Imp", "Mood=Ind"), 0.98, field(10)},
		"a malformed head":                  {altered(t, "_ 8 cc", "_ x cc"), 0.1, field(9)},
		"a malformed ID":                    {altered(t, "5 and and", "5. and and"), 0.1, field(9)},
		"a word lost":                       {altered(t, "5 and and CCONJ CC _ 8 cc 8:cc _\n", ""), 0.9, 1 - 1/words},
		"a word added":                      {permit[:len(permit)-1] + tabbed("7 . . PUNCT . _ 1 punct _ _"), 1, words / (words + 1)},
		"a word twice":                      {altered(t, "5 and and CCONJ CC _ 8 cc 8:cc _\n", "5 and and CCONJ CC _ 8 cc 8:cc _\n5 and and CCONJ CC _ 8 cc 8:cc _\n"), 1, words / (words + 1)},
		"two words changed places":          {altered(t, "1 Anna Anna PROPN NNP Number=Sing 3 nmod:poss 3:nmod:poss _\n2 's 's PART POS _ 1 case 1:case _", "2 's 's PART POS _ 1 case 1:case _\n1 Anna Anna PROPN NNP Number=Sing 3 nmod:poss 3:nmod:poss _"), 1, 1 - 0.5/words},
		"a multiword token removed":         {altered(t, "6-7 Anna's _ _ _ _ _ _ _ _\n", ""), 1, other(1)},
		"a multiword token of other form":   {altered(t, "6-7 Anna's", "6-7 Annas"), 1, other(1. / 4)},
		"an empty node removed":             {altered(t, "4.1 pays pay VERB VBZ _ _ _ 1:conj CopyOf=1\n", ""), 1, other(1)},
		"an empty node as a word":           {altered(t, "4.1 pays pay", "7 pays pay"), 1, 0},
		"a document's mark removed":         {replaced(t, permit, "# newdoc id = permit\n", ""), 1, other(1. / 4)},
		"a paragraph's mark removed":        {replaced(t, permit, "# newpar\n", ""), 1, other(1. / 4)},
		"a comment added":                   {replaced(t, permit, "# speaker = Clerk", "# speaker = Clerk\n# checked = no"), 1, other(1. / 5)},
		"a comment without a value removed": {replaced(t, permit, "# newpar\n", "# new par\n"), 1, 0},
		"another speaker":                   {replaced(t, permit, "= Clerk", "= Judge"), 0.98, other(1. / 4)},
		"a text that lost its question":     {replaced(t, permit, "fee?", "fee."), 0.99, other(1. / 4)},
		"another sentence ID":               {replaced(t, permit, "permit-2", "permit-3"), 0.98, 0},
		"sentences in another order":        {second + first, 0.95, 0},
		"a sentence twice":                  {permit + second, 1, words / (words + 6) * (1 - 2/(words+6+others+2))},
		"a sentence lost":                   {first, 0.2, 9 / words * (1 - 2/(words+others))},
		"a sentence broken in two":          {altered(t, "\n3 permit", "\n\n3 permit"), 0.1, 0},
		"two sentences run together":        {strings.Replace(permit, "\n\n# newpar", "\n# newpar", 1), 0.1, 0},
		"prose above":                       {"Here is the treebank:\n\n" + permit, 0, 1 - 1/(words+others+1)},
		"prose within a sentence":           {replaced(t, permit, "# newpar\n", "# newpar\nNote: imperative\n"), 0.1, 1 - 1/(words+others+1)},
		"an eleventh column":                {altered(t, "_ 8 cc 8:cc _", "_ 8 cc 8:cc _ new"), 0.1, field(10)},
		"features gone with two columns":    {altered(t, "1 Pay pay VERB VB Mood=Imp|VerbForm=Fin 0", "1 Pay pay VERB VB 0"), 0, 0},
		"the last columns gone":             {regexp.MustCompile(`(?m)(\t[^\t\n]+){2}$`).ReplaceAllString(permit, ""), 1, 0},
		"a word cut off after its form":     {permit[:strings.Index(permit, "\tyou\tPRON")], 0, 0},
		"an unrelated text":                 {"The permit was paid on Tuesday, Boris says.\n", 0, 0},
		"nothing":                           {"", 0, 0},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			reference, candidate := vfs.Files{"permit.conllu": permit}, vfs.Files{"permit.conllu": c.candidate}
			score := New().Compare(reference, candidate)
			if score.RS < c.least {
				t.Errorf("Value %.4f, want at least %.4f", score.RS, c.least)
			}
			if c.strict != 0 && math.Abs(score.Strict-c.strict) > 1e-9 || score.Strict == 1 {
				t.Errorf("Strict %.6f, want %.6f: %v", score.Strict, c.strict, New().Differences(reference, candidate))
			}
		})
	}
}

func TestStrictForgivesWhatCarriesNothing(t *testing.T) {
	t.Parallel()
	first, second := sentencesOf(permit)
	columns := func(rewrite func(cells []string) []string) vfs.Files {
		lines := strings.Split(permit, "\n")
		for i, line := range lines {
			if cells := strings.Split(line, "\t"); len(cells) == published.ColumnCount {
				lines[i] = strings.Join(rewrite(cells), "\t")
			}
		}
		return vfs.Files{"permit.conllu": strings.Join(lines, "\n")}
	}
	for rule, candidate := range map[string]vfs.Files{
		"another file name":       {"license.conllu": permit},
		"another extension":       {"permit.txt": permit},
		"two files":               {"a.conllu": first, "b.conllu": second},
		"two files named askew":   {"boris.conllu": second, "clerk.conllu": first},
		"a code fence":            {"permit.conllu": "```conllu\n" + permit + "```\n"},
		"a byte order mark":       {"permit.conllu": "\ufeff" + permit},
		"Windows line ends":       {"permit.conllu": strings.ReplaceAll(permit, "\n", "\r\n")},
		"more blank lines":        {"permit.conllu": "\n" + strings.ReplaceAll(permit, "\n\n", "\n\n \n\n")},
		"no blank line at end":    {"permit.conllu": strings.TrimRight(permit, "\n")},
		"blanks at line ends":     {"permit.conllu": strings.ReplaceAll(permit, "\n", "  \n")},
		"tabs as double blanks":   {"permit.conllu": strings.ReplaceAll(permit, "\t", "  ")},
		"tabs as single blanks":   {"permit.conllu": strings.ReplaceAll(permit, "\t", " ")},
		"columns aligned":         columns(func(c []string) []string { c[1] += "   "; c[6] = " " + c[6]; return c }),
		"features in other order": {"permit.conllu": altered(t, "Mood=Imp|VerbForm=Fin", "VerbForm=Fin|Mood=Imp")},
		"comments in other order": {"permit.conllu": replaced(t, permit, "# newdoc id = permit\n# sent_id = permit-1", "# sent_id = permit-1\n# newdoc id = permit")},
		"comments below":          {"permit.conllu": strings.TrimSuffix(strings.Replace(permit, "# newpar\n", "", 1), "\n") + "# newpar\n"},
		"comments without blanks": {"permit.conllu": strings.ReplaceAll(strings.ReplaceAll(permit, "# ", "#"), " = ", "=")},
		"decimal heads": columns(func(c []string) []string {
			c[published.ColHead] = strings.Replace(c[published.ColHead]+".0", "_.0", "_", 1)
			return c
		}),
		"a tag column too many": columns(func(c []string) []string { return append(c[:5:5], append([]string{c[3]}, c[5:]...)...) }),
		"a trailing tab":        columns(func(c []string) []string { return append(c, "") }),
		"empty MISC":            columns(func(c []string) []string { c[9] = strings.Replace(c[9], "_", "", 1); return c }),
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			reference := vfs.Files{"permit.conllu": permit}
			if score := New().Compare(reference, candidate); score.Strict != 1 {
				t.Errorf("Strict %.4f: %v", score.Strict, New().Differences(reference, candidate))
			}
		})
	}
}

func TestDifferencesNameTheWord(t *testing.T) {
	t.Parallel()
	for candidate, want := range map[string]string{
		altered(t, "_ 8 cc", "_ 7 cc"):                                  "permit-1: 5 and, head: 8 -> 7",
		altered(t, "5 and and CCONJ CC _ 8 cc 8:cc _\n", ""):            "permit-1: 5 and: lost (permit-1 | 5 | and | and | CCONJ | CC | 8 | cc | 8:cc)",
		altered(t, "6-7 Anna's", "6-7 Annas"):                           "permit-1: 6-7 Anna's, form: Anna's -> Annas",
		replaced(t, permit, "# speaker = Boris", "# speaker = The boy"): "sentence permit-2, speaker: Boris -> The boy",
	} {
		var got []string
		for _, d := range New().Differences(vfs.Files{"a": permit}, vfs.Files{"a": candidate}) {
			got = append(got, d.String())
		}
		if diff := cmp.Diff([]string{want}, got); diff != "" {
			t.Error(diff)
		}
	}
}

func TestSentencesOfSeveralFilesAreInterleaved(t *testing.T) {
	t.Parallel()
	file := func(ids ...string) string {
		return "# sent_id = " + strings.Join(ids, "\n\n# sent_id = ") + "\n"
	}
	for rule, c := range map[string]struct {
		files vfs.Files
		want  string
	}{
		"by the number at the end":           {vfs.Files{"a": file("t-9", "t-11"), "b": file("t-2", "t-10")}, "t-2 t-9 t-10 t-11"},
		"leading zeros say nothing":          {vfs.Files{"a": file("t010"), "b": file("t9")}, "t9 t010"},
		"a series of its own follows":        {vfs.Files{"a": file("z-1", "z-2"), "b": file("a-1")}, "z-1 z-2 a-1"},
		"a file's own order is kept":         {vfs.Files{"a": file("t-5", "t-1"), "b": file("t-3")}, "t-3 t-5 t-1"},
		"without numbers in order of names":  {vfs.Files{"b": file("x"), "a": file("y")}, "y x"},
		"one file is never put in order":     {vfs.Files{"a": file("t-2", "t-1")}, "t-2 t-1"},
		"files without sentences are passed": {vfs.Files{"a": "", "b": file("x")}, "x"},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, s := range interleave(readAll(c.files)) {
				got = append(got, s.id())
			}
			if diff := cmp.Diff(c.want, strings.Join(got, " ")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestWithoutKeepsWhatStillHasAWord(t *testing.T) {
	t.Parallel()
	const anna = "1 Anna Anna PROPN NNP Number=Sing 3 nmod:poss 3:nmod:poss _\n"
	leave := func(numbers ...int) vfs.Files {
		return New().Without(vfs.Files{"p.conllu": permit, "notes.md": "1 note\n"}, func(n int) bool {
			return slices.Contains(numbers, n)
		})
	}
	first, _ := sentencesOf(permit)
	for rule, c := range map[string]struct {
		numbers []int
		want    string
	}{
		"nothing left out":                  {nil, permit},
		"one word of a multiword token":     {[]int{0}, altered(t, anna, "")},
		"a multiword token goes with words": {[]int{0, 1}, altered(t, "1-2 Anna's _ _ _ _ _ _ _ _\n"+anna+"2 's 's PART POS _ 1 case 1:case _\n", "")},
		"a sentence goes with its words":    {[]int{9, 10, 11, 12, 13, 14}, first},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			want := vfs.Files{"p.conllu": c.want, "notes.md": "1 note\n"}
			if diff := cmp.Diff(want, leave(c.numbers...)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestStatistics(t *testing.T) {
	t.Parallel()
	got, err := New().Statistics(vfs.Files{"b.conllu": permit, "a.CONLLU": permit, "notes.md": "x"})
	if err != nil {
		t.Fatal(err)
	}
	want := domains.Stats{Elements: 15, Counts: []domains.Count{
		{Name: "Sentences", Value: "2"}, {Name: "Tokens", Value: "15"}, {Name: "Speakers", Value: "2"},
		{Name: "POS Tags", Value: "7"}, {Name: "Dep Rels", Value: "8"},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func FuzzCompare(f *testing.F) {
	domaintest.Fuzz(f, demonstration(f), vfs.Files{document: permit})
}

func BenchmarkCompare(b *testing.B) {
	domaintest.BenchmarkCompare(b, New(), domaintest.Seed(b, "treebank1"))
}

// TestPublishedScore has the arithmetic of the published score on candidates
// for permit, which has 9 and 6 words.
func TestPublishedScore(t *testing.T) {
	t.Parallel()
	first, second := sentencesOf(permit)
	for rule, c := range map[string]struct {
		candidate string
		want      float64
	}{
		"a head is worth a fifth of its word":        {altered(t, "_ 8 cc", "_ 7 cc"), 1 - 0.20/15},
		"a form a tenth":                             {altered(t, "5 and and", "5 und and"), 1 - 0.10/15},
		"a lemma 0.08":                               {altered(t, "5 and and", "5 and und"), 1 - 0.08/15},
		"the case of a lemma nothing":                {altered(t, "5 and and", "5 and AND"), 1},
		"a universal tag 0.15":                       {altered(t, "CCONJ CC _ 8", "SCONJ CC _ 8"), 1 - 0.15/15},
		"a tag of the language 0.07":                 {altered(t, "CCONJ CC _ 8", "CCONJ IN _ 8"), 1 - 0.07/15},
		"a relation 0.15":                            {altered(t, "_ 8 cc", "_ 8 mark"), 1 - 0.15/15},
		"features a tenth, by their likeness":        {altered(t, "Mood=Imp|", "Mood=Ind|"), 1 - 0.10*(1-38./42)/15},
		"a speaker a third of a tenth of a sentence": {strings.Replace(permit, "Boris\n#", "Ben\n#", 1), 1 - 0.10/3/2},
		"order a twentieth":                          {second + first, 0.95},
		"a word lost is lost":                        {altered(t, "5 and and CCONJ CC _ 8 cc 8:cc _\n", ""), 14. / 15},
		"a sentence lost counts twice":               {first, 9. / 15 / 2},
		"a pair with a word without lemma breaks it": {permit[:strings.Index(permit, "\tyou\tPRON")], 0},
		"another word without lemma does not":        {permit + "# text = x\n7\tx\n", 1},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			score := New().Compare(vfs.Files{"a.conllu": permit}, vfs.Files{"a.conllu": c.candidate})
			if diff := score.RS - c.want; diff > 1e-9 || diff < -1e-9 {
				t.Errorf("Value %.6f, want %.6f: %v", score.RS, c.want, score.Components)
			}
			if (score.Problem != "") != (c.want == 0) {
				t.Errorf("Value %v with problem %q", score.RS, score.Problem)
			}
		})
	}
}

func TestHostileInputGivesAScoreAndAReason(t *testing.T) {
	t.Parallel()
	inputs := domaintest.Hostile()
	inputs["a megabyte of prose"] = strings.Repeat("I have merged the files.\n", 40_000)
	inputs["a head that overflows"] = "1\ta\ta\tX\t_\t_\t1e999\tdep\t_\t_\n"
	for name, content := range inputs {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			score := New().Compare(vfs.Files{"a.conllu": permit}, vfs.Files{"a.conllu": content})
			if score.RS != 0 || score.Strict > 0.2 || score.Problem == "" {
				t.Errorf("Value %v, Strict %v, problem %q", score.RS, score.Strict, score.Problem)
			}
		})
	}
}
