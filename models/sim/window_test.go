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
	for name, c := range map[string]struct {
		options Options
		header  []string
		want    string
	}{
		"no limit":                    {Options{}, nil, "stop 31"},
		"a limit that is not met":     {Options{Window: 100}, nil, "stop 31"},
		"a header in place of it":     {Options{Window: 100}, []string{WindowHeader, "0"}, "stop 31"},
		"a header that is no number":  {Options{}, []string{WindowHeader, "many"}, "400"},
		"a header that is below zero": {Options{}, []string{WindowHeader, "-1"}, "400"},
	} {
		if got := met(t, c.options, 1, c.header...); !slices.Equal(got, []string{c.want}) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	s := &standIns{options: Options{Window: 2}}
	long := &request{Request: wire.Request{Messages: []message{{Role: user, Content: "Twelve bytes."}}}}
	refused := s.fits(newRequest(t), long)
	if refused == nil || refused.status != 400 || refused.code != "context_length_exceeded" {
		t.Errorf("a long request: %+v", refused)
	}
}

func newRequest(t *testing.T) *http.Request {
	t.Helper()
	return httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", nil)
}
