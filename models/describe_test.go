package models

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"agentd/models/wire"
)

// What the servers of various makers answer to a question for their models, shortened.
const (
	llamaModels = `{"models":[{"name":"m","model":"m","capabilities":["completion"]}],"object":"list","data":[{"id":"m","aliases":["m"],` +
		`"object":"model","created":1795917978,"owned_by":"llamacpp","meta":{"vocab_type":2,"n_ctx":16384,"n_ctx_train":8192}}]}`
	llamaProps = `{"default_generation_settings":{"params":{"temperature":0.8},"n_ctx":8192},"total_slots":2,"model_alias":"m",` +
		`"chat_template_caps":{"supports_tool_calls":false,"supports_tools":false,"supports_system_role":true}}`
	vllmModels   = `{"object":"list","data":[{"id":"other","max_model_len":1},{"id":"m","owned_by":"vllm","root":"m","max_model_len":32768}]}`
	routerModels = `{"data":[{"id":"m","name":"Some: M","context_length":1000000,"pricing":{"prompt":"0"}},{"id":"n","context_length":5}]}`
	studioModels = `{"data":[{"id":"m","max_context_length":131072,"loaded_context_length":4096}]}`
	geminiModel  = `{"name":"models/m","version":"1","inputTokenLimit":1048576,"outputTokenLimit":65536}`
	openaiModels = `{"object":"list","data":[{"id":"n","object":"model","owned_by":"system"}]}`
)

func TestDescribe(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		api   API
		pages map[string]string // by path
		want  Facts
	}{
		"llama.cpp, one context for each slot": {Chat, map[string]string{"/v1/models": llamaModels, "/props": llamaProps},
			Facts{Context: 8192, Slots: 2, NoTools: true, Served: []string{"m"}}},
		"llama.cpp without /props":           {Chat, map[string]string{"/v1/models": llamaModels}, Facts{Context: 16384, Served: []string{"m"}}},
		"vLLM":                               {Responses, map[string]string{"/v1/models": vllmModels}, Facts{Context: 32768, Served: []string{"other", "m"}}},
		"OpenRouter":                         {Chat, map[string]string{"/v1/models": routerModels}, Facts{Context: 1_000_000, Served: []string{"m", "n"}}},
		"LM Studio, as loaded":               {Chat, map[string]string{"/v1/models": studioModels}, Facts{Context: 4096, Served: []string{"m"}}},
		"Gemini":                             {Gemini, map[string]string{"/v1/models/m": geminiModel}, Facts{Context: 1_048_576, Served: []string{"m"}}},
		"a server that does not list it":     {Messages, map[string]string{"/v1/models": strings.ReplaceAll(vllmModels, `"m"`, `"l"`)}, Facts{Served: []string{"other", "l"}}},
		"OpenAI says nothing of the context": {Chat, map[string]string{"/v1/models": openaiModels}, Facts{Served: []string{"n"}}},
		"no list":                            {Chat, nil, Facts{}},
		"a page for people":                  {Chat, map[string]string{"/v1/models": "<!DOCTYPE html><p>Hello"}, Facts{}},
		"another form":                       {Chat, map[string]string{"/v1/models": `["m"]`}, Facts{}},
		"numbers that are none":              {Chat, map[string]string{"/v1/models": `{"data":[{"id":"m","max_model_len":"many"}]}`}, Facts{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				page, ok := test.pages[r.URL.Path]
				if r.Method != http.MethodGet || !ok {
					http.NotFound(w, r)
					return
				}
				w.Write([]byte(page))
			}))
			t.Cleanup(server.Close)
			got, err := Describe(t.Context(), Spec{Name: "m", API: test.api, BaseURL: server.URL + "/v1", RequestsPerMinute: 60})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestDescribeSaysWhatIsWrong(t *testing.T) {
	t.Setenv("DESCRIBE_TEST_KEY", "sk-wrong-1234")
	denying := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer sk-wrong-1234" {
			t.Errorf("Authorization %q", r.Header.Get("Authorization"))
		}
		w.WriteHeader(http.StatusUnauthorized)
		w.Write([]byte(`{"error":{"message":"Incorrect API key provided: sk-wrong-1234."}}`))
	}))
	t.Cleanup(denying.Close)
	gone, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := "http://" + gone.Addr().String() + "/v1"
	gone.Close()
	for name, test := range map[string]struct {
		spec Spec
		kind ErrorKind
	}{
		"a wrong key":                    {Spec{Name: "m", BaseURL: denying.URL, KeyEnv: "DESCRIBE_TEST_KEY"}, Denied},
		"no key":                         {Spec{Name: "m", BaseURL: denying.URL, KeyEnv: "DESCRIBE_TEST_NO_KEY"}, NoKey},
		"a port that nothing listens on": {Spec{Name: "m", BaseURL: address}, Unreachable},
	} {
		_, err := Describe(t.Context(), test.spec)
		var failure *Error
		if !errors.As(err, &failure) || failure.Kind != test.kind || strings.Contains(err.Error(), "sk-wrong") {
			t.Errorf("%s: error %v, want of kind %q, without the key", name, err, test.kind)
		}
	}
}

// The server of llama.cpp says how long a request is, and is busy while it loads a model.
func TestErrorsOfLlamaServer(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]struct {
		status int
		kind   ErrorKind
	}{
		`{"error":{"code":400,"message":"request (9031 tokens) exceeds the available context size (8192 tokens), try increasing it",` +
			`"type":"exceed_context_size_error","n_prompt_tokens":9031,"n_ctx":8192}}`: {400, ContextLength},
		`{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}`: {503, ServerFault},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(want.status)
			w.Write([]byte(body))
		}))
		t.Cleanup(server.Close)
		model, err := Open(Spec{Name: "m", BaseURL: server.URL, Attempts: 1}, nil)
		if err != nil {
			t.Fatal(err)
		}
		_, err = model.Complete(t.Context(), Request{Messages: []Message{{Role: User, Content: "x"}}})
		var failure *Error
		if !errors.As(err, &failure) || failure.Kind != want.kind {
			t.Errorf("%s: error %v, want of kind %q", body, err, want.kind)
			continue
		}
		if want.kind != ContextLength {
			continue
		}
		if asked, most, ok := wire.TokensSaid(failure.Err.Error()); asked != 9031 || most != 8192 || !ok {
			t.Errorf("tokens %d of %d, %v", asked, most, ok)
		}
	}
}

func TestOutputLimitsLeaveRoomForTheRequest(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ context, limit, request, want int }{
		"unknown context":          {0, 20_000, 300, 20_000},
		"more than the context":    {8192, 20_000, 300, 8092},
		"less than what is left":   {8192, 1_000, 300, 1_000},
		"a request of all of it":   {8192, 20_000, 100_000, 1_024},
		"the server's own limit":   {8192, 0, 300, 0},
		"a context of few tokens":  {4, 20_000, 300, 1},
		"a context of one hundred": {100, 20_000, 30, 90},
	} {
		got := Terms{MaxOutput: test.limit}.within(&Spec{Context: test.context}, test.request).MaxOutput
		if got != test.want {
			t.Errorf("%s: %d, want %d", name, got, test.want)
		}
	}
	request := Request{
		Messages: []Message{{Content: "12345"}, {ToolCalls: []ToolCall{{Name: "12", Arguments: "{}"}}}},
		Tools:    []Tool{{Name: "t", Description: "123", Parameters: []byte("{}")}},
	}
	if got := request.size(); got != 14 {
		t.Errorf("a request of %d bytes, want 14", got)
	}
}

// A run asks the server once more, because a server that was just started is not there at once.
func TestDescribeTriesAgain(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	listener.Close()
	c, err := newClient(Spec{Name: "m", BaseURL: "http://" + address})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.dial(); err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.Write([]byte("{}")) })}
	t.Cleanup(func() { server.Close() })
	c.pause = func(ctx context.Context, d time.Duration) error {
		again, err := net.Listen("tcp", address)
		if err == nil {
			go server.Serve(again)
		}
		return err
	}
	if body, err := c.get(t.Context(), "http://"+address+"/models"); string(body) != "{}" || err != nil {
		t.Errorf("%q, %v", body, err)
	}
}
