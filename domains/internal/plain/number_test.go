package plain

import "testing"

func TestNumber(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"12": "12", "+12.50": "12.5", " 012 ": "12", "-0.0": "0", ".5": "0.5", "5.": "5", "-.50": "-0.5",
		"1.423e-1": "0.1423", "6.1E2": "610", "-1.5e+3": "-1500", "-1.38777878078145E-17": "-0.0000000000000000138777878078145",
		"": "", "-": "-", "--1": "--1", "1.2.3": "1.2.3", "1,5": "1,5", "e5": "e5", "1e": "1e", "1e999": "1e999", "1e-99": "1e-99", "nan": "nan",
	} {
		if got := Number(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}
