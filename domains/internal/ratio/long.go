package ratio

// longest is the number of code points up to which Long compares texts as a
// whole. A document of 50,000 tokens is not much longer.
const longest = 1 << 17

// Long is Of for texts that may be very long: equal ones take linear time (of
// them it is 1: the first block grows over all, even if nothing is rare), and
// of others only the first 131,072 code points are compared.
func Long(a, b string) float64 {
	a, b = Beginning(a), Beginning(b)
	if a == b {
		return 1
	}
	return Of(a, b)
}

// Beginning is a text up to the length that Long compares.
func Beginning(text string) string {
	if len(text) <= longest {
		return text
	}
	n := 0
	for at := range text {
		if n == longest {
			return text[:at]
		}
		n++
	}
	return text
}
