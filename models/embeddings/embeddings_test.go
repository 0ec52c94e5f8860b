package embeddings

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

type memory struct{ answers sync.Map }

func (m *memory) Judgement(_ context.Context, key string) (string, bool, error) {
	answer, found := m.answers.Load(key)
	if !found {
		return "", false, nil
	}
	return answer.(string), true, nil
}

func (m *memory) KeepJudgement(_ context.Context, key, _, answer string) (string, error) {
	kept, _ := m.answers.LoadOrStore(key, answer)
	return kept.(string), nil
}

// server answers with the numbers of a's and b's in a text; it is down at first, and refuses
// texts of more than 20 characters.
func server(t *testing.T, asked *atomic.Int32) string {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct {
			Input []string
			Model string
		}
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil || r.URL.Path != "/v1/embeddings" || in.Model != "small" || r.Header.Get("Authorization") != "Bearer secret" {
			t.Errorf("%s %+v %v", r.URL.Path, in, err)
		}
		switch n := asked.Add(1); {
		case n == 1:
			http.Error(w, "secret", http.StatusServiceUnavailable)
		case len(in.Input[0]) > 20:
			http.Error(w, `{"error": {"message": "too long"}}`, http.StatusBadRequest)
		default:
			_, _ = fmt.Fprintf(w, `{"data": [{"index": 0, "embedding": [%d, %d]}]}`, strings.Count(in.Input[0], "a"), strings.Count(in.Input[0], "b"))
		}
	}))
	t.Cleanup(s.Close)
	return s.URL + "/v1"
}

// By hand: the vectors of aaab and abbb are (3, 1) and (1, 3), whose cosine is 6/10.
func TestVectorsAreAskedForOnce(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	client := New("small", server(t, &asked), "secret", &memory{})
	for range 2 {
		a, err := client.Of(t.Context(), "aaab")
		if err != nil {
			t.Fatal(err)
		}
		b, err := client.Of(t.Context(), "abbb")
		if err != nil {
			t.Fatal(err)
		}
		if got := Cosine(a, b); math.Abs(got-0.6) > 1e-12 {
			t.Errorf("%v and %v: %v", a, b, got)
		}
	}
	if asked.Load() != 3 {
		t.Errorf("the server was asked %d times, want 3: one time it was down", asked.Load())
	}
	if _, err := client.Of(t.Context(), strings.Repeat("long ", 9)); !errors.Is(err, ErrRefused) {
		t.Error(err)
	}
}

func TestAServersWordsAreNotRepeated(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, `{"error": {"message": "bad key secret"}}`, http.StatusUnauthorized)
	}))
	defer s.Close()
	_, err := New("small", s.URL, "secret", &memory{}).Of(t.Context(), "a")
	if err == nil || strings.Contains(err.Error(), "secret") || !strings.Contains(err.Error(), "401") {
		t.Error(err)
	}
}

func TestCosinesOfNothing(t *testing.T) {
	t.Parallel()
	if got := Cosine([]float32{0, 0}, []float32{1, 1}); got != 0 {
		t.Error(got)
	}
	if got := Cosine([]float32{1}, []float32{1, 1}); got != 0 {
		t.Error(got)
	}
}
