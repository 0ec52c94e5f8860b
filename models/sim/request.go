package sim

import (
	"net/http"
	"strconv"

	"agentd/models/wire"
)

type (
	message  = wire.Message
	toolCall = wire.ToolCall
	answer   = wire.Answer
)

// Roles of messages.
const (
	system    = wire.System
	user      = wire.User
	assistant = wire.Assistant
	fromTool  = wire.ToolRole
)

// request is a conversation, and how the stand-in is to go on with it.
type request struct {
	wire.Request
	profile Profile
	// caching says that the dialect counts what is cached itself: of the prompt's bytes
	// those read from a cache, and those written to one.
	caching         bool
	cached, written int
}

// seed is the request's; 0 if it has none.
func (r *request) seed() int64 {
	if r.Seed == nil {
		return 0
	}
	return *r.Seed
}

// between stands between the parts of a message: agents put the task next to texts of their
// own.
const between = "\n"

// firstOfUser is the text of the user's first message.
func (r *request) firstOfUser() string { return r.firstOf(user) }

// ofSystem is the text of the system's message.
func (r *request) ofSystem() string { return r.firstOf(system) }

func (r *request) firstOf(role wire.Role) string {
	for i := range r.Messages {
		if r.Messages[i].Role == role {
			return r.Messages[i].Text(between)
		}
	}
	return ""
}

func reply(w http.ResponseWriter, status int, body any) {
	raw := written(body)
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(raw)))
	w.WriteHeader(status)
	_, _ = w.Write(raw) // a client that went away needs no answer
}

// written is a value as JSON, without escapes for HTML.
func written(value any) []byte {
	raw, _ := wire.Write(value) // texts, numbers, lists and maps of them can always be written
	return raw
}
