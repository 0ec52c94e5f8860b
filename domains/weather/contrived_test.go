package weather

import (
	"testing"

	"agentd/domains/domaintest"
)

func BenchmarkContrived(b *testing.B) {
	domaintest.BenchmarkContrived(b, New(), domaintest.Seed(b, "weather1"), contrived)
}

// contrived are documents made to be slow to compare.
var contrived = map[string]domaintest.Contrived{
	"bare":      {Record: "METAR A\n"},
	"times":     {Record: "METAR PANC %06dZ\n"},
	"same":      {Before: "METAR OBSERVATIONS\n", Record: "METAR PANC 281753Z %d\n"},
	"remarks":   {Before: "METAR OBSERVATIONS\n", Record: "METAR PANC 281753Z RMK %d\n"},
	"words":     {Before: "METAR PANC 281753Z", Record: " %d"},
	"remark":    {Before: "METAR PANC 281753Z RMK", Record: " a%d"},
	"weather":   {Before: "METAR PANC 281753Z", Record: " RA"},
	"slashes":   {Before: "METAR PANC 281753Z ", Record: "/"},
	"wrapped":   {Before: "METAR PANC 281753Z\n", Record: "%d\n"},
	"forecasts": {Record: "TAF A%d\n"},
	"issued":    {Before: "TAF FORECASTS\n", Record: "TAF PANC %06dZ 2818/0124 1SM\n"},
	"forecast":  {Before: "TAF FORECASTS\nTAF PANC 281735Z 2818/0124\n", Record: "FM%06d 1SM\n"},
	"changes":   {Before: "TAF FORECASTS\nTAF PANC 281735Z 2818/0124\n", Record: "TEMPO\n"},
	"stations":  {Before: "METAR A\nSTATIONS:", Record: " A%d"},
	"header":    {Before: "METAR A\n", Record: "DTG: %d\n"},
	"titles":    {Before: "METAR A\n", Record: "TAF\n"},
	"lines":     {Record: "(%d)\n"},
}
