package models

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"regexp"
)

// Error is a completion that could not be had.
type Error struct {
	Kind    ErrorKind
	Status  int // HTTP status that the last attempt was answered with; 0 if it got no answer
	Model   string
	Retries int   // attempts made before this last one
	Waste   Waste // what all attempts cost
	Err     error
}

func (e *Error) Error() string {
	return fmt.Sprintf("model %s: %s: %v", e.Model, e.Kind, e.Err)
}

func (e *Error) Unwrap() error { return e.Err }

// ErrorKind says what a caller can do about an Error.
type ErrorKind string

const (
	Unreachable   ErrorKind = "server not reached"
	RateLimited   ErrorKind = "rate limited"
	ServerFault   ErrorKind = "server fault"
	Refused       ErrorKind = "request refused"
	Filtered      ErrorKind = "content filtered"
	ContextLength ErrorKind = "context too long"
	BadAnswer     ErrorKind = "answer not understood"
	NoKey         ErrorKind = "no key"
	Denied        ErrorKind = "access denied"   // a wrong key, no such model, no quota: no request will be served
	Down          ErrorKind = "server down"     // OutageAfter interactions in a row could not be served
	BadSetting    ErrorKind = "setting refused" // the server does not take a member that all requests have
	Redirected    ErrorKind = "redirected"      // the server points to another address, which is not followed
	NotRecorded   ErrorKind = "request not recorded"
	Broken        ErrorKind = "machine fault" // a recording or a rate limit could not be kept
)

// retryable kinds may pass when asked again.
func (k ErrorKind) retryable() bool { return k.away() || k == BadAnswer }

// away kinds are the server's absence, not the request's fault.
func (k ErrorKind) away() bool {
	return k == Unreachable || k == RateLimited || k == ServerFault
}

// EndsWork reports whether an interaction that met such an error is to be done
// again another time, not recorded as failed.
func (k ErrorKind) EndsWork() bool {
	return k == Denied || k == Down || k == BadSetting || k == Redirected || k == NotRecorded || k == Broken
}

// OutageAfter is how many completions of a model in a row must fail, each after
// all attempts, until its server is taken to be down.
const OutageAfter = 3

// Waste is what attempts cost that came to nothing.
type Waste struct {
	Usage Usage `json:"usage,omitzero"` // of answers that could not be used
	// Unknown counts attempts that may have been charged for and of which the
	// server did not say how much: a time-out, an answer that was cut off.
	Unknown int `json:"unknown,omitempty"`
}

// attempted adds what a failed attempt cost. A server that answers with an error
// status charges nothing.
func (w *Waste) attempted(got outcome, err error) {
	var network *net.OpError
	switch {
	case got.status >= 300:
	case got.status == 0 && errors.As(err, &network) && network.Op == "dial":
	case got.charged.Total() > 0:
		w.Usage = w.Usage.Add(got.charged)
	default:
		w.Unknown++
	}
}

// presentable makes an error fit to be shown and stored: short, and without
// keys, which some servers repeat.
func (c *client) presentable(err error) error {
	text := c.secrets.hide(err.Error())
	if short := cut(text, maxErrorText); short != text {
		text = short + "…"
	}
	if text == err.Error() {
		return err
	}
	return errors.New(text)
}

// redirectError says where a server points to.
func redirectError(answer reply) error {
	to := answer.header.Get("Location")
	if to == "" {
		to = "an address that it does not name"
	}
	return fmt.Errorf("status %d: the server points to %s; that is not followed, because the key and the documents would go there: set base_url to the address that answers",
		answer.status, to)
}

// What servers say, whatever their status, in the messages and codes of errors.
var (
	tooLong    = regexp.MustCompile(`(?i)context_length|maximum context|context (size|window|length)|(prompt|input) is too long|maximum number of tokens`)
	filtered   = regexp.MustCompile(`(?i)content_filter|content_policy|content management policy|usage guidelines|moderation`)
	badSetting = regexp.MustCompile(`(?i)unsupported[_ ](value|parameter)|unknown[_ ]parameter|unrecognized request argument|extra inputs are not permitted|extra_forbidden`)
	quotaSpent = regexp.MustCompile(`insufficient_quota`) // a 429 that no waiting helps against
)

// classify finds the kind of error that an attempt came to; status is that of the
// answer, 0 if there was none.
func classify(status int, err error) ErrorKind {
	message := err.Error()
	var said *serverError
	var network net.Error
	switch {
	case status >= 300 && status < 400:
		return Redirected
	case errors.As(err, &said):
		status, message = said.status, said.code+" "+said.message
	case errors.As(err, &network):
		return Unreachable
	case status == 0: // the connection ended before an answer began
		return Unreachable
	}
	switch {
	case status == http.StatusTooManyRequests && quotaSpent.MatchString(message):
		return Denied
	case status == http.StatusTooManyRequests:
		return RateLimited
	case status >= 500, status == http.StatusRequestTimeout:
		return ServerFault
	case status == http.StatusUnauthorized, status == http.StatusNotFound, status == http.StatusPaymentRequired:
		return Denied
	case status >= 400 && filtered.MatchString(message):
		return Filtered
	case status == http.StatusForbidden:
		return Denied
	case status >= 400 && badSetting.MatchString(message):
		return BadSetting
	case status >= 400 && tooLong.MatchString(message):
		return ContextLength
	case status >= 400:
		return Refused
	}
	return BadAnswer
}
