package messages

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"agentd/models/wire"
)

// writer writes a message as events. The arguments of a call are written when they are
// complete, because they must form an object.
type writer struct {
	head      *wire.Answer
	emit      func(wire.Event)
	blocks    int    // blocks begun
	kind      string // type of the open block; "" if none is open
	call      int    // index of the call that was opened last
	arguments strings.Builder
	last      time.Time // time of the last event
}

// Writer implements wire.Codec.
func (Codec) Writer(_ *wire.Request, head *wire.Answer, emit func(wire.Event)) wire.Writer {
	return &writer{head: head, emit: emit, call: -1}
}

func (w *writer) send(kind string, data map[string]any) {
	data["type"], w.last = kind, time.Now()
	w.emit(wire.Event{Name: kind, Data: data})
}

// begin writes the beginning of the message.
func (w *writer) begin() {
	if !w.last.IsZero() {
		return
	}
	usage := usageOf(w.head.Usage)
	usage["output_tokens"] = 1
	w.send("message_start", map[string]any{"message": whole(w.head, []any{}, nil, usage)})
}

// open begins a block.
func (w *writer) open(block map[string]any) {
	w.begin()
	w.close()
	w.kind = block["type"].(string)
	w.send("content_block_start", map[string]any{"index": w.blocks, "content_block": block})
	w.blocks++
}

// add adds to the open block.
func (w *writer) add(kind, name, text string) {
	w.send("content_block_delta", map[string]any{"index": w.blocks - 1, "delta": map[string]any{"type": kind, name: text}})
}

// close ends the open block.
func (w *writer) close() {
	switch w.kind {
	case "":
		return
	case "thinking":
		w.add("signature_delta", "signature", w.head.Message.Signature)
	case "tool_use":
		call := wire.ToolCall{Arguments: w.arguments.String()}
		w.add("input_json_delta", "partial_json", string(call.Object()))
		w.arguments.Reset()
	}
	w.send("content_block_stop", map[string]any{"index": w.blocks - 1})
	w.kind = ""
}

// pingAfter is the longest silence while a call's arguments arrive.
const pingAfter = 5 * time.Second

func (w *writer) Delta(d wire.Delta) error {
	if d.Thought != "" && w.head.Message.Signature != "" {
		if w.kind != "thinking" {
			w.open(map[string]any{"type": "thinking", "thinking": "", "signature": ""})
		}
		w.add("thinking_delta", "thinking", d.Thought)
	}
	if d.Text != "" {
		if w.kind != "text" {
			w.open(map[string]any{"type": "text", "text": ""})
		}
		w.add("text_delta", "text", d.Text)
	}
	switch {
	case !d.OfCall():
		return nil
	case d.Call > w.call:
		w.open(map[string]any{"type": "tool_use", "id": d.ID, "name": d.Name, "input": map[string]any{}})
		w.call = d.Call
	case d.Call < w.call || w.kind != "tool_use":
		return wire.ErrOutOfOrder
	case time.Since(w.last) > pingAfter:
		w.send("ping", map[string]any{})
	}
	w.arguments.WriteString(d.Arguments)
	return nil
}

func (w *writer) End(a *wire.Answer) {
	if w.blocks == 0 && !a.Empty {
		w.open(map[string]any{"type": "text", "text": ""})
	}
	w.begin()
	w.close()
	w.send("message_delta", map[string]any{
		"delta": map[string]any{"stop_reason": reasonOf(a), "stop_sequence": nil}, "usage": usageOf(a.Usage),
	})
	w.send("message_stop", map[string]any{})
}

func (w *writer) Broken(err error) { w.send("error", failure("api_error", err.Error())) }

// Reader implements wire.Codec.
func (Codec) Reader() wire.Reader { return &reader{} }

// reader assembles the blocks of a stream.
type reader struct {
	wire.News
	kept   wire.Kept
	usage  map[string]any
	blocks []*streamedBlock
	reason string
	done   bool
	calls  int
}

func (a *reader) Ended() bool { return a.done }

// streamedBlock is a block in progress.
type streamedBlock struct {
	wire.Grown
	input strings.Builder
	call  int // its index among the calls, if it is a call
}

// Add implements wire.Reader.
func (a *reader) Add(_ string, data []byte) error {
	a.News = a.News[:0]
	var e struct {
		Type    string `json:"type"`
		Index   int    `json:"index"`
		Message struct {
			Usage map[string]any `json:"usage"`
		} `json:"message"`
		Block map[string]json.RawMessage `json:"content_block"`
		Delta struct {
			Type       string `json:"type"`
			Text       string `json:"text"`
			Thinking   string `json:"thinking"`
			Signature  string `json:"signature"`
			Partial    string `json:"partial_json"`
			StopReason string `json:"stop_reason"`
		} `json:"delta"`
		Usage map[string]any `json:"usage"`
	}
	if err := json.Unmarshal(data, &e); err != nil {
		return fmt.Errorf("reading the stream: %w", err)
	}
	if err := a.kept.Add(len(e.Delta.Text) + len(e.Delta.Thinking) + len(e.Delta.Signature) + len(e.Delta.Partial)); err != nil {
		return err
	}
	switch e.Type {
	case "error":
		return wire.DecodeError(data)
	case "message_start":
		a.usage = e.Message.Usage
	case "content_block_start":
		if e.Index != len(a.blocks) || len(a.blocks) > 2*wire.MaxCalls {
			return fmt.Errorf("reading the stream: block %d comes after %d others", e.Index, len(a.blocks))
		}
		if err := a.kept.Add(len(data)); err != nil {
			return err
		}
		b := &streamedBlock{}
		for name, value := range e.Block {
			b.Set(name, value)
		}
		a.blocks = append(a.blocks, b)
		text := func(name string) string { return wire.TextOf(e.Block[name]) }
		if text("type") == "tool_use" {
			b.call = a.calls
			a.calls++
			a.News = append(a.News, wire.Delta{Call: b.call, ID: text("id"), Name: text("name")})
		} else if text("text") != "" {
			a.News = append(a.News, wire.Delta{Text: text("text")})
		}
	case "content_block_delta":
		if e.Index < 0 || e.Index >= len(a.blocks) {
			return fmt.Errorf("reading the stream: there is no block %d", e.Index)
		}
		b := a.blocks[e.Index]
		b.Add("text", e.Delta.Text)
		b.Add("thinking", e.Delta.Thinking)
		b.Add("signature", e.Delta.Signature)
		b.input.WriteString(e.Delta.Partial)
		a.News = append(a.News, wire.Delta{Text: e.Delta.Text, Thought: e.Delta.Thinking, Call: b.call, Arguments: e.Delta.Partial})
	case "message_delta":
		a.reason = e.Delta.StopReason
		for name, n := range e.Usage { // totals so far
			if a.usage == nil {
				a.usage = map[string]any{}
			}
			if n != nil {
				a.usage[name] = n
			}
		}
	case "message_stop":
		a.done = true
	}
	return nil
}

func (a *reader) Whole() ([]byte, error) {
	if !a.done {
		return nil, wire.ErrCutOff
	}
	content := make([]wire.Fields, len(a.blocks))
	for i, b := range a.blocks {
		content[i] = b.Object()
		if input := b.input.String(); json.Valid([]byte(input)) {
			content[i]["input"] = json.RawMessage(input)
		} else if input != "" { // incomplete: cut off at the output limit
			content[i]["input"] = (&wire.ToolCall{Arguments: input}).Object()
		}
	}
	return wire.Write(map[string]any{"type": "message", "role": "assistant", "content": content, "stop_reason": a.reason, "usage": a.usage})
}
