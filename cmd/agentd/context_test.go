package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// narrow is a server whose model says how many tokens it takes, and that it answers one request at a time. It says no to requests
// that hold the marker, since they are too long, and answers the others without files.
type narrow struct {
	base                        string
	asked, refused              atomic.Int32 // all requests for an answer, and those that it said no to
	atATime, mostAtATime, limit atomic.Int32 // limit is the highest number of tokens that an answer might have
}

func newNarrow(t *testing.T, tokens int, marker string) *narrow {
	t.Helper()
	n := &narrow{}
	most := func(of *atomic.Int32, value int32) {
		for {
			known := of.Load()
			if known >= value || of.CompareAndSwap(known, value) {
				return
			}
		}
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/v1/models":
			fmt.Fprint(w, `{"data":[{"id":"small","owned_by":"llamacpp"}]}`)
		case "/props":
			fmt.Fprintf(w, `{"total_slots":1,"default_generation_settings":{"n_ctx":%d}}`, tokens)
		default:
			most(&n.mostAtATime, n.atATime.Add(1))
			defer n.atATime.Add(-1)
			body, err := io.ReadAll(r.Body)
			if err != nil {
				t.Error(err)
			}
			var request struct {
				Before int32 `json:"max_tokens"`
				Limit  int32 `json:"max_completion_tokens"`
			}
			if err := json.Unmarshal(body, &request); err != nil {
				t.Error(err)
			}
			most(&n.limit, max(request.Before, request.Limit))
			n.asked.Add(1)
			if strings.Contains(string(body), marker) {
				n.refused.Add(1)
				w.WriteHeader(http.StatusBadRequest)
				fmt.Fprintf(w, `{"error":{"code":400,"type":"exceed_context_size_error","message":"the request exceeds the available context size","n_prompt_tokens":9000,"n_ctx":%d}}`, tokens)
				return
			}
			time.Sleep(20 * time.Millisecond) // time for another request to come
			fmt.Fprint(w, `{"choices":[{"finish_reason":"stop","message":{"role":"assistant","content":"I cannot do this."}}],"usage":{"prompt_tokens":80,"completion_tokens":20}}`)
		}
	}))
	t.Cleanup(server.Close)
	n.base = server.URL + "/v1"
	return n
}

// A run says before its first request which environments do not fit into the model's context, and asks nothing about them. No answer may
// be longer than the context, and a server that answers one request at a time gets one.
func TestARunSaysWhatDoesNotFit(t *testing.T) {
	t.Parallel()
	run := func(status int, n *narrow, more ...string) string {
		_, said := program(t, status, append([]string{"run", "--model", "small", "--base-url", n.base, "--policy", "direct", "--round-trips", "1",
			"--data", "../../examples/small", "--db", filepath.Join(t.TempDir(), "x.db")}, more...)...)
		return said
	}
	n := newNarrow(t, 100, "\x00")
	if said := run(2, n); !strings.Contains(said, "no environment fits into the 100 tokens") || n.asked.Load() > 1 { // one request finds out whether the model answers
		t.Errorf("after %d requests: %s", n.asked.Load(), said)
	}
	for name, c := range map[string]struct {
		tokens int
		more   []string
	}{"as the server says": {900, nil}, "as the user says": {0, []string{"--context", "900"}}} {
		n := newNarrow(t, c.tokens, "Allotment")
		said := run(4, n, c.more...)
		left, table := strings.Index(said, "1 environment left out: longer than the 900 tokens"), strings.Index(said, "relays")
		if left < 0 || table >= 0 && table < left || n.refused.Load() > 0 {
			t.Errorf("%s: %d requests about what does not fit: %s", name, n.refused.Load(), said)
		}
		if limit := n.limit.Load(); limit <= 0 || limit >= 900 {
			t.Errorf("%s: an answer may have %d tokens", name, limit)
		}
		if most := n.mostAtATime.Load(); n.asked.Load() < 4 || most != 1 {
			t.Errorf("%s: of %d requests, %d at a time", name, n.asked.Load(), most)
		}
	}
}

// Check asks once, and says what a run goes by.
func TestACheckAsksOnce(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		tokens int
		more   []string
		says   []string
	}{
		"the server says": {900, nil, []string{"900 tokens, as the server says", "1 request", "no: it answered in words"}},
		"the user says":   {900, []string{"--context", "700"}, []string{"700 tokens, as you say"}},
		"nobody says":     {0, nil, []string{"unknown: the server does not say (--context TOKENS)"}},
	} {
		n := newNarrow(t, c.tokens, "\x00")
		out, _ := program(t, 0, append([]string{"check", "--model", "small", "--base-url", n.base}, c.more...)...)
		for _, want := range c.says {
			if !strings.Contains(out, want) {
				t.Errorf("%s: %q is missing in\n%s", name, want, out)
			}
		}
		if asked := n.asked.Load(); asked != 1 {
			t.Errorf("%s: %d requests", name, asked)
		}
	}
	if _, said := program(t, 2, "check"); !strings.Contains(said, "name the model with --model") {
		t.Error(said)
	}
	if _, said := program(t, 1, "check", "--model", "small", "--base-url", "http://127.0.0.1:9/v1"); !strings.Contains(said, "127.0.0.1:9") {
		t.Error(said)
	}
}

// A request that was too long has a reason of its own, and --retry faults does not send it again, since it would be too long
// again.
func TestWhatIsTooLongIsNotTakenUpAgain(t *testing.T) {
	t.Parallel()
	n := newNarrow(t, 0, "llotment")
	db := filepath.Join(t.TempDir(), "x.db")
	run := []string{"run", "--name", "x", "--model", "small", "--base-url", n.base, "--policy", "direct", "--round-trips", "1", "--data", "../../examples/small", "--db", db}
	out, said := program(t, 1, run...)
	if n.refused.Load() == 0 || !strings.Contains(out+said, "too long for the model") || strings.Contains(out+said, "a server failed") {
		t.Fatalf("%d requests were too long: %s%s", n.refused.Load(), out, said)
	}
	before := n.asked.Load()
	program(t, 1, append(run, "--retry", "faults")...)
	if again := n.asked.Load() - before; again > 1 { // one finds out whether the model answers
		t.Errorf("%d requests were sent again", again)
	}
}
