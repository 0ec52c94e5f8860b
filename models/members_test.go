package models

import (
	"encoding/json"
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
		if _, _, err := ask(t, c.spec, Request{Members: members, Seed: 7}); err != nil {
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
func TestSystemMessagesAreFolded(t *testing.T) {
	t.Parallel()
	said := func(role Role, text string) Message { return Message{Role: role, Content: text} }
	picture := []wire.Part{{Address: "u"}}
	for name, c := range map[string]struct{ given, want []Message }{
		"texts":            {[]Message{said(System, "Be brief."), said(System, "Use tools."), said(User, "Go.")}, []Message{said(User, "Be brief.\n\nUse tools.\n\nGo.")}},
		"parts":            {[]Message{{Role: System, Parts: []wire.Part{{Text: "Be "}, {Text: "brief."}}}, {Role: User, Parts: picture}}, []Message{{Role: User, Content: "Be brief.\n\n", Parts: picture}}},
		"none":             {[]Message{said(User, "Go.")}, []Message{said(User, "Go.")}},
		"later":            {[]Message{said(User, "Go."), said(Assistant, "Yes."), said(System, "Stop."), said(User, "?")}, []Message{said(User, "Go."), said(Assistant, "Yes."), said(User, "Stop.\n\n?")}},
		"nothing after it": {[]Message{said(User, "Go."), said(System, "Stop.")}, []Message{said(User, "Go."), said(User, "Stop.")}},
		"nothing in it":    {[]Message{said(System, ""), said(User, "Go.")}, []Message{said(User, "Go.")}},
	} {
		if diff := cmp.Diff(c.want, foldSystem(c.given)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
