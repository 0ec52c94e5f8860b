package environments

import (
	"encoding/json"
	"errors"

	"agentd/domains"
	"agentd/domains/edit"
	"agentd/internal/yamlsafe"
	"agentd/vfs"
)

// Oracle is the exact program of an edit. It is one of: an edit of the domain, by name, with
// parameters if it has any; a verb of the domain's vocabulary with its parameters; or scripts of
// the environment. The zero Oracle means none. In files it is a name, or a mapping with "edit" and
// the parameters, with the verb, or with the scripts.
type Oracle struct {
	Name       string
	Parameters string // of the edit Name: a JSON object, its keys in order; empty for none
	Verb       edit.Verb
	Script     Script
}

// editKey is the key of Name where it has parameters.
const editKey = "edit"

// IsZero reports whether there is no exact program.
func (o Oracle) IsZero() bool {
	return o.Name == "" && o.Parameters == "" && o.Verb.IsZero() && o.Script.IsZero()
}

// String returns the name of the domain's edit, of the verb's edit, or of the forward script.
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
	case o.Parameters != "":
		var with map[string]any
		if err := json.Unmarshal([]byte(o.Parameters), &with); err != nil {
			panic(err) // it was made from such a map
		}
		with[editKey] = o.Name
		return with
	}
	return o.Name
}

// take sets the name and the parameters from a mapping that has the key of the name.
func (o *Oracle) take(with map[string]any) error {
	name, ok := with[editKey].(string)
	if !ok {
		return errors.New("edit must be the name of an edit")
	}
	delete(with, editKey)
	parameters, err := json.Marshal(with)
	o.Name, o.Parameters = name, string(parameters)
	return err
}

// UnmarshalJSON reads what MarshalJSON writes.
func (o *Oracle) UnmarshalJSON(text []byte) error {
	*o = Oracle{}
	if json.Unmarshal(text, &o.Name) == nil {
		return nil
	}
	var with map[string]any
	if json.Unmarshal(text, &with) == nil && with[editKey] != nil {
		return o.take(with)
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
		switch n.Content[at].Value {
		case "forward", "backward":
			return yamlsafe.Decode(n, &o.Script)
		case editKey:
			var with map[string]any
			if err := yamlsafe.Decode(n, &with); err != nil {
				return err
			}
			return o.take(with)
		}
	}
	if err := yamlsafe.Decode(n, &o.Verb); err != nil {
		return err
	}
	return o.Verb.Check()
}

// find returns the program for a name or verb; false if the domain does not have it.
func (o Oracle) find(d domains.Domain) (domains.Edit, bool) {
	if o.Name != "" {
		for _, oracle := range d.Edits() {
			if oracle.Name != o.Name || (oracle.With == nil) != (o.Parameters == "") {
				continue
			}
			if oracle.With == nil {
				return oracle, true
			}
			made, err := oracle.With(o.Parameters)
			if err != nil {
				return refused(o.Name, err), true
			}
			return made, true
		}
		return domains.Edit{}, false
	}
	format := d.Vocabulary()
	if o.Verb.IsZero() || format == nil {
		return domains.Edit{}, false
	}
	program, err := format.Program(o.Verb)
	if err != nil {
		return refused(o.Verb.Name(), err), true
	}
	return domains.Edit{Name: o.Verb.Name(), Forward: program.Forward, Backward: program.Backward}, true
}

// refused is an edit whose steps both return why it cannot be done.
func refused(name string, err error) domains.Edit {
	refuse := func(vfs.Files) (vfs.Files, error) { return nil, err }
	return domains.Edit{Name: name, Forward: refuse, Backward: refuse}
}
