package recipe

import (
	"strings"
	"testing"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

const toast = `# FRENCH TOAST (for 2)

Eat at once.

## INGREDIENTS

### Custard

Ingredient 1: 2 eggs

Ingredient 2: 1/2 cup whole milk

Ingredient 3: 1 pinch salt

### Toast

Ingredient 4: 3-4 slices brioche, stale

Ingredient 5: 1 1/2 tbsp butter

## METHOD

### Custard

Step 1: Whisk eggs, milk & salt. (See Tip 2)

### Toast

Step 2: Soak each slice for 1.5 minutes in the fridge.

Step 3: Fry at 165–170 °C in the butter. (See Tip 9)

Step 4: Hold in the oven at 80 °C. (See Tip 2)

## TIPS

Tip 1: Below 4 °C the custard keeps.

Tip 2: Sieve it.
`

// served is toast with passages replaced, given as old, new, old, new …
func served(passages ...string) string { return strings.NewReplacer(passages...).Replace(toast) }

// document is the file of the documents in these tests.
const document = "pithivier.txt"

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "recipe1") }

func TestEdits(t *testing.T) {
	t.Parallel()
	domaintest.Results(t, demonstration(t), vfs.Files{document: toast}, map[string]vfs.Files{
		"component_cards": {
			"card_1.txt": `# Custard

Ingredient 1: 2 eggs

Ingredient 2: 1/2 cup whole milk

Ingredient 3: 1 pinch salt

Step 1: Whisk eggs, milk & salt. (See Tip 2)
`,
			"card_2.txt": `# Toast

Ingredient 1: 3-4 slices brioche, stale

Ingredient 2: 1 1/2 tbsp butter

Step 1: Soak each slice for 1.5 minutes in the fridge.

Step 2: Fry at 165–170 °C in the butter. (See Tip 9)

Step 3: Hold in the oven at 80 °C. (See Tip 2)
`,
			"frame.txt": served(
				"Ingredient 1: 2 eggs", "[Ingredient 1: card_1.txt, 1]",
				"Ingredient 2: 1/2 cup whole milk", "[Ingredient 2: card_1.txt, 2]",
				"Ingredient 3: 1 pinch salt", "[Ingredient 3: card_1.txt, 3]",
				"Ingredient 4: 3-4 slices brioche, stale", "[Ingredient 4: card_2.txt, 1]",
				"Ingredient 5: 1 1/2 tbsp butter", "[Ingredient 5: card_2.txt, 2]",
				"Step 1: Whisk eggs, milk & salt. (See Tip 2)", "[Step 1: card_1.txt, 1]",
				"Step 2: Soak each slice for 1.5 minutes in the fridge.", "[Step 2: card_2.txt, 1]",
				"Step 3: Fry at 165–170 °C in the butter. (See Tip 9)", "[Step 3: card_2.txt, 2]",
				"Step 4: Hold in the oven at 80 °C. (See Tip 2)", "[Step 4: card_2.txt, 3]"),
		},
		"batch_for_twenty": {
			"amounts_8.csv": `number,amount
1,2
2,1/2
3,1
4,3-4
5,1 1/2
`,
			"pithivier_20.txt": served(": 2 eggs", ": 5 eggs", "1/2 cup", "1 1/4 cup", "1 pinch", "2 1/2 pinch", "3-4", "7 1/2-10", "1 1/2 tbsp", "3 3/4 tbsp"),
		},
		"figures_out": {
			"figures.csv": `token,figure
n1,2
n2,1.5
n3,165
n4,170
n5,9
n6,80
n7,2
n8,4
`,
			"pithivier_tokens.txt": served(
				"salt. (See Tip 2)", "salt. (See Tip [n1])", "1.5", "[n2]", "165–170", "[n3]–[n4]", "Tip 9", "Tip [n5]",
				"80 °C. (See Tip 2)", "[n6] °C. (See Tip [n7])", "4 °C", "[n8] °C"),
		},
		"stations": {
			"rest.txt": served(
				"Step 1: Whisk eggs, milk & salt. (See Tip 2)", "[Step 1]",
				"Step 2: Soak each slice for 1.5 minutes in the fridge.", "[Step 2]",
				"Step 3: Fry at 165–170 °C in the butter. (See Tip 9)", "[Step 3]",
				"Step 4: Hold in the oven at 80 °C. (See Tip 2)", "[Step 4]"),
			"station_bench.txt": "Step 1: Whisk eggs, milk & salt. (See Tip 2)\n",
			"station_cold.txt":  "Step 1: Soak each slice for 1.5 minutes in the fridge.\n",
			"station_oven.txt":  "Step 1: Hold in the oven at 80 °C. (See Tip 2)\n",
			"station_stove.txt": "Step 1: Fry at 165–170 °C in the butter. (See Tip 9)\n",
			"timeline.csv": `step,station,number
1,bench,1
2,cold,1
3,stove,1
4,oven,1
`,
		},
		"shopping_list": {
			"method.txt": served(
				"Ingredient 1: 2 eggs", "[Ingredient 1]", "Ingredient 2: 1/2 cup whole milk", "[Ingredient 2]",
				"Ingredient 3: 1 pinch salt", "[Ingredient 3]", "Ingredient 4: 3-4 slices brioche, stale", "[Ingredient 4]",
				"Ingredient 5: 1 1/2 tbsp butter", "[Ingredient 5]"),
			"shopping.csv": `department,number,ingredient
dairy,1,2 eggs
dairy,2,1/2 cup whole milk
dairy,5,1 1/2 tbsp butter
store,3,1 pinch salt
store,4,"3-4 slices brioche, stale"
`,
		},
		"tips_inline": {
			"pithivier_inline.txt": served("(See Tip 2)", "{Tip 2: Sieve it.}", "Tip 2: Sieve it.", "[Tip 2]"),
		},
		"fahrenheit": {
			"pithivier_fahrenheit.txt": served("165–170 °C", "329–338 °F", "80 °C", "176 °F", "4 °C", "39 °F"),
		},
		"allergen_section": {
			"pithivier_allergens.txt": served(
				"Ingredient 1: 2 eggs", "[Ingredient 1]", "Ingredient 2: 1/2 cup whole milk", "[Ingredient 2]",
				"Ingredient 5: 1 1/2 tbsp butter", "[Ingredient 5]") + `
## ALLERGENS

### eggs

Ingredient 1: 2 eggs

### milk

Ingredient 2: 1/2 cup whole milk

Ingredient 5: 1 1/2 tbsp butter
`,
		},
		"json": {
			"pithivier.json": `[
  {
    "type": "heading",
    "level": 1,
    "text": "FRENCH TOAST (for 2)"
  },
  {
    "type": "text",
    "text": "Eat at once."
  },
  {
    "type": "heading",
    "level": 2,
    "text": "INGREDIENTS"
  },
  {
    "type": "heading",
    "level": 3,
    "text": "Custard"
  },
  {
    "type": "ingredient",
    "number": 1,
    "text": "2 eggs"
  },
  {
    "type": "ingredient",
    "number": 2,
    "text": "1/2 cup whole milk"
  },
  {
    "type": "ingredient",
    "number": 3,
    "text": "1 pinch salt"
  },
  {
    "type": "heading",
    "level": 3,
    "text": "Toast"
  },
  {
    "type": "ingredient",
    "number": 4,
    "text": "3-4 slices brioche, stale"
  },
  {
    "type": "ingredient",
    "number": 5,
    "text": "1 1/2 tbsp butter"
  },
  {
    "type": "heading",
    "level": 2,
    "text": "METHOD"
  },
  {
    "type": "heading",
    "level": 3,
    "text": "Custard"
  },
  {
    "type": "step",
    "number": 1,
    "text": "Whisk eggs, milk & salt. (See Tip 2)"
  },
  {
    "type": "heading",
    "level": 3,
    "text": "Toast"
  },
  {
    "type": "step",
    "number": 2,
    "text": "Soak each slice for 1.5 minutes in the fridge."
  },
  {
    "type": "step",
    "number": 3,
    "text": "Fry at 165–170 °C in the butter. (See Tip 9)"
  },
  {
    "type": "step",
    "number": 4,
    "text": "Hold in the oven at 80 °C. (See Tip 2)"
  },
  {
    "type": "heading",
    "level": 2,
    "text": "TIPS"
  },
  {
    "type": "tip",
    "number": 1,
    "text": "Below 4 °C the custard keeps."
  },
  {
    "type": "tip",
    "number": 2,
    "text": "Sieve it."
  }
]
`,
		},
	}, domaintest.ToTheLetter)
}

// TestBackwardOfDamaged replaces passages of the files between the steps.
func TestBackwardOfDamaged(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct {
		edit, file, was, is string
		want                string // what is then lost, changed or added
	}{
		"a record that its card has lost is lost": {
			"component_cards", "card_1.txt", "Ingredient 3: 1 pinch salt\n", "",
			"ingredient salt: lost (1 | pinch | salt | Custard | 3)",
		},
		"an amount that is not listed is divided": {
			"batch_for_twenty", "amounts_8.csv", "4,3-4\n", "", "",
		},
		"a token that is not listed stays": {
			"figures_out", "figures.csv", "n6,80\n", "",
			"step 4, sentence 1: Hold in the oven at 80 °C. -> Hold in the oven at [n6] °C.",
		},
		"a token may be listed in its brackets": {
			"figures_out", "figures.csv", "n6,80\n", "[n6],80\n", "",
		},
		"a step that the timeline does not have is lost": {
			"stations", "timeline.csv", "4,oven,1\n", "",
			"step 4: lost (Hold in the oven at 80 °C. | (See Tip 2) | Toast)",
		},
		"an ingredient that was not bought is lost": {
			"shopping_list", "shopping.csv", "dairy,1,2 eggs\n", "",
			"ingredient eggs: lost (2 | eggs | Custard | 1)",
		},
		"a tip that no step has is lost": {
			"tips_inline", "pithivier_inline.txt", " {Tip 2: Sieve it.}", "",
			"step 1, sentence 2: (See Tip 2) -> (nothing)" +
				"step 4, sentence 2: (See Tip 2) -> (nothing)" +
				"tip 2: lost (Sieve it. | TIPS)",
		},
		"a tip needs one step only": {
			"tips_inline", "pithivier_inline.txt", "80 °C. {Tip 2: Sieve it.}", "80 °C. (See Tip 2)", "",
		},
		"a temperature in Celsius stays": {
			"fahrenheit", "pithivier_fahrenheit.txt", "39 °F", "4 °C", "",
		},
		"an allergen without a heading is found": {
			"allergen_section", "pithivier_allergens.txt", "### milk\n", "", "",
		},
		"text on one line is still a heading": {
			"json", "pithivier.json", `"level": 3,`, `"level": 2,`, "",
		},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			files, err := domaintest.Edit(t, demonstration(t), c.edit).Forward(vfs.Files{document: toast})
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(files[c.file], c.was) {
				t.Fatalf("%s has no %q", c.file, c.was)
			}
			files[c.file] = strings.ReplaceAll(files[c.file], c.was, c.is)
			got, err := domaintest.Edit(t, demonstration(t), c.edit).Backward(files)
			if err != nil {
				t.Fatal(err)
			}
			found := ""
			for _, d := range New().Differences(vfs.Files{document: toast}, got) {
				found += d.String()
			}
			if found != c.want {
				t.Errorf("differences: %q, want %q", found, c.want)
			}
		})
	}
}

// TestForwardRefuses has recipes that an edit would not lead back to.
func TestForwardRefuses(t *testing.T) {
	t.Parallel()
	for edit, passage := range map[string][2]string{
		"component_cards":  {"Eat at once.", "[Step 1: card_1.txt, 1]"},
		"stations":         {"Step 2:", "Step 1:"},
		"shopping_list":    {"Ingredient 2:", "Ingredient 1:"},
		"tips_inline":      {"Sieve it.", "Sieve {it}."},
		"fahrenheit":       {"Sieve it.", "Sieve at 180 °F."},
		"allergen_section": {"Ingredient 2:", "Ingredient 1:"},
	} {
		doc := strings.Replace(toast, passage[0], passage[1], 1)
		if got, err := domaintest.Edit(t, demonstration(t), edit).Forward(vfs.Files{document: doc}); err == nil {
			t.Errorf("%s made %v", edit, got)
		}
	}
}
