package aviation

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

var validity = regexp.MustCompile(`\b([BC])\)\s*(\d{10})`)

// hours is how long a NOTAM is in force from item B to item C, in hours with one decimal; empty
// without an end, or if an item is no time.
func hours(part string) string {
	var times [2]time.Time
	for _, m := range validity.FindAllStringSubmatch(part, -1) {
		at, err := time.Parse("0601021504", m[2])
		if err != nil {
			return ""
		}
		times[strings.Index("BC", m[1])] = at
	}
	if times[0].IsZero() || times[1].IsZero() {
		return ""
	}
	return strconv.FormatFloat(times[1].Sub(times[0]).Hours(), 'f', 1, 64)
}
