package trust

import (
	"fmt"

	"agentd/results"
)

// NoOps are RS and Strict at the end of a relay with no-ops as 0 (results.Trip.NoOpsZero), in percent,
// or their means over relays. Each is nil where there is none.
type NoOps struct {
	RS     *float64 `json:"rs_noops_zero"`
	Strict *float64 `json:"strict_noops_zero"`
}

// noOpsOf returns the NoOps of a relay that ends with the round trip.
func noOpsOf(last results.Trip) NoOps {
	of := func(score *float64) *float64 {
		if score == nil {
			return nil
		}
		return new(rounded(100 * *score))
	}
	rs, strict := last.NoOpsZero(false)
	return NoOps{of(rs), of(strict)}
}

// noOpsMean returns the mean over relays.
func noOpsMean(relays []Relay) NoOps {
	of := func(score func(NoOps) *float64) *float64 {
		sum, n := 0.0, 0
		for i := range relays {
			if v := score(relays[i].NoOps); v != nil {
				sum, n = sum+*v, n+1
			}
		}
		if n == 0 {
			return nil
		}
		return new(rounded(sum / float64(n)))
	}
	return NoOps{of(func(n NoOps) *float64 { return n.RS }), of(func(n NoOps) *float64 { return n.Strict })}
}

// show formats both, as in "RS 40, Strict 35.5".
func (n NoOps) show() string {
	said := func(v *float64) string {
		if v == nil {
			return "–"
		}
		return percent(*v)
	}
	return fmt.Sprintf("RS %s, Strict %s", said(n.RS), said(n.Strict))
}
