package ratio

import "agentd/domains/internal/notes"

// longest is the number of code points up to which Long compares texts as a
// whole. A document of 50,000 tokens is not much longer.
const longest = 1 << 17

// Long is Of for texts that may be very long: equal ones take linear time (of
// them it is 1: the first block grows over all, even if nothing is rare), and
// of others only the first 131,072 code points are compared, and noted says so.
func Long(a, b string, noted *notes.Notes) float64 {
	if a == b {
		return 1
	}
	a, b = Beginning(a, noted), Beginning(b, noted)
	if a == b {
		return 1
	}
	return Of(a, b)
}

// Beginning is a text up to the length that Long compares; noted says that it was cut.
func Beginning(text string, noted *notes.Notes) string {
	if len(text) <= longest {
		return text
	}
	count := 0
	for at := range text {
		if count == longest {
			noted.Add(notes.Beginnings)
			return text[:at]
		}
		count++
	}
	return text
}
