package recipe

import (
	"testing"

	"agentd/domains/domaintest"
)

func BenchmarkContrived(b *testing.B) {
	domaintest.BenchmarkContrived(b, New(), domaintest.Seed(b, "recipe1"), contrived)
}

// contrived are documents made to be slow to compare.
var contrived = map[string]domaintest.Contrived{
	"bare":        {Record: "Step 1:a\n"},
	"numbered":    {Record: "Step %d:a\n"},
	"steps":       {Record: "Step 1:%d\n"},
	"backwards":   {Before: "Step 2:a\n", Record: "Step 1:%d\n"},
	"seeded":      {Record: "Step 29: Rest the pies on a wire rack for %d minutes before anyone touches them.\n"},
	"one step":    {Before: "Step 1:", Record: "Rest %d. "},
	"sentences":   {Before: "Step 1:", Record: "A. "},
	"rare":        {Before: "Step 1:", Record: "Cut each in 4 (%d) with a WARM knife, #!&+; Keep QUIET? "},
	"one number":  {Before: "Step ", Record: "1", After: ":a\n"},
	"ingredients": {Record: "Ingredient 1:%d\n"},
	"amounts":     {Record: "Ingredient 1:%d g a\n"},
	"butter":      {Record: "Ingredient 1:%d oz unsalted butter\n"},
	"names":       {Record: "Ingredient 1:1 g unsalted butter %d\n"},
	"tips":        {Record: "Tip 1:%d\n"},
	"one tip":     {Before: "Tip 1:", Record: "Six turns, not %d. "},
	"items":       {Before: "## STEPS\n", Record: "1. %d\n"},
	"headings":    {Record: "#%d\n"},
	"labels":      {Record: "Step %d "},
	"stars":       {Record: "*"},
	"blanks":      {Before: "Step 1:", Record: " "},
	"lines":       {Record: "a %d\n"},
}
