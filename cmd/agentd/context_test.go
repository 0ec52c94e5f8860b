package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// narrow is a server whose model says how many tokens it takes. It says no to requests that hold the marker, since they
// are too long, and answers the others without files. asked counts all requests for an answer, refused those that it said no
// to.
func narrow(t *testing.T, tokens int, marker string) (base string, asked, refused *atomic.Int32) {
	t.Helper()
	asked, refused = &atomic.Int32{}, &atomic.Int32{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/v1/models":
			fmt.Fprint(w, `{"data":[{"id":"small","owned_by":"llamacpp"}]}`)
		case "/props":
			fmt.Fprintf(w, `{"total_slots":1,"default_generation_settings":{"n_ctx":%d}}`, tokens)
		default:
			body, err := io.ReadAll(r.Body)
			if err != nil {
				t.Error(err)
			}
			asked.Add(1)
			if strings.Contains(string(body), marker) {
				refused.Add(1)
				w.WriteHeader(http.StatusBadRequest)
				fmt.Fprintf(w, `{"error":{"code":400,"type":"exceed_context_size_error","message":"the request exceeds the available context size","n_prompt_tokens":9000,"n_ctx":%d}}`, tokens)
				return
			}
			fmt.Fprint(w, `{"choices":[{"finish_reason":"stop","message":{"role":"assistant","content":"I cannot do this."}}],"usage":{"prompt_tokens":80,"completion_tokens":20}}`)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL + "/v1", asked, refused
}

// A run says before its first request which environments do not fit into the model's context, and asks nothing about them.
func TestARunSaysWhatDoesNotFit(t *testing.T) {
	t.Parallel()
	base, asked, _ := narrow(t, 100, "\x00")
	_, said := program(t, 2, "run", "--model", "small", "--base-url", base, "--policy", "direct", "--data", "../../examples/small", "--db", filepath.Join(t.TempDir(), "x.db"))
	if !strings.Contains(said, "no environment fits into the 100 tokens") || asked.Load() > 1 { // one request finds out whether the model answers
		t.Errorf("after %d requests: %s", asked.Load(), said)
	}
	base, _, refused := narrow(t, 900, "Allotment")
	_, said = program(t, 4, "run", "--model", "small", "--base-url", base, "--policy", "direct", "--round-trips", "1", "--data", "../../examples/small", "--db", filepath.Join(t.TempDir(), "x.db"))
	left, table := strings.Index(said, "1 environment left out: longer than the 900 tokens"), strings.Index(said, "relays")
	if left < 0 || table >= 0 && table < left || refused.Load() > 0 {
		t.Errorf("%d requests about what does not fit: %s", refused.Load(), said)
	}
}

// A request that was too long has a reason of its own, and --retry faults does not send it again, since it would be too long
// again.
func TestWhatIsTooLongIsNotTakenUpAgain(t *testing.T) {
	t.Parallel()
	base, asked, refused := narrow(t, 0, "llotment")
	db := filepath.Join(t.TempDir(), "x.db")
	run := []string{"run", "--name", "x", "--model", "small", "--base-url", base, "--policy", "direct", "--round-trips", "1", "--data", "../../examples/small", "--db", db}
	out, said := program(t, 1, run...)
	if refused.Load() == 0 || !strings.Contains(out+said, "too long for the model") || strings.Contains(out+said, "a server failed") {
		t.Fatalf("%d requests were too long: %s%s", refused.Load(), out, said)
	}
	before := asked.Load()
	program(t, 1, append(run, "--retry", "faults")...)
	if again := asked.Load() - before; again > 1 { // one finds out whether the model answers
		t.Errorf("%d requests were sent again", again)
	}
}
