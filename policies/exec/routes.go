package exec

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"agentd/policies"
)

// maxLeftOut bounds how many things are named that were left out of requests.
const maxLeftOut = 20

// unknownRoute answers a request for what is not here, and remembers the first.
func (s *server) unknownRoute(w http.ResponseWriter, r *http.Request) {
	route := fmt.Sprintf("%s %.200s", r.Method, r.URL.Path)
	s.mu.Lock()
	if s.unknown == "" {
		s.unknown = route
	}
	s.mu.Unlock()
	fail(w, http.StatusNotFound, "not_found_error", "there is no "+route+" here")
}

// leaveOut notes what chat completions have no place for. It is said once.
func (s *server) leaveOut(what string) {
	if len(what) > maxWord {
		what = what[:maxWord]
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.left) < maxLeftOut && !slices.Contains(s.left, what) {
		s.left = append(s.left, what)
	}
}

// noRoute is the failure of a command that asked for a route that is not here and then
// got nothing done; nil if it did without. A command that has had an answer of the model
// may have asked for more than it needs.
func (s *server) noRoute(exit int, said string) error {
	if s.unknown == "" || exit == 0 && s.task.Trace.Answered() {
		return nil
	}
	return policies.Failf(policies.CommandFailure, "it asked for %s, which the proxy does not have; it ended with exit code %d; %s", s.unknown, exit, said)
}

// remarks are what is to be known of a command in addition to its own complaint.
func (s *server) remarks() string {
	var b strings.Builder
	if s.unknown != "" {
		fmt.Fprintf(&b, "agentd: it asked for %s, which the proxy does not have\n", s.unknown)
	}
	for _, what := range s.left {
		fmt.Fprintf(&b, "agentd: left out of its requests: %s\n", what)
	}
	return b.String()
}
