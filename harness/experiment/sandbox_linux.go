package experiment

import (
	"context"

	"agentd/internal/usage"
	"agentd/sandbox"
	"agentd/sandbox/bwrap"
	"agentd/sandbox/containerd"
)

// Open opens the back end and runs its trial script. ready is the number of interpreters to start
// in advance, for a back end that supports this.
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
