package dns

import (
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
)

// place checks the words of a LOC record: degrees, minutes and seconds of latitude and
// longitude with capital letters for the hemispheres, an altitude and up to three
// lengths in metres. If they are not the whole, more words may follow.
func place(words []string, whole bool) error {
	for _, hemispheres := range []string{"NS", "EW"} {
		n := 0
		for n < len(words) && n < 3 && isAngle(words[n], n == 2) {
			n++
		}
		switch {
		case n == len(words) && !whole:
			return nil
		case n == 0:
			return syntaxError("invalid literal for int() with base 10")
		case n == len(words) || len(words[n]) != 1 || !strings.Contains(hemispheres, words[n]):
			return syntaxError("bad hemisphere value")
		}
		words = words[n+1:]
	}
	if len(words) == 0 && whole || len(words) > 4 {
		return syntaxError("expecting an identifier")
	}
	for _, length := range words {
		if _, err := strconv.ParseFloat(strings.TrimSuffix(length, "m"), 64); err != nil {
			return syntaxError("could not convert string to float")
		}
	}
	return nil
}

// isAngle reports whether a word is a number of degrees, minutes or, perhaps with a
// fraction, seconds.
func isAngle(word string, seconds bool) bool {
	whole, fraction, divided := strings.Cut(word, ".")
	return plain.IsDigits(whole) && (!divided || seconds && plain.IsDigits(fraction))
}
