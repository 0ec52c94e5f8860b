package models

import (
	"encoding/json"
	"errors"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// An output limit is sent once: the Body's, else the Spec's, else the Terms', else
// the other client's.
func TestARequestHasOneOutputLimit(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		spec    Spec
		terms   int
		members string // of another client; "" for a request of ours
		want    map[string]any
	}{
		"the terms'":                        {Spec{}, 16, "", map[string]any{"max_completion_tokens": 16.0}},
		"under the server's name":           {Spec{MaxOutputField: "max_tokens"}, 16, "", map[string]any{"max_tokens": 16.0}},
		"none":                              {Spec{}, 0, "", map[string]any{}},
		"the spec's":                        {Spec{MaxOutput: 9}, 16, "", map[string]any{"max_completion_tokens": 9.0}},
		"the body's, under the same name":   {Spec{Body: map[string]any{"max_completion_tokens": 5}}, 16, "", map[string]any{"max_completion_tokens": 5.0}},
		"the body's, under the other name":  {Spec{Body: map[string]any{"max_tokens": 5}}, 16, "", map[string]any{"max_tokens": 5.0}},
		"the body's before the spec's":      {Spec{MaxOutput: 9, Body: map[string]any{"max_tokens": 5}}, 0, "", map[string]any{"max_tokens": 5.0}},
		"left out by the body":              {Spec{Body: map[string]any{"max_completion_tokens": nil}}, 16, "", map[string]any{}},
		"the other name left out":           {Spec{Body: map[string]any{"max_tokens": nil}}, 16, "", map[string]any{"max_completion_tokens": 16.0}},
		"another client's":                  {Spec{}, 0, `"max_tokens": 3`, map[string]any{"max_tokens": 3.0}},
		"the terms' before another's":       {Spec{}, 16, `"max_tokens": 3`, map[string]any{"max_completion_tokens": 16.0}},
		"the terms' before both of another": {Spec{MaxOutputField: "max_tokens"}, 16, `"max_tokens": 3, "max_completion_tokens": 4`, map[string]any{"max_tokens": 16.0}},
		"the spec's before another's":       {Spec{MaxOutput: 9}, 16, `"max_tokens": 3`, map[string]any{"max_completion_tokens": 9.0}},
		"the body's before another's":       {Spec{Body: map[string]any{"max_tokens": 5}}, 16, `"max_completion_tokens": 3`, map[string]any{"max_tokens": 5.0}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, answered)
			c.spec.Name, c.spec.BaseURL = "m", s.URL
			request := Request{Messages: hello.Messages}
			request.Terms.MaxOutput = c.terms
			if c.members != "" {
				if err := json.Unmarshal([]byte(`{"messages": [{"role": "user", "content": "Hello"}], `+c.members+`}`), &request.Members); err != nil {
					t.Fatal(err)
				}
			}
			if _, _, err := ask(t, c.spec, request); err != nil {
				t.Fatal(err)
			}
			got := map[string]any{}
			for member, value := range decoded(t, s.asked()[0].body).(map[string]any) {
				if strings.HasPrefix(member, "max_") {
					got[member] = value
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestTermsBoundTheAttempts(t *testing.T) {
	t.Parallel()
	const (
		limited = 'l' // 429 that asks for 7 seconds
		faulty  = 'f' // 500
		refused = 'r' // 400
		good    = 'a'
	)
	handlers := map[rune]http.HandlerFunc{
		limited: status(429, "", "Retry-After", "7"), faulty: apiError(500, "oops", ""), refused: apiError(400, "no", ""), good: answered,
	}
	const second = time.Second
	for name, c := range map[string]struct {
		spec    Spec
		terms   Terms
		answers string // the last one repeats
		asked   int
		waits   []time.Duration // nil to leave them open
		kind    ErrorKind       // "" for an answer
		status  int
	}{
		"two attempts":         {Spec{}, Terms{Attempts: 2}, "f", 2, nil, ServerFault, 500},
		"one attempt":          {Spec{}, Terms{Attempts: 1}, "f", 1, []time.Duration{}, ServerFault, 500},
		"the second one helps": {Spec{}, Terms{Attempts: 2}, "fa", 2, nil, "", 0},
		"a fixed pause":        {Spec{}, Terms{Attempts: 4, Pause: 4 * second}, "f", 4, []time.Duration{4e9, 4e9, 4e9}, ServerFault, 500},
		"a longer Retry-After replaces the pause": {Spec{}, Terms{Attempts: 3, Pause: 4 * second}, "lfa", 3, []time.Duration{7e9, 4e9}, "", 0},
		"a shorter Retry-After does not":          {Spec{}, Terms{Attempts: 3, Pause: 30 * second}, "la", 2, []time.Duration{30e9}, "", 0},
		"rate limits do not use attempts up":      {Spec{}, Terms{Attempts: 2, Pause: second}, "lllfla", 6, []time.Duration{7e9, 7e9, 7e9, 1e9, 7e9}, "", 0},
		"faults do, whatever comes between":       {Spec{}, Terms{Attempts: 2, Pause: second}, "lllflfa", 6, nil, ServerFault, 500},
		"rate limits have a bound of their own":   {Spec{}, Terms{Attempts: 2, Pause: second}, "l", 6, slices.Repeat([]time.Duration{7e9}, 5), RateLimited, 429},
		"which grows with the attempts":           {Spec{}, Terms{Attempts: 10, Pause: second}, "l", 10, nil, RateLimited, 429},
		"the spec's attempts come first":          {Spec{Attempts: 3}, Terms{Attempts: 10}, "f", 3, nil, ServerFault, 500},
		"the spec's backoff comes first":          {Spec{Backoff: second}, Terms{Attempts: 2, Pause: 30 * second}, "fa", 2, nil, "", 0},
		"no attempt against a refusal":            {Spec{}, Terms{Attempts: 5}, "r", 1, []time.Duration{}, Refused, 400},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var answers []http.HandlerFunc
			for _, a := range c.answers {
				answers = append(answers, handlers[a])
			}
			s := serve(t, answers...)
			c.spec.Name, c.spec.BaseURL = "m", s.URL
			got, waits, err := ask(t, c.spec, Request{Messages: hello.Messages, Terms: c.terms})
			if len(s.asked()) != c.asked {
				t.Errorf("asked %d times, want %d", len(s.asked()), c.asked)
			}
			if c.waits != nil && !slices.Equal(c.waits, append([]time.Duration{}, waits...)) {
				t.Errorf("waits %v, want %v", waits, c.waits)
			}
			if backoff := c.spec.Backoff; backoff > 0 && slices.Max(waits) > backoff {
				t.Errorf("waits %v, want %v at most", waits, backoff)
			}
			if c.kind == "" {
				if err != nil || got.Retries != c.asked-1 {
					t.Errorf("%d retries, error %v", got.Retries, err)
				}
				return
			}
			if failure := expectError(t, err, c.kind, c.asked-1); failure.Status != c.status {
				t.Errorf("status %d, want %d", failure.Status, c.status)
			}
		})
	}
}

func TestTheSpecsTimeoutComesBeforeTheTerms(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		spec  Spec
		terms Terms
		want  time.Duration
	}{
		"neither":    {Spec{}, Terms{}, 10 * time.Minute},
		"the terms'": {Spec{}, Terms{Timeout: 30 * time.Minute}, 30 * time.Minute},
		"the spec's": {Spec{Timeout: time.Hour}, Terms{Timeout: 30 * time.Minute}, time.Hour},
	} {
		if got := c.terms.under(&c.spec).Timeout; got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	s := serve(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	_, _, err := ask(t, Spec{Name: "m", BaseURL: s.URL}, Request{Messages: hello.Messages, Terms: Terms{Timeout: 20 * time.Millisecond, Attempts: 2}})
	failure := expectError(t, err, Unreachable, 1)
	if failure.Status != 0 || !strings.Contains(err.Error(), "no answer within 20ms") {
		t.Errorf("status %d: %v", failure.Status, err)
	}
}

// The status is that of the last attempt, and is kept in recordings.
func TestErrorsHaveTheServersStatus(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fault http.HandlerFunc
		want  int
	}{
		"a refusal":               {apiError(422, "no", ""), 422},
		"a page":                  {status(503, "<html>"), 503},
		"an answer that is none":  {status(200, "<html>"), 200},
		"an error inside a 200":   {status(200, `{"error": {"message": "slow", "code": 429}}`), 200},
		"a connection that broke": {reset, 0},
	} {
		path := filepath.Join(t.TempDir(), "r.jsonl")
		model, _ := openRecorded(t, path, Spec{Name: "m", BaseURL: serve(t, c.fault).URL})
		_, recorded := model.Complete(t.Context(), hello)
		_, replayed := openReplayed(t, path).Complete(t.Context(), hello)
		for _, err := range []error{recorded, replayed} {
			var failure *Error
			if !errors.As(err, &failure) || failure.Status != c.want {
				t.Errorf("%s: %+v, want status %d", name, failure, c.want)
			}
		}
	}
}
