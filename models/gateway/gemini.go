package gateway

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"agentd/models"
)

// geminiQuestion is a request in the dialect of Google's generateContent.
type geminiQuestion struct {
	translated
	id    string
	model string // as the command called it
}

// serveGemini answers the calls of a model: generateContent, streamGenerateContent and
// countTokens, which stand in the address after the model's name.
func (g *Gateway) serveGemini(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("call")
	at := max(strings.LastIndexByte(name, ':'), 0) // names may have one as well
	model, call := name[:at], strings.TrimPrefix(name[at:], ":")
	switch call {
	case "generateContent", "streamGenerateContent":
		g.complete(func(r *http.Request, asked members) (question, error) {
			stream := call == "streamGenerateContent"
			q := &geminiQuestion{translated: translated{gateway: g, stream: stream}, id: rand.Text(), model: model}
			if models.Takes(g.model, models.Gemini, stream) {
				return g.verbatim(r, models.Gemini, asked, q)
			}
			return q, g.intake.decode(r.Context(), func() error { return q.understand(g, asked) })
		})(w, r)
	case "countTokens":
		g.countTokens("totalTokens")(w, r)
	default:
		g.noRoute(w, r)
	}
}

// understand makes a chat completion of the request. Reasoning and its signatures are
// left out: the model's own are found by what it said and called.
func (q *geminiQuestion) understand(g *Gateway, asked members) error {
	c := geminiConversation{gateway: g}
	if given(asked["systemInstruction"]) {
		if err := c.add("systemInstruction", asked["systemInstruction"], models.System); err != nil {
			return err
		}
	}
	if !given(asked["contents"]) {
		return errNoMessages
	}
	err := each("contents", asked["contents"], func(i int, raw json.RawMessage) error {
		return c.add(fmt.Sprintf("contents[%d]", i), raw, "")
	})
	if err != nil {
		return err
	}
	q.chat = members{}
	if q.chat["messages"], err = writeMessages(c.messages); err != nil {
		return err
	}
	if err := g.putGeminiTools(q.chat, asked); err != nil {
		return err
	}
	if err := q.chat.putGenerationConfig(asked["generationConfig"]); err != nil {
		return err
	}
	return g.answered(q.chat["messages"])
}

// geminiConversation is one that is being read. Calls may come without an id: then an
// answer belongs to the first call of its function that has none.
type geminiConversation struct {
	gateway  *Gateway
	messages []chatMessage
	open     []chatCall // without an answer yet
	calls    int
}

// add adds what one of the contents says. The role is the content's own if none is given.
func (c *geminiConversation) add(path string, raw json.RawMessage, role models.Role) error {
	all, err := split(path, raw)
	if err != nil {
		return err
	}
	if role == "" {
		word, err := all.word(path, "role")
		if err != nil {
			return err
		}
		if role = models.User; word == "model" {
			role = models.Assistant
		}
	}
	said := chatMessage{role: role}
	var parts parts
	err = each(path+".parts", all["parts"], func(i int, raw json.RawMessage) error {
		path := fmt.Sprintf("%s.parts[%d]", path, i)
		part, err := split(path, raw)
		if err != nil {
			return err
		}
		return c.addPart(path, part, &said, &parts)
	})
	if said.content = parts.content(); said.content != nil || len(said.calls) > 0 {
		c.messages = append(c.messages, said)
	}
	return err
}

func (c *geminiConversation) addPart(path string, part members, said *chatMessage, parts *parts) error {
	switch {
	case string(part["thought"]) == "true":
	case given(part["text"]):
		text, err := part.text(path, "text")
		parts.addText(text)
		return err
	case given(part["functionCall"]):
		call, err := c.call(path+".functionCall", part["functionCall"])
		said.calls = append(said.calls, call)
		return err
	case given(part["functionResponse"]):
		return c.response(path+".functionResponse", part["functionResponse"])
	case given(part["inlineData"]):
		data, err := split(path+".inlineData", part["inlineData"])
		if err != nil {
			return err
		}
		kind, err := data.word(path+".inlineData", "mimeType")
		if err != nil {
			return err
		}
		if said.role != models.User || !strings.HasPrefix(kind, "image/") {
			c.gateway.leaveOut("data of type " + kind)
			return nil
		}
		bytes, err := data.text(path+".inlineData", "data")
		if err != nil {
			return err
		}
		return parts.addData(path, kind, bytes)
	default:
		for name := range part {
			if name != "thoughtSignature" {
				c.gateway.leaveOut("a part with " + name)
			}
		}
	}
	return nil
}

// call is a call that the model made.
func (c *geminiConversation) call(path string, raw json.RawMessage) (chatCall, error) {
	all, err := split(path, raw)
	if err != nil {
		return chatCall{}, err
	}
	id, err := all.word(path, "id")
	if err != nil {
		return chatCall{}, err
	}
	name, err := all.word(path, "name")
	if err != nil {
		return chatCall{}, err
	}
	if name == "" {
		return chatCall{}, fmt.Errorf("%s: the call has no name", path)
	}
	if c.calls++; id == "" {
		id = fmt.Sprintf("call_%d", c.calls)
	}
	call := chatCall{id, name, asText(all["args"])}
	c.open = append(c.open, call)
	return call, nil
}

// response is the answer to a call.
func (c *geminiConversation) response(path string, raw json.RawMessage) error {
	all, err := split(path, raw)
	if err != nil {
		return err
	}
	id, err := all.word(path, "id")
	if err != nil {
		return err
	}
	name, err := all.word(path, "name")
	if err != nil {
		return err
	}
	at := slices.IndexFunc(c.open, func(call chatCall) bool { return call.id == id })
	if at < 0 {
		at = slices.IndexFunc(c.open, func(call chatCall) bool { return call.name == name })
	}
	if at < 0 {
		return fmt.Errorf("%s: there is no call of %.50q before it that it answers", path, name)
	}
	answer := chatMessage{role: models.ToolRole, toolCallID: c.open[at].id, content: content(asText(all["response"]))}
	c.open = slices.Delete(c.open, at, at+1)
	// Clients put the text of an answer into an object of one member.
	if given(all["response"]) && all["response"][0] == '{' {
		inside, err := split(path+".response", all["response"])
		if err != nil {
			return err
		}
		for _, member := range []string{"output", "error", "result"} {
			if text := inside[member]; len(inside) == 1 && given(text) && text[0] == '"' {
				answer.content = content(text)
			}
		}
	}
	c.messages = append(c.messages, answer)
	return nil
}

// putGeminiTools offers the functions among the tools.
func (g *Gateway) putGeminiTools(m, asked members) error {
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
		for name := range tool {
			if name != "functionDeclarations" {
				g.leaveOut("a tool of type " + name)
			}
		}
		if !given(tool["functionDeclarations"]) {
			return nil
		}
		return each(path+".functionDeclarations", tool["functionDeclarations"], func(i int, raw json.RawMessage) error {
			path := fmt.Sprintf("%s.functionDeclarations[%d]", path, i)
			declared, err := split(path, raw)
			if err != nil {
				return err
			}
			schema := "parametersJsonSchema"
			if !given(declared[schema]) && given(declared["parameters"]) {
				if declared[schema], err = plainSchema(declared["parameters"]); err != nil {
					return fmt.Errorf("%s.parameters: %w", path, err)
				}
			}
			function, err := functionOf(path, declared, schema)
			offered = append(offered, function)
			return err
		})
	})
	if err != nil || len(offered) == 0 {
		return err
	}
	m.offer(offered)
	var config struct {
		Calling struct {
			Mode    string   `json:"mode"`
			Allowed []string `json:"allowedFunctionNames"`
		} `json:"functionCallingConfig"`
	}
	if err := decode("toolConfig", asked["toolConfig"], &config); err != nil {
		return err
	}
	switch mode := config.Calling.Mode; {
	case mode == "ANY" && len(config.Calling.Allowed) == 1:
		return m.putFunctionChoice(config.Calling.Allowed[0])
	case mode == "ANY":
		return m.put("tool_choice", "required")
	case mode == "NONE":
		return m.put("tool_choice", "none")
	}
	return nil
}

// plainSchema is a schema of this dialect, whose types are in capitals, as JSON Schema
// has it.
func plainSchema(raw json.RawMessage) (json.RawMessage, error) {
	if len(raw) > maxSetting {
		return nil, fmt.Errorf("it has more than %d bytes", maxSetting)
	}
	var schema any
	if err := json.Unmarshal(raw, &schema); err != nil {
		return nil, err
	}
	lowerTypes(schema)
	return encode(schema)
}

func lowerTypes(schema any) {
	switch it := schema.(type) {
	case map[string]any:
		for name, value := range it {
			if word, ok := value.(string); ok && name == "type" {
				it[name] = strings.ToLower(word)
			}
			lowerTypes(value)
		}
	case []any:
		for _, value := range it {
			lowerTypes(value)
		}
	}
}

// putGenerationConfig takes over the settings that chat completions have, too.
func (m members) putGenerationConfig(value json.RawMessage) error {
	if !given(value) {
		return nil
	}
	config, err := split("generationConfig", value)
	if err != nil {
		return err
	}
	for from, to := range map[string]string{
		"maxOutputTokens": "max_completion_tokens", "temperature": "temperature", "topP": "top_p", "stopSequences": "stop",
	} {
		if given(config[from]) {
			m[to] = config[from]
		}
	}
	kind, err := config.word("generationConfig", "responseMimeType")
	if err != nil || kind != "application/json" {
		return err
	}
	for _, name := range []string{"responseJsonSchema", "responseSchema"} {
		if !given(config[name]) {
			continue
		}
		schema, err := plainSchema(config[name])
		if err != nil {
			return fmt.Errorf("generationConfig.%s: %w", name, err)
		}
		return m.put("response_format", map[string]any{"type": "json_schema", "json_schema": map[string]any{"name": "answer", "schema": schema}})
	}
	return m.put("response_format", map[string]any{"type": "json_object"})
}

func (q *geminiQuestion) answer(answer models.Response) any {
	parts := []any{}
	if text := answer.Message.Content; text != "" {
		parts = append(parts, map[string]any{"text": text})
	}
	return q.whole(answer, append(parts, geminiCalls(answer)...))
}

// geminiCalls are the parts of an answer's calls.
func geminiCalls(answer models.Response) (parts []any) {
	for i := range answer.Message.ToolCalls {
		call := &answer.Message.ToolCalls[i]
		parts = append(parts, map[string]any{"functionCall": map[string]any{"id": call.ID, "name": call.Name, "args": objectOf(call.Arguments)}})
	}
	return parts
}

// whole is an answer, or the end of a streamed one, with the given parts.
func (q *geminiQuestion) whole(answer models.Response, parts []any) map[string]any {
	reason := "STOP"
	switch answer.FinishReason {
	case "length":
		reason = "MAX_TOKENS"
	case "content_filter":
		reason = "SAFETY"
	}
	u := answer.Usage
	all := q.piece(parts, reason)
	all["usageMetadata"] = map[string]int{
		"promptTokenCount": u.Prompt, "cachedContentTokenCount": u.Cached, "thoughtsTokenCount": u.Reasoning,
		"candidatesTokenCount": u.Completion - u.Reasoning, "totalTokenCount": u.Total(),
	}
	return all
}

// piece is a part of an answer. finish is why it ends, "" if it does not.
func (q *geminiQuestion) piece(parts []any, finish string) map[string]any {
	candidate := map[string]any{"index": 0, "content": map[string]any{"role": "model", "parts": parts}}
	if finish != "" {
		candidate["finishReason"] = finish
	}
	return map[string]any{"candidates": []any{candidate}, "modelVersion": q.model, "responseId": q.id}
}

// geminiWriter writes an answer as events. Calls have no pieces in this dialect: they come
// at the end.
type geminiWriter struct {
	q    *geminiQuestion
	emit func(event)
}

func (q *geminiQuestion) writer(send func(event), _ *models.Usage) writer {
	return &geminiWriter{q, send}
}

func (w *geminiWriter) delta(d models.Delta) error {
	if d.Text != "" {
		w.emit(event{data: w.q.piece([]any{map[string]any{"text": d.Text}}, "")})
	}
	return nil
}

func (w *geminiWriter) end(answer models.Response) {
	w.emit(event{data: w.q.whole(answer, append([]any{}, geminiCalls(answer)...))})
}

func (w *geminiWriter) broken(err error) {
	w.emit(event{data: map[string]any{"error": map[string]any{"code": http.StatusBadGateway, "message": err.Error(), "status": "UNAVAILABLE"}}})
}
