package obj3d

import (
	"regexp"
	"strconv"
)

var faceLine = regexp.MustCompile(`(?m)^[ \t]*f[ \t]`)

// facesOf is how many faces a group has.
func facesOf(part string) string { return strconv.Itoa(len(faceLine.FindAllString(part, -1))) }
