package sim

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"agentd/models/wire"
)

// gemini is Google's generateContent.
type gemini struct{}

type geminiRequest struct {
	Contents []geminiContent `json:"contents"`
	System   geminiContent   `json:"systemInstruction"`
	Tools    []struct {
		Functions []struct {
			Name        string          `json:"name"`
			Description string          `json:"description"`
			Schema      json.RawMessage `json:"parametersJsonSchema"`
			Parameters  json.RawMessage `json:"parameters"`
		} `json:"functionDeclarations"`
	} `json:"tools"`
	Config struct {
		Temperature *float64 `json:"temperature"`
		Seed        int64    `json:"seed"`
		Format      string   `json:"responseMimeType"`
		Thinking    *struct {
			Level   string `json:"thinkingLevel"`
			Include bool   `json:"includeThoughts"`
		} `json:"thinkingConfig"`
	} `json:"generationConfig"`
}

type geminiContent struct {
	Role  string       `json:"role"`
	Parts []geminiPart `json:"parts"`
}

type geminiPart struct {
	Text   string `json:"text"`
	Inline *struct {
		Type string `json:"mimeType"`
		Data string `json:"data"`
	} `json:"inlineData"`
	Thought   bool   `json:"thought"`
	Signature string `json:"thoughtSignature"`
	Call      *struct {
		Name string          `json:"name"`
		Args json.RawMessage `json:"args"`
	} `json:"functionCall"`
	Response *struct {
		Name     string         `json:"name"`
		Response map[string]any `json:"response"`
	} `json:"functionResponse"`
}

// anySignature is what a client may send for a call that the server did not make.
const anySignature = "skip_thought_signature_validator"

func (gemini) read(h *http.Request, body []byte) (*request, *refusal) {
	call := h.PathValue("call")
	at := strings.LastIndexByte(call, ':')
	if at < 0 || call[at:] != ":generateContent" && call[at:] != ":streamGenerateContent" {
		return nil, &refusal{http.StatusNotFound, "not_found", "there is no method " + call}
	}
	var in geminiRequest
	if err := wire.Lenient(body, &in); err != nil {
		return nil, refusedf("Invalid JSON payload received: %v", err)
	}
	out := &request{Request: wire.Request{Model: call[:at], Stream: call[at:] == ":streamGenerateContent", Reasons: true, Settings: wire.Settings{Temperature: in.Config.Temperature, Seed: &in.Config.Seed}}}
	if in.Config.Format == "application/json" {
		out.Format = &wire.Format{}
	}
	if t := in.Config.Thinking; t != nil {
		out.Effort, out.Summary = t.Level, t.Include
	}
	for _, set := range in.Tools {
		for _, f := range set.Functions {
			var offered wire.Tool
			offered.Name, offered.Description, offered.Parameters = f.Name, f.Description, f.Schema
			if len(f.Schema) == 0 {
				offered.Parameters = f.Parameters
			}
			out.Tools = append(out.Tools, offered)
		}
	}
	for _, p := range in.System.Parts {
		out.Messages = append(out.Messages, message{Role: system, Content: p.Text})
	}
	return out, out.contents(in.Contents)
}

// contents takes the conversation.
func (r *request) contents(all []geminiContent) *refusal {
	var open []toolCall // without an answer
	for i, c := range all {
		if c.Role == "model" {
			if len(open) > 0 {
				return refusedf("Please ensure that function call turn comes immediately after a user turn or after a function response turn.")
			}
			m, refused := modelContent(i, c.Parts)
			if refused != nil {
				return refused
			}
			r.Messages, open = append(r.Messages, m), m.ToolCalls
			continue
		}
		var answers []message
		text, said := "", false
		var shown []wire.Part
		for _, p := range c.Parts {
			if p.Inline != nil {
				shown = append(shown, wire.Part{Address: wire.Inline(p.Inline.Type, p.Inline.Data)})
				continue
			}
			if p.Response == nil {
				text, said = text+p.Text, true
				continue
			}
			if len(answers) == len(open) || p.Response.Name != open[len(answers)].Name {
				return refusedf("Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.")
			}
			answers = append(answers, message{Role: fromTool, ToolCallID: open[len(answers)].ID, Content: outputOf(p.Response.Response)})
		}
		if len(answers) != len(open) {
			return refusedf("Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.")
		}
		open = nil
		r.Messages = append(r.Messages, answers...)
		switch {
		case len(shown) > 0:
			r.Messages = append(r.Messages, message{Role: user, Content: text, Parts: shown})
		case said:
			r.Messages = append(r.Messages, message{Role: user, Content: text})
		}
	}
	return nil
}

// outputOf is what a function's answer says.
func outputOf(response map[string]any) string {
	for _, name := range []string{"output", "result"} {
		if text, ok := response[name].(string); ok {
			return text
		}
	}
	return string(written(response))
}

// modelContent makes a message of the model's content, and looks at its signature.
func modelContent(i int, parts []geminiPart) (message, *refusal) {
	m := message{Role: assistant}
	text, signed := "", ""
	for _, p := range parts {
		switch {
		case p.Call != nil:
			if len(m.ToolCalls) == 0 {
				signed = p.Signature
			}
			arguments := string(p.Call.Args)
			if arguments == "" {
				arguments = "{}"
			}
			m.ToolCalls = append(m.ToolCalls, toolCall{ID: fmt.Sprintf("call_%d_%d", i, len(m.ToolCalls)), Name: p.Call.Name, Arguments: arguments})
		case !p.Thought:
			text += p.Text
		}
	}
	m.Content = text
	switch {
	case len(m.ToolCalls) == 0 || signed == anySignature:
	case signed == "":
		return m, refusedf("Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly. Function call `%s`, position %d.", m.ToolCalls[0].Name, i)
	case plainBase64(signed) != plainBase64(signature(thoughts(&m), text, m.ToolCalls)):
		return m, refusedf("Thought signature is not valid.")
	}
	return m, nil
}

// plainBase64 is base64 in one of the alphabets that Google's servers read: its package for
// Python writes the other.
func plainBase64(text string) string {
	return strings.NewReplacer("-", "+", "_", "/", "=", "").Replace(text)
}

func (gemini) temperatureRefused() string {
	return `Invalid JSON payload received. Unknown name "temperature" at 'generation_config': Cannot find field.`
}

func (gemini) failure(why *refusal) any {
	word := "INVALID_ARGUMENT"
	e := map[string]any{"code": why.status, "message": why.message}
	switch {
	case why.status == http.StatusTooManyRequests:
		word = "RESOURCE_EXHAUSTED"
		e["details"] = []any{map[string]string{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "0.02s"}}
	case why.status == http.StatusNotFound:
		word = "NOT_FOUND"
	case why.status >= http.StatusInternalServerError:
		word = "INTERNAL"
	}
	e["status"] = word
	return map[string]any{"error": e}
}

// parts are an answer's.
func (gemini) parts(r *request, a answer) []any {
	var parts []any
	m := &a.Message
	calls := wholeCalls(m)
	if m.Reasoning != "" && r.Summary {
		parts = append(parts, map[string]any{"text": m.Reasoning, "thought": true})
	}
	signed := signature(m.Reasoning, m.Text(between), calls)
	if text := m.Text(between); text != "" {
		parts = append(parts, map[string]any{"text": text})
	}
	for _, drawn := range m.Pictures {
		kind, data, _ := drawn.Address().Data()
		parts = append(parts, map[string]any{"inlineData": map[string]any{"mimeType": kind, "data": data}})
	}
	for i, call := range calls {
		part := map[string]any{"functionCall": map[string]any{"name": call.Name, "args": json.RawMessage(call.Arguments)}}
		if i == 0 {
			part["thoughtSignature"] = signed
		}
		parts = append(parts, part)
	}
	return parts
}

func (gemini) usage(u wire.Usage) map[string]any {
	return map[string]any{
		"promptTokenCount": u.Prompt, "cachedContentTokenCount": u.Cached,
		"candidatesTokenCount": u.Completion - u.Reasoning, "thoughtsTokenCount": u.Reasoning,
		"totalTokenCount": u.Total(),
	}
}

// piece is an answer, or a part of a stream, with the given parts.
func (d gemini) piece(a answer, parts []any, finish string) map[string]any {
	candidate := map[string]any{"index": 0, "content": map[string]any{"role": "model", "parts": parts}}
	if finish != "" {
		candidate["finishReason"] = finish
	}
	return map[string]any{"candidates": []any{candidate}, "usageMetadata": d.usage(a.Usage), "modelVersion": a.Model, "responseId": a.ID}
}

func (gemini) reason(a answer) string {
	return map[string]string{wire.Stop: "STOP", wire.Calls: "STOP", wire.Length: "MAX_TOKENS", wire.Filter: "SAFETY"}[a.FinishReason]
}

func (d gemini) whole(r *request, a answer) any {
	whole := d.piece(a, d.parts(r, a), d.reason(a))
	if a.Empty {
		delete(whole, "candidates")
	}
	return whole
}

func (d gemini) events(r *request, a answer) []event {
	if a.Empty {
		return []event{{Data: d.whole(r, a)}}
	}
	var events []event
	for _, p := range d.parts(r, a) {
		part := p.(map[string]any)
		text, ok := part["text"].(string)
		if !ok {
			events = append(events, event{Data: d.piece(a, []any{part}, "")})
			continue
		}
		for _, half := range halves(text) {
			events = append(events, event{Data: d.piece(a, []any{with(without(part, "text"), "text", half)}, "")})
		}
	}
	return append(events, event{Data: d.piece(a, []any{map[string]any{"text": ""}}, d.reason(a))})
}
