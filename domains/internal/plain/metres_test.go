package plain

import (
	"math"
	"testing"
)

func TestMetres(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		latA, lonA, latB, lonB, want float64
	}{
		"one place":            {59.9, 10.7, 59.9, 10.7, 0},
		"a degree north":       {10, 20, 11, 20, 111_195},
		"a degree east at 60°": {60, 20, 60, 21, 55_597},
		"opposite places":      {0, 0, 0, 180, 20_015_087},
	} {
		if got := Metres(c.latA, c.lonA, c.latB, c.lonB); math.Round(got) != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
