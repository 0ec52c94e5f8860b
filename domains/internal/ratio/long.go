package ratio

// longest is the number of code points up to which Long compares texts as a
// whole. A document of 50,000 tokens is not much longer.
const longest = 1 << 17

// Long is Of for texts that may be very long: equal ones take linear time, and
// of others only the first 131,072 code points are compared.
func Long(a, b string) float64 {
	a, b = Beginning(a), Beginning(b)
	if a == b {
		return toItself(b)
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

// toItself is the ratio of a text to itself: 1 unless each of its code points is
// too frequent to start a block. The first block then found lies at one place in
// both, and grows over all of them.
func toItself(text string) float64 {
	counts, n := map[rune]int{}, 0
	for _, r := range text {
		counts[r]++
		n++
	}
	if n < popularFrom {
		return 1
	}
	for _, count := range counts {
		if count <= n/100+1 {
			return 1
		}
	}
	return 0
}
