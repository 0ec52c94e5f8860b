package foodmenu

import (
	"strings"
	"testing"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

// menuFile is the file of the documents in these tests.
const menuFile = "menu.txt"

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "foodmenu1") }

// corner is a small menu in which every edit has something to do.
const corner = `====
  THE CORNER
====

--- SOUPS & BREAD ---

  PEA SOUP with mint, cup        $4.00  (VG)
  Bread                          $2.25  (V) [G] [D]
  PEA SOUP with mint, bowl       $6.10  (VG)

--- BAR ---

  Kilkenny    $6.50 / $9.00  (A) [G]
      from the tap
  OYSTERS six                    $18.00  [Sh]
  Steak                          $21.50

[Sh] shellfish   [G] gluten
(A) 21 and over
`

func cornerWith(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(corner) }

var (
	cornerFrame = cornerWith(
		"  PEA SOUP with mint, cup        $4.00  (VG)\n", "", "  Bread                          $2.25  (V) [G] [D]\n", "",
		"  PEA SOUP with mint, bowl       $6.10  (VG)\n", "", "  Kilkenny    $6.50 / $9.00  (A) [G]\n      from the tap\n", "",
		"  OYSTERS six                    $18.00  [Sh]\n", "", "  Steak                          $21.50\n", "")
	forwardResults = map[string]vfs.Files{
		"price_rise": {
			"menu_new_prices.txt": cornerWith("$4.00", "$4.25", "$2.25", "$2.40", "$6.10", "$6.45", "$6.50", "$6.75", "$9.00", "$9.35", "$18.00", "$19.60", "$21.50", "$22.80"),
			"old_prices.csv": `item,name,price
1,PEA SOUP,$4.00
2,Bread,$2.25
3,PEA SOUP,$6.10
4,Kilkenny,$6.50
4,Kilkenny,$9.00
5,OYSTERS,$18.00
6,Steak,$21.50
`,
		},
		"course_files": {
			"frame.txt": cornerFrame,
			"course_soups_bread.txt": `--- SOUPS & BREAD ---

  PEA SOUP with mint, bowl       $6.10  (VG)
  PEA SOUP with mint, cup        $4.00  (VG)
  Bread                          $2.25  (V) [G] [D]
`,
			"course_bar.txt": `--- BAR ---

  Steak                          $21.50
  OYSTERS six                    $18.00  [Sh]
  Kilkenny    $6.50 / $9.00  (A) [G]
      from the tap
`,
			"sequence.csv": `line,file,place
7,course_soups_bread.txt,2
8,course_soups_bread.txt,3
9,course_soups_bread.txt,1
13,course_bar.txt,3
15,course_bar.txt,2
16,course_bar.txt,1
`,
		},
		"allergen_matrix": {
			"menu_plain.txt": cornerWith("  [Sh]\n", "\n", " [G] [D]", "", "(A) [G]", "(A)", "[Sh] shellfish   [G] gluten\n(A) 21 and over\n", ""),
			"allergens.csv": `item,section,name,D,G,Sh
1,SOUPS & BREAD,PEA SOUP,,,
2,SOUPS & BREAD,Bread,x,x,
3,SOUPS & BREAD,PEA SOUP,,,
4,BAR,Kilkenny,,x,
5,BAR,OYSTERS,,,x
6,BAR,Steak,,,
`,
			"legend.csv": "line,tag,meaning\n18,[Sh],shellfish\n18,[G],gluten\n19,(A),21 and over\n",
		},
		"order_codes": {
			"menu_coded.txt": cornerWith("PEA SOUP with mint, cup", "A1. PEA SOUP with mint, cup", "Bread    ", "A2. Bread    ", "PEA SOUP with mint, bowl", "A3. PEA SOUP with mint, bowl",
				"Kilkenny", "B1. Kilkenny", "OYSTERS", "B2. OYSTERS", "Steak", "B3. Steak"),
			"codes.csv": `code,name,price
A2,Bread,2.25
B1,Kilkenny,6.50
B2,OYSTERS,18.00
A1,PEA SOUP,4.00
A3,PEA SOUP,6.10
B3,Steak,21.50
`,
		},
		"till_export": nil, // below
		"table_cards": {
			"card_1.txt": corner,
			"cards.csv":  "block,section,card,place\n1,,1,1\n2,SOUPS & BREAD,1,2\n3,BAR,1,3\n",
		},
		"diet_groups": {
			"by_diet.txt": `--- VEGAN ---

  PEA SOUP with mint, cup        $4.00  (VG)
  PEA SOUP with mint, bowl       $6.10  (VG)

--- VEGETARIAN ---

  Bread                          $2.25  (V) [G] [D]

--- FISH AND SHELLFISH ---

  OYSTERS six                    $18.00  [Sh]

--- MEAT AND OTHERS ---

  Steak                          $21.50

--- BAR ---

  Kilkenny    $6.50 / $9.00  (A) [G]
      from the tap
`,
			"without_items.txt": cornerFrame,
			"diet_lines.csv":    "line,name\n7,PEA SOUP\n9,PEA SOUP\n8,Bread\n15,OYSTERS\n16,Steak\n13,Kilkenny\n",
		},
		"bar_list": {
			"bar_list.md": `| line | section | drink | price | with tax | also | tags | details |
| --- | --- | --- | --- | --- | --- | --- | --- |
| 13 | BAR | Kilkenny | $6.50 | $6.96 | / $9.00 | (A) [G] | from the tap |
`,
			"dining_room.txt": cornerWith("  Kilkenny    $6.50 / $9.00  (A) [G]\n      from the tap\n", ""),
		},
		"footnotes": {
			"menu_short.txt":  cornerWith("with mint, cup", "*1", "with mint, bowl", "*2", "OYSTERS six", "OYSTERS *3"),
			"descriptions.md": "1. with mint, cup\n2. with mint, bowl\n3. six\n",
		},
	}
)

func TestForwardResults(t *testing.T) {
	t.Parallel()
	domaintest.Results(t, demonstration(t), vfs.Files{menuFile: corner}, forwardResults, domaintest.InMeaning)
}

func TestTillExport(t *testing.T) {
	t.Parallel()
	got, err := domaintest.Edit(t, demonstration(t), "till_export").Forward(vfs.Files{menuFile: "--- BAR ---\n  STOUT dark    $9.00 / $30.00  (A) [G]\n    from the tap\n  Ale $6.50 (A)\n"})
	if err != nil {
		t.Fatal(err)
	}
	if want := "--- BAR ---\n<1014>\n<1021>\n"; got["layout.txt"] != want {
		t.Errorf("layout %q, want %q", got["layout.txt"], want)
	}
	const want = `[
  {
    "plu": 1021,
    "section": "BAR",
    "name": "Ale",
    "description": "",
    "price_cents": 650,
    "also": "",
    "allergens": [],
    "marks": [
      "A"
    ],
    "details": []
  },
  {
    "plu": 1014,
    "section": "BAR",
    "name": "STOUT",
    "description": "dark",
    "price_cents": 900,
    "also": "/ $30.00",
    "allergens": [
      "G"
    ],
    "marks": [
      "A"
    ],
    "details": [
      "from the tap"
    ]
  }
]
`
	if got["till.json"] != want {
		t.Errorf("till: %s", got["till.json"])
	}
}

func TestBlocksGoToTheFirstCardWithRoom(t *testing.T) {
	t.Parallel()
	section := func(name string, items int) string {
		return "--- " + name + " ---\n\n" + strings.Repeat("Tea $1.20\n", items)
	}
	long, short, middle := section("LONG", 40), section("SHORT", 4), section("MIDDLE", 22)
	got, err := domaintest.Edit(t, demonstration(t), "table_cards").Forward(vfs.Files{menuFile: short + long + middle + section("LAST", 2)})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"card_1.txt": short + middle,
		"card_2.txt": long,
		"card_3.txt": section("LAST", 2),
		"cards.csv":  "block,section,card,place\n1,SHORT,1,1\n2,LONG,2,1\n3,MIDDLE,1,2\n4,LAST,3,1\n",
	} {
		if got[name] != want {
			t.Errorf("%s: %q, want %q", name, got[name], want)
		}
	}
}

func TestRoundingOfPrices(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ cents, by, want int }{{950, 9, 1035}, {250, 6, 265}, {125, 4, 130}, {0, 9, 0}, {69500, 4, 72280}, {250, 5, 265}} {
		if got := raised(c.cents, c.by, 5); got != c.want {
			t.Errorf("%d and %d %%: %d, want %d", c.cents, c.by, got, c.want)
		}
	}
}

func TestOraclesRefuse(t *testing.T) {
	t.Parallel()
	d := demonstration(t)
	for name, text := range map[string]string{
		"price_rise":  "Tea €2.00\n",
		"order_codes": "--- BAR ---\nA7. Tea $2.00\n",
		"till_export": "Tea (V) $2.00\n",
		"bar_list":    "Ale\n    $6.00 (A)\n",
		"footnotes":   "Tea *1 $2.00\n",
	} {
		if got, err := domaintest.Edit(t, d, name).Forward(vfs.Files{menuFile: text}); err == nil {
			t.Errorf("%s takes %q and makes %v", name, text, got)
		}
	}
}

// TestBackwardStepsTakeDamagedFiles gives them what a model may have left: the
// rest of the menu must still come out.
func TestBackwardStepsTakeDamagedFiles(t *testing.T) {
	t.Parallel()
	d := demonstration(t)
	for name, c := range map[string]struct{ edit, file, was, is string }{
		"an old price that is missing":   {"price_rise", "old_prices.csv", "2,Bread,$2.25\n", ""},
		"a sequence that lacks an item":  {"course_files", "sequence.csv", "8,course_soups_bread.txt,3\n", ""},
		"a line that is no number":       {"course_files", "sequence.csv", "13,", "x,"},
		"an allergen row that is gone":   {"allergen_matrix", "allergens.csv", "2,SOUPS & BREAD,Bread,x,x,\n", ""},
		"a code that is gone":            {"order_codes", "menu_coded.txt", "B2. ", "B2 "},
		"a card that is listed wrong":    {"table_cards", "cards.csv", "2,SOUPS & BREAD,1,2", "2,SOUPS & BREAD,7,2"},
		"a name that is not in the list": {"diet_groups", "diet_lines.csv", "8,Bread", "8,Roll"},
		"a drink without a line":         {"bar_list", "bar_list.md", "| 13 |", "| |"},
		"a footnote that is not there":   {"footnotes", "descriptions.md", "3. six\n", ""},
	} {
		files := forwardResults[c.edit].Clone()
		if files[c.file] = strings.Replace(files[c.file], c.was, c.is, 1); files[c.file] == forwardResults[c.edit][c.file] {
			t.Fatalf("%s: %s has no %q", name, c.file, c.was)
		}
		got, err := domaintest.Edit(t, d, c.edit).Backward(files)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if score := New().Compare(vfs.Files{menuFile: corner}, got); score.Strict < 0.7 || score.Strict == 1 {
			t.Errorf("%s: Strict is %v: %v", name, score.Strict, New().Differences(vfs.Files{menuFile: corner}, got))
		}
	}
}

func TestEditsWithOtherParameters(t *testing.T) {
	t.Parallel()
	d := domaintest.Making(t, New(), map[string]string{
		"fill_cards":       `{"document": "m.txt", "begins": "page ", "lines": 8, "table": "p.csv"}`,
		"group_by_tags":    `{"document": "m.txt", "to": "g.txt", "groups": [{"title": "WHEAT", "codes": ["G"], "without": ["A"]}], "rest": "r.txt", "table": "g.csv"}`,
		"list_marked":      `{"document": "m.txt", "to": "l.md", "mark": "V", "column": "dish", "percent": 19, "added": "to pay", "rest": "r.txt"}`,
		"raise_prices":     `{"document": "m.txt", "to": "n.txt", "rises": [{"marks": ["A"], "percent": -10}], "step": 1, "table": "o.csv"}`,
		"split_by_section": `{"document": "m.txt", "begins": "", "others": "none", "frame": "frame.csv", "table": "s.csv"}`,
	})
	domaintest.Results(t, d, vfs.Files{"m.txt": corner}, map[string]vfs.Files{
		"fill_cards": {
			"page 1.txt": cornerWith(cornerFrom("--- BAR"), ""), "page 2.txt": cornerFrom("--- BAR"),
			"p.csv": "block,section,card,place\n1,,1,1\n2,SOUPS & BREAD,1,2\n3,BAR,2,1\n",
		},
		"group_by_tags": {
			"g.txt": "--- WHEAT ---\n\n  Bread                          $2.25  (V) [G] [D]\n",
			"r.txt": cornerWith("  Bread                          $2.25  (V) [G] [D]\n", ""), "g.csv": "line,name\n8,Bread\n",
		},
		"list_marked": {
			"l.md": `| line | section | dish | price | to pay | also | tags | details |
| --- | --- | --- | --- | --- | --- | --- | --- |
| 8 | SOUPS & BREAD | Bread | $2.25 | $2.68 |  | (V) [D] [G] |  |
`,
			"r.txt": cornerWith("  Bread                          $2.25  (V) [G] [D]\n", ""),
		},
		"raise_prices":     {"n.txt": cornerWith("$6.50", "$5.85", "$9.00", "$8.10"), "o.csv": forwardResults["price_rise"]["old_prices.csv"]},
		"split_by_section": nil, // as course_files
	}, domaintest.InMeaning)
}

// cornerFrom is the end of the corner's menu.
func cornerFrom(text string) string { return corner[strings.Index(corner, text):] }
