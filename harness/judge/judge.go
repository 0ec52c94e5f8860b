// Package judge has a language model judge documents, for domains that know of
// none. What was asked once is not asked again: answers are kept by what was
// asked, next to the results.
package judge

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"sync"

	"golang.org/x/sync/singleflight"

	"agentd/domains"
	"agentd/models"
)

// Cache stores answers.
type Cache interface {
	// Judgement returns the answer stored under a key; false if there is none.
	Judgement(ctx context.Context, key string) (answer string, found bool, err error)
	// KeepJudgement stores an answer and returns the stored one, which is another caller's if that
	// came first.
	KeepJudgement(ctx context.Context, key, model, answer string) (kept string, err error)
}

// Judge is a model that judges. It may be used concurrently.
type Judge struct {
	model    models.Model
	price    *models.Price
	identity string
	standIn  bool
	cache    Cache
	flights  singleflight.Group
}

// Spec returns a model's spec for use as a judge: it asks for JSON objects, unless the spec's body
// says otherwise.
func Spec(spec models.Spec) models.Spec {
	const format = "response_format"
	if _, said := spec.Body[format]; said {
		return spec
	}
	spec.Body = maps.Clone(spec.Body)
	if spec.Body == nil {
		spec.Body = map[string]any{}
	}
	spec.Body[format] = map[string]any{"type": "json_object"}
	return spec
}

// New returns a judge. The model must have been opened by the spec. The spec distinguishes the
// stored answers of different judges.
func New(model models.Model, spec models.Spec, cache Cache) (*Judge, error) {
	who := models.Spec{
		Name: spec.Name, Model: spec.Model, API: spec.API, BaseURL: spec.BaseURL, APIVersion: spec.APIVersion, Body: spec.Body,
		Temperature: spec.Temperature, Reasoning: spec.Reasoning, MaxOutput: spec.MaxOutput, StandIn: spec.StandIn,
	}
	if who.StandIn {
		who.BaseURL = "" // the port differs every time
	}
	identity, err := json.Marshal(who)
	if err != nil {
		return nil, fmt.Errorf("judge %s: %w", spec.Name, err)
	}
	return &Judge{model: model, price: spec.Price, identity: string(identity), standIn: spec.StandIn, cache: cache}, nil
}

// Name returns the model's name.
func (j *Judge) Name() string { return j.model.Name() }

// StandIn reports whether a program plays the model.
func (j *Judge) StandIn() bool { return j.standIn }

// Session asks a judge for one interaction or one report, and counts the usage. It may be used
// concurrently.
type Session struct {
	judge *Judge
	ctx   context.Context

	mu    sync.Mutex
	spent Spent
}

var _ domains.Judge = (*Session)(nil)

// Spent is the usage of a judge.
type Spent struct {
	Asked int          // completions, including failed ones
	Usage models.Usage // includes failed attempts
	// Cost is in USD; nil if the price is unknown, or nothing was asked.
	Cost *float64
	// Unknown is the number of attempts with an unknown cost, which Cost does not include.
	Unknown int
}

// Session returns a new session. Its requests end with ctx.
func (j *Judge) Session(ctx context.Context) *Session { return &Session{judge: j, ctx: ctx} }

// Spent returns the usage so far.
func (t *Session) Spent() Spent {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.spent
}

// tries is how often the judge is asked until it gives a readable answer.
const tries = 3

// Ask implements domains.Judge.
func (t *Session) Ask(prompt string, accept func(answer map[string]any) error) (map[string]any, error) {
	readable := func(answer string) error {
		object, err := verdict(answer, prompt)
		if err != nil {
			return err
		}
		return accept(object)
	}
	text, err := t.answer(prompt, readable)
	var object map[string]any
	if err == nil {
		object, err = verdict(text, prompt)
	}
	if err != nil {
		return nil, fmt.Errorf("judge %s: %w", t.judge.Name(), err)
	}
	return object, nil
}

// answer returns the stored answer, or asks for a new one. Concurrent callers with the same
// question share one request.
func (t *Session) answer(prompt string, accept func(string) error) (string, error) {
	sum := sha256.Sum256([]byte(t.judge.identity + "\x00" + prompt))
	key := hex.EncodeToString(sum[:])
	answer, err, _ := t.judge.flights.Do(key, func() (any, error) {
		known, found, err := t.judge.cache.Judgement(t.ctx, key)
		if err != nil || found && accept(known) == nil {
			return known, err
		}
		fresh, err := t.ask(prompt, accept)
		if err != nil {
			return "", err
		}
		return t.judge.cache.KeepJudgement(t.ctx, key, t.judge.Name(), fresh)
	})
	if err != nil {
		return "", err
	}
	return answer.(string), nil
}

func (t *Session) ask(prompt string, accept func(string) error) (string, error) {
	ctx := models.WithStep(t.ctx, "judge")
	var refused error
	for try := range tries {
		response, err := t.judge.model.Complete(ctx, models.Request{
			Messages: []models.Message{{Role: models.User, Content: prompt}}, Seed: int64(try),
		})
		if err != nil {
			return "", t.failed(err)
		}
		t.add(response.Usage.Add(response.Waste.Usage), response.Waste.Unknown)
		if refused = accept(response.Message.Content); refused == nil {
			return response.Message.Content, nil
		}
	}
	return "", fmt.Errorf("%w, asked %d times: %w", domains.ErrNoAnswer, tries, refused)
}

// failed notes what a completion cost that could not be had. Where another would
// fare no better it is no answer.
func (t *Session) failed(err error) error {
	var failure *models.Error
	if !errors.As(err, &failure) {
		return err
	}
	t.add(failure.Waste.Usage, failure.Waste.Unknown)
	switch failure.Kind {
	case models.Filtered, models.ContextLength, models.Refused, models.BadAnswer:
		return fmt.Errorf("%w: %w", domains.ErrNoAnswer, err)
	}
	return err
}

func (t *Session) add(usage models.Usage, unknown int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.spent.Asked++
	t.spent.Usage = t.spent.Usage.Add(usage)
	t.spent.Unknown += unknown
	if t.judge.price != nil {
		cost := t.judge.price.Cost(t.spent.Usage)
		t.spent.Cost = &cost
	}
}

// Memory is a Cache in the memory of one process.
type Memory struct{ answers sync.Map }

// Judgement implements Cache.
func (m *Memory) Judgement(_ context.Context, key string) (string, bool, error) {
	answer, found := m.answers.Load(key)
	if !found {
		return "", false, nil
	}
	return answer.(string), true, nil
}

// KeepJudgement implements Cache.
func (m *Memory) KeepJudgement(_ context.Context, key, _, answer string) (string, error) {
	kept, _ := m.answers.LoadOrStore(key, answer)
	return kept.(string), nil
}
