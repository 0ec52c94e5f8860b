package foodmenu

import (
	"strings"
	"testing"

	"agentd/domains/domaintest"
)

func BenchmarkContrived(b *testing.B) {
	domaintest.BenchmarkContrived(b, New(), domaintest.Seed(b, "foodmenu1"), contrived)
}

// contrived are documents made to be slow to compare.
var contrived = map[string]domaintest.Contrived{
	"bare":         {Record: "$1.00\n"},
	"numbered":     {Record: "a%d $1.00\n"},
	"prices":       {Record: "Bica $%d.00\n"},
	"seeded":       {Before: "--- DOCES ---\n", Record: "Serradura $5.75 (V) [D] [G] %d\n"},
	"near":         {Before: "--- DOCES ---\n", Record: "Serradur%d $5.75 (V) [D] [G]\n"},
	"described":    {Record: "CALDO VERDE potato %d $4.50\n"},
	"capitals":     {Before: "Bica ", Record: "A%d ", After: " a $1.00\n"},
	"one name":     {Record: "bica %d ", After: "$1.00\n"},
	"long names":   {Record: strings.Repeat("bica ", 1000) + "%d $1.00\n"},
	"codes":        {Before: "Bica $1.00 ", Record: "[D]"},
	"marks":        {Before: "Bica $1.00 ", Record: "(A) "},
	"coded":        {Record: "a $1.00 [D]\n"},
	"open codes":   {Before: "Bica $1.00 ", Record: "["},
	"list":         {Before: "Bica $1.00 [", Record: "D, ", After: "]\n"},
	"price list":   {Before: "Bica ", Record: "$%d.00 "},
	"price first":  {Before: "$1.00 Bica", Record: " (A)"},
	"dollars":      {Before: "Bica ", Record: "$"},
	"digits":       {Before: "Bica $", Record: "12", After: ".00\n"},
	"leaders":      {Before: "Bica ", Record: "... ", After: "$1.00\n"},
	"dashes":       {Before: "Bica ", Record: "--- $", After: "1.00\n"},
	"sections":     {Record: "--- ab ---\n"},
	"named":        {Record: "--- a%d ---\n"},
	"bare headers": {Record: "AB\n"},
	"titles":       {Record: "=\na%d\n"},
	"headings":     {Record: "a%d\n"},
	"above":        {Record: "AB\n $1.00\n"},
	"below":        {Before: "Bica $1.00\n", Record: " %d\n"},
	"indented":     {Before: "Bica $1.00\n", Record: "\n "},
	"legend":       {Record: "[D] %d\n"},
	"legends":      {Record: "[D] "},
	"table":        {Record: "|a|$1.00|\n"},
	"lines":        {Before: "--- DOCES ---\n", Record: "%d\n"},
	"blanks":       {Before: "Bica", Record: " ", After: "$1.00\n"},
	"rulers":       {Record: "-\n"},
}
