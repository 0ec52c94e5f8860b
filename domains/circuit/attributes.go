package circuit

import (
	"regexp"
	"strconv"
)

var lettered = regexp.MustCompile(`(?m)^[ \t]*[A-Za-z]\w*[ \t]+\S`)

// elementsOf is how many elements and instances a subcircuit has: its lines but comments, continued lines and those with a dot.
func elementsOf(part string) string { return strconv.Itoa(len(lettered.FindAllString(part, -1))) }
