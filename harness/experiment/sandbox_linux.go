package experiment

import (
	"context"

	"agentd/internal/usage"
	"agentd/sandbox"
	"agentd/sandbox/bwrap"
	"agentd/sandbox/containerd"
)

// Open opens the back end and tries it. ready is how many interpreters are started
// before they are needed, by a back end that does so.
func (s Sandbox) Open(ctx context.Context, ready int) (sandbox.Backend, error) {
	switch s.Name {
	case Bwrap:
		if s.Image != "" {
			return nil, usage.Errorf("--image goes with --sandbox containerd")
		}
		return bwrap.New(ctx, bwrap.WithPool(ready))
	case Containerd:
		return containerd.New(ctx, containerd.Options{Address: s.Address, Image: s.Image})
	}
	return nil, usage.Unknown("sandbox", s.Name, Sandboxes())
}
