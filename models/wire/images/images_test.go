package images

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"agentd/models/wire"
)

// A form and its answer are read as they were written.
func TestFormsAndAnswersAreReadAsTheyWereWritten(t *testing.T) {
	t.Parallel()
	asked := &wire.Request{Model: "m", Messages: []wire.Message{{Role: wire.User, Content: "Make it red."}}}
	asked.Messages[0].Show("image/png", "\x89PNG")
	form, err := Codec{}.Encode(asked)
	if err != nil {
		t.Fatal(err)
	}
	got, err := DecodeForm(FormType, form, 1<<20)
	if diff := cmp.Diff(asked, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
	said := wire.Answer{
		Message:      wire.Message{Role: wire.Assistant, Pictures: []wire.Picture{{Type: "image/png", Data: []byte{1, 2}}}},
		FinishReason: wire.Stop, Usage: wire.Usage{Prompt: 3, Completion: 4},
	}
	raw, err := wire.Write(Codec{}.EncodeAnswer(asked, &said))
	if err != nil {
		t.Fatal(err)
	}
	answer, err := Codec{}.DecodeAnswer(raw)
	if diff := cmp.Diff(said, answer, cmpopts.EquateEmpty()); err != nil || diff != "" {
		t.Error(err, diff)
	}
}
