package sim

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// What the server reads and writes of the protocol. It sees each conversation once
// a turn, whole, so it reads each once only.

type request struct {
	Model          string    `json:"model"`
	Messages       []message `json:"messages"`
	Tools          []tool    `json:"tools"`
	Seed           int       `json:"seed"`
	Stream         bool      `json:"stream"`
	Effort         string    `json:"reasoning_effort"`
	Temperature    *float64  `json:"temperature"`
	ResponseFormat struct {
		Type string `json:"type"`
	} `json:"response_format"`

	profile Profile
	reasons bool // the answer is to have reasoning, which must come back
	// summarised and encrypted say what of the reasoning a client of Responses wants.
	summarised, encrypted bool
	// caching says that the dialect counts what is cached itself: of the prompt's bytes
	// those read from a cache, and those written to one.
	caching         bool
	cached, written int
}

// Roles of messages.
const (
	system    = "system"
	user      = "user"
	assistant = "assistant"
	fromTool  = "tool"
)

type message struct {
	Role       string     `json:"role"`
	Content    any        `json:"content"` // a text, its parts, or null
	ToolCalls  []toolCall `json:"tool_calls,omitempty"`
	ToolCallID string     `json:"tool_call_id,omitempty"`
	Reasoning  string     `json:"reasoning_content,omitempty"`
	Images     []image    `json:"images,omitempty"` // that the stand-in drew
}

// image is a picture in a message, in the words of chat completions.
type image struct {
	Type string `json:"type"` // image_url
	URL  struct {
		URL string `json:"url"` // data: with its bytes in base64
	} `json:"image_url"`
}

type toolCall struct {
	ID       string     `json:"id"`
	Type     string     `json:"type"`
	Function invocation `json:"function"`
}

// invocation is what a call calls, with its arguments as JSON.
type invocation struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

type tool struct {
	Function struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Parameters  json.RawMessage `json:"parameters"`
	} `json:"function"`
}

type response struct {
	ID      string   `json:"id"`
	Object  string   `json:"object"`
	Created int64    `json:"created"`
	Model   string   `json:"model"`
	Choices []choice `json:"choices"`
	Usage   usage    `json:"usage"`
}

type choice struct {
	Index        int     `json:"index"`
	Message      message `json:"message"`
	FinishReason string  `json:"finish_reason"`
}

// Reasons for which an answer ends.
const (
	stopped   = "stop"
	calling   = "tool_calls"
	tooMuch   = "length"
	forbidden = "content_filter"
)

type usage struct {
	Prompt        int `json:"prompt_tokens"`
	Completion    int `json:"completion_tokens"`
	Total         int `json:"total_tokens"`
	PromptDetails struct {
		Cached int `json:"cached_tokens"`
	} `json:"prompt_tokens_details"`
	CompletionDetails struct {
		Reasoning int `json:"reasoning_tokens"`
	} `json:"completion_tokens_details"`

	written int // to a cache
}

// text is the text of a message.
func (m *message) text() string {
	switch content := m.Content.(type) {
	case string:
		return content
	case []any:
		var b strings.Builder
		for _, part := range content {
			if part, ok := part.(map[string]any); ok {
				if b.Len() > 0 {
					b.WriteString("\n") // agents put the task next to texts of their own
				}
				text, _ := part["text"].(string)
				b.WriteString(text)
			}
		}
		return b.String()
	}
	return ""
}

// firstOfUser is the text of the user's first message.
func (r *request) firstOfUser() string { return r.firstOf(user) }

// ofSystem is the text of the system's message.
func (r *request) ofSystem() string { return r.firstOf(system) }

func (r *request) firstOf(role string) string {
	for i := range r.Messages {
		if r.Messages[i].Role == role {
			return r.Messages[i].text()
		}
	}
	return ""
}

// read reads JSON. It is as lenient as clients are used to.
func read(raw []byte, value any) error {
	return jsonv2.Unmarshal(raw, value, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
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
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(value) // texts, numbers, lists and maps of them always encode
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
