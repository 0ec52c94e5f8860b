package slides

import (
	"testing"

	published "agentd/domains/published/slides"
)

func TestComputedAttributes(t *testing.T) {
	t.Parallel()
	for slide, want := range map[string][4]string{
		"## Discs [@(1,2) | 36pt]": {"5", "0", "0", "0"},
		"## Cost\n\n| Item | £k |\n| --- | ---: |\n| Discs | 655 |\n- under [@(1,2)]\n  - by 3": {"23", "2", "2", "0"},
		"## Cost\n- one\n\n::: {.notes}\nOutturn, not\nan estimate.\n:::":                       {"11", "1", "0", "4"},
		"## Code\n```\n- a\n```\n::: notes\nnot closed":                                         {"10", "0", "0", "2"},
	} {
		if got := [4]string{words(slide), counting(published.BulletPart)(slide), counting(published.RowPart)(slide), spoken(slide)}; got != want {
			t.Errorf("%q has %v words, bullets, rows and spoken words, want %v", slide, got, want)
		}
	}
}
