// Package recipe is the domain of cooking recipes in plain text: numbered
// records, "Ingredient 3: 200 g butter", "Step 5: Mix.", "Tip 1: …", with
// headings and free text between them. Ingredients and steps are counted.
//
// The published score looks for the records anywhere, pairs ingredients and tips
// by their texts alone, runs the steps together, and compares neither numbers
// nor anything outside of records; what is added costs next to nothing. Strict
// reads a recipe line by line as a cook does: every record with the heading it
// stands under, amounts as exact numbers with their units, steps sentence by
// sentence in the order of their numbers, and every heading and free line. An
// amount may be restated in another unit, labels may be set off in other ways,
// and ingredients and tips may change places.
package recipe
