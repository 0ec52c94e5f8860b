package recipe

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

const document = "pithivier.txt"

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "recipe1") }

func TestSuite(t *testing.T) {
	t.Parallel()
	domaintest.Suite{
		Domain:   demonstration(t),
		Seed:     domaintest.Seed(t, "recipe1"),
		Generate: rapid.Custom(generate),
		// A fifth of RS is tips, which are not left out.
		RSForgives: 0.05,
	}.Run(t)
}

const scones = `# CHEESE SCONES (makes 8)

Best on the day.

## INGREDIENTS

Ingredient 1: 225 g self-raising flour

Ingredient 2: 55 g butter, cold

Ingredient 3: 2 tablespoons whole milk

Ingredient 4: 1 pinch cayenne

## METHOD

Step 1: Rub the butter into the flour. Do not overwork it.

Step 2: Bind with 150 mL milk. (See Tip 1)

Step 3: Bake at 220 °C for 12 minutes.

## TIPS

Tip 1: Wet dough rises better.

Tip 2: Eat warm.
`

// altered is scones with one passage replaced.
func altered(t *testing.T, was, is string) string {
	t.Helper()
	if strings.Count(scones, was) != 1 {
		t.Fatalf("scones has %q %d times", was, strings.Count(scones, was))
	}
	return strings.Replace(scones, was, is, 1)
}

func TestStrictSeesWhatRSForgives(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct {
		candidate string
		says      string  // the first difference
		strict    float64 // at least
	}{
		"another amount":          {altered(t, "225 g", "250 g"), "ingredient self-raising flour, amount: 225 -> 250", 0.96},
		"another unit":            {altered(t, "225 g", "225 oz"), "ingredient self-raising flour, unit: g -> oz", 0.96},
		"no unit":                 {altered(t, "225 g", "225"), "ingredient self-raising flour, unit: g -> (nothing)", 0.96},
		"another name":            {altered(t, "self-raising", "strong"), "ingredient self-raising flour, name: self-raising flour -> strong flour", 0.9},
		"a preparation lost":      {altered(t, ", cold", ""), "ingredient butter, preparation: cold -> (nothing)", 0.96},
		"a temperature":           {altered(t, "220", "250"), "step 3, sentence 1: Bake at 220 °C for 12 minutes. -> Bake at 250 °C for 12 minutes.", 0.9},
		"a not lost":              {altered(t, "Do not", "Do"), "step 1, sentence 2: Do not overwork it. -> Do overwork it.", 0.94},
		"another tip referred to": {altered(t, "See Tip 1", "See Tip 2"), "step 2, sentence 2: (See Tip 1) -> (See Tip 2)", 0.94},
		"the yield":               {altered(t, "makes 8", "makes 12"), `heading "CHEESE SCONES (makes 8)", text: CHEESE SCONES (makes 8) -> CHEESE SCONES (makes 12)`, 0.9},
		"a remark lost":           {altered(t, "Best on the day.\n", ""), "line 1 outside of records: lost (Best on the day.)", 0.9},
		"a heading lost":          {altered(t, "## METHOD\n", ""), `heading "METHOD": lost (METHOD)`, 0.9},
		"an ingredient twice":     {altered(t, "## METHOD", "Ingredient 4: 1 pinch cayenne\n\n## METHOD"), "ingredient cayenne: added (1 | pinch | cayenne | INGREDIENTS)", 0.8},
		"an ingredient invented":  {altered(t, "## METHOD", "Ingredient 5: 30 g sultanas\n\n## METHOD"), "ingredient sultanas: added (30 | g | sultanas | INGREDIENTS)", 0.87},
		"an ingredient lost":      {altered(t, "Ingredient 4: 1 pinch cayenne\n", ""), "ingredient cayenne: lost (1 | pinch | cayenne | INGREDIENTS)", 0.85},
		"under another heading":   {strings.Replace(altered(t, "Ingredient 4: 1 pinch cayenne\n", ""), "## METHOD\n", "## METHOD\n\nIngredient 4: 1 pinch cayenne\n", 1), "ingredient cayenne, section: INGREDIENTS -> METHOD", 0.95},
		"steps in another order":  {altered(t, "Step 2: Bind with 150 mL milk. (See Tip 1)\n\nStep 3: Bake at 220 °C for 12 minutes.", "Step 2: Bake at 220 °C for 12 minutes.\n\nStep 3: Bind with 150 mL milk. (See Tip 1)"), "step 2: moved from place 2 to 3", 0.9},
		"steps from 101":          {strings.ReplaceAll(scones, "Step ", "Step 10"), "step 1, step number: 1 -> 101", 0.8},
		"a number skipped":        {altered(t, "Step 3", "Step 4"), "step 3, step number: 3 -> 4", 0.9},
		"a step lost":             {altered(t, "Step 2: Bind with 150 mL milk. (See Tip 1)\n", ""), "step 2: lost (Bind with 150 mL milk. | (See Tip 1) | METHOD | 2)", 0.8},
		"a step lost and the others renumbered": {strings.Replace(altered(t, "Step 2: Bind with 150 mL milk. (See Tip 1)\n", ""), "Step 3", "Step 2", 1),
			"step 2: lost (Bind with 150 mL milk. | (See Tip 1) | METHOD)", 0.85},
		"a tip lost":                          {altered(t, "Tip 2: Eat warm.\n", ""), "tip 2: lost (Eat warm. | TIPS)", 0.9},
		"a tip turned round":                  {altered(t, "Eat warm", "Eat cold"), "tip 2, sentence 1: Eat warm. -> Eat cold.", 0.9},
		"an ingredient's text gone":           {altered(t, " 1 pinch cayenne", ""), "ingredient cayenne: lost (1 | pinch | cayenne | INGREDIENTS)", 0.7},
		"an amount in a unit of another sort": {altered(t, "55 g", "55 mL"), "ingredient butter, unit: g -> mL", 0.96},
		"a restated amount that is off":       {altered(t, "225 g", "9 oz"), "ingredient self-raising flour, amount: 225 -> 9", 0.9},
		"a sentence before a record":          {altered(t, "Step 3:", "Then Step 3:"), "line 2 outside of records: added (Then Step 3: Bake at 220 °C for 12 minutes.)", 0.7},
		"prose":                               {"I have tidied up the recipe.\n", "heading \"CHEESE SCONES (makes 8)\": lost (CHEESE SCONES (makes 8))", 0},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			ref, got := vfs.Files{"scones.txt": scones}, vfs.Files{"scones.txt": c.candidate}
			differences := New().Differences(ref, got)
			if len(differences) == 0 {
				t.Fatal("no difference")
			}
			if first := differences[0].String(); first != c.says {
				t.Errorf("%v, want first %s", differences, c.says)
			}
			if strict := New().Compare(ref, got).Strict; strict == 1 || strict < c.strict {
				t.Errorf("Strict %.4f, want %v to 1", strict, c.strict)
			}
		})
	}
}

func TestStrictForgivesWhatCarriesNothing(t *testing.T) {
	t.Parallel()
	split := strings.Index(scones, "## METHOD")
	for rule, candidate := range map[string]vfs.Files{
		"another file name":            {"scones.md": scones},
		"two files":                    {"a.txt": scones[:split], "b.txt": scones[split:]},
		"a code fence around":          {"scones.txt": "```text\n" + scones + "```\n"},
		"a byte order mark":            {"scones.txt": "\ufeff" + scones},
		"Windows line ends":            {"scones.txt": strings.ReplaceAll(scones, "\n", "\r\n")},
		"no blank lines":               {"scones.txt": strings.ReplaceAll(scones, "\n\n", "\n")},
		"more blanks":                  {"scones.txt": strings.ReplaceAll(scones, ": ", ":   ")},
		"rulers":                       {"scones.txt": strings.ReplaceAll(scones, "\n##", "\n---\n##")},
		"small labels":                 {"scones.txt": strings.ReplaceAll(strings.ReplaceAll(scones, "\nStep", "\nstep"), "\nIngredient", "\nINGREDIENT")},
		"bold labels":                  {"scones.txt": strings.ReplaceAll(altered(t, "Step 3:", "**Step 3**:"), "Step 1:", "**Step 1:**")},
		"a bold record":                {"scones.txt": altered(t, "Tip 2: Eat warm.", "**Tip 2: Eat warm.**")},
		"list marks":                   {"scones.txt": strings.ReplaceAll(scones, "\nIngredient", "\n- Ingredient")},
		"numbered lists":               {"scones.txt": strings.NewReplacer("\nIngredient 1:", "\n1.", "\nIngredient 2:", "\n2.", "\nIngredient 3:", "\n3.", "\nIngredient 4:", "\n4.", "\nStep 1:", "\n1)", "\nStep 2:", "\n2)", "\nStep 3:", "\n3)").Replace(scones)},
		"zeros before numbers":         {"scones.txt": altered(t, "Step 3", "Step 03")},
		"other heading marks":          {"scones.txt": strings.NewReplacer("## METHOD", "**METHOD**", "## TIPS", "### TIPS:").Replace(scones)},
		"ingredients in another order": {"scones.txt": strings.NewReplacer("225 g self-raising flour", "55 g butter, cold", "55 g butter, cold", "225 g self-raising flour").Replace(scones)},
		"steps that keep their number": {"scones.txt": strings.Replace(altered(t, "Step 3: Bake at 220 °C for 12 minutes.\n", ""), "## METHOD\n", "## METHOD\n\nStep 3: Bake at 220 °C for 12 minutes.\n", 1)},
		"tips in another order":        {"scones.txt": strings.NewReplacer("Wet dough rises better.", "Eat warm.", "Eat warm.", "Wet dough rises better.").Replace(scones)},
		"kilograms for grams":          {"scones.txt": altered(t, "225 g", "0.225 kg")},
		"no blank before a unit":       {"scones.txt": altered(t, "225 g", "225g")},
		"an abbreviated unit":          {"scones.txt": altered(t, "tablespoons", "Tbsp.")},
		"millilitres for tablespoons":  {"scones.txt": altered(t, "2 tablespoons", "30 mL")},
		"ounces for grams":             {"scones.txt": altered(t, "225 g", "7.94 oz")},
		"idle zeros":                   {"scones.txt": altered(t, "225 g", "225.0 g")},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			if differences := New().Differences(vfs.Files{"scones.txt": scones}, candidate); len(differences) > 0 {
				t.Error(differences)
			}
		})
	}
}

func TestAmounts(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]item{
		"200 g butter":                {"200", "g", "butter", ""},
		"200g butter, softened":       {"200", "g", "butter", "softened"},
		"1.50 kg bones (sawn)":        {"1500", "g", "bones", "(sawn)"},
		"1 1/2 cups flour":            {"1.5", "cup", "flour", ""},
		"1½ cups flour":               {"1.5", "cup", "flour", ""},
		"1 ½ cups flour":              {"1.5", "cup", "flour", ""},
		"2/6 T oil":                   {"1/3", "tbsp", "oil", ""},
		"1 t oil":                     {"1", "tsp", "oil", ""},
		"2–3 fl. oz. rum":             {"2-3", "fl oz", "rum", ""},
		"2 to 3 cloves garlic":        {"2-3", "clove", "garlic", ""},
		"5 cloves":                    {"5", "", "cloves", ""},
		"5 whole eggs":                {"5", "", "whole eggs", ""},
		"2 to taste":                  {"2", "", "to taste", ""},
		"70% dark chocolate":          {"", "", "70% dark chocolate", ""},
		"5cm ginger":                  {"", "", "5cm ginger", ""},
		"1/0 pinch salt":              {"", "", "1/0 pinch salt", ""},
		"... g butter":                {"", "", "... g butter", ""},
		"1.2.3 g butter":              {"", "", "1.2.3 g butter", ""},
		"123456789 g butter":          {"", "", "123456789 g butter", ""},
		"salt":                        {"", "", "salt", ""},
		"":                            {},
		"12":                          {"12", "", "", ""},
		"1 dl cream":                  {"100", "mL", "cream", ""},
		"150 g  Type  55 flour":       {"150", "g", "Type 55 flour", ""},
		"99999 99999/99999 kg gravel": {"100000000", "g", "gravel", ""},
	} {
		if diff := cmp.Diff(want, readIngredient(text), cmp.AllowUnexported(item{})); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}

func TestRestatedAmounts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		amount, unit, other, otherUnit string
		want                           bool
	}{
		{"250", "mL", "1.0549", "cup", true},
		{"2", "tbsp", "30", "mL", true},
		{"1", "cup", "240", "mL", true},
		{"1", "cup", "16", "tbsp", true},
		{"1", "lb", "16", "oz", true},
		{"2-3", "tbsp", "30-45", "mL", true},
		{"2-3", "tbsp", "30-60", "mL", false},
		{"2-3", "tbsp", "30", "mL", false},
		{"1/3", "cup", "80", "mL", true},
		{"200", "g", "201", "g", false},
		{"500", "mL", "500", "g", false},
		{"1", "pinch", "1", "g", false},
		{"1", "cup", "200", "mL", false},
	} {
		if got := restates(c.amount, c.unit, c.other, c.otherUnit); got != c.want {
			t.Errorf("%s %s as %s %s: %v", c.amount, c.unit, c.other, c.otherUnit, got)
		}
	}
}

func TestValueOfWhatPythonCannotScore(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ reference, candidate string }{
		"a zero denominator":    {scones, altered(t, "1 pinch", "1/0 pinch")},
		"dots for a number":     {scones, altered(t, "225 g", "... g")},
		"nothing of the format": {scones, "Thank you.\n"},
	} {
		score := New().Compare(vfs.Files{"a.txt": c.reference}, vfs.Files{"a.txt": c.candidate})
		if score.RS != 0 || score.Problem == "" {
			t.Errorf("%s: Value %v, problem %q", name, score.RS, score.Problem)
		}
	}
}

func TestLeavingOutKeepsTheRest(t *testing.T) {
	t.Parallel()
	got := New().Without(vfs.Files{"scones.txt": scones}, func(n int) bool { return n == 1 || n == 5 })
	want := strings.Replace(altered(t, "Ingredient 2: 55 g butter, cold\n\n", ""), "Step 2: Bind with 150 mL milk. (See Tip 1)\n\n", "", 1)
	if diff := cmp.Diff(want, got["scones.txt"]); diff != "" {
		t.Error(diff)
	}
}

func TestStepsThatCountAgainInEachPart(t *testing.T) {
	t.Parallel()
	dinner := "Step 1: Soak.\nStep 2: Boil.\nPart two\nStep 1: Grill.\nStep 2: Plate.\n"
	swapped := "Step 2: Boil.\nStep 1: Soak.\nPart two\nStep 2: Plate.\nStep 1: Grill.\n"
	if d := New().Differences(vfs.Files{"a.txt": dinner}, vfs.Files{"a.txt": swapped}); len(d) > 0 {
		t.Error(d)
	}
	exchanged := "Step 1: Soak.\nStep 2: Plate.\nPart two\nStep 1: Grill.\nStep 2: Boil.\n"
	if d := New().Differences(vfs.Files{"a.txt": dinner}, vfs.Files{"a.txt": exchanged}); len(d) == 0 {
		t.Error("steps of two parts changed places unnoticed")
	}
}

func FuzzCompare(f *testing.F) { domaintest.Fuzz(f, demonstration(f), vfs.Files{"scones.txt": scones}) }

func BenchmarkCompare(b *testing.B) {
	domaintest.BenchmarkCompare(b, New(), domaintest.Seed(b, "recipe1"))
}

func BenchmarkCompareLarge(b *testing.B) {
	seed := domaintest.Seed(b, "recipe1")[document]
	large := strings.Repeat(seed, 22)
	domaintest.BenchmarkCompare(b, New(), vfs.Files{document: large})
}

// A recipe as people write it has no labels: lines below headings.
func TestRecipesWithoutLabels(t *testing.T) {
	t.Parallel()
	const curry = "CHICKEN CURRY\n\nIngredients\n- 500 g chicken thighs\n- 2 onions\n- 1 tin (400 ml) coconut milk\n\nMethod\nChop the onions.\n\nFry them for 8 minutes.\nAdd the chicken.\n\nNotes: freezes well.\n"
	counts := map[string]int{}
	for _, e := range New().Elements(vfs.Files{"curry.txt": curry}) {
		counts[e.Kind]++
	}
	if counts[counted] != 6 {
		t.Errorf("%v", counts)
	}
	reference := New().Against(vfs.Files{"curry.txt": curry})
	for from, to := range map[string]string{
		"500 g": "50 g", "onions\n- 1": "- 1", "8 minutes": "18 minutes", "Add the chicken.\n": "", "- 2 onions\n": "",
		"Chop the onions.\n\nFry them for 8 minutes.": "Fry them for 8 minutes.\n\nChop the onions.", "freezes": "keeps", "CHICKEN": "DUCK",
	} {
		if r := reference.Review(vfs.Files{"curry.txt": strings.Replace(curry, from, to, 1)}); r.Strict == 1 {
			t.Errorf("%q for %q is silent", to, from)
		}
	}
	if r := reference.Review(vfs.Files{"curry.txt": strings.ReplaceAll(curry, "\n", "\r\n")}); r.Strict != 1 {
		t.Errorf("%v", r.Differences)
	}
	const report = "Method\nWe measured the tide.\n\nPreparation\nThe boat was hired.\n"
	for _, e := range New().Elements(vfs.Files{"report.txt": report}) {
		if e.Kind == counted {
			t.Errorf("a report has a record: %v", e)
		}
	}
}
