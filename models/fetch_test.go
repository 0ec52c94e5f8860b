package models

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentd/internal/usage"
)

func TestATableOfPricesIsFetched(t *testing.T) {
	t.Parallel()
	const table = `{"m": {"mode": "chat", "input_cost_per_token": 1e-6, "output_cost_per_token": 2e-6}}`
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/table.json" {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write([]byte(table))
	}))
	t.Cleanup(server.Close)
	file := filepath.Join(t.TempDir(), "table.json")
	if err := os.WriteFile(file, []byte(table), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, from := range []string{file, server.URL + "/table.json"} {
		prices, err := FetchLiteLLM(t.Context(), from, "2026-11-23")
		if p := prices.Models["m"]; err != nil || p.Output != 2 || p.Source != from || p.Date != "2026-11-23" {
			t.Errorf("%s: %+v, %v", from, p, err)
		}
	}
	if _, err := FetchLiteLLM(t.Context(), server.URL+"/none", "2026-11-23"); err == nil || !strings.Contains(err.Error(), "404") {
		t.Errorf("an answer that is no table: %v", err)
	}
	var wrong usage.Error
	for _, from := range []string{file + ".none", "http://%zz"} {
		if _, err := FetchLiteLLM(t.Context(), from, "2026-11-23"); !errors.As(err, &wrong) {
			t.Errorf("%s: error %v", from, err)
		}
	}
}
