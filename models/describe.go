package models

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"agentd/internal/jsonsafe"
	"agentd/models/wire"
)

// Facts are what a server reports about a model before the first completion. The zero value
// means that nothing is known.
type Facts struct {
	// Context is the largest number of tokens of a request and its answer together; 0 if
	// unknown.
	Context int
	// Slots is how many requests the server processes at the same time; others wait. 0 if
	// unknown.
	Slots int
	// NoTools says that the model's chat template does not support tools.
	NoTools bool
	// Served are the models that the server lists; empty if it lists none.
	Served []string
}

// Lists reports whether the server lists the model. It is true if the server lists no models.
func (f *Facts) Lists(model string) bool {
	return len(f.Served) == 0 || slices.Contains(f.Served, model)
}

const (
	describeTimeout = 10 * time.Second // of one request
	dialAgain       = time.Second      // wait before the second and last attempt to connect
	maxListing      = 8 << 20          // bytes of a list of models
)

// listing bounds the values of a list of models; some servers offer hundreds.
var listing = jsonsafe.Limits{Values: 500_000, Levels: 32}

// Describe asks the server which models it serves. It requests no completion, so it is free. If
// the server has no such list, or the list has an unknown format, the facts are empty and the
// error is nil. The error is an *Error if the server cannot be reached or refuses the key, or
// else ctx's error.
func Describe(ctx context.Context, spec Spec) (Facts, error) {
	c, err := newClient(spec)
	if err != nil {
		return Facts{}, err
	}
	if err := c.dial(); err != nil {
		return Facts{}, err
	}
	defer Close(c)
	if c.spec.APIVersion != "" || c.spec.Replay != "" {
		return Facts{}, nil // Azure's list needs another key; a recording has no server
	}
	base := c.dialect.base()
	list := base + "/models"
	if c.spec.API == Gemini { // it describes a single model
		list += "/" + url.PathEscape(c.spec.Model)
	}
	var f Facts
	body, err := c.get(ctx, list)
	if err != nil || body == nil {
		return f, err
	}
	var said struct {
		modelFacts
		Data []modelFacts `json:"data"`
	}
	if jsonsafe.Unmarshal(body, &said, listing) != nil {
		return f, nil
	}
	all := said.Data
	if len(all) == 0 && said.Name != "" {
		all = []modelFacts{said.modelFacts}
	}
	for i := range all {
		m := &all[i]
		f.Served = append(f.Served, strings.TrimPrefix(cmp.Or(m.ID, m.Name), "models/"))
		if f.Served[i] == c.spec.Model || len(all) == 1 {
			f.Context = m.context()
			if m.Owner == "llamacpp" {
				err = c.props(ctx, strings.TrimSuffix(base, "/v1"), &f)
			}
		}
	}
	return f, err
}

// modelFacts are the fields that various servers use to describe a model.
type modelFacts struct {
	ID    string `json:"id"`
	Name  string `json:"name"`     // Gemini's
	Owner string `json:"owned_by"` // "llamacpp" for llama.cpp's server
	Meta  struct {
		Context int `json:"n_ctx"`
	} `json:"meta"` // llama.cpp
	MaxModelLen   int `json:"max_model_len"`         // vLLM, SGLang
	ContextLength int `json:"context_length"`        // OpenRouter, Together
	ContextWindow int `json:"context_window"`        // Groq
	Loaded        int `json:"loaded_context_length"` // LM Studio
	MaxContext    int `json:"max_context_length"`    // LM Studio, Mistral
	InputTokens   int `json:"inputTokenLimit"`       // Gemini: the request only
}

func (m *modelFacts) context() int {
	return max(cmp.Or(m.Meta.Context, m.MaxModelLen, m.Loaded, m.ContextLength, m.ContextWindow, m.MaxContext, m.InputTokens), 0)
}

// props adds what llama.cpp's server reports about itself: the context of one slot, and the
// number of slots.
func (c *client) props(ctx context.Context, server string, f *Facts) error {
	body, err := c.get(ctx, server+"/props")
	if err != nil || body == nil {
		return err
	}
	var said struct {
		Slots    int `json:"total_slots"`
		Settings struct {
			Context int `json:"n_ctx"`
		} `json:"default_generation_settings"`
		Template *struct {
			Tools     bool `json:"supports_tools"`
			ToolCalls bool `json:"supports_tool_calls"`
		} `json:"chat_template_caps"`
	}
	if jsonsafe.Unmarshal(body, &said, listing) != nil {
		return nil
	}
	if said.Settings.Context > 0 {
		f.Context = said.Settings.Context
	}
	f.Slots = max(said.Slots, 0)
	f.NoTools = said.Template != nil && !said.Template.Tools && !said.Template.ToolCalls
	return nil
}

// get fetches a page of the server. It returns nil if the server does not have the page.
func (c *client) get(ctx context.Context, address string) ([]byte, error) {
	body, status, err := c.getOnce(ctx, address)
	if err != nil && status == 0 && ctx.Err() == nil {
		if err := c.pause(ctx, dialAgain); err != nil {
			return nil, err
		}
		body, status, err = c.getOnce(ctx, address)
	}
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil && status == 0:
		return nil, &Error{Kind: classify(0, err), Model: c.spec.Name, Retries: 1, Err: c.presentable(err)}
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		said := wire.DecodeError(body)
		said.Status = status
		return nil, &Error{Kind: Denied, Status: status, Model: c.spec.Name, Err: c.presentable(said)}
	case err != nil || status != http.StatusOK:
		return nil, nil
	}
	return body, nil
}

func (c *client) getOnce(ctx context.Context, address string) (body []byte, status int, err error) {
	ctx, cancel := context.WithTimeout(ctx, describeTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, 0, err
	}
	request.Header = c.sender.header.Clone()
	request.Header.Del("Content-Type")
	answer, err := c.sender.http.Do(request)
	if errors.Is(err, context.DeadlineExceeded) {
		return nil, 0, fmt.Errorf("no answer within %v: %w", describeTimeout, err)
	}
	if err != nil {
		return nil, 0, err
	}
	defer answer.Body.Close()
	body, err = io.ReadAll(io.LimitReader(answer.Body, maxListing+1))
	if len(body) > maxListing || !json.Valid(bytes.TrimSpace(body)) && answer.StatusCode == http.StatusOK {
		return nil, http.StatusNoContent, err
	}
	return body, answer.StatusCode, err
}
