package gateway

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/models"
	"agentd/models/wire"
	"agentd/models/wire/chat"
)

// ask sends a request to any route and returns the status and the answer as it came.
func (d *desk) request(t *testing.T, route, body string) (int, string) {
	t.Helper()
	method, path, _ := strings.Cut(route, " ")
	w := httptest.NewRecorder()
	d.mux.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body)))
	return w.Code, w.Body.String()
}

// Routes of the dialects.
const (
	toMessages = "POST /v1/messages?beta=true"
	toGemini   = "POST /v1beta/models/m:generateContent"
	toStream   = "POST /v1beta/models/m:streamGenerateContent?alt=sse"
	toChat     = "POST /v1/chat/completions"
	toResponse = "POST /v1/responses"
)

// chatOf is the chat completion that a request became.
func chatOf(t *testing.T, m *model) map[string]any {
	t.Helper()
	if len(m.asked) != 1 {
		t.Fatalf("the model was asked %d times", len(m.asked))
	}
	asked := m.asked[0]
	raw, err := chat.Codec{}.Encode(&wire.Request{Messages: asked.Messages, Tools: asked.Tools, Settings: asked.Settings})
	if err != nil {
		t.Fatal(err)
	}
	all := value(t, string(raw))
	for _, name := range []string{"model", "stream"} {
		delete(all, name)
	}
	return all
}

func TestEveryDialectIsAChatCompletion(t *testing.T) {
	t.Parallel()
	const function = `{"type":"function","function":{"name":"f","description":"d","parameters":{"type":"object"}}}`
	const conversation = `"messages":[{"role":"system","content":"be kind"},{"role":"user","content":"hello"},
		{"role":"assistant","content":"yes","tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":"{\"a\":1}"}}]},
		{"role":"tool","tool_call_id":"1","content":"done"}]`
	const picture = `"messages":[{"role":"user","content":[{"type":"text","text":"see"},{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}}]}]`
	for name, c := range map[string]struct{ route, given, want string }{
		"Messages: a conversation": {toMessages, `{"model":"m","max_tokens":9,"stream":false,"metadata":{},"system":[{"type":"text","text":"be kind","cache_control":{"type":"ephemeral"}}],
			"messages":[{"role":"user","content":"hello"},
				{"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"s"},{"type":"text","text":"yes"},{"type":"tool_use","id":"1","name":"f","input":{"a":1}}]},
				{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":[{"type":"text","text":"done"}]}]}],
			"tools":[{"name":"f","description":"d","input_schema":{"type":"object"}},{"name":"late","defer_loading":true,"input_schema":{}},{"type":"web_search_20250305","name":"web_search"}],
			"tool_choice":{"type":"any","disable_parallel_tool_use":true}}`,
			`{` + conversation + `,"max_completion_tokens":9,"tools":[` + function + `],"tool_choice":"required","parallel_tool_calls":false}`},
		"Messages: texts of the system's in the middle, and a result before a text": {toMessages, `{"messages":[
				{"role":"user","content":"hello"},{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"f","input":{}}]},
				{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":"done","is_error":true},{"type":"text","text":"go on"}]},
				{"role":"system","content":"be quick"}],"temperature":0,"output_config":{"effort":"low"}}`,
			`{"messages":[{"role":"user","content":"hello"},{"role":"assistant","tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":"{}"}}]},
				{"role":"tool","tool_call_id":"1","content":"done"},{"role":"user","content":"go on"},{"role":"system","content":"be quick"}],"temperature":0,"reasoning_effort":"low"}`},
		"Messages: a picture": {toMessages, `{"messages":[{"role":"user","content":[{"type":"text","text":"see"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}}]}]}`,
			`{` + picture + `}`},
		"generateContent: a conversation": {toGemini, `{"systemInstruction":{"parts":[{"text":"be kind"}]},
			"contents":[{"role":"user","parts":[{"text":"hello"}]},
				{"role":"model","parts":[{"text":"hm","thought":true},{"text":"yes","thoughtSignature":"s"},{"functionCall":{"id":"1","name":"f","args":{"a":1}}}]},
				{"role":"user","parts":[{"functionResponse":{"id":"1","name":"f","response":{"output":"done"}}}]}],
			"tools":[{"functionDeclarations":[{"name":"f","description":"d","parameters":{"type":"OBJECT"}}]},{"googleSearch":{}}],
			"toolConfig":{"functionCallingConfig":{"mode":"ANY"}},"generationConfig":{"maxOutputTokens":9,"topP":0.5}}`,
			`{` + conversation + `,"max_completion_tokens":9,"top_p":0.5,"tools":[` + function + `],"tool_choice":"required"}`},
		"generateContent: calls without ids": {toGemini, `{"contents":[
				{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}},{"functionCall":{"name":"g"}}]},
				{"role":"user","parts":[{"functionResponse":{"name":"g","response":{"n":1}}},{"functionResponse":{"name":"f","response":{"error":"no"}}}]}],
			"generationConfig":{"responseMimeType":"application/json","responseJsonSchema":{"type":"object"}}}`,
			`{"messages":[{"role":"assistant","tool_calls":[{"id":"call_1","type":"function","function":{"name":"f","arguments":"{}"}},{"id":"call_2","type":"function","function":{"name":"g","arguments":"{}"}}]},
				{"role":"tool","tool_call_id":"call_2","content":"{\"n\":1}"},{"role":"tool","tool_call_id":"call_1","content":"no"}],
			"response_format":{"type":"json_schema","json_schema":{"name":"answer","schema":{"type":"object"}}}}`},
		"generateContent: a picture": {toGemini, `{"contents":[{"parts":[{"text":"see"},{"inlineData":{"mimeType":"image/png","data":"AAAA"}}]}]}`, `{` + picture + `}`},
		"Responses: tools of all kinds": {toResponse, `{"input":[{"role":"user","content":"hello"},{"type":"web_search_call","id":"w"},
				{"type":"function_call","namespace":"files","call_id":"1","name":"read","arguments":"{}"},{"type":"function_call_output","call_id":"1","output":"text"},
				{"type":"custom_tool_call","call_id":"2","name":"patch","input":"a\"b"},{"type":"custom_tool_call_output","call_id":"2","output":"done"}],
			"tools":[{"type":"namespace","name":"files","description":"x","tools":[{"type":"function","name":"read","parameters":{}}]},
				{"type":"web_search"},{"type":"tool_search"},{"type":"custom","name":"patch","description":"p","format":{"type":"grammar"}}],
			"tool_choice":{"type":"function","namespace":"files","name":"read"}}`,
			`{"messages":[{"role":"user","content":"hello"},{"role":"assistant","tool_calls":[{"id":"1","type":"function","function":{"name":"files__read","arguments":"{}"}}]},
				{"role":"tool","tool_call_id":"1","content":"text"},{"role":"assistant","tool_calls":[{"id":"2","type":"function","function":{"name":"patch","arguments":"{\"input\":\"a\\\"b\"}"}}]},
				{"role":"tool","tool_call_id":"2","content":"done"}],
			"tools":[{"type":"function","function":{"name":"files__read","parameters":{}}},{"type":"function","function":{"name":"patch","description":"p","parameters":{"type":"object","properties":{"input":{"type":"string"}},"required":["input"],"additionalProperties":false}}}],
			"tool_choice":{"type":"function","function":{"name":"files__read"}}}`},
	} {
		m := &model{}
		s := newDesk(t, m)
		if status, got := s.request(t, c.route, c.given); status != http.StatusOK {
			t.Errorf("%s: %d %s", name, status, got)
			continue
		}
		if diff := cmp.Diff(value(t, c.want), chatOf(t, m)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// What an answer is in each dialect, of a text and a call.
func TestAnAnswerInEveryDialect(t *testing.T) {
	t.Parallel()
	const messages, contents = `{"model":"m","messages":[{"role":"user","content":"x"}]`, `{"contents":[{"parts":[{"text":"x"}]}]}`
	for name, c := range map[string]struct{ route, given, says string }{
		"Messages": {toMessages, messages + `}`,
			`"content":[{"text":"yes","type":"text"},{"id":"1","input":{"q":"y"},"name":"f","type":"tool_use"}],"id":"msg_`},
		"Messages: usage": {toMessages, messages + `}`,
			`"usage":{"cache_creation_input_tokens":0,"cache_read_input_tokens":400,"input_tokens":500,"output_tokens":100}`},
		"Messages: the reason": {toMessages, messages + `}`, `"stop_reason":"tool_use"`},
		"Messages: streamed":   {toMessages, messages + `,"stream":true}`, `"delta":{"partial_json":"{\"q\":\"y\"}","type":"input_json_delta"}`},
		"generateContent": {toGemini, contents,
			`"content":{"role":"model","parts":[{"text":"yes"},{"functionCall":{"id":"1","name":"f","args":{"q":"y"}}}]},"finishReason":"STOP"`},
		"generateContent: usage":    {toGemini, contents, `"promptTokenCount":900,"cachedContentTokenCount":400,"candidatesTokenCount":90,"thoughtsTokenCount":10,"totalTokenCount":1000`},
		"generateContent: streamed": {toStream, contents, `data: {"candidates":`},
		"Responses: of a namespace": {toResponse, `{"input":"x","tools":[{"type":"namespace","name":"f","tools":[{"type":"function","name":"f"}]}]}`, `"name":"f","status":`},
	} {
		m := &model{answer: models.Message{Content: "yes", ToolCalls: []models.ToolCall{{ID: "1", Name: "f", Arguments: `{"q":"y"}`}}}}
		if status, got := newDesk(t, m).request(t, c.route, c.given); status != http.StatusOK || !strings.Contains(got, c.says) {
			t.Errorf("%s: %d %s; want …%s…", name, status, got, c.says)
		}
	}
}

func TestCallsOfNamespacesAndCustomToolsGoBackAsTheyWereOffered(t *testing.T) {
	t.Parallel()
	const offered = `"tools":[{"type":"namespace","name":"files","tools":[{"type":"function","name":"read"}]},{"type":"custom","name":"patch"}]`
	m := &model{answer: models.Message{ToolCalls: []models.ToolCall{
		{ID: "1", Name: "files__read", Arguments: `{"path":"a"}`}, {ID: "2", Name: "patch", Arguments: `{"input":"text"}`}, {ID: "3", Name: "patch", Arguments: `text`},
	}}}
	for _, stream := range []string{"false", "true"} {
		_, got := newDesk(t, m).request(t, toResponse, `{"input":"x","stream":`+stream+`,`+offered+`}`)
		for _, says := range []string{
			`"arguments":"{\"path\":\"a\"}","call_id":"1"`, `"name":"read","namespace":"files"`,
			`"call_id":"2"`, `"input":"text","name":"patch","status":"completed","type":"custom_tool_call"`, `"call_id":"3"`,
		} {
			if !strings.Contains(got, says) {
				t.Errorf("streamed %s: %s; want …%s…", stream, got, says)
			}
		}
	}
}

func TestRequestsThatNoDialectCanUnderstand(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ route, given, says string }{
		"Messages: none":                     {toMessages, `{}`, "the request has no messages"},
		"Messages: a role":                   {toMessages, `{"messages":[{"role":"judge","content":"x"}]}`, `messages[0].role: \"judge\" is not`},
		"Messages: no content":               {toMessages, `{"messages":[{"role":"user"}]}`, "messages[0].content: there is none"},
		"Messages: a call without a name":    {toMessages, `{"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"1"}]}]}`, "content[0]: the call has no id, or no name"},
		"Messages: a result of nothing":      {toMessages, `{"messages":[{"role":"user","content":[{"type":"tool_result"}]}]}`, "the result has no tool_use_id"},
		"Messages: a picture without data":   {toMessages, `{"messages":[{"role":"user","content":[{"type":"image","source":{}}]}]}`, "the picture has no data"},
		"Messages: a private address":        {toMessages, `{"messages":[{"role":"user","content":[{"type":"image","source":{"type":"url","url":"http://10.0.0.1/x"}}]}]}`, "an address must be a data: URL"},
		"Messages: a choice":                 {toMessages, `{"messages":[{"role":"user","content":"x"}],"tools":[{"name":"f"}],"tool_choice":{"type":"maybe"}}`, "tool_choice.type"},
		"Messages: a tool without a name":    {toMessages, `{"messages":[{"role":"user","content":"x"}],"tools":[{}]}`, "tools[0]: the function has no name"},
		"generateContent: none":              {toGemini, `{}`, "the request has no messages"},
		"generateContent: no parts":          {toGemini, `{"contents":[{}]}`, "contents[0].parts is of the wrong type"},
		"generateContent: a nameless call":   {toGemini, `{"contents":[{"parts":[{"functionCall":{}}]}]}`, "the call has no name"},
		"generateContent: an answer to none": {toGemini, `{"contents":[{"parts":[{"functionResponse":{"name":"f"}}]}]}`, `there is no call of \"f\" before it`},
		"generateContent: a quoting type":    {toGemini, `{"contents":[{"parts":[{"inlineData":{"mimeType":"image/\"x","data":"AAAA"}}]}]}`, "is no type"},
	} {
		m := &model{}
		s := newDesk(t, m)
		if status, got := s.request(t, c.route, c.given); status != http.StatusBadRequest || !strings.Contains(got, c.says) {
			t.Errorf("%s: %d %s; want …%s…", name, status, got, c.says)
		}
		if len(m.asked) > 0 || s.turns > 0 {
			t.Errorf("%s: the model was asked, or a turn counted", name)
		}
	}
}

func TestTheExperimentsSettingsHold(t *testing.T) {
	t.Parallel()
	for _, own := range []bool{false, true} {
		for route, given := range map[string]string{
			toChat:     `{"messages":[{"role":"user","content":"x"}],"temperature":0.5,"max_tokens":9,"reasoning_effort":"low"}`,
			toResponse: `{"input":"x","temperature":0.5,"max_output_tokens":9,"reasoning":{"effort":"low"}}`,
			toMessages: `{"messages":[{"role":"user","content":"x"}],"temperature":0.5,"max_tokens":9,"output_config":{"effort":"low"}}`,
			toGemini:   `{"contents":[{"parts":[{"text":"x"}]}],"generationConfig":{"temperature":0.5,"maxOutputTokens":9,"topP":1}}`,
		} {
			m := &model{}
			s := newDesk(t, m)
			s.options.OwnSettings = own
			s.request(t, route, given)
			if got := chatOf(t, m); (len(got) == 1) == own {
				t.Errorf("%s, the command's settings %v: %v", route, own, got)
			}
		}
	}
}

func TestTokensAreCountedWithoutTheModel(t *testing.T) {
	t.Parallel()
	for route, says := range map[string]string{
		"POST /v1/messages/count_tokens":    `{"input_tokens":10}`,
		"POST /v1beta/models/m:countTokens": `{"totalTokens":10}`,
	} {
		m := &model{}
		s := newDesk(t, m)
		if status, got := s.request(t, route, strings.Repeat(" ", 38)+"{}"); status != http.StatusOK || strings.TrimSpace(got) != says || s.turns+len(m.asked) > 0 {
			t.Errorf("%s: %d %s", route, status, got)
		}
	}
}
