package models

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"net/http"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"agentd/models/wire"
)

// gemini is the dialect of Google's generateContent. Its server signs what a model thought
// into the parts of a turn, and refuses the conversation without the signatures.
type gemini struct{}

// madeID begins the identifiers that agentd gives to calls, of which the server's own need
// none.
const madeID = "agentd_call_"

// unsigned stands for the signature of a call that the server did not make, as Google's
// documentation has it.
const unsigned = "skip_thought_signature_validator"

// Encode implements codec.
func (g gemini) Encode(r *wire.Request) ([]byte, error) {
	system, contents, err := g.contents(r.Messages)
	if err != nil {
		return nil, err
	}
	config := map[string]any{}
	if r.Temperature != nil {
		config["temperature"] = *r.Temperature
	}
	if thinking := g.thinking(r); thinking != nil {
		config["thinkingConfig"] = thinking
	}
	if r.MaxOutput > 0 {
		config["maxOutputTokens"] = r.MaxOutput
	}
	if r.Draws {
		config["responseModalities"] = []string{"TEXT", "IMAGE"}
	}
	if r.Seed != nil {
		config["seed"] = int32(*r.Seed & 0x7fffffff) // of more the server knows nothing
	}
	if r.Format != nil {
		config["responseMimeType"] = "application/json"
	}
	var all wire.Object
	all.Put("contents", contents)
	all.Put("systemInstruction", system)
	all.Put("generationConfig", config)
	if len(r.Tools) > 0 {
		tools, err := g.tools(r.Tools)
		if err != nil {
			return nil, err
		}
		all.Put("tools", tools)
		all.Put("toolConfig", callingConfig(r.Choice))
	}
	return all.Write(r.Body)
}

// Overlay implements codec.
func (g gemini) Overlay(r *wire.Request, members wire.Members) ([]byte, error) {
	var own struct {
		Temperature json.RawMessage `json:"temperature"`
	}
	if raw := members["generationConfig"]; len(raw) <= wire.MaxSetting {
		_ = json.Unmarshal(raw, &own) // what is no object has none
	}
	config := map[string]any{}
	r.LayTemperature(config, own.Temperature, false)
	if r.MaxOutput > 0 {
		config["maxOutputTokens"] = r.MaxOutput
	}
	if r.Seed != nil {
		config["seed"] = int32(*r.Seed & 0x7fffffff)
	}
	if r.Effort != "" {
		config["thinkingConfig"] = g.thinking(r)
	}
	all := maps.Clone(members)
	if err := errors.Join(all.Lay(map[string]any{"generationConfig": config}), all.Lay(r.Body)); err != nil {
		return nil, err
	}
	return all.Write()
}

// callingConfig is which function the model is to call; nil for its own choice.
func callingConfig(c wire.Choice) any {
	config := map[string]any{}
	switch {
	case c.Function != "":
		config["mode"], config["allowedFunctionNames"] = "ANY", []string{c.Function}
	case c.Mode == wire.Must:
		config["mode"] = "ANY"
	case c.Mode == wire.Never:
		config["mode"] = "NONE"
	default:
		return nil
	}
	return map[string]any{"functionCallingConfig": config}
}

// thinking returns how an effort is asked for; nil for nothing.
func (gemini) thinking(r *wire.Request) any {
	config := map[string]any{}
	if r.Summary {
		config["includeThoughts"] = true
	}
	switch {
	case r.Budget > 0:
		config["thinkingBudget"] = r.Budget
	case r.Effort != "":
		config["thinkingLevel"] = r.Effort
	}
	if len(config) == 0 {
		return nil
	}
	return config
}

func (g gemini) tools(offered []Tool) (json.RawMessage, error) {
	type function struct {
		Name        string          `json:"name"`
		Description string          `json:"description,omitempty"`
		Parameters  json.RawMessage `json:"parametersJsonSchema"`
	}
	all := make([]function, len(offered))
	for i, t := range offered {
		all[i] = function{t.Name, t.Description, t.Schema()}
	}
	return wire.Write([]any{map[string]any{"functionDeclarations": all}})
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
func (g gemini) contents(list []Message) (system any, contents json.RawMessage, err error) {
	names := map[string]string{} // of functions, by the identifiers of calls
	for i := range list {
		for _, call := range list[i].ToolCalls {
			names[call.ID] = call.Name
		}
	}
	err = wire.WriteEach(list, func(m *Message) ([]byte, error) { return g.parts(m, names) })
	if err != nil {
		return nil, nil, err
	}
	size := 0
	for i := range list {
		size += len(list[i].Written) + len(`{"role":"model","parts":[]},`)
	}
	var said []string
	b := bytes.NewBuffer(make([]byte, 0, size))
	b.WriteByte('[')
	open := false
	before := Role("")
	for i := range list {
		m := &list[i]
		if m.Role == System {
			said = append(said, m.Text("\n\n"))
			continue
		}
		if len(m.Written) == 0 {
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
		b.Write(m.Written)
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
func (g gemini) parts(m *Message, names map[string]string) ([]byte, error) {
	if m.Role == Assistant {
		if raw := m.ReplayIn(Gemini); raw != nil {
			return wire.Elements(raw), nil
		}
	}
	var all []geminiPart
	switch {
	case m.Role == System:
		return nil, nil
	case m.Role == ToolRole:
		all = append(all, geminiPart{Response: &geminiResponse{given(m.ToolCallID), names[m.ToolCallID], map[string]string{"output": m.Text("\n")}}})
	case m.Content != "":
		all = append(all, geminiPart{Text: &m.Content})
	}
	for i := range m.Parts {
		all = append(all, partOf(&m.Parts[i]))
	}
	for i := range m.ToolCalls {
		call := &m.ToolCalls[i]
		part := geminiPart{Call: &geminiCall{given(call.ID), call.Name, call.Object()}}
		if i == 0 { // the server signs the first one
			part.Signature = unsigned
		}
		all = append(all, part)
	}
	if len(all) == 0 {
		return nil, nil
	}
	raw, err := wire.Write(all)
	return wire.Elements(raw), err
}

// partOf is a text, or a picture.
func partOf(p *wire.Part) geminiPart {
	if p.Address == "" {
		return geminiPart{Text: &p.Text}
	}
	if kind, data, ok := p.Address.Data(); ok {
		return geminiPart{Inline: map[string]string{"mimeType": kind, "data": data}}
	}
	return geminiPart{File: map[string]string{"fileUri": string(p.Address)}}
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
	return wire.EachElement(d, "candidates", func() error {
		if c.found {
			return d.SkipValue()
		}
		c.found = true
		return wire.ReadNext(d, (*candidate)(c))
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
	if err := wire.Counted(&w.Prompt, &w.ToolUse, &w.Cached, &w.Answer, &w.Thoughts); err != nil {
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
		ID   string         `json:"id"`
		Name string         `json:"name"`
		Args wire.Arguments `json:"args"`
	} `json:"functionCall"`
}

// DecodeAnswer implements codec.
func (g gemini) DecodeAnswer(body []byte) (wire.Answer, error) {
	var answer wireGemini
	if err := wire.ReadAnswer(body, &answer); err != nil {
		return wire.Answer{}, err
	}
	usage, err := answer.Usage.usage()
	if err != nil {
		return wire.Answer{}, err
	}
	if err := wire.ErrorInside(answer.Error); err != nil {
		return wire.Answer{Usage: usage}, wire.Explained(body)
	}
	candidate := &answer.Candidates
	switch {
	case answer.Feedback.BlockReason != "":
		return wire.Answer{Usage: usage}, &wire.Error{Status: http.StatusBadRequest, Code: "content_filter", Message: "the prompt was blocked: " + answer.Feedback.BlockReason}
	case !candidate.found || candidate.FinishReason == "":
		return wire.Answer{Usage: usage}, wire.ErrNoAnswer
	case candidate.FinishReason == "MALFORMED_FUNCTION_CALL":
		return wire.Answer{Usage: usage}, errors.New("the model called a function in a way that the server could not read")
	}
	said := Message{Role: Assistant}
	if parts := candidate.Content.Parts; parts.Kind() == '[' {
		said.Replay = &Replay{API: Gemini, Raw: string(parts)}
		if err := readParts(&said, parts); err != nil {
			return wire.Answer{Usage: usage}, err
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
	return wire.Answer{Message: said, FinishReason: reason, Usage: usage}, nil
}

// readParts reads what a list of parts says, calls and shows of its thoughts. Calls that
// have no identifier get one.
func readParts(m *Message, list jsontext.Value) error {
	var text, thought strings.Builder
	made := sync.OnceValue(func() uint64 {
		hash := fnv.New64a()
		hash.Write(list)
		return hash.Sum64()
	})
	err := wire.EachOf(list, "parts", func(p *wirePart) error {
		switch {
		case p.Call != nil:
			id := p.Call.ID
			if id == "" {
				id = fmt.Sprintf("%s%016x_%d", madeID, made(), len(m.ToolCalls))
			}
			return m.AddCall(ToolCall{ID: id, Name: p.Call.Name, Arguments: string(p.Call.Args)})
		case p.Inline != nil:
			if !p.Thought { // drafts are no part of the answer
				return m.Draw(p.Inline.Type, p.Inline.Data)
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

// DecodeError implements codec.
func (g gemini) DecodeError(body []byte) *wire.Error { return wire.Explained(body) }

// Reader implements codec.
func (g gemini) Reader() wire.Reader { return &geminiAssembly{} }

// geminiAssembly puts the parts of a stream's pieces into one list.
type geminiAssembly struct {
	wire.News
	kept     wire.Kept
	parts    [][]byte
	finish   string
	usage    jsontext.Value
	feedback jsontext.Value
}

// ended implements assembly. What the calls are called is known at the end, because their
// identifiers are made of all parts.
func (a *geminiAssembly) Ended() bool { return a.finish != "" || a.feedback != nil }

func (a *geminiAssembly) Add(_ string, data []byte) error {
	a.News = a.News[:0]
	var piece struct {
		Candidates wireCandidate  `json:"candidates"`
		Feedback   jsontext.Value `json:"promptFeedback"`
		Usage      jsontext.Value `json:"usageMetadata"`
		Error      jsontext.Value `json:"error"`
	}
	if err := wire.ReadAnswer(data, &piece); err != nil {
		return fmt.Errorf("reading the stream: %w", err)
	}
	if piece.Error != nil {
		return wire.Explained(data)
	}
	if inside := wire.Elements(piece.Candidates.Content.Parts); len(inside) > 0 {
		if err := a.kept.Add(len(inside)); err != nil {
			return err
		}
		a.parts = append(a.parts, bytes.Clone(inside))
		var said Message
		if err := readParts(&said, piece.Candidates.Content.Parts); err != nil {
			return fmt.Errorf("reading the stream: %w", err)
		}
		a.News = append(a.News, Delta{Text: said.Content, Thought: said.Reasoning})
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

func (a *geminiAssembly) Whole() ([]byte, error) {
	if a.finish == "" && a.feedback == nil {
		return nil, wire.ErrCutOff
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
	return wire.Write(whole)
}
