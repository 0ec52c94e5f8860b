package exec

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"agentd/policies"
)

// maxLeftOut bounds how many things are named that were left out of requests.
const maxLeftOut = 20

// remarks are what is to be known of a command's requests in addition to its own complaint.
// They are safe for concurrent use.
type remarks struct {
	mu      sync.Mutex
	unknown string   // the first route that was asked for and is not there
	left    []string // what was left out of requests, each once
}

// NoRoute remembers the first request for what is not there.
func (r *remarks) NoRoute(route string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.unknown == "" {
		r.unknown = route
	}
}

// LeftOut notes what does not go on to the model. It is said once.
func (r *remarks) LeftOut(what string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.left) < maxLeftOut && !slices.Contains(r.left, what) {
		r.left = append(r.left, what)
	}
}

// failure is that of a command that asked for a route that is not here and then got nothing
// done; nil if it did without. A command that has had an answer of the model may have asked
// for more than it needs.
func (r *remarks) failure(exit int, answered bool, said string) error {
	if r.unknown == "" || exit == 0 && answered {
		return nil
	}
	return policies.Failf(policies.CommandFailure, "it asked for %s, which the proxy does not have; it ended with exit code %d; %s", r.unknown, exit, said)
}

func (r *remarks) text() string {
	var b strings.Builder
	if r.unknown != "" {
		fmt.Fprintf(&b, "agentd: it asked for %s, which the proxy does not have\n", r.unknown)
	}
	for _, what := range r.left {
		fmt.Fprintf(&b, "agentd: left out of its requests: %s\n", what)
	}
	return b.String()
}
