package environments

import (
	"encoding/json"

	"agentd/domains"
	"agentd/domains/edit"
	"agentd/internal/yamlsafe"
)

// Oracle is the exact program of an edit: an edit of the domain, by its name, or a verb of the
// domain's vocabulary with its parameters. The zero Oracle is none. In files it is a name, or
// the verb as a mapping.
type Oracle struct {
	Name string
	Verb edit.Verb
}

// IsZero reports whether there is no exact program.
func (o Oracle) IsZero() bool { return o == Oracle{} }

// String is the name of the domain's edit, or of what the verb does.
func (o Oracle) String() string {
	if o.Name != "" || o.IsZero() {
		return o.Name
	}
	return o.Verb.Name()
}

// MarshalJSON writes a text or an object.
func (o Oracle) MarshalJSON() ([]byte, error) { return json.Marshal(o.value()) }

// MarshalYAML returns a text or the verb.
func (o Oracle) MarshalYAML() (any, error) { return o.value(), nil }

func (o Oracle) value() any {
	if o.Verb.IsZero() {
		return o.Name
	}
	return o.Verb
}

// UnmarshalJSON reads what MarshalJSON writes.
func (o *Oracle) UnmarshalJSON(text []byte) error {
	*o = Oracle{}
	if json.Unmarshal(text, &o.Name) == nil {
		return nil
	}
	return json.Unmarshal(text, &o.Verb)
}

// UnmarshalYAML reads a text or a mapping. A verb whose parameters do not fit each other is an error.
func (o *Oracle) UnmarshalYAML(n *yamlsafe.Node) error {
	*o = Oracle{}
	if yamlsafe.Decode(n, &o.Name) == nil {
		return nil
	}
	if err := yamlsafe.Decode(n, &o.Verb); err != nil {
		return err
	}
	return o.Verb.Check()
}

// find returns the program; false if the domain does not have it.
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
	if o.IsZero() || format == nil {
		return domains.Edit{}, false
	}
	program, err := format.Program(o.Verb)
	if err != nil {
		return domains.Edit{}, false
	}
	return domains.Edit{Name: o.Verb.Name(), Forward: program.Forward, Backward: program.Backward}, true
}
