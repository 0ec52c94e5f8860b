package models

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"agentd/models/wire"
)

// seeds are answers of servers, good and bad.
func seeds() []string {
	all := []string{
		`{"choices":[{"message":{"role":"assistant","content":"Done."},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":2,"total_tokens":11}}`,
		`{"choices":[{"message":{"content":[{"type":"text","text":"a"}],"tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":"{}"}}]}}]}`,
		`{"choices":[{"message":{"tool_calls":[{"function":{"arguments":{"a":1}}}]}}],"usage":{"prompt_tokens":5,"prompt_tokens_details":{"cached_tokens":4},"completion_tokens_details":{"reasoning_tokens":7}}}`,
		`{"error":{"message":"slow down","code":429}}`, `{"error":"busy"}`, `{"choices":[]}`, `{"usage":{"prompt_tokens":-1}}`, `{"usage":{"total_tokens":1e400}}`,
		"{\"choices\":[{\"message\":{\"content\":\"\xff\\ud800\"}}]}", `[]`, `null`, ``, `<html>`, `{"choices":[{"message":`,
	}
	return append(all, `{"error":{"message":"bad `+testKey+`","type":"invalid_request_error","code":"invalid_api_key"}}`)
}

// For any answer of a server, with any status, there is an answer within the
// bounds or an *Error, and neither holds the key.
func FuzzAnswers(f *testing.F) {
	for i, body := range seeds() {
		f.Add([]int{200, 400, 429, 500, 302}[i%5], body)
		f.Add(200, body)
	}
	model, err := Open(Spec{Name: "m", BaseURL: "http://x", KeyEnv: testKeyEnv, Attempts: 1}, nil)
	if err != nil {
		f.Fatal(err)
	}
	c := model.(*client)
	f.Fuzz(func(t *testing.T, status int, body string) {
		one := *c.sender
		one.http = &http.Client{Transport: fixed{status, body}, CheckRedirect: c.sender.http.CheckRedirect}
		again := &client{spec: c.spec, dialect: c.dialect, sender: &one, secrets: c.secrets, pause: func(context.Context, time.Duration) error { return nil }}
		got, err := again.Complete(t.Context(), Request{Messages: []Message{{Role: User, Content: "Hello"}}})
		if err != nil {
			var failure *Error
			if !errors.As(err, &failure) || plausible(failure.Waste.Usage, 1000) != nil || strings.Contains(err.Error(), testKey) || len(err.Error()) > maxErrorText+100 {
				t.Errorf("%v: %+v", err, failure)
			}
			return
		}
		if err := plausible(got.Usage, 200); err != nil {
			t.Error(err)
		}
		said := got.Message.Content + got.FinishReason
		for _, call := range got.Message.ToolCalls {
			said += call.ID + call.Name + call.Arguments
		}
		if len(got.Message.ToolCalls) > wire.MaxCalls || strings.Contains(said, testKey) || !utf8.ValidString(said) {
			t.Errorf("%d calls, %q", len(got.Message.ToolCalls), said)
		}
	})
}

// fixed answers every request the same.
type fixed struct {
	status int
	body   string
}

func (f fixed) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := canned{f.body, false}.RoundTrip(r)
	answer.StatusCode = f.status
	return answer, err
}

// Another client's request is JSON again, with one limit, for any request.
func FuzzMembers(f *testing.F) {
	for _, messages := range []string{
		`[{"role":"system","content":"a"},{"role":"user","content":"b"}]`, `[{"role":"developer","content":[{"text":"a"}]},{"content":[],"role":"user"}]`,
		`[{"role":"user","content":5}]`, `[]`, `"x"`, `[1,{}]`, `[{"role":"system","content":"\\"}]`, `{"a":[1]}`,
	} {
		f.Add(messages, "5")
	}
	f.Fuzz(func(t *testing.T, messages, limit string) {
		d := newDialect(Spec{Model: "m", API: Chat}, Profile{})
		members := wire.Members{"messages": json.RawMessage(messages), "max_tokens": json.RawMessage(limit)}
		if !json.Valid(members["messages"]) || !json.Valid(members["max_tokens"]) {
			return // what is read is JSON
		}
		body, err := d.encode(Request{Members: members, Terms: Terms{MaxOutput: 7}}, nil)
		if err != nil {
			t.Fatalf("%q: %v", messages, err)
		}
		var sent map[string]any
		if err := json.Unmarshal(body, &sent); err != nil || sent["max_completion_tokens"] != 7.0 || sent["max_tokens"] != nil || sent["model"] != "m" {
			t.Errorf("%q became %q: %v", messages, body, err)
		}
	})
}

// BenchmarkAnswers measures the memory that answers take which make the most of their
// bytes: bytes allocated for each byte of the answer, garbage included.
func BenchmarkAnswers(b *testing.B) {
	model, err := Open(Spec{Name: "m", BaseURL: "http://x"}, nil)
	if err != nil {
		b.Fatal(err)
	}
	c := model.(*client)
	for name, body := range contrived() {
		b.Run(strings.ReplaceAll(name, " ", "_"), func(b *testing.B) {
			c.sender.http.Transport = canned{body, false}
			b.SetBytes(int64(len(body)))
			n := allocated(func() {
				for b.Loop() {
					_, _, _ = c.attempt(b.Context(), &posting{body: []byte("{}"), events: c.dialect.Reader}, time.Minute)
				}
			})
			b.ReportMetric(float64(n)/float64(len(body))/float64(b.N), "B/byte")
		})
	}
}
