package exec

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"agentd/models"
)

// responsesQuestion is a request in the dialect of the Responses API, which differs
// from chat completions in its words, and in that a conversation may be named
// instead of sent again.
type responsesQuestion struct {
	server  *server
	asked   members
	request members
	id      string // of the response
	pieces  []piece
	created time.Time
}

// readResponses understands such a request.
func (s *server) readResponses(asked members) (question, error) {
	q := &responsesQuestion{server: s, asked: asked, id: "resp_" + rand.Text(), created: time.Now()}
	for _, name := range []string{"conversation", "prompt"} {
		if given(asked[name]) {
			return nil, fmt.Errorf("%s: nothing is stored here that could be named; send input, or previous_response_id", name)
		}
	}
	messages, err := q.messages()
	if err != nil {
		return nil, err
	}
	q.request, err = translated(asked, messages)
	return q, err
}

func (q *responsesQuestion) chat() members { return q.request }

// given reports whether a member is there. Clients write null for those they do
// not mean.
func given(value json.RawMessage) bool { return len(value) > 0 && string(value) != "null" }

// decode reads a member that may be missing; path is what an error calls it.
func decode(path string, value json.RawMessage, into any) error {
	if !given(value) {
		return nil
	}
	err := json.Unmarshal(value, into)
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		if wrong.Field != "" {
			path += "." + wrong.Field
		}
		return fmt.Errorf("%s is of the wrong type: %s", path, wrong.Value)
	}
	return err
}

// messages are the conversation to be completed: the one that is named, and what
// the request adds to it.
func (q *responsesQuestion) messages() ([]chatMessage, error) {
	var previous string
	if err := decode("previous_response_id", q.asked["previous_response_id"], &previous); err != nil {
		return nil, err
	}
	if previous != "" {
		earlier, ok := q.server.kept.conversation(previous)
		if !ok {
			return nil, fmt.Errorf("previous_response_id: there is no response %s: it was not given in this interaction, was not to be stored, or has made room for later ones", previous)
		}
		q.pieces = earlier
	}
	added, err := readInput(q.asked["input"], &q.server.kept)
	if err != nil {
		return nil, err
	}
	q.pieces = append(q.pieces[:len(q.pieces):len(q.pieces)], added...)
	if len(q.pieces) == 0 {
		return nil, errors.New("the request has no input")
	}
	messages, err := joined(q.pieces)
	if err != nil {
		return nil, err
	}
	var instructions string
	if err := decode("instructions", q.asked["instructions"], &instructions); err != nil {
		return nil, err
	}
	if instructions != "" { // they hold for this request alone, and are not kept
		messages = slices.Insert(messages, 0, chatMessage{Role: models.System, Content: q.asked["instructions"]})
	}
	return messages, nil
}

// translated is a request as members of a chat completion. What has no meaning
// there, and none for a single answer, is left out.
func translated(asked members, messages []chatMessage) (members, error) {
	request := members{}
	for _, name := range []string{"temperature", "top_p"} {
		if given(asked[name]) {
			request[name] = asked[name]
		}
	}
	if limit := asked["max_output_tokens"]; given(limit) {
		request["max_completion_tokens"] = limit
	}
	return request, errors.Join(
		request.put("messages", messages), request.putReasoning(asked["reasoning"]), request.putText(asked["text"]), request.putTools(asked),
	)
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

// schema is what a text is to look like.
type schema struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Schema      json.RawMessage `json:"schema,omitempty"`
	Strict      *bool           `json:"strict,omitempty"`
}

// putText says what the answer's text is to look like.
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

// function is a tool.
type function struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters,omitempty"`
	Strict      *bool           `json:"strict,omitempty"`
}

// putTools offers the tools. Where there are none, servers want to hear nothing of
// them.
func (m members) putTools(asked members) error {
	var tools []json.RawMessage
	if err := decode("tools", asked["tools"], &tools); err != nil {
		return err
	}
	var offered []map[string]any
	for i, raw := range tools {
		path := fmt.Sprintf("tools[%d]", i)
		kind, err := kindOf(path, raw)
		if err != nil {
			return err
		}
		if kind != "function" {
			return fmt.Errorf("%s: a tool of type %q cannot be had here, only functions", path, kind)
		}
		var f function
		if err := decode(path, raw, &f); err != nil {
			return err
		}
		if f.Name == "" {
			return fmt.Errorf("%s: the function has no name", path)
		}
		if !given(f.Parameters) {
			f.Parameters = nil
		}
		offered = append(offered, map[string]any{"type": kind, "function": f})
	}
	if len(offered) == 0 {
		return nil
	}
	if parallel := asked["parallel_tool_calls"]; given(parallel) {
		m["parallel_tool_calls"] = parallel
	}
	if err := m.putToolChoice(asked["tool_choice"]); err != nil {
		return err
	}
	return m.put("tools", offered)
}

// putToolChoice says which tool is to be called: a word, which is the same in both
// dialects, or a function.
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
		Type string `json:"type"`
		Name string `json:"name"`
	}
	if err := decode("tool_choice", value, &choice); err != nil {
		return err
	}
	if choice.Type != "function" || choice.Name == "" {
		return fmt.Errorf("tool_choice: one of type %q cannot be had here, only a function with its name, or one of %v", choice.Type, words)
	}
	return m.put("tool_choice", map[string]any{"type": "function", "function": map[string]string{"name": choice.Name}})
}
