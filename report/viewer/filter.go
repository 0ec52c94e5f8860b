package viewer

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"agentd/report"
	"agentd/results"
)

// matrixFilter says which relays the matrix shows. An empty field lets all through.
type matrixFilter struct {
	Arm, Domain string
	Most        string // the last RS in percent is at most this
	Reason      string // a part of why one of the relay's interactions failed or changed nothing
	most        float64
}

// Any reports whether it leaves anything out.
func (f matrixFilter) Any() bool { return f != matrixFilter{} }

func filterOf(asked url.Values) (matrixFilter, error) {
	f := matrixFilter{Arm: asked.Get("arm"), Domain: asked.Get("domain"), Most: asked.Get("most"), Reason: asked.Get("reason")}
	if f.Most != "" {
		var err error
		if f.most, err = strconv.ParseFloat(f.Most, 64); err != nil || !(f.most >= 0 && f.most <= 100) {
			return f, problem{http.StatusBadRequest, fmt.Sprintf("most=%q is not a number from 0 to 100.", f.Most)}
		}
	}
	return f, nil
}

// filtered is the matrix with the arms, environments and relays that the filter lets through.
func (v *Viewer) filtered(ctx context.Context, e results.Experiment, all matrixTable, f matrixFilter) (matrixTable, error) {
	if !f.Any() {
		return all, nil
	}
	var came map[int64]bool // relays to which it came
	if f.Reason != "" {
		var err error
		if came, err = v.relaysWith(ctx, e, f.Reason); err != nil {
			return matrixTable{}, err
		}
	}
	var kept matrixTable
	for _, a := range all.Arms {
		if f.Arm == "" || f.Arm == arm(a.Model, a.Policy) {
			kept.Arms = append(kept.Arms, a)
		}
	}
	for _, row := range all.Rows {
		if f.Domain != "" && f.Domain != row.Domain {
			continue
		}
		some := matrixRow{Environment: row.Environment, Domain: row.Domain, Judged: row.Judged}
		found := false
		for i, a := range all.Arms {
			if f.Arm != "" && f.Arm != arm(a.Model, a.Policy) {
				continue
			}
			var cell []matrixRelay
			for _, relay := range row.Cells[i] {
				if (f.Most == "" || relay.Score != nil && 100**relay.Score <= f.most) && (f.Reason == "" || came[relay.ID]) {
					cell, found = append(cell, relay), true
				}
			}
			some.Cells = append(some.Cells, cell)
		}
		if found {
			kept.Rows = append(kept.Rows, some)
		}
	}
	return kept, nil
}

// relaysWith are the relays with an interaction that came to nothing for a reason of which this is a part.
func (v *Viewer) relaysWith(ctx context.Context, e results.Experiment, reason string) (map[int64]bool, error) {
	interactions, err := v.store.Summaries(ctx, e.ID)
	if err != nil {
		return nil, err
	}
	found := map[int64]bool{}
	for i := range interactions {
		if strings.Contains(strings.ToLower(report.ReasonOf(&interactions[i])), strings.ToLower(reason)) {
			found[interactions[i].Relay] = true
		}
	}
	return found, nil
}
