package transit

import (
	"strings"
	"testing"

	"agentd/domains/domaintest"
)

func BenchmarkContrived(b *testing.B) {
	domaintest.BenchmarkContrived(b, New(), domaintest.Seed(b, "transit1"), contrived)
}

// contrived are documents made to be slow to compare.
var contrived = map[string]domaintest.Contrived{
	"bare":         {Before: "agency_id\n", Record: "1\n"},
	"numbered":     {Before: "agency_id,agency_name\n", Record: "%d,\n"},
	"seeded":       {Before: "agency_id,agency_name\n", Record: "SKB,%d\n"},
	"columns":      {Record: "a%d,"},
	"wide":         {Before: "agency_id" + strings.Repeat(",a", 2000) + "\n", Record: "%d\n"},
	"commas":       {Before: "agency_id,a\n", Record: ",\n"},
	"surplus":      {Before: "agency_id\n", Record: ",,\n"},
	"quotes":       {Before: "agency_id,a\n", Record: "\"%d\n"},
	"doubled":      {Before: "agency_id,a\n", Record: "\"\"\"%d\n"},
	"quote line":   {Before: "agency_id,a\n", Record: ",\"a"},
	"quoted lines": {Before: "agency_id,a\n", Record: "\"a\n\",\n"},
	"stop times":   {Before: "trip_id,stop_sequence,agency_id\n", Record: "1,%d,\n"},
	"sentences":    {Before: "agency_id,a\n", Record: "a %d\n"},
	"lines":        {Record: "a %d\n"},
}
