package aviation

import "testing"

func TestHours(t *testing.T) {
	t.Parallel()
	for part, want := range map[string]string{
		"A1/25 NOTAMN\nA) ENBR B) 2506142230 C) 2506150445\nE) B) X": "6.2",
		"A1/25 NOTAMN\nA) ENBR B) 2506111130 C) 2507041600 EST":      "556.5",
		"A1/25 NOTAMN\nA) ENBR B) 2506111130 C) PERM":                "",
		"A1/25 NOTAMN\nA) ENBR B) 2506319999 C) 2507041600":          "",
		"A1/25 NOTAMC A9/24\nA) ENBR B) 2506111130":                  "",
	} {
		if got := hours(part); got != want {
			t.Errorf("%s: %q, want %q", part, got, want)
		}
	}
}
