package foodmenu

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/vfs"
)

// TestParse has the rules of the published reader, one line each.
func TestParse(t *testing.T) {
	t.Parallel()
	type items = []menuItem
	flagged := func(of ...int) (flags [3]bool) {
		for _, flag := range of {
			flags[flag] = true
		}
		return flags
	}
	for rule, c := range map[string]struct {
		text    string
		headers []string
		items   items
	}{
		"an item":                    {"Tea  $1.20  (V) [D] [D] [C]", nil, items{{name: "Tea", price: 1.2, codes: "C D", flags: flagged(vegetarian)}}},
		"vegan is vegetarian":        {"Tea $1.20 (VG)", nil, items{{name: "Tea", price: 1.2, flags: flagged(vegetarian, vegan)}}},
		"other marks are nothing":    {"Tea $1.20 (AV) (a) [D, G]", nil, items{{name: "Tea", price: 1.2}}},
		"a mark before the price":    {"Tea (A) $1.20", nil, items{{name: "Tea (A)", price: 1.2}}},
		"a description":              {"KUNG PAO   diced  shrimp $4.50", nil, items{{name: "KUNG PAO", description: "diced shrimp", price: 4.5}}},
		"one word in capitals":       {"CHOWDER of clams $4.50", nil, items{{name: "CHOWDER of clams", price: 4.5}}},
		"small letters too late":     {"KUNG PAO 1234567890 1234567890 12345678 a $4.50", nil, items{{name: "KUNG PAO 1234567890 1234567890 12345678 a", price: 4.5}}},
		"a sign ends the capitals":   {"MAC & CHEESE baked $4.50", nil, items{{name: "MAC & CHEESE baked", price: 4.5}}},
		"inner blanks stay":          {"Iced  Tea $1.20", nil, items{{name: "Iced  Tea", price: 1.2}}},
		"the first price":            {"Wine $5 or $6.00 / $20.00", nil, items{{name: "Wine $5 or", price: 6}}},
		"no price with cents":        {"Tea $1\nTea $1,200.00\nTea $1,50\nTea €1.50\nTea 1.50", nil, nil},
		"a section":                  {"--- HOT  DRINKS ---\nTea $1.20", []string{"HOT  DRINKS"}, items{{name: "Tea", section: "HOT  DRINKS", price: 1.2}}},
		"a section without a letter": {"--- A & B ---\nTea $1.20", nil, items{{name: "Tea", price: 1.2}}},
		"four dashes":                {"---- AB ----", nil, nil},
		"bare capitals":              {"Menu\nHOT DRINKS\nTea $1.20", []string{"HOT DRINKS"}, items{{name: "Tea", section: "HOT DRINKS", price: 1.2}}},
		"the title is spared":        {"====\nTHE INN\n====\nTEAS\n", []string{"TEAS"}, nil},
		"a second title is not":      {"====\nTHE INN\nTHE BAR\n", []string{"THE BAR"}, nil},
		"a line before the title":    {"Hello\n====\nTHE INN\n====\n", []string{"THE INN"}, nil},
		"skipped beginnings":         {"OTHER tea $1.20\n[F] fish $1.20\n(A) wine $1.20\nDate: $1.20\n--- x $1.20", nil, nil},
		"bullets and numbers":        {"- 3. Tea $1.20\n• Mate $1.20\n*Rum $1.20\n4.Gin $1.20", nil, items{{name: "Tea", price: 1.2}, {name: "Mate", price: 1.2}, {name: "*Rum", price: 1.2}, {name: "4.Gin", price: 1.2}}},
		"leaders":                    {"Tea .... $1.20\nMate --- $1.20\nRum — $1.20\nGin… $1.20", nil, items{{name: "Tea", price: 1.2}, {name: "Mate", price: 1.2}, {name: "Rum", price: 1.2}, {name: "Gin…", price: 1.2}}},
		"the price first":            {"$1.20 Hot tea (A) [D]\n$1.20Mate", nil, items{{name: "Hot tea", price: 1.2, codes: "D", flags: flagged(alcoholic)}, {name: "", price: 1.2}}},
		"a table":                    {"| Tea | $1.20 | (A) |", nil, items{{name: "| Tea |", price: 1.2, flags: flagged(alcoholic)}}},
		"digits of another script":   {"Tea $٣.٥٠", nil, items{{name: "Tea", price: 3.5}}},
	} {
		got, err := Parse(vfs.Files{"a.txt": c.text})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(Menu{headers: c.headers, items: c.items}, got, cmp.AllowUnexported(Menu{}, menuItem{})); diff != "" {
			t.Errorf("%s: %s", rule, diff)
		}
	}
}

func TestSectionsEndWithTheirFile(t *testing.T) {
	t.Parallel()
	got, _ := Parse(vfs.Files{"a.txt": "--- TEAS ---\nMint $1.20\n", "b.txt": "Mate $1.20\n"})
	if got.items[0].section != "TEAS" || got.items[1].section != "" {
		t.Errorf("sections %q and %q", got.items[0].section, got.items[1].section)
	}
}
