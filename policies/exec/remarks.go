package exec

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"agentd/policies"
)

// maxLeftOut limits how many omitted parts of requests are reported.
const maxLeftOut = 20

// remarks collects problems of a command's requests, to report them with the command's own
// error output. It is safe for concurrent use.
type remarks struct {
	mu      sync.Mutex
	unknown string   // the first unknown route
	left    []string // what was left out of requests, each once
}

// NoRoute records the first request for an unknown route.
func (r *remarks) NoRoute(route string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.unknown == "" {
		r.unknown = route
	}
}

// LeftOut records a part of a request that is not sent to the model, once.
func (r *remarks) LeftOut(what string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.left) < maxLeftOut && !slices.Contains(r.left, what) {
		r.left = append(r.left, what)
	}
}

// failure returns the error of a command that requested an unknown route and then failed or got
// no completion; nil otherwise. A command that succeeded with the model's answers did not need
// the route.
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
