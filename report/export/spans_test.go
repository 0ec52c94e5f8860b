package export

import (
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/protobuf/proto"

	"agentd/results"
)

// span is what the tests look at of one that was sent.
type span struct {
	name, parent string
	start, end   time.Duration // since the interaction began
	attributes   map[string]any
	failed       bool
}

// collect returns the spans that a collector got from what send does.
func collect(t *testing.T, path string, send func(address string)) []span {
	t.Helper()
	var mu sync.Mutex
	var all []span
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		var request collector.ExportTraceServiceRequest
		if err := proto.Unmarshal(raw, &request); err != nil {
			t.Errorf("%s: %v", r.URL, err)
		}
		if r.URL.Path != path {
			t.Errorf("sent to %s, want %s", r.URL.Path, path)
		}
		mu.Lock()
		defer mu.Unlock()
		names := map[string]string{}
		for _, resource := range request.ResourceSpans {
			for _, scope := range resource.ScopeSpans {
				for _, s := range scope.Spans {
					names[string(s.SpanId)] = s.Name
				}
				for _, s := range scope.Spans {
					one := span{
						name: s.Name, parent: names[string(s.ParentSpanId)], failed: s.Status.GetMessage() != "", attributes: map[string]any{},
						start: time.Unix(0, int64(s.StartTimeUnixNano)).Sub(began), end: time.Unix(0, int64(s.EndTimeUnixNano)).Sub(began),
					}
					for _, a := range s.Attributes {
						if s := a.Value.GetStringValue(); s != "" {
							one.attributes[a.Key] = s
						} else if n := a.Value.GetIntValue(); n != 0 {
							one.attributes[a.Key] = n
						} else if f := a.Value.GetDoubleValue(); f != 0 {
							one.attributes[a.Key] = f
						}
					}
					all = append(all, one)
				}
			}
		}
		w.Header().Set("Content-Type", "application/x-protobuf")
	}))
	defer server.Close()
	send(server.URL)
	mu.Lock()
	defer mu.Unlock()
	return all
}

func TestSpansAreSent(t *testing.T) {
	t.Parallel()
	got := collect(t, tracesPath, func(address string) {
		spans, err := NewSpans(t.Context(), address, "1")
		if err != nil {
			t.Fatal(err)
		}
		in := roundTrip(7)[0]
		spans.Stored(results.Relay{ID: 7, Experiment: "e", Model: "m", Policy: "agentic", Environment: "tiny1"}, &in)
		if err := spans.Close(); err != nil {
			t.Error(err)
		}
	})
	byName := map[string]span{}
	for _, s := range got {
		byName[s.name] = s
	}
	const root = "invoke_agent agentic"
	for name, want := range map[string]span{
		root:                     {start: 0, end: 3 * time.Second},
		"chat m":                 {parent: root, start: 0, end: 2 * time.Second},
		"execute_tool read_file": {parent: root, start: 2 * time.Second, end: 2*time.Second + time.Millisecond},
		"execute_tool finish":    {parent: root, start: 2*time.Second + time.Millisecond, end: 2*time.Second + time.Millisecond, failed: true},
	} {
		s := byName[name]
		if s.name != name || s.parent != want.parent || s.start != want.start || s.end != want.end || s.failed != want.failed {
			t.Errorf("%s: %+v, want %+v", name, s, want)
		}
	}
	for _, c := range []struct {
		span, attribute string
		want            any
	}{
		{root, "gen_ai.conversation.id", "e/7/1"}, {root, "agentd.forward", 0.5}, {root, "gen_ai.operation.name", "invoke_agent"},
		{"chat m", "gen_ai.request.model", "m"}, {"chat m", "gen_ai.usage.input_tokens", int64(100)}, {"chat m", "agentd.cost_usd", 0.25},
		{"execute_tool read_file", "gen_ai.tool.call.result", "seed\n"}, {"execute_tool finish", "error.type", "tool_error"},
	} {
		if diff := cmp.Diff(c.want, byName[c.span].attributes[c.attribute]); diff != "" {
			t.Errorf("%s, %s: %s", c.span, c.attribute, diff)
		}
	}
}

func TestAnAddressMayHaveAPathOfItsOwn(t *testing.T) {
	t.Parallel()
	in := roundTrip(1)[1]
	got := collect(t, "/collect", func(address string) {
		spans, err := NewSpans(t.Context(), address+"/collect", "1")
		if err != nil {
			t.Fatal(err)
		}
		spans.Stored(results.Relay{Policy: "noop"}, &in)
		if err := spans.Close(); err != nil {
			t.Error(err)
		}
	})
	if len(got) != 1 || !got[0].failed || got[0].attributes["agentd.rs"] != 0.75 {
		t.Errorf("%+v, want one span of a failure", got)
	}
	if _, err := NewSpans(t.Context(), "localhost", "1"); err == nil {
		t.Error("an address without a host is taken")
	}
}
