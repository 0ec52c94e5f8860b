package sim

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	geminiwire "agentd/models/wire/gemini"
)

// toolEditor knows one job, so that stand-ins call tools.
type toolEditor struct{}

func (toolEditor) Find(string, []string, []string) (Job, bool) {
	return Job{
		IsDocument: func(name string) bool { return name == "a.txt" },
		Do: func(files map[string]string, _ Damage) map[string]string {
			return map[string]string{"b.txt": files["a.txt"]}
		},
	}, true
}

// post posts a request and returns the status and the answer.
func post(t *testing.T, server *httptest.Server, path, body string) (int, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Anthropic-Version", "2023-06-01")
	answer, err := server.Client().Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	raw, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(raw)
}

// turnsIn is how a dialect asks for a turn with a call, where the answer has the turn, and
// how the conversation goes on.
var turnsIn = map[string]struct {
	path, ask string
	turn      func(answer map[string]json.RawMessage) json.RawMessage
	// next begins with the turn's place, TURN, and with ID in place of the call's.
	next string
}{
	"chat": {"/v1/chat/completions", `{"model": "perfect", "reasoning_effort": "high", "tools": [{"type": "function", "function": {"name": "read_file"}}],
		"messages": [{"role": "user", "content": "Go.\n\nFiles:\n- a.txt\n"}`,
		func(a map[string]json.RawMessage) json.RawMessage {
			var choices []struct{ Message json.RawMessage }
			_ = json.Unmarshal(a["choices"], &choices)
			return choices[0].Message
		}, `, TURN, {"role": "tool", "tool_call_id": "ID", "content": "A"}`},
	"messages": {"/v1/messages", `{"model": "perfect", "max_tokens": 9000, "thinking": {"type": "adaptive"}, "tools": [{"name": "read_file", "input_schema": {}}],
		"messages": [{"role": "user", "content": "Go.\n\nFiles:\n- a.txt\n"}`,
		func(a map[string]json.RawMessage) json.RawMessage { return a["content"] },
		`, {"role": "assistant", "content": TURN}, {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "ID", "content": "A"}]}`},
	"responses": {"/v1/responses", `{"model": "perfect", "reasoning": {"effort": "high", "summary": "auto"}, "include": ["reasoning.encrypted_content"], "tools": [{"type": "function", "name": "read_file"}],
		"input": [{"role": "user", "content": "Go.\n\nFiles:\n- a.txt\n"}`,
		func(a map[string]json.RawMessage) json.RawMessage {
			return json.RawMessage(strings.Trim(string(a["output"]), "[]"))
		}, `, TURN, {"type": "function_call_output", "call_id": "ID", "output": "A"}`},
	"gemini": {"/v1beta/models/sim:perfect:generateContent", `{"tools": [{"functionDeclarations": [{"name": "read_file"}]}], "generationConfig": {"thinkingConfig": {"includeThoughts": true}},
		"contents": [{"role": "user", "parts": [{"text": "Go.\n\nFiles:\n- a.txt\n"}]}`,
		func(a map[string]json.RawMessage) json.RawMessage {
			var candidates []struct{ Content json.RawMessage }
			_ = json.Unmarshal(a["candidates"], &candidates)
			return candidates[0].Content
		}, `, TURN, {"role": "user", "parts": [{"functionResponse": {"name": "read_file", "response": {"output": "A"}}}]}`},
}

// A turn must come back as it was sent: each way in which clients are known to get that
// wrong is refused, in the words of the maker's server.
func TestTurnsThatDoNotComeBackAsTheyWereSent(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(Handler(toolEditor{}, Options{}))
	t.Cleanup(server.Close)
	callID := regexp.MustCompile(`call_[0-9a-f]{16}`)
	for name, c := range map[string]struct {
		dialect string
		alter   func(turn string) string
		says    string // "" if it is taken
	}{
		"chat":                             {"chat", nil, ""},
		"chat without reasoning":           {"chat", replaced(`"reasoning_content"`, `"nothing"`), "reasoning_content is missing"},
		"chat with other reasoning":        {"chat", replaced(`Of the tools`, `Of all tools`), "is not what the model wrote"},
		"messages":                         {"messages", nil, ""},
		"messages without thinking":        {"messages", func(turn string) string { return "[" + turn[strings.Index(turn, `{"id"`):] }, "Expected `thinking`"},
		"messages with other thinking":     {"messages", replaced(`Of the tools`, `Of all tools`), "Invalid `signature`"},
		"messages with an altered call":    {"messages", replaced(`a.txt`, `b.txt`), "Invalid `signature`"},
		"messages with an altered key":     {"messages", replaced(`"signature":"`, `"signature":"x`), "Invalid `signature`"},
		"messages out of order":            {"messages", swapped, "must come first"},
		"messages with an empty text":      {"messages", replaced(`[{"signature"`, `[{"type": "text", "text": ""}, {"signature"`), "must be non-empty"},
		"responses":                        {"responses", nil, ""},
		"responses without reasoning":      {"responses", func(turn string) string { return turn[strings.Index(turn, `{"arguments"`):] }, "without its required 'reasoning' item"},
		"responses with altered reasoning": {"responses", replaced(`"encrypted_content":"`, `"encrypted_content":"x`), "could not be verified"},
		"responses without what it holds":  {"responses", replaced(`"encrypted_content"`, `"nothing"`), "Items are not persisted"},
		"gemini":                           {"gemini", nil, ""},
		"gemini without a signature":       {"gemini", replaced(`"thoughtSignature"`, `"nothing"`), "missing a thought_signature"},
		"gemini with an altered signature": {"gemini", replaced(`"thoughtSignature":"`, `"thoughtSignature":"x`), "signature is not valid"},
		"gemini with a stand-in for one":   {"gemini", func(turn string) string { return signatureOf(turn, geminiwire.Unsigned) }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := turnsIn[c.dialect]
			status, first := post(t, server, d.path, d.ask+"]}")
			var answer map[string]json.RawMessage
			if err := json.Unmarshal([]byte(first), &answer); err != nil || status != http.StatusOK {
				t.Fatalf("%d %s %v", status, first, err)
			}
			turn := string(d.turn(answer))
			id := callID.FindString(first)
			if c.alter != nil {
				altered := c.alter(turn)
				if altered == turn {
					t.Fatalf("nothing was altered: %s", turn)
				}
				turn = altered
			}
			status, next := post(t, server, d.path, d.ask+strings.NewReplacer("TURN", turn, "ID", id).Replace(d.next)+"]}")
			if c.says == "" && status != http.StatusOK || c.says != "" && (status != http.StatusBadRequest || !strings.Contains(next, c.says)) {
				t.Errorf("%d %s, want %q", status, next, c.says)
			}
		})
	}
}

func replaced(old, fresh string) func(string) string {
	return func(turn string) string { return strings.Replace(turn, old, fresh, 1) }
}

// swapped puts the blocks of a list the other way round.
func swapped(turn string) string {
	var blocks []json.RawMessage
	_ = json.Unmarshal([]byte(turn), &blocks)
	raw, _ := json.Marshal([]json.RawMessage{blocks[1], blocks[0]})
	return string(raw)
}

// signatureOf puts another signature into a turn.
func signatureOf(turn, signature string) string {
	const member = `"thoughtSignature":"`
	from := strings.Index(turn, member) + len(member)
	return turn[:from] + signature + turn[from+strings.IndexByte(turn[from:], '"'):]
}

func TestRequestsThatMakersRefuse(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(Handler(toolEditor{}, Options{}))
	t.Cleanup(server.Close)
	const call = `{"role": "assistant", "content": [{"type": "tool_use", "id": "c", "name": "f", "input": {}}]}`
	for name, c := range map[string]struct{ path, body, says string }{
		"messages without a limit":         {"/v1/messages", `{"model": "perfect", "messages": [{"role": "user", "content": "x"}]}`, "max_tokens: Field required"},
		"messages with a foreign member":   {"/v1/messages", `{"model": "perfect", "max_tokens": 1, "seed": 1, "messages": []}`, "seed: Extra inputs are not permitted"},
		"messages that begin with a turn":  {"/v1/messages", `{"model": "perfect", "max_tokens": 1, "messages": [` + call + `]}`, `must use the \"user\" role`},
		"messages without an answer":       {"/v1/messages", `{"model": "perfect", "max_tokens": 1, "messages": [{"role": "user", "content": "x"}, ` + call + `, {"role": "user", "content": "y"}]}`, "without `tool_result` blocks"},
		"messages with a foreign answer":   {"/v1/messages", `{"model": "perfect", "max_tokens": 1, "messages": [{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "z"}]}]}`, "unexpected `tool_use_id`"},
		"messages with too many marks":     {"/v1/messages", `{"model": "perfect", "max_tokens": 1, "messages": [{"role": "user", "content": [` + strings.Repeat(`{"type": "text", "text": "x", "cache_control": {"type": "ephemeral"}},`, 4) + `{"type": "text", "text": "x", "cache_control": {"type": "ephemeral"}}]}]}`, "A maximum of 4 blocks"},
		"thinking at another temperature":  {"/v1/messages", `{"model": "perfect", "max_tokens": 1, "temperature": 0.5, "thinking": {"type": "adaptive"}, "messages": [{"role": "user", "content": "x"}]}`, "may only be set to 1"},
		"thinking beyond the limit":        {"/v1/messages", `{"model": "perfect", "max_tokens": 2000, "thinking": {"type": "enabled", "budget_tokens": 2000}, "messages": [{"role": "user", "content": "x"}]}`, "must be greater than"},
		"responses that name a stored one": {"/v1/responses", `{"model": "perfect", "previous_response_id": "r", "input": "x"}`, "not found"},
		"responses without an output":      {"/v1/responses", `{"model": "perfect", "input": [{"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"}]}`, "No tool output found"},
		"responses at a temperature":       {"/v1/responses", `{"model": "perfect", "temperature": 1, "reasoning": {"effort": "low"}, "input": "x"}`, "'temperature' is not supported"},
		"contents without an answer":       {"/v1beta/models/perfect:generateContent", `{"contents": [{"role": "model", "parts": [{"functionCall": {"name": "f"}, "thoughtSignature": "skip_thought_signature_validator"}]}, {"role": "user", "parts": [{"text": "x"}]}]}`, "number of function response parts"},
		"no such method":                   {"/v1beta/models/perfect:embed", `{}`, "there is no method"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if status, answer := post(t, server, c.path, c.body); status < 400 || status > 404 || !strings.Contains(answer, c.says) {
				t.Errorf("%d %s, want %q", status, answer, c.says)
			}
		})
	}
}

func TestRulesOfSomeModels(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(Handler(toolEditor{}, Options{Rules: []string{NoTemperature, NoToolsWithEffort}}))
	t.Cleanup(server.Close)
	for name, c := range map[string]struct{ path, body, says string }{
		"a temperature in chat":        {"/v1/chat/completions", `{"model": "perfect", "temperature": 1, "messages": []}`, "Unsupported value: 'temperature'"},
		"a temperature in messages":    {"/v1/messages", `{"model": "perfect", "max_tokens": 1, "temperature": 1, "messages": [{"role": "user", "content": "x"}]}`, "deprecated"},
		"a temperature in gemini":      {"/v1beta/models/perfect:generateContent", `{"generationConfig": {"temperature": 1}}`, "Cannot find field"},
		"tools with an effort in chat": {"/v1/chat/completions", `{"model": "perfect", "reasoning_effort": "low", "tools": [{"type": "function", "function": {"name": "f"}}], "messages": []}`, "use /v1/responses"},
	} {
		if status, answer := post(t, server, c.path, c.body); status != http.StatusBadRequest || !strings.Contains(answer, c.says) {
			t.Errorf("%s: %d %s, want %q", name, status, answer, c.says)
		}
	}
}

// The caches of Messages hold what requests have marked, and no more.
func TestCachesHoldWhatIsMarked(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(Handler(unknowing{}, Options{}))
	t.Cleanup(server.Close)
	const mark = `, "cache_control": {"type": "ephemeral"}`
	system, turn := strings.Repeat("s", 400), strings.Repeat("t", 800)
	ask := func(systemMark, turnMark, more string) (read, written, rest int) {
		_, answer := post(t, server, "/v1/messages", `{"model": "perfect", "max_tokens": 1, "system": [{"type": "text", "text": "`+system+`"`+systemMark+`}],
			"messages": [{"role": "user", "content": [{"type": "text", "text": "`+turn+`"`+turnMark+`}`+more+`]}]}`)
		var got struct {
			Usage struct {
				Read    int `json:"cache_read_input_tokens"`
				Written int `json:"cache_creation_input_tokens"`
				Input   int `json:"input_tokens"`
			}
		}
		if err := json.Unmarshal([]byte(answer), &got); err != nil {
			t.Fatalf("%v: %s", err, answer)
		}
		return got.Usage.Read, got.Usage.Written, got.Usage.Input
	}
	for i, c := range []struct {
		system, turn, more  string
		read, written, rest int
	}{
		{"", "", "", 0, 0, 300},
		{mark, "", "", 0, 100, 200},
		{mark, "", "", 100, 0, 200},
		{mark, mark, "", 100, 200, 0},
		{"", mark, `, {"type": "text", "text": "` + strings.Repeat("u", 40) + `"}`, 300, 0, 10},
	} {
		if read, written, rest := ask(c.system, c.turn, c.more); read != c.read || written != c.written || rest != c.rest {
			t.Errorf("request %d: %d read, %d written, %d others; want %d, %d, %d", i+1, read, written, rest, c.read, c.written, c.rest)
		}
	}
}
