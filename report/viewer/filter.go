package viewer

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"agentd/report"
	"agentd/results"
)

// matrixFilter selects the relays that the matrix shows. An empty field selects all.
type matrixFilter struct {
	Arm, Domain string
	Most        string // the last RS in percent is at most this
	Reason      string // why one of the relay's interactions failed or changed nothing: a reason, or a kind of reasons
	most        float64
}

// Any reports whether any filter is set.
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

// filtered returns the matrix with the arms, environments and relays that the filter selects.
func filtered(all matrixTable, reasons []report.Reason, f matrixFilter) matrixTable {
	if !f.Any() {
		return all
	}
	came := relaysWith(reasons, f.Reason)
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
	return kept
}

// buildReasons returns why interactions of an experiment failed or changed nothing.
func (v *Viewer) buildReasons(ctx context.Context, e results.Experiment) ([]report.Reason, error) {
	interactions, err := v.store.Summaries(ctx, e.ID)
	return report.Reasons(interactions), err
}

// reasonKind returns a reason without its details.
func reasonKind(text string) string {
	kind, _, _ := strings.Cut(text, ": ")
	return kind
}

// reasonChoices returns the choices of the filter: the reasons, and before several of one kind, that kind.
func reasonChoices(reasons []report.Reason) (choices []string) {
	kinds := map[string][]string{}
	for _, r := range reasons {
		kind := reasonKind(r.Text)
		kinds[kind] = append(kinds[kind], r.Text)
	}
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		if texts := kinds[kind]; len(texts) > 1 {
			choices = append(choices, kind)
		}
		choices = append(choices, kinds[kind]...)
	}
	return choices
}

// relaysWith returns the relays affected by a reason, or by any of a kind.
func relaysWith(reasons []report.Reason, reason string) map[int64]bool {
	found := map[int64]bool{}
	for _, r := range reasons {
		if r.Text == reason || reasonKind(r.Text) == reason {
			for _, relay := range r.Relays {
				found[relay] = true
			}
		}
	}
	return found
}
