package recipe

import "testing"

func TestTemperaturesInFahrenheit(t *testing.T) {
	t.Parallel()
	for part, want := range map[string]string{
		"Step 1: Bake at 150 °C.":                       "302 °F",
		"Step 2: Keep at 85–90 °C, then cool to 4°C.":   "185–194 °F, 39 °F",
		"Tip 1: Below -18 °C, or 60 to 65 °C in summer": "0 °F, 140 to 149 °F",
		"Step 3: Bake at 350 °F.":                       "",
	} {
		if got := inFahrenheit(part); got != want {
			t.Errorf("%s: %q, want %q", part, got, want)
		}
	}
}
