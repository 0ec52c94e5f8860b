package viewer

import (
	"context"
	"errors"
	"fmt"

	"agentd/report"
	"agentd/results"
	"agentd/vfs"
)

// mostPeers is how many other arms the page of an interaction names.
const mostPeers = 12

// peer is the same step by another arm: of the same environment, repeat, number and edit.
type peer struct {
	results.Interaction
	Relay results.Relay
}

// Name is that of the state that the step has left, among the choices to compare with.
func (p peer) Name() string { return fmt.Sprintf("relay-%d", p.Relay.ID) }

// Why returns the reason of a failure; empty without one.
func (p peer) Why() string { return report.ReasonOf(&p.Interaction) }

func (p peer) choice() against {
	files := p.Output
	if files == nil {
		files = vfs.Files{} // it left no files
	}
	return against{Name: p.Name(), Text: "those of " + arm(p.Relay.Model, p.Relay.Policy), number: p.Number, files: files}
}

// peers returns the same step by other arms of the experiment.
func (v *Viewer) peers(ctx context.Context, f found, in *results.Interaction) (all []peer, err error) {
	relays, err := v.store.Relays(ctx, f.Experiment.ID)
	if err != nil {
		return nil, err
	}
	for _, r := range relays {
		if r.ID == f.ID || r.Environment != f.Environment || r.Repeat != f.Repeat || len(all) == mostPeers {
			continue
		}
		other, err := v.store.Interaction(ctx, r.ID, in.Number)
		if errors.Is(err, results.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if other.Edit == in.Edit {
			all = append(all, peer{other, r})
		}
	}
	return all, nil
}
