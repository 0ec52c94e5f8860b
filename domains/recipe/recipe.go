// Package recipe is the domain of cooking recipes in plain text: numbered records, "Ingredient 3: 200 g butter", "Step
// 5: Mix.", "Tip 1: …", with headings and free text between them. Ingredients and steps are counted.
//
// The published score looks for the records anywhere, pairs ingredients and tips by their texts alone, runs the steps
// together, and compares amounts, but neither the numbers of records nor anything outside of them; what is added costs next to nothing. Strict
// reads a recipe line by line as a cook does: every record with the heading it stands under, amounts as exact numbers
// with their units, steps sentence by sentence in the order of their numbers, and every heading and free line. An
// amount may be restated in another unit, labels may be set off in other ways, and ingredients and tips may change
// places.
package recipe

import (
	"agentd/domains"
	published "agentd/domains/published/recipe"
)

// New returns the domain.
func New() domains.Domain {
	return domains.New(domains.Spec[published.Published]{
		Info: domains.Info{
			Name:       "recipe",
			Title:      "Cooking recipe",
			Category:   "Everyday",
			Patterns:   []string{"*.txt"},
			Element:    counted,
			Example:    "Ingredient 1: 250 g butter\nStep 1: Melt the butter.",
			Components: []string{"score_ingredients", "score_steps", "score_tips"},
		},
		Parse:      published.Parse,
		Score:      published.Score,
		Stats:      published.Stats,
		Elements:   elements,
		Forgives:   forgives,
		Without:    without,
		Sampling:   domains.Sampling{Not: "the steps of a recipe build on each other and on its ingredients"},
		Vocabulary: vocabulary,
	})
}
