package models

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/http"
	"regexp"
	"strings"

	"agentd/internal/lazyregexp"
	"agentd/models/wire"
)

// Error explains why a request got no completion.
type Error struct {
	Kind    ErrorKind
	Status  int // HTTP status of the last attempt; 0 if there was no answer
	Model   string
	Retries int   // attempts made before this last one
	Waste   Waste // cost of all attempts
	Err     error
}

func (e *Error) Error() string {
	return fmt.Sprintf("model %s: %s: %v", e.Model, e.Kind, e.Err)
}

func (e *Error) Unwrap() error { return e.Err }

// ErrorKind classifies an Error by what a caller can do about it.
type ErrorKind string

// The kinds of errors.
const (
	Unreachable   ErrorKind = "server not reached"
	RateLimited   ErrorKind = "rate limited"          // the server asks for a pause
	ServerFault   ErrorKind = "server fault"          // the server failed, or has no capacity
	Refused       ErrorKind = "request refused"       // the same request would be refused again
	Filtered      ErrorKind = "content filtered"      // the server's filter refused the prompt or the answer
	ContextLength ErrorKind = "context too long"      // the prompt is longer than the model takes
	BadAnswer     ErrorKind = "answer not understood" // no completion can be read from the answer
	NoKey         ErrorKind = "no key"                // the environment variable of the key is not set
	Denied        ErrorKind = "access denied"         // a wrong key, no quota: no request will be served
	NotFound      ErrorKind = "not found"             // the server has no such path or model
	Ended         ErrorKind = "arm ended"             // consecutive requests were refused; a Guard sends no more
	Down          ErrorKind = "server down"           // OutageAfter consecutive interactions got no answer
	BadSetting    ErrorKind = "setting refused"       // the server refuses a setting that all requests have
	Redirected    ErrorKind = "redirected"            // the server redirects to another address; redirects are not followed
	Abandoned     ErrorKind = "answer not awaited"    // the caller cancelled the request while the answer came
	NotRecorded   ErrorKind = "request not recorded"  // a recording has no answer to the request
	Broken        ErrorKind = "machine fault"         // a recording could not be written, or a rate limit not enforced
)

// Kinds lists the kinds of errors.
func Kinds() []ErrorKind {
	return []ErrorKind{
		Unreachable, RateLimited, ServerFault, Refused, Filtered, ContextLength, BadAnswer, NoKey, Denied, NotFound,
		Ended, Down, BadSetting, Redirected, Abandoned, NotRecorded, Broken,
	}
}

// errorText matches the text of an Error.
var errorText = func() *lazyregexp.Regexp {
	var kinds []string
	for _, kind := range Kinds() {
		kinds = append(kinds, regexp.QuoteMeta(string(kind)))
	}
	return lazyregexp.New(`(?s)(?:^|: )model .*?: (` + strings.Join(kinds, "|") + `): (.*)$`)
}()

// ReadError finds an Error's text within another text. It returns the kind and the message
// after it. ok is false if there is none.
func ReadError(text string) (kind ErrorKind, says string, ok bool) {
	m := errorText.FindStringSubmatch(text)
	if m == nil {
		return "", "", false
	}
	return ErrorKind(m[1]), m[2], true
}

// retryable reports whether a retry may help.
func (k ErrorKind) retryable() bool { return k.away() || k == BadAnswer }

// away reports whether the server could not be reached or had no capacity, so that the request
// itself is not at fault.
func (k ErrorKind) away() bool {
	return k == Unreachable || k == RateLimited || k == ServerFault
}

// EndsWork reports whether other requests would fail as well. The interaction is then repeated
// later instead of being recorded as failed.
func (k ErrorKind) EndsWork() bool {
	return k == Ended || k == Down || k == NotRecorded || k == Broken
}

// OutageAfter is the number of consecutive completions that must fail, each after all attempts,
// before the model's server counts as down.
const OutageAfter = 3

// Waste is the cost of attempts that produced no completion.
type Waste struct {
	Usage Usage `json:"usage,omitzero"` // usage of unusable answers
	// Unknown counts attempts with unknown charges, such as a time-out or an answer that was
	// cut off.
	Unknown int `json:"unknown,omitempty"`
}

// attempted adds the cost of a failed attempt. An answer with an error status costs nothing.
func (w *Waste) attempted(got *reply, err error) {
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

// presentable returns an error that may be shown and stored: it is short and contains no keys.
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

// redirectError names the address that the server redirects to.
func redirectError(answer *reply) error {
	to := cmp.Or(answer.header.Get("Location"), "an address that it does not name")
	return fmt.Errorf("status %d: the server points to %s; that is not followed, because the key and the documents would go there: set base_url to the address that answers",
		answer.status, to)
}

// Patterns of error messages and codes. Servers send them with various statuses.
var (
	tooLong = lazyregexp.New(`(?i)context_length|maximum (context|model length|prompt length)|context (size|window|length|limit)|(prompt|input) is too long|` +
		`maximum number of tokens|input token count|model token limit`)
	filtered   = lazyregexp.New(`(?i)content_filter|content_policy|content management policy|usage guidelines|moderation`)
	badSetting = lazyregexp.New(`(?i)unsupported[_ ](value|parameter)|unknown[_ ]parameter|unrecognized request argument|extra inputs are not permitted|extra_forbidden`)
	quotaSpent = lazyregexp.New(`insufficient_quota`) // a 429 for which waiting does not help
)

// classify returns the kind of an attempt's error. status is the answer's HTTP status, 0 if
// there was none. The same table is in docs/models.md, under Faults.
func classify(status int, err error) ErrorKind {
	message := err.Error()
	var said *wire.Error
	var network net.Error
	switch {
	case status >= 300 && status < 400:
		return Redirected
	case errors.As(err, &said):
		status, message = said.Status, said.Code+" "+said.Message
	case errors.As(err, &network):
		return Unreachable
	case status == 0: // connection closed before the answer
		return Unreachable
	}
	switch {
	case status == http.StatusTooManyRequests && quotaSpent.MatchString(message):
		return Denied
	case status == http.StatusTooManyRequests:
		return RateLimited
	case status >= 500, status == http.StatusRequestTimeout:
		return ServerFault
	case status == http.StatusUnauthorized, status == http.StatusPaymentRequired:
		return Denied
	case status == http.StatusNotFound:
		return NotFound
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
