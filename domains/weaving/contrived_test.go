package weaving

import (
	"testing"

	"agentd/domains/domaintest"
)

func BenchmarkContrived(b *testing.B) {
	domaintest.BenchmarkContrived(b, New(), domaintest.Seed(b, "weaving1"), contrived)
}

// contrived are documents made to be slow to compare.
var contrived = map[string]domaintest.Contrived{
	"bare":         {Before: "[THREADING]\n", Record: "%d=1\n"},
	"same":         {Before: "[THREADING]\n", Record: "1=1\n"},
	"one thread":   {Before: "[THREADING]\n", Record: "1=%d\n"},
	"picks":        {Before: "[TREADLING]\n", Record: "%d=\n"},
	"lists":        {Before: "[THREADING]\n", Record: "%d=1,2\n"},
	"one list":     {Before: "[THREADING]\n1=1", Record: ",%d"},
	"ties":         {Before: "[TIEUP]\n", Record: "%d=2\n"},
	"lifts":        {Before: "[LIFTPLAN]\n", Record: "%d=2\n"},
	"colors":       {Before: "[COLOR TABLE]\n", Record: "%d=1,2,3\n"},
	"same color":   {Before: "[COLOR TABLE]\n", Record: "%d=236,229,210\n"},
	"warp colors":  {Before: "[WARP COLORS]\n", Record: "%d=4\n"},
	"settings":     {Before: "[WARP]\n", Record: "a%d=1\n"},
	"shared":       {Before: "[DEFAULT]\n", Record: "%d=1\n", After: "[THREADING]\n[TREADLING]\n[TIEUP]\n"},
	"sections":     {Record: "[%d]\n"},
	"same section": {Record: "[THREADING]\n1=%d\n"},
	"headers":      {Record: "[WIF]\na%d=1\n"},
	"notes":        {Before: "[NOTES]\n", Record: "%d=a\n"},
	"continued":    {Before: "[TEXT]\nTitle=a\n", Record: " b\n"},
	"gaps":         {Before: "[TEXT]\nTitle=a\n", Record: "\n", After: " b\n"},
	"comments":     {Before: "[TEXT]\n", Record: ";%d\n"},
	"after":        {Before: "[WARP COLORS]\n", Record: "%d=1;%d\n"},
	"brackets":     {Record: "["},
	"digits":       {Before: "[THREADING]\n1=", Record: "1"},
	"lines":        {Before: "[TEXT]\n", Record: "a%d\n"},
	"preface":      {Record: "a%d\n"},
}
