package weather

import "testing"

// A visibility in kilometres is that in metres; a fraction, or more digits, is no such group.
func TestMetresOf(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]string{
		"7KM": "7000", "07KM": "7000", "10KM": "9999", "15KM": "9999", "0KM": "0000",
		"7SM": "", "KM": "", "100KM": "", "1/2KM": "", "7000": "",
	} {
		if got, ok := metresOf(word); got != want || ok != (want != "") {
			t.Errorf("%s: %q %v, want %q", word, got, ok, want)
		}
	}
}
