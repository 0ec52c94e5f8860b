package experiment

import (
	"context"
	"errors"

	"agentd/harness/programs"
	"agentd/internal/usage"
	"agentd/internal/yamlsafe"
	"agentd/sandbox"
	"agentd/vfs"
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
	Name    string `yaml:"name"`    // bwrap or containerd
	Image   string `yaml:"image"`   // for containerd: an image for scripts, a reference or an archive; empty for the host's /usr
	Address string `yaml:"address"` // for containerd: the daemon's socket; empty for the default
}

// UnmarshalYAML takes the name alone, or all keys.
func (s *Sandbox) UnmarshalYAML(n *yamlsafe.Node) error {
	if n.Kind == yamlsafe.Scalar {
		return yamlsafe.Decode(n, &s.Name)
	}
	type keys Sandbox
	return yamlsafe.Decode(n, (*keys)(s))
}

// Programs returns a runner of programs for the domains that score documents by running them. The
// first document opens the back end.
func (s Sandbox) Programs(ctx context.Context) *programs.Programs {
	return programs.Opening(func() (sandbox.Backend, error) { return s.Open(ctx, 0) })
}

// Run runs one script on a copy of the documents, with the default limits. It returns a
// usage.Error for documents that no workspace accepts.
func (s Sandbox) Run(ctx context.Context, documents vfs.Files, script sandbox.Script) (result sandbox.Result, err error) {
	backend, err := s.Open(ctx, 0)
	if err != nil {
		return result, err
	}
	defer func() { err = errors.Join(err, backend.Close()) }()
	workspace, err := vfs.New(documents, nil)
	if err != nil {
		return result, usage.Wrap(err)
	}
	runner, err := backend.NewRunner(sandbox.DefaultLimits())
	if err != nil {
		return result, err
	}
	defer func() { err = errors.Join(err, runner.Close()) }()
	return runner.RunPython(ctx, workspace, script)
}
