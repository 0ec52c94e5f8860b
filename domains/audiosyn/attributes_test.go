package audiosyn

import "testing"

func TestComputedAttributes(t *testing.T) {
	t.Parallel()
	for part, want := range map[string][2]string{
		"; --- horn\ni3    36      3.4     0.420   6.10    ; B flat": {"39.4", "-7.5"},
		"i2 24.10 1.60 1":        {"25.7", "0.0"},
		"i1    13.4    .  0.180": {"", "-14.9"},
		"i2    +       .  .":     {"", ""},
		"i2 0 [1+2] 0":           {"", ""},
		"f1 0 16384 10 1":        {"", ""},
	} {
		if got := [2]string{ending(part), decibels(part)}; got != want {
			t.Errorf("%s: %q, want %q", part, got, want)
		}
	}
}
