package geotrack

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
)

var coordinates = regexp.MustCompile(`<\w+[^>]*\blat="([^"]+)"[^>]*\blon="([^"]+)"`)

// position is where a point is, in degrees and minutes with three decimals, as on a marine chart: "57°06.752'N
// 003°43.247'W". It is empty without coordinates.
func position(part string) string {
	m := coordinates.FindStringSubmatch(part)
	if m == nil {
		return ""
	}
	lat, err := strconv.ParseFloat(m[1], 64)
	if err != nil {
		return ""
	}
	lon, err := strconv.ParseFloat(m[2], 64)
	if err != nil {
		return ""
	}
	return minutes(lat, 2, "NS") + " " + minutes(lon, 3, "EW")
}

// minutes writes an angle with so many digits of degrees and one of two letters for its sign.
func minutes(angle float64, digits int, sides string) string {
	side := sides[:1]
	if angle < 0 {
		angle, side = -angle, sides[1:]
	}
	thousandths := int(math.Round(angle * 60_000))
	return fmt.Sprintf("%0*d°%02d.%03d'%s", digits, thousandths/60_000, thousandths/1000%60, thousandths%1000, side)
}
