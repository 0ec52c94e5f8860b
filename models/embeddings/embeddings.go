// Package embeddings requests embedding vectors from a server of OpenAI's /v1/embeddings API.
// Results are cached.
package embeddings

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"time"

	"github.com/sashabaranov/go-openai"
)

// Cache stores vectors. A judge's cache has the same methods.
type Cache interface {
	Judgement(ctx context.Context, key string) (answer string, found bool, err error)
	KeepJudgement(ctx context.Context, key, model, answer string) (kept string, err error)
}

// Client requests vectors from one model. It is safe for concurrent use.
type Client struct {
	model, identity string
	client          *openai.Client
	cache           Cache
}

// DefaultURL is the address of OpenAI's server.
const DefaultURL = "https://api.openai.com/v1"

const (
	timeout = 2 * time.Minute
	// attempts is the number of attempts if the server is busy or down. pause is the wait
	// before the second attempt; it doubles with each further one.
	attempts = 4
	pause    = 500 * time.Millisecond
)

// New returns a client. key is empty for a server that needs none. Nothing is sent yet.
func New(model, url, key string, cache Cache) *Client {
	config := openai.DefaultConfig(key)
	config.BaseURL = url
	config.HTTPClient = &http.Client{Timeout: timeout}
	return &Client{model: model, identity: "embeddings\x00" + model + "\x00" + url, client: openai.NewClientWithConfig(config), cache: cache}
}

// Model returns the model's name.
func (c *Client) Model() string { return c.model }

// ErrRefused means that the server refused one text, usually because it is too long.
var ErrRefused = errors.New("the server refuses the text")

// Of returns the vector of a text, from the cache if it is there. The error wraps ErrRefused if
// only this text was refused.
func (c *Client) Of(ctx context.Context, text string) ([]float32, error) {
	sum := sha256.Sum256([]byte(c.identity + "\x00" + text))
	key := hex.EncodeToString(sum[:])
	answer, found, err := c.cache.Judgement(ctx, key)
	if err != nil {
		return nil, err
	}
	if !found {
		vector, err := c.ask(ctx, text)
		if err != nil {
			return nil, err
		}
		raw, err := json.Marshal(vector)
		if err != nil {
			return nil, fmt.Errorf("embeddings of %s: %w", c.model, err)
		}
		if answer, err = c.cache.KeepJudgement(ctx, key, c.model, string(raw)); err != nil {
			return nil, err
		}
	}
	var vector []float32
	if err := json.Unmarshal([]byte(answer), &vector); err != nil {
		return nil, fmt.Errorf("reading a kept embedding of %s: %w", c.model, err)
	}
	return vector, nil
}

func (c *Client) ask(ctx context.Context, text string) (vector []float32, err error) {
	wait := pause
	for attempt := 1; ; attempt++ {
		response, err := c.client.CreateEmbeddings(ctx, openai.EmbeddingRequestStrings{Input: []string{text}, Model: openai.EmbeddingModel(c.model)})
		if err == nil {
			if len(response.Data) != 1 || len(response.Data[0].Embedding) == 0 {
				return nil, fmt.Errorf("embeddings of %s: the server's answer has no vector", c.model)
			}
			return response.Data[0].Embedding, nil
		}
		status := statusOf(err)
		switch busy := status == 0 || status == http.StatusTooManyRequests || status >= 500; {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case status == http.StatusBadRequest || status == http.StatusRequestEntityTooLarge:
			return nil, fmt.Errorf("embeddings of %s: %w", c.model, ErrRefused)
		case !busy || attempt == attempts:
			return nil, fmt.Errorf("embeddings of %s: %s", c.model, outcome(status))
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(wait):
			wait *= 2
		}
	}
}

// statusOf returns the HTTP status of an error; 0 if there was no answer.
func statusOf(err error) int {
	var api *openai.APIError
	var request *openai.RequestError
	switch {
	case errors.As(err, &api):
		return api.HTTPStatusCode
	case errors.As(err, &request):
		return request.HTTPStatusCode
	}
	return 0
}

// outcome describes a failed request. It omits the server's own message, which may repeat a
// key.
func outcome(status int) string {
	if status == 0 {
		return "the server cannot be reached"
	}
	return fmt.Sprintf("the server answers with status %d %s", status, http.StatusText(status))
}

// Cosine returns the cosine of the angle between two vectors, from -1 to 1. It is 0 if a vector
// has length 0 or if their dimensions differ.
func Cosine(a, b []float32) float64 {
	if len(a) != len(b) {
		return 0
	}
	dot, aa, bb := 0.0, 0.0, 0.0
	for i := range a {
		x, y := float64(a[i]), float64(b[i])
		dot, aa, bb = dot+x*y, aa+x*x, bb+y*y
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	return dot / math.Sqrt(aa*bb)
}
