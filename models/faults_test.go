package models

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const charged = `"usage": {"prompt_tokens": 100, "completion_tokens": 7}`

func TestWhatRetriesCostIsCounted(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fault http.HandlerFunc
		want  Waste // of two attempts
	}{
		"the server says":               {status(200, `{"choices": [], `+charged+`}`), Waste{Usage: Usage{Prompt: 200, Completion: 14}}},
		"an answer cut off":             {cutOff, Waste{Unknown: 2}},
		"a connection reset":            {reset, Waste{Unknown: 2}},
		"a page":                        {status(200, "<html>"), Waste{Unknown: 2}},
		"an error status costs nothing": {apiError(500, "oops", ""), Waste{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, _, err := ask(t, Spec{Name: "m", BaseURL: serve(t, c.fault, c.fault, answered).URL}, hello)
			if diff := cmp.Diff(c.want, got.Waste); diff != "" || err != nil {
				t.Errorf("error %v, waste %s", err, diff)
			}
			_, _, err = ask(t, Spec{Name: "m", BaseURL: serve(t, c.fault).URL}, hello)
			var failure *Error
			if !errors.As(err, &failure) {
				t.Fatalf("error %v", err)
			}
			all := Waste{Usage{Prompt: c.want.Usage.Prompt * 3, Completion: c.want.Usage.Completion * 3}, c.want.Unknown * 3}
			if diff := cmp.Diff(all, failure.Waste); diff != "" {
				t.Errorf("after all attempts: %s", diff)
			}
		})
	}
	_, _, err := ask(t, Spec{Name: "m", BaseURL: "http://127.0.0.1:1/v1"}, hello)
	if failure := expectError(t, err, Unreachable, defaultAttempts-1); failure.Waste != (Waste{}) {
		t.Errorf("a server that is not there: %+v", failure.Waste)
	}
}

func TestATimeOutIsOfOneAttempt(t *testing.T) {
	t.Parallel()
	s := serve(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, answered)
	got, _, err := ask(t, Spec{Name: "m", BaseURL: s.URL, Timeout: 100 * time.Millisecond}, hello)
	if err != nil || got.Retries == 0 || got.Waste.Unknown != got.Retries {
		t.Errorf("%d retries, waste %+v, error %v", got.Retries, got.Waste, err)
	}
}

func TestWhatServersSayIsUnderstood(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fault http.HandlerFunc
		kind  ErrorKind
		tries int
	}{
		"a gateway's error with status 200":      {status(200, `{"error": {"message": "overloaded", "code": 529}}`), ServerFault, defaultAttempts},
		"a rate limit with status 200":           {status(200, `{"error": {"message": "slow", "code": 429}}`), RateLimited, defaultAttempts},
		"an error without a code":                {status(200, `{"error": "busy"}`), BadAnswer, defaultAttempts},
		"Azure's filter":                         {apiError(400, "The response was filtered", "content_filter"), Filtered, 1},
		"a filter behind 403":                    {apiError(403, "Content violates usage guidelines", ""), Filtered, 1},
		"a setting that the model does not take": {apiError(400, "Unsupported value: 'top_p' does not support 1", "unsupported_value"), BadSetting, 1},
		"a member that the server does not know": {status(422, `{"detail": [{"type": "extra_forbidden"}]}`), BadSetting, 1},
		"a model that is not there":              {apiError(404, "The model text-moderation does not exist", ""), NotFound, 1},
		"no money left":                          {apiError(402, "Insufficient balance", ""), Denied, 1},
		"too long, as Anthropic says it":         {apiError(400, "prompt is too long: 205000 tokens > 200000 maximum", "invalid_request_error"), ContextLength, 1},
		"too long, as vLLM's engine says it":     {apiError(400, "The decoder prompt (length 12540) is longer than the maximum model length of 8192.", ""), ContextLength, 1},
		"too long, as Gemini says it":            {apiError(400, "The input token count exceeds the maximum number of tokens allowed", ""), ContextLength, 1},
		"overloaded, with a status of its own":   {apiError(529, "Overloaded", ""), ServerFault, defaultAttempts},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, c.fault)
			_, _, err := ask(t, Spec{Name: "m", BaseURL: s.URL}, hello)
			expectError(t, err, c.kind, c.tries-1)
			if len(s.asked()) != c.tries {
				t.Errorf("asked %d times, want %d", len(s.asked()), c.tries)
			}
		})
	}
}

func TestReasoningIsCountedWhereverServersPutIt(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		usage string
		want  Usage
	}{
		"part of the completion": {`"prompt_tokens": 10, "completion_tokens": 9, "total_tokens": 19, "completion_tokens_details": {"reasoning_tokens": 4}`,
			Usage{Prompt: 10, Completion: 9, Reasoning: 4}},
		"next to the completion": {`"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 19, "completion_tokens_details": {"reasoning_tokens": 4}`,
			Usage{Prompt: 10, Completion: 9, Reasoning: 4}},
		"in the total alone": {`"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 19`, Usage{Prompt: 10, Completion: 9, Reasoning: 4}},
		"no total":           {`"prompt_tokens": 10, "completion_tokens": 5`, Usage{Prompt: 10, Completion: 5}},
	} {
		body := `{"choices": [{"message": {"content": "Hi"}}], "usage": {` + c.usage + `}}`
		got, _, err := ask(t, Spec{Name: "m", BaseURL: serve(t, status(200, body)).URL}, hello)
		if err != nil || got.Usage != c.want {
			t.Errorf("%s: %+v, want %+v; error %v", name, got.Usage, c.want, err)
		}
	}
}

func TestManyFailuresInARowAreAnOutage(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		answers string // of one attempt each: s server fault, r refused, a answered
		want    string // of one completion each: f failed, d down, a answered
	}{
		"three in a row, and as long as it lasts": {"ssss", "ffdd"},
		"an answer ends the row":                  {"ssassas", "ffaffaf"},
		"so does a refusal":                       {"ssrss", "fffff"},
		"it comes back":                           {"sssas", "ffdaf"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var answers []http.HandlerFunc
			for _, a := range c.answers {
				switch a {
				case 's':
					for range defaultAttempts {
						answers = append(answers, status(503, "busy"))
					}
				case 'r':
					answers = append(answers, status(400, "no"))
				default:
					answers = append(answers, answered)
				}
			}
			model, err := Open(Spec{Name: "m", BaseURL: serve(t, answers...).URL}, nil)
			if err != nil {
				t.Fatal(err)
			}
			model.(*client).pause = func(context.Context, time.Duration) error { return nil }
			got := ""
			for range c.answers {
				_, err := model.Complete(t.Context(), hello)
				var failure *Error
				switch {
				case err == nil:
					got += "a"
				case errors.As(err, &failure) && failure.Kind == Down && failure.Kind.EndsWork():
					got += "d"
					if !strings.Contains(err.Error(), "3 interactions in a row") || !strings.Contains(err.Error(), "503") {
						t.Errorf("it says %v", err)
					}
				default:
					got += "f"
				}
			}
			if got != c.want {
				t.Errorf("%s came to %s, want %s", c.answers, got, c.want)
			}
		})
	}
}

func TestASystemMessageIsFoldedIntoTheUsers(t *testing.T) {
	t.Parallel()
	s := serve(t, answered)
	conversation := Request{Messages: []Message{{Role: System, Content: "You edit."}, {Role: User, Content: "Go."}, {Role: Assistant, Content: "Done."}, {Role: User, Content: "On."}}}
	for range 2 { // what was written once must not change
		if _, _, err := ask(t, Spec{Name: "m", BaseURL: s.URL, NoSystem: true}, conversation); err != nil {
			t.Fatal(err)
		}
	}
	for _, asked := range s.asked() {
		want := decoded(t, `[{"role": "user", "content": "You edit.\n\nGo."}, {"role": "assistant", "content": "Done."}, {"role": "user", "content": "On."}]`)
		if diff := cmp.Diff(want, decoded(t, asked.body).(map[string]any)["messages"]); diff != "" {
			t.Error(diff)
		}
	}
}

func TestSecretsOfHeadersAreNotShown(t *testing.T) {
	t.Parallel()
	s := serve(t, func(w http.ResponseWriter, r *http.Request) { apiError(400, "bad "+r.Header.Get("X-Token"), "")(w, r) })
	_, _, err := ask(t, Spec{Name: "m", BaseURL: s.URL, Headers: map[string]string{"X-Token": "t ${" + testKeyEnv + "}"}}, hello)
	if text := expectError(t, err, Refused, 0).Error(); strings.Contains(text, testKey) || !strings.Contains(text, "bad t (key)") {
		t.Errorf("the error says %q", text)
	}
}

func TestMakersAreReachedByName(t *testing.T) {
	t.Parallel()
	for _, m := range makers() {
		_, err := Open(Spec{Name: m.prefix + "x"}, nil)
		if err == nil || !strings.Contains(err.Error(), m.keyEnv) {
			t.Errorf("%sx: error %v, want one that names %s", m.prefix, err, m.keyEnv)
		}
	}
	own := Spec{Model: "claude-x", BaseURL: "http://127.0.0.1"}
	if got := own.atMaker(); got.BaseURL != own.BaseURL || got.KeyEnv != "" {
		t.Errorf("a server of one's own became %+v", got)
	}
}
