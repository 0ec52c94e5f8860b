package models

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// API names a dialect: the protocol that a model's server speaks.
type API string

// The dialects.
const (
	Chat      API = "chat"      // OpenAI's chat completions, which most servers speak
	Responses API = "responses" // OpenAI's Responses
	Messages  API = "messages"  // Anthropic's Messages
	Gemini    API = "gemini"    // Google's generateContent
	Images    API = "images"    // OpenAI's images/edits: one instruction with pictures, answered with pictures
)

// APIs lists the dialects in which a model holds a conversation. Images is none.
func APIs() []API { return []API{Chat, Responses, Messages, Gemini} }

// all lists the dialects there are.
func all() []API { return append(APIs(), Images) }

// dialect is a protocol of model servers: how requests are written, where they go
// and how answers are read. Retries, rate limits, recordings and the kinds of errors
// are the same for all dialects, and are the client's.
type dialect interface {
	// encode returns the body of a request. Settings that the server has refused are
	// left out.
	encode(Request, omissions) ([]byte, error)
	// endpoint returns the address that requests are posted to, those for a stream if
	// that is asked for, and the headers that they need, with the server's key. The key
	// is empty if the server needs none.
	endpoint(key string, stream bool) (address string, header http.Header)
	// decode reads the body of an answer whose status is one of success. With an
	// error, the response holds the usage as far as the server told it.
	decode(body []byte) (Response, error)
	// assembly returns what puts a streamed answer together.
	assembly() assembly
	// explain reads the body of an answer whose status is that of an error.
	explain(body []byte) *serverError
}

// assembly puts the events of a streamed answer together to the body that the server
// would have sent at once, so that decode reads both.
type assembly interface {
	// add takes the next event. The data is valid only during the call. An error that
	// the server sends inside of the stream is a *serverError.
	add(event string, data []byte) error
	// deltas are what the last event had more than those before. They are valid until
	// the next. Calls that are known only at the end have none.
	deltas() []Delta
	// ended reports whether the answer is whole, so that nothing but its usage may follow.
	ended() bool
	// whole returns the body. It is an error if the stream ended before the answer.
	whole() ([]byte, error)
}

// newDialect returns the dialect of a spec. Its API must be set.
func newDialect(s Spec, p Profile) (dialect, error) {
	switch s.API {
	case Chat:
		return newChat(s, p)
	case Responses:
		return &responses{envelope{s, p}}, nil
	case Messages:
		return &messages{envelope{s, p}}, nil
	case Gemini:
		return &gemini{envelope{s, p}}, nil
	case Images:
		return &images{envelope{s, p}}, nil
	}
	return nil, fmt.Errorf("api %q is none of %v", s.API, all())
}

// Settings that agentd sends on its own account, and leaves out where a server refuses
// them.
const (
	settingTemperature = "temperature"
	settingSeed        = "seed"
	settingParallel    = "parallel_tool_calls"
	settingSummary     = "reasoning summary"
	settingEncrypted   = "encrypted reasoning"
	settingFormat      = "response_format"
	settingMaxTokens   = "max_tokens"
	settingNewLimit    = "max_completion_tokens"
	settingUsage       = "stream_options"
)

// omissions are settings that a server has refused, in the order of their names.
type omissions []string

func (o omissions) has(setting string) bool { return slices.Contains(o, setting) }

// with returns the omissions and one more.
func (o omissions) with(setting string) omissions {
	all := append(slices.Clone(o), setting)
	slices.Sort(all)
	return all
}

// serverError is an error that a server answered with.
type serverError struct {
	status  int    // of HTTP, or the one inside an answer whose own status is 200; 0 if there is none
	code    string // the server's word for the error; "" if it has none
	message string
	wait    time.Duration // that the server asks for in the body; 0 if it does not
}

func (e *serverError) Error() string {
	if e.status == 0 {
		return e.message
	}
	status := strings.TrimSpace(fmt.Sprint(e.status, " ", http.StatusText(e.status)))
	return fmt.Sprintf("status %s: %s", status, e.message)
}
