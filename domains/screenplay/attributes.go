package screenplay

import (
	"strconv"
	"strings"
)

// words is the number of words of a speech, which stand between blanks; those in parentheses are not
// said. It is empty if there is no speech.
func words(part string) string {
	for _, b := range readText(part).blocks {
		if b.kind == counted {
			said := replaceParentheticals(strings.Join(b.text(), " "), func(string) string { return "" })
			return strconv.Itoa(len(strings.Fields(said)))
		}
	}
	return ""
}
