package vector

import "testing"

func TestElementsIn(t *testing.T) {
	t.Parallel()
	for part, want := range map[string]string{
		`<g id="a"><rect/><text>b <tspan>c</tspan></text><!-- d --></g>`: "4",
		`<path d="M 0,0"/>`: "1",
	} {
		if got := elementsIn(part); got != want {
			t.Errorf("%s: %q, want %q", part, got, want)
		}
	}
}
