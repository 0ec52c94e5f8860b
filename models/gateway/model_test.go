package gateway

import (
	"cmp"
	"context"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"agentd/models"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// model answers the same every time and keeps what it was asked.
type model struct {
	mu     sync.Mutex
	answer models.Message
	finish string // "" for stop
	err    error
	delay  time.Duration
	asked  []models.Request
}

func (m *model) Name() string { return "test-model" }

func (m *model) Complete(ctx context.Context, r models.Request) (models.Response, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.asked = append(m.asked, r)
	select {
	case <-time.After(m.delay):
	case <-ctx.Done():
		return models.Response{}, ctx.Err()
	}
	finish := m.finish
	if finish == "" {
		finish = "stop"
	}
	return models.Response{Message: m.answer, FinishReason: finish, Usage: models.Usage{Prompt: 900, Cached: 400, Completion: 100, Reasoning: 10}}, m.err
}

// opened is a model whose server speaks a dialect.
func opened(t testing.TB, handler http.Handler, spec models.Spec) models.Model {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	spec.Name, spec.Model = cmp.Or(spec.Name, "sim:refuse"), cmp.Or(spec.Model, "sim:refuse")
	spec.StandIn, spec.Backoff, spec.BaseURL = true, time.Millisecond, server.URL+"/v1"
	m, err := models.Open(spec, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { models.Close(m) })
	return models.NewGuard(m)
}
