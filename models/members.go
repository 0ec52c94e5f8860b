package models

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
)

// wantedLimit is the output limit that the terms of a request add to the settings,
// and the member it is sent under. It is 0 where the settings have a limit, or must
// not have one.
func (c *chat) wantedLimit(terms Terms) (field string, tokens int) {
	field = c.spec.limitField()
	if c.spec.MaxOutput > 0 || field == "" {
		return field, 0
	}
	return field, terms.MaxOutput
}

// encodeMembers returns the request of another client with what the spec and the terms
// say in place of what it says; its temperature it may choose where the spec does not.
func (c *chat) encodeMembers(req Request) ([]byte, error) {
	var own map[string]json.RawMessage
	if err := json.Unmarshal(fmt.Appendf(nil, "{%s}", c.settings), &own); err != nil {
		return nil, err
	}
	all := maps.Clone(req.Members)
	if _, said := all["temperature"]; said && c.spec.Temperature == nil && c.spec.Body["temperature"] == nil {
		delete(own, "temperature")
	}
	c.limitMembers(all, req.Terms)
	if c.spec.NoSystem {
		folded, err := foldSystemIn(all["messages"])
		if err != nil {
			return nil, err
		}
		all["messages"] = folded
	}
	if _, said := c.spec.Body["seed"]; c.spec.Seeded && !said {
		all["seed"] = fmt.Append(nil, req.Seed)
	}
	for name, value := range c.spec.Body {
		if value == nil { // what the server does not take
			delete(all, name)
		}
	}
	maps.Copy(all, own)
	return writeJSON(all)
}

// limitMembers sets the output limit of another client's request: its own, under the
// name that the server knows, unless the spec or the terms have one.
func (c *chat) limitMembers(all map[string]json.RawMessage, terms Terms) {
	field, wanted := c.wantedLimit(terms)
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
// lists of parts. A developer's message is a system's. What is no message stays, for the
// server to refuse.
func foldSystemIn(raw json.RawMessage) (json.RawMessage, error) {
	var messages []map[string]json.RawMessage
	if json.Unmarshal(raw, &messages) != nil {
		return raw, nil
	}
	var system strings.Builder
	var folded []map[string]json.RawMessage
	for _, m := range messages {
		var role string
		_ = json.Unmarshal(m["role"], &role)
		switch {
		case role == string(System) || role == "developer":
			for _, p := range partsOf(m["content"]) {
				system.WriteString(p.Text)
			}
			system.WriteString("\n\n")
			continue
		case role == string(User) && system.Len() > 0:
			content, err := preceded(system.String(), m["content"])
			if err != nil {
				return nil, err
			}
			m = maps.Clone(m)
			m["content"] = content
			system.Reset()
		}
		folded = append(folded, m)
	}
	if system.Len() > 0 {
		content, err := writeJSON(strings.TrimSpace(system.String()))
		if err != nil {
			return nil, err
		}
		folded = append(folded, map[string]json.RawMessage{"role": json.RawMessage(`"user"`), "content": content})
	}
	return writeJSON(folded)
}

// textPart is what matters here of a part of a message's content.
type textPart struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

// partsOf returns the parts of a content, of which a text is one.
func partsOf(content json.RawMessage) (parts []textPart) {
	var text string
	if json.Unmarshal(content, &text) == nil {
		return []textPart{{"text", text}}
	}
	_ = json.Unmarshal(content, &parts) // what is neither says nothing
	return parts
}

// preceded is a content with a text before it.
func preceded(before string, content json.RawMessage) (json.RawMessage, error) {
	var text string
	if json.Unmarshal(content, &text) == nil {
		return writeJSON(before + text)
	}
	var parts []json.RawMessage
	if json.Unmarshal(content, &parts) != nil {
		return content, nil
	}
	first, err := writeJSON(textPart{"text", before})
	if err != nil {
		return nil, err
	}
	return writeJSON(append([]json.RawMessage{first}, parts...))
}
