// Package gateway is an HTTP server between a client and the model under test. The client may
// use any dialect: OpenAI's chat completions or Responses, Anthropic's Messages or Google's
// generateContent. One models.Model answers every request, whatever model the client names.
//
// A request in the dialect of the model's server is forwarded unchanged, and so is its answer,
// except for what the experiment controls. A request in another dialect is translated. Both are
// streamed if the client asks for it. Memory limits apply before a request is decoded. An
// Observer sees requests and answers, and may refuse a request.
package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"agentd/models"
	"agentd/models/wire"
	"agentd/models/wire/chat"
	"agentd/models/wire/gemini"
	"agentd/models/wire/messages"
	"agentd/models/wire/responses"
)

// Observer is told what a client asks and what the model answers. Its methods must be safe for
// concurrent use.
type Observer interface {
	// Arrived is called when a request arrives, before it is read.
	Arrived()
	// Returned receives the results of tool calls in a request. Clients repeat the
	// conversation, so these are the results of the whole conversation.
	Returned([]wire.Result)
	// LeftOut names a part of a request that is not sent to the model.
	LeftOut(what string)
	// Ask is called before each request to the model. The returned function is called when the
	// request is over. An error refuses the request, which is then not counted.
	Ask(streamed bool) (over func(), err error)
	// Answered receives the complete answer before the client sees the end of it. It may remove
	// calls from an answer that is not streamed.
	Answered(*models.Response)
	// Failed reports why there is no answer. begun says that the client has already received
	// part of one, which may be charged for.
	Failed(err error, begun bool)
	// NoRoute reports a request for an unknown route.
	NoRoute(route string)
}

// Options are settings of the experiment that apply to all requests.
type Options struct {
	Seed int64
	// OwnSettings says that a client's temperature, effort and output limit apply where the
	// model's settings are empty. Otherwise they are omitted.
	OwnSettings bool
	// MaxCalls is the largest number of calls written for one answer, if the client's dialect
	// differs from that of the model's server.
	MaxCalls int
}

// Gateway answers the requests of one client.
type Gateway struct {
	model    models.Model
	observer Observer
	options  Options
	ends     context.Context
	intake   intake
	said     *turns
}

// New returns a gateway to a model. Answers that are being streamed end with ctx.
func New(ctx context.Context, model models.Model, observer Observer, options Options) *Gateway {
	return &Gateway{model: model, observer: observer, options: options, ends: ctx, intake: newIntake(), said: newTurns()}
}

// Path is the path of OpenAI's dialects, including the list of models. Clients of other
// dialects add their own path to the server's address.
const Path = "/v1"

const geminiPath = "/v1beta/models"

// Register adds the gateway's routes. It also handles routes that the mux does not have.
func (g *Gateway) Register(mux *http.ServeMux) {
	mux.HandleFunc("POST "+Path+"/chat/completions", g.complete(chat.Codec{}, nil))
	mux.HandleFunc("POST "+Path+"/responses", g.complete(responses.Codec{Store: &responses.Store{}}, nil))
	mux.HandleFunc("POST "+Path+"/messages", g.complete(messages.Codec{}, nil))
	mux.HandleFunc("POST "+Path+"/messages/count_tokens", g.countTokens(messages.Counted))
	mux.HandleFunc("POST "+geminiPath+"/{call}", g.serveGemini)
	mux.HandleFunc("GET "+Path+"/models", g.listModels)
	mux.HandleFunc("/", g.noRoute)
}

// Bound applies the gateway's memory limits to the requests of another handler. Both share one
// budget. Each byte of such a request counts factor times.
func (g *Gateway) Bound(factor int64, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			body, done, err := g.intake.read(r, factor)
			defer done()
			if err == nil {
				_, err = survey(body)
			}
			if err != nil {
				refuse(w, fmt.Errorf("the request cannot be read: %w", err))
				return
			}
			r.Body = io.NopCloser(bytes.NewReader(body))
		}
		next.ServeHTTP(w, r)
	})
}

// noRoute answers a request for an unknown route.
func (g *Gateway) noRoute(w http.ResponseWriter, r *http.Request) {
	route := fmt.Sprintf("%s %.200s", r.Method, r.URL.Path)
	g.observer.NoRoute(route)
	Fail(w, http.StatusNotFound, "not_found_error", "there is no "+route+" here")
}

func (g *Gateway) listModels(w http.ResponseWriter, _ *http.Request) {
	reply(w, http.StatusOK, map[string]any{"object": "list", "data": []any{
		map[string]any{"id": g.model.Name(), "object": "model", "created": 0, "owned_by": "agentd"},
	}})
}

// serveGemini answers Google's requests, which name the model and the method in the address.
func (g *Gateway) serveGemini(w http.ResponseWriter, r *http.Request) {
	model, method := gemini.Method(r.PathValue("call"))
	switch method {
	case gemini.Generate, gemini.Stream:
		g.complete(gemini.Codec{}, func(head *wire.Request) { head.Model, head.Stream = model, method == gemini.Stream })(w, r)
	case gemini.Count:
		g.countTokens(gemini.Counted)(w, r)
	default:
		g.noRoute(w, r)
	}
}

// bytesPerToken is the usual size of a token of English text and markup.
const bytesPerToken = 4

// countTokens answers with an estimate of a request's tokens, without asking the model. key is
// the dialect's name for the number.
func (g *Gateway) countTokens(key string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, done, err := g.intake.read(r, 1)
		defer done()
		if err != nil {
			refuse(w, fmt.Errorf("the request cannot be read: %w", err))
			return
		}
		reply(w, http.StatusOK, map[string]int{key: len(body) / bytesPerToken})
	}
}

// refuse answers a request that cannot be read.
func refuse(w http.ResponseWriter, err error) {
	status := http.StatusBadRequest
	if errors.Is(err, errTooLarge) {
		status = http.StatusRequestEntityTooLarge
	}
	Fail(w, status, "invalid_request_error", err.Error())
}

// failWith answers a request that got no completion.
func failWith(w http.ResponseWriter, err error) {
	status := http.StatusBadGateway
	var model *models.Error
	if errors.As(err, &model) && (model.Kind == models.Refused || model.Kind == models.ContextLength) {
		status = http.StatusBadRequest
	}
	Fail(w, status, wire.BrokenOff, err.Error())
}

func reply(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if raw, ok := body.(json.RawMessage); ok { // the server's own text
		_, _ = w.Write(raw)
		return
	}
	_ = json.NewEncoder(w).Encode(body) // the client may have disconnected
}

// Fail answers with an error that clients of all dialects can read. It tells them not to retry,
// because the model's client has already retried.
func Fail(w http.ResponseWriter, status int, kind, text string) {
	w.Header().Set("x-should-retry", "false")
	reply(w, status, map[string]any{"error": map[string]any{"message": text, "type": kind, "code": kind}})
}
