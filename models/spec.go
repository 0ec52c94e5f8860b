package models

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"agentd/internal/lazyregexp"
	"agentd/models/wire"
	"agentd/models/wire/chat"
)

// Spec says how to reach a model and what it costs. Only Name is needed.
type Spec struct {
	Name  string `yaml:"name" json:"name"`             // as tables show it
	Model string `yaml:"model" json:"model,omitempty"` // as the server calls it; default Name
	// API is the dialect that the server speaks: chat, responses, messages, gemini or images.
	// "" selects that of the model's maker, and chat for a server of the user's own.
	API        API    `yaml:"api" json:"api,omitempty"`
	BaseURL    string `yaml:"base_url" json:"base_url,omitempty"`       // the server's address, such as https://host/v1; default OpenAI's
	KeyEnv     string `yaml:"key_env" json:"key_env,omitempty"`         // environment variable of the key; default OPENAI_API_KEY
	APIVersion string `yaml:"api_version" json:"api_version,omitempty"` // set for Azure; BaseURL is then the resource
	// Headers are sent with every request. A value may refer to environment variables as
	// ${NAME}. Only the names are stored.
	Headers map[string]string `yaml:"headers" json:"headers,omitempty"`
	// Body holds further members of every request. They replace those that agentd writes. null
	// omits a member.
	Body map[string]any `yaml:"body" json:"body,omitempty"`

	Temperature *float64 `yaml:"temperature" json:"temperature,omitempty"` // nil for 1, as in the paper
	// Context is the largest number of tokens of a request and its answer together; 0 for the
	// value that the server reports, if any. The output limits that agentd sends leave room for
	// the request.
	Context   int `yaml:"context" json:"context,omitempty"`
	MaxOutput int `yaml:"max_output" json:"max_output,omitempty"` // tokens of one completion at most; 0 for what the request needs, by its Terms
	// MaxOutputField is the name of the output limit: max_completion_tokens, or max_tokens for
	// servers that know only that.
	MaxOutputField string `yaml:"max_output_field" json:"max_output_field,omitempty"`
	Reasoning      string `yaml:"reasoning" json:"reasoning,omitempty"` // reasoning effort, if the model knows it
	// Seeded says that the server takes a seed.
	Seeded bool `yaml:"seeded" json:"seeded,omitempty"`
	// NoSystem says that the model supports no system messages. Their text is moved to the
	// user's next message.
	NoSystem bool `yaml:"no_system" json:"no_system,omitempty"`
	// Stream asks for answers in events. The result is the same. Servers or proxies that close
	// quiet connections need it for long answers.
	Stream bool `yaml:"stream" json:"stream,omitempty"`
	// ParallelTools says whether the model may call several tools in a turn; nil for the
	// server's default.
	ParallelTools *bool `yaml:"parallel_tool_calls" json:"parallel_tool_calls,omitempty"`

	// Timeout limits one attempt, such as 30m. Timeout, Attempts and Backoff take precedence
	// over the Terms of a request.
	Timeout  time.Duration `yaml:"timeout" json:"timeout,omitempty"`
	Attempts int           `yaml:"attempts" json:"attempts,omitempty"` // largest number of attempts at a request
	// Backoff is the wait before the second attempt, such as 2s (default 500ms). It doubles
	// with each further attempt.
	Backoff time.Duration `yaml:"backoff" json:"backoff,omitempty"`

	Price *Price `yaml:"price" json:"price,omitempty"` // nil for the list price
	// RequestsPerMinute is the rate limit of the server's account, for the whole fleet; 0 for
	// no limit.
	RequestsPerMinute float64 `yaml:"requests_per_minute" json:"requests_per_minute,omitempty"`
	// TokensPerMinute is the same for tokens, prompt and completion together.
	TokensPerMinute float64 `yaml:"tokens_per_minute" json:"tokens_per_minute,omitempty"`
	// Concurrency is the largest number of relays in the whole fleet that may ask the model at
	// the same time; 0 for no limit.
	Concurrency int `yaml:"concurrency" json:"concurrency,omitempty"`
	// StandIn marks a program used in place of a model. Tables say so.
	StandIn bool `yaml:"-" json:"stand_in,omitempty"`
	// Replay is the file of a recording that answers in place of the model.
	Replay string `yaml:"-" json:"replay,omitempty"`
}

const defaultKeyEnv = "OPENAI_API_KEY"

// check returns an error for settings that cannot be used for any request.
func (s *Spec) check() error {
	if s.BaseURL != "" || s.APIVersion != "" {
		if base, err := url.Parse(s.BaseURL); err != nil || base.Host == "" || !strings.HasPrefix(base.Scheme, "http") {
			return fmt.Errorf("base_url %q must be an address such as https://host/v1", s.BaseURL)
		}
	}
	if f := s.MaxOutputField; f != "" && f != chat.NewLimit && f != chat.OldLimit {
		return fmt.Errorf("max_output_field %q must be %s or %s", f, chat.NewLimit, chat.OldLimit)
	}
	if s.API != "" && !slices.Contains(all(), s.API) {
		return fmt.Errorf("api %q is none of %v", s.API, all())
	}
	if s.APIVersion != "" && s.API != Chat && s.API != Responses {
		return fmt.Errorf("api_version is of Azure, whose dialects are %s and %s, not %s", Chat, Responses, s.API)
	}
	for _, member := range wire.Reserved() {
		if _, ok := s.Body[member]; ok {
			return fmt.Errorf("body: %s is for agentd to say", member)
		}
	}
	if s.Timeout < 0 || s.Backoff < 0 || s.Attempts < 0 || s.MaxOutput < 0 || s.Context < 0 {
		return fmt.Errorf("timeout %v, backoff %v, attempts %d, max_output %d and context %d must not be negative", s.Timeout, s.Backoff, s.Attempts, s.MaxOutput, s.Context)
	}
	return nil
}

// chose reports whether the spec itself sets a setting, which is then part of what the
// experiment measures.
func (s *Spec) chose(setting string) bool {
	_, inBody := s.Body[setting]
	switch setting {
	case wire.SettingTemperature:
		return s.Temperature != nil || inBody
	case wire.SettingSeed, wire.SettingUsage:
		return inBody
	case wire.SettingParallel:
		return s.ParallelTools != nil || inBody
	}
	return false
}

// key returns the key of the server; "" if it needs none.
func (s *Spec) key() (string, error) {
	variable := cmp.Or(s.KeyEnv, defaultKeyEnv)
	key := strings.TrimSpace(os.Getenv(variable))
	switch {
	case s.StandIn:
		return "", nil // a stand-in needs none
	case key == "" && s.KeyEnv != "":
		return "", fmt.Errorf("set %s to the key of the server, or leave key_env out", variable)
	case key == "" && s.BaseURL == "":
		return "", fmt.Errorf("set %s to the key of the server, or give the model a base_url", variable)
	}
	return key, nil
}

var variable = lazyregexp.New(`\$\{(\w+)\}`)

// header returns the headers with their variables replaced, and the values of these variables,
// which are secret.
func (s *Spec) header() (header http.Header, secrets []string, err error) {
	header = http.Header{}
	for name, value := range s.Headers {
		header.Set(name, variable.ReplaceAllStringFunc(value, func(reference string) string {
			filled := strings.TrimSpace(os.Getenv(variable.FindStringSubmatch(reference)[1]))
			if filled == "" {
				err = fmt.Errorf("header %s: set %s", name, variable.FindStringSubmatch(reference)[1])
			}
			secrets = append(secrets, filled)
			return filled
		}))
	}
	return header, secrets, err
}
