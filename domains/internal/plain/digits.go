package plain

// IsDigits reports whether a text is one or more of the figures 0 to 9.
func IsDigits(text string) bool {
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return text != ""
}
