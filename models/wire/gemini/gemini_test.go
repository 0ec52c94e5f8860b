package gemini

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"agentd/models/wire"
)

// What is encoded is decoded again, to the same conversation, tools and settings.
func TestRequestsAreReadAsTheyWereWritten(t *testing.T) {
	t.Parallel()
	asked := wire.Request{
		Summary: true,
		Messages: []wire.Message{
			{Role: wire.System, Content: "Be kind."},
			{Role: wire.User, Parts: []wire.Part{{Text: "See \"this\""}, {Text: "and this"}, {Address: wire.Inline("image/png", "AAAA")}}},
			{Role: wire.Assistant, Content: "Yes.", ToolCalls: []wire.ToolCall{{ID: "1", Name: "f", Arguments: `{"a":1}`}, {ID: "2", Name: "g", Arguments: `{}`}}, Signature: Unsigned},
			{Role: wire.ToolRole, ToolCallID: "1", Content: "done"},
			{Role: wire.ToolRole, ToolCallID: "2"},
		},
		Tools: []wire.Tool{
			{Name: "f", Description: "d", Parameters: json.RawMessage(`{"type":"object"}`)},
			{Name: "g", Parameters: json.RawMessage(`{}`)},
		},
		Settings: wire.Settings{
			Temperature: new(0.0), TopP: new(0.5), Stop: []string{"x"}, MaxOutput: 9, Effort: "low", Seed: new(int64(7)), Choice: wire.Choice{Function: "f"}, Format: &wire.Format{},
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
	results, err := Codec{}.Results(members)
	if want := []wire.Result{{ID: "1", Function: "f", Text: json.RawMessage(`"done"`)}, {ID: "2", Function: "g", Text: json.RawMessage(`""`)}}; err != nil || cmp.Diff(want, results) != "" {
		t.Errorf("results %v, %v", results, err)
	}
}

// An answer is read as it was written, at once or in events.
func TestAnswersAreReadAsTheyWereWritten(t *testing.T) {
	t.Parallel()
	said := wire.Answer{
		ID: "1", Model: "m", FinishReason: wire.Calls, Usage: wire.Usage{Prompt: 9, Cached: 4, Completion: 5, Reasoning: 2},
		Message: wire.Message{
			Role: wire.Assistant, Content: "See:", Reasoning: "Hm.", Signature: "s",
			ToolCalls: []wire.ToolCall{{ID: "1", Name: "f", Arguments: `{"a":"<b>"}`}, {ID: "2", Name: "g", Arguments: "{}"}},
			Pictures:  []wire.Picture{{Type: "image/png", Data: []byte{1, 2}}},
		},
	}
	asked := wire.Request{Summary: true}
	whole, err := wire.Write(Codec{}.EncodeAnswer(&asked, &said))
	if err != nil {
		t.Fatal(err)
	}
	var events strings.Builder
	w := Codec{}.Writer(&asked, &said, func(e wire.Event) {
		raw, err := e.Bytes()
		if err != nil {
			t.Error(err)
		}
		events.Write(raw)
	})
	err = errors.Join(w.Delta(wire.Delta{Thought: "Hm."}), w.Delta(wire.Delta{Text: "See:"}), w.Delta(wire.Delta{ID: "1", Name: "f"}),
		w.Delta(wire.Delta{Arguments: `{"a":"<b>"}`}), w.Delta(wire.Delta{Call: 1, ID: "2", Name: "g"}))
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
	}
}
