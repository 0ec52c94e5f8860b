package messages

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"agentd/models/wire"
)

// What is encoded is decoded again, to the same conversation, tools and settings, and
// Anthropic's servers would take it.
func TestRequestsAreReadAsTheyWereWritten(t *testing.T) {
	t.Parallel()
	asked := wire.Request{
		Model: "m", Stream: true, Usage: true, Reasons: true,
		Messages: []wire.Message{
			{Role: wire.System, Content: "Be kind."},
			{Role: wire.User, Parts: []wire.Part{{Text: "See \"this\""}, {Text: "and this"}, {Address: wire.Inline("image/png", "AAAA")}}},
			{Role: wire.Assistant, Content: "Yes.", ToolCalls: []wire.ToolCall{{ID: "1", Name: "f", Arguments: `{"a":1}`}, {ID: "2", Name: "g", Arguments: "{}"}}},
			{Role: wire.ToolRole, ToolCallID: "1", Content: "done"},
			{Role: wire.ToolRole, ToolCallID: "2", Content: ""},
			{Role: wire.User, Content: "Go on."},
		},
		Tools: []wire.Tool{{Name: "f", Description: "d", Parameters: json.RawMessage(`{"type":"object"}`)}, {Name: "g", Parameters: json.RawMessage(`{}`)}},
		Settings: wire.Settings{
			TopP: new(0.5), Stop: []string{"x"}, MaxOutput: 9000, Budget: 2000, Parallel: new(false), Choice: wire.Choice{Function: "f"},
		},
	}
	body, err := Codec{}.Encode(&asked)
	if err != nil {
		t.Fatal(err)
	}
	members, err := wire.Split("", body)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Codec{}.Decode(members)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(&asked, got, cmpopts.IgnoreFields(wire.Message{}, "Written")); diff != "" {
		t.Error(diff)
	}
	if err := Check(members, got); err != nil {
		t.Error(err)
	}
	marks := 0
	err = Prompt(members, func(_ []byte, marked bool) {
		if marked {
			marks++
		}
	})
	if marks != 3 || err != nil { // the tools, the system's message, the last one
		t.Errorf("%d marks, %v", marks, err)
	}
	results, err := Codec{}.Results(members)
	if want := []wire.Result{{ID: "1", Text: json.RawMessage(`"done"`)}, {ID: "2"}}; err != nil || cmp.Diff(want, results) != "" {
		t.Errorf("results %v, %v", results, err)
	}
}

// An answer is read as it was written, at once or in events, and its thinking goes back with
// its signature.
func TestAnswersAreReadAsTheyWereWritten(t *testing.T) {
	t.Parallel()
	said := wire.Answer{
		ID: "1", Model: "m", FinishReason: wire.Calls, Usage: wire.Usage{Prompt: 9, Cached: 4, CacheWrite: 2, Completion: 5},
		Message: wire.Message{
			Role: wire.Assistant, Content: "See:", Reasoning: "Hm.", Signature: "s",
			ToolCalls: []wire.ToolCall{{ID: "1", Name: "f", Arguments: `{"a":"<b>"}`}, {ID: "2", Name: "g", Arguments: "{}"}},
		},
	}
	whole, err := wire.Write(Codec{}.EncodeAnswer(&wire.Request{}, &said))
	if err != nil {
		t.Fatal(err)
	}
	var events strings.Builder
	w := Codec{}.Writer(&wire.Request{}, &said, func(e wire.Event) {
		raw, err := e.Bytes()
		if err != nil {
			t.Error(err)
		}
		events.Write(raw)
	})
	for _, d := range said.Deltas() {
		err = errors.Join(err, w.Delta(d))
	}
	w.End(&said)
	if err != nil {
		t.Fatal(err)
	}
	streamed, err := wire.Assemble(strings.NewReader(events.String()), Codec{}.Reader(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, body := range map[string][]byte{"whole": whole, "streamed": streamed} {
		got, err := Codec{}.DecodeAnswer(body)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(said, got, cmpopts.IgnoreFields(wire.Message{}, "Replay", "Signature"), cmpopts.IgnoreFields(wire.Answer{}, "ID", "Model")); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		next, err := Codec{}.Encode(&wire.Request{Messages: []wire.Message{got.Message}})
		if err != nil {
			t.Fatal(err)
		}
		members, err := wire.Split("", next)
		if err != nil {
			t.Fatal(err)
		}
		back, err := Codec{}.Decode(members)
		if err != nil || back.Messages[0].Signature != "s" || back.Messages[0].Reasoning != "Hm." {
			t.Errorf("%s: %+v came back, %v", name, back, err)
		}
	}
}
