package models

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// gemini is the dialect of Google's generateContent. Its server signs what a model thought
// into the parts of a turn, and refuses the conversation without the signatures.
type gemini struct{ envelope }

// madeID begins the identifiers that agentd gives to calls, of which the server's own need
// none.
const madeID = "agentd_call_"

// unsigned stands for the signature of a call that the server did not make, as Google's
// documentation has it.
const unsigned = "skip_thought_signature_validator"

// endpoint implements dialect.
func (g *gemini) endpoint(key string, stream bool) (string, http.Header) {
	method := ":generateContent"
	if stream {
		method = ":streamGenerateContent?alt=sse"
	}
	return g.path("/models/" + escaped(g.spec.Model) + method), keyHeader("X-Goog-Api-Key", key)
}

// encode implements dialect.
func (g *gemini) encode(req Request, without omissions) ([]byte, error) {
	if req.Verbatim {
		return g.overlay(req, without)
	}
	wantsJSON, e := g.wantsJSON()
	req, err := e.conversation(req)
	if err != nil {
		return nil, err
	}
	system, contents, err := g.contents(req.Messages)
	if err != nil {
		return nil, err
	}
	thinking, err := g.thinking(without)
	if err != nil {
		return nil, err
	}
	config := map[string]any{}
	for name, value := range map[string]any{"temperature": e.temperatureOf(req, without, false), "thinkingConfig": thinking} {
		if value != nil {
			config[name] = value
		}
	}
	if limit := e.limitOf(req); limit > 0 {
		config["maxOutputTokens"] = limit
	}
	if req.Draws {
		config["responseModalities"] = []string{"TEXT", "IMAGE"}
	}
	if g.spec.Seeded && !without.has(settingSeed) {
		config["seed"] = int32(req.Seed & 0x7fffffff) // of more the server knows nothing
	}
	if (wantsJSON || req.wantsJSON()) && !without.has(settingFormat) {
		config["responseMimeType"] = "application/json"
	}
	members := []member{{"contents", contents}, {"systemInstruction", system}, {"generationConfig", config}}
	if len(req.Tools) > 0 {
		tools, err := g.tools(req.Tools)
		if err != nil {
			return nil, err
		}
		members = append(members, member{"tools", tools}, member{"toolConfig", req.callingConfig()})
	}
	return e.write(members)
}

// thinking returns how the spec's effort is asked for; nil for nothing.
func (g *gemini) thinking(without omissions) (any, error) {
	if !g.profile.reasons() && g.spec.Reasoning == "" {
		return nil, nil
	}
	config := map[string]any{}
	if !without.has(settingSummary) {
		config["includeThoughts"] = true
	}
	switch {
	case g.spec.Reasoning == "":
	case g.profile.Thinking == "budget":
		budget, err := budgetOf(g.spec.Reasoning)
		if err != nil {
			return nil, err
		}
		config["thinkingBudget"] = budget
	default:
		config["thinkingLevel"] = g.spec.Reasoning
	}
	if len(config) == 0 {
		return nil, nil
	}
	return config, nil
}

func (g *gemini) tools(offered []Tool) (json.RawMessage, error) {
	type function struct {
		Name        string          `json:"name"`
		Description string          `json:"description,omitempty"`
		Parameters  json.RawMessage `json:"parametersJsonSchema"`
	}
	all := make([]function, len(offered))
	for i, t := range offered {
		all[i] = function{t.Name, t.Description, schemaOf(t)}
	}
	return writeJSON([]any{map[string]any{"functionDeclarations": all}})
}

// part is one of a content, as agentd writes it.
type geminiPart struct {
	Text      *string         `json:"text,omitempty"`
	Inline    any             `json:"inlineData,omitempty"`
	File      any             `json:"fileData,omitempty"`
	Call      *geminiCall     `json:"functionCall,omitempty"`
	Response  *geminiResponse `json:"functionResponse,omitempty"`
	Signature string          `json:"thoughtSignature,omitempty"`
}

type geminiCall struct {
	ID   string          `json:"id,omitempty"`
	Name string          `json:"name"`
	Args json.RawMessage `json:"args"`
}

type geminiResponse struct {
	ID       string            `json:"id,omitempty"`
	Name     string            `json:"name"`
	Response map[string]string `json:"response"`
}

// contents returns the system's messages as one, and the others as contents. The answers
// to the calls of a turn are one content.
func (g *gemini) contents(list []Message) (system any, contents json.RawMessage, err error) {
	names := map[string]string{} // of functions, by the identifiers of calls
	for i := range list {
		for _, call := range list[i].ToolCalls {
			names[call.ID] = call.Name
		}
	}
	err = joinWire(list, func(m *Message) ([]byte, error) { return g.parts(m, names) })
	if err != nil {
		return nil, nil, err
	}
	size := 0
	for i := range list {
		size += len(list[i].wire) + len(`{"role":"model","parts":[]},`)
	}
	var said []string
	b := bytes.NewBuffer(make([]byte, 0, size))
	b.WriteByte('[')
	open := false
	before := Role("")
	for i := range list {
		m := &list[i]
		if m.Role == System {
			said = append(said, m.Content)
			continue
		}
		if len(m.wire) == 0 {
			continue
		}
		if open && m.Role == ToolRole && before == ToolRole {
			b.WriteByte(',')
		} else {
			if open {
				b.WriteString("]},")
			}
			role := "user"
			if m.Role == Assistant {
				role = "model"
			}
			fmt.Fprintf(b, `{"role":%q,"parts":[`, role)
		}
		open, before = true, m.Role
		b.Write(m.wire)
	}
	if open {
		b.WriteString("]}")
	}
	b.WriteByte(']')
	if len(said) > 0 {
		system = map[string]any{"parts": []any{map[string]string{"text": strings.Join(said, "\n\n")}}}
	}
	return system, b.Bytes(), nil
}

// parts writes a message as parts with commas between them: the model's as the server
// sent them, if that is known. names are those of the functions that were called.
func (g *gemini) parts(m *Message, names map[string]string) ([]byte, error) {
	if m.Role == Assistant {
		if raw := m.replayOf(Gemini); raw != nil {
			return elementsOf(raw), nil
		}
	}
	var all []geminiPart
	switch {
	case m.Role == System:
		return nil, nil
	case m.Role == ToolRole:
		all = append(all, geminiPart{Response: &geminiResponse{given(m.ToolCallID), names[m.ToolCallID], map[string]string{"output": m.Content}}})
	case m.Content != "":
		all = append(all, geminiPart{Text: &m.Content})
	}
	for _, p := range m.pictures {
		all = append(all, p.part())
	}
	for i := range m.ToolCalls {
		call := &m.ToolCalls[i]
		part := geminiPart{Call: &geminiCall{given(call.ID), call.Name, call.object()}}
		if i == 0 { // the server signs the first one
			part.Signature = unsigned
		}
		all = append(all, part)
	}
	if len(all) == 0 {
		return nil, nil
	}
	raw, err := writeJSON(all)
	return elementsOf(raw), err
}

// given is a call's identifier if it is the server's own, otherwise "".
func given(id string) string {
	if strings.HasPrefix(id, madeID) {
		return ""
	}
	return id
}

// wireGemini is an answer as the server writes it.
type wireGemini struct {
	Candidates wireCandidate   `json:"candidates"`
	Feedback   wireFeedback    `json:"promptFeedback"`
	Usage      wireGeminiUsage `json:"usageMetadata"`
	Error      jsontext.Value  `json:"error"`
}

type wireFeedback struct {
	BlockReason string `json:"blockReason"`
}

// wireCandidate is the first of the candidates.
type wireCandidate struct {
	Content struct {
		Parts jsontext.Value `json:"parts"`
	} `json:"content"`
	FinishReason string `json:"finishReason"`

	found bool
}

// UnmarshalJSONFrom reads the list of candidates: the first one, and nothing of others.
func (c *wireCandidate) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	type candidate wireCandidate // without this method
	return eachElement(d, "candidates", func() error {
		if c.found {
			return d.SkipValue()
		}
		c.found = true
		return decodeNext(d, (*candidate)(c))
	})
}

type wireGeminiUsage struct {
	Prompt   int64 `json:"promptTokenCount"`
	ToolUse  int64 `json:"toolUsePromptTokenCount"`
	Cached   int64 `json:"cachedContentTokenCount"`
	Answer   int64 `json:"candidatesTokenCount"`
	Thoughts int64 `json:"thoughtsTokenCount"`
}

func (w *wireGeminiUsage) usage() (Usage, error) {
	if err := counted(&w.Prompt, &w.ToolUse, &w.Cached, &w.Answer, &w.Thoughts); err != nil {
		return Usage{}, err
	}
	return Usage{Prompt: int(w.Prompt + w.ToolUse), Cached: int(w.Cached), Completion: int(w.Answer + w.Thoughts), Reasoning: int(w.Thoughts)}, nil
}

// wirePart is a part of an answer's content.
type wirePart struct {
	Text    string `json:"text"`
	Thought bool   `json:"thought"`
	Inline  *struct {
		Type string `json:"mimeType"`
		Data string `json:"data"`
	} `json:"inlineData"`
	Call *struct {
		ID   string        `json:"id"`
		Name string        `json:"name"`
		Args wireArguments `json:"args"`
	} `json:"functionCall"`
}

// decode implements dialect.
func (g *gemini) decode(body []byte) (Response, error) {
	var answer wireGemini
	if err := leniently(body, &answer); err != nil {
		return Response{}, err
	}
	usage, err := answer.Usage.usage()
	if err != nil {
		return Response{}, err
	}
	if err := errorInside(answer.Error); err != nil {
		return Response{Usage: usage}, explained(body)
	}
	candidate := &answer.Candidates
	switch {
	case answer.Feedback.BlockReason != "":
		return Response{Usage: usage}, &serverError{status: http.StatusBadRequest, code: "content_filter", message: "the prompt was blocked: " + answer.Feedback.BlockReason}
	case !candidate.found || candidate.FinishReason == "":
		return Response{Usage: usage}, errNoAnswer
	case candidate.FinishReason == "MALFORMED_FUNCTION_CALL":
		return Response{Usage: usage}, errors.New("the model called a function in a way that the server could not read")
	}
	said := Message{Role: Assistant}
	if parts := candidate.Content.Parts; parts.Kind() == '[' {
		said.Replay = &Replay{API: Gemini, Raw: string(parts)}
		if err := said.readParts(parts); err != nil {
			return Response{Usage: usage}, err
		}
		if len(said.Pictures) > 0 { // nothing is asked after a picture, and it is large
			said.Replay = nil
		}
	}
	reason := candidate.FinishReason
	switch reason {
	case "STOP":
		if reason = "stop"; len(said.ToolCalls) > 0 {
			reason = "tool_calls"
		}
	case "MAX_TOKENS":
		reason = "length"
	case "SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII":
		reason = "content_filter"
	}
	return Response{Message: said, FinishReason: reason, Usage: usage}, nil
}

// readParts reads what a list of parts says, calls and shows of its thoughts. Calls that
// have no identifier get one.
func (m *Message) readParts(list jsontext.Value) error {
	var text, thought strings.Builder
	made := sync.OnceValue(func() uint64 {
		hash := fnv.New64a()
		hash.Write(list)
		return hash.Sum64()
	})
	err := eachOf(list, "parts", func(p *wirePart) error {
		switch {
		case p.Call != nil:
			id := p.Call.ID
			if id == "" {
				id = fmt.Sprintf("%s%016x_%d", madeID, made(), len(m.ToolCalls))
			}
			return m.addCall(ToolCall{id, p.Call.Name, string(p.Call.Args)})
		case p.Inline != nil:
			if !p.Thought { // drafts are no part of the answer
				return m.draw(p.Inline.Type, p.Inline.Data)
			}
		case p.Thought:
			thought.WriteString(p.Text)
		default:
			text.WriteString(p.Text)
		}
		return nil
	})
	m.Content, m.Reasoning = text.String(), thought.String()
	return err
}

// explain implements dialect.
func (g *gemini) explain(body []byte) *serverError { return explained(body) }

// retryDelay is how long Google's error details ask to wait; 0 if they do not.
func retryDelay(raw json.RawMessage) time.Duration {
	var details []struct {
		RetryDelay string `json:"retryDelay"` // as 34.5s
	}
	if json.Unmarshal(raw, &details) != nil {
		return 0
	}
	for _, d := range details {
		if wait, err := time.ParseDuration(d.RetryDelay); err == nil && wait > 0 {
			return wait
		}
	}
	return 0
}

// assembly implements dialect.
func (g *gemini) assembly() assembly { return &geminiAssembly{} }

// geminiAssembly puts the parts of a stream's pieces into one list.
type geminiAssembly struct {
	news
	kept     kept
	parts    [][]byte
	finish   string
	usage    jsontext.Value
	feedback jsontext.Value
}

// ended implements assembly. What the calls are called is known at the end, because their
// identifiers are made of all parts.
func (a *geminiAssembly) ended() bool { return a.finish != "" || a.feedback != nil }

func (a *geminiAssembly) add(_ string, data []byte) error {
	a.news = a.news[:0]
	var piece struct {
		Candidates wireCandidate  `json:"candidates"`
		Feedback   jsontext.Value `json:"promptFeedback"`
		Usage      jsontext.Value `json:"usageMetadata"`
		Error      jsontext.Value `json:"error"`
	}
	if err := leniently(data, &piece); err != nil {
		return fmt.Errorf("reading the stream: %w", err)
	}
	if piece.Error != nil {
		return explained(data)
	}
	if inside := elementsOf(piece.Candidates.Content.Parts); len(inside) > 0 {
		if err := a.kept.add(len(inside)); err != nil {
			return err
		}
		a.parts = append(a.parts, bytes.Clone(inside))
		var said Message
		if err := said.readParts(piece.Candidates.Content.Parts); err != nil {
			return fmt.Errorf("reading the stream: %w", err)
		}
		a.news = append(a.news, Delta{Text: said.Content, Thought: said.Reasoning})
	}
	if piece.Candidates.FinishReason != "" {
		a.finish = piece.Candidates.FinishReason
	}
	if piece.Usage != nil {
		a.usage = piece.Usage
	}
	if piece.Feedback != nil {
		a.feedback = piece.Feedback
	}
	return nil
}

func (a *geminiAssembly) whole() ([]byte, error) {
	if a.finish == "" && a.feedback == nil {
		return nil, errCutOff
	}
	whole := map[string]any{}
	if a.finish != "" {
		parts := json.RawMessage("[" + string(bytes.Join(a.parts, []byte(","))) + "]")
		whole["candidates"] = []any{map[string]any{"content": map[string]any{"role": "model", "parts": parts}, "finishReason": a.finish}}
	}
	if a.usage != nil {
		whole["usageMetadata"] = a.usage
	}
	if a.feedback != nil {
		whole["promptFeedback"] = a.feedback
	}
	return writeJSON(whole)
}
