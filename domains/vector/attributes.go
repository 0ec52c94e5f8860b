package vector

import (
	"regexp"
	"strconv"
)

var openTag = regexp.MustCompile(`<[A-Za-z][^<>]*>`)

// elementsIn is how many elements a part has, itself included.
func elementsIn(part string) string { return strconv.Itoa(len(openTag.FindAllString(part, -1))) }
