package models

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func say(text string) string {
	return `{"choices": [{"message": {"content": "` + text + `", "tool_calls": [{"id": "c", "function": {"name": "f", "arguments": "{}"}}]}, "finish_reason": "stop"}],
		"usage": {"prompt_tokens": 9, "completion_tokens": 2}}`
}

func openRecorded(t *testing.T, path string, spec Spec) (Model, *Recorder) {
	t.Helper()
	recorder, err := NewRecorder(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = recorder.Close() })
	model, err := recorder.Open(spec, nil)
	if err != nil {
		t.Fatal(err)
	}
	model.(*client).pause = func(context.Context, time.Duration) error { return nil }
	return model, recorder
}

func openReplayed(t *testing.T, path string) Model {
	t.Helper()
	specs, err := Recorded(path)
	if err != nil || len(specs) != 1 {
		t.Fatalf("%d models, %v", len(specs), err)
	}
	model, err := Open(specs[0], nil)
	if err != nil {
		t.Fatal(err)
	}
	return model
}

func TestReplaysAnswerAsWasRecorded(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "r.jsonl")
	s := serve(t, status(200, `{"choices": [], `+charged+`}`), status(200, say("first")), status(200, say("second")), status(200, say("other step")), apiError(400, "no", ""))
	spec := Spec{Name: "m", Model: "real", BaseURL: s.URL, KeyEnv: testKeyEnv, Headers: map[string]string{"X": "secret"}, Price: &Price{Input: 1, Output: 2}}
	model, _ := openRecorded(t, path, spec)
	type answer struct {
		got Response
		err error
	}
	run := func(m Model) (all []answer) {
		one, two := WithStep(t.Context(), "one"), WithStep(t.Context(), "two")
		for _, ctx := range []context.Context{one, one, two, two} {
			got, err := m.Complete(ctx, hello)
			all = append(all, answer{got, err})
		}
		return all
	}
	recorded := run(model)
	replay := openReplayed(t, path)
	if replay.Name() != "m" {
		t.Errorf("the model is %s", replay.Name())
	}
	for i, again := range run(replay) {
		if diff := cmp.Diff(recorded[i].got, again.got, cmpopts.IgnoreUnexported(Message{})); diff != "" {
			t.Errorf("answer %d: %s", i+1, diff)
		}
		if (again.err == nil) != (recorded[i].err == nil) || again.err != nil && again.err.Error() != recorded[i].err.Error() {
			t.Errorf("answer %d: error %v, recorded %v", i+1, again.err, recorded[i].err)
		}
	}
	if recorded[0].got.Waste.Usage.Prompt != 100 || recorded[1].got.Message.Content != "second" {
		t.Errorf("recorded %+v", recorded)
	}
	if len(s.asked()) != 5 {
		t.Errorf("the replay asked the server: %d requests", len(s.asked()))
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{testKey, "secret", "Hello"} {
		if strings.Contains(string(raw), secret) {
			t.Errorf("the recording holds %q: %s", secret, raw)
		}
	}
}

func TestWhatWasNotRecordedIsAnErrorThatSaysSo(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "r.jsonl")
	model, _ := openRecorded(t, path, Spec{Name: "m", BaseURL: serve(t, answered).URL})
	step := WithStep(t.Context(), "one")
	if _, err := model.Complete(step, hello); err != nil {
		t.Fatal(err)
	}
	replay := openReplayed(t, path)
	step = WithStep(t.Context(), "one")
	if _, err := replay.Complete(step, hello); err != nil {
		t.Fatal(err)
	}
	other := Request{Messages: []Message{{Role: User, Content: "Hello?"}}}
	for name, c := range map[string]struct {
		ctx     context.Context
		request Request
	}{
		"once more than was recorded": {step, hello},
		"another step":                {WithStep(t.Context(), "two"), hello},
		"another request":             {WithStep(t.Context(), "one"), other},
	} {
		_, err := replay.Complete(c.ctx, c.request)
		var failure *Error
		if !errors.As(err, &failure) || failure.Kind != NotRecorded || !failure.Kind.EndsWork() || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestARecordingGoesOnAfterACrash(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "r.jsonl")
	s := serve(t, status(200, say("before")), status(200, say("after")))
	model, _ := openRecorded(t, path, Spec{Name: "m", BaseURL: s.URL})
	if _, err := model.Complete(WithStep(t.Context(), "one"), hello); err != nil {
		t.Fatal(err)
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.WriteString(`{"exchange": {"mod`); err != nil {
		t.Fatal(err)
	}
	_ = file.Close()
	model, _ = openRecorded(t, path, Spec{Name: "m", BaseURL: s.URL})
	if _, err := model.Complete(WithStep(t.Context(), "one"), hello); err != nil { // the interaction is done again
		t.Fatal(err)
	}
	got, err := openReplayed(t, path).Complete(WithStep(t.Context(), "one"), hello)
	if err != nil || got.Message.Content != "after" {
		t.Errorf("%q, %v; want what came after", got.Message.Content, err)
	}
}

func TestWhatIsNoRecordingIsRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, says string }{
		"nothing":       {"", "names no model"},
		"another file":  {"{}\n", "line 1: it is neither"},
		"no JSON":       {"{\"spec\": {\"name\": \"m\"}}\nmodel\n", "line 2:"},
		"half a record": {`{"exchange": {"model": "m"}}` + "\n", "line 1: it is neither"},
	} {
		path := filepath.Join(t.TempDir(), "r.jsonl")
		if err := os.WriteFile(path, []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Recorded(path); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q in it", name, err, c.says)
		}
	}
}
