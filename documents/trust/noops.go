package trust

import (
	"fmt"

	"agentd/results"
)

// NoOps are RS and Strict at the end of a relay with no-ops as 0 (results.NoOpsZero), in percent,
// or their means over relays. Each is nil where there is none.
type NoOps struct {
	RS     *float64 `json:"rs_noops_zero"`
	Strict *float64 `json:"strict_noops_zero"`
}

// noOpsOf is that of a relay which ends with a backward step. executed is that of the forward step
// before it.
func noOpsOf(in *results.Interaction, executed *bool) NoOps {
	of := func(score func(*results.Score) float64) *float64 {
		var known *float64
		if in.Score != nil {
			known = new(score(in.Score))
		}
		if counts := results.NoOpsZero(known, in.Unscored, executed); counts != nil {
			return new(rounded(100 * *counts))
		}
		return nil
	}
	return NoOps{of(func(s *results.Score) float64 { return s.Value }), of(func(s *results.Score) float64 { return s.Strict })}
}

// noOpsMean is the mean over relays.
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

// show says both, as in "RS 40, Strict 35.5".
func (n NoOps) show() string {
	said := func(v *float64) string {
		if v == nil {
			return "–"
		}
		return percent(*v)
	}
	return fmt.Sprintf("RS %s, Strict %s", said(n.RS), said(n.Strict))
}
