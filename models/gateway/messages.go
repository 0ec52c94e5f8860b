package gateway

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"agentd/models"
)

// messagesQuestion is a request in the dialect of Anthropic's Messages.
type messagesQuestion struct {
	translated
	id    string
	model string // as the command called it
}

// readMessages understands such a request. Reasoning in it is left out: the model's own
// is found by what it said and called.
func (g *Gateway) readMessages(r *http.Request, asked members) (question, error) {
	q := &messagesQuestion{translated: translated{gateway: g}, id: "msg_" + rand.Text()}
	_ = decode("stream", asked["stream"], &q.stream) // values that are no booleans are ignored
	if models.Takes(g.model, models.Messages, q.stream) {
		return g.verbatim(r, models.Messages, asked, q)
	}
	err := g.intake.decode(r.Context(), func() (err error) {
		if q.model, err = asked.word("", "model"); err != nil {
			return err
		}
		messages, err := g.messagesOf(asked)
		if err != nil {
			return err
		}
		q.chat = members{}
		if q.chat["messages"], err = writeMessages(messages); err != nil {
			return err
		}
		if err := g.putMessagesTools(q.chat, asked); err != nil {
			return err
		}
		if err := q.chat.putMessagesSettings(asked); err != nil {
			return err
		}
		return g.answered(q.chat["messages"])
	})
	return q, err
}

// putMessagesSettings takes over the settings that chat completions have, too.
func (m members) putMessagesSettings(asked members) error {
	for from, to := range map[string]string{
		"max_tokens": "max_completion_tokens", "temperature": "temperature", "top_p": "top_p", "stop_sequences": "stop",
	} {
		if given(asked[from]) {
			m[to] = asked[from]
		}
	}
	var config struct {
		Effort json.RawMessage `json:"effort"`
	}
	if err := decode("output_config", asked["output_config"], &config); err != nil {
		return err
	}
	if given(config.Effort) {
		m["reasoning_effort"] = config.Effort
	}
	return nil
}

// messagesOf are the conversation, with the system's message first.
func (g *Gateway) messagesOf(asked members) ([]chatMessage, error) {
	var all []chatMessage
	if given(asked["system"]) {
		said, err := g.blocksOf("system", asked["system"], models.System)
		if err != nil {
			return nil, err
		}
		all = append(all, said...)
	}
	if !given(asked["messages"]) {
		return nil, errNoMessages
	}
	err := each("messages", asked["messages"], func(i int, raw json.RawMessage) error {
		path := fmt.Sprintf("messages[%d]", i)
		m, err := split(path, raw)
		if err != nil {
			return err
		}
		role, err := m.word(path, "role")
		if err != nil {
			return err
		}
		if !slices.Contains([]string{"user", "assistant", "system"}, role) {
			return fmt.Errorf("%s.role: %q is not user, assistant or system", path, role)
		}
		said, err := g.blocksOf(path+".content", m["content"], models.Role(role))
		all = append(all, said...)
		return err
	})
	return all, err
}

// blocksOf are what a message's content says: a text, or blocks. Answers to calls are
// messages of their own, which come first.
func (g *Gateway) blocksOf(path string, value json.RawMessage, role models.Role) ([]chatMessage, error) {
	if !given(value) {
		return nil, fmt.Errorf("%s: there is none", path)
	}
	if value[0] == '"' {
		return []chatMessage{{role: role, content: content(value)}}, nil
	}
	var answers []chatMessage
	said := chatMessage{role: role}
	var parts parts
	err := each(path, value, func(i int, raw json.RawMessage) error {
		path := fmt.Sprintf("%s[%d]", path, i)
		b, err := split(path, raw)
		if err != nil {
			return err
		}
		kind, err := b.word(path, "type")
		if err != nil {
			return err
		}
		switch kind {
		case "text":
			text, err := b.text(path, "text")
			parts.addText(text)
			return err
		case "image":
			return parts.addSource(path, b["source"])
		case "tool_use":
			call, err := b.toolUse(path)
			said.calls = append(said.calls, call)
			return err
		case "tool_result":
			answer, err := g.toolResult(path, b)
			answers = append(answers, answer)
			return err
		case "thinking", "redacted_thinking":
		default:
			g.leaveOut("a block of type " + kind)
		}
		return nil
	})
	if said.content = parts.content(); said.content != nil || len(said.calls) > 0 {
		answers = append(answers, said)
	}
	return answers, err
}

// toolUse is a call that the model made.
func (b members) toolUse(path string) (chatCall, error) {
	id, err := b.word(path, "id")
	name, wrong := b.word(path, "name")
	if err := errors.Join(err, wrong); err != nil {
		return chatCall{}, err
	}
	if id == "" || name == "" {
		return chatCall{}, fmt.Errorf("%s: the call has no id, or no name", path)
	}
	return chatCall{id, name, asText(b["input"])}, nil
}

// asText is a value as a text that holds it, as it is written; an object without members
// if it is missing.
func asText(value json.RawMessage) json.RawMessage {
	if !given(value) {
		value = json.RawMessage("{}")
	}
	raw, _ := encode(string(value)) // a text can always be written
	return raw
}

// toolResult is the answer to a call.
func (g *Gateway) toolResult(path string, b members) (chatMessage, error) {
	id, err := b.word(path, "tool_use_id")
	if err != nil {
		return chatMessage{}, err
	}
	answer := chatMessage{role: models.ToolRole, toolCallID: id, content: content(`""`)}
	if id == "" {
		return answer, fmt.Errorf("%s: the result has no tool_use_id", path)
	}
	value := b["content"]
	switch {
	case !given(value):
		return answer, nil
	case value[0] == '"':
		answer.content = content(value)
		return answer, nil
	}
	var parts parts
	err = each(path+".content", value, func(i int, raw json.RawMessage) error {
		path := fmt.Sprintf("%s.content[%d]", path, i)
		part, err := split(path, raw)
		if err != nil {
			return err
		}
		kind, err := part.word(path, "type")
		if kind != "text" { // chat completions have no place for it
			g.leaveOut("a block of type " + kind + " in a tool's result")
			return err
		}
		text, wrong := part.text(path, "text")
		parts.addText(text)
		return errors.Join(err, wrong)
	})
	if said := parts.content(); said != nil {
		answer.content = said
	}
	return answer, err
}

// parts are those of a message's content, in the words of the Responses API, which
// content knows.
type parts struct{ list [][]byte }

// addText adds a text as it is written; nil for none.
func (p *parts) addText(text json.RawMessage) {
	if text != nil && string(text) != `""` {
		p.list = append(p.list, fmt.Appendf(nil, `{"type":"input_text","text":%s}`, text))
	}
}

// addSource adds a picture: an address, or its type and its bytes in base64.
func (p *parts) addSource(path string, source json.RawMessage) error {
	all, err := split(path+".source", source)
	if err != nil {
		return err
	}
	address, err := all.text(path+".source", "url")
	if err != nil {
		return err
	}
	if address == nil {
		kind, wrong := all.word(path+".source", "media_type")
		data, unfit := all.text(path+".source", "data")
		if err := errors.Join(wrong, unfit); err != nil {
			return err
		}
		return p.addData(path, kind, data)
	}
	p.list = append(p.list, fmt.Appendf(nil, `{"type":"input_image","image_url":%s}`, address))
	return nil
}

// addData adds a picture of a type; data is a text in base64 as it is written.
func (p *parts) addData(path, kind string, data json.RawMessage) error {
	if len(data) < 2 || !isMediaType(kind) {
		return fmt.Errorf("%s: the picture has no data, or %.50q is no type", path, kind)
	}
	p.list = append(p.list, fmt.Appendf(nil, `{"type":"input_image","image_url":"data:%s;base64,%s}`, kind, data[1:]))
	return nil
}

// isMediaType reports whether a word is a type such as image/png.
func isMediaType(word string) bool {
	for _, c := range []byte(word) {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && !bytes.ContainsRune([]byte("/+.-"), rune(c)) {
			return false
		}
	}
	return word != ""
}

// content is all of it; nil if there is nothing.
func (p *parts) content() content {
	if len(p.list) == 0 {
		return nil
	}
	return content(slices.Concat([]byte("["), bytes.Join(p.list, []byte(",")), []byte("]")))
}

// putMessagesTools offers the functions among the tools.
func (g *Gateway) putMessagesTools(m, asked members) error {
	if !given(asked["tools"]) {
		return nil
	}
	var offered [][]byte
	err := each("tools", asked["tools"], func(i int, raw json.RawMessage) error {
		path := fmt.Sprintf("tools[%d]", i)
		tool, err := split(path, raw)
		if err != nil {
			return err
		}
		kind, err := tool.word(path, "type")
		if err != nil {
			return err
		}
		switch {
		case kind != "" && kind != "custom": // one that the maker's server runs itself
			g.leaveOut("a tool of type " + kind)
			return nil
		case string(tool["defer_loading"]) == "true":
			g.leaveOut("a tool that is to be loaded later")
			return nil
		}
		function, err := functionOf(path, tool, "input_schema")
		offered = append(offered, function)
		return err
	})
	if err != nil || len(offered) == 0 {
		return err
	}
	m.offer(offered)
	var choice struct {
		Type     string `json:"type"`
		Name     string `json:"name"`
		Disabled *bool  `json:"disable_parallel_tool_use"`
	}
	if err := decode("tool_choice", asked["tool_choice"], &choice); err != nil {
		return err
	}
	if choice.Disabled != nil {
		m["parallel_tool_calls"] = json.RawMessage(fmt.Sprint(!*choice.Disabled))
	}
	switch choice.Type {
	case "", "auto":
	case "any":
		return m.put("tool_choice", "required")
	case "none":
		return m.put("tool_choice", "none")
	case "tool":
		return m.putFunctionChoice(choice.Name)
	default:
		return fmt.Errorf("tool_choice.type: %q is not auto, any, tool or none", choice.Type)
	}
	return nil
}

// putFunctionChoice has the model call one function.
func (m members) putFunctionChoice(name string) error {
	return m.put("tool_choice", map[string]any{"type": "function", "function": map[string]string{"name": name}})
}

// offer puts functions into a request, as functionOf writes them.
func (m members) offer(functions [][]byte) {
	m["tools"] = slices.Concat([]byte("["), bytes.Join(functions, []byte(",")), []byte("]"))
}

// functionOf writes a function as chat completions have it; schema is what the dialect
// calls its parameters.
func functionOf(path string, tool members, schema string) ([]byte, error) {
	name, err := tool.word(path, "name")
	if err != nil {
		return nil, err
	}
	if name == "" {
		return nil, fmt.Errorf("%s: the function has no name", path)
	}
	b := fmt.Appendf(nil, `{"type":"function","function":{"name":%s`, tool["name"])
	if text := tool["description"]; given(text) {
		b = fmt.Appendf(b, `,"description":%s`, text)
	}
	if parameters := tool[schema]; given(parameters) {
		b = fmt.Appendf(b, `,"parameters":%s`, parameters)
	}
	return append(b, "}}"...), nil
}

// stopReason is why an answer ended, in the dialect's words.
func stopReason(answer models.Response) string {
	switch {
	case answer.FinishReason == "length":
		return "max_tokens"
	case answer.FinishReason == "content_filter":
		return "refusal"
	case len(answer.Message.ToolCalls) > 0:
		return "tool_use"
	}
	return "end_turn"
}

// messagesUsage counts what is not read from the cache or written to it apart.
func messagesUsage(u models.Usage) map[string]any {
	return map[string]any{
		"input_tokens": u.Prompt - u.Cached - u.CacheWrite, "cache_read_input_tokens": u.Cached,
		"cache_creation_input_tokens": u.CacheWrite, "output_tokens": u.Completion,
	}
}

// blocks are what the answer says and calls.
func (q *messagesQuestion) blocks(answer models.Response) []map[string]any {
	var blocks []map[string]any
	if text := answer.Message.Content; text != "" || len(answer.Message.ToolCalls) == 0 {
		blocks = append(blocks, map[string]any{"type": "text", "text": text})
	}
	for i := range answer.Message.ToolCalls {
		call := &answer.Message.ToolCalls[i]
		blocks = append(blocks, map[string]any{"type": "tool_use", "id": call.ID, "name": call.Name, "input": objectOf(call.Arguments)})
	}
	return blocks
}

// objectOf is a call's arguments as an object; one that holds the text if they are none.
func objectOf(arguments string) json.RawMessage {
	raw := json.RawMessage(bytes.TrimSpace([]byte(arguments)))
	if len(raw) == 0 {
		return json.RawMessage("{}")
	}
	if raw[0] == '{' && json.Valid(raw) {
		return raw
	}
	raw, _ = encode(map[string]string{"arguments": arguments}) // a text can always be written
	return raw
}

func (q *messagesQuestion) message(blocks any, reason any, usage map[string]any) map[string]any {
	return map[string]any{
		"id": q.id, "type": "message", "role": "assistant", "model": q.model, "content": blocks,
		"stop_reason": reason, "stop_sequence": nil, "usage": usage,
	}
}

func (q *messagesQuestion) answer(answer models.Response) any {
	return q.message(q.blocks(answer), stopReason(answer), messagesUsage(answer.Usage))
}

// messagesWriter writes a message as events. The arguments of a call are written when it is
// whole, because they must be an object.
type messagesWriter struct {
	q         *messagesQuestion
	emit      func(event)
	usage     *models.Usage // nil if it is not known yet
	blocks    int           // begun
	kind      string        // of the open block; "" if none is
	call      int           // that is open, or was
	arguments bytes.Buffer
	last      time.Time // of the last event
}

func (q *messagesQuestion) writer(send func(event), usage *models.Usage) writer {
	return &messagesWriter{q: q, emit: send, usage: usage, call: -1}
}

func (w *messagesWriter) send(kind string, data map[string]any) {
	data["type"], w.last = kind, time.Now()
	w.emit(event{kind, data})
}

// begin begins the message.
func (w *messagesWriter) begin() {
	if !w.last.IsZero() {
		return
	}
	var u models.Usage
	if w.usage != nil {
		u = *w.usage
	}
	begun := messagesUsage(u)
	begun["output_tokens"] = 1
	w.send("message_start", map[string]any{"message": w.q.message([]any{}, nil, begun)})
}

// open begins a block.
func (w *messagesWriter) open(block map[string]any) {
	w.begin()
	w.close()
	w.kind = block["type"].(string)
	w.send("content_block_start", map[string]any{"index": w.blocks, "content_block": block})
	w.blocks++
}

// add adds to the open block.
func (w *messagesWriter) add(kind, name, text string) {
	w.send("content_block_delta", map[string]any{"index": w.blocks - 1, "delta": map[string]any{"type": kind, name: text}})
}

// close ends the open block.
func (w *messagesWriter) close() {
	if w.kind == "" {
		return
	}
	if w.kind == "tool_use" {
		w.add("input_json_delta", "partial_json", string(objectOf(w.arguments.String())))
		w.arguments.Reset()
	}
	w.send("content_block_stop", map[string]any{"index": w.blocks - 1})
	w.kind = ""
}

// pingAfter is how long a client hears nothing while a call's arguments come.
const pingAfter = 5 * time.Second

func (w *messagesWriter) delta(d models.Delta) error {
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
		return errOutOfOrder
	case time.Since(w.last) > pingAfter:
		w.send("ping", map[string]any{})
	}
	w.arguments.WriteString(d.Arguments)
	return nil
}

func (w *messagesWriter) end(answer models.Response) {
	if w.blocks == 0 {
		w.open(map[string]any{"type": "text", "text": ""})
	}
	w.close()
	w.send("message_delta", map[string]any{
		"delta": map[string]any{"stop_reason": stopReason(answer), "stop_sequence": nil}, "usage": messagesUsage(answer.Usage),
	})
	w.send("message_stop", map[string]any{})
}

func (w *messagesWriter) broken(err error) {
	w.send("error", map[string]any{"error": map[string]any{"type": "api_error", "message": err.Error()}})
}

// bytesPerToken is the usual size of a token of English text and markup.
const bytesPerToken = 4

// countTokens answers how many tokens a request has, about: the model is not asked. key
// is what the dialect calls the number.
func (g *Gateway) countTokens(key string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, done, err := g.intake.read(r, 1)
		defer done()
		if err != nil {
			refuse(w, fmt.Errorf("the request cannot be read: %w", err))
			return
		}
		reply(w, http.StatusOK, map[string]int{key: len(body) / bytesPerToken})
	}
}
