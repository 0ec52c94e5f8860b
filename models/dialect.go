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

// APIs lists the dialects in which a model holds a conversation. Images is none.
func APIs() []API { return []API{Chat, Responses, Messages, Gemini} }

// all lists the dialects there are.
func all() []API { return append(APIs(), Images) }

// codec is the client's half of a wire.Codec.
type codec interface {
	Encode(*wire.Request) ([]byte, error)
	Overlay(*wire.Request, wire.Members) ([]byte, error)
	DecodeAnswer(body []byte) (wire.Answer, error)
	Reader() wire.Reader
}

// dialect is what a model's server is asked, and in which words. Retries, rate limits,
// recordings and the kinds of errors are the same for all dialects, and are the client's.
type dialect struct {
	codec
	spec    Spec
	profile Profile
}

// newDialect returns the dialect of a spec. Its API must be set.
func newDialect(s Spec, p Profile) (*dialect, error) {
	codec := map[API]codec{Chat: chat.Codec{}, Responses: responses.Codec{}, Messages: messages.Codec{}, Gemini: gemini.Codec{}, Images: images.Codec{}}[s.API]
	if codec == nil {
		return nil, fmt.Errorf("api %q is none of %v", s.API, all())
	}
	return &dialect{codec, s, p}, nil
}

// encode returns the body of a request. Settings that the server has refused are left out.
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

// decode reads the body of an answer whose status is one of success. With an
// error, the response holds the usage as far as the server told it.
func (d *dialect) decode(body []byte) (Response, error) {
	answer, err := d.DecodeAnswer(body)
	return Response{Message: answer.Message, FinishReason: answer.FinishReason, Usage: answer.Usage}, err
}

// openaiBase is the address of OpenAI's server.
const openaiBase = "https://api.openai.com/v1"

// messagesVersion is of Anthropic's Messages.
const messagesVersion = "2023-06-01"

// endpoint returns the address that requests are posted to, those for a stream if
// that is asked for, and the headers that they need, with the server's key. The key
// is empty if the server needs none. With an API version the server is Azure's.
func (d *dialect) endpoint(key string, stream bool) (address string, header http.Header) {
	base := strings.TrimRight(cmp.Or(d.spec.BaseURL, openaiBase), "/")
	bearer := key
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

// asked is what a server is asked: the spec's settings come first, then those of the terms,
// another client's, and the usual ones.
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

// askReasoning says how much the model is to reason, and what of that is wanted.
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

// askForm takes the form of an answer, which a spec has in the words of chat completions,
// out of the body for other dialects.
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

// budgetOf is what an effort stands for with a model that takes a number of tokens.
func budgetOf(effort string) (int, error) {
	if budget, ok := map[string]int{"minimal": 1024, "low": 4096, "medium": 10_240, "high": 24_576}[effort]; ok {
		return budget, nil
	}
	return 0, fmt.Errorf("reasoning %q is none of minimal, low, medium and high, which the model takes", effort)
}

// conversation is a request's messages as the model takes them: with what the server sent of
// turns that another client repeats, and without system messages if it knows none.
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

// foldSystem puts what system messages say before the user's next message, or makes
// one of it.
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
	if system.Len() > 0 { // there is no user's to put it before
		folded = append(folded, Message{Role: User, Content: strings.TrimSpace(system.String())})
	}
	return folded
}
