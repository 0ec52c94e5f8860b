package entry

import (
	"fmt"
	"reflect"
	"strings"

	"agentd/internal/yamlsafe"
)

// field is an option of a policy.
type field struct {
	name  string
	value reflect.Value
}

// fields are those of a struct of options, in its order.
func fields(o Options) (all []field) {
	v := reflect.ValueOf(o).Elem()
	for _, f := range reflect.VisibleFields(v.Type()) {
		if name, _, _ := strings.Cut(f.Tag.Get("yaml"), ","); name != "" && name != "-" {
			all = append(all, field{name, v.FieldByIndex(f.Index)})
		}
	}
	return all
}

// Fresh returns a copy of options. What it is given or opens is not the original's.
func Fresh(o Options) Options {
	v := reflect.ValueOf(o).Elem()
	fresh := reflect.New(v.Type())
	fresh.Elem().Set(v)
	return fresh.Interface().(Options)
}

// Given are the options that were given, each as NAME=VALUE.
func Given(o Options) (given []string) {
	for _, f := range fields(o) {
		if !f.value.IsZero() {
			given = append(given, fmt.Sprintf("%s=%v", f.name, f.value))
		}
	}
	return given
}

// InParentheses is a list as it follows the name of a policy; "" for an empty one.
func InParentheses(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return "(" + strings.Join(list, ",") + ")"
}

// Check returns an error for numbers below 0.
func Check(o Options) error {
	for _, f := range fields(o) {
		if v := f.value; v.CanInt() && v.Int() < 0 || v.CanFloat() && v.Float() < 0 {
			return fmt.Errorf("%s must be above 0, not %v", f.name, v)
		}
	}
	return nil
}

// Decode reads the value of an option in a file, whose name is on the given line.
func (e Entry) Decode(o Options, name string, line int, value *yamlsafe.Node) error {
	f, err := e.find(o, name)
	if err != nil {
		return fmt.Errorf("line %d: %w", line, err)
	}
	return decode(value, f)
}

// decode is that of yamlsafe, which makes a whole number of any.
func decode(n *yamlsafe.Node, f reflect.Value) error {
	if f.CanInt() && n.ShortTag() == "!!float" {
		return fmt.Errorf("line %d: %s is no whole number", n.Line, n.Value)
	}
	return yamlsafe.Decode(n, f.Addr().Interface())
}

// Set reads the value of an option on a command line. A list of texts is split at spaces.
func (e Entry) Set(o Options, name, value string) error {
	f, err := e.find(o, name)
	if err != nil {
		return err
	}
	switch {
	case f.Kind() == reflect.String:
		f.SetString(value)
	case f.Type() == reflect.TypeFor[[]string]():
		f.Set(reflect.ValueOf(strings.Fields(value)))
	case decode(&yamlsafe.Node{Kind: yamlsafe.Scalar, Value: value}, f) != nil:
		return fmt.Errorf("option %s: %q is no %v", name, value, f.Type())
	}
	return nil
}

// find returns the field of an option. The error lists the options that there are.
func (e Entry) find(o Options, name string) (reflect.Value, error) {
	for _, f := range fields(o) {
		if f.name == name {
			return f.value, nil
		}
	}
	return reflect.Value{}, e.Unknown(name)
}

// Unknown is the error for an option that the policy does not have.
func (e Entry) Unknown(option string) error {
	names := strings.Join(e.OptionNames(), ", ")
	if names == "" {
		names = "none"
	}
	return fmt.Errorf("policy %s has no option %.40q; it has %s", e.Name, option, names)
}
