package fiction

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	published "agentd/domains/published/fiction"
	"agentd/vfs"
)

const ferry = `The Ledger

"You are late," said Ilse Varga. “The clock isn’t going.”

Osric wrote it down: one clock, dead. Then he rubbed the word out --
with his thumb -- and wrote nothing for 9 days.

* * *

In the middle of the river the pole found no bottom. Osric
counted to twenty, as his father had, and nobody said a word.
`

func ferryWith(t *testing.T, pairs ...string) vfs.Files {
	t.Helper()
	text := ferry
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(text, pairs[i]) {
			t.Fatalf("the story has no %q", pairs[i])
		}
		text = strings.ReplaceAll(text, pairs[i], pairs[i+1])
	}
	return vfs.Files{"ledger.txt": text}
}

func TestStrictSees(t *testing.T) {
	t.Parallel()
	const second = "In the middle of the river the pole found no bottom. Osric\ncounted to twenty, as his father had, and nobody said a word.\n"
	for rule, pairs := range map[string][]string{
		"a lost paragraph":        {second, ""},
		"a paragraph twice":       {second, second + "\n" + second},
		"an invented paragraph":   {second, second + "\nThey never spoke of it.\n"},
		"a lost word":             {"one clock, dead", "one clock"},
		"an added word":           {"one clock, dead", "one old clock, dead"},
		"another word":            {"one clock, dead", "one clock, resting"},
		"a name":                  {"Ilse", "Ilsa"},
		"a number":                {"9 days", "6 days"},
		"a number in words":       {"twenty", "thirty"},
		"letter case":             {"In the middle", "in the middle"},
		"punctuation":             {"late,", "late"},
		"lost quotes":             {"“The clock isn’t going.”", "The clock isn’t going."},
		"an apostrophe":           {"isn’t", "isnt"},
		"two paragraphs in one":   {"going.”\n\nOsric", "going.”\nOsric"},
		"one paragraph in two":    {"dead. Then", "dead.\n\nThen"},
		"a lost scene break":      {"* * *\n\n", ""},
		"another scene break":     {"* * *", "#"},
		"the title":               {"The Ledger", "A Ledger"},
		"the order of words":      {"one clock, dead", "dead one clock,"},
		"words of a model":        {"The Ledger", "Here is the story:\n\nThe Ledger"},
		"emphasis":                {"nothing", "*nothing*"},
		"the order of paragraphs": {second, "", "The Ledger\n", "The Ledger\n\n" + second},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			candidate := ferryWith(t, pairs...)
			score := New().Compare(ferryWith(t), candidate)
			if score.Strict >= 1 || score.Strict < 0.6 {
				t.Errorf("Strict is %v: %v", score.Strict, New().Differences(ferryWith(t), candidate))
			}
		})
	}
}

func TestStrictForgives(t *testing.T) {
	t.Parallel()
	for rule, pairs := range map[string][]string{
		"other line breaks":      {"Osric\ncounted", "Osric counted", "to twenty", "to\ntwenty"},
		"more blank lines":       {"\n\n", "\n\n\n"},
		"blanks":                 {" river ", "   river "},
		"blanks at the end":      {"\n", "  \n"},
		"indentation":            {"\nIn the", "\n    In the"},
		"line ends":              {"\n", "\r\n"},
		"straight quotes":        {"“", `"`, "”", `"`, "’", "'"},
		"curly quotes":           {`"You`, "“You", `late,"`, "late,”"},
		"dashes":                 {"--", "—"},
		"a code fence":           {ferry, "```text\n" + ferry + "```\n"},
		"no newline at the end":  {"a word.\n", "a word."},
		"a byte order mark":      {"The Ledger", "\ufeffThe Ledger"},
		"a blank that is wider":  {"The Ledger", "The\u00a0Ledger"},
		"a blank line of blanks": {"\n\nIn", "\n \t\nIn"},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			candidate := ferryWith(t, pairs...)
			if score := New().Compare(ferryWith(t), candidate); score.Strict != 1 {
				t.Errorf("Strict is %v: %v", score.Strict, New().Differences(ferryWith(t), candidate))
			}
		})
	}
}

func TestStrictReadsAllFilesAsOneStory(t *testing.T) {
	t.Parallel()
	at := strings.Index(ferry, "Osric wrote")
	for rule, c := range map[string]struct {
		files vfs.Files
		same  bool
	}{
		"another name":             {vfs.Files{"out/story.md": ferry}, true},
		"a second part":            {vfs.Files{"story.txt": ferry[:at], "part2.txt": ferry[at:]}, true},
		"two files":                {vfs.Files{"1.txt": ferry[:at], "2.txt": ferry[at:]}, true},
		"files in the other order": {vfs.Files{"2.txt": ferry[:at], "1.txt": ferry[at:]}, false},
		"the story twice":          {vfs.Files{"1.txt": ferry, "2.txt": ferry}, false},
		"a file of book-keeping":   {vfs.Files{"1.txt": ferry, "cast.csv": "code,name\n"}, false},
	} {
		if score := New().Compare(ferryWith(t), c.files); (score.Strict == 1) != c.same {
			t.Errorf("%s: Strict is %v: %v", rule, score.Strict, New().Differences(ferryWith(t), c.files))
		}
	}
}

// Damage costs what it touches, of the words of the story; that a paragraph begins
// counts like a word.
func TestDamageCostsInProportion(t *testing.T) {
	t.Parallel()
	words := float64(len(strings.Fields(ferry)))
	const said = "\n\n\"You are late,\" said Ilse Varga. “The clock isn’t going.”"
	for name, c := range map[string]struct {
		pairs []string
		want  float64
	}{
		"a lost word":              {[]string{"the word out", "the out"}, 1 - 1/words},
		"another word":             {[]string{"twenty", "thirty"}, 1 - 1/words},
		"an unlike word":           {[]string{"bottom", "xyz"}, 1 - 2/(words+1)},
		"an added word":            {[]string{"one clock", "one old clock"}, 1 - 1/(words+1)},
		"a break between":          {[]string{"dead. Then", "dead.\n\nThen"}, 1 - 1/(words+6)},
		"a lost paragraph":         {[]string{said, ""}, (1 - 10/words) * (1 - 1/(words+5))},
		"a paragraph moved":        {[]string{said, "", "9 days.", "9 days." + said}, 1 - 0.5*10/words},
		"a moved, changed passage": {[]string{said, "", "9 days.", "9 days." + strings.Replace(said, "late", "early", 1)}, 1 - (0.5*9+1)/words},
	} {
		candidate := ferryWith(t, c.pairs...)
		if got := New().Compare(ferryWith(t), candidate).Strict; math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s: %v, want %v: %v", name, got, c.want, New().Differences(ferryWith(t), candidate))
		}
	}
}

func TestDifferencesAreNamedByParagraph(t *testing.T) {
	t.Parallel()
	candidate := ferryWith(t, "Varga", "Vargo", "rubbed the word out", "rubbed the out", "9 days", "9 long days", "said a word.", "said a word.\n\nThe end.")
	want := []string{
		"paragraph 2, word 8: Varga. -> Vargo.",
		"paragraph 3: lost (word)",
		"paragraph 3 of the copy: added (long)",
		"paragraph 6 of the copy: added (The)",
		"paragraph 6 of the copy: added (end.)",
		"paragraph 6 of the copy: added (a paragraph of its own)",
	}
	var got []string
	for _, d := range New().Differences(ferryWith(t), candidate) {
		got = append(got, d.String())
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestTheRestOfALongStoryCounts(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("word ", published.MostWords) + "\n\nthe end of it\n\nand more\n"
	whole := storyFiles(long)
	if score := New().Compare(whole, whole); score.Strict != 1 {
		t.Errorf("Strict of a long story against itself is %v", score.Strict)
	}
	for _, other := range []string{"an end of it", ""} {
		if score := New().Compare(whole, storyFiles(strings.Replace(long, "the end of it", other, 1))); score.Strict >= 1 {
			t.Errorf("Strict is %v without the end", score.Strict)
		}
	}
}
