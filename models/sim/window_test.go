package sim

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"agentd/models/wire"
)

// The question has "Go.": no token by the stand-in's count.
func TestARequestThatIsTooLongIsRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ header, want string }{
		"no limit":             {"0", "stop 31"},
		"a limit that is kept": {"100", "stop 31"},
		"no number":            {"many", "400"},
		"a number below zero":  {"-1", "400"},
	} {
		if got := met(t, Options{}, 1, WindowHeader, c.header); !slices.Equal(got, []string{c.want}) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	asked := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", nil)
	asked.Header.Set(WindowHeader, "2")
	refused := fits(asked, &request{Request: wire.Request{Messages: []message{{Role: user, Content: "Twelve bytes."}}}})
	if refused == nil || refused.status != 400 || refused.code != "context_length_exceeded" {
		t.Errorf("a long request: %+v", refused)
	}
}
