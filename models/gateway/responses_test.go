package gateway

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/models"
	"agentd/models/wire"
)

// desk is a gateway that is its own observer: it notes what is asked and answered.
type desk struct {
	*Gateway
	mux   *http.ServeMux
	turns int // asked for
}

func newDesk(t testing.TB, m models.Model) *desk {
	t.Helper()
	d := &desk{mux: http.NewServeMux()}
	d.Gateway = New(t.Context(), m, d, Options{Seed: 7, OwnSettings: true, MaxCalls: 128})
	d.Register(d.mux)
	return d
}

func (*desk) Arrived()                  {}
func (*desk) Returned([]wire.Result)    {}
func (*desk) LeftOut(string)            {}
func (*desk) Answered(*models.Response) {}
func (*desk) Failed(error, bool)        {}
func (*desk) NoRoute(string)            {}

func (d *desk) Ask(bool) (func(), error) {
	d.turns++
	return func() {}, nil
}

// post asks for a response and returns the status and the answer as it came.
func (d *desk) post(t *testing.T, body string) (int, string) {
	t.Helper()
	return d.answerTo(t, "responses", body, true)
}

// value is what a text of JSON holds.
func value(t *testing.T, text string) (v map[string]any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return v
}

func TestAResponsesRequestIsAChatCompletion(t *testing.T) {
	t.Parallel()
	const hello = `{"role": "user", "content": "hello"}`
	call := func(id, name, arguments string) string {
		return `{"id": "` + id + `", "type": "function", "function": {"name": "` + name + `", "arguments": "` + arguments + `"}}`
	}
	for name, c := range map[string]struct{ given, messages, more string }{
		"a text":            {`"input": "hello"`, hello, ``},
		"instructions":      {`"input": "hello", "instructions": "be kind"`, `{"role": "system", "content": "be kind"}, ` + hello, ``},
		"no instructions":   {`"input": "hello", "instructions": ""`, hello, ``},
		"messages":          {`"input": [{"role": "system", "content": "s"}, {"type": "message", "role": "developer", "content": "d"}, {"role": "user", "content": "hello"}, {"role": "assistant", "content": "yes", "phase": "commentary"}]`, `{"role": "system", "content": "s"}, {"role": "system", "content": "d"}, ` + hello + `, {"role": "assistant", "content": "yes"}`, ``},
		"one part":          {`"input": [{"role": "user", "content": [{"type": "input_text", "text": "hello"}]}]`, hello, ``},
		"parts":             {`"input": [{"role": "user", "content": [{"type": "input_text", "text": "a"}, {"type": "input_text", "text": "b"}]}]`, `{"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}`, ``},
		"pictures":          {`"input": [{"role": "user", "content": [{"type": "input_image", "image_url": "data:x", "detail": "low"}, {"type": "input_image", "image_url": "data:y", "detail": "original"}]}]`, `{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:x", "detail": "low"}}, {"type": "image_url", "image_url": {"url": "data:y"}}]}`, ``},
		"what a model said": {`"input": [{"id": "msg_1", "type": "message", "status": "completed", "role": "assistant", "content": [{"type": "output_text", "text": "yes", "annotations": []}]}, {"role": "assistant", "content": [{"type": "refusal", "refusal": "no"}]}]`, `{"role": "assistant", "content": "yes"}, {"role": "assistant", "content": "no"}`, ``},
		"calls": {`"input": [{"role": "user", "content": "hello"}, {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "…"}, {"role": "assistant", "content": "I read"},
			{"type": "function_call", "id": "fc_1", "call_id": "1", "name": "read", "arguments": "x"}, {"type": "reasoning"}, {"type": "function_call", "call_id": "2", "name": "list", "arguments": ""},
			{"type": "function_call_output", "call_id": "1", "output": "one"}, {"type": "function_call_output", "call_id": "2", "output": [{"type": "input_text", "text": "two"}]},
			{"type": "function_call", "call_id": "3", "name": "read", "arguments": "y"}, {"type": "function_call_output", "call_id": "3", "output": ""}]`,
			hello + `, {"role": "assistant", "content": "I read", "tool_calls": [` + call("1", "read", "x") + `, ` + call("2", "list", "") + `]},
			{"role": "tool", "tool_call_id": "1", "content": "one"}, {"role": "tool", "tool_call_id": "2", "content": "two"},
			{"role": "assistant", "tool_calls": [` + call("3", "read", "y") + `]}, {"role": "tool", "tool_call_id": "3", "content": ""}`, ``},
		"a text after its calls": {`"input": [{"type": "function_call", "call_id": "1", "name": "read", "arguments": "x"}, {"role": "assistant", "content": "I read"}, {"type": "function_call_output", "call_id": "1", "output": "one"}]`,
			`{"role": "assistant", "content": "I read", "tool_calls": [` + call("1", "read", "x") + `]}, {"role": "tool", "tool_call_id": "1", "content": "one"}`, ``},
		"a tool that says nothing": {`"input": [{"type": "function_call", "call_id": "1", "name": "read", "arguments": "x"}, {"type": "function_call_output", "call_id": "1", "output": []}]`,
			`{"role": "assistant", "tool_calls": [` + call("1", "read", "x") + `]}, {"role": "tool", "tool_call_id": "1", "content": ""}`, ``},
		"tools": {`"input": "hello", "parallel_tool_calls": false, "tool_choice": {"type": "function", "name": "f"}, "tools": [{"type": "function", "name": "f", "description": "does f", "parameters": {"type": "object", "a<b": 1}, "strict": true}, {"type": "function", "name": "g", "description": null, "parameters": null, "strict": null}]`, hello,
			`, "parallel_tool_calls": false, "tool_choice": {"type": "function", "function": {"name": "f"}}, "tools": [{"type": "function", "function": {"name": "f", "description": "does f", "parameters": {"type": "object", "a<b": 1}, "strict": true}}, {"type": "function", "function": {"name": "g", "parameters": {"type": "object", "properties": {}}}}]`},
		"a tool that must be used": {`"input": "hello", "tool_choice": "required", "tools": [{"type": "function", "name": "f"}]`, hello, `, "tool_choice": "required", "tools": [{"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": {}}}}]`},
		"no tools":                 {`"input": "hello", "tools": [], "tool_choice": "auto", "parallel_tool_calls": true`, hello, ``},
		"settings":                 {`"input": "hello", "temperature": 0.5, "top_p": 0.9, "max_output_tokens": 100, "reasoning": {"effort": "low", "summary": "auto"}, "text": {"verbosity": "low"}`, hello, `, "temperature": 0.5, "top_p": 0.9, "max_completion_tokens": 100, "reasoning_effort": "low", "verbosity": "low"`},
		"a schema":                 {`"input": "hello", "text": {"format": {"type": "json_schema", "name": "n", "schema": {"type": "object"}, "strict": true}}`, hello, `, "response_format": {"type": "json_schema", "json_schema": {"name": "n", "schema": {"type": "object"}, "strict": true}}`},
		"an object":                {`"input": "hello", "text": {"format": {"type": "json_object"}}`, hello, `, "response_format": {"type": "json_object"}`},
		"plain text":               {`"input": "hello", "text": {"format": {"type": "text"}}`, hello, ``},
		"what is ours":             {`"input": "hello", "model": "mine", "seed": 1, "store": false, "stream": false, "stream_options": {}, "user": "me", "metadata": {"a": "b"}, "service_tier": "flex"`, hello, ``},
		"what makes no difference": {`"input": "hello", "include": ["reasoning.encrypted_content"], "prompt_cache_key": "k", "truncation": "auto", "background": true, "safety_identifier": "s"`, hello, ``},
		"nothing but null":         {`"input": "hello", "instructions": null, "previous_response_id": null, "conversation": null, "prompt": null, "tools": null, "tool_choice": null, "temperature": null, "top_p": null, "max_output_tokens": null, "reasoning": null, "text": null, "store": null, "stream": null`, hello, ``},
	} {
		m := &model{}
		s := newDesk(t, m)
		if status, got := s.post(t, "{"+c.given+"}"); status != http.StatusOK {
			t.Errorf("%s: %d %s", name, status, got)
			continue
		}
		if diff := cmp.Diff(value(t, `{"messages": [`+c.messages+`]`+c.more+`}`), chatOf(t, m)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if m.asked[0].Seed != 7 {
			t.Errorf("%s: the seed is %d", name, m.asked[0].Seed)
		}
	}
}

func TestResponsesRequestsThatCannotBeUnderstood(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ given, says string }{
		"no JSON":                       {`{`, "the request cannot be read"},
		"no object":                     {`[]`, "the request cannot be read"},
		"nothing":                       {`null`, "it is no JSON object"},
		"two objects":                   {`{"input": "x"}{}`, "the request cannot be read: "},
		"a member twice":                {`{"input": "x", "input": "y"}`, `the member \"input\" is there twice`},
		"no input":                      {`{"instructions": "be kind"}`, "the request has no input"},
		"an empty input":                {`{"input": []}`, "the request has no input"},
		"only reasoning":                {`{"input": [{"type": "reasoning"}]}`, "the request has no input"},
		"an input that is a number":     {`{"input": 1}`, "input is of the wrong type: number"},
		"an item that is a text":        {`{"input": ["x"]}`, "input[0] is of the wrong type: string"},
		"an item that is null":          {`{"input": [null]}`, "input[0] is nothing"},
		"an item without a kind":        {`{"input": [{}]}`, `input[0]: an item of type \"\" cannot be had here`},
		"another kind":                  {`{"input": [{"role": "user", "content": "x"}, {"type": "song"}]}`, `input[1]: an item of type \"song\" cannot be had here`},
		"another role":                  {`{"input": [{"role": "tool", "content": "x"}]}`, `input[0].role: \"tool\" is not user`},
		"a role that is a number":       {`{"input": [{"role": 1}]}`, "input[0].role is of the wrong type: number"},
		"no content":                    {`{"input": [{"role": "user"}]}`, "input[0].content: there is none"},
		"content that is an object":     {`{"input": [{"role": "user", "content": {}}]}`, "input[0].content is of the wrong type: object"},
		"a part that is a text":         {`{"input": [{"role": "user", "content": ["x"]}]}`, "input[0].content[0] is of the wrong type: string"},
		"a part that is null":           {`{"input": [{"role": "user", "content": [null]}]}`, `input[0].content[0]: a part of type \"\" cannot be had here`},
		"a file":                        {`{"input": [{"role": "user", "content": [{"type": "input_file"}]}]}`, `input[0].content[0]: a part of type \"input_file\" cannot be had here`},
		"a picture of the system's":     {`{"input": [{"role": "system", "content": [{"type": "input_image", "image_url": "data:x"}]}]}`, `input[0].content[0]: a part of type \"input_image\"`},
		"a picture by name":             {`{"input": [{"role": "user", "content": [{"type": "input_image", "file_id": "x"}]}]}`, "input[0].content[0]: the image has no image_url"},
		"a call without an id":          {`{"input": [{"type": "function_call", "name": "f", "arguments": ""}]}`, "input[0]: the call has no call_id"},
		"a call's arguments":            {`{"input": [{"type": "function_call", "call_id": "1", "name": "f", "arguments": {}}]}`, "input[0].arguments is of the wrong type: object"},
		"an output without an id":       {`{"input": [{"type": "function_call_output", "output": ""}]}`, "input[0]: the output has no call_id"},
		"an output without its call":    {`{"input": [{"type": "function_call_output", "call_id": "1", "output": "x"}]}`, "there is an output with the call_id 1, but no function call before it"},
		"an output that is none":        {`{"input": [{"type": "function_call", "call_id": "1", "name": "f"}, {"type": "function_call_output", "call_id": "1"}]}`, "input[1].output: there is none"},
		"a reference to nothing":        {`{"input": [{"type": "item_reference", "id": "msg_1"}]}`, "input[0]: there is no item msg_1"},
		"a reference without an id":     {`{"input": [{"type": "item_reference"}]}`, "input[0]: there is no item"},
		"an unknown response":           {`{"input": "x", "previous_response_id": "resp_1"}`, "previous_response_id: there is no response resp_1: it was not given in this interaction"},
		"a response that is a number":   {`{"input": "x", "previous_response_id": 1}`, "previous_response_id is of the wrong type: number"},
		"a conversation":                {`{"input": "x", "conversation": "conv_1"}`, "conversation: nothing is stored here that could be named"},
		"a prompt":                      {`{"prompt": {"id": "p"}}`, "prompt: nothing is stored here that could be named"},
		"instructions in a list":        {`{"input": "x", "instructions": []}`, "instructions is of the wrong type: array"},
		"tools that are no list":        {`{"input": "x", "tools": {}}`, "tools is of the wrong type: object"},
		"a tool that is a text":         {`{"input": "x", "tools": ["f"]}`, "tools[0] is of the wrong type: string"},
		"a tool that is null":           {`{"input": "x", "tools": [null]}`, `tools[0]: the tool has no type`},
		"a namespace in another":        {`{"input": "x", "tools": [{"type": "namespace", "name": "a", "tools": [{"type": "namespace", "name": "b", "tools": []}]}]}`, `tools[0].tools[0]: a namespace in a namespace`},
		"a custom call without an id":   {`{"input": [{"type": "custom_tool_call", "name": "f", "input": "x"}]}`, "input[0]: the call has no call_id"},
		"a tool of the chat dialect":    {`{"input": "x", "tools": [{"type": "function", "function": {"name": "f"}}]}`, "tools[0]: the function has no name"},
		"a tool's name":                 {`{"input": "x", "tools": [{"type": "function", "name": 1}]}`, "tools[0].name is of the wrong type: number"},
		"another choice of tools":       {`{"input": "x", "tools": [{"type": "function", "name": "f"}], "tool_choice": {"type": "allowed_tools"}}`, `tool_choice: one of type \"allowed_tools\" cannot be had here`},
		"a word for no choice":          {`{"input": "x", "tools": [{"type": "function", "name": "f"}], "tool_choice": "any"}`, `tool_choice: \"any\" is none of [none auto required]`},
		"two mistakes":                  {`{"input": "x", "text": 1, "tools": 1}`, "text is of the wrong type: number\\ntools is of the wrong type: number"},
		"a choice that is a number":     {`{"input": "x", "tools": [{"type": "function", "name": "f"}], "tool_choice": 1}`, "tool_choice is of the wrong type: number"},
		"reasoning that is a text":      {`{"input": "x", "reasoning": "low"}`, "reasoning is of the wrong type: string"},
		"text that is a text":           {`{"input": "x", "text": "low"}`, "text is of the wrong type: string"},
		"another format":                {`{"input": "x", "text": {"format": {"type": "grammar"}}}`, `text.format.type: \"grammar\" is not text`},
		"a format that is a text":       {`{"input": "x", "text": {"format": "json"}}`, "text.format is of the wrong type: string"},
		"a format whose name is a list": {`{"input": "x", "text": {"format": {"type": "json_schema", "name": []}}}`, "text.format.name is of the wrong type: array"},
	} {
		m := &model{}
		s := newDesk(t, m)
		status, got := s.post(t, c.given)
		if status != http.StatusBadRequest || !strings.Contains(got, c.says) || !strings.Contains(got, `"type":"invalid_request_error"`) {
			t.Errorf("%s: %d %s; want …%s…", name, status, got, c.says)
		}
		if len(m.asked) > 0 || s.turns > 0 {
			t.Errorf("%s: the model was asked, or a turn counted", name)
		}
	}
}

// shape puts names in the place of what is new every time.
func shape(t *testing.T, response map[string]any) map[string]any {
	t.Helper()
	for key, prefix := range map[string]string{"id": "resp_", "item_id": ""} {
		if id, ok := response[key].(string); ok && strings.HasPrefix(id, prefix) {
			response[key] = prefix
		}
	}
	if created, ok := response["created_at"].(float64); !ok || created < 1e9 {
		t.Errorf("created_at is %v", response["created_at"])
	}
	delete(response, "created_at")
	for _, item := range response["output"].([]any) {
		item := item.(map[string]any)
		id := item["id"].(string)
		item["id"] = id[:strings.Index(id, "_")+1]
	}
	return response
}

func TestAnAnswerIsAResponse(t *testing.T) {
	t.Parallel()
	const (
		settings = `"object": "response", "model": "test-model", "error": null, "previous_response_id": null, "max_output_tokens": null, "top_p": null, "user": null,
			"parallel_tool_calls": true, "store": true, "background": false, "truncation": "disabled", "service_tier": "default", "reasoning": {"effort": null, "summary": null}, "text": {"format": {"type": "text"}},
			"usage": {"input_tokens": 900, "input_tokens_details": {"cached_tokens": 400}, "output_tokens": 100, "output_tokens_details": {"reasoning_tokens": 10}, "total_tokens": 1000}`
		asked = `, "instructions": "be kind", "temperature": 0.5, "metadata": {"a": "b"}, "tool_choice": "required", "tools": [{"type": "function", "name": "f"}]`
	)
	text := func(status, text string) string {
		return `{"id": "msg_", "type": "message", "role": "assistant", "status": "` + status + `", "content": [{"type": "output_text", "text": "` + text + `", "annotations": [], "logprobs": []}]}`
	}
	call := func(status, id string) string {
		return `{"id": "fc_", "type": "function_call", "status": "` + status + `", "call_id": "` + id + `", "name": "f", "arguments": "{<"}`
	}
	one, two := models.ToolCall{ID: "1", Name: "f", Arguments: "{<"}, models.ToolCall{ID: "2", Name: "f", Arguments: "{<"}
	for name, c := range map[string]struct {
		answer models.Message
		finish string
		status string // and what belongs to it
		output string
	}{
		"a text":                   {models.Message{Content: "näh"}, "stop", `"status": "completed", "incomplete_details": null`, text("completed", "näh")},
		"nothing":                  {models.Message{}, "stop", `"status": "completed", "incomplete_details": null`, text("completed", "")},
		"calls":                    {models.Message{ToolCalls: []models.ToolCall{one, two}}, "tool_calls", `"status": "completed", "incomplete_details": null`, call("completed", "1") + "," + call("completed", "2")},
		"a text and a call":        {models.Message{Content: "näh", ToolCalls: []models.ToolCall{one}}, "tool_calls", `"status": "completed", "incomplete_details": null`, text("completed", "näh") + "," + call("completed", "1")},
		"a text cut off":           {models.Message{Content: "n"}, "length", `"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}`, text("incomplete", "n")},
		"a call cut off":           {models.Message{Content: "n", ToolCalls: []models.ToolCall{one}}, "length", `"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}`, text("completed", "n") + "," + call("incomplete", "1")},
		"what a filter took away":  {models.Message{}, "content_filter", `"status": "incomplete", "incomplete_details": {"reason": "content_filter"}`, text("incomplete", "")},
		"a reason of the server's": {models.Message{Content: "n"}, "eos", `"status": "completed", "incomplete_details": null`, text("completed", "n")},
	} {
		s := newDesk(t, &model{answer: c.answer, finish: c.finish})
		status, got := s.post(t, `{"model": "mine", "input": "hello"`+asked+`}`)
		if status != http.StatusOK {
			t.Fatalf("%s: %d %s", name, status, got)
		}
		want := value(t, `{"id": "resp_", `+settings+asked+`, `+c.status+`, "output": [`+c.output+`]}`)
		if diff := cmp.Diff(want, shape(t, value(t, got))); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// streamed are the events of a stream.
func streamed(t *testing.T, text string) (events []map[string]any) {
	t.Helper()
	for one := range strings.SplitSeq(strings.TrimSuffix(text, "\n\n"), "\n\n") {
		name, data, ok := strings.Cut(strings.TrimPrefix(one, "event: "), "\ndata: ")
		event := value(t, data)
		if !ok || event["type"] != name || event["sequence_number"] != float64(len(events)) {
			t.Errorf("event %d is %s", len(events), one)
		}
		events = append(events, event)
	}
	return events
}

func TestAResponseIsStreamed(t *testing.T) {
	t.Parallel()
	s := newDesk(t, &model{answer: models.Message{Content: "näh", ToolCalls: []models.ToolCall{{ID: "1", Name: "f", Arguments: "{}"}}}, finish: "length"})
	_, got := s.post(t, `{"input": "hello", "stream": true}`)
	events := streamed(t, got)
	const (
		part    = `{"type": "output_text", "text": "näh", "annotations": [], "logprobs": []}`
		message = `"id": "msg_", "type": "message", "role": "assistant"`
		call    = `"id": "fc_", "type": "function_call", "call_id": "1", "name": "f"`
	)
	want := []string{
		`{"type": "response.created"}`,
		`{"type": "response.in_progress"}`,
		`{"type": "response.output_item.added", "output_index": 0, "item": {` + message + `, "status": "in_progress", "content": []}}`,
		`{"type": "response.content_part.added", "output_index": 0, "content_index": 0, "item_id": "msg_", "part": {"type": "output_text", "text": "", "annotations": [], "logprobs": []}}`,
		`{"type": "response.output_text.delta", "output_index": 0, "content_index": 0, "item_id": "msg_", "delta": "näh", "logprobs": []}`,
		`{"type": "response.output_text.done", "output_index": 0, "content_index": 0, "item_id": "msg_", "text": "näh", "logprobs": []}`,
		`{"type": "response.content_part.done", "output_index": 0, "content_index": 0, "item_id": "msg_", "part": ` + part + `}`,
		`{"type": "response.output_item.done", "output_index": 0, "item": {` + message + `, "status": "completed", "content": [` + part + `]}}`,
		`{"type": "response.output_item.added", "output_index": 1, "item": {` + call + `, "status": "in_progress", "arguments": ""}}`,
		`{"type": "response.function_call_arguments.delta", "output_index": 1, "item_id": "fc_", "delta": "{}"}`,
		`{"type": "response.function_call_arguments.done", "output_index": 1, "item_id": "fc_", "name": "f", "arguments": "{}"}`,
		`{"type": "response.output_item.done", "output_index": 1, "item": {` + call + `, "status": "incomplete", "arguments": "{}"}}`,
		`{"type": "response.incomplete"}`,
	}
	if len(events) != len(want) {
		t.Fatalf("%d events: %s", len(events), got)
	}
	prefix := func(id string) string { return id[:strings.Index(id, "_")+1] }
	whole := events[len(events)-1]["response"].(map[string]any)
	for i, event := range events {
		if response, ok := event["response"].(map[string]any); ok {
			if response["id"] != whole["id"] {
				t.Errorf("event %d has another id", i)
			}
			if i < 2 && (response["status"] != "in_progress" || len(response["output"].([]any)) != 0 || response["usage"] != nil) {
				t.Errorf("event %d has the response %v", i, response)
			}
			delete(event, "response")
		}
		item, ok := event["item"].(map[string]any)
		if ok { // the same as in the whole
			if of := whole["output"].([]any)[int(event["output_index"].(float64))].(map[string]any); item["id"] != of["id"] {
				t.Errorf("event %d is of item %v, not %v", i, item["id"], of["id"])
			}
			item["id"] = prefix(item["id"].(string))
		}
		if id, ok := event["item_id"].(string); ok {
			event["item_id"] = prefix(id)
		}
		delete(event, "sequence_number")
		if diff := cmp.Diff(value(t, want[i]), event); diff != "" {
			t.Errorf("event %d: %s", i, diff)
		}
	}
	if status, reason := whole["status"], whole["incomplete_details"]; status != "incomplete" || !cmp.Equal(reason, any(map[string]any{"reason": "max_output_tokens"})) {
		t.Errorf("the response is %v: %v", status, reason)
	}
}

func TestAConversationMayBeNamed(t *testing.T) {
	t.Parallel()
	m := &model{answer: models.Message{Content: "I read", ToolCalls: []models.ToolCall{{ID: "1", Name: "read", Arguments: "x"}}}}
	s := newDesk(t, m)
	_, first := s.post(t, `{"input": "hello", "instructions": "be kind", "tools": [{"type": "function", "name": "read"}]}`)
	response := value(t, first)
	id := response["id"].(string)
	items := response["output"].([]any)
	call := items[1].(map[string]any)["id"].(string)
	const output = `{"type": "function_call_output", "call_id": "1", "output": "one"}`
	const (
		hello  = `{"role": "user", "content": "hello"}, `
		calls  = `"tool_calls": [{"id": "1", "type": "function", "function": {"name": "read", "arguments": "x"}}]}, `
		answer = `{"role": "tool", "tool_call_id": "1", "content": "one"}`
	)
	for name, c := range map[string]struct{ given, messages string }{
		"the conversation":               {`"previous_response_id": "` + id + `", "input": [` + output + `]`, hello + `{"role": "assistant", "content": "I read", ` + calls + answer},
		"again, with other instructions": {`"previous_response_id": "` + id + `", "instructions": "be quick", "input": [` + output + `]`, `{"role": "system", "content": "be quick"}, ` + hello + `{"role": "assistant", "content": "I read", ` + calls + answer},
		"an item":                        {`"input": [{"role": "user", "content": "hello"}, {"type": "item_reference", "id": "` + call + `"}, ` + output + `]`, hello + `{"role": "assistant", ` + calls + answer},
		"an item without its type":       {`"input": [{"id": "` + call + `"}, ` + output + `]`, `{"role": "assistant", ` + calls + answer},
	} {
		m.asked = nil
		if status, got := s.post(t, "{"+c.given+"}"); status != http.StatusOK {
			t.Errorf("%s: %d %s", name, status, got)
			continue
		}
		if diff := cmp.Diff(value(t, `{"messages": [`+c.messages+`]}`), chatOf(t, m)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	reference := `{"type": "item_reference", "id": "` + call + `"}`
	if status, got := s.post(t, `{"input": [`+reference+`, `+reference+`]}`); status != http.StatusBadRequest || !strings.Contains(got, "input[1]: the item "+call+" is there already") {
		t.Errorf("an item twice: %d %s", status, got)
	}
	_, last := s.post(t, `{"input": "hello", "store": false}`)
	id = value(t, last)["id"].(string)
	if status, got := s.post(t, `{"input": "hello", "previous_response_id": "`+id+`"}`); status != http.StatusBadRequest || !strings.Contains(got, "was not to be stored") {
		t.Errorf("a response that was not to be stored: %d %s", status, got)
	}
}

func FuzzResponses(f *testing.F) {
	f.Add(`{"input": [{"role": "user", "content": [{"type": "input_text", "text": "a"}]}, {"type": "function_call", "call_id": "1", "name": "f", "arguments": "{}"}, {"type": "function_call_output", "call_id": "1", "output": "x"}], "tools": [{"type": "function", "name": "f"}], "text": {"format": {"type": "json_schema", "name": "n"}}}`)
	f.Add(`{"input": "x", "tool_choice": {"type": "function", "name": "f"}, "reasoning": {"effort": "low"}, "stream": true}`)
	f.Fuzz(func(t *testing.T, body string) {
		s := newDesk(t, &model{})
		status, got := s.post(t, body)
		switch {
		case status == http.StatusBadRequest && strings.Contains(got, `"message":`):
		case status == http.StatusOK && strings.Contains(got, `"object":"response"`):
		default:
			t.Errorf("%d %s", status, got)
		}
	})
}
