package foodmenu

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/domains/domaintest"
	"agentd/vfs"
)

// harbor is a menu with all that the format has.
const harbor = `========================================
  HARBOR GRILL
========================================

Location: 9 Water Street
Date: 1971-05-02

----------------------------------------

--- STARTERS ---

  CLAM CHOWDER our own, with crackers          $1.25  [Sh] [D] [G]
  Shrimp Cocktail                              $2.10  [Sh]
  Hearts of Celery, 1970                       $0.60  (VG)

--- STEAKS & CHOPS ---

  With baked potato and salad.

  T-BONE STEAK sixteen ounces                  $6.50
  Lamb Chops, two                              $5.75
  Captain's Platter                            $7.25 / $13.50  [F] [Sh]

--- BAR ---

  Old Fashioned                                $1.10  (A)
  Whiskey Sour                                 $1.10  (A) [E]
      in the bar only

----------------------------------------

ALLERGEN LEGEND
[Sh] Shellfish   [D] Dairy   [G] Gluten
(A) Contains alcohol
Open until eleven.
`

func harborWith(t *testing.T, pairs ...string) vfs.Files {
	t.Helper()
	text := harbor
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(text, pairs[i]) {
			t.Fatalf("the menu has no %q", pairs[i])
		}
		text = strings.ReplaceAll(text, pairs[i], pairs[i+1])
	}
	return vfs.Files{"harbor.txt": text}
}

func TestStrictSees(t *testing.T) {
	t.Parallel()
	const shrimp = "  Shrimp Cocktail                              $2.10  [Sh]\n"
	const celery = "  Hearts of Celery, 1970                       $0.60  (VG)\n"
	for rule, pairs := range map[string][]string{
		"a lost item":                  {shrimp, ""},
		"a repeated item":              {shrimp, shrimp + shrimp},
		"an invented item":             {shrimp, shrimp + "  Oysters  $3.00\n"},
		"one priced without cents":     {shrimp, shrimp + "  Oysters  $3\n"},
		"the order of items":           {shrimp + celery, celery + shrimp},
		"an item in the next section":  {"\n--- STEAKS & CHOPS ---\n", "", "  T-BONE", "--- STEAKS & CHOPS ---\n\n  T-BONE"},
		"five cents":                   {"$2.10", "$2.15"},
		"digits that changed places":   {"$6.50", "$5.60"},
		"a decimal point":              {"$6.50", "$65.00"},
		"another currency":             {"$6.50", "€6.50"},
		"a second price":               {" / $13.50", ""},
		"a year in a name":             {"1970", "1971"},
		"a word of a name":             {"Lamb", "Pork"},
		"a description":                {"our own, with crackers", "our own, with croutons"},
		"a description that is gone":   {" our own, with crackers", ""},
		"a code":                       {"$2.10  [Sh]", "$2.10"},
		"another code":                 {"[D] [G]\n  Sh", "[E] [G]\n  Sh"},
		"a code in small letters":      {"$2.10  [Sh]", "$2.10  [sh]"},
		"an invented code":             {"Lamb Chops, two                              $5.75", "Lamb Chops, two  $5.75 [D]"},
		"a mark":                       {"(VG)", "(V)"},
		"marks in one":                 {"(A) [E]", "(AE)"},
		"the name of a section":        {"--- BAR ---", "--- DRINKS ---"},
		"a lost section":               {"--- BAR ---\n", ""},
		"a title":                      {"HARBOR GRILL", "HARBOUR GRILL"},
		"a location":                   {"9 Water Street", "8 Water Street"},
		"a date":                       {"1971-05-02", "1971-02-05"},
		"the meaning of a code":        {"[D] Dairy", "[D] Duck"},
		"a legend that is gone":        {"[Sh] Shellfish   [D] Dairy   [G] Gluten\n", ""},
		"a note":                       {"With baked potato and salad.", "With fries and salad."},
		"a note that is gone":          {"Open until eleven.\n", ""},
		"a line below an item":         {"in the bar only", "in the bar and at table"},
		"an invented line below":       {shrimp, shrimp + "      served on ice\n"},
		"words of a model":             {"====\n  HARBOR", "====\nHere is the menu:\n  HARBOR"},
		"an order code":                {"  Shrimp", "  S2. Shrimp"},
		"words after a price":          {"$5.75", "$5.75 per pound"},
		"notes that changed places":    {"With baked potato and salad.", "Open until eleven.", "Open until eleven.\n", "With baked potato and salad.\n"},
		"a price that became a phrase": {"$2.10  [Sh]", "market price  [Sh]"},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			candidate := harborWith(t, pairs...)
			score := New().Compare(harborWith(t), candidate)
			if score.Strict >= 1 || score.Strict < 0.7 {
				t.Errorf("Strict is %v: %v", score.Strict, New().Differences(harborWith(t), candidate))
			}
		})
	}
}

func TestStrictForgives(t *testing.T) {
	t.Parallel()
	for rule, pairs := range map[string][]string{
		"blanks":                         {"        ", "  ", "Lamb ", "Lamb  "},
		"no indentation":                 {"\n  ", "\n"},
		"empty lines":                    {"\n\n", "\n\n\n"},
		"no empty lines between items":   {"salad.\n\n  T", "salad.\n  T"},
		"line ends of another system":    {"\n", "\r\n"},
		"leaders":                        {"      $", " .... $"},
		"dashes":                         {"      $", " --- $"},
		"an em dash":                     {"      $", " — $"},
		"bullets":                        {"\n  Lamb", "\n  - Lamb", "\n  Old", "\n  • Old"},
		"numbers":                        {"\n  Lamb", "\n  2. Lamb"},
		"emphasis":                       {"Lamb Chops", "**Lamb Chops**"},
		"a price in front":               {"Lamb Chops, two                              $5.75", "$5.75  Lamb Chops, two"},
		"a row of a table":               {"  Whiskey Sour                                 $1.10  (A) [E]", "| Whiskey Sour | $1.10 | (A) [E] |"},
		"marks in front of the price":    {"Old Fashioned                                $1.10  (A)", "Old Fashioned (A)   $1.10"},
		"marks in another order":         {"(A) [E]", "[E] (A)"},
		"codes in one pair of brackets":  {"[Sh] [D] [G]", "[D, G, Sh]"},
		"a code twice":                   {"[D] [G]\n", "[D] [G] [D]\n"},
		"no dollar sign":                 {"$5.75", "5.75"},
		"no cents":                       {"$6.50", "$6.5"},
		"letter case of names":           {"Old Fashioned", "OLD FASHIONED"},
		"letter case of a whole item":    {"CLAM CHOWDER our own, with crackers", "Clam chowder our own, with crackers"},
		"a description on a line below":  {"CHOWDER our own, with crackers          $1.25  [Sh] [D] [G]", "CHOWDER          $1.25  [Sh] [D] [G]\n      our own, with crackers"},
		"a price on the line below":      {"CHOWDER our own, with crackers          $1.25", "CHOWDER\n      our own, with crackers  $1.25"},
		"quotes of another shape":        {"Captain's", "Captain’s"},
		"a header in bare capitals":      {"--- BAR ---", "BAR"},
		"a header of Markdown":           {"--- STARTERS ---", "## Starters"},
		"rulers":                         {"----------------------------------------\n", ""},
		"a legend of one line for each":  {"   [D]", "\n[D]", "   [G]", "\n[G]"},
		"signs in the legend":            {"[D] Dairy", "[D] = Dairy", "(A) Contains", "(A): Contains"},
		"a code fence":                   {harbor, "```text\n" + harbor + "```\n"},
		"a byte order mark":              {"========================================\n  HARBOR", "\ufeff========================================\n  HARBOR"},
		"several prices without a slash": {" / $13.50", "  $13.50"},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			candidate := harborWith(t, pairs...)
			if score := New().Compare(harborWith(t), candidate); score.Strict != 1 {
				t.Errorf("Strict is %v: %v", score.Strict, New().Differences(harborWith(t), candidate))
			}
		})
	}
}

func TestStrictReadsFilesOfAnyNameAndNumber(t *testing.T) {
	t.Parallel()
	at := strings.Index(harbor, "  Lamb")
	title, _, _ := strings.Cut(harbor, "--- STARTERS")
	for rule, c := range map[string]struct {
		files vfs.Files
		same  bool
	}{
		"another name":                     {vfs.Files{"menu/1971.md": harbor}, true},
		"two files":                        {vfs.Files{"1.txt": harbor[:at], "2.txt": harbor[at:]}, true},
		"the header again":                 {vfs.Files{"1.txt": harbor[:at], "2.txt": "--- STEAKS & CHOPS ---\n" + harbor[at:]}, true},
		"the title block again":            {vfs.Files{"1.txt": harbor[:at], "2.txt": title + "--- STEAKS & CHOPS ---\n" + harbor[at:]}, true},
		"the files in the other order":     {vfs.Files{"2.txt": harbor[:at], "1.txt": harbor[at:]}, false},
		"the menu twice":                   {vfs.Files{"1.txt": harbor, "2.txt": harbor}, false},
		"a file of book-keeping":           {vfs.Files{"1.txt": harbor, "prices.json": `{"old": "Oysters $2.80"}`}, false},
		"another title in the second file": {vfs.Files{"1.txt": harbor[:at], "2.txt": "====\n  BAY GRILL\n====\n--- STEAKS & CHOPS ---\n" + harbor[at:]}, false},
	} {
		if score := New().Compare(vfs.Files{"harbor.txt": harbor}, c.files); (score.Strict == 1) != c.same {
			t.Errorf("%s: Strict is %v: %v", rule, score.Strict, New().Differences(vfs.Files{"harbor.txt": harbor}, c.files))
		}
	}
}

func TestDifferencesAreNamedAsAPractitionerWould(t *testing.T) {
	t.Parallel()
	candidate := harborWith(t, "$2.10  [Sh]", "$2.15  [N]", "[D] Dairy", "[D] Duck", "with crackers", "with croutons", "9 Water", "8 Water")
	want := []string{
		"Location: location: 9 water street -> location: 8 water street",
		"STARTERS: CLAM CHOWDER, description: our own, with crackers -> our own, with croutons",
		"STARTERS: Shrimp Cocktail, price: 2.10 -> 2.15",
		"STARTERS: Shrimp Cocktail, allergen: Sh -> N",
		"legend [D], meaning: dairy -> duck",
	}
	var got []string
	for _, d := range New().Differences(harborWith(t), candidate) {
		got = append(got, d.String())
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestStrictFallsInProportion(t *testing.T) {
	t.Parallel()
	seed := domaintest.Seed(t, "foodmenu1")
	for rule, c := range map[string]struct {
		was, is     string
		least, most float64
	}{
		"one price":              {"$14.50", "$14.80", 0.997, 0.9999},
		"an invented item":       {"--- BAR ---\n", "--- BAR ---\n  Root beer  $3.50\n", 0.98, 0.995},
		"a renamed section":      {"--- DOCES ---", "--- DESSERTS ---", 0.95, 0.99},
		"words in front":         {"====\n  TASCA", "====\nSure, here it is:\n  TASCA", 0.98, 0.995},
		"prices without a sign":  {"$", "", 0.94, 0.97}, // of two in a line one is lost
		"all prices ten percent": {".50", ".55", 0.85, 0.95},
	} {
		changed := vfs.Files{menuFile: strings.ReplaceAll(seed[menuFile], c.was, c.is)}
		if score := New().Compare(seed, changed); score.Strict < c.least || score.Strict > c.most {
			t.Errorf("%s: Strict is %v, want within %v and %v: %v", rule, score.Strict, c.least, c.most, New().Differences(seed, changed))
		}
	}
}

func TestWithoutTakesTheLinesOfAnItem(t *testing.T) {
	t.Parallel()
	left := New().Without(vfs.Files{"a.txt": harbor, "b.txt": "Tea $0.20\n"}, func(n int) bool { return n != 0 })
	for _, gone := range []string{"Shrimp", "Lamb", "in the bar only", "$0.20"} {
		if strings.Contains(left["a.txt"]+left["b.txt"], gone) {
			t.Errorf("%q is left", gone)
		}
	}
	for _, kept := range []string{"CLAM CHOWDER", "--- BAR ---", "With baked", "Open until", "HARBOR"} {
		if !strings.Contains(left["a.txt"], kept) {
			t.Errorf("%q is gone", kept)
		}
	}
}
