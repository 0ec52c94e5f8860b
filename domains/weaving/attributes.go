package weaving

import (
	"regexp"
	"strconv"
)

var settingLine = regexp.MustCompile(`(?m)^[ \t]*[^\s=;\[][^=\n]*=`)

// settings is how many settings a section has.
func settings(part string) string {
	return strconv.Itoa(len(settingLine.FindAllString(part, -1)))
}
