package yamlsafe

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

var unmarshaler = reflect.TypeFor[yaml.Unmarshaler]()

// knownKeys refuses keys of mappings for which the struct that they are decoded into
// has no field. The library can do so for a whole text, but not for the part that an
// UnmarshalYAML method gets.
func knownKeys(n *Node, into any) error { return known(n, reflect.TypeOf(into).Elem()) }

func known(n *Node, t reflect.Type) error {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case n.Kind == yaml.AliasNode:
		return known(n.Alias, t)
	case n.Kind == yaml.DocumentNode:
		return known(n.Content[0], t)
	case t == reflect.TypeFor[Node](), reflect.PointerTo(t).Implements(unmarshaler):
		return nil // it looks for itself
	case n.Kind == yaml.SequenceNode && (t.Kind() == reflect.Slice || t.Kind() == reflect.Array):
		for _, item := range n.Content {
			if err := known(item, t.Elem()); err != nil {
				return err
			}
		}
	case n.Kind == yaml.MappingNode && t.Kind() == reflect.Map:
		for i := 1; i < len(n.Content); i += 2 {
			if err := known(n.Content[i], t.Elem()); err != nil {
				return err
			}
		}
	case n.Kind == yaml.MappingNode && t.Kind() == reflect.Struct:
		return knownFields(n, t)
	}
	return nil
}

func knownFields(n *Node, t reflect.Type) error {
	fields := map[string]reflect.Type{}
	var names []string
	others := false // are taken by a map
	for _, field := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(field.Tag.Get("yaml"), ",")
		others = others || options == "inline" && field.Type.Kind() == reflect.Map
		if name == "" && options == "" && field.IsExported() && !field.Anonymous {
			name = strings.ToLower(field.Name) // as the library has it
		}
		if name != "" && name != "-" {
			fields[name] = field.Type
			names = append(names, name)
		}
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if key.Tag == "!!merge" {
			if err := merged(value, t); err != nil {
				return err
			}
			continue
		}
		field, ok := fields[key.Value]
		if !ok && others {
			continue
		}
		if !ok {
			slices.Sort(names)
			return fmt.Errorf("line %d: there is no key %q here; there are %s", key.Line, shorten(key.Value), strings.Join(names, ", "))
		}
		if err := known(value, field); err != nil {
			return err
		}
	}
	return nil
}

// merged looks at what << brings in: a mapping, or a list of them.
func merged(n *Node, t reflect.Type) error {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if n.Kind != yaml.SequenceNode {
		return known(n, t)
	}
	for _, source := range n.Content {
		if err := known(source, t); err != nil {
			return err
		}
	}
	return nil
}
