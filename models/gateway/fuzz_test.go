package gateway

import (
	"encoding/json"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"agentd/models"
	"agentd/models/wire"
	"agentd/models/wire/chat"
)

// A request for a chat completion is answered, or refused with words; what goes on to
// the model is JSON.
func FuzzChat(f *testing.F) {
	for _, body := range []string{
		`{"model":"mine","messages":[{"role":"user","content":"hello"}],"stream":true}`,
		`{"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:,x"}}]},{"role":"tool","tool_call_id":"1","content":[{"type":"text","text":"x"}]}],"tools":[],"max_tokens":5}`,
		`{"messages":[{"role":"user","content":[{"image_url":"http://10.0.0.1/"}]}]}`, `{"messages":[]}`, `{"messages":[1]}`, `{"messages":{}}`, `{`, `[]`, `null`, ``,
		`{"messages":[{}],"messages":[]}`, "{\"messages\":[{\"content\":\"\xff\"}]}", `{"messages":[{}]}{}`,
	} {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		m := &model{answer: models.Message{Content: "yes", ToolCalls: []models.ToolCall{{ID: "1", Name: "view", Arguments: "{}"}}}}
		status, got := newDesk(t, m).answerTo(t, "chat", body, true)
		switch {
		case status == http.StatusBadRequest && strings.Contains(got, `"message":`) && len(m.asked) == 0:
		case status == http.StatusOK && len(m.asked) == 1:
			if raw, err := (chat.Codec{}).Encode(&wire.Request{Messages: m.asked[0].Messages, Tools: m.asked[0].Tools}); err != nil || !json.Valid(raw) {
				t.Errorf("%q goes on as %q: %v", body, raw, err)
			}
		default:
			t.Errorf("%d %s", status, got)
		}
	})
}

// What survey takes is what encoding/json reads, member by member.
func FuzzSurvey(f *testing.F) {
	for _, body := range []string{`{"a":1,"b":[{},"x",null],"c":{"d":"\u0041"}}`, `{ "a" : 1 }`, `{"a":1,"a":2}`, `{"":{}}`, "{\"\\ud800\":1}", `{"a":[[[]]]}`, `{"a":1}x`} {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		got, err := survey([]byte(body))
		if err != nil {
			return
		}
		var want map[string]json.RawMessage
		if err := json.Unmarshal([]byte(body), &want); err != nil {
			t.Fatalf("%q was taken, though %v", body, err)
		}
		if len(got) != len(want) {
			t.Errorf("%q has %d members, not %d", body, len(got), len(want))
		}
		for name, value := range got {
			if strings.TrimSpace(string(value)) != strings.TrimSpace(string(want[name])) {
				t.Errorf("%q: %q is %q, not %q", body, name, value, want[name])
			}
		}
	})
}

// BenchmarkRequests measures the memory that requests take which make the most of
// their bytes: bytes allocated for each byte of the request, garbage included.
func BenchmarkRequests(b *testing.B) {
	for dialect, requests := range contrived() {
		for name, body := range requests {
			b.Run(dialect+"/"+strings.ReplaceAll(name, " ", "_"), func(b *testing.B) {
				b.SetBytes(int64(len(body)))
				perByte(b, len(body), func() { newDesk(b, &scale{Guard: models.NewGuard(&model{})}).answerTo(b, dialect, body, true) })
			})
		}
	}
}

// perByte reports how much memory a function takes for each of so many bytes.
func perByte(b *testing.B, bytes int, do func()) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for b.Loop() {
		do()
	}
	runtime.ReadMemStats(&after)
	b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/float64(bytes)/float64(b.N), "B/byte")
}
