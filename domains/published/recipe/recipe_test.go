package recipe

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"agentd/vfs"
)

// TestPublishedRecords has the rules of the published search.
func TestPublishedRecords(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Step 1: Mix.\nStep 2: Bake.":            "1 Mix.|2 Bake.",
		"See also Step 3: Stir. Step 4: Rest.":   "3 Stir. Step 4: Rest.",
		"Step\u00a0\n٣:  Stir.  ":                "3 Stir.",
		"Step 1:\n\nStep 2: Bake.\nStep 3: Eat.": "1 Step 2: Bake.|3 Eat.",
		"Step 0010: Mix.":                        "10 Mix.",
		"Step1: a\nstep 1: b\nSteps 1: c":        "",
		"Step 1 : a":                             "",
		"Step 1:":                                "",
		"Step 1:\n\n":                            "",
		"Step 1: \n":                             "1 ",
		"Step 1:\r\n":                            "1 ",
		"StepStep 1:a\rb\nc":                     "1 a\rb",
	} {
		doc, err := Parse(vfs.Files{"a.txt": text})
		if err != nil {
			t.Errorf("%q: %v", text, err)
		}
		var got []string
		for _, s := range doc.steps {
			got = append(got, string(s.number)+" "+s.text)
		}
		if found := strings.Join(got, "|"); found != want {
			t.Errorf("%q: %q, want %q", text, found, want)
		}
	}
}

func TestPublishedIngredients(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"200 g butter":       "200 g|butter",
		"5 Whole eggs":       "5 whole|eggs",
		"1 1/2 cups flour":   "1 1/2|cups flour",
		"3/4 cup sugar":      "0.75 cup|sugar",
		"1/2 lemon":          "none |1/2 lemon",
		"2 lemons":           "2 |lemons",
		"٢.5 g  salt ":       "2.5 g|salt",
		"200g butter":        "none |200g butter",
		"salt":               "none |salt",
		"1/0 lemon":          "none |1/0 lemon",
		"1/0 pinch salt":     `the published evaluator crashes: ingredient "1/0 pinch salt" divides by zero`,
		"1.2.3 g butter":     `the published evaluator crashes: ingredient "1.2.3 g butter" has a quantity that is no number`,
		"... " + "g butter":  `the published evaluator crashes: ingredient "... g butter" has a quantity that is no number`,
		"... butter":         `the published evaluator crashes: ingredient "... butter" has a quantity that is no number`,
		"1.2.3":              "none |1.2.3",
		"2 eggs\u00a0beaten": "2 eggs|beaten",
	} {
		doc, err := Parse(vfs.Files{"a.txt": "Ingredient 1: " + text})
		got := ""
		if err != nil {
			got = err.Error()
		} else if p := doc.ingredients[0]; p.measured {
			got = fmt.Sprintf("%v %s|%s", p.quantity, p.unit, p.name)
		} else {
			got = "none " + p.unit + "|" + p.name
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestPublishedQuantities(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		ref, got string
		want     float64
	}{
		{"2 kg flour", "1000 g flour", 0.5},
		{"250 mL milk", "0.25 l milk", 1},
		{"500 mL milk", "500 g milk", 0.5},
		{"5 whole eggs", "5 large eggs", 0.5},
		{"3 eggs", "3 whole eggs", 1},
		{"salt", "1 pinch salt", 0.5},
		{"salt", "salt", 1},
		{"0 g salt", "0 kg salt", 1},
		{"0 g salt", "1 g salt", 0},
		{"3 tsp salt", "1 tbsp salt", 0.999},
		{"1 lb butter", "1 lbs butter", 0.5},
	} {
		ref, _ := parsePortion(c.ref)
		got, _ := parsePortion(c.got)
		if similarity := quantitySimilarity(ref, got); math.Abs(similarity-c.want) > 1e-12 {
			t.Errorf("%s, %s: %v, want %v", c.ref, c.got, similarity, c.want)
		}
	}
}
