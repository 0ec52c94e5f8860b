package gateway

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"agentd/models"
)

// responsesQuestion is a request in the dialect of the Responses API, which differs
// from chat completions in its words, and in that a conversation may be named
// instead of sent again.
type responsesQuestion struct {
	translated
	id      string // of the response
	created time.Time
	asked   members // that the response repeats
	store   bool    // whether the conversation may be named later
	pieces  []piece // of the conversation
	added   int     // of these, the last, which the request brought along
	release func()  // gives back the room of what the request names
	offered offering
}

// readResponses understands such a request.
func (g *Gateway) readResponses(r *http.Request, asked members) (question, error) {
	q := &responsesQuestion{translated: translated{gateway: g}, id: "resp_" + rand.Text(), created: time.Now(), store: true, release: func() {},
		offered: offering{g, map[string][2]string{}, map[string]bool{}}}
	// Values that are no booleans are ignored.
	_ = decode("stream", asked["stream"], &q.stream)
	_ = decode("store", asked["store"], &q.store)
	for _, name := range []string{"conversation", "prompt"} {
		if given(asked[name]) {
			return nil, fmt.Errorf("%s: nothing is stored here that could be named; send input, or previous_response_id", name)
		}
	}
	if !q.store && !given(asked["previous_response_id"]) && models.Takes(g.model, models.Responses, q.stream) {
		q.asked = members{}
		return g.verbatim(r, models.Responses, asked, q)
	}
	if err := q.understand(r.Context(), asked); err != nil {
		q.close()
		return nil, err
	}
	return q, nil
}

func (q *responsesQuestion) request() models.Request {
	if !q.store {
		q.pieces, q.added = nil, 0
	}
	return q.translated.request()
}

func (q *responsesQuestion) close() { q.release() }

// understand makes a chat completion of the request.
func (q *responsesQuestion) understand(ctx context.Context, asked members) error {
	in := &q.gateway.intake
	if err := in.decode(ctx, func() error { return q.readPieces(asked) }); err != nil {
		return err
	}
	if size := q.named(); size > 0 {
		release, err := in.name(ctx, size)
		if err != nil {
			return err
		}
		q.release = release
	}
	return in.decode(ctx, func() error {
		messages, err := q.messages(asked["instructions"])
		if err != nil {
			return err
		}
		if q.chat, err = q.toChat(asked, messages); err != nil {
			return err
		}
		q.asked = short(asked)
		return q.gateway.answered(q.chat["messages"])
	})
}

// maxRepeated bounds the members of a request that its response repeats, in bytes each.
const maxRepeated = 64 << 10

// short returns copies of the members that are short, so that the request need not
// stay in memory.
func short(asked members) members {
	all := members{}
	for name, value := range asked {
		if len(value) <= maxRepeated && name != "input" {
			all[name] = slices.Clone(value)
		}
	}
	return all
}

// named is about how many bytes of the conversation the request does not hold itself.
func (q *responsesQuestion) named() (size int) {
	for i, p := range q.pieces {
		if i < len(q.pieces)-q.added || p.id != "" {
			size += p.size()
		}
	}
	return size
}

// readPieces finds the conversation that is named, and what the request adds to it.
func (q *responsesQuestion) readPieces(asked members) error {
	const name = "previous_response_id"
	var previous string
	if err := decode(name, asked[name], &previous); err != nil {
		return err
	}
	if previous != "" {
		earlier, ok := q.gateway.kept.conversation(previous)
		if !ok {
			return fmt.Errorf("%s: there is no response %s: it was not given in this interaction, was not to be stored, or has made room for later ones", name, previous)
		}
		q.pieces = earlier
	}
	added, err := q.gateway.readInput(asked["input"])
	if err != nil {
		return err
	}
	q.pieces, q.added = append(q.pieces[:len(q.pieces):len(q.pieces)], added...), len(added)
	if len(q.pieces) == 0 {
		return errors.New("the request has no input")
	}
	return nil
}

// messages are the conversation to be completed, with the request's instructions.
func (q *responsesQuestion) messages(instructions json.RawMessage) ([]chatMessage, error) {
	messages, err := joined(q.pieces)
	if err != nil {
		return nil, err
	}
	switch {
	case !given(instructions) || string(instructions) == `""`:
	case instructions[0] != '"':
		return nil, wrongType("instructions", instructions)
	default: // they hold for this request alone, and are not kept
		messages = slices.Insert(messages, 0, chatMessage{role: models.System, content: content(instructions)})
	}
	return messages, nil
}

// toChat returns a request as members of a chat completion. Members that have no
// counterpart there are left out.
func (q *responsesQuestion) toChat(asked members, messages []chatMessage) (members, error) {
	request := members{}
	for _, name := range []string{"temperature", "top_p"} {
		if given(asked[name]) {
			request[name] = asked[name]
		}
	}
	if limit := asked["max_output_tokens"]; given(limit) {
		request["max_completion_tokens"] = limit
	}
	raw, err := writeMessages(messages)
	request["messages"] = raw
	return request, errors.Join(err, request.putReasoning(asked["reasoning"]), request.putText(asked["text"]), request.putTools(asked, &q.offered))
}

// put sets a member.
func (m members) put(name string, value any) error {
	raw, err := encode(value)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	m[name] = raw
	return nil
}

func (m members) putReasoning(value json.RawMessage) error {
	var reasoning struct {
		Effort json.RawMessage `json:"effort"`
	}
	if err := decode("reasoning", value, &reasoning); err != nil {
		return err
	}
	if given(reasoning.Effort) {
		m["reasoning_effort"] = reasoning.Effort
	}
	return nil
}

// schema is the form that the answer's text must have.
type schema struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Schema      json.RawMessage `json:"schema,omitempty"`
	Strict      *bool           `json:"strict,omitempty"`
}

// putText asks for a form of the answer's text.
func (m members) putText(value json.RawMessage) error {
	var text struct {
		Format    json.RawMessage `json:"format"`
		Verbosity json.RawMessage `json:"verbosity"`
	}
	if err := decode("text", value, &text); err != nil {
		return err
	}
	if given(text.Verbosity) {
		m["verbosity"] = text.Verbosity
	}
	if !given(text.Format) {
		return nil
	}
	form, err := kindOf("text.format", text.Format)
	switch {
	case err != nil:
		return err
	case form == "text":
		return nil
	case form == "json_object":
		return m.put("response_format", map[string]any{"type": form})
	case form != "json_schema":
		return fmt.Errorf("text.format.type: %q is not text, json_object or json_schema", form)
	}
	var wanted schema
	if err := decode("text.format", text.Format, &wanted); err != nil {
		return err
	}
	return m.put("response_format", map[string]any{"type": form, "json_schema": wanted})
}

// kindOf is the type that an object says it has.
func kindOf(path string, value json.RawMessage) (string, error) {
	var it struct {
		Type string `json:"type"`
	}
	err := decode(path, value, &it)
	return it.Type, err
}

// putTools offers the tools. If there are none, members about tools are left out,
// because servers refuse them.
func (m members) putTools(asked members, o *offering) error {
	if !given(asked["tools"]) {
		return nil
	}
	const ofTool = 60 // more bytes than there were
	offered := bytes.NewBuffer(make([]byte, 0, len(asked["tools"])+ofTool*bytes.Count(asked["tools"], []byte(`"type"`))))
	offered.WriteByte('[')
	err := each("tools", asked["tools"], func(i int, raw json.RawMessage) error {
		return o.write(offered, fmt.Sprintf("tools[%d]", i), raw, "")
	})
	if err != nil {
		return err
	}
	if offered.Len() == len("[") {
		return nil
	}
	offered.WriteByte(']')
	m["tools"] = offered.Bytes()
	if parallel := asked["parallel_tool_calls"]; given(parallel) {
		m["parallel_tool_calls"] = parallel
	}
	return m.putToolChoice(asked["tool_choice"])
}

// putToolChoice says which tool the model must call: one of three words, which are the
// same in both dialects, or a function.
func (m members) putToolChoice(value json.RawMessage) error {
	if !given(value) {
		return nil
	}
	words := []string{"none", "auto", "required"}
	var word string
	if json.Unmarshal(value, &word) == nil {
		if !slices.Contains(words, word) {
			return fmt.Errorf("tool_choice: %q is none of %v", word, words)
		}
		m["tool_choice"] = value
		return nil
	}
	var choice struct {
		Type      string `json:"type"`
		Name      string `json:"name"`
		Namespace string `json:"namespace"`
	}
	if err := decode("tool_choice", value, &choice); err != nil {
		return err
	}
	if choice.Type != "function" && choice.Type != "custom" || choice.Name == "" {
		return fmt.Errorf("tool_choice: one of type %q cannot be had here, only a function with its name, or one of %v", choice.Type, words)
	}
	return m.putFunctionChoice(longName(choice.Namespace, choice.Name))
}
