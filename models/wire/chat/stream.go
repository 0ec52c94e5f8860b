package chat

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/sashabaranov/go-openai"

	"agentd/models/wire"
)

// writer writes an answer as events: each holds what the message has more than before.
type writer struct {
	asked   *wire.Request
	id      string
	model   string
	emit    func(wire.Event)
	begun   bool
	calls   int // begun
	created int64
}

// Writer implements wire.Codec.
func (Codec) Writer(r *wire.Request, head *wire.Answer, emit func(wire.Event)) wire.Writer {
	return &writer{asked: r, id: head.ID, model: head.Model, emit: emit, created: time.Now().Unix()}
}

// chunk is an event. Its members are go-openai's, but for texts, which may be empty, and
// pieces of calls, which are nothing but arguments from the second on.
type chunk struct {
	ID      string        `json:"id"`
	Object  string        `json:"object"`
	Created int64         `json:"created"`
	Model   string        `json:"model"`
	Choices []chunkChoice `json:"choices"`
	Usage   *openai.Usage `json:"usage,omitempty"`
}

type chunkChoice struct {
	Index    int                 `json:"index"`
	Delta    delta               `json:"delta"`
	LogProbs *openai.LogProbs    `json:"logprobs"`
	Finish   openai.FinishReason `json:"finish_reason"`
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

// send sends what the message has more than before.
func (w *writer) send(more delta, finish string, usage *openai.Usage) {
	if !w.begun {
		w.begun = true
		w.send(delta{Role: wire.Assistant, Content: new(string)}, "", nil)
	}
	w.chunk(usage, chunkChoice{Delta: more, Finish: openai.FinishReason(finish)})
}

func (w *writer) chunk(usage *openai.Usage, choices ...chunkChoice) {
	if choices == nil {
		choices = []chunkChoice{}
	}
	w.emit(wire.Event{Data: chunk{w.id, "chat.completion.chunk", w.created, w.model, choices, usage}})
}

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

// End writes the usage in an event of its own to clients that asked for it, to others with
// the reason for which the answer ends.
func (w *writer) End(a *wire.Answer) {
	usage := usageOf(a.Usage)
	var images []drawn
	for _, p := range a.Message.Pictures {
		one := drawn{Type: "image_url"}
		one.Image.URL = p.Address()
		images = append(images, one)
	}
	switch {
	case a.Empty:
		w.chunk(&usage)
	case w.asked.Usage:
		w.send(delta{Images: images}, a.FinishReason, nil)
		w.chunk(&usage)
	default:
		w.send(delta{Images: images}, a.FinishReason, &usage)
	}
	w.emit(wire.Event{Data: wire.EndOfStream})
}

func (w *writer) Broken(err error) {
	w.emit(wire.Event{Data: openai.ErrorResponse{Error: &openai.APIError{Message: err.Error(), Type: wire.BrokenOff, Code: wire.BrokenOff}}})
}

// UsageAlone reports whether an event of a stream holds nothing but what the answer used.
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

// reader puts a stream of chat completions together: each event holds what the
// message has more than before.
type reader struct {
	wire.News
	kept      wire.Kept
	found     bool
	content   strings.Builder
	reasoning map[string]*strings.Builder // by the member's name
	details   []*streamedDetail           // of OpenRouter
	images    []jsontext.Value            // likewise, the pictures that the model drew
	calls     []*streamedCall
	finish    string
	usage     jsontext.Value
}

type streamedCall struct {
	id, name  string
	arguments strings.Builder
	extra     jsontext.Value
}

func (a *reader) Ended() bool { return a.finish != "" }

func (a *reader) Add(_ string, data []byte) error {
	a.News = a.News[:0]
	var piece struct {
		Choices []struct {
			Index int `json:"index"`
			Delta struct {
				Content   string              `json:"content"`
				Calls     []streamedCallPiece `json:"tool_calls"`
				Reasoning string              `json:"reasoning"`
				Thought   string              `json:"reasoning_content"`
				Details   []map[string]any    `json:"reasoning_details"`
				Images    []jsontext.Value    `json:"images"`
			} `json:"delta"`
			Finish string `json:"finish_reason"`
		} `json:"choices"`
		Usage jsontext.Value `json:"usage"`
		Error jsontext.Value `json:"error"`
	}
	if err := json.Unmarshal(data, &piece); err != nil {
		return fmt.Errorf("reading the stream: %w", err)
	}
	if err := wire.ErrorInside(piece.Error); err != nil {
		return err
	}
	if err := a.kept.Add(len(data)/8 + 1); err != nil { // most of an event is not kept
		return err
	}
	if len(piece.Usage) > 0 && piece.Usage.Kind() == '{' {
		a.usage = piece.Usage
	}
	for _, choice := range piece.Choices {
		if choice.Index != 0 {
			continue
		}
		a.found = true
		d := &choice.Delta
		if err := a.kept.Add(len(d.Content) + len(d.Reasoning) + len(d.Thought)); err != nil {
			return err
		}
		a.content.WriteString(d.Content)
		if d.Content+d.Reasoning+d.Thought != "" {
			a.News = append(a.News, wire.Delta{Text: d.Content, Thought: d.Reasoning + d.Thought})
		}
		a.reason("reasoning", d.Reasoning)
		a.reason("reasoning_content", d.Thought)
		if len(d.Details) > 0 {
			if err := a.kept.Add(len(data)); err != nil {
				return err
			}
		}
		for _, detail := range d.Details {
			a.detail(detail)
		}
		for _, image := range d.Images {
			if len(a.images) == wire.MostPictures {
				break
			}
			if err := a.kept.Add(len(image)); err != nil {
				return err
			}
			a.images = append(a.images, image)
		}
		for _, call := range d.Calls {
			if err := a.call(call); err != nil {
				return err
			}
		}
		if choice.Finish != "" {
			a.finish = choice.Finish
		}
	}
	return nil
}

type streamedCallPiece struct {
	Index    *int   `json:"index"`
	ID       string `json:"id"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
	Extra jsontext.Value `json:"extra_content"`
}

// call adds a piece of a call. A piece without an index is a call of its own.
func (a *reader) call(piece streamedCallPiece) error {
	at := len(a.calls)
	if piece.Index != nil {
		at = *piece.Index
	}
	if at < 0 || at > len(a.calls) || at > wire.MaxCalls {
		return fmt.Errorf("reading the stream: call %d comes after %d others", at, len(a.calls))
	}
	if at == len(a.calls) {
		a.calls = append(a.calls, &streamedCall{})
	}
	call := a.calls[at]
	if piece.ID != "" {
		call.id = piece.ID
	}
	a.News = append(a.News, wire.Delta{Call: at, ID: piece.ID, Name: piece.Function.Name, Arguments: piece.Function.Arguments})
	if piece.Extra != nil {
		call.extra = piece.Extra
	}
	call.name += piece.Function.Name
	call.arguments.WriteString(piece.Function.Arguments)
	return a.kept.Add(len(piece.Function.Arguments) + len(piece.Extra))
}

func (a *reader) reason(name, more string) {
	if more == "" {
		return
	}
	if a.reasoning == nil {
		a.reasoning = map[string]*strings.Builder{}
	}
	if a.reasoning[name] == nil {
		a.reasoning[name] = &strings.Builder{}
	}
	a.reasoning[name].WriteString(more)
}

// streamedDetail is a detail as it began, and its texts, which go on.
type streamedDetail struct {
	begun map[string]any
	texts map[string]*strings.Builder
}

// detail adds a piece of a reasoning detail: one with the same index and type goes on.
func (a *reader) detail(piece map[string]any) {
	last := len(a.details) - 1
	if last < 0 || a.details[last].begun["index"] != piece["index"] || a.details[last].begun["type"] != piece["type"] {
		a.details = append(a.details, &streamedDetail{map[string]any{}, map[string]*strings.Builder{}})
		last++
	}
	d := a.details[last]
	for name, value := range piece {
		more, isText := value.(string)
		switch {
		case isText && slices.Contains([]string{"text", "summary", "data"}, name):
			if d.texts[name] == nil {
				d.texts[name] = &strings.Builder{}
			}
			d.texts[name].WriteString(more)
		case value != nil || d.begun[name] == nil:
			d.begun[name] = value
		}
	}
}

// whole is the detail with its texts.
func (d *streamedDetail) whole() map[string]any {
	for name, text := range d.texts {
		d.begun[name] = text.String()
	}
	return d.begun
}

func (a *reader) Whole() ([]byte, error) {
	if !a.found || a.finish == "" {
		return nil, wire.ErrCutOff
	}
	message := map[string]any{"role": "assistant", "content": a.content.String()}
	for name, text := range a.reasoning {
		message[name] = text.String()
	}
	var details []any
	for _, d := range a.details {
		details = append(details, d.whole())
	}
	if details != nil {
		message["reasoning_details"] = details
	}
	if a.images != nil {
		message["images"] = a.images
	}
	var calls []any
	for _, c := range a.calls {
		call := map[string]any{"id": c.id, "type": "function", "function": map[string]string{"name": c.name, "arguments": c.arguments.String()}}
		if c.extra != nil {
			call["extra_content"] = c.extra
		}
		calls = append(calls, call)
	}
	if calls != nil {
		message["tool_calls"] = calls
	}
	whole := map[string]any{"choices": []any{map[string]any{"index": 0, "message": message, "finish_reason": a.finish}}}
	if a.usage != nil {
		whole["usage"] = a.usage
	}
	return wire.Write(whole)
}
