package pytext

import (
	"strings"
	"testing"
)

func TestIntIsPythons(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"0": "0", "7": "7", " 42\t": "42", "+5": "5", "-5": "-5", "-0": "0", "007": "7", "1_000": "1000", "٣": "3", "1\u00a0": "1",
		"": "", " ": "", "+": "", "1__0": "", "_1": "", "1_": "", "1.0": "", "- 5": "", "--5": "", "x": "", "1 2": "", "²": "",
		strings.Repeat("9", MostDigits): strings.Repeat("9", MostDigits), strings.Repeat("9", MostDigits+1): "",
	} {
		if got, ok := Int(text); got != want || ok != (want != "") {
			t.Errorf("Int(%q) = %q, %v, want %q", text, got, ok, want)
		}
	}
}
