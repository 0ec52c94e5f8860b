package geodata

import (
	"testing"

	"agentd/domains/domaintest"
)

func BenchmarkContrived(b *testing.B) {
	domaintest.BenchmarkContrived(b, New(), domaintest.Seed(b, "geodata1"), contrived)
}

// contrived are documents made to be slow to compare.
var contrived = map[string]domaintest.Contrived{
	"bare":       {Before: `{"type":"FeatureCollection","features":[`, Record: `{},`, After: `{}]}`},
	"features":   {Before: `{"type":"FeatureCollection","features":[`, Record: `{"type":"Feature"},`, After: `{}]}`},
	"properties": {Before: `{"type":"FeatureCollection","features":[`, Record: `{"type":"Feature","properties":{"id":%d}},`, After: `{}]}`},
	"points":     {Before: `{"type":"FeatureCollection","features":[`, Record: `{"geometry":{"type":"Point","coordinates":[%d,1]}},`, After: `{}]}`},
	"members":    {Before: `{"type":"FeatureCollection",`, Record: `"%d":1,`, After: `"features":[]}`},
	"one":        {Before: `{"type":"FeatureCollection","features":[{"properties":{"id":"CW01",`, Record: `"%d":1,`, After: `"a":1}}]}`},
	"line":       {Before: `{"type":"FeatureCollection","features":[{"properties":{"id":"CW01"},"geometry":{"type":"LineString","coordinates":[`, Record: `[%d,1],`, After: `[1,1]]}}]}`},
	"ring":       {Before: `{"type":"FeatureCollection","features":[{"properties":{"id":"CW01"},"geometry":{"type":"Polygon","coordinates":[[`, Record: `[1,1],`, After: `[1,1]]]}}]}`},
	"holes":      {Before: `{"type":"FeatureCollection","features":[{"properties":{"id":"CW01"},"geometry":{"type":"Polygon","coordinates":[`, Record: `[[1,%d]],`, After: `[[1,1]]]}}]}`},
	"sequence":   {Record: "{\"a\":%d}\n"},
	"lines":      {Record: "a %d\n"},
}
