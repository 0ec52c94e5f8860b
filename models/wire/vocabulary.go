package wire

import (
	"encoding/json"
	"slices"
	"strings"
)

// Role says who speaks in a message.
type Role string

// The roles of a conversation.
const (
	System    Role = "system"    // the instructions that hold throughout
	User      Role = "user"      // the task
	Assistant Role = "assistant" // the model
	ToolRole  Role = "tool"      // the result of a tool call
)

// Message is one message of a conversation.
type Message struct {
	Role       Role       `json:"role"`
	Content    string     `json:"content"`
	ToolCalls  []ToolCall `json:"tool_calls,omitempty"`   // of an assistant's message
	ToolCallID string     `json:"tool_call_id,omitempty"` // of a tool's message: which call it answers
	// Reasoning is the visible part of the model's reasoning, usually a summary. It is kept for
	// traces; Replay is what goes back to the server.
	Reasoning string `json:"reasoning,omitempty"`
	// Replay is an assistant's turn as the server sent it; nil if the server needs only the
	// text and the calls.
	Replay *Replay `json:"replay,omitempty"`

	// Pictures are the pictures drawn by the model, in an assistant's message.
	Pictures []Picture `json:"pictures,omitempty"`

	// Parts follow the content: separate texts, and pictures shown to the model.
	Parts []Part `json:"-"`
	// Signature is a maker's signature of a turn, which must be sent back. Only servers set it;
	// in the client it is part of Replay. Reasoned says that a turn was sent back with its
	// reasoning. ID is the server's identifier of its last part.
	Signature string `json:"-"`
	Reasoned  bool   `json:"-"`
	ID        string `json:"-"`
	// Written is the message encoded in the model's dialect. Encode sets it, because a
	// conversation is sent again with every turn. After that, the message must not change or be
	// sent to another model.
	Written []byte `json:"-"`
}

// Part is a text, or the address of a picture.
type Part struct {
	Text    string
	Address Address // "" for a text
	Detail  string  // of a picture: auto, low or high; "" for the server's default
}

// AllParts returns the parts of a message, with its content as the first.
func (m *Message) AllParts() []Part {
	if m.Content == "" {
		return m.Parts
	}
	return append([]Part{{Text: m.Content}}, m.Parts...)
}

// Says reports whether a message contains anything for a model. A turn with only reasoning does
// not.
func (m Message) Says() bool {
	return m.Role != Assistant || m.Content != "" || len(m.Parts)+len(m.ToolCalls) > 0
}

// Text returns the texts of a message, joined by a separator.
func (m *Message) Text(separator string) string {
	if len(m.Parts) == 0 {
		return m.Content
	}
	var texts []string
	for _, p := range m.AllParts() {
		if p.Address == "" {
			texts = append(texts, p.Text)
		}
	}
	return strings.Join(texts, separator)
}

// Shown returns the addresses of the pictures in a message.
func (m *Message) Shown() (all []Address) {
	for _, p := range m.Parts {
		if p.Address != "" {
			all = append(all, p.Address)
		}
	}
	return all
}

// SetParts sets the text and pictures of a message. A single text becomes its content, which
// every server supports. The texts of a model's message are joined.
func (m *Message) SetParts(parts []Part) {
	shows := slices.ContainsFunc(parts, func(p Part) bool { return p.Address != "" })
	if !shows && (len(parts) < 2 || m.Role == Assistant) {
		for _, p := range parts {
			m.Content += p.Text
		}
		return
	}
	m.Parts = parts
}

// Replay is what a server sent with a turn and needs back in the next request: reasoning,
// signatures, encrypted items. Without it, some servers refuse the conversation, and others
// reason again from the beginning. It is sent back byte for byte, to servers that speak the
// same dialect.
type Replay struct {
	API API    `json:"api"` // the dialect that Raw is written in
	Raw string `json:"raw"` // JSON; a string, so that recordings preserve its bytes
}

// ReplayIn returns what a server of the dialect sent with a turn; nil if that is unknown.
func (m *Message) ReplayIn(api API) json.RawMessage {
	if m.Replay == nil || m.Replay.API != api {
		return nil
	}
	return json.RawMessage(m.Replay.Raw)
}

// ToolCall is a model's request to call a tool. Arguments are the model's own text, which may
// be invalid JSON.
type ToolCall struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// Tool describes a tool to a model; Parameters is a JSON schema.
type Tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"`
	Strict      *bool           `json:"strict,omitempty"` // whether arguments must match the schema
}

// Schema returns a tool's parameters; an empty object schema if it has none.
func (t *Tool) Schema() json.RawMessage {
	if len(t.Parameters) == 0 {
		return json.RawMessage(`{"type":"object","properties":{}}`)
	}
	return t.Parameters
}

// Request is a conversation to be completed, with its settings.
type Request struct {
	Model    string
	Messages []Message
	Tools    []Tool
	Settings
	// Stream asks for the answer in events. Usage asks for the token counts at their end.
	Stream, Usage bool
	// Draws asks for pictures in the answer. Dialects that have none ignore it.
	Draws bool
	// Reasons says that the model reasons. Summary asks for the visible reasoning. Encrypted
	// asks for the reasoning itself, which must be sent back.
	Reasons, Summary, Encrypted bool

	// Body holds further members, which replace all others. null omits a member. Two objects
	// are merged.
	Body map[string]any
	// Without are settings to omit because the server has refused them.
	Without Omissions
	// Recall returns what the server sent with a turn that another client repeats; nil if that
	// is unknown. It finds the turn by text and calls. Recall is nil if no turns are stored.
	Recall func(text string, calls []ToolCall) *Replay

	// LeftOut names what Decode found but this package cannot express.
	LeftOut []string
	// Own is the dialect's private data of a decoded request, needed to encode the answer.
	Own any
}

// Settings control how a model answers. The zero value leaves everything to the server.
type Settings struct {
	// Temperature is nil for none. Usual marks a default: another client's temperature replaces
	// it, and it is omitted where a dialect does not allow it with reasoning.
	Temperature *float64
	Usual       bool
	TopP        *float64
	Stop        []string
	// MaxOutput is the most tokens that the answer may have; 0 leaves it to the server.
	// Fixed says that the experiment sets it. MostOutput is what the model can do at most;
	// 0 if that is not known.
	MaxOutput  int
	Fixed      bool
	MostOutput int
	// LimitField is the name of the output limit; "" for the dialect's default.
	LimitField string
	// Effort is the reasoning effort in the maker's words. Budget is the same in tokens, for
	// models that take a number.
	Effort string
	Budget int
	// Verbosity is the length of the answer, in the maker's words.
	Verbosity string
	Seed      *int64
	// Parallel says whether the model may call several tools in a turn. Choice says which.
	Parallel *bool
	Choice   Choice
	Format   *Format
}

// WithoutSampling returns only the settings about tools and the answer's format.
func (s Settings) WithoutSampling() Settings {
	return Settings{Stop: s.Stop, Seed: s.Seed, Parallel: s.Parallel, Choice: s.Choice, Format: s.Format}
}

// Choice says which tool the model must call: a function, Must (any of them), Never or Auto; ""
// if unset.
type Choice struct {
	Mode     string
	Function string
}

// Values of Choice.Mode, in the words of chat completions.
const (
	Auto  = "auto"
	Must  = "required"
	Never = "none"
)

// Format is the required format of an answer: a JSON object, with a schema if there is one.
type Format struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Schema      json.RawMessage `json:"schema,omitempty"`
	Strict      *bool           `json:"strict,omitempty"`
}

// Result is the result of a call. The call is identified by ID, or only by its function. Text
// is raw JSON or text, as the client wrote it.
type Result struct {
	ID, Function string
	Text         json.RawMessage
}

// Answer is a completion.
type Answer struct {
	ID, Model string // of a server
	Message   Message
	// FinishReason is Stop, Calls, Length or Filter. Any other reason is the server's own word.
	FinishReason string
	Usage        Usage
	Empty        bool // no message was returned
}

// Deltas returns an answer as the deltas that a stream would send.
func (a *Answer) Deltas() []Delta {
	m := &a.Message
	all := []Delta{{Thought: m.Reasoning}, {Text: m.Content}}
	for i, c := range m.ToolCalls {
		all = append(all, Delta{Call: i, ID: c.ID, Name: c.Name, Arguments: c.Arguments})
	}
	return all
}

// Finish reasons, in the words of chat completions. Each codec translates its dialect's words to them and back. No policy
// acts on a reason: a turn ends because it has no calls.
const (
	Stop   = "stop"
	Calls  = "tool_calls"
	Length = "length"
	Filter = "content_filter"
)

// Usage counts tokens. Cached and CacheWrite are parts of Prompt: tokens that were read
// from the server's cache, and tokens that were written to it at a price of their own.
// Reasoning is part of Completion.
type Usage struct {
	Prompt     int `json:"prompt"`
	Cached     int `json:"cached"`
	CacheWrite int `json:"cache_write,omitempty"`
	Completion int `json:"completion"`
	Reasoning  int `json:"reasoning"`
}

// Total returns the number of tokens that count against a limit.
func (u Usage) Total() int { return u.Prompt + u.Completion }

// Add returns the sum of two usages.
func (u Usage) Add(v Usage) Usage {
	return Usage{
		Prompt: u.Prompt + v.Prompt, Cached: u.Cached + v.Cached, CacheWrite: u.CacheWrite + v.CacheWrite,
		Completion: u.Completion + v.Completion, Reasoning: u.Reasoning + v.Reasoning,
	}
}

// Delta is what one event adds to an answer: text, visible reasoning, or a part of a call.
type Delta struct {
	Text, Thought string
	// Call is the index of a call within the answer, from 0. ID and Name come once, at its
	// beginning; Arguments follow. All three are "" if the delta is not part of a call.
	Call                int
	ID, Name, Arguments string
}

// OfCall reports whether the delta is a part of a call.
func (d *Delta) OfCall() bool { return d.ID != "" || d.Name != "" || d.Arguments != "" }

// Reserved are members, in any dialect, that a Body must not contain because codecs write them.
func Reserved() []string {
	return []string{"messages", "input", "contents", "system", "systemInstruction", "tools", "stream", "n"}
}

// Settings that a client chooses itself, and omits if a server refuses them.
const (
	SettingTemperature = "temperature"
	SettingSeed        = "seed"
	SettingParallel    = "parallel_tool_calls"
	SettingSummary     = "reasoning summary"
	SettingEncrypted   = "encrypted reasoning"
	SettingFormat      = "response_format"
	SettingMaxTokens   = "max_tokens"
	SettingUsage       = "stream_options"
)

// Omissions are settings that a server has refused, sorted by name.
type Omissions []string

// Has reports whether a setting was refused.
func (o Omissions) Has(setting string) bool { return slices.Contains(o, setting) }

// With returns the omissions and one more setting.
func (o Omissions) With(setting string) Omissions {
	all := append(slices.Clone(o), setting)
	slices.Sort(all)
	return all
}
