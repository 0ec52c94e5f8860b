package models

import (
	"cmp"
	"time"
)

// Terms are what a caller wants of one request. Each field's zero value leaves the
// choice to the client. What a Spec sets for itself always comes first.
type Terms struct {
	// MaxOutput is the most tokens that the completion may have; 0 for the server's
	// own limit. It is sent under the Spec's MaxOutputField. A limit in the Spec's
	// Body replaces it, so a request never has two.
	MaxOutput int
	// Timeout bounds one attempt; 0 for 10 minutes.
	Timeout time.Duration
	// Attempts is how often the request is sent at most, the first time included; 0
	// for 6. Answers that say that a rate limit is exceeded (429) are counted on
	// their own: the sixth of them ends the request, or the one that makes as many
	// as Attempts if that is more.
	Attempts int
	// Pause is the wait between two attempts; 0 for a wait that doubles each time.
	// A longer Retry-After of the server replaces it.
	Pause time.Duration
}

const (
	defaultAttempts = 6
	defaultTimeout  = 10 * time.Minute
)

// under returns the terms of a request to a model: the spec's where it has its own,
// then the caller's, then the defaults. A backoff of the spec replaces the caller's
// Pause.
func (t Terms) under(s *Spec) Terms {
	t.MaxOutput = cmp.Or(s.MaxOutput, t.MaxOutput)
	t.Timeout = cmp.Or(s.Timeout, max(t.Timeout, 0), defaultTimeout)
	t.Attempts = cmp.Or(s.Attempts, max(t.Attempts, 0), defaultAttempts)
	if s.Backoff > 0 {
		t.Pause = 0
	}
	return t
}

// tightBytes is how many bytes a token of a request has at least, nearly always: a request is
// estimated to be too long rather than too short.
const tightBytes = 3

// within bounds the output limit so that a request of a number of bytes and its answer fit into
// the context of a spec. At least an eighth of the context is left to the answer: whether the request
// is really too long is the server's to say.
func (t Terms) within(s *Spec, request int) Terms {
	if s.Context > 0 && t.MaxOutput > 0 {
		t.MaxOutput = min(t.MaxOutput, max(s.Context-request/tightBytes, s.Context/8, 1))
	}
	return t
}

// size is how many bytes a request has, about: what a model reads of it.
func (r *Request) size() (bytes int) {
	for i := range r.Messages {
		m := &r.Messages[i]
		bytes += len(m.Content)
		for _, call := range m.ToolCalls {
			bytes += len(call.Name) + len(call.Arguments)
		}
	}
	for i := range r.Tools {
		bytes += len(r.Tools[i].Description) + len(r.Tools[i].Parameters)
	}
	for _, raw := range r.Members {
		bytes += len(raw)
	}
	return bytes
}

// failures counts the failed attempts at one request. Those that met a rate limit
// are counted on their own, so that a busy account does not use up the few attempts
// that a caller allows for faults.
type failures struct{ faults, rateLimits int }

// allow counts a failed attempt and reports whether the terms allow another.
func (f *failures) allow(t Terms, kind ErrorKind) bool {
	if kind == RateLimited {
		f.rateLimits++
		return f.rateLimits < max(t.Attempts, defaultAttempts)
	}
	f.faults++
	return kind.retryable() && f.faults < t.Attempts
}

func (f *failures) count() int { return f.faults + f.rateLimits }
