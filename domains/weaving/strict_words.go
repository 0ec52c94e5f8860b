package weaving

import (
	"slices"
	"strconv"
	"strings"
)

var (
	ones = strings.Fields(`zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen
		fifteen sixteen seventeen eighteen nineteen`)
	tens = strings.Fields("twenty thirty forty fifty sixty seventy eighty ninety")
)

// inWords is the number that English words below a hundred stand for.
func inWords(text string) (string, bool) {
	if n := slices.Index(ones, text); n >= 0 {
		return strconv.Itoa(n), true
	}
	first, second, compound := strings.Cut(text, "-")
	ten := slices.Index(tens, first)
	if ten < 0 {
		return "", false
	}
	one := 0
	if compound {
		if one = slices.Index(ones[:10], second); one < 1 {
			return "", false
		}
	}
	return strconv.Itoa((ten+2)*10 + one), true
}
