package models

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strings"

	"github.com/sashabaranov/go-openai"

	"agentd/models/wire"
	"agentd/models/wire/chat"
	"agentd/models/wire/gemini"
	"agentd/models/wire/images"
	"agentd/models/wire/messages"
	"agentd/models/wire/responses"
)

// APIs lists the dialects that support conversations, which excludes Images.
func APIs() []API { return []API{Chat, Responses, Messages, Gemini} }

// all lists every dialect.
func all() []API { return append(APIs(), Images) }

// codec is the part of a wire.Codec that a client needs.
type codec interface {
	Encode(*wire.Request) ([]byte, error)
	Overlay(*wire.Request, wire.Members) ([]byte, error)
	DecodeAnswer(body []byte) (wire.Answer, error)
	Reader() wire.Reader
}

// dialect encodes requests and decodes answers for one model's server. Retries, rate limits,
// recordings and error kinds are the same for all dialects; the client handles them.
type dialect struct {
	codec
	spec    Spec
	profile Profile
}

// newDialect returns the dialect of a spec, whose API must be one of all.
func newDialect(s Spec, p Profile) *dialect {
	codec := map[API]codec{Chat: chat.Codec{}, Responses: responses.Codec{}, Messages: messages.Codec{}, Gemini: gemini.Codec{}, Images: images.Codec{}}[s.API]
	return &dialect{codec, s, p}
}

// encode returns the body of a request, without the settings that the server has refused.
func (d *dialect) encode(req Request, without wire.Omissions) ([]byte, error) {
	asked, err := d.asked(req, without)
	if err != nil {
		return nil, err
	}
	if req.Members != nil {
		return d.Overlay(asked, req.Members)
	}
	return d.Encode(asked)
}

// decode reads the body of an answer with a success status. If it returns an error, the
// response still holds the usage that the server reported.
func (d *dialect) decode(body []byte) (Response, error) {
	answer, err := d.DecodeAnswer(body)
	return Response{Message: answer.Message, FinishReason: answer.FinishReason, Usage: answer.Usage}, err
}

// openaiBase is the address of OpenAI's server.
const openaiBase = "https://api.openai.com/v1"

// messagesVersion is the version of Anthropic's Messages API.
const messagesVersion = "2023-06-01"

// base returns the address of the server.
func (d *dialect) base() string { return strings.TrimRight(cmp.Or(d.spec.BaseURL, openaiBase), "/") }

// endpoint returns the address that requests are posted to, and their headers with the server's
// key. stream selects the address for streamed answers. key is empty if the server needs none.
// A spec with an API version uses Azure's addresses.
func (d *dialect) endpoint(key string, stream bool) (address string, header http.Header) {
	base, bearer := d.base(), key
	if key != "" {
		bearer = "Bearer " + key
	}
	model, version := url.PathEscape(d.spec.Model), url.QueryEscape(d.spec.APIVersion)
	switch {
	case d.spec.API == Messages:
		header = wire.KeyHeader("X-Api-Key", key)
		header.Set("Anthropic-Version", messagesVersion)
		return base + "/messages", header
	case d.spec.API == Gemini && stream:
		return base + "/models/" + model + ":streamGenerateContent?alt=sse", wire.KeyHeader("X-Goog-Api-Key", key)
	case d.spec.API == Gemini:
		return base + "/models/" + model + ":generateContent", wire.KeyHeader("X-Goog-Api-Key", key)
	case d.spec.API == Images:
		header = wire.KeyHeader("Authorization", bearer)
		header.Set("Content-Type", images.FormType)
		return base + "/images/edits", header
	case d.spec.API == Responses && version != "":
		return base + "/openai/responses?api-version=" + version, wire.KeyHeader(openai.AzureAPIKeyHeader, key)
	case d.spec.API == Responses:
		return base + "/responses", wire.KeyHeader("Authorization", bearer)
	case version != "":
		return base + "/openai/deployments/" + model + "/chat/completions?api-version=" + version, wire.KeyHeader(openai.AzureAPIKeyHeader, key)
	}
	return base + "/chat/completions", wire.KeyHeader("Authorization", bearer)
}

// asked builds the wire request. The spec's settings come first, then the terms, then those of
// another client, then the defaults.
func (d *dialect) asked(req Request, without wire.Omissions) (*wire.Request, error) {
	spec, profile := &d.spec, &d.profile
	r := &wire.Request{
		Model: spec.Model, Messages: d.conversation(&req), Tools: req.Tools, Settings: req.Settings, Stream: spec.Stream || req.Stream,
		Draws: req.Draws, Body: spec.Body, Without: without, Recall: req.Recall,
	}
	switch usual := 1.0; {
	case spec.Temperature != nil:
		r.Temperature, r.Usual = spec.Temperature, false
	case without.Has(wire.SettingTemperature) || !profile.takesTemperature():
		r.Temperature = nil
	default:
		r.Temperature, r.Usual = cmp.Or(r.Temperature, &usual), true
	}
	r.LimitField, r.MostOutput = spec.MaxOutputField, profile.MaxOutput
	if r.MaxOutput, r.Fixed = cmp.Or(spec.MaxOutput, req.Terms.MaxOutput, r.MaxOutput), spec.MaxOutput > 0; !r.Fixed && r.MostOutput > 0 {
		r.MaxOutput = min(r.MaxOutput, r.MostOutput)
	}
	if spec.ParallelTools != nil {
		r.Parallel = spec.ParallelTools
	}
	if without.Has(wire.SettingParallel) {
		r.Parallel = nil
	}
	if r.Seed = nil; spec.Seeded && !without.Has(wire.SettingSeed) {
		r.Seed = &req.Seed
	}
	d.askForm(r)
	return r, d.askReasoning(r)
}

// askReasoning sets the reasoning effort, and how much of the reasoning the answer shows.
func (d *dialect) askReasoning(r *wire.Request) (err error) {
	r.Effort = cmp.Or(d.spec.Reasoning, r.Effort)
	r.Reasons = d.profile.reasons() || r.Effort != ""
	r.Summary = r.Reasons && !r.Without.Has(wire.SettingSummary)
	r.Encrypted = r.Reasons && !r.Without.Has(wire.SettingEncrypted)
	r.Budget = 0
	inTokens := d.profile.Thinking == "budget" && (d.spec.API == Messages || d.spec.API == Gemini)
	if inTokens && r.Effort != "" && r.Effort != "none" {
		r.Budget, err = budgetOf(r.Effort)
	}
	return err
}

// askForm moves the answer format from the body into the request for dialects other than chat
// completions. A spec always writes it as chat completions do.
func (d *dialect) askForm(r *wire.Request) {
	if value, said := r.Body[wire.SettingFormat]; said && d.spec.API != Chat {
		r.Body = maps.Clone(r.Body)
		delete(r.Body, wire.SettingFormat)
		if form, _ := value.(map[string]any); form["type"] == string(openai.ChatCompletionResponseFormatTypeJSONObject) {
			r.Format = &wire.Format{}
		}
	}
	if r.Without.Has(wire.SettingFormat) {
		r.Format = nil
	}
}

// budgetOf converts an effort to a number of tokens, for models that take a budget.
func budgetOf(effort string) (int, error) {
	if budget, ok := map[string]int{"minimal": 1024, "low": 4096, "medium": 10_240, "high": 24_576}[effort]; ok {
		return budget, nil
	}
	return 0, fmt.Errorf("reasoning %q is none of minimal, low, medium and high, which the model takes", effort)
}

// conversation returns the messages of a request as the model accepts them. It restores what
// the server sent with turns that another client repeats, and replaces system messages if the
// model does not support them.
func (d *dialect) conversation(req *Request) []Message {
	for i := range req.Messages {
		if m := &req.Messages[i]; m.Role == Assistant && m.Replay == nil && req.Recall != nil {
			m.Replay = req.Recall(m.Content, m.ToolCalls)
		}
	}
	if d.spec.NoSystem {
		return foldSystem(req.Messages)
	}
	return req.Messages
}

// foldSystem moves the text of system messages to the beginning of the user's next message. If
// there is none, it adds a user message.
func foldSystem(messages []Message) []Message {
	var system strings.Builder
	folded := make([]Message, 0, len(messages))
	for _, m := range messages {
		switch {
		case m.Role == System:
			if text := m.Text(""); text != "" {
				system.WriteString(text + "\n\n")
			}
			continue
		case m.Role == User && system.Len() > 0:
			m.Content, m.Written = system.String()+m.Content, nil
			system.Reset()
		}
		folded = append(folded, m)
	}
	if system.Len() > 0 { // no user message follows
		folded = append(folded, Message{Role: User, Content: strings.TrimSpace(system.String())})
	}
	return folded
}
