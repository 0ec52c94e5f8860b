package gemini

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/go-json-experiment/json/jsontext"

	"agentd/models/wire"
)

// writer writes an answer as events. This dialect does not split calls, so they come at the
// end.
type writer struct {
	request *wire.Request
	head    *wire.Answer
	emit    func(wire.Event)
}

// Writer implements wire.Codec.
func (Codec) Writer(r *wire.Request, head *wire.Answer, emit func(wire.Event)) wire.Writer {
	return &writer{r, head, emit}
}

// Delta implements wire.Writer.
func (w *writer) Delta(d wire.Delta) error {
	if d.Thought != "" && w.request.Summary {
		w.emit(wire.Event{Data: piece(w.head, []part{{Text: &d.Thought, Thought: true}}, "")})
	}
	if d.Text != "" {
		w.emit(wire.Event{Data: piece(w.head, []part{{Text: &d.Text}}, "")})
	}
	return nil
}

// End implements wire.Writer.
func (w *writer) End(a *wire.Answer) {
	w.emit(wire.Event{Data: whole(a, rest(&a.Message))})
}

// Broken implements wire.Writer.
func (w *writer) Broken(err error) {
	w.emit(wire.Event{Data: Codec{}.EncodeError(&wire.Error{Status: http.StatusBadGateway, Message: err.Error()})})
}

// Reader implements wire.Codec.
func (Codec) Reader() wire.Reader { return &reader{} }

// reader collects the parts of all events in one list.
type reader struct {
	wire.News
	kept     wire.Kept
	parts    [][]byte
	finish   string
	usage    jsontext.Value
	feedback jsontext.Value
}

// Ended implements wire.Reader. A Reader of this dialect reports no deltas for calls, because
// their identifiers depend on all parts.
func (a *reader) Ended() bool { return a.finish != "" || a.feedback != nil }

// Add implements wire.Reader.
func (a *reader) Add(_ string, data []byte) error {
	a.News = a.News[:0]
	var piece struct {
		Candidates wire.First[heardCandidate] `json:"candidates"`
		Feedback   jsontext.Value             `json:"promptFeedback"`
		Usage      jsontext.Value             `json:"usageMetadata"`
		Error      jsontext.Value             `json:"error"`
	}
	if err := wire.ReadAnswer(data, &piece); err != nil {
		return fmt.Errorf("reading the stream: %w", err)
	}
	if piece.Error != nil {
		return wire.DecodeError(data)
	}
	if inside := wire.Elements(piece.Candidates.It.Content.Parts); len(inside) > 0 {
		if err := a.kept.Add(len(inside)); err != nil {
			return err
		}
		a.parts = append(a.parts, bytes.Clone(inside))
		var said wire.Message
		if err := hear(&said, piece.Candidates.It.Content.Parts); err != nil {
			return fmt.Errorf("reading the stream: %w", err)
		}
		a.News = append(a.News, wire.Delta{Text: said.Content, Thought: said.Reasoning})
	}
	a.finish = cmp.Or(piece.Candidates.It.FinishReason, a.finish)
	if piece.Usage != nil {
		a.usage = piece.Usage
	}
	if piece.Feedback != nil {
		a.feedback = piece.Feedback
	}
	return nil
}

// Whole implements wire.Reader.
func (a *reader) Whole() ([]byte, error) {
	if !a.Ended() {
		return nil, wire.ErrCutOff
	}
	whole := wire.Fields{}
	if a.finish != "" {
		parts := json.RawMessage("[" + string(bytes.Join(a.parts, []byte(","))) + "]")
		whole["candidates"] = []any{map[string]any{"content": map[string]any{"role": "model", "parts": parts}, "finishReason": a.finish}}
	}
	whole.PutSome("usageMetadata", a.usage)
	whole.PutSome("promptFeedback", a.feedback)
	return wire.Write(whole)
}
