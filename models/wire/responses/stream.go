package responses

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"agentd/models/wire"
)

// writer writes a response as events: items begin, grow and end.
type writer struct {
	asked   *asked
	request *wire.Request
	head    *wire.Answer
	emit    func(wire.Event)
	number  int // number of events
	items   []map[string]any
	open    bool            // the last item is not complete
	said    strings.Builder // of the open item
	calling *wire.ToolCall  // that the open item is; nil for a text or reasoning
	call    int             // that is open, or was
}

// Writer implements wire.Codec.
func (c Codec) Writer(r *wire.Request, head *wire.Answer, emit func(wire.Event)) wire.Writer {
	return c.writer(r, head, emit)
}

func (Codec) writer(r *wire.Request, head *wire.Answer, emit func(wire.Event)) *writer {
	own, decoded := r.Own.(*asked)
	if !decoded {
		own = &asked{created: time.Now()}
	}
	return &writer{asked: own, request: r, head: head, emit: emit, call: -1}
}

func (w *writer) send(name string, data map[string]any) {
	data["type"], data["sequence_number"] = name, w.number
	w.number++
	w.emit(wire.Event{Name: name, Data: data})
}

// last returns the item that was begun last.
func (w *writer) last() map[string]any { return w.items[len(w.items)-1] }

// begin begins an item, and the response if it is the first.
func (w *writer) begin(item map[string]any) {
	if w.number == 0 {
		w.send("response.created", map[string]any{"response": w.begun(inProgress)})
		w.send("response.in_progress", map[string]any{"response": w.begun(inProgress)})
	}
	w.close(completed)
	w.items, w.open = append(w.items, item), true
	w.send("response.output_item.added", map[string]any{"output_index": len(w.items) - 1, "item": maps.Clone(item)})
	if item["type"] == message {
		w.inside("response.content_part.added", map[string]any{"part": textPart("")})
	}
}

// inside writes an event about the open item.
func (w *writer) inside(name string, data map[string]any) {
	data["item_id"], data["output_index"] = w.last()["id"], len(w.items)-1
	if w.last()["type"] == message {
		data["content_index"] = 0
	}
	w.send(name, data)
}

// close ends the open item.
func (w *writer) close(status string) {
	if !w.open {
		return
	}
	item, text := w.last(), w.said.String()
	w.open = false
	w.said.Reset()
	switch item["type"] {
	case reasoning:
		w.reasoned(text)
	case message:
		item["status"], item["content"] = status, []any{textPart(text)}
		w.inside("response.output_text.done", map[string]any{"text": text, "logprobs": []any{}})
		w.inside("response.content_part.done", map[string]any{"part": textPart(text)})
	default:
		w.calling.Arguments = text
		maps.Copy(item, w.asked.tools.item(w.calling))
		item["status"] = status
		if given, custom := item[customInput]; custom {
			w.inside("response.custom_tool_call_input.delta", map[string]any{"delta": given})
			w.inside("response.custom_tool_call_input.done", map[string]any{"input": given})
		} else {
			w.inside("response.function_call_arguments.done", map[string]any{"name": item["name"], "arguments": text})
		}
	}
	w.calling = nil
	w.send("response.output_item.done", map[string]any{"output_index": len(w.items) - 1, "item": item})
}

// reasoned fills in a reasoning item: the visible summary, and the encrypted reasoning, each
// only if the client asked for it.
func (w *writer) reasoned(text string) {
	item := w.last()
	if w.request.Summary {
		item["summary"] = []any{map[string]string{"type": "summary_text", "text": text}}
	}
	if w.request.Encrypted {
		item["encrypted_content"] = w.head.Message.Signature
	}
}

// Delta implements wire.Writer.
func (w *writer) Delta(d wire.Delta) error {
	if d.Thought != "" {
		if !w.open || w.last()["type"] != reasoning {
			w.begin(map[string]any{"id": w.id("rs"), "type": reasoning, "summary": []any{}})
		}
		w.said.WriteString(d.Thought)
	}
	if d.Text != "" {
		w.openText()
		w.said.WriteString(d.Text)
		w.inside("response.output_text.delta", map[string]any{"delta": d.Text, "logprobs": []any{}})
	}
	switch {
	case !d.OfCall():
		return nil
	case d.Call > w.call:
		call := &wire.ToolCall{ID: d.ID, Name: d.Name}
		item := w.asked.tools.item(call)
		item["id"], item["status"] = w.id("fc"), inProgress
		w.begin(item)
		w.call, w.calling = d.Call, call
	case d.Call < w.call || w.calling == nil:
		return wire.ErrOutOfOrder
	}
	w.said.WriteString(d.Arguments)
	if _, custom := w.last()[customInput]; !custom && d.Arguments != "" {
		w.inside("response.function_call_arguments.delta", map[string]any{"delta": d.Arguments})
	}
	return nil
}

// openText begins a message, unless one is open.
func (w *writer) openText() {
	if !w.open || w.last()["type"] != message {
		w.begin(map[string]any{"id": w.id("msg"), "type": message, "status": inProgress, "role": wire.Assistant, "content": []any{}})
	}
}

// finish ends the items of an answer. It adds an empty message after reasoning alone, or if
// there are no items.
func (w *writer) finish(a *wire.Answer) {
	if len(w.items) == 0 || w.last()["type"] == reasoning {
		w.openText()
	}
	status, _ := statusOf(a)
	w.close(status)
}

// End implements wire.Writer.
func (w *writer) End(a *wire.Answer) {
	if !a.Empty {
		w.finish(a)
	}
	response := w.response(a)
	w.send("response."+response["status"].(string), map[string]any{"response": response})
}

// Broken implements wire.Writer.
func (w *writer) Broken(err error) {
	w.send("error", map[string]any{"code": wire.BrokenOff, "message": err.Error(), "param": nil})
}

// Reader implements wire.Codec.
func (Codec) Reader() wire.Reader { return &reader{} }

// reader waits for the event that contains the whole response.
type reader struct {
	wire.News
	body  []byte
	calls map[int]int // indexes of calls, by those of their items
}

// Ended implements wire.Reader.
func (a *reader) Ended() bool { return a.body != nil }

// Add implements wire.Reader.
func (a *reader) Add(_ string, data []byte) error {
	a.News = a.News[:0]
	var e struct {
		Type     string         `json:"type"`
		Response jsontext.Value `json:"response"`
		Code     string         `json:"code"`
		Message  string         `json:"message"`
		Output   int            `json:"output_index"`
		Item     struct {
			Type   string `json:"type"`
			CallID string `json:"call_id"`
			Name   string `json:"name"`
		} `json:"item"`
		Delta jsontext.Value `json:"delta"`
	}
	if err := json.Unmarshal(data, &e); err != nil {
		return fmt.Errorf("reading the stream: %w", err)
	}
	switch e.Type {
	case "error":
		if e.Message == "" {
			return wire.DecodeError(data)
		}
		return &wire.Error{Status: wire.StatusOf(e.Code), Code: e.Code, Message: e.Message}
	case "response.failed":
		return wire.DecodeError(e.Response)
	case "response.completed", "response.incomplete":
		a.body = e.Response
	case "response.output_item.added":
		if e.Item.Type == functionCall && len(a.calls) < wire.MaxCalls {
			if a.calls == nil {
				a.calls = map[int]int{}
			}
			a.calls[e.Output] = len(a.calls)
			a.News = append(a.News, wire.Delta{Call: a.calls[e.Output], ID: e.Item.CallID, Name: e.Item.Name})
		}
	case "response.output_text.delta", "response.refusal.delta":
		a.News = append(a.News, wire.Delta{Text: wire.TextOf(json.RawMessage(e.Delta))})
	case "response.reasoning_summary_text.delta", "response.reasoning_text.delta":
		a.News = append(a.News, wire.Delta{Thought: wire.TextOf(json.RawMessage(e.Delta))})
	case "response.function_call_arguments.delta":
		if call, ok := a.calls[e.Output]; ok {
			a.News = append(a.News, wire.Delta{Call: call, Arguments: wire.TextOf(json.RawMessage(e.Delta))})
		}
	}
	return nil
}

// Whole implements wire.Reader.
func (a *reader) Whole() ([]byte, error) {
	if a.body == nil {
		return nil, wire.ErrCutOff
	}
	return a.body, nil
}
