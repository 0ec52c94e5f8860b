package gemini

import (
	"cmp"
	"errors"
	"fmt"
	"hash/fnv"
	"net/http"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"agentd/models/wire"
)

// answer is an answer as it is written, or an event of a stream.
type answer struct {
	Candidates []candidate `json:"candidates,omitempty"`
	Usage      *usage      `json:"usageMetadata,omitempty"`
	Model      string      `json:"modelVersion"`
	ID         string      `json:"responseId"`
}

type candidate struct {
	Index   int `json:"index"`
	Content struct {
		Role  string `json:"role"`
		Parts []part `json:"parts"`
	} `json:"content"`
	Finish string `json:"finishReason,omitempty"`
}

type usage struct {
	Prompt   int `json:"promptTokenCount"`
	Cached   int `json:"cachedContentTokenCount"`
	Answer   int `json:"candidatesTokenCount"`
	Thoughts int `json:"thoughtsTokenCount"`
	Total    int `json:"totalTokenCount"`
}

// EncodeAnswer implements wire.Codec.
func (Codec) EncodeAnswer(r *wire.Request, a *wire.Answer) any {
	m := &a.Message
	var parts []part
	if m.Reasoning != "" && r.Summary {
		parts = append(parts, part{Text: &m.Reasoning, Thought: true})
	}
	if m.Content != "" {
		parts = append(parts, part{Text: &m.Content})
	}
	return whole(a, append(parts, rest(m)...))
}

// rest returns the parts of an answer that a stream sends in one piece: pictures and calls.
func rest(m *wire.Message) (parts []part) {
	for _, p := range m.Pictures {
		parts = append(parts, partOf(&wire.Part{Address: p.Address()}))
	}
	return append(parts, callsOf(m, m.Signature)...)
}

// whole returns an answer, or the last event of a stream, with the given parts.
func whole(a *wire.Answer, parts []part) answer {
	all := piece(a, parts, cmp.Or(map[string]string{wire.Length: "MAX_TOKENS", wire.Filter: "SAFETY"}[a.FinishReason], "STOP"))
	if a.Empty {
		all.Candidates = nil
	}
	u := a.Usage
	all.Usage = &usage{u.Prompt, u.Cached, u.Completion - u.Reasoning, u.Reasoning, u.Total()}
	return all
}

// piece returns an event with parts of an answer. finish is the finish reason; "" before the
// end.
func piece(a *wire.Answer, parts []part, finish string) answer {
	one := candidate{Finish: finish}
	one.Content.Role, one.Content.Parts = "model", parts
	if parts == nil {
		one.Content.Parts = []part{}
	}
	return answer{Candidates: []candidate{one}, Model: a.Model, ID: a.ID}
}

// failure is an error, as it is written.
type failure struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Status  string `json:"status"`
	Details []any  `json:"details,omitempty"`
}

// EncodeError implements wire.Codec.
func (Codec) EncodeError(e *wire.Error) any {
	f := failure{Code: e.Status, Message: e.Message, Status: "INVALID_ARGUMENT"}
	switch {
	case e.Status == http.StatusTooManyRequests:
		f.Status = "RESOURCE_EXHAUSTED"
	case e.Status == http.StatusNotFound:
		f.Status = "NOT_FOUND"
	case e.Status == http.StatusBadGateway || e.Status == http.StatusServiceUnavailable:
		f.Status = "UNAVAILABLE"
	case e.Status >= http.StatusInternalServerError:
		f.Status = "INTERNAL"
	}
	if e.Wait > 0 {
		f.Details = []any{map[string]string{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": fmt.Sprint(e.Wait.Seconds(), "s")}}
	}
	return map[string]failure{"error": f}
}

// heard is an answer as the server writes it.
type heard struct {
	Candidates wire.First[heardCandidate] `json:"candidates"`
	Feedback   struct {
		BlockReason string `json:"blockReason"`
	} `json:"promptFeedback"`
	Usage heardUsage     `json:"usageMetadata"`
	Error jsontext.Value `json:"error"`
}

// heardCandidate is a candidate of an answer.
type heardCandidate struct {
	Content struct {
		Parts jsontext.Value `json:"parts"`
	} `json:"content"`
	FinishReason string `json:"finishReason"`
}

type heardUsage struct {
	Prompt   wire.Tokens `json:"promptTokenCount"`
	ToolUse  wire.Tokens `json:"toolUsePromptTokenCount"`
	Cached   wire.Tokens `json:"cachedContentTokenCount"`
	Answer   wire.Tokens `json:"candidatesTokenCount"`
	Thoughts wire.Tokens `json:"thoughtsTokenCount"`
}

func (w *heardUsage) usage() wire.Usage {
	return wire.Usage{Prompt: int(w.Prompt + w.ToolUse), Cached: int(w.Cached), Completion: int(w.Answer + w.Thoughts), Reasoning: int(w.Thoughts)}
}

// heardPart is a part of a content, as clients and servers write it.
type heardPart struct {
	Text      string                    `json:"text"`
	Thought   bool                      `json:"thought"`
	Signature wire.Text                 `json:"thoughtSignature"`
	Inline    *inline                   `json:"inlineData"`
	Call      *heardCall                `json:"functionCall"`
	Response  *heardCall                `json:"functionResponse"` // the result itself is read separately
	Others    map[string]jsontext.Value `json:",embed"`
}

type heardCall struct {
	ID   string         `json:"id"`
	Name string         `json:"name"`
	Args wire.Arguments `json:"args"`
}

// DecodeAnswer implements wire.Codec.
func (Codec) DecodeAnswer(body []byte) (a wire.Answer, err error) {
	var answer heard
	if err := wire.ReadAnswer(body, &answer); err != nil {
		return a, err
	}
	a.Usage = answer.Usage.usage()
	candidate := &answer.Candidates.It
	switch {
	case wire.ErrorInside(answer.Error) != nil:
		return a, wire.DecodeError(body)
	case answer.Feedback.BlockReason != "":
		return a, &wire.Error{Status: http.StatusBadRequest, Code: wire.Filter, Message: "the prompt was blocked: " + answer.Feedback.BlockReason}
	case !answer.Candidates.Found || candidate.FinishReason == "":
		return a, wire.ErrNoAnswer
	case candidate.FinishReason == "MALFORMED_FUNCTION_CALL":
		return a, errors.New("the model called a function in a way that the server could not read")
	}
	said := wire.Message{Role: wire.Assistant}
	if parts := candidate.Content.Parts; parts.Kind() == '[' {
		if err := hear(&said, parts); err != nil {
			return a, err
		}
		if len(said.Pictures) == 0 { // after a picture the conversation ends, and the turn would be large
			said.Replay = &wire.Replay{API: wire.Gemini, Raw: string(parts)}
		}
	}
	a.Message, a.FinishReason = said, cmp.Or(reasons[candidate.FinishReason], candidate.FinishReason)
	if a.FinishReason == wire.Stop && len(said.ToolCalls) > 0 {
		a.FinishReason = wire.Calls
	}
	return a, nil
}

// reasons maps finish reasons to those of chat completions.
var reasons = map[string]string{
	"STOP": wire.Stop, "MAX_TOKENS": wire.Length, "SAFETY": wire.Filter, "RECITATION": wire.Filter, "BLOCKLIST": wire.Filter,
	"PROHIBITED_CONTENT": wire.Filter, "SPII": wire.Filter,
}

// hear decodes a list of parts: text, calls and visible reasoning. Calls without an identifier
// get one.
func hear(m *wire.Message, list jsontext.Value) error {
	var text, thought strings.Builder
	made := sync.OnceValue(func() uint64 {
		hash := fnv.New64a()
		hash.Write(list)
		return hash.Sum64()
	})
	err := wire.EachOf(list, "parts", func(p *heardPart) error {
		switch {
		case p.Call != nil:
			id := p.Call.ID
			if id == "" {
				id = fmt.Sprintf("%s%016x_%d", madeID, made(), len(m.ToolCalls))
			}
			return m.AddCall(wire.ToolCall{ID: id, Name: p.Call.Name, Arguments: string(p.Call.Args)})
		case p.Inline != nil:
			if !p.Thought { // drafts do not belong to the answer
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
