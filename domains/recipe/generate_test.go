package recipe

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"

	published "agentd/domains/published/recipe"
	"agentd/vfs"
)

// generate draws a recipe with the habits of one cook.
func generate(t *rapid.T) vfs.Files {
	blank := rapid.SampledFrom([]string{"\n\n", "\n\n", "\n", "\n\n\n"}).Draw(t, "between lines")
	form := rapid.SampledFrom([]string{"%s %d: %s", "%s %d: %s", "%s  %d:   %s", "- %s %d: %s", "  %s %d:%s", "%s %03d: %s  "}).Draw(t, "form of records")
	d := drawing{t: t, form: form}
	if rapid.Bool().Draw(t, "titled") {
		d.lines = append(d.lines, rapid.SampledFrom([]string{"# DAMPFNUDELN (für 6)", "Gran's gingerbread, 1 tin", "**Fish pie**"}).Draw(t, "title"))
	}
	d.remark()
	d.section("INGREDIENTS", published.Ingredient, ingredientText, rapid.IntRange(1, 7).Draw(t, "ingredients"))
	d.section("METHOD", published.Step, stepText, rapid.IntRange(0, 8).Draw(t, "steps"))
	d.section("TIPS", published.Tip, stepText, rapid.IntRange(0, 4).Draw(t, "tips"))
	d.remark()
	content := strings.Join(d.lines, blank) + "\n"
	if rapid.IntRange(0, 5).Draw(t, "from Windows") == 0 {
		content = "\ufeff" + strings.ReplaceAll(content, "\n", "\r\n")
	}
	return vfs.Files{document: content}
}

// drawing is a recipe in the making.
type drawing struct {
	t     *rapid.T
	form  string
	lines []string
}

func (d *drawing) remark() {
	if rapid.IntRange(0, 2).Draw(d.t, "remark") == 0 {
		d.lines = append(d.lines, remarkText.Draw(d.t, "remark text"))
	}
}

func (d *drawing) section(title string, l published.Label, text *rapid.Generator[string], n int) {
	if rapid.IntRange(0, 4).Draw(d.t, "headed") > 0 {
		d.lines = append(d.lines, rapid.SampledFrom([]string{"## ", "## ", "### ", "#"}).Draw(d.t, "marks")+title)
	}
	number := rapid.SampledFrom([]int{1, 1, 1, 0, 12}).Draw(d.t, "first number")
	for range n {
		switch rapid.IntRange(0, 9).Draw(d.t, "between records") {
		case 0:
			d.remark()
		case 1:
			d.lines = append(d.lines, rapid.SampledFrom([]string{"### For the dough", "For the sauce:", "**To serve**"}).Draw(d.t, "part"))
		case 2:
			number++ // a gap
		}
		d.lines = append(d.lines, fmt.Sprintf(d.form, l, number, text.Draw(d.t, "text")))
		number++
	}
}

var (
	ingredientText = rapid.OneOf(
		rapid.SampledFrom([]string{
			"250 g butter, softened", "½ tsp salt", "1 1/2 cups flour (sifted)", "2-3 sprigs thyme", "salt", "1/2 lemon, juice only",
			"200g dark chocolate, 70%", "1.5 kg venison bones", "12 eggs", "3 large onions", "1½ tbsp port", "2 to 3 cloves garlic",
			"1 x 400 g tin tomatoes", "5cm ginger", "0.75 L whole milk", "1 T mustard", "a pinch of \"fleur de sel\"", "2 1/4 lb cod", "1",
		}),
		rapid.StringMatching(`[1-9][0-9]{0,2} (g|mL|tbsp|cups|handful) [a-z]{3,9}( [a-zéü]{3,9}){0,3}(, [a-z]{4,8})?`),
	)
	stepText = rapid.OneOf(
		rapid.SampledFrom([]string{
			"Bake at 180 °C for 25 minutes.", "Chill at -18°C for 1.5 hours. Do not stir! (See Tip 1)", "Simmer; keep it at 85–90 °C.",
			"Fold in the egg whites. (See Tip 12)", "Rest.", "Cool to 4 to 6 °C (fridge), then cut in 12.", "Beat \"to the ribbon\", as Gran says: patience.",
			"Fry in 2 batches, 3/4 of the oil each time. (See Tip 1) (See Tip 2)", "Pan off the heat? Then whisk.",
		}),
		rapid.StringMatching(`[A-Z][a-z]{2,8}( [a-z0-9]{1,8}){1,9}[.!]( [A-Z][a-zé]{2,8}( [a-z,;]{1,8}){1,5}\.){0,2}`),
	)
	remarkText = rapid.OneOf(
		rapid.SampledFrom([]string{"Makes about 24.", "---", "Oven: 180 °C fan", "| kcal | 412 |", "NB oven runs hot", "* not in the book *", "See also page 12", "Preparation time: 20 min"}),
		rapid.StringMatching(`[A-Z][a-z]{2,8}( [a-z0-9]{1,8}){0,6}`),
	)
)
