package models

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// follower keeps the pieces of an answer.
type follower struct {
	raw, text string
	calls     []ToolCall
	last      int
}

func (f *follower) follow(p Piece) error {
	f.raw += string(p.Raw)
	f.text += p.Delta.Text
	if p.Last {
		f.last++
	}
	if p.Delta.OfCall() {
		for len(f.calls) <= p.Delta.Call {
			f.calls = append(f.calls, ToolCall{})
		}
		call := &f.calls[p.Delta.Call]
		call.ID, call.Name, call.Arguments = call.ID+p.Delta.ID, call.Name+p.Delta.Name, call.Arguments+p.Delta.Arguments
	}
	return nil
}

// events serves a stream of events.
func events(t *testing.T, list ...string) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, e := range list {
			fmt.Fprintf(w, "data: %s\n\n", e)
		}
	}))
	t.Cleanup(server.Close)
	return server
}

func piece(text string) string {
	return `{"choices":[{"index":0,"delta":{"content":"` + text + `"}}]}`
}

const finish = `{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":2}}`

var toFollow = map[string]json.RawMessage{"messages": json.RawMessage(`[{"role":"user","content":"x"}]`)}

// A key that a server repeats does not get through in pieces either.
func TestAKeyInAStreamEndsIt(t *testing.T) {
	const key = "sk-0123456789abcdefghij"
	t.Setenv("FOLLOW_KEY", key)
	for name, list := range map[string][]string{
		"in pieces": {piece("my key is "), piece(key[:9]), piece(key[9:]), finish},
		"whole":     {piece("my key is "), piece(key), finish},
		"escaped":   {piece("my key is "), `{"choices":[{"index":0,"delta":{}}],"note":"\u0073` + key[1:] + `"}`, finish},
	} {
		for _, verbatim := range []bool{true, false} {
			if name == "escaped" && !verbatim {
				continue // what is not said is not handed on
			}
			m, err := Open(Spec{Name: "m", BaseURL: events(t, list...).URL, KeyEnv: "FOLLOW_KEY"}, nil)
			if err != nil {
				t.Fatal(err)
			}
			var f follower
			request := Request{Messages: []Message{{Role: User, Content: "x"}}, Stream: true, Follow: f.follow}
			if verbatim {
				request.Members = toFollow
			}
			_, err = m.Complete(t.Context(), request)
			if err == nil || strings.Contains(f.raw+f.text, key) || !strings.Contains(f.raw+f.text, "my key is ") {
				t.Errorf("%s, verbatim %v: %v; %s%s", name, verbatim, err, f.raw, f.text)
			}
		}
	}
}

// A server that refuses inside of a stream has said nothing yet: it is asked again.
func TestAnErrorThatBeginsAStreamIsMetByAnotherAttempt(t *testing.T) {
	t.Parallel()
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		if asked++; asked == 1 {
			fmt.Fprint(w, ": wait\n\ndata: {\"error\":{\"message\":\"overloaded\",\"code\":529}}\n\n")
			return
		}
		fmt.Fprintf(w, ": wait\n\ndata: %s\n\n: still\n\ndata: %s\n\ndata: [DONE]\n\n", piece("yes"), finish)
	}))
	t.Cleanup(server.Close)
	m, err := Open(Spec{Name: "m", BaseURL: server.URL, Backoff: 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var f follower
	answer, err := m.Complete(t.Context(), Request{Members: toFollow, Stream: true, Follow: f.follow})
	if err != nil || answer.Retries != 1 || answer.Message.Content != "yes" || f.last != 2 {
		t.Errorf("%v: %+v, %d pieces end it", err, answer, f.last)
	}
	if want := fmt.Sprintf("data: %s\n\n: still\n\ndata: %s\n\ndata: [DONE]\n\n", piece("yes"), finish); f.raw != want {
		t.Errorf("%q, want %q", f.raw, want)
	}
}

// A recorded stream is replayed to the byte, and an answer that came at once as well.
func TestVerbatimAnswersAreReplayed(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "r.jsonl")
	model, recorder := openRecorded(t, path, Spec{Name: "m", BaseURL: events(t, piece("yes"), finish, "[DONE]").URL, Backoff: 1})
	ask := func(m Model) (Response, follower) {
		var f follower
		got, err := m.Complete(t.Context(), Request{Members: toFollow, Stream: true, Follow: f.follow})
		if err != nil {
			t.Fatal(err)
		}
		return got, f
	}
	got, f := ask(model)
	if err := recorder.Close(); err != nil {
		t.Fatal(err)
	}
	again, g := ask(openReplayed(t, path))
	if diff := cmp.Diff(got, again, cmp.AllowUnexported(Message{})); diff != "" || !got.Streamed || got.Raw != f.raw {
		t.Errorf("%s; %+v", diff, got)
	}
	if diff := cmp.Diff(f, g, cmp.AllowUnexported(follower{})); diff != "" || f.raw == "" {
		t.Error(diff)
	}
}

// Who cannot take requests in a dialect as they are.
func TestWhoTakesWhat(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		spec   Spec
		api    API
		stream bool
		want   bool
	}{
		"its own dialect":          {Spec{API: Messages}, Messages, false, true},
		"another":                  {Spec{API: Messages}, Chat, true, false},
		"streams alone":            {Spec{API: Messages, Stream: true}, Messages, true, true},
		"streams alone, not asked": {Spec{API: Messages, Stream: true}, Messages, false, false},
		"no system messages":       {Spec{API: Messages, NoSystem: true}, Messages, true, false},
	} {
		c.spec.Name, c.spec.BaseURL = "m", "http://x"
		m, err := Open(c.spec, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := Takes(NewGuard(m), c.api, c.stream); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
