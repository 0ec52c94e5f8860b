package models

import (
	"math"
	"strings"
	"testing"
	"time"
)

func TestTheListOfPricesIsPlausible(t *testing.T) {
	t.Parallel()
	prices, err := ListPrices()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := time.Parse(time.DateOnly, prices.Date); err != nil {
		t.Error(err)
	}
	for name, p := range prices.Models {
		if p.Cached < 0 || p.Cached >= p.Input || p.Input >= p.Output {
			t.Errorf("%s: %+v, want cached below input below output", name, p)
		}
		if p.Fictitious != strings.HasPrefix(name, "sim:") {
			t.Errorf("%s: fictitious is %v", name, p.Fictitious)
		}
	}
}

func TestPricesAreFoundByName(t *testing.T) {
	t.Parallel()
	prices := Prices{Models: map[string]Price{
		"gpt-5": {Input: 1}, "claude-opus-4-5": {Input: 4}, "gpt-5-mini": {Input: 2}, "gpt-5-2025-08-07": {Input: 3}, "free": {},
	}}
	for name, want := range map[string]float64{
		"gpt-5": 1, "gpt-5-mini": 2, "gpt-5-mini-2025-08-07": 2, "gpt-5-2025-10-01": 1, "gpt-5-2025-08-07": 3, "free": 0, "claude-opus-4-5-20251101": 4,
	} {
		if got := prices.Find(name); got == nil || got.Input != want {
			t.Errorf("%s costs %+v, want %v", name, got, want)
		}
	}
	for _, name := range []string{"gpt-5-nano", "gpt-5-12345678", "gpt", "", "my/gpt-5"} {
		if got := prices.Find(name); got != nil {
			t.Errorf("%q costs %+v, want unknown", name, got)
		}
	}
}

func TestCostCountsCachedTokensOnce(t *testing.T) {
	t.Parallel()
	usage := Usage{Prompt: 600_000, Cached: 400_000}.Add(Usage{Prompt: 400_000, Completion: 100_000, Reasoning: 90_000})
	if usage.Total() != 1_100_000 {
		t.Errorf("total %d", usage.Total())
	}
	for name, c := range map[string]struct {
		price Price
		want  float64
	}{
		"cached tokens at their price":    {Price{Input: 2, Cached: 0.5, Output: 10}, 1.2 + 0.2 + 1},
		"as other input where it is none": {Price{Input: 2, Output: 10}, 2 + 1},
		"nothing":                         {Price{}, 0},
	} {
		if got := c.price.Cost(usage); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
