package models

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// A model's name, its effort and its server say which dialect is spoken, and where.
func TestTheDialectOfAModel(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		spec Spec
		want string // dialect, address, key variable
	}{
		"Anthropic's":                {Spec{Name: "claude-opus-4-6"}, "messages https://api.anthropic.com/v1/messages ANTHROPIC_API_KEY"},
		"Anthropic's, in chat":       {Spec{Name: "claude-opus-4-6", API: Chat}, "chat https://api.anthropic.com/v1/chat/completions ANTHROPIC_API_KEY"},
		"Google's":                   {Spec{Name: "gemini-3-pro-preview"}, "gemini https://generativelanguage.googleapis.com/v1beta/models/gemini-3-pro-preview:generateContent GEMINI_API_KEY"},
		"Google's, streamed":         {Spec{Name: "gemini-3-pro-preview", Stream: true}, "gemini https://generativelanguage.googleapis.com/v1beta/models/gemini-3-pro-preview:streamGenerateContent?alt=sse GEMINI_API_KEY"},
		"OpenAI's":                   {Spec{Name: "gpt-5.4"}, "chat https://api.openai.com/v1/chat/completions "},
		"OpenAI's with an effort":    {Spec{Name: "gpt-5.4", Reasoning: "high"}, "responses https://api.openai.com/v1/responses "},
		"OpenAI's that cannot":       {Spec{Name: "gpt-4.1"}, "chat https://api.openai.com/v1/chat/completions "},
		"on a server of one's own":   {Spec{Name: "claude-opus-4-6", BaseURL: "http://h/v1"}, "chat http://h/v1/chat/completions "},
		"likewise, with a dialect":   {Spec{Name: "any", BaseURL: "http://h/v1", API: Messages}, "messages http://h/v1/messages "},
		"on Azure":                   {Spec{Name: "m", BaseURL: "http://h", APIVersion: "v", API: Responses}, "responses http://h/openai/responses?api-version=v "},
		"unknown":                    {Spec{Name: "any"}, "chat https://api.openai.com/v1/chat/completions "},
		"unknown, in a dialect":      {Spec{Name: "any", API: Gemini}, "gemini https://generativelanguage.googleapis.com/v1beta/models/any:generateContent GEMINI_API_KEY"},
		"a served name among others": {Spec{Name: "mine", Model: "claude-haiku-4-5"}, "messages https://api.anthropic.com/v1/messages ANTHROPIC_API_KEY"},
	} {
		spec, profile, err := c.spec.resolve()
		if err != nil {
			t.Fatal(err)
		}
		address, _ := newDialect(spec, profile).endpoint("k", spec.Stream)
		if got := fmt.Sprint(spec.API, " ", address, " ", spec.KeyEnv); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// conversation is one with everything that a request can have, and a turn that no server
// of the dialect has sent.
var conversation = Request{
	Seed: 7,
	Messages: []Message{
		{Role: System, Content: "You edit."},
		{Role: User, Content: "Write <b>."},
		{Role: Assistant, Content: "I read.", ToolCalls: []ToolCall{{ID: "c1", Name: "read", Arguments: `{"path":"a"}`}, {ID: "c2", Name: "read", Arguments: `broken`}}},
		{Role: ToolRole, ToolCallID: "c1", Content: "A"},
		{Role: ToolRole, ToolCallID: "c2", Content: "Error"},
		{Role: Assistant},
		{Role: User, Content: "Go on."},
	},
	Tools: []Tool{{Name: "read", Description: "Reads.", Parameters: json.RawMessage(`{"type":"object"}`)}, {Name: "finish"}},
	Terms: Terms{MaxOutput: 900},
}

func copyOf(r Request) Request {
	r.Messages = append([]Message{}, r.Messages...)
	return r
}

func TestRequestsInEveryDialect(t *testing.T) {
	t.Parallel()
	const mark = `"cache_control": {"type": "ephemeral"}`
	for name, c := range map[string]struct {
		spec   Spec
		want   string
		header [2]string
	}{
		"messages": {Spec{API: Messages, Model: "claude-opus-4-6", Reasoning: "high", Body: map[string]any{"top_k": 5}}, `{"model": "claude-opus-4-6", "max_tokens": 900,
			"tools": [{"name": "read", "description": "Reads.", "input_schema": {"type": "object"}}, {"name": "finish", "input_schema": {"type": "object", "properties": {}}, ` + mark + `}],
			"system": [{"type": "text", "text": "You edit.", ` + mark + `}],
			"messages": [{"role": "user", "content": [{"type": "text", "text": "Write <b>."}]},
				{"role": "assistant", "content": [{"type": "text", "text": "I read."}, {"type": "tool_use", "id": "c1", "name": "read", "input": {"path": "a"}}, {"type": "tool_use", "id": "c2", "name": "read", "input": {"arguments": "broken"}}]},
				{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "A"}, {"type": "tool_result", "tool_use_id": "c2", "content": "Error"}, {"type": "text", "text": "Go on.", ` + mark + `}]}],
			"thinking": {"type": "adaptive"}, "output_config": {"effort": "high"}, "top_k": 5}`, [2]string{"X-Api-Key", testKey}},
		"messages with a budget": {Spec{API: Messages, Model: "claude-sonnet-4-5", Reasoning: "high", MaxOutput: 30000, ParallelTools: new(false)}, "", [2]string{"Anthropic-Version", "2023-06-01"}},
		"responses": {Spec{API: Responses, Model: "gpt-5.4", Reasoning: "high", Seeded: true}, `{"model": "gpt-5.4", "max_output_tokens": 900, "store": false, "stream": false,
			"include": ["reasoning.encrypted_content"], "reasoning": {"effort": "high", "summary": "auto"},
			"tools": [{"type": "function", "name": "read", "description": "Reads.", "parameters": {"type": "object"}, "strict": false}, {"type": "function", "name": "finish", "parameters": {"type": "object", "properties": {}}, "strict": false}],
			"input": [{"role": "system", "content": "You edit."}, {"role": "user", "content": "Write <b>."}, {"role": "assistant", "content": "I read."},
				{"type": "function_call", "call_id": "c1", "name": "read", "arguments": "{\"path\":\"a\"}"}, {"type": "function_call", "call_id": "c2", "name": "read", "arguments": "broken"},
				{"type": "function_call_output", "call_id": "c1", "output": "A"}, {"type": "function_call_output", "call_id": "c2", "output": "Error"}, {"role": "user", "content": "Go on."}]}`,
			[2]string{"Authorization", "Bearer " + testKey}},
		"gemini": {Spec{API: Gemini, Model: "gemini-3-pro-preview", Reasoning: "low", Seeded: true, Body: map[string]any{"generationConfig": map[string]any{"topP": 0.5, "temperature": nil}}}, `{
			"systemInstruction": {"parts": [{"text": "You edit."}]},
			"contents": [{"role": "user", "parts": [{"text": "Write <b>."}]},
				{"role": "model", "parts": [{"text": "I read."}, {"functionCall": {"id": "c1", "name": "read", "args": {"path": "a"}}, "thoughtSignature": "skip_thought_signature_validator"}, {"functionCall": {"id": "c2", "name": "read", "args": {"arguments": "broken"}}}]},
				{"role": "user", "parts": [{"functionResponse": {"id": "c1", "name": "read", "response": {"output": "A"}}}, {"functionResponse": {"id": "c2", "name": "read", "response": {"output": "Error"}}}]},
				{"role": "user", "parts": [{"text": "Go on."}]}],
			"tools": [{"functionDeclarations": [{"name": "read", "description": "Reads.", "parametersJsonSchema": {"type": "object"}}, {"name": "finish", "parametersJsonSchema": {"type": "object", "properties": {}}}]}],
			"generationConfig": {"maxOutputTokens": 900, "seed": 7, "topP": 0.5, "thinkingConfig": {"thinkingLevel": "low", "includeThoughts": true}}}`,
			[2]string{"X-Goog-Api-Key", testKey}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, answerOf(c.spec.API))
			c.spec.Name, c.spec.BaseURL, c.spec.KeyEnv = "m", s.URL, testKeyEnv
			if _, _, err := ask(t, c.spec, copyOf(conversation)); err != nil {
				t.Fatal(err)
			}
			got := s.asked()[0]
			if value := got.header.Get(c.header[0]); value != c.header[1] {
				t.Errorf("%s is %q, want %q", c.header[0], value, c.header[1])
			}
			if c.want == "" { // of this one only what is its own
				sent := decoded(t, got.body).(map[string]any)
				want := map[string]any{"thinking": map[string]any{"type": "enabled", "budget_tokens": 15000.0}, "tool_choice": map[string]any{"type": "auto", "disable_parallel_tool_use": true}, "stream": true}
				for member, value := range want {
					if diff := cmp.Diff(value, sent[member]); diff != "" {
						t.Errorf("%s: %s", member, diff)
					}
				}
				if sent["temperature"] != nil || sent["output_config"] != nil {
					t.Errorf("sent %s", got.body)
				}
				return
			}
			if diff := cmp.Diff(decoded(t, c.want), decoded(t, got.body)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// answerOf answers that it is done, in a dialect.
func answerOf(api API) http.HandlerFunc {
	return status(200, map[API]string{
		Chat:      `{"choices": [{"message": {"content": "Done."}, "finish_reason": "stop"}]}`,
		Messages:  `{"content": [{"type": "text", "text": "Done."}], "stop_reason": "end_turn"}`,
		Responses: `{"status": "completed", "output": [{"type": "message", "content": [{"type": "output_text", "text": "Done."}]}]}`,
		Gemini:    `{"candidates": [{"content": {"parts": [{"text": "Done."}]}, "finishReason": "STOP"}]}`,
	}[api])
}

// thinkingAnswers are answers with reasoning. What must come back is written in a way in
// which is never written as it was.
var thinkingAnswers = map[API]struct{ body, raw string }{
	Chat: {`{"choices": [{"message": {"reasoning_content": "Hm\u00e9\/.", "reasoning_details": [{"type":"reasoning.encrypted","data":"x\u003d"}], "content": "",
		"tool_calls": [{"id": "c1", "function": {"name": "f", "arguments": "{}"}, "extra_content": {"google":{"thought_signature":"s\/g="}}}]}, "finish_reason": "tool_calls"}],
		"usage": {"prompt_tokens": 100, "completion_tokens": 20, "prompt_tokens_details": {"cached_tokens": 60}, "completion_tokens_details": {"reasoning_tokens": 5}}}`, `"Hm\u00e9\/."`},
	Messages: {`{"content": [ {"type":"thinking", "thinking":"Hm\u00e9\/.", "signature":"s\/g="} , {"type":"redacted_thinking","data":"x\u003d"}, {"type":"tool_use", "id":"c1", "name":"f", "input":{}} ], "stop_reason": "tool_use",
		"usage": {"input_tokens": 10, "cache_read_input_tokens": 60, "cache_creation_input_tokens": 30, "output_tokens": 20}}`,
		`{"type":"thinking", "thinking":"Hm\u00e9\/.", "signature":"s\/g="} , {"type":"redacted_thinking","data":"x\u003d"}, {"type":"tool_use", "id":"c1", "name":"f", "input":{}}`},
	Responses: {`{"status": "completed", "output": [ {"type":"reasoning", "id":"rs", "summary":[{"type":"summary_text","text":"Hm\u00e9\/."}], "encrypted_content":"x\u003d"} , {"type":"function_call", "id":"fc", "call_id":"c1", "name":"f", "arguments":"{}"} ],
		"usage": {"input_tokens": 100, "output_tokens": 20, "input_tokens_details": {"cached_tokens": 60}, "output_tokens_details": {"reasoning_tokens": 5}}}`,
		`{"type":"reasoning", "id":"rs", "summary":[{"type":"summary_text","text":"Hm\u00e9\/."}], "encrypted_content":"x\u003d"} , {"type":"function_call", "id":"fc", "call_id":"c1", "name":"f", "arguments":"{}"}`},
	Gemini: {`{"candidates": [{"content": {"role": "model", "parts": [ {"text":"Hm\u00e9\/.", "thought":true} , {"functionCall":{"id":"c1","name":"f","args":{}}, "thoughtSignature":"s\/g="} ]}, "finishReason": "STOP"}, {"finishReason": "OTHER"}],
		"usageMetadata": {"promptTokenCount": 100, "cachedContentTokenCount": 60, "candidatesTokenCount": 15, "thoughtsTokenCount": 5}}`,
		`{"text":"Hm\u00e9\/.", "thought":true} , {"functionCall":{"id":"c1","name":"f","args":{}}, "thoughtSignature":"s\/g="}`},
}

// A turn goes back byte for byte, also after it went through a recording.
func TestATurnGoesBackAsItCame(t *testing.T) {
	t.Parallel()
	for api, c := range thinkingAnswers {
		t.Run(string(api), func(t *testing.T) {
			t.Parallel()
			s := serve(t, status(200, c.body))
			spec := Spec{Name: "m", API: api, BaseURL: s.URL}
			got, _, err := ask(t, spec, Request{Messages: []Message{{Role: User, Content: "Go."}}})
			if err != nil {
				t.Fatal(err)
			}
			want := Response{
				Message: Message{Role: Assistant, Reasoning: "Hmé/.", ToolCalls: []ToolCall{{ID: "c1", Name: "f", Arguments: "{}"}}}, FinishReason: "tool_calls",
				Usage: Usage{Prompt: 100, Cached: 60, Completion: 20, Reasoning: 5},
			}
			if api == Messages {
				want.Usage.CacheWrite, want.Usage.Reasoning = 30, 0
			}
			if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(Message{}), cmpopts.IgnoreFields(Message{}, "Replay"), cmpopts.IgnoreFields(Response{}, "Duration")); diff != "" {
				t.Error(diff)
			}
			raw, err := json.Marshal(got.Message.Replay)
			if err != nil {
				t.Fatal(err)
			}
			recorded := &Replay{}
			if err := json.Unmarshal(raw, recorded); err != nil {
				t.Fatal(err)
			}
			for what, replay := range map[string]*Replay{"at once": got.Message.Replay, "after a recording": recorded, "by another client": got.Message.Replay} {
				turn := got.Message
				turn.Replay = replay
				next := Request{Messages: []Message{{Role: User, Content: "Go."}, turn, {Role: ToolRole, ToolCallID: "c1", Content: "done"}}}
				if what == "by another client" {
					next.Messages[1] = Message{Role: Assistant, ToolCalls: turn.ToolCalls}
					next.Recall = func(string, []ToolCall) *Replay { return replay }
				}
				if _, _, err := ask(t, spec, next); err != nil {
					t.Fatal(err)
				}
				asked := s.asked()
				if body := asked[len(asked)-1].body; !strings.Contains(body, c.raw) {
					t.Errorf("%s: sent %s, want in it %s", what, body, c.raw)
				}
			}
		})
	}
}

// What a server of another dialect sent stays away.
func TestATurnOfAnotherDialectIsWrittenAnew(t *testing.T) {
	t.Parallel()
	for _, api := range APIs() {
		for other := range thinkingAnswers {
			if other == api {
				continue
			}
			s := serve(t, answerOf(api))
			turn := Message{Role: Assistant, Content: "I said.", Replay: &Replay{API: other, Raw: `[{"signature":"secret"}]`}}
			if _, _, err := ask(t, Spec{Name: "m", API: api, BaseURL: s.URL}, Request{Messages: []Message{{Role: User, Content: "Go."}, turn, {Role: User, Content: "On."}}}); err != nil {
				t.Fatal(err)
			}
			if body := s.asked()[0].body; strings.Contains(body, "secret") || !strings.Contains(body, "I said.") {
				t.Errorf("%s in %s: %s", other, api, body)
			}
		}
	}
}

// The texts with which makers refuse settings, each with the setting that is left out.
func TestRefusedSettingsAreLeftOut(t *testing.T) {
	t.Parallel()
	openai := func(message string) string { return fmt.Sprintf(`{"error": {"message": %q, "code": null}}`, message) }
	anthropic := func(message string) string {
		return fmt.Sprintf(`{"type": "error", "error": {"type": "invalid_request_error", "message": %q}}`, message)
	}
	google := func(message string) string {
		return fmt.Sprintf(`{"error": {"code": 400, "message": %q, "status": "INVALID_ARGUMENT"}}`, message)
	}
	for text, c := range map[string]struct {
		spec    Spec
		without string // the setting
		gone    string // what the second request does not have
	}{
		openai("Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported."): {Spec{API: Chat}, "temperature", `"temperature"`},
		openai("invalid temperature: only 1 is allowed for this model"):                                                         {Spec{API: Chat}, "temperature", `"temperature"`},
		openai("Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."):    {Spec{API: Chat, MaxOutput: 9}, "max_tokens", `"max_tokens"`},
		openai("Unrecognized request argument supplied: max_completion_tokens"):                                                 {Spec{API: Chat, MaxOutput: 9}, "max_completion_tokens", `"max_completion_tokens"`},
		openai("Unrecognized request argument supplied: seed"):                                                                  {Spec{API: Chat, Seeded: true}, "seed", `"seed"`},
		openai("Unsupported parameter: 'temperature' is not supported with this model."):                                        {Spec{API: Responses}, "temperature", `"temperature"`},
		openai("Encrypted content is not supported with this model."):                                                           {Spec{API: Responses, Reasoning: "low"}, "encrypted reasoning", `"include"`},
		openai("Your organization must be verified to generate reasoning summaries."):                                           {Spec{API: Responses, Reasoning: "low"}, "reasoning summary", `"summary"`},
		anthropic("`temperature` is deprecated for this model."):                                                                {Spec{API: Messages}, "temperature", `"temperature"`},
		google(`Invalid JSON payload received. Unknown name "seed" at 'generation_config': Cannot find field.`):                 {Spec{API: Gemini, Seeded: true}, "seed", `"seed"`},
		google("Unable to submit request because include_thoughts is not supported by this model."):                             {Spec{API: Gemini, Reasoning: "low"}, "reasoning summary", `"includeThoughts"`},
		`{"detail": [{"type": "extra_forbidden", "loc": ["body", "seed"], "msg": "Extra inputs are not permitted"}]}`:           {Spec{API: Chat, Seeded: true}, "seed", `"seed"`},
	} {
		t.Run(c.without+" in "+string(c.spec.API), func(t *testing.T) {
			t.Parallel()
			s := serve(t, status(400, text), answerOf(c.spec.API))
			c.spec.Name, c.spec.BaseURL = "m", s.URL
			got, waits, err := ask(t, c.spec, hello)
			if err != nil || len(waits) != 0 || strings.Join(got.Without, ",") != c.without {
				t.Fatalf("without %q after %d waits: %v", got.Without, len(waits), err)
			}
			asked := s.asked()
			if first, second := asked[0].body, asked[1].body; len(asked) != 2 || strings.Contains(second, c.gone) {
				t.Errorf("sent %s, then %s", first, second)
			}
		})
	}
}

// A setting that an experiment names is part of what it measures: it is not left out.
func TestChosenSettingsAreNotLeftOut(t *testing.T) {
	t.Parallel()
	const text = "`temperature` is deprecated for this model."
	for name, spec := range map[string]Spec{
		"a temperature":         {Temperature: new(0.3)},
		"one in the body":       {Body: map[string]any{"temperature": 0.3}},
		"a refusal that stays":  {},
		"a member of one's own": {Temperature: new(0.3), Body: map[string]any{"seed": 1}},
	} {
		s := serve(t, apiError(400, text, ""))
		spec.Name, spec.BaseURL = "m", s.URL
		_, _, err := ask(t, spec, hello)
		want := 1
		if name == "a refusal that stays" {
			want = 2
		}
		if len(s.asked()) != want || err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%s: asked %d times: %v", name, len(s.asked()), err)
		}
	}
}

func TestErrorsOfEveryMaker(t *testing.T) {
	t.Parallel()
	stream := func(events string) http.HandlerFunc { return status(200, events, "Content-Type", "text/event-stream") }
	for name, c := range map[string]struct {
		api    API
		answer http.HandlerFunc
		kind   ErrorKind
		wait   time.Duration // at least, before the second attempt
	}{
		"Google's delay is in the body": {Gemini, status(429, `{"error": {"code": 429, "message": "quota", "status": "RESOURCE_EXHAUSTED", "details": [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34.5s"}]}}`),
			RateLimited, 34500 * time.Millisecond},
		"Google's in a list":           {Gemini, status(503, `[{"error": {"code": 503, "message": "The model is overloaded.", "status": "UNAVAILABLE"}}]`), ServerFault, 0},
		"Anthropic is overloaded":      {Messages, status(529, `{"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}`, "Retry-After", "7"), ServerFault, 7 * time.Second},
		"Anthropic, inside a stream":   {Messages, stream("event: error\ndata: {\"type\": \"error\", \"error\": {\"type\": \"overloaded_error\", \"message\": \"Overloaded\"}}\n\n"), ServerFault, 0},
		"a stream that ends early":     {Messages, stream("data: {\"type\": \"message_start\", \"message\": {\"usage\": {}}}\n\n"), BadAnswer, 0},
		"OpenAI, inside a stream":      {Responses, stream("data: {\"type\": \"error\", \"code\": \"rate_limit_exceeded\", \"message\": \"slow\"}\n\n"), RateLimited, 0},
		"a response that failed":       {Responses, stream("data: {\"type\": \"response.failed\", \"response\": {\"error\": {\"code\": \"server_error\", \"message\": \"x\"}}}\n\n"), ServerFault, 0},
		"a response that is not done":  {Responses, status(200, `{"status": "in_progress", "output": []}`), BadAnswer, 0},
		"a chunk with an error":        {Chat, stream("data: {\"error\": {\"message\": \"busy\", \"code\": 503}}\n\n"), ServerFault, 0},
		"a chat's stream without end":  {Chat, stream("data: {\"choices\": [{\"delta\": {\"content\": \"a\"}}]}\n\ndata: [DONE]\n\n"), BadAnswer, 0},
		"Google's stream without end":  {Gemini, stream("data: {\"candidates\": [{\"content\": {\"parts\": [{\"text\": \"a\"}]}}]}\n\n"), BadAnswer, 0},
		"a prompt that Google blocks":  {Gemini, status(200, `{"promptFeedback": {"blockReason": "SAFETY"}}`), Filtered, 0},
		"a content that is no list":    {Messages, status(200, `{"content": "x", "stop_reason": "end_turn"}`), BadAnswer, 0},
		"a redirect":                   {Gemini, status(307, "", "Location", "http://elsewhere"), Redirected, 0},
		"tokens that cannot be":        {Messages, status(200, `{"content": [], "stop_reason": "end_turn", "usage": {"input_tokens": -5}}`), BadAnswer, 0},
		"more written than there is":   {Responses, status(200, `{"status": "completed", "output": [], "usage": {"input_tokens": 5, "input_tokens_details": {"cached_tokens": 3, "cache_write_tokens": 3}}}`), BadAnswer, 0},
		"a stream that is too long":    {Messages, stream(strings.Repeat("data: "+strings.Repeat("x", 4<<20)+"\n", 3)), BadAnswer, 0},
		"a block that comes too early": {Messages, stream("data: {\"type\": \"content_block_delta\", \"index\": 3, \"delta\": {\"text\": \"a\"}}\n\n"), BadAnswer, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, c.answer)
			_, waits, err := ask(t, Spec{Name: "m", API: c.api, BaseURL: s.URL, Attempts: 2}, hello)
			tries := 1
			if c.kind.retryable() {
				tries = 2
			}
			if c.kind == RateLimited {
				tries = defaultAttempts
			}
			expectError(t, err, c.kind, tries-1)
			if c.wait > 0 && waits[0] < c.wait {
				t.Errorf("it waited %v, want %v", waits[0], c.wait)
			}
		})
	}
}

// A key that a server repeats in what goes back to it is in no trace and no recording.
func TestKeysAreHiddenInReplays(t *testing.T) {
	t.Parallel()
	escaped := strings.ReplaceAll(testKey, "-", `\u002d`)
	for api, c := range thinkingAnswers {
		for _, key := range []string{testKey, escaped} {
			s := serve(t, status(200, strings.ReplaceAll(c.body, `x\u003d`, key)), status(200, strings.ReplaceAll(c.body, `s\/g=`, key)), status(200, strings.ReplaceAll(c.body, `Hm\u00e9\/.`, key)))
			for range 3 {
				got, _, err := ask(t, Spec{Name: "m", API: api, BaseURL: s.URL, KeyEnv: testKeyEnv}, Request{Messages: []Message{{Role: User, Content: "Go."}}})
				if err != nil {
					t.Fatal(err)
				}
				raw, err := json.Marshal(got)
				if err != nil {
					t.Fatal(err)
				}
				if said := string(raw); strings.Contains(said, testKey) || strings.Contains(said, escaped) || strings.Contains(said, `u002dtest`) {
					t.Errorf("%s: %s", api, said)
				}
			}
		}
	}
}

// A recording finds an answer by the bytes of a request, so a request that is written in another way, be it only with its
// members in another order, takes the recordings of earlier releases away.
func TestRequestsAreWrittenAsRecordingsKnowThem(t *testing.T) {
	t.Parallel()
	for api, want := range map[API]string{
		Chat:      "bbdfba53563ecfbbd2a725479e1a19b6788fc8a7f17c1686c0538c50bbb14ffb",
		Messages:  "fc9b8bb3f85c63040da2d6bf16b81b0cd40ffc613927277e7e55b35c20ba7a24",
		Responses: "4f39a484bc271017fe2c54413fc58a7457ba8fb710130cefd1247ddde8ea72f7",
		Gemini:    "d42219b05552659bf3dd856be4ce4eb164388fb895f32a414e40e1daa0df2d82",
	} {
		t.Run(string(api), func(t *testing.T) {
			t.Parallel()
			s := serve(t, answerOf(api))
			spec := Spec{Name: "m", API: api, BaseURL: s.URL, KeyEnv: testKeyEnv, Seeded: true}
			if _, _, err := ask(t, spec, copyOf(conversation)); err != nil {
				t.Fatal(err)
			}
			sum := sha256.Sum256([]byte(s.asked()[0].body))
			if got := hex.EncodeToString(sum[:]); got != want {
				t.Errorf("SHA-256 is %s, want %s: %s", got, want, s.asked()[0].body)
			}
		})
	}
}
