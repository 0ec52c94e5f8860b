package experiment

import (
	"runtime"
	"slices"
	"time"

	"agentd/harness/fleet"
	"agentd/internal/usage"
)

// How much of an interaction is stored.
const (
	BriefTrace = "brief" // figures, names and sizes
	FullTrace  = "full"  // also what models said and what went in and out of tools
)

// Traces lists the values of Machine.Trace, the default first.
func Traces() []string { return []string{BriefTrace, FullTrace} }

// Machine says how a process works on an experiment. It does not affect results, and no manifest holds it.
type Machine struct {
	Sandbox     Sandbox `yaml:"sandbox"`     // where scripts and commands run
	Concurrency int     `yaml:"concurrency"` // relays at a time, of each model
	Trace       string  `yaml:"trace"`       // what to keep of interactions: brief, or full with what was said and what went through tools
	Record      string  `yaml:"record"`      // a file to record all models' answers in, for a model replay:FILE; empty for none
	Metrics     string  `yaml:"metrics"`     // an address to serve Prometheus metrics on, such as :9090; empty for none
	OTLP        string  `yaml:"otlp"`        // an address to send OpenTelemetry spans to over HTTP; empty for none

	// Grace is how long interactions may go on when the process is told to stop.
	Grace time.Duration `yaml:"grace"`
	// TakeOverAfter is how long another process must be gone before its relays are taken over.
	TakeOverAfter time.Duration `yaml:"take_over_after"`
}

// DefaultMachine returns the default settings.
func DefaultMachine() Machine {
	return Machine{
		Sandbox: Sandbox{Name: Bwrap}, Concurrency: max(4, runtime.NumCPU()), Trace: BriefTrace,
		Grace: fleet.DefaultGrace, TakeOverAfter: fleet.DefaultTakeOver,
	}
}

// Check returns a usage.Error for settings that no process could work with.
func (m *Machine) Check() error {
	switch {
	case m.Concurrency < 1:
		return usage.Errorf("--concurrency %d: use at least 1", m.Concurrency)
	case !slices.Contains(Traces(), m.Trace):
		return usage.Unknown("trace", m.Trace, Traces())
	case !slices.Contains(Sandboxes(), m.Sandbox.Name):
		return usage.Unknown("sandbox", m.Sandbox.Name, Sandboxes())
	}
	return nil
}

// Opening returns the Options with which this machine opens an experiment.
func (m *Machine) Opening() Options {
	return Options{Sandbox: m.Sandbox, Record: m.Record, FullTrace: m.Trace == FullTrace}
}
