package models

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"regexp"
	"strings"

	"agentd/models/wire"
)

// Error says why a request got no completion.
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
	Ended         ErrorKind = "arm ended"             // requests in a row were refused; a Guard asks no more
	Down          ErrorKind = "server down"           // OutageAfter interactions in a row could not be served
	BadSetting    ErrorKind = "setting refused"       // the server does not take a member that all requests have
	Redirected    ErrorKind = "redirected"            // the server points to another address, which is not followed
	Abandoned     ErrorKind = "answer not awaited"    // the caller cancelled the request while the answer came
	NotRecorded   ErrorKind = "request not recorded"  // a recording has no answer to the request
	Broken        ErrorKind = "machine fault"         // a recording or a rate limit could not be kept
)

// Kinds lists the kinds of errors.
func Kinds() []ErrorKind {
	return []ErrorKind{
		Unreachable, RateLimited, ServerFault, Refused, Filtered, ContextLength, BadAnswer, NoKey, Denied, NotFound,
		Ended, Down, BadSetting, Redirected, Abandoned, NotRecorded, Broken,
	}
}

// errorText finds the parts of the text of an Error.
var errorText = func() *regexp.Regexp {
	var kinds []string
	for _, kind := range Kinds() {
		kinds = append(kinds, regexp.QuoteMeta(string(kind)))
	}
	return regexp.MustCompile(`(?s)(?:^|: )model .*?: (` + strings.Join(kinds, "|") + `): (.*)$`)
}()

// ReadError finds in a text the kind of an Error that was written there, and what followed it.
// ok is false if there is none.
func ReadError(text string) (kind ErrorKind, says string, ok bool) {
	m := errorText.FindStringSubmatch(text)
	if m == nil {
		return "", "", false
	}
	return ErrorKind(m[1]), m[2], true
}

// retryable reports whether sending the request again may help.
func (k ErrorKind) retryable() bool { return k.away() || k == BadAnswer }

// away reports whether the server could not be reached or had no capacity, so that
// the request is not at fault.
func (k ErrorKind) away() bool {
	return k == Unreachable || k == RateLimited || k == ServerFault
}

// EndsWork reports whether an interaction with such an error is done again later
// instead of being recorded as failed, because other requests would fail as well.
func (k ErrorKind) EndsWork() bool {
	return k == Ended || k == Down || k == NotRecorded || k == Broken
}

// OutageAfter is how many completions of a model in a row must fail, each after
// all attempts, before its server counts as down.
const OutageAfter = 3

// Waste is the cost of attempts that gave no completion.
type Waste struct {
	Usage Usage `json:"usage,omitzero"` // of answers that could not be used
	// Unknown counts attempts for which the server may charge without having said how
	// much, such as a time-out or an answer that was cut off.
	Unknown int `json:"unknown,omitempty"`
}

// attempted adds what a failed attempt cost. A server that answers with an error
// status charges nothing.
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

// presentable returns an error that may be shown and stored: it is short, and keys
// that the server repeats are hidden.
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

// redirectError says where a server redirects to.
func redirectError(answer *reply) error {
	to := answer.header.Get("Location")
	if to == "" {
		to = "an address that it does not name"
	}
	return fmt.Errorf("status %d: the server points to %s; that is not followed, because the key and the documents would go there: set base_url to the address that answers",
		answer.status, to)
}

// Patterns of the messages and codes of errors. Servers send them with various statuses.
var (
	tooLong = regexp.MustCompile(`(?i)context_length|maximum (context|model length|prompt length)|context (size|window|length|limit)|(prompt|input) is too long|` +
		`maximum number of tokens|input token count|model token limit`)
	filtered   = regexp.MustCompile(`(?i)content_filter|content_policy|content management policy|usage guidelines|moderation`)
	badSetting = regexp.MustCompile(`(?i)unsupported[_ ](value|parameter)|unknown[_ ]parameter|unrecognized request argument|extra inputs are not permitted|extra_forbidden`)
	quotaSpent = regexp.MustCompile(`insufficient_quota`) // a 429 that no waiting helps against
)

// classify finds the kind of error that an attempt came to; status is that of the
// answer, 0 if there was none.
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
