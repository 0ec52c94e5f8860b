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
	// Reasoning is what the model's maker shows of its reasoning: a summary as a rule.
	// It is for traces; Replay is what goes back to the server.
	Reasoning string `json:"reasoning,omitempty"`
	// Replay is an assistant's turn as the server sent it; nil if the server wants
	// nothing of it back in addition to the text and the calls.
	Replay *Replay `json:"replay,omitempty"`

	// Pictures are those that the model drew, of an assistant's message.
	Pictures []Picture `json:"pictures,omitempty"`

	// Parts follow the content: texts that are to stay apart, and pictures that are shown.
	Parts []Part `json:"-"`
	// Signature is what a maker signs a turn with, and wants back. Only a server knows it; in
	// the client it is a part of Replay. Reasoned says that a turn came back with its
	// reasoning, and ID is what the server called its last part.
	Signature string `json:"-"`
	Reasoned  bool   `json:"-"`
	ID        string `json:"-"`
	// Written is the message as the model's dialect writes it, kept because a conversation
	// is sent again with every turn. Encode fills it in. After that the message must not
	// change, nor be sent to another model.
	Written []byte `json:"-"`
}

// Part is a text, or the picture at an address, of a message.
type Part struct {
	Text    string
	Address Address // "" for a text
	Detail  string  // of a picture: auto, low or high; "" if nothing is said
}

// AllParts are the parts of a message that has some, with its content as the first.
func (m *Message) AllParts() []Part {
	if m.Content == "" {
		return m.Parts
	}
	return append([]Part{{Text: m.Content}}, m.Parts...)
}

// Says reports whether a message has anything for a model. A turn that was nothing but
// reasoning has not.
func (m Message) Says() bool {
	return m.Role != Assistant || m.Content != "" || len(m.Parts)+len(m.ToolCalls) > 0
}

// Text is all that a message says, with a separator between its parts.
func (m *Message) Text(separator string) string {
	if len(m.Parts) == 0 {
		return m.Content
	}
	var texts []string
	if m.Content != "" {
		texts = append(texts, m.Content)
	}
	for _, p := range m.Parts {
		if p.Address == "" {
			texts = append(texts, p.Text)
		}
	}
	return strings.Join(texts, separator)
}

// Shown are the addresses of the pictures that a message shows.
func (m *Message) Shown() (all []Address) {
	for _, p := range m.Parts {
		if p.Address != "" {
			all = append(all, p.Address)
		}
	}
	return all
}

// SetParts sets what a message says. A single text becomes its content, which every server
// knows; so do all texts of the model's own, which are one.
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

// Replay is what a server sent of a turn and wants back in the next request: reasoning,
// signatures, encrypted items. Without it some servers refuse the conversation, others
// reason all over again. It is kept with the turn and sent back byte for byte, to a
// server that speaks the same dialect.
type Replay struct {
	API API    `json:"api"` // the dialect that Raw is written in
	Raw string `json:"raw"` // JSON; a text, so that it is recorded as it is, blanks included
}

// ReplayIn is what a server of the dialect sent of a turn; nil if it is not known.
func (m *Message) ReplayIn(api API) json.RawMessage {
	if m.Replay == nil || m.Replay.API != api {
		return nil
	}
	return json.RawMessage(m.Replay.Raw)
}

// ToolCall is a model's request to call a tool. Arguments are as the model wrote
// them, and need not be JSON.
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
	Strict      *bool           `json:"strict,omitempty"` // whether arguments must be of the schema
}

// Schema is a tool's parameters; those of a tool without any are an empty object.
func (t *Tool) Schema() json.RawMessage {
	if len(t.Parameters) == 0 {
		return json.RawMessage(`{"type":"object","properties":{}}`)
	}
	return t.Parameters
}

// Request is a conversation to be completed, and how.
type Request struct {
	Model    string
	Messages []Message
	Tools    []Tool
	Settings
	// Stream asks for the answer in events, and Usage for what it used at their end.
	Stream, Usage bool
	// Draws asks for pictures in the answer. Dialects that have none ignore it.
	Draws bool
	// Reasons says that the model reasons. Summary and Encrypted ask a server for what may
	// be shown of its reasoning, and for the reasoning itself, which must come back.
	Reasons, Summary, Encrypted bool

	// Body are further members, laid over all others; null leaves one out. Where both are
	// objects, they are put together.
	Body map[string]any
	// Without are settings that the server has refused.
	Without Omissions
	// Recall returns what the server sent of a turn that another client repeats, found by
	// the turn's text and calls; nil if that is not known, and nil itself if nothing is kept.
	Recall func(text string, calls []ToolCall) *Replay

	// LeftOut names what Decode found and the vocabulary has no place for.
	LeftOut []string
	// Own is what a dialect remembers of a request that it decoded, to word the answer.
	Own any
}

// Settings say how a model is to answer. The zero value leaves everything to the server.
type Settings struct {
	// Temperature is nil for none. One that is Usual was chosen by no one: it gives way to
	// that of another client, and to reasoning where a dialect has one or the other.
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
	// LimitField is the member that the limit is sent under; "" for the dialect's choice.
	LimitField string
	// Effort is how much the model is to reason, in the maker's words; Budget the same in
	// tokens, for models that are asked so.
	Effort string
	Budget int
	// Verbosity is how much the model is to say, in the maker's words.
	Verbosity string
	Seed      *int64
	// Parallel says whether the model may call several tools in a turn, Choice which.
	Parallel *bool
	Choice   Choice
	Format   *Format
}

// WithoutSampling returns the settings less those by which a client says how the model is to
// answer. What remains is about tools and the form of the answer.
func (s Settings) WithoutSampling() Settings {
	return Settings{Stop: s.Stop, Seed: s.Seed, Parallel: s.Parallel, Choice: s.Choice, Format: s.Format}
}

// Choice is which tool the model is to call: a function, or Must (any of them), Never, Auto;
// "" if nothing is said.
type Choice struct {
	Mode     string
	Function string
}

// Modes of a Choice, in the words of chat completions.
const (
	Auto  = "auto"
	Must  = "required"
	Never = "none"
)

// Format is the form that an answer must have: a JSON object, of a schema if there is one.
type Format struct {
	Name        string
	Description string
	Schema      json.RawMessage
	Strict      *bool
}

// Result is the answer to a call, which is named by its identifier, or by its function
// alone. Text is as it is written.
type Result struct {
	ID, Function string
	Text         json.RawMessage
}

// Answer is a completion.
type Answer struct {
	ID, Model string // of a server
	Message   Message
	// FinishReason is one of Stop, Calls, Length and Filter. A reason that chat completions
	// do not have is as the server names it.
	FinishReason string
	Usage        Usage
	Empty        bool // there is no message
}

// Deltas are what an answer has from its beginning.
func (a *Answer) Deltas() []Delta {
	m := &a.Message
	all := []Delta{{Thought: m.Reasoning}, {Text: m.Content}}
	for i, c := range m.ToolCalls {
		all = append(all, Delta{Call: i, ID: c.ID, Name: c.Name, Arguments: c.Arguments})
	}
	return all
}

// Reasons for which an answer ends, in the words of chat completions.
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

// Total is the number of tokens that a limit counts.
func (u Usage) Total() int { return u.Prompt + u.Completion }

// Add returns the sum of two usages.
func (u Usage) Add(v Usage) Usage {
	return Usage{
		Prompt: u.Prompt + v.Prompt, Cached: u.Cached + v.Cached, CacheWrite: u.CacheWrite + v.CacheWrite,
		Completion: u.Completion + v.Completion, Reasoning: u.Reasoning + v.Reasoning,
	}
}

// Delta is what a streamed answer has more than before: text, reasoning that its maker
// shows, or a part of a call.
type Delta struct {
	Text, Thought string
	// Call is the place of a call among the answer's, from 0. ID and Name come once, when
	// it begins, and then its Arguments; all are "" where the delta is of no call.
	Call                int
	ID, Name, Arguments string
}

// OfCall reports whether the delta is a part of a call.
func (d *Delta) OfCall() bool { return d.ID != "" || d.Name != "" || d.Arguments != "" }

// Reserved are members, in one dialect or another, that no Body may have: a codec writes them.
func Reserved() []string {
	return []string{"messages", "input", "contents", "system", "systemInstruction", "tools", "stream", "n"}
}

// Settings that a client sends on its own account, and leaves out where a server refuses
// them.
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

// Omissions are settings that a server has refused, in the order of their names.
type Omissions []string

// Has reports whether a setting was refused.
func (o Omissions) Has(setting string) bool { return slices.Contains(o, setting) }

// With returns the omissions and one more.
func (o Omissions) With(setting string) Omissions {
	all := append(slices.Clone(o), setting)
	slices.Sort(all)
	return all
}
