package exec

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"agentd/models"
	"agentd/models/sim"
	"agentd/results/record"
	"agentd/sandbox"
)

// streamRequests are requests for a stream in each dialect, and the routes that they take.
var streamRequests = map[models.API]struct{ path, body string }{
	models.Chat:      {"/v1/chat/completions", `{"model":"m","stream":true,"messages":[{"role":"user","content":"x"}]}`},
	models.Responses: {"/v1/responses", `{"model":"m","stream":true,"store":false,"input":"x"}`},
	models.Messages:  {"/v1/messages", `{"model":"m","stream":true,"max_tokens":9,"messages":[{"role":"user","content":"x"}]}`},
	models.Gemini:    {"/v1beta/models/m:streamGenerateContent?alt=sse", `{"contents":[{"parts":[{"text":"x"}]}]}`},
}

// complaints are what an error inside of a stream look like in each dialect.
var complaints = map[models.API]string{
	models.Chat: `data: {"error":{`, models.Responses: "event: error\n", models.Messages: "event: error\n", models.Gemini: `data: {"error":{`,
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

// command is a client of the proxy.
func (s desk) command(t *testing.T) *httptest.Server {
	t.Helper()
	web := httptest.NewServer(s.web)
	t.Cleanup(web.Close)
	return web
}

// begin asks for a stream and returns the answer as far as its header.
func begin(t *testing.T, web *httptest.Server, api models.API) *http.Response {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, web.URL+streamRequests[api].path, strings.NewReader(streamRequests[api].body))
	if err != nil {
		t.Fatal(err)
	}
	answer, err := web.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = answer.Body.Close() })
	return answer
}

// all is the rest of an answer.
func all(t *testing.T, answer io.Reader) string {
	t.Helper()
	raw, err := io.ReadAll(answer)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// gate lets a stream's events through until one that ends it, which waits.
type gate struct {
	http.ResponseWriter
	open chan struct{}
}

func (g gate) Write(p []byte) (int, error) {
	for _, end := range []string{"message_stop", "response.completed", "[DONE]", "finishReason"} {
		if strings.Contains(string(p), end) {
			<-g.open
		}
	}
	return g.ResponseWriter.Write(p)
}

func (g gate) Unwrap() http.ResponseWriter { return g.ResponseWriter }

// The client has what the model said so far while the server holds back the end, whatever
// dialects the two speak.
func TestStreamsStream(t *testing.T) {
	t.Parallel()
	for _, asks := range models.APIs() {
		for _, speaks := range models.APIs() {
			t.Run(fmt.Sprintf("%s to %s", asks, speaks), func(t *testing.T) {
				t.Parallel()
				open := make(chan struct{})
				stand := sim.Handler(nil, sim.Options{Pace: time.Nanosecond})
				s := newDesk(t, opened(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					stand.ServeHTTP(gate{w, open}, r)
				}), models.Spec{API: speaks}))
				answer := begin(t, s.command(t), asks)
				lines := bufio.NewReader(answer.Body)
				var before strings.Builder
				for !strings.Contains(before.String(), "I would rather") {
					line, err := lines.ReadString('\n')
					if err != nil {
						t.Fatalf("%v after %s", err, &before)
					}
					before.WriteString(line)
				}
				s.ledger.mu.Lock()
				if len(s.task.Trace.Turns) > 0 {
					t.Error("the answer is in the trace before its end")
				}
				s.ledger.mu.Unlock()
				close(open)
				after := all(t, lines)
				if answer.Header.Get("Content-Type") != "text/event-stream" || !strings.Contains(before.String()+after, "these documents.") {
					t.Errorf("%v: %s%s", answer.Header, &before, after)
				}
				turns := s.task.Trace.Turns
				if len(turns) != 1 || *turns[0].Text != "I would rather not change these documents." || turns[0].Usage.Completion == 0 || turns[0].Finish != "stop" {
					t.Errorf("the trace has %+v", turns)
				}
			})
		}
	}
}

// events are streams of each dialect, as servers write them.
var events = map[models.API][]string{
	models.Chat: {
		`data: {"choices":[{"index":0,"delta":{"role":"assistant","reasoning_content":"hm"}}]}`,
		`data: {"choices":[{"index":0,"delta":{"content":"yes"}}]}`,
		`data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"f","arguments":"{\"a\""},"extra_content":{"google":{"thought_signature":"s+/="}}}]}}]}`,
		`data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":":1}"}}]}}]}`,
		`data: {"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":9,"completion_tokens":2}}`,
		`data: [DONE]`,
	},
	models.Responses: {
		"event: response.created\n" + `data: {"type":"response.created","response":{"id":"resp_1"}}`,
		"event: response.output_text.delta\n" + `data: {"type":"response.output_text.delta","output_index":1,"delta":"yes"}`,
		"event: response.output_item.added\n" + `data: {"type":"response.output_item.added","output_index":2,"item":{"type":"function_call","call_id":"c","name":"f"}}`,
		"event: response.function_call_arguments.delta\n" + `data: {"type":"response.function_call_arguments.delta","output_index":2,"delta":"{\"a\":1}"}`,
		"event: response.completed\n" + `data: {"type":"response.completed","response":{"id":"resp_1","status":"completed","output":[{"type":"reasoning","id":"rs_1","encrypted_content":"e+/="},` +
			`{"type":"message","content":[{"type":"output_text","text":"yes"}]},{"type":"function_call","call_id":"c","name":"f","arguments":"{\"a\":1}"}],"usage":{"input_tokens":9,"output_tokens":2}}}`,
	},
	models.Messages: {
		"event: message_start\n" + `data: {"type":"message_start","message":{"id":"msg_1","usage":{"input_tokens":9,"output_tokens":1}}}`,
		"event: content_block_start\n" + `data: {"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}`,
		"event: content_block_delta\n" + `data: {"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"s+/="}}`,
		"event: content_block_start\n" + `data: {"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}`,
		"event: content_block_delta\n" + `data: {"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"yes"}}`,
		"event: content_block_start\n" + `data: {"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"c","name":"f","input":{}}}`,
		"event: content_block_delta\n" + `data: {"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\"a\":1}"}}`,
		"event: message_delta\n" + `data: {"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":2}}`,
		"event: message_stop\n" + `data: {"type":"message_stop"}`,
	},
	models.Gemini: {
		`data: {"candidates":[{"content":{"role":"model","parts":[{"text":"hm","thought":true}]}}]}`,
		`data: {"candidates":[{"content":{"role":"model","parts":[{"text":"yes"}]}}]}`,
		`data: {"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"id":"c","name":"f","args":{"a":1}},"thoughtSignature":"s+/="}]}}]}`,
		`data: {"candidates":[{"content":{"role":"model","parts":[{"text":""}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":9,"candidatesTokenCount":2}}`,
	},
}

// server of a model that answers every request with so many of a dialect's events, and
// then hangs up. It counts the requests and keeps the last.
type scripted struct {
	mu     sync.Mutex
	asked  int
	header http.Header
	body   string
	events []string
	cut    bool // hang up in the end
}

func (f *scripted) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	raw, _ := io.ReadAll(r.Body)
	f.mu.Lock()
	f.asked++
	f.header, f.body = r.Header, string(raw)
	f.mu.Unlock()
	w.Header().Set("Content-Type", "text/event-stream")
	for _, e := range f.events {
		fmt.Fprint(w, e, "\n\n")
		_ = http.NewResponseController(w).Flush()
	}
	if f.cut {
		panic(http.ErrAbortHandler)
	}
}

// A stream in the command's own dialect comes as the server wrote it, to the byte; in
// another it says and calls the same.
func TestStreamsSayWhatTheModelSaid(t *testing.T) {
	t.Parallel()
	for _, asks := range models.APIs() {
		for _, speaks := range models.APIs() {
			f := &scripted{events: events[speaks]}
			s := newDesk(t, opened(t, f, models.Spec{API: speaks}))
			got := all(t, begin(t, s.command(t), asks).Body)
			if want := strings.Join(events[speaks], "\n\n") + "\n\n"; asks == speaks && got != want {
				t.Errorf("%s: %s, want %s", asks, got, want)
			}
			compact := strings.NewReplacer(" ", "", `\`, "").Replace(got)
			for _, says := range []string{"yes", `"a":1}`, `"f"`, `"c"`} {
				if asks != speaks && !strings.Contains(compact, says) {
					t.Errorf("%s to %s: no %s in %s", asks, speaks, says, got)
				}
			}
			trace := s.task.Trace
			if len(trace.Turns) != 1 || *trace.Turns[0].Text != "yes" || trace.Turns[0].Finish != "tool_calls" || trace.Usage().Total() != 11 ||
				len(trace.Calls) != 1 || trace.Calls[0].Tool != "f" || *trace.Calls[0].Arguments != `{"a":1}` {
				t.Errorf("%s to %s: the trace has %+v", asks, speaks, trace)
			}
		}
	}
}

// A stream that breaks off is a fault of the service. What the command has seen cannot be
// made again; before that, it is.
func TestStreamsThatBreakOff(t *testing.T) {
	t.Parallel()
	for _, asks := range models.APIs() {
		for _, speaks := range models.APIs() {
			for _, sent := range []int{0, len(events[speaks]) - 2} {
				f := &scripted{events: events[speaks][:sent], cut: true}
				if speaks == models.Chat || speaks == models.Gemini {
					f.events = f.events[:min(sent, 3)] // their ends are several events
				}
				s := newDesk(t, opened(t, f, models.Spec{API: speaks, Attempts: 2}))
				answer := begin(t, s.command(t), asks)
				got := all(t, answer.Body)
				var fault *models.Error
				if !errors.As(s.failed, &fault) || fault.Waste.Unknown == 0 {
					t.Fatalf("%s to %s, %d events: %v", asks, speaks, sent, s.failed)
				}
				if sent == 0 && (f.asked != 2 || answer.StatusCode != http.StatusBadGateway) {
					t.Errorf("%s to %s: asked %d times, answered with %d", asks, speaks, f.asked, answer.StatusCode)
				}
				if sent > 0 && (f.asked != 1 || !strings.Contains(got, complaints[asks])) {
					t.Errorf("%s to %s: asked %d times; %s", asks, speaks, f.asked, got)
				}
				turns := s.task.Trace.Turns
				if len(turns) != 1 || turns[0].Answered() || s.judge(exited(0)) == nil {
					t.Errorf("%s to %s: the trace has %+v", asks, speaks, turns)
				}
			}
		}
	}
}

// endless is a server that never ends a stream: it sends an event again and again. Without
// a pause they are large, with a comment in each.
func endless(api models.API, pause time.Duration) http.Handler {
	again := map[models.API]int{models.Chat: 1, models.Responses: 1, models.Messages: 4, models.Gemini: 1}[api]
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		comment := ""
		if pause == 0 {
			comment = ":" + strings.Repeat("x", 100_000) + "\n"
		}
		for i := 0; ; i++ {
			if _, err := fmt.Fprint(w, comment, events[api][min(i, again)], "\n\n"); err != nil {
				return
			}
			if pause > 0 {
				_ = http.NewResponseController(w).Flush()
				select {
				case <-time.After(pause):
				case <-r.Context().Done():
					return
				}
			}
		}
	})
}

// A stream without an end is ended by the time of an attempt, or by its size.
func TestStreamsWithoutAnEnd(t *testing.T) {
	t.Parallel()
	for _, api := range models.APIs() {
		for says, c := range map[string]struct {
			pause   time.Duration
			timeout time.Duration
		}{"no answer within": {time.Millisecond, 300 * time.Millisecond}, "more than": {0, time.Minute}} {
			t.Run(fmt.Sprintf("%s, %s", api, says), func(t *testing.T) {
				t.Parallel()
				s := newDesk(t, opened(t, endless(api, c.pause), models.Spec{API: api, Timeout: c.timeout}))
				got := all(t, begin(t, s.command(t), api).Body)
				if s.failed == nil || !strings.Contains(s.failed.Error(), says) || !strings.Contains(got, complaints[api]) {
					t.Errorf("%v", s.failed)
				}
			})
		}
	}
}

// A command that goes away once it has seen an answer is charged for it all the same.
func TestAnAnswerThatIsNotAwaitedIsCounted(t *testing.T) {
	t.Parallel()
	open := make(chan struct{})
	stand := sim.Handler(nil, sim.Options{Pace: time.Nanosecond})
	s := newDesk(t, opened(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { stand.ServeHTTP(gate{w, open}, r) }), models.Spec{API: models.Messages}))
	web := s.command(t)
	answer := begin(t, web, models.Messages)
	if _, err := bufio.NewReader(answer.Body).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	web.CloseClientConnections()
	close(open)
	web.Close() // waits for the answer
	if turns := s.task.Trace.Turns; len(turns) != 1 || turns[0].Prompt+turns[0].Completion == 0 {
		t.Errorf("the trace has %+v", turns)
	}
}

// A call that the command makes before it has the whole answer is one call.
func TestACallBeforeTheEndOfAnAnswerIsOneCall(t *testing.T) {
	t.Parallel()
	open := make(chan struct{})
	list := events[models.Messages]
	made := strings.NewReplacer(`"name":"f"`, `"name":"mcp__agentd__view"`, `{\"a\":1}`, `{\"path\":\"a.txt\"}`)
	s := newDesk(t, opened(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, e := range list {
			_, _ = gate{w, open}.Write([]byte(made.Replace(e) + "\n\n"))
			_ = http.NewResponseController(w).Flush()
		}
	}), models.Spec{API: models.Messages}))
	answer := begin(t, s.command(t), models.Messages)
	lines := bufio.NewScanner(answer.Body)
	for lines.Scan() && !strings.Contains(lines.Text(), "partial_json") {
	}
	if _, said := s.callTool(t, calling("view", `{"path":"a.txt"}`)); !strings.Contains(said, "seed") {
		t.Fatal(said)
	}
	close(open)
	for lines.Scan() {
	}
	if calls := s.task.Trace.Calls; len(calls) != 1 || calls[0].Turn != 1 || calls[0].Tool != "view" {
		t.Errorf("the trace has %+v", calls)
	}
}

// A request in the dialect of the model's server goes on as it is written.
func TestRequestsGoOnVerbatim(t *testing.T) {
	t.Parallel()
	for api, c := range map[models.API]struct {
		given []string // members that stay, as they are written
		more  string   // members that do not, or not so
		want  map[string]string
	}{
		models.Messages: {[]string{
			`"system":[{"type":"text", "text":"be kind","cache_control":{"type":"ephemeral","ttl":"1h"}}]`,
			`"messages":[{"role":"user","content":"hello \u00e4"}, {"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"s+/="},{"type":"redacted_thinking","data":"r"},{"type":"tool_use","id":"1","name":"f","input":{ "a":1 }}]},` +
				`{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":"done","cache_control":{"type":"ephemeral"}}]}]`,
			`"tools":[{"name":"f","input_schema":{},"defer_loading":true},{"type":"bash_20250124","name":"bash"}]`,
			`"not_known_here":{"a":[1, 2]}`,
		}, `"temperature":0.3,"max_tokens":77,"thinking":{"type":"adaptive"},"output_config":{"effort":"low","format":{"type":"x"}},"service_tier":"auto","mcp_servers":[{"url":"http://10.0.0.1"}]`,
			map[string]string{"model": `"real"`, "temperature": "1", "max_tokens": "32000", "output_config": `{"format":{"type":"x"}}`, "stream": "true", "service_tier": "", "thinking": "", "mcp_servers": ""}},
		models.Responses: {[]string{
			`"input":[{"role":"user","content":"hello"},{"type":"reasoning","id":"rs_1","encrypted_content":"e+/=", "summary":[]},{"type":"function_call","call_id":"1","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"1","output":"done"},{"type":"not_known_here"}]`,
			`"include":["reasoning.encrypted_content"]`, `"prompt_cache_key":"k"`,
		}, `"store":false,"temperature":0.3,"max_output_tokens":77,"reasoning":{"effort":"low","summary":"auto"},"tools":[{"type":"custom","name":"p"}, {"type":"web_search"}]`,
			map[string]string{"model": `"real"`, "max_output_tokens": "", "reasoning": `{"summary":"auto"}`, "tools": `[{"type":"custom","name":"p"}]`, "store": "false"}},
		models.Gemini: {[]string{
			`"contents":[{"role":"user","parts":[{"text":"hello"}]},{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}, "thoughtSignature":"s+/="}]},{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"done"}}}]}]`,
			`"safetySettings":[{"a":1}]`,
		}, `"generationConfig":{"temperature":0.3,"topP":0.1,"maxOutputTokens":77,"responseMimeType":"text/plain","thinkingConfig":{"thinkingBudget":5,"includeThoughts":true}},"tools":[{"functionDeclarations":[]},{"googleSearch":{}}]`,
			map[string]string{"generationConfig": `{"responseMimeType":"text/plain","temperature":1,"thinkingConfig":{"includeThoughts":true}}`, "tools": `[{"functionDeclarations":[]}]`}},
		models.Chat: {[]string{
			`"messages":[{"role":"user","content":[{"type":"text", "text":"hello","cache_control":{"type":"ephemeral"}}]},{"role":"assistant","reasoning_content":"hm","tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":"{}"},"extra_content":{"s":"+/="}}]},{"role":"tool","tool_call_id":"1","content":"done"}]`,
			`"prompt_cache_key":"k"`,
		}, `"temperature":0.3,"max_tokens":77,"reasoning_effort":"low","models":["other"],"stream_options":{"include_obfuscation":false},"tools":[{"type":"function","function":{"name":"f"}}]`,
			map[string]string{"model": `"real"`, "temperature": "1", "max_tokens": "", "reasoning_effort": "", "models": "", "stream_options": `{"include_obfuscation":false,"include_usage":true}`, "seed": "7"}},
	} {
		f := &scripted{events: events[api]}
		s := newDesk(t, opened(t, f, models.Spec{API: api, Model: "real", Seeded: api == models.Chat}))
		s.policy.options.OwnSettings = false
		s.web = s.handler()
		s.task.Trace.Calls = []record.Call{{Tool: "f", Arguments: new(""), Answer: new("")}}
		s.asked = []asked{{id: "1", tool: "f"}}
		body := `{` + strings.Join(c.given, ",") + `,"stream":true,"model":"mine",` + c.more + `}`
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, streamRequests[api].path, strings.NewReader(body))
		r.Header.Set("Anthropic-Beta", "one")
		r.Header.Set("Authorization", "mine")
		w := httptest.NewRecorder()
		s.web.ServeHTTP(w, r)
		if w.Code != http.StatusOK {
			t.Errorf("%s: %d %s", api, w.Code, w.Body)
			continue
		}
		for _, member := range c.given {
			if !strings.Contains(f.body, member) {
				t.Errorf("%s: no %s in %s", api, member, f.body)
			}
		}
		sent := map[string]json.RawMessage{}
		if err := json.Unmarshal([]byte(f.body), &sent); err != nil {
			t.Fatal(err)
		}
		for name, want := range c.want {
			if got := string(sent[name]); got != want {
				t.Errorf("%s: %s is %s, want %s", api, name, got, want)
			}
		}
		if beta := f.header.Get("Anthropic-Beta"); (beta == "one") != (api == models.Messages) || f.header.Get("Authorization") != "" {
			t.Errorf("%s: the header %v", api, f.header)
		}
		if call := s.task.Trace.Calls[0]; !strings.Contains(*call.Answer, "done") || call.Out == 0 {
			t.Errorf("%s: the answer to the call is %+v", api, call)
		}
		if said := s.remarks.text(); api != models.Chat && !strings.Contains(said, "left out of its requests") {
			t.Errorf("%s: %q", api, said)
		}
	}
}

// With settings: agent, the command's hold where the model's say nothing.
func TestOwnSettingsGoOnVerbatim(t *testing.T) {
	t.Parallel()
	const given = `,"temperature":0.3,"max_tokens":77`
	f := &scripted{events: events[models.Messages]}
	for want, spec := range map[string]models.Spec{`"max_tokens":77`: {}, `"temperature":0.3`: {}, `"max_tokens":50`: {MaxOutput: 50}} {
		spec.API = models.Messages
		s := newDesk(t, opened(t, f, spec))
		if status, said := s.request(t, toMessages, `{"stream":true,"messages":[{"role":"user","content":"x"}]`+given+`}`); status != http.StatusOK || !strings.Contains(f.body, want) {
			t.Errorf("%d %s: %s, want %s", status, said, f.body, want)
		}
	}
}

// An answer that is not streamed comes as the server wrote it, too.
func TestAnswersComeVerbatim(t *testing.T) {
	t.Parallel()
	const answer = `{"id":"msg_1", "not_known_here":1,"content":[{"type":"thinking","thinking":"<hm>","signature":"s+/="},{"type":"text","text":"yes"}],"stop_reason":"end_turn","usage":{"input_tokens":9,"output_tokens":2}}`
	s := newDesk(t, opened(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, answer) }), models.Spec{API: models.Messages}))
	if _, got := s.request(t, toMessages, `{"messages":[{"role":"user","content":"x"}]}`); got != answer {
		t.Error(got)
	}
	if turns := s.task.Trace.Turns; len(turns) != 1 || *turns[0].Text != "yes" || *turns[0].Thought != "<hm>" {
		t.Errorf("the trace has %+v", turns)
	}
}

// The usage at the end of a stream of chat completions is for who asked for it.
func TestUsageGoesToWhoAskedForIt(t *testing.T) {
	t.Parallel()
	const usage = `data: {"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":2}}`
	for asked, there := range map[string]bool{``: false, `,"stream_options":{"include_usage":true}`: true} {
		f := &scripted{events: []string{events[models.Chat][1], `data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`, usage, `data: [DONE]`}}
		s := newDesk(t, opened(t, f, models.Spec{API: models.Chat}))
		_, got := s.request(t, toChat, `{"stream":true,"messages":[{"role":"user","content":"x"}]`+asked+`}`)
		if strings.Contains(got, usage) != there || !strings.HasSuffix(got, "data: [DONE]\n\n") || s.task.Trace.Usage().Total() != 11 {
			t.Errorf("%q: %s", asked, got)
		}
	}
}

// exited is the result of a command that ended.
func exited(status int) sandbox.Result { return sandbox.Result{ExitCode: status} }
