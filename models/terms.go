package models

import (
	"cmp"
	"time"
)

// Terms are a caller's limits for one request. The zero value of a field leaves it to the
// client. Settings in the Spec take precedence.
type Terms struct {
	// MaxOutput is the largest number of tokens of the completion; 0 for the server's own
	// limit. It is sent as the Spec's MaxOutputField. A limit in the Spec's Body replaces it,
	// so a request never has two.
	MaxOutput int
	// Timeout limits one attempt; 0 for 10 minutes.
	Timeout time.Duration
	// Attempts is the largest number of attempts, including the first; 0 for 6. Answers that
	// report an exceeded rate limit (429) are counted separately. The request ends at the sixth
	// of them, or at as many as Attempts if that is more.
	Attempts int
	// Pause is the wait between two attempts; 0 for a wait that doubles each time. A longer
	// Retry-After of the server replaces it.
	Pause time.Duration
}

const (
	defaultAttempts = 6
	defaultTimeout  = 10 * time.Minute
)

// under merges the terms with a model's spec: the spec's values first, then the caller's, then
// the defaults. A backoff in the spec replaces the caller's Pause.
func (t Terms) under(s *Spec) Terms {
	t.MaxOutput = cmp.Or(s.MaxOutput, t.MaxOutput)
	t.Timeout = cmp.Or(s.Timeout, max(t.Timeout, 0), defaultTimeout)
	t.Attempts = cmp.Or(s.Attempts, max(t.Attempts, 0), defaultAttempts)
	if s.Backoff > 0 {
		t.Pause = 0
	}
	return t
}

// tightBytes is a low estimate of the bytes per token of a request, so that estimates of its
// length tend to be too high rather than too low.
const tightBytes = 3

// within reduces the output limit so that a request of the given number of bytes and its answer
// fit into the spec's context. The answer keeps at least an eighth of the context; the server
// decides whether the request is really too long.
func (t Terms) within(s *Spec, request int) Terms {
	if s.Context > 0 && t.MaxOutput > 0 {
		t.MaxOutput = min(t.MaxOutput, max(s.Context-request/tightBytes, s.Context/8, 1))
	}
	return t
}

// size estimates the bytes of a request that a model reads.
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

// failures counts the failed attempts at one request. Attempts that hit a rate limit are
// counted separately, so that a busy account does not use up the few attempts that a caller
// allows for faults.
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
