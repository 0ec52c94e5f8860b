package exec

import (
	"crypto/rand"
	"maps"
	"slices"

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
		return called(o.id, chatCall{o.call.ID, o.call.Name, arguments})
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

// respond makes the response of an answer, and keeps the conversation unless the
// client asked not to store it.
func (q *responsesQuestion) respond(answer models.Response) ([]output, map[string]any) {
	list := outputs(answer, &q.offered)
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
	return list, response
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
	q.server.kept.keep(q.id, pieces)
}

// response is one without usage. It repeats what was asked, as clients expect.
func (q *responsesQuestion) response(status string, items []any) map[string]any {
	response := map[string]any{
		"id": q.id, "object": "response", "created_at": q.created.Unix(), "model": q.server.policy.Model.Name(),
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
	_, response := q.respond(answer)
	return response
}

func (q *responsesQuestion) events(answer models.Response) []event {
	list, response := q.respond(answer)
	var events []event
	send := func(name string, data map[string]any) {
		data["type"], data["sequence_number"] = name, len(events)
		events = append(events, event{name, data})
	}
	send("response.created", map[string]any{"response": q.response(inProgress, []any{})})
	send("response.in_progress", map[string]any{"response": q.response(inProgress, []any{})})
	for i, o := range list {
		send("response.output_item.added", map[string]any{"output_index": i, "item": o.begun()})
		o.send(i, send)
		send("response.output_item.done", map[string]any{"output_index": i, "item": o.item()})
	}
	status, _ := statusOf(answer)
	send("response."+status, map[string]any{"response": response})
	return events
}

// send sends the content of an item, its text or arguments, as one piece.
func (o output) send(index int, send func(name string, data map[string]any)) {
	in := func(data map[string]any) map[string]any {
		data["item_id"], data["output_index"] = o.id, index
		if o.call == nil {
			data["content_index"] = 0
		}
		return data
	}
	if text, custom := o.said["input"]; custom {
		send("response.custom_tool_call_input.delta", in(map[string]any{"delta": text}))
		send("response.custom_tool_call_input.done", in(map[string]any{"input": text}))
		return
	}
	if o.call != nil {
		send("response.function_call_arguments.delta", in(map[string]any{"delta": o.call.Arguments}))
		send("response.function_call_arguments.done", in(map[string]any{"name": o.said["name"], "arguments": o.call.Arguments}))
		return
	}
	send("response.content_part.added", in(map[string]any{"part": outputText("")}))
	send("response.output_text.delta", in(map[string]any{"delta": o.text, "logprobs": []any{}}))
	send("response.output_text.done", in(map[string]any{"text": o.text, "logprobs": []any{}}))
	send("response.content_part.done", in(map[string]any{"part": outputText(o.text)}))
}
