package satellite

import (
	"strings"
	"testing"

	"agentd/domains/domaintest"
)

func BenchmarkContrived(b *testing.B) {
	domaintest.BenchmarkContrived(b, New(), domaintest.Seed(b, "satellite1"), contrived)
}

// contrived are documents made to be slow to compare.
var contrived = map[string]domaintest.Contrived{
	"bare":      {Record: "1 0                0\n"},
	"shortest":  {Record: "1 0" + strings.Repeat(" ", 59) + "0\n2 0" + strings.Repeat(" ", 59) + "0\n"},
	"numbered":  {Record: "1 %06d" + strings.Repeat(" ", 54) + "0\n2 0" + strings.Repeat(" ", 59) + "0\n"},
	"named":     {Record: "a%d\n1 25544" + strings.Repeat(" ", 55) + "0\n2 25544" + strings.Repeat(" ", 55) + "0\n"},
	"one name":  {Record: "ISS (ZARYA)\n1 25544" + strings.Repeat(" ", 55) + "0\n2 25544" + strings.Repeat(" ", 55) + "0\n"},
	"near":      {Record: "NOAA %d\n1 25338" + strings.Repeat(" ", 55) + "0\n2 25338" + strings.Repeat(" ", 55) + "0\n"},
	"shifted":   {Record: "1 0 1 26044. . 0 0 0 %d0\n2 0 0 0 0 0 0 0.00000000%d\n"},
	"seconds":   {Record: "2 25544  51.6327 192.0744 %d\n"},
	"comments":  {Record: "# %d\n"},
	"commented": {Record: "# %d\n1 25544" + strings.Repeat(" ", 55) + "0\n2 25544" + strings.Repeat(" ", 55) + "0\n"},
	"long name": {Record: "ISS ", After: "\n1 25544" + strings.Repeat(" ", 55) + "0\n2 25544" + strings.Repeat(" ", 55) + "0\n"},
	"lines":     {Record: "%d\n"},
}
