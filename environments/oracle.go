package environments

import (
	"encoding/json"

	"agentd/domains"
	"agentd/domains/edit"
	"agentd/internal/yamlsafe"
)

// Oracle is the exact program of an edit. One of its fields is set: an edit of the domain, by its
// name; a verb of the domain's vocabulary with its parameters; or scripts of the environment's
// own. The zero Oracle is none. In files it is a name, or the verb or scripts as a mapping.
type Oracle struct {
	Name   string
	Verb   edit.Verb
	Script Script
}

// IsZero reports whether there is no exact program.
func (o Oracle) IsZero() bool { return o == Oracle{} }

// String is the name of the domain's edit, of what the verb does, or of the forward script.
func (o Oracle) String() string {
	switch {
	case !o.Verb.IsZero():
		return o.Verb.Name()
	case !o.Script.IsZero():
		return o.Script.Forward
	}
	return o.Name
}

// MarshalJSON writes a text or an object.
func (o Oracle) MarshalJSON() ([]byte, error) { return json.Marshal(o.value()) }

// MarshalYAML returns a text or the verb.
func (o Oracle) MarshalYAML() (any, error) { return o.value(), nil }

func (o Oracle) value() any {
	switch {
	case !o.Verb.IsZero():
		return o.Verb
	case !o.Script.IsZero():
		return o.Script
	}
	return o.Name
}

// UnmarshalJSON reads what MarshalJSON writes.
func (o *Oracle) UnmarshalJSON(text []byte) error {
	*o = Oracle{}
	if json.Unmarshal(text, &o.Name) == nil {
		return nil
	}
	if err := json.Unmarshal(text, &o.Script); err != nil || !o.Script.IsZero() {
		return err
	}
	return json.Unmarshal(text, &o.Verb)
}

// UnmarshalYAML reads a text or a mapping. A verb whose parameters do not fit each other is an error.
func (o *Oracle) UnmarshalYAML(n *yamlsafe.Node) error {
	*o = Oracle{}
	if yamlsafe.Decode(n, &o.Name) == nil {
		return nil
	}
	for at := 0; at < len(n.Content); at += 2 { // keys and values in turn
		if key := n.Content[at].Value; key == "forward" || key == "backward" {
			return yamlsafe.Decode(n, &o.Script)
		}
	}
	if err := yamlsafe.Decode(n, &o.Verb); err != nil {
		return err
	}
	return o.Verb.Check()
}

// find returns the program of a name or a verb; false if the domain does not have it.
func (o Oracle) find(d domains.Domain) (domains.Edit, bool) {
	if o.Name != "" {
		for _, oracle := range d.Edits() {
			if oracle.Name == o.Name {
				return oracle, true
			}
		}
		return domains.Edit{}, false
	}
	format := d.Vocabulary()
	if o.Verb.IsZero() || format == nil {
		return domains.Edit{}, false
	}
	program, err := format.Program(o.Verb)
	if err != nil {
		return domains.Edit{}, false
	}
	return domains.Edit{Name: o.Verb.Name(), Forward: program.Forward, Backward: program.Backward}, true
}
