package ratio

// longest is the number of code points up to which Long compares texts as a
// whole. A document of 50,000 tokens is not much longer.
const longest = 1 << 17

// Long is Of for texts that may be very long: equal ones take linear time, and
// of others only the first 131,072 code points are compared.
func Long(a, b string) float64 {
	if len(a) > longest || len(b) > longest {
		a, b = beginning(a), beginning(b)
	}
	if a == b {
		return toItself(b)
	}
	return Of(a, b)
}

func beginning(text string) string {
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
