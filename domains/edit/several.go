package edit

import "encoding/json"

// Several is a list that is written as its element where it has just one.
type Several[T any] []T

// MarshalJSON writes the element or the list.
func (s Several[T]) MarshalJSON() ([]byte, error) { return json.Marshal(s.written()) }

// MarshalYAML returns the element or the list.
func (s Several[T]) MarshalYAML() (any, error) { return s.written(), nil }

func (s Several[T]) written() any {
	if len(s) == 1 {
		return s[0]
	}
	return []T(s)
}

// UnmarshalJSON reads an element or a list.
func (s *Several[T]) UnmarshalJSON(text []byte) error {
	return s.read(func(into any) error { return json.Unmarshal(text, into) })
}

// UnmarshalYAML reads an element or a list.
func (s *Several[T]) UnmarshalYAML(unmarshal func(any) error) error { return s.read(unmarshal) }

func (s *Several[T]) read(unmarshal func(any) error) error {
	var one T
	if unmarshal(&one) == nil {
		*s = Several[T]{one}
		return nil
	}
	return unmarshal((*[]T)(s))
}
