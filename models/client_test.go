package models

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"go.uber.org/goleak"
)

const (
	testKeyEnv = "AGENTD_TEST_KEY"
	testKey    = "sk-test-0123456789"
)

func TestMain(m *testing.M) {
	os.Unsetenv(defaultKeyEnv)
	os.Setenv(testKeyEnv, testKey+"\n") // as files and shells hand keys on
	goleak.VerifyTestMain(m)
}

// server answers with each handler once, the last one from then on, and keeps
// what it was asked.
type server struct {
	*httptest.Server
	mu   sync.Mutex
	kept []question
}

type question struct {
	uri    string
	header http.Header
	body   string
}

func (s *server) asked() []question {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.kept)
}

func serve(t *testing.T, answers ...http.HandlerFunc) *server {
	t.Helper()
	s := &server{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		s.mu.Lock()
		s.kept = append(s.kept, question{r.RequestURI, r.Header, string(body)})
		answer := answers[min(len(s.kept), len(answers))-1]
		s.mu.Unlock()
		answer(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

func status(code int, body string, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(code)
		fmt.Fprint(w, body)
	}
}

func apiError(code int, message, kind string) http.HandlerFunc {
	return status(code, fmt.Sprintf(`{"error": {"message": %q, "code": %q}}`, message, kind))
}

var (
	answered = status(200, `{"choices": [{"message": {"role": "assistant", "content": "Done."}, "finish_reason": "stop"}]}`)
	reset    = func(w http.ResponseWriter, _ *http.Request) {
		connection, _, err := w.(http.Hijacker).Hijack()
		if err == nil {
			_ = connection.(*net.TCPConn).SetLinger(0)
			_ = connection.Close()
		}
	}
	cutOff = status(200, `{"choices": [{"message": {"role": "assi`, "Content-Length", "500")
)

// ask completes a conversation without waiting between attempts and returns
// the waits as well.
func ask(t *testing.T, spec Spec, request Request) (Response, []time.Duration, error) {
	t.Helper()
	model, err := Open(spec, nil)
	if err != nil {
		t.Fatal(err)
	}
	var waits []time.Duration
	model.(*client).pause = func(_ context.Context, d time.Duration) error {
		waits = append(waits, d)
		return nil
	}
	response, err := model.Complete(t.Context(), request)
	return response, waits, err
}

var hello = Request{Messages: []Message{{Role: User, Content: "Hello"}}}

func TestConversationsGoOutInTheWireFormat(t *testing.T) {
	t.Parallel()
	conversation := Request{
		Seed: 1 << 52,
		Messages: []Message{
			{Role: System, Content: "You edit."},
			{Role: User, Content: `Write {"role":"tool","tool_call_id":"x"} & <b>`},
			{Role: Assistant, ToolCalls: []ToolCall{{ID: "c1", Name: "read_file", Arguments: `{"path":`}}},
			{Role: ToolRole, ToolCallID: "c1"},
			{Role: Assistant},
			{Role: User, Content: "Go on."},
		},
		Tools: []Tool{{Name: "read_file", Description: "Reads.", Parameters: json.RawMessage(`{"type":"object","required":["path"]}`)}},
	}
	const messages = `[
		{"role": "system", "content": "You edit."},
		{"role": "user", "content": "Write {\"role\":\"tool\",\"tool_call_id\":\"x\"} & <b>"},
		{"role": "assistant", "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "read_file", "arguments": "{\"path\":"}}]},
		{"role": "tool", "content": "", "tool_call_id": "c1"},
		{"role": "assistant", "content": ""},
		{"role": "user", "content": "Go on."}]`
	const tools = `[{"type": "function", "function": {"name": "read_file", "description": "Reads.", "parameters": {"type": "object", "required": ["path"]}}}]`
	for name, c := range map[string]struct {
		spec   Spec
		more   string // than model, messages and tools
		url    string
		header [2]string
	}{
		"the key is a bearer token": {Spec{Name: "m", KeyEnv: testKeyEnv}, "", "/v1/chat/completions", [2]string{"Authorization", "Bearer " + testKey}},
		"no key, no header":         {Spec{Name: "m"}, "", "/v1/chat/completions", [2]string{"Authorization", ""}},
		"the server's own name":     {Spec{Name: "shown", Model: "m"}, "", "/v1/chat/completions", [2]string{}},
		"a seed where one is taken": {Spec{Name: "m", Seeded: true}, `, "seed": 4503599627370496`, "/v1/chat/completions", [2]string{}},
		"limit and reasoning": {Spec{Name: "m", MaxOutput: 900, Reasoning: "low"}, `, "max_completion_tokens": 900, "reasoning_effort": "low"`,
			"/v1/chat/completions", [2]string{}},
		"azure": {Spec{Name: "m", KeyEnv: testKeyEnv, APIVersion: "2024-10-21"}, "",
			"/v1/openai/deployments/m/chat/completions?api-version=2024-10-21", [2]string{"Api-Key", testKey}},
		"the old name of the limit": {Spec{Name: "m", MaxOutput: 900, MaxOutputField: "max_tokens", ParallelTools: new(false)},
			`, "max_tokens": 900, "parallel_tool_calls": false`, "/v1/chat/completions", [2]string{}},
		"members of one's own": {Spec{Name: "m", Seeded: true, Body: map[string]any{"top_p": 0.9, "seed": 7, "provider": map[string]any{"order": []string{"x"}}}},
			`, "top_p": 0.9, "seed": 7, "provider": {"order": ["x"]}`, "/v1/chat/completions", [2]string{}},
		"a temperature": {Spec{Name: "m", Body: map[string]any{"temperature": 0.25}}, `, "temperature": 0.25`, "/v1/chat/completions", [2]string{}},
		"headers with variables": {Spec{Name: "m", KeyEnv: testKeyEnv, Headers: map[string]string{"authorization": "Token ${" + testKeyEnv + "}!"}}, "",
			"/v1/chat/completions", [2]string{"Authorization", "Token " + testKey + "!"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, answered)
			c.spec.BaseURL = s.URL + "/v1/"
			if _, _, err := ask(t, c.spec, conversation); err != nil {
				t.Fatal(err)
			}
			want := fmt.Sprintf(`{"model": "m", "messages": %s, "tools": %s, "stream": false, "temperature": 1%s}`, messages, tools, c.more)
			got := s.asked()[0]
			if diff := cmp.Diff(decoded(t, want), decoded(t, got.body)); diff != "" {
				t.Error(diff)
			}
			if got.uri != c.url {
				t.Errorf("asked at %s, want %s", got.uri, c.url)
			}
			if value := got.header.Get(c.header[0]); value != c.header[1] {
				t.Errorf("%s is %q, want %q", c.header[0], value, c.header[1])
			}
		})
	}
}

func decoded(t *testing.T, text string) any {
	t.Helper()
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return value
}

func TestAnswersAreRead(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		body string
		want Response
	}{
		"tool calls without content, usage with details": {
			`{"choices": [{"message": {"role": "assistant", "content": null, "tool_calls":
				[{"id": "c1", "type": "function", "function": {"name": "finish", "arguments": "{not json"}}]}, "finish_reason": "tool_calls"}],
			"usage": {"prompt_tokens": 100, "completion_tokens": 20, "prompt_tokens_details": {"cached_tokens": 60},
				"completion_tokens_details": {"reasoning_tokens": 12}}}`,
			Response{Message: Message{Role: Assistant, ToolCalls: []ToolCall{{ID: "c1", Name: "finish", Arguments: "{not json"}}},
				FinishReason: "tool_calls", Usage: Usage{Prompt: 100, Cached: 60, Completion: 20, Reasoning: 12}},
		},
		"text, usage without details": {
			`{"choices": [{"message": {"role": "assistant", "content": "Hi"}, "finish_reason": "length"}], "usage": {"prompt_tokens": 3, "completion_tokens": 1}}`,
			Response{Message: Message{Role: Assistant, Content: "Hi"}, FinishReason: "length", Usage: Usage{Prompt: 3, Completion: 1}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, _, err := ask(t, Spec{Name: "m", BaseURL: serve(t, status(200, c.body)).URL}, hello)
			if err != nil {
				t.Fatal(err)
			}
			if got.Duration <= 0 {
				t.Error("no duration")
			}
			got.Duration = 0
			if diff := cmp.Diff(c.want, got, cmpopts.IgnoreUnexported(Message{})); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestFaultsThatMayPassAreRetried(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fault http.HandlerFunc
		kind  ErrorKind
	}{
		"429":                      {apiError(429, "slow down", "rate_limit_exceeded"), RateLimited},
		"500":                      {apiError(500, "oops", ""), ServerFault},
		"503 as a page":            {status(503, "<html>busy</html>"), ServerFault},
		"408":                      {status(408, ""), ServerFault},
		"connection reset":         {reset, Unreachable},
		"body cut off":             {cutOff, BadAnswer},
		"a page instead of JSON":   {status(200, "<html>Welcome to the proxy</html>"), BadAnswer},
		"an empty body":            {status(200, ""), BadAnswer},
		"an answer with no choice": {status(200, `{"choices": []}`), BadAnswer},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, c.fault, c.fault, answered)
			got, waits, err := ask(t, Spec{Name: "m", BaseURL: s.URL}, hello)
			if err != nil || got.Message.Content != "Done." || got.Retries != 2 || len(waits) != 2 {
				t.Errorf("%q after %d retries and %d waits, error %v", got.Message.Content, got.Retries, len(waits), err)
			}
			if asked := s.asked(); asked[0].body != asked[2].body {
				t.Errorf("asked %s, then %s", asked[0].body, asked[2].body)
			}

			s = serve(t, c.fault)
			_, _, err = ask(t, Spec{Name: "m", BaseURL: s.URL}, hello)
			expectError(t, err, c.kind, defaultAttempts-1)
			if len(s.asked()) != defaultAttempts {
				t.Errorf("asked %d times, want %d", len(s.asked()), defaultAttempts)
			}
		})
	}
}

func expectError(t *testing.T, err error, kind ErrorKind, retries int) *Error {
	t.Helper()
	var failure *Error
	if !errors.As(err, &failure) {
		t.Fatalf("error %v, want an *Error", err)
	}
	if failure.Kind != kind || failure.Retries != retries || failure.Model != "m" {
		t.Errorf("%v: kind %q after %d retries of %q, want %q after %d", err, failure.Kind, failure.Retries, failure.Model, kind, retries)
	}
	return failure
}

func TestRefusalsAreNotRetried(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		spec  Spec
		fault http.HandlerFunc
		kind  ErrorKind
		says  string
		asked int
	}{
		"400":                     {Spec{}, apiError(400, "unknown field", "invalid_request_error"), Refused, "unknown field", 1},
		"401":                     {Spec{}, apiError(401, "no such key", "invalid_api_key"), Denied, "no such key", 1},
		"404 without an error":    {Spec{}, status(404, `{"detail": "Not Found"}`), NotFound, "404 Not Found: {\"detail\"", 1},
		"quota spent":             {Spec{}, apiError(429, "You exceeded your current quota", "insufficient_quota"), Denied, "quota", 1},
		"OpenAI's length":         {Spec{}, apiError(400, "This model's maximum context length is 8192 tokens", "context_length_exceeded"), ContextLength, "8192", 1},
		"llama.cpp's length":      {Spec{}, apiError(400, "the request exceeds the available context size", ""), ContextLength, "size", 1},
		"llama.cpp's two lengths": {Spec{}, status(400, `{"error": {"code": 400, "message": "the request exceeds the available context size, try increasing it", "type": "exceed_context_size_error", "n_prompt_tokens": 12540, "n_ctx": 8192}}`), ContextLength, "12540 tokens > 8192", 1},
		"a length in plain text":  {Spec{}, status(413, "prompt is too long"), ContextLength, "413", 1},
		"a server that says what it was told": {Spec{KeyEnv: testKeyEnv}, func(w http.ResponseWriter, r *http.Request) {
			apiError(401, "bad header "+r.Header.Get("Authorization"), "")(w, r)
		}, Denied, "bad header Bearer (key)", 1},
		"a page that says what it was told": {Spec{KeyEnv: testKeyEnv}, func(w http.ResponseWriter, r *http.Request) {
			status(403, "<p>"+r.Header.Get("Authorization"))(w, r)
		}, Denied, "<p>Bearer (key)", 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, c.fault)
			c.spec.Name, c.spec.BaseURL = "m", s.URL
			_, waits, err := ask(t, c.spec, hello)
			text := expectError(t, err, c.kind, 0).Error()
			if len(s.asked()) != c.asked || len(waits) != 0 {
				t.Errorf("asked %d times with %d waits", len(s.asked()), len(waits))
			}
			if !strings.Contains(text, c.says) || strings.Contains(text, testKey) {
				t.Errorf("the error says %q, want %q in it and no key", text, c.says)
			}
		})
	}
}

func TestLongErrorPagesAreCut(t *testing.T) {
	t.Parallel()
	_, _, err := ask(t, Spec{Name: "m", BaseURL: serve(t, status(400, strings.Repeat("é", 50_000))).URL}, hello)
	if text := expectError(t, err, Refused, 0).Error(); len(text) > maxErrorText+100 || !strings.HasSuffix(text, "é…") {
		t.Errorf("%d bytes: …%q", len(text), text[len(text)-20:])
	}
}

func TestWaitsGrowAndHonourRetryAfter(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		after       string
		least, most []time.Duration
	}{
		"doubling, half of it chance": {"",
			[]time.Duration{250e6, 500e6, 1e9, 2e9, 4e9}, []time.Duration{500e6, 1e9, 2e9, 4e9, 8e9}},
		"seconds":             {"7", slices.Repeat([]time.Duration{7e9}, 5), []time.Duration{7e9, 7e9, 7e9, 7e9, 8e9}},
		"a date":              {time.Now().Add(90 * time.Second).UTC().Format(http.TimeFormat), slices.Repeat([]time.Duration{60e9}, 5), slices.Repeat([]time.Duration{90e9}, 5)},
		"too long is cut":     {"86400", slices.Repeat([]time.Duration{maxRetryAfter}, 5), slices.Repeat([]time.Duration{maxRetryAfter}, 5)},
		"nonsense is no wait": {"-5", []time.Duration{250e6}, []time.Duration{500e6, 1e9, 2e9, 4e9, 8e9}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, status(429, "", "Retry-After", c.after))
			_, waits, _ := ask(t, Spec{Name: "m", BaseURL: s.URL}, hello)
			if len(waits) != defaultAttempts-1 {
				t.Fatalf("waits %v", waits)
			}
			for i, wait := range waits {
				if i < len(c.least) && wait < c.least[i] || wait > c.most[i] {
					t.Errorf("wait %d is %v, want %v to %v", i, wait, c.least, c.most)
				}
			}
		})
	}
	if got := (&client{}).backoff(1_000_000); got < maxBackoff/2 || got > maxBackoff {
		t.Errorf("backoff is %v, want at most %v", got, maxBackoff)
	}
}

func TestCancellationIsTheContextsError(t *testing.T) {
	t.Parallel()
	for name, during := range map[string]struct{ wait, answer bool }{
		"while waiting":   {wait: true},
		"while answering": {answer: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			s := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if during.answer {
					cancel()
					<-r.Context().Done()
				}
				w.WriteHeader(500)
			})
			model, err := Open(Spec{Name: "m", BaseURL: s.URL}, nil)
			if err != nil {
				t.Fatal(err)
			}
			model.(*client).pause = func(ctx context.Context, _ time.Duration) error {
				if !during.wait {
					t.Error("waits to ask again")
				}
				cancel()
				return pause(ctx, time.Hour)
			}
			if _, err := model.Complete(ctx, hello); err != context.Canceled {
				t.Errorf("error %v, want %v itself", err, context.Canceled)
			}
			if len(s.asked()) != 1 {
				t.Errorf("asked %d times", len(s.asked()))
			}
		})
	}
	if err := pause(t.Context(), time.Nanosecond); err != nil {
		t.Errorf("a wait that ended: %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := pause(ended, time.Hour); err != context.Canceled {
		t.Errorf("a wait that was cancelled: %v", err)
	}
}

func TestAPlanNeedsNoKeyAndAsksNobody(t *testing.T) {
	t.Parallel()
	model, err := Plan(Spec{Name: "m", KeyEnv: "AGENTD_NOT_SET"})
	if err != nil || model.Name() != "m" {
		t.Fatalf("%v, %v", model, err)
	}
	var failure *Error
	if _, err := model.Complete(t.Context(), Request{}); !errors.As(err, &failure) || failure.Kind != NoKey {
		t.Errorf("asked all the same: %v", err)
	}
	if _, err := Plan(Spec{Name: "m", BaseURL: "127.0.0.1:8000/v1"}); err == nil || !strings.Contains(err.Error(), "base_url") {
		t.Errorf("an address without a scheme: %v", err)
	}
}

func TestWhatCannotBeOpenedSaysWhatToDo(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		spec Spec
		says string
	}{
		"OpenAI without a key":              {Spec{Name: "m"}, "set OPENAI_API_KEY"},
		"a variable that is not set":        {Spec{Name: "m", KeyEnv: "AGENTD_NOT_SET"}, "set AGENTD_NOT_SET"},
		"a variable that is not set, local": {Spec{Name: "m", KeyEnv: "AGENTD_NOT_SET", BaseURL: "http://127.0.0.1"}, "set AGENTD_NOT_SET"},
		"a base URL without a scheme":       {Spec{Name: "m", BaseURL: "127.0.0.1:8000/v1"}, "base_url"},
		"a base URL without a host":         {Spec{Name: "m", BaseURL: "http:///v1"}, "base_url"},
		"a base URL that is no web address": {Spec{Name: "m", BaseURL: "ftp://127.0.0.1/v1"}, "base_url"},
		"Azure without its resource":        {Spec{Name: "m", KeyEnv: testKeyEnv, APIVersion: "2024-10-21"}, "base_url"},
	} {
		if _, err := Open(c.spec, nil); err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "model m") {
			t.Errorf("%s: error %v, want %q in it", name, err, c.says)
		}
	}
	model, err := Open(Spec{Name: "m", KeyEnv: testKeyEnv}, nil)
	if err != nil || model.Name() != "m" {
		t.Errorf("with a key: %v, %v", model, err)
	}
}
