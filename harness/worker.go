package harness

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"

	"agentd/domains"
	"agentd/environments"
	"agentd/policies"
	"agentd/results"
	"agentd/sandbox"
)

// Worker carries out the relays of an experiment and holds what they share. It may be
// used concurrently.
type Worker struct {
	*Experiment
	references   kept[string, domains.Reference] // seeds, by environment
	expectations kept[firstStep, *domains.Expectation]
	asked        kept[askedKey, asked] // of steps that are graded
	finishing    gate
}

// NewWorker returns a worker for an experiment, which must not change afterwards.
func NewWorker(x *Experiment) *Worker {
	return &Worker{
		Experiment: x, references: newKept[string, domains.Reference](), expectations: newKept[firstStep, *domains.Expectation](),
		asked: newKept[askedKey, asked](), finishing: newGate(),
	}
}

// relay is a chain of round trips of one policy on one environment.
type relay struct {
	*Worker
	record       results.Relay
	env          *environments.Environment
	domain       domains.Domain    // nil if it is not built
	seedDocument domains.Reference // likewise
	policy       policies.Policy
	protocol     protocol
	schedule     []int // of env.Edits, by round trip
}

// relay prepares a planned relay. It uses the schedule of the plan.
func (w *Worker) relay(record results.Relay) (*relay, error) {
	at := slices.IndexFunc(w.Environments, func(e environments.Environment) bool { return e.Name == record.Environment })
	arm := slices.IndexFunc(w.Arms, func(a Arm) bool { return a.Model == record.Model && a.Policy.Name() == record.Policy })
	if at < 0 || arm < 0 {
		return nil, fmt.Errorf("relay %d is of environment %s, model %s and policy %s, which this run does not have",
			record.ID, record.Environment, record.Model, record.Policy)
	}
	env := &w.Environments[at]
	r := &relay{Worker: w, record: record, env: env, policy: w.Arms[arm].Policy, protocol: protocolOf(w.Protocol)}
	for _, name := range record.Schedule {
		edit := slices.IndexFunc(env.Edits, func(e environments.Edit) bool { return e.Name == name })
		if edit < 0 {
			return nil, fmt.Errorf("relay %d was planned with the edit %s, which %s does not have", record.ID, name, env.Name)
		}
		r.schedule = append(r.schedule, edit)
	}
	if domain, ok := env.Scoring(w.Domain); ok {
		r.domain = domain
		r.seedDocument = w.references.of(env.Name, func() domains.Reference { return domain.Against(env.Seed) })
	}
	return r, nil
}

// steps returns the number of interactions in the relay.
func (r *relay) steps() int { return 2 * len(r.schedule) }

// stopsOnFault reports whether the relay ends with an interaction that failed because a service was unavailable.
func (r *relay) stopsOnFault() bool { return cmp.Or(r.OnFault, StopRelay) == StopRelay }

// newRunner starts the sandbox of an interaction.
func (w *Worker) newRunner() (sandbox.Runner, error) {
	if w.Sandbox == nil {
		return nil, fmt.Errorf("%w: the experiment was started without one", sandbox.ErrUnavailable)
	}
	return w.Sandbox.NewRunner(w.Limits)
}

// finish scores and stores an interaction. The gate limits how many relays do so at the same time,
// unless a judge scores: waiting for a model must not block the gate.
func (r *relay) finish(work func() error) error {
	if r.asksJudge() || r.Judge != nil && r.env.Judged() > 0 {
		return work()
	}
	return r.finishing.do(work)
}

// gate limits how many relays score and store at the same time, first come, first served.
// Without it, a burst of answers would make every relay wait for the slowest one.
type gate chan struct{}

func newGate() gate { return make(gate, gateWidth()) }

// gateWidth is how many are let through at a time: as many as are stored together, or, with
// many processors, a few for each.
func gateWidth() int { return max(32, 4*runtime.GOMAXPROCS(0)) }

func (g gate) do(work func() error) error {
	g <- struct{}{}
	defer func() { <-g }()
	return work()
}
