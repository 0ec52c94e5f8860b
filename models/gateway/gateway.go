// Package gateway is a server between a client and the model under test. The client speaks
// the dialect that it likes: OpenAI's chat completions or Responses, Anthropic's Messages
// or Google's generateContent. Whatever model it asks for, one models.Model answers.
//
// A request in the dialect of the model's server goes on as it was written, and the answer
// comes back so, less what an experiment decides on. A request in another dialect becomes
// a chat completion. Both are streamed if the client asks for it. Requests are held to
// bounds of memory before any of them is decoded. An Observer is told what is asked and
// answered, and may refuse.
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

// Observer is told what a client asks and what the model answers. Its methods are called by
// several requests at the same time.
type Observer interface {
	// Arrived is called when a request has come, before it is understood.
	Arrived()
	// Returned is given the answers to the model's calls that a request holds: those of the
	// whole conversation, as clients repeat it.
	Returned([]wire.Result)
	// LeftOut is told what a request has that does not go on to the model.
	LeftOut(what string)
	// Ask is called before the model is asked. The function that it returns is called when
	// the request is over. An error refuses the request, which is then not counted.
	Ask(streamed bool) (over func(), err error)
	// Answered is given the whole answer before the client sees the end of it. It may take
	// calls out of an answer that is not streamed.
	Answered(*models.Response)
	// Failed is told why there is no answer. begun says that the client has seen a part of
	// one, which may be charged for.
	Failed(err error, begun bool)
	// NoRoute is told of a request for what is not here.
	NoRoute(route string)
}

// Options are what an experiment says of all requests.
type Options struct {
	Seed int64
	// OwnSettings says that a client's temperature, effort and output limit hold where the
	// model's settings say nothing, instead of being left out.
	OwnSettings bool
	// MaxCalls is how many calls of one answer are written in another dialect than the
	// model's server has.
	MaxCalls int
}

// Gateway answers the requests of one client.
type Gateway struct {
	model    models.Model
	observer Observer
	options  Options
	ends     context.Context
	intake   intake
	said     turns
}

// New returns a gateway to a model. With ctx end the answers that are being streamed.
func New(ctx context.Context, model models.Model, observer Observer, options Options) *Gateway {
	return &Gateway{model: model, observer: observer, options: options, ends: ctx, intake: newIntake()}
}

// Path is where OpenAI's dialects are, and the model's name. Clients of the others add
// their own to the server's address.
const Path = "/v1"

const geminiPath = "/v1beta/models"

// Register adds the gateway's routes, and the answer to all that a mux does not have.
func (g *Gateway) Register(mux *http.ServeMux) {
	mux.HandleFunc("POST "+Path+"/chat/completions", g.complete(chat.Codec{}, nil))
	mux.HandleFunc("POST "+Path+"/responses", g.complete(responses.Codec{Store: &responses.Store{}}, nil))
	mux.HandleFunc("POST "+Path+"/messages", g.complete(messages.Codec{}, nil))
	mux.HandleFunc("POST "+Path+"/messages/count_tokens", g.countTokens(messages.Counted))
	mux.HandleFunc("POST "+geminiPath+"/{call}", g.serveGemini)
	mux.HandleFunc("GET "+Path+"/models", g.listModels)
	mux.HandleFunc("/", g.noRoute)
}

// Bound holds the requests of another handler to the gateway's bounds, together with its
// own. Each of their bytes counts factor times.
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

// noRoute answers a request for what is not here.
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

// serveGemini answers the calls of a model, which stand in the address after its name.
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

// countTokens answers how many tokens a request has, about: the model is not asked. key
// is what the dialect calls the number.
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

// refuse answers a request that is not understood.
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
	if raw, ok := body.(json.RawMessage); ok { // as it came
		_, _ = w.Write(raw)
		return
	}
	_ = json.NewEncoder(w).Encode(body) // a client that went away needs no answer
}

// Fail answers with an error, in a form that the clients of all dialects read. They are told
// not to retry, because the model's client has done so.
func Fail(w http.ResponseWriter, status int, kind, text string) {
	w.Header().Set("x-should-retry", "false")
	reply(w, status, map[string]any{"error": map[string]any{"message": text, "type": kind, "code": kind}})
}
