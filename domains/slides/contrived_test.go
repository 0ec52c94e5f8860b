package slides

import (
	"strings"
	"testing"

	"agentd/domains/domaintest"
)

func BenchmarkContrived(b *testing.B) {
	domaintest.BenchmarkContrived(b, New(), domaintest.Seed(b, "slides1"), contrived)
}

// contrived are documents made to be slow to compare.
var contrived = map[string]domaintest.Contrived{
	"bare":         {Record: "## \n"},
	"titles":       {Record: "## %d\n"},
	"placeholders": {Record: "## Slide %d\n"},
	"seeded":       {Record: "## Off-gas tests\n"},
	"bullets":      {Before: "## Energy\n", Record: "- a\n"},
	"numbered":     {Before: "## Energy\n", Record: "- %d\n"},
	"near":         {Before: "## Energy\n", Record: "- Gap is lane %d, see later [@(8,5)]\n"},
	"positions":    {Before: "## Energy\n", Record: "- a%d [@(%d,1)]\n"},
	"images":       {Before: "## Energy\n", Record: "[IMAGE:%d]\n"},
	"one image":    {Before: "## Energy\n", Record: "[IMAGE:a]\n"},
	"hundred":      {Before: "## Energy\n", Record: "[IMAGE:a]\n[IMAGE:b]\n[IMAGE:c%d]\n"},
	"charts":       {Before: "## Energy\n", Record: "[CHART:a@(1,1)]\n"},
	"rows":         {Before: "## Energy\n", Record: "|a|%d|\n"},
	"one row":      {Before: "## Energy\n", Record: "|%d", After: "|\n"},
	"rulers":       {Before: "## Energy\n", Record: "|-|\n"},
	"open rows":    {Before: "## Energy\n", Record: "a|\n"},
	"notes":        {Before: "## Energy\n", Record: "::: {.notes}\na\n:::\n"},
	"open notes":   {Before: "## Energy\n", Record: "::: {.notes}\n"},
	"one note":     {Before: "## Energy\n::: {.notes}\n", Record: "%d. ", After: "\n:::\n"},
	"note lines":   {Before: "## Energy\n::: {.notes}\n", Record: "%d\n", After: ":::\n"},
	"long notes":   {Before: "## Energy\n", Record: "::: {.notes}\n" + strings.Repeat("kWh a year %d. ", 500) + "\n:::\n"},
	"marks":        {Before: "## Energy", Record: "[@(1,1)]"},
	"open marks":   {Before: "## Energy", Record: "[@("},
	"half marks":   {Before: "## Energy", Record: "[@(a)|"},
	"shut marks":   {Before: "## Energy", Record: "[@(1,1)", After: "]\n"},
	"sizes":        {Before: "## Energy", Record: "[@(1,1) | "},
	"blanks":       {Before: "## Energy [@(1,1)", Record: " ", After: "]\n"},
	"digits":       {Before: "## Energy [@(", Record: "12", After: ",1)]\n"},
	"subtitles":    {Before: "## Energy\n", Record: "**\n"},
	"stars":        {Before: "## Energy\n", Record: "* "},
	"levels":       {Before: "## Energy\n", Record: " - a\n  - b\n    - c\n"},
	"front matter": {Before: "---\n", Record: "a%d: b\n", After: "---\n## Energy\n"},
	"rules":        {Record: "---\n"},
	"fences":       {Record: "```\n"},
	"comments":     {Record: "<!--\n"},
	"lines":        {Before: "## Energy\n", Record: "%d\n"},
	"long title":   {Before: "## ", Record: "a%d "},
	"below it":     {Before: "## " + strings.Repeat("a", 1<<20) + "\n", Record: "%d\n"},
	"upper":        {Before: "## Energy\n- ", Record: "A"},
}
