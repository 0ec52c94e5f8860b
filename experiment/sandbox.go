package experiment

import (
	"context"

	"agentd/harness/programs"
	"agentd/sandbox"
)

// Names of the sandbox's back ends.
const (
	Bwrap      = "bwrap"
	Containerd = "containerd"
)

// Sandboxes lists the back ends, the default first.
func Sandboxes() []string { return []string{Bwrap, Containerd} }

// Sandbox chooses a back end.
type Sandbox struct {
	Name string // of Sandboxes
	// Image and Address are for containerd: an image for scripts, a reference or an
	// archive, empty for the host's /usr; and the daemon's socket, empty for the default.
	Image, Address string
}

// Programs returns what runs the documents of domains that are scored by running them.
// It opens the back end for the first document.
func (s Sandbox) Programs(ctx context.Context) *programs.Programs {
	return programs.Opening(func() (sandbox.Backend, error) { return s.Open(ctx, 0) })
}
