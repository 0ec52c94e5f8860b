package domains

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"agentd/domains/internal/exact"
)

// Taking returns an edit with parameters: those of an environment's oracle, which are the
// fields of the struct P by their names in JSON, or in lower case where they have none. Every
// field must be given but those with omitempty, and no other. steps makes the edit of them.
func Taking[P any](name string, steps func(P) exact.Steps) Edit {
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
	var given map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &given); err != nil {
		return err
	}
	fields := reflect.TypeOf(into).Elem()
	for i := range fields.NumField() {
		name, options, _ := strings.Cut(fields.Field(i).Tag.Get("json"), ",")
		name = cmp.Or(name, strings.ToLower(fields.Field(i).Name))
		value, there := given[name]
		if (!there || bytes.Equal(value, []byte("null"))) && options != "omitempty" {
			return fmt.Errorf("%s must be set", name)
		}
	}
	return nil
}
