package models

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

// A server that points elsewhere gets no second request out of us, and neither does
// the address it points to.
func TestRedirectsAreNotFollowed(t *testing.T) {
	t.Parallel()
	for name, spec := range map[string]Spec{
		"a bearer token":        {KeyEnv: testKeyEnv},
		"Azure's key":           {KeyEnv: testKeyEnv, APIVersion: "2024-10-21"},
		"headers with a secret": {Headers: map[string]string{"X-Token": "${" + testKeyEnv + "}"}},
	} {
		for _, code := range []int{300, 301, 302, 303, 304, 307, 308} {
			var followed atomic.Int32
			elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				followed.Add(1)
				answered(w, r)
			}))
			t.Cleanup(elsewhere.Close)
			s := serve(t, status(code, "", "Location", elsewhere.URL+"/v1?k="+testKey))
			spec.Name, spec.BaseURL = "m", s.URL
			_, waits, err := ask(t, spec, hello)
			failure := expectError(t, err, Redirected, 0)
			if failure.Status != code || !failure.Kind.EndsWork() || failure.Waste != (Waste{}) {
				t.Errorf("%s, %d: %+v", name, code, failure)
			}
			if text := err.Error(); !strings.Contains(text, elsewhere.URL) || !strings.Contains(text, "base_url") || strings.Contains(text, testKey) {
				t.Errorf("%s, %d: the error says %q", name, code, text)
			}
			if followed.Load() != 0 || len(s.asked()) != 1 || len(waits) != 0 {
				t.Errorf("%s, %d: asked %d times, elsewhere %d times", name, code, len(s.asked()), followed.Load())
			}
		}
	}
}
