package sim

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/sashabaranov/go-openai"
)

// unknowing knows no instruction.
type unknowing struct{}

func (unknowing) Find(string, []string, []string) (Job, bool) { return Job{}, false }

const question = `{"model": "sim:weak", "messages": [{"role": "user", "content": "Go."}]}`

// met asks a question many times and returns what happened each time.
func met(t *testing.T, options Options, times int, header ...string) []string {
	t.Helper()
	server := httptest.NewServer(Handler(unknowing{}, options))
	defer server.Close()
	all := make([]string, times)
	for i := range all {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+"/v1/chat/completions", strings.NewReader(question))
		if err != nil {
			t.Fatal(err)
		}
		if len(header) == 2 {
			request.Header.Set(header[0], header[1])
		}
		all[i] = happened(server.Client().Do(request))
	}
	return all
}

// happened tells an answer in a few words.
func happened(response *http.Response, err error) string {
	if err != nil {
		return "no answer"
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		return "cut off"
	}
	var body struct {
		openai.ChatCompletionResponse
		Error struct{ Code any }
	}
	if json.Unmarshal(raw, &body) != nil {
		return fmt.Sprint(response.StatusCode, " page")
	}
	switch {
	case response.StatusCode >= 400 && body.Error.Code == nil:
		return fmt.Sprint(response.StatusCode)
	case body.Error.Code != nil:
		return fmt.Sprint(response.StatusCode, " ", body.Error.Code, " ", response.Header.Get("Retry-After"))
	case len(body.Choices) == 0:
		return fmt.Sprint("no choices, charged ", body.Usage.TotalTokens > 0)
	}
	return fmt.Sprint(body.Choices[0].FinishReason, " ", len(body.Choices[0].Message.Content))
}

func TestEveryFaultIsPlayed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		options Options
		want    []string
	}{
		"those that pass": {Options{Faults: 1, Seed: 1}, []string{
			"200 502 ", "200 page", "429 rate_limit_exceeded 1", "500 server_error ", "503 page", "cut off", "no answer", "no choices, charged true"}},
		"those that stay": {Options{LastingFaults: 1, Seed: 1}, []string{
			"400 content_filter ", "400 context_length_exceeded ", "content_filter 0", "length 15"}},
		"none": {Options{}, []string{"stop 31"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			seen := map[string]bool{}
			for _, what := range met(t, c.options, 150) {
				seen[what] = true
			}
			if diff := cmp.Diff(c.want, slices.Sorted(maps.Keys(seen))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestFaultsDependOnTheSeed(t *testing.T) {
	t.Parallel()
	first := met(t, Options{Faults: 0.3, Seed: 7}, 60)
	if diff := cmp.Diff(first, met(t, Options{Faults: 0.3, Seed: 7}, 60)); diff != "" {
		t.Errorf("the same seed: %s", diff)
	}
	if slices.Equal(first, met(t, Options{Faults: 0.3, Seed: 8}, 60)) {
		t.Error("another seed gives the same faults")
	}
	faults := 0
	for _, what := range first {
		if !strings.HasPrefix(what, "stop ") {
			faults++
		}
	}
	if faults < 6 || faults > 30 {
		t.Errorf("%d of 60 requests met a fault, want about 18", faults)
	}
}

func TestARequestMaySayItsRate(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]string{"0": "stop 31", "2": "400", "often": "400", "1 429": "429 rate_limit_exceeded 1", "1 plague": "400"} {
		if got := met(t, Options{Faults: 1}, 1, FaultsHeader, value)[0]; got != want {
			t.Errorf("%s: %s, want %s", value, got, want)
		}
	}
}
