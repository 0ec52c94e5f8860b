package gateway

import (
	"crypto/rand"
	"maps"
	"slices"
	"strings"

	"agentd/models"
)

// output is an item of a response: what the model said, or one of its calls.
type output struct {
	id     string
	status string
	text   string
	call   *models.ToolCall // nil for a text
	said   map[string]any   // the call as the dialect has it
}

// Statuses of responses and of their items.
const (
	inProgress = "in_progress"
	completed  = "completed"
	incomplete = "incomplete"
)

// statusOf is an answer's status, and if it is incomplete, the reason.
func statusOf(answer models.Response) (status, reason string) {
	switch answer.FinishReason {
	case "length":
		return incomplete, "max_output_tokens"
	case "content_filter":
		return incomplete, "content_filter"
	}
	return completed, ""
}

// outputs are the items of an answer. There is always one.
func outputs(answer models.Response, o *offering) []output {
	var list []output
	if text := answer.Message.Content; text != "" || len(answer.Message.ToolCalls) == 0 {
		list = append(list, output{id: "msg_" + rand.Text(), text: text})
	}
	for i := range answer.Message.ToolCalls {
		call := &answer.Message.ToolCalls[i]
		list = append(list, output{id: "fc_" + rand.Text(), call: call, said: o.item(call)})
	}
	for i := range list {
		list[i].status = completed
	}
	list[len(list)-1].status, _ = statusOf(answer)
	return list
}

// piece is what the item adds to the conversation.
func (o output) piece() piece {
	if o.call != nil {
		arguments, _ := encode(o.call.Arguments) // a text can always be written
		return callPiece(o.id, chatCall{o.call.ID, o.call.Name, arguments})
	}
	text, _ := encode(o.text)
	return piece{o.id, chatMessage{role: models.Assistant, content: content(text)}}
}

// item is the item as the dialect has it.
func (o output) item() map[string]any {
	if o.call != nil {
		item := maps.Clone(o.said)
		item["id"], item["status"] = o.id, o.status
		return item
	}
	return map[string]any{"id": o.id, "type": "message", "status": o.status, "role": "assistant", "content": []any{outputText(o.text)}}
}

// begun is the item as it is announced, before its content is sent.
func (o output) begun() map[string]any {
	item := o.item()
	item["status"] = inProgress
	switch item["type"] {
	case "function_call":
		item["arguments"] = ""
	case "custom_tool_call":
		item["input"] = ""
	default:
		item["content"] = []any{}
	}
	return item
}

// outputText is the one part of a message's content.
func outputText(text string) map[string]any {
	return map[string]any{"type": "output_text", "text": text, "annotations": []any{}, "logprobs": []any{}}
}

// respond makes the response of an answer, whose items are given, and keeps the
// conversation unless the client asked not to store it.
func (q *responsesQuestion) respond(answer models.Response, list []output) map[string]any {
	items := make([]any, len(list))
	for i, o := range list {
		items[i] = o.item()
	}
	if q.store {
		q.keep(list)
	}
	status, reason := statusOf(answer)
	response := q.response(status, items)
	if reason != "" {
		response["incomplete_details"] = map[string]string{"reason": reason}
	}
	u := answer.Usage
	response["usage"] = map[string]any{
		"input_tokens": u.Prompt, "output_tokens": u.Completion, "total_tokens": u.Total(),
		"input_tokens_details":  map[string]int{"cached_tokens": u.Cached},
		"output_tokens_details": map[string]int{"reasoning_tokens": u.Reasoning},
	}
	return response
}

// keep keeps the conversation with what the model said at its end.
func (q *responsesQuestion) keep(said []output) {
	pieces := slices.Clone(q.pieces)
	for i := len(pieces) - q.added; i < len(pieces); i++ {
		pieces[i] = pieces[i].clone()
	}
	for _, o := range said {
		pieces = append(pieces, o.piece())
	}
	q.gateway.kept.keep(q.id, pieces)
}

// response is one without usage. It repeats what was asked, as clients expect.
func (q *responsesQuestion) response(status string, items []any) map[string]any {
	response := map[string]any{
		"id": q.id, "object": "response", "created_at": q.created.Unix(), "model": q.gateway.model.Name(),
		"status": status, "output": items, "error": nil, "incomplete_details": nil, "usage": nil,
	}
	for name, otherwise := range map[string]any{
		"instructions": nil, "previous_response_id": nil, "max_output_tokens": nil, "temperature": nil, "top_p": nil, "user": nil,
		"tools": []any{}, "tool_choice": "auto", "parallel_tool_calls": true, "store": true, "metadata": map[string]any{},
		"reasoning":  map[string]any{"effort": nil, "summary": nil},
		"text":       map[string]any{"format": map[string]string{"type": "text"}},
		"background": false, "truncation": "disabled", "service_tier": "default",
	} {
		response[name] = otherwise
		if asked := q.asked[name]; given(asked) {
			response[name] = asked
		}
	}
	return response
}

func (q *responsesQuestion) answer(answer models.Response) any {
	return q.respond(answer, outputs(answer, &q.offered))
}

// responsesWriter writes a response as events.
type responsesWriter struct {
	q      *responsesQuestion
	emit   func(event)
	number int      // of events
	list   []output // items, of which the last may be open
	open   bool
	said   strings.Builder // of the open item
	call   int             // that is open, or was
}

func (q *responsesQuestion) writer(send func(event), _ *models.Usage) writer {
	return &responsesWriter{q: q, emit: send, call: -1}
}

func (w *responsesWriter) send(name string, data map[string]any) {
	data["type"], data["sequence_number"] = name, w.number
	w.number++
	w.emit(event{name, data})
}

// last is the item that was begun last.
func (w *responsesWriter) last() *output { return &w.list[len(w.list)-1] }

// begin begins an item, and the response if it is the first.
func (w *responsesWriter) begin(o output) {
	if w.number == 0 {
		w.send("response.created", map[string]any{"response": w.q.response(inProgress, []any{})})
		w.send("response.in_progress", map[string]any{"response": w.q.response(inProgress, []any{})})
	}
	w.close(completed)
	w.list, w.open = append(w.list, o), true
	w.send("response.output_item.added", map[string]any{"output_index": len(w.list) - 1, "item": o.begun()})
	if o.call == nil {
		w.inside("response.content_part.added", map[string]any{"part": outputText("")})
	}
}

// inside sends an event about the open item.
func (w *responsesWriter) inside(name string, data map[string]any) {
	data["item_id"], data["output_index"] = w.last().id, len(w.list)-1
	if w.last().call == nil {
		data["content_index"] = 0
	}
	w.send(name, data)
}

// close ends the open item.
func (w *responsesWriter) close(status string) {
	if !w.open {
		return
	}
	o := w.last()
	o.status, w.open = status, false
	defer w.said.Reset()
	if o.call == nil {
		o.text = w.said.String()
		w.inside("response.output_text.done", map[string]any{"text": o.text, "logprobs": []any{}})
		w.inside("response.content_part.done", map[string]any{"part": outputText(o.text)})
	} else {
		o.call.Arguments = w.said.String()
		o.said = w.q.offered.item(o.call)
		if text, custom := o.said["input"]; custom {
			w.inside("response.custom_tool_call_input.delta", map[string]any{"delta": text})
			w.inside("response.custom_tool_call_input.done", map[string]any{"input": text})
		} else {
			w.inside("response.function_call_arguments.done", map[string]any{"name": o.said["name"], "arguments": o.call.Arguments})
		}
	}
	w.send("response.output_item.done", map[string]any{"output_index": len(w.list) - 1, "item": o.item()})
}

func (w *responsesWriter) delta(d models.Delta) error {
	if d.Text != "" {
		if !w.open || w.last().call != nil {
			w.begin(output{id: "msg_" + rand.Text(), status: inProgress})
		}
		w.said.WriteString(d.Text)
		w.inside("response.output_text.delta", map[string]any{"delta": d.Text, "logprobs": []any{}})
	}
	switch {
	case !d.OfCall():
		return nil
	case d.Call > w.call:
		call := &models.ToolCall{ID: d.ID, Name: d.Name}
		w.begin(output{id: "fc_" + rand.Text(), status: inProgress, call: call, said: w.q.offered.item(call)})
		w.call = d.Call
	case d.Call < w.call || !w.open || w.last().call == nil:
		return errOutOfOrder
	}
	o := w.last()
	w.said.WriteString(d.Arguments)
	if _, custom := o.said["input"]; !custom && d.Arguments != "" {
		w.inside("response.function_call_arguments.delta", map[string]any{"delta": d.Arguments})
	}
	return nil
}

func (w *responsesWriter) end(answer models.Response) {
	if len(w.list) == 0 {
		w.begin(output{id: "msg_" + rand.Text(), status: inProgress})
	}
	status, _ := statusOf(answer)
	w.close(status)
	w.send("response."+status, map[string]any{"response": w.q.respond(answer, w.list)})
}

func (w *responsesWriter) broken(err error) {
	w.send("error", map[string]any{"code": brokenOff, "message": err.Error(), "param": nil})
}
