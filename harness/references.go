package harness

import (
	"slices"
	"sync"

	"agentd/domains"
	"agentd/environments"
)

// references are seeds read for comparison, shared by all relays of their
// environments. Relays begin in the order of environments, so the latest suffice.
type references struct {
	mu     sync.Mutex
	latest []reference
}

type reference struct {
	environment string
	document    domains.Reference
}

// mostReferences bounds the memory: a seed of 5,000 tokens takes about 200 kB once read.
const mostReferences = 128

func (r *references) of(env *environments.Environment, domain domains.Domain) domains.Reference {
	r.mu.Lock()
	defer r.mu.Unlock()
	if at := slices.IndexFunc(r.latest, func(known reference) bool { return known.environment == env.Name }); at >= 0 {
		return r.latest[at].document
	}
	if len(r.latest) == mostReferences {
		r.latest = slices.Delete(r.latest, 0, 1)
	}
	r.latest = append(r.latest, reference{env.Name, domain.Against(env.Seed)})
	return r.latest[len(r.latest)-1].document
}
