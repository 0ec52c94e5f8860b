package models

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// wantedLimit is the output limit that the terms of a request add to the settings,
// and the member it is sent under. It is 0 where the settings have a limit, or must
// not have one.
func (c *chat) wantedLimit(terms Terms, without omissions) (field string, tokens int) {
	field = c.spec.limitField(without)
	if c.spec.MaxOutput > 0 || field == "" {
		return field, 0
	}
	if tokens = terms.MaxOutput; c.profile.MaxOutput > 0 {
		tokens = min(tokens, c.profile.MaxOutput)
	}
	return field, tokens
}

// encodeMembers returns the request of another client with what the spec and the terms
// say in place of what it says; its temperature it may choose where the spec does not.
// Such a request can be long, so that its values are copied once.
func (c *chat) encodeMembers(req Request, without omissions) ([]byte, error) {
	settings, err := c.settings(&req, without)
	if err != nil {
		return nil, err
	}
	var own map[string]json.RawMessage
	if err := json.Unmarshal(fmt.Appendf(nil, "{%s}", settings), &own); err != nil {
		return nil, err
	}
	all := maps.Clone(req.Members)
	if own["temperature"] == nil { // the model takes none
		delete(all, "temperature")
	}
	for _, setting := range without {
		delete(all, setting)
	}
	if req.Recall != nil {
		if all["messages"], err = recallIn(all["messages"], req.Recall); err != nil {
			return nil, err
		}
	}
	if _, said := all["temperature"]; said && c.spec.Temperature == nil && c.spec.Body["temperature"] == nil {
		delete(own, "temperature")
	}
	c.limitMembers(all, req.Terms, without)
	if c.spec.NoSystem {
		folded, err := foldSystemIn(all["messages"])
		if err != nil {
			return nil, err
		}
		all["messages"] = folded
	}
	if _, said := c.spec.Body["seed"]; c.spec.Seeded && !said && !without.has(settingSeed) {
		all["seed"] = fmt.Append(nil, req.Seed)
	}
	for name, value := range c.spec.Body {
		if value == nil { // what the server does not take
			delete(all, name)
		}
	}
	maps.Copy(all, own)
	if req.Verbatim && req.Stream && !without.has(settingUsage) {
		if err := lay(all, map[string]any{"stream_options": streamOptions(req.Members["stream_options"])}); err != nil {
			return nil, err
		}
	}
	return writeMembers(all, !req.Verbatim)
}

// streamOptions are another client's, with the usage, which has to be counted.
func streamOptions(raw json.RawMessage) map[string]any {
	options := map[string]any{}
	if len(raw) <= maxLaidOver {
		_ = json.Unmarshal(raw, &options) // what is no object says nothing
	}
	if options == nil {
		options = map[string]any{}
	}
	options["include_usage"] = true
	return options
}

// writeMembers returns an object in order of its members' names. The values are as they
// are written; compact takes the spaces out of them.
func writeMembers(all map[string]json.RawMessage, compact bool) ([]byte, error) {
	names := slices.Sorted(maps.Keys(all))
	size := len("{}")
	for _, name := range names {
		size += len(name) + len(all[name]) + len(`"":,`)
	}
	b := bytes.NewBuffer(make([]byte, 0, size))
	b.WriteByte('{')
	for i, name := range names {
		if i > 0 {
			b.WriteByte(',')
		}
		written, err := writeJSON(name)
		if err != nil {
			return nil, err
		}
		b.Write(written)
		b.WriteByte(':')
		if !compact {
			b.Write(all[name])
			continue
		}
		if err := json.Compact(b, all[name]); err != nil {
			return nil, fmt.Errorf("writing the member %s: %w", name, err)
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// limitMembers sets the output limit of another client's request: its own, under the
// name that the server knows, unless the spec or the terms have one.
func (c *chat) limitMembers(all map[string]json.RawMessage, terms Terms, without omissions) {
	field, wanted := c.wantedLimit(terms, without)
	own := field == "" || c.spec.MaxOutput > 0 // the settings decide
	for _, name := range limitFields {
		limit, said := all[name]
		switch {
		case !said:
		case own || wanted > 0:
			delete(all, name)
		case c.spec.MaxOutputField != "" && name != field:
			delete(all, name)
			all[field] = limit
		}
	}
	if wanted > 0 {
		all[field] = fmt.Append(nil, wanted)
	}
}

// foldSystemIn is foldSystem for another client's messages, whose contents are texts or
// lists of parts. A developer's message is a system's. What is no list of messages
// stays, for the server to refuse. Texts are not decoded: they are put together as
// they are written.
func foldSystemIn(raw json.RawMessage) (json.RawMessage, error) {
	out := bytes.NewBuffer(make([]byte, 0, len(raw)+len(`{"role":"user","content":""},`)))
	var system bytes.Buffer // as it is between the quotes of JSON
	out.WriteByte('[')
	begin := func() {
		if out.Len() > 1 {
			out.WriteByte(',')
		}
	}
	d := lenient(raw)
	err := eachElement(d, "messages", func() error {
		message, err := d.ReadValue()
		if err != nil {
			return err
		}
		role, content, err := parse(message)
		switch {
		case err != nil:
			return err
		case role == string(System) || role == "developer":
			if addTexts(&system, message[content.from:content.to]) {
				system.WriteString(`\n\n`)
			}
			return nil
		}
		begin()
		if role == string(User) && system.Len() > 0 && precede(out, message, content, system.Bytes()) {
			system.Reset()
		} else {
			out.Write(message)
		}
		return nil
	})
	if err != nil {
		return raw, nil
	}
	if system.Len() > 0 { // there is no user's to put it before
		begin()
		fmt.Fprintf(out, `{"role":"user","content":"%s"}`, bytes.TrimSuffix(system.Bytes(), []byte(`\n\n`)))
	}
	out.WriteByte(']')
	return out.Bytes(), nil
}

// lenient reads JSON that was checked before, or that a server is to check.
func lenient(raw []byte) *jsontext.Decoder {
	return jsontext.NewDecoder(bytes.NewBuffer(raw), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// extent is where a value is in a text.
type extent struct{ from, to int64 }

// parse returns a message's role, and where its content is, which is nothing at the
// message's end if it has none.
func parse(message []byte) (role string, content extent, err error) {
	d := lenient(message)
	if d.PeekKind() != '{' {
		return "", extent{}, errors.New("a message is no object")
	}
	_, err = d.ReadToken()
	for err == nil && d.PeekKind() != '}' {
		var name jsontext.Token
		if name, err = d.ReadToken(); err != nil {
			break
		}
		key := name.String()
		var value jsontext.Value
		if value, err = d.ReadValue(); err != nil {
			break
		}
		switch key {
		case "role":
			_ = json.Unmarshal(value, &role) // what is no text is no role
		case "content":
			content = extent{d.InputOffset() - int64(len(value)), d.InputOffset()}
		}
	}
	return role, content, err
}

// addTexts adds the texts of a content, which is a text or a list of parts; false if
// there are none.
func addTexts(system *bytes.Buffer, content []byte) bool {
	before := system.Len()
	d := lenient(content)
	if d.PeekKind() == '"' {
		system.Write(content[1 : len(content)-1])
		return system.Len() > before
	}
	_ = eachElement(d, "content", func() error { // what is neither says nothing
		part, err := d.ReadValue()
		if err != nil {
			return err
		}
		var it struct {
			Text json.RawMessage `json:"text"`
		}
		if json.Unmarshal(part, &it) == nil && len(it.Text) > 0 && it.Text[0] == '"' {
			system.Write(it.Text[1 : len(it.Text)-1])
		}
		return nil
	})
	return system.Len() > before
}

// precede writes a message with a text before its content; false, and nothing, if the
// content is neither a text nor a list.
func precede(out *bytes.Buffer, message []byte, content extent, text []byte) bool {
	before, said, after := message[:content.from], message[content.from:content.to], message[content.to:]
	if len(said) == 0 {
		return false
	}
	switch said[0] {
	case '"':
		out.Write(before)
		out.WriteByte('"')
		out.Write(text)
	case '[':
		out.Write(before)
		fmt.Fprintf(out, `[{"type":"text","text":"%s"}`, text)
		if len(bytes.TrimSpace(said[1:])) > 1 {
			out.WriteByte(',')
		}
	default:
		return false
	}
	out.Write(said[1:])
	out.Write(after)
	return true
}
