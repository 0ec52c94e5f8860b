package domains

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"

	"agentd/vfs"
)

// Steps are the two programs of an edit.
type Steps struct {
	Forward, Backward func(vfs.Files) (vfs.Files, error)
}

// Refuse returns an edit that cannot be made with its parameters: both steps say so.
func Refuse(text string) Steps {
	refuse := func(vfs.Files) (vfs.Files, error) { return nil, errors.New(text) }
	return Steps{Forward: refuse, Backward: refuse}
}

// Taking returns an edit with parameters: those of an environment's oracle, which are the fields of the struct P by
// their names in JSON, or in lower case where they have none. Every field must be given but those with omitempty, and
// no other; so must those of structs within P. steps makes the edit of them.
func Taking[P any](name string, steps func(P) Steps) Edit {
	return Edit{Name: name, With: func(parameters string) (Edit, error) {
		var p P
		if err := readParameters(parameters, &p); err != nil {
			return Edit{}, fmt.Errorf("oracle %s: %w", name, err)
		}
		made := steps(p)
		return Edit{Name: name, Forward: made.Forward, Backward: made.Backward}, nil
	}}
}

// readParameters fills in a struct from a JSON object that has just its fields.
func readParameters(text string, into any) error {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		if errors.Is(err, io.EOF) {
			err = errors.New("its parameters are missing")
		}
		return errors.New(strings.TrimPrefix(err.Error(), "json: "))
	}
	return allSet([]byte(text), reflect.TypeOf(into).Elem(), "")
}

// allSet refuses a value of a type, or a part of it, that lacks a field. at says where it stands.
func allSet(value json.RawMessage, of reflect.Type, at string) error {
	if reflect.PointerTo(of).Implements(reflect.TypeFor[json.Unmarshaler]()) {
		return nil // it reads itself
	}
	switch of.Kind() {
	case reflect.Struct:
		var given map[string]json.RawMessage
		if err := json.Unmarshal(value, &given); err != nil {
			return err
		}
		for field := range of.Fields() {
			if field.Anonymous {
				if err := allSet(value, field.Type, at); err != nil {
					return err
				}
				continue
			}
			name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
			name = cmp.Or(name, strings.ToLower(field.Name))
			switch within, there := given[name]; {
			case there && !bytes.Equal(within, []byte("null")):
				if err := allSet(within, field.Type, at+name+", "); err != nil {
					return err
				}
			case options != "omitempty":
				return fmt.Errorf("%s%s must be set", at, name)
			}
		}
	case reflect.Slice:
		var given []json.RawMessage
		if err := json.Unmarshal(value, &given); err != nil {
			return err
		}
		for n, within := range given {
			if err := allSet(within, of.Elem(), fmt.Sprintf("%s%d, ", at, n+1)); err != nil {
				return err
			}
		}
	case reflect.Map:
		var given map[string]json.RawMessage
		if err := json.Unmarshal(value, &given); err != nil {
			return err
		}
		for _, key := range slices.Sorted(maps.Keys(given)) {
			if err := allSet(given[key], of.Elem(), at+key+", "); err != nil {
				return err
			}
		}
	}
	return nil
}
