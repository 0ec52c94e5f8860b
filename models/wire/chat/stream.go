package chat

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/sashabaranov/go-openai"

	"agentd/models/wire"
)

// writer writes an answer as events. Each event contains what it adds to the message.
type writer struct {
	asked *wire.Request
	event answer // the members that all events share
	emit  func(wire.Event)
	begun bool
	calls int // calls begun
}

// Writer implements wire.Codec.
func (Codec) Writer(r *wire.Request, head *wire.Answer, emit func(wire.Event)) wire.Writer {
	return &writer{asked: r, event: answer{ID: head.ID, Object: "chat.completion.chunk", Created: time.Now().Unix(), Model: head.Model}, emit: emit}
}

type delta struct {
	Role    wire.Role   `json:"role,omitempty"`
	Content *string     `json:"content,omitempty"`
	Thought string      `json:"reasoning_content,omitempty"`
	Calls   []callDelta `json:"tool_calls,omitempty"`
	Images  []drawn     `json:"images,omitempty"`
}

type callDelta struct {
	Index    int             `json:"index"`
	ID       string          `json:"id,omitempty"`
	Type     openai.ToolType `json:"type,omitempty"`
	Function struct {
		Name      string `json:"name,omitempty"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

// send writes an event.
func (w *writer) send(more delta, finish string, usage *openai.Usage) {
	if !w.begun {
		w.begun = true
		w.send(delta{Role: wire.Assistant, Content: new(string)}, "", nil)
	}
	w.chunk(usage, choice{Delta: &more, FinishReason: openai.FinishReason(finish)})
}

func (w *writer) chunk(usage *openai.Usage, choices ...choice) {
	event := w.event
	event.Choices, event.Usage = append([]choice{}, choices...), usage
	w.emit(wire.Event{Data: event})
}

// Delta implements wire.Writer.
func (w *writer) Delta(d wire.Delta) error {
	if d.Thought != "" {
		w.send(delta{Thought: d.Thought}, "", nil)
	}
	if d.Text != "" {
		w.send(delta{Content: &d.Text}, "", nil)
	}
	if !d.OfCall() {
		return nil
	}
	piece := callDelta{Index: d.Call}
	piece.Function.Arguments = d.Arguments
	if d.Call >= w.calls {
		w.calls = d.Call + 1
		piece.ID, piece.Type, piece.Function.Name = d.ID, openai.ToolTypeFunction, d.Name
	}
	w.send(delta{Calls: []callDelta{piece}}, "", nil)
	return nil
}

// End writes the usage in a separate event to clients that asked for it. Other clients get it
// together with the finish reason.
func (w *writer) End(a *wire.Answer) {
	usage, end := usageOf(a.Usage), delta{Images: drawnIn(&a.Message)}
	switch {
	case a.Empty:
		w.chunk(usage)
	case w.asked.Usage:
		w.send(end, a.FinishReason, nil)
		w.chunk(usage)
	default:
		w.send(end, a.FinishReason, usage)
	}
	w.emit(wire.Event{Data: wire.EndOfStream})
}

// Broken implements wire.Writer.
func (w *writer) Broken(err error) {
	w.emit(wire.Event{Data: openai.ErrorResponse{Error: &openai.APIError{Message: err.Error(), Type: wire.BrokenOff, Code: wire.BrokenOff}}})
}

// UsageAlone reports whether an event of a stream contains only the usage.
func UsageAlone(event []byte) bool {
	for line := range bytes.Lines(event) {
		data, ok := bytes.CutPrefix(line, []byte("data:"))
		if !ok || !bytes.Contains(data, []byte(`"usage"`)) {
			continue
		}
		all, err := wire.Split("", data)
		if err == nil && slices.Contains([]string{"[]", "null", ""}, string(all["choices"])) {
			return true
		}
	}
	return false
}

// Reader implements wire.Codec.
func (Codec) Reader() wire.Reader { return &reader{} }

// reader assembles a stream of chat completions. Each event contains what it adds to the
// message.
type reader struct {
	wire.News
	kept    wire.Kept
	found   bool
	message wire.Grown
	details []*wire.Grown    // OpenRouter's reasoning
	images  []jsontext.Value // OpenRouter's pictures drawn by the model
	calls   []*streamedCall
	finish  string
	usage   jsontext.Value
}

// streamedCall is a call in progress and its function.
type streamedCall struct{ call, function wire.Grown }

// Ended implements wire.Reader.
func (a *reader) Ended() bool { return a.finish != "" }

// heardDelta is what an event adds to the message.
type heardDelta struct {
	Content   string           `json:"content"`
	Calls     []heardCall      `json:"tool_calls"`
	Reasoning string           `json:"reasoning"`
	Thought   string           `json:"reasoning_content"`
	Details   []map[string]any `json:"reasoning_details"`
	Images    []jsontext.Value `json:"images"`
}

// Add implements wire.Reader.
func (a *reader) Add(_ string, data []byte) error {
	a.News = a.News[:0]
	var piece struct {
		Choices []struct {
			Index  int        `json:"index"`
			Delta  heardDelta `json:"delta"`
			Finish string     `json:"finish_reason"`
		} `json:"choices"`
		Usage jsontext.Value `json:"usage"`
		Error jsontext.Value `json:"error"`
	}
	if err := wire.ReadAnswer(data, &piece); err != nil {
		return fmt.Errorf("reading the stream: %w", err)
	}
	if err := wire.ErrorInside(piece.Error); err != nil {
		return err
	}
	if err := a.kept.Add(len(data)/8 + 1); err != nil { // most of an event is discarded
		return err
	}
	if len(piece.Usage) > 0 && piece.Usage.Kind() == '{' {
		a.usage = piece.Usage
	}
	for i := range piece.Choices {
		choice := &piece.Choices[i]
		if choice.Index != 0 {
			continue
		}
		a.found = true
		if err := a.add(&choice.Delta, len(data)); err != nil {
			return err
		}
		a.finish = cmp.Or(choice.Finish, a.finish)
	}
	return nil
}

// add adds to the message. size is the size of the event in bytes.
func (a *reader) add(d *heardDelta, size int) error {
	keeps := len(d.Content) + len(d.Reasoning) + len(d.Thought)
	if len(d.Details) > 0 {
		keeps += size
	}
	a.message.Add("content", d.Content)
	a.message.Add("reasoning", d.Reasoning)
	a.message.Add("reasoning_content", d.Thought)
	if d.Content+d.Reasoning+d.Thought != "" {
		a.News = append(a.News, wire.Delta{Text: d.Content, Thought: d.Reasoning + d.Thought})
	}
	for _, detail := range d.Details {
		a.detail(detail)
	}
	for _, image := range d.Images[:min(len(d.Images), wire.MostPictures-len(a.images))] {
		keeps += len(image)
		a.images = append(a.images, image)
	}
	for _, piece := range d.Calls { // without an index, each piece is a call
		at, made := len(a.calls), &piece.Function
		if piece.Index != nil {
			at = *piece.Index
		}
		if at < 0 || at > len(a.calls) || at > wire.MaxCalls {
			return fmt.Errorf("reading the stream: call %d comes after %d others", at, len(a.calls))
		}
		if at == len(a.calls) {
			a.calls = append(a.calls, &streamedCall{})
		}
		a.News = append(a.News, wire.Delta{Call: at, ID: piece.ID, Name: made.Name, Arguments: string(made.Arguments)})
		c := a.calls[at]
		if piece.ID != "" || c.call.Get("id") == nil {
			c.call.Set("id", piece.ID)
		}
		if piece.Extra != nil {
			c.call.Set("extra_content", piece.Extra)
		}
		c.function.Add("name", made.Name)
		c.function.Add("arguments", string(made.Arguments))
		keeps += len(made.Arguments) + len(piece.Extra)
	}
	return a.kept.Add(keeps)
}

// detail adds a piece of a reasoning detail. A piece with the index and type of the last one
// continues it.
func (a *reader) detail(piece map[string]any) {
	last := len(a.details) - 1
	if last < 0 || a.details[last].Get("index") != piece["index"] || a.details[last].Get("type") != piece["type"] {
		a.details = append(a.details, &wire.Grown{})
		last++
	}
	d := a.details[last]
	for name, value := range piece {
		more, isText := value.(string)
		switch {
		case isText && slices.Contains([]string{"text", "summary", "data"}, name):
			d.Add(name, more)
		case value != nil || d.Get(name) == nil:
			d.Set(name, value)
		}
	}
}

// Whole implements wire.Reader.
func (a *reader) Whole() ([]byte, error) {
	if !a.found || a.finish == "" {
		return nil, wire.ErrCutOff
	}
	message := a.message.Object("content")
	message["role"] = wire.Assistant
	var details, calls []any
	for _, d := range a.details {
		details = append(details, d.Object())
	}
	for _, c := range a.calls {
		call := c.call.Object()
		call["type"], call["function"] = openai.ToolTypeFunction, c.function.Object("name", "arguments")
		calls = append(calls, call)
	}
	whole := wire.Fields{"choices": []any{map[string]any{"index": 0, "message": message, "finish_reason": a.finish}}}
	whole.PutSome("usage", a.usage)
	message.PutSome("reasoning_details", details)
	message.PutSome("images", a.images)
	message.PutSome("tool_calls", calls)
	return wire.Write(whole)
}
