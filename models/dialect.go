package models

import (
	"cmp"
	"fmt"
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
