package yamlsafe

import (
	"bytes"
	"encoding"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Marshal encodes a value made of texts, whole numbers, truth values, lists, maps with texts
// as keys, and structs, so that Unmarshal gives the same. A type may have a MarshalYAML method
// that returns such a value in place of its own, or be an encoding.TextMarshaler. Texts of several lines become blocks where they
// can be read back from those.
func Marshal(value any) ([]byte, error) {
	n, err := nodeOf(reflect.ValueOf(value))
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	encoder := yaml.NewEncoder(&b)
	const indent = 2
	encoder.SetIndent(indent)
	if err := errors.Join(encoder.Encode(n), encoder.Close()); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// nodeOf is a value as a node. The library makes blocks of some texts that it cannot
// read back, and only a node says how a text is to be written.
func nodeOf(v reflect.Value) (*Node, error) {
	if own, ok := v.Interface().(yaml.Marshaler); ok {
		value, err := own.MarshalYAML()
		if err != nil {
			return nil, err
		}
		return nodeOf(reflect.ValueOf(value))
	}
	if own, ok := v.Interface().(encoding.TextMarshaler); ok {
		text, err := own.MarshalText()
		return textNode(string(text)), err
	}
	switch v.Kind() {
	case reflect.Int, reflect.Float64, reflect.Bool:
		n := new(Node)
		return n, n.Encode(v.Interface())
	case reflect.Interface, reflect.Pointer:
		return nodeOf(v.Elem())
	case reflect.String:
		return textNode(v.String()), nil
	case reflect.Slice:
		n := &Node{Kind: yaml.SequenceNode}
		for i := range v.Len() {
			item, err := nodeOf(v.Index(i))
			if err != nil {
				return nil, err
			}
			n.Content = append(n.Content, item)
		}
		return n, nil
	case reflect.Map, reflect.Struct:
		n := &Node{Kind: yaml.MappingNode}
		for _, m := range members(v) {
			value, err := nodeOf(m.value)
			if err != nil {
				return nil, err
			}
			n.Content = append(n.Content, textNode(m.key), value)
		}
		return n, nil
	}
	return nil, fmt.Errorf("YAML of a value of type %v is not written here", v.Type())
}

type member struct {
	key   string
	value reflect.Value
}

// members are those of a map in the order of their keys, or the fields of a struct.
func members(v reflect.Value) (all []member) {
	if v.Kind() == reflect.Map {
		for key, value := range v.Seq2() {
			all = append(all, member{key.String(), value})
		}
		slices.SortFunc(all, func(a, b member) int { return strings.Compare(a.key, b.key) })
		return all
	}
	for i := range v.NumField() {
		name, options, _ := strings.Cut(v.Type().Field(i).Tag.Get("yaml"), ",")
		if options != "omitempty" || !v.Field(i).IsZero() && !isEmpty(v.Field(i)) {
			all = append(all, member{name, v.Field(i)})
		}
	}
	return all
}

func isEmpty(v reflect.Value) bool {
	return (v.Kind() == reflect.Slice || v.Kind() == reflect.Map) && v.Len() == 0
}

func textNode(text string) *Node {
	n := &Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: text}
	switch {
	case text == "<<": // unquoted it would merge what follows
		n.Style = yaml.DoubleQuotedStyle
	case !strings.Contains(text, "\n"):
	case isBlock(text):
		n.Style = yaml.LiteralStyle
	default:
		n.Style = yaml.DoubleQuotedStyle
	}
	return n
}

// isBlock reports whether a text of several lines is the same when it is read back
// from a block. One that begins with white space, or has other line ends or tabs
// before a line, is not.
func isBlock(text string) bool {
	return strings.TrimLeft(text, " \t\n") == text && !strings.Contains(text, "\n\t") &&
		!strings.ContainsFunc(text, func(r rune) bool {
			return r < ' ' && r != '\n' && r != '\t' || r == '\u0085' || r == '\u2028' || r == '\u2029'
		})
}
