package robotics

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"agentd/domains/edit"
)

var (
	isJoint   = regexp.MustCompile(`^<joint\s`)
	rollPitch = regexp.MustCompile(edit.ValueOf("origin", "rpy"))
)

// degrees are the roll, pitch and yaw of a joint's origin in degrees with two decimals: "0.00 -2.00 0.00". They are empty
// of anything else, and without three angles.
func degrees(part string) string {
	m := rollPitch.FindStringSubmatch(part)
	if m == nil || !isJoint.MatchString(part) {
		return ""
	}
	angles, ok := floats(m[1])
	if !ok || len(angles) != 3 {
		return ""
	}
	var all []string
	for _, angle := range angles {
		rounded := math.Round(angle*180/math.Pi*100)/100 + 0 // no -0.00
		all = append(all, strconv.FormatFloat(rounded, 'f', 2, 64))
	}
	return strings.Join(all, " ")
}
