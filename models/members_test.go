package models

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/models/wire"
)

// The request of another client goes out as it is, but for what the spec says.
func TestAnotherClientsRequest(t *testing.T) {
	t.Parallel()
	const messages = `"messages": [{"role": "user", "content": [{"type": "text", "text": "a <b> & c"}]}]`
	for name, c := range map[string]struct {
		spec        Spec
		given, want string // besides messages
	}{
		"as it is": {Spec{Name: "m"}, `"tool_choice": "auto", "max_tokens": 5, "temperature": 0.2`,
			`"model": "m", "stream": false, "tool_choice": "auto", "max_tokens": 5, "temperature": 0.2`},
		"without a temperature": {Spec{Name: "m"}, `"top_p": 0.5`, `"model": "m", "stream": false, "top_p": 0.5, "temperature": 1`},
		"what the spec says": {Spec{Name: "m", Temperature: new(0.0), MaxOutput: 9, Reasoning: "low", Seeded: true},
			`"temperature": 0.2, "max_tokens": 5, "reasoning_effort": "high", "seed": 1, "stream": true, "model": "mine"`,
			`"model": "m", "stream": false, "temperature": 0, "max_completion_tokens": 9, "reasoning_effort": "low", "seed": 7`},
		"a limit by the server's name":  {Spec{Name: "m", MaxOutputField: "max_tokens"}, `"max_completion_tokens": 5`, `"model": "m", "stream": false, "temperature": 1, "max_tokens": 5`},
		"what the server does not take": {Spec{Name: "m", Body: map[string]any{"temperature": nil, "logprobs": nil}}, `"temperature": 0.2, "logprobs": true`, `"model": "m", "stream": false`},
	} {
		server := serve(t, answered)
		c.spec.BaseURL = server.URL + "/v1"
		var members wire.Members
		if err := json.Unmarshal([]byte("{"+messages+","+c.given+"}"), &members); err != nil {
			t.Fatal(err)
		}
		if _, _, err := ask(t, c.spec, Request{Members: members, Verbatim: true, Seed: 7}); err != nil {
			t.Fatal(err)
		}
		var got, want map[string]any
		if err := json.Unmarshal([]byte(server.asked()[0].body), &got); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte("{"+messages+","+c.want+"}"), &want); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// What system messages say stands in the user's where the model knows none.
func TestAnotherClientsSystemMessages(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ given, want string }{
		"texts": {`[{"role": "system", "content": "Be brief."}, {"role": "developer", "content": "Use tools."}, {"role": "user", "content": "Go."}]`,
			`[{"role": "user", "content": "Be brief.\n\nUse tools.\n\nGo."}]`},
		"parts": {`[{"role": "system", "content": [{"type": "text", "text": "Be "}, {"type": "text", "text": "brief."}]}, {"role": "user", "content": [{"type": "image_url", "image_url": {"url": "u"}}]}]`,
			`[{"role": "user", "content": [{"type": "text", "text": "Be brief.\n\n"}, {"type": "image_url", "image_url": {"url": "u"}}]}]`},
		"none":             {`[{"role": "user", "content": "Go."}]`, `[{"role": "user", "content": "Go."}]`},
		"later":            {`[{"role": "user", "content": "Go."}, {"role": "assistant", "content": "Yes."}, {"role": "system", "content": "Stop."}, {"role": "user", "content": "?"}]`, `[{"role": "user", "content": "Go."}, {"role": "assistant", "content": "Yes."}, {"role": "user", "content": "Stop.\n\n?"}]`},
		"nothing after it": {`[{"role": "user", "content": "Go."}, {"role": "developer", "content": "Stop."}]`, `[{"role": "user", "content": "Go."}, {"role": "user", "content": "Stop."}]`},
		"a null":           {`[{"role": "system", "content": null}, {"role": "user", "content": "Go."}]`, `[{"role": "user", "content": "Go."}]`},
	} {
		server := serve(t, answered)
		request := Request{Members: wire.Members{"messages": json.RawMessage(c.given)}}
		if _, _, err := ask(t, Spec{Name: "m", NoSystem: true, BaseURL: server.URL + "/v1"}, request); err != nil {
			t.Fatal(err)
		}
		var got struct{ Messages any }
		var want any
		if err := errors.Join(json.Unmarshal([]byte(server.asked()[0].body), &got), json.Unmarshal([]byte(c.want), &want)); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got.Messages); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
