package models

import "time"

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
	if s.MaxOutput > 0 {
		t.MaxOutput = s.MaxOutput
	}
	if s.Timeout > 0 {
		t.Timeout = s.Timeout
	}
	if t.Timeout <= 0 {
		t.Timeout = defaultTimeout
	}
	if s.Attempts > 0 {
		t.Attempts = s.Attempts
	}
	if t.Attempts <= 0 {
		t.Attempts = defaultAttempts
	}
	if s.Backoff > 0 {
		t.Pause = 0
	}
	return t
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
