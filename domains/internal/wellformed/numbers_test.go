package wellformed_test

import (
	"testing"

	"agentd/domains/internal/wellformed"
)

func TestListNumbers(t *testing.T) {
	t.Parallel()
	for title, c := range map[string]struct {
		text string
		line int // 0 where nothing is wrong
	}{
		"they follow":              {"1. tar\n2. rope\n3. paint\n", 0},
		"all are one":              {"1. tar\n1. rope\n1. paint\n", 0},
		"one does not follow":      {"1. tar\n\n7. rope\n   of hemp\n3. paint\n", 3},
		"the last does not follow": {"4. tar\n5. rope\n9. paint\n", 3},
		"two have changed places":  {"1. tar\n3. rope\n2. paint\n4. nails\n", 2},
		"no order at all":          {"1. tar\n9. rope\n4. paint\n", 0},
		"two items":                {"1. tar\n5. rope\n", 0},
		"two lists":                {"1. tar\n2. rope\n\nThen:\n\n3. paint\n", 0},
		"in code":                  {"```\n1. tar\n7. rope\n3. paint\n```\n", 0},
		"a list in an item":        {"1. tar\n   1. of pine\n   2. of coal\n2. rope\n3. paint\n", 0},
	} {
		slips := wellformed.ListNumbers("a.md", c.text)
		if len(slips) > 0 != (c.line > 0) || len(slips) > 0 && slips[0].Line != c.line {
			t.Errorf("%s: %v", title, slips)
		}
	}
}
