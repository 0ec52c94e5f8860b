package edifact

import (
	"math"
	"strings"
	"testing"

	published "agentd/domains/published/edifact"
	"agentd/vfs"
)

func TestPublishedScore(t *testing.T) {
	t.Parallel()
	message := func(order, items string) string { return "UNH+1+A:D'RFF+ON:" + order + "'" + items + "UNT+1+1'" }
	const (
		one   = "LIN+1++11:EN'IMD+F+M+:::ROSE'QTY+21:4'PRI+AAA:10'RFF+LI:1'"
		other = "LIN+2++12:EN'IMD+F+M+:::ASTER'QTY+21:9'PRI+AAA:2'RFF+LI:2'"
	)
	reference := message("7", one+other)
	for rule, c := range map[string]struct {
		candidate string
		want      float64
	}{
		"items that were added are free":    {message("7", one+other+other), 1},
		"messages that were added are free": {reference + message("8", one), 1},
		"the order of items is free":        {message("7", other+one), 1},
		"half the items":                    {message("7", one), math.Pow(0.5, 1.5)},
		"no message":                        {"", 0},
		"another order number":              {message("8", one+other), 0.2*0.5 + 0.8},
		"half a price":                      {message("7", strings.Replace(one, ":10", ":5", 1)+other), 0.2 + 0.8*(1-0.15*0.5/2)},
		"a price of zero":                   {message("7", strings.Replace(one, ":10", ":0", 1)+other), 0.2 + 0.8*(1-0.15/2)},
		"a price of the other sign":         {message("7", strings.Replace(one, ":10", ":-10", 1)+other), 0.2 + 0.8*(1-0.30/2)},
		"an article":                        {message("7", strings.Replace(one, "11", "19", 1)+other), 0.2 + 0.8*(1-0.20/2)},
		"a quantity of another qualifier":   {message("7", strings.Replace(one, "21:", "22:", 1)+other), 0.2 + 0.8*(1-0.25/2)},
		"the case of descriptions is free":  {message("7", strings.Replace(one, "ROSE", "Rose", 1)+other), 1},
		"a reference that was lost":         {message("7", strings.Replace(one, "RFF+LI:1'", "", 1)+other), 0.2 + 0.8*(1-0.10/2)},
	} {
		score := New().Compare(vfs.Files{"a.edi": reference}, vfs.Files{"a.edi": c.candidate})
		if math.Abs(score.RS-c.want) > 1e-12 {
			t.Errorf("%s: Value %v, want %v (%v)", rule, score.RS, c.want, score.Components)
		}
	}
	if got := published.PriceAgreement(-5, -10); got != 2 {
		t.Errorf("prices of -5 and -10 agree by %v, published 2", got)
	}
	if score := New().Compare(vfs.Files{"a.edi": ""}, vfs.Files{"a.edi": ""}); score.RS != 0 || score.Strict != 0 {
		t.Errorf("two documents without messages: %+v", score)
	}
}
