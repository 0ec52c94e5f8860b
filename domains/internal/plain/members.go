package plain

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// Members are those of a JSON object of texts. They keep their order.
type Members []Member

// Member is a name and the text that it has.
type Member struct{ Name, Value string }

// MarshalJSON writes an object, with & and the like readable.
func (m Members) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	b.WriteByte('{')
	for n, member := range m {
		if n > 0 {
			b.WriteByte(',')
		}
		if err := encoder.Encode(member.Name); err != nil {
			return nil, err
		}
		b.WriteByte(':')
		if err := encoder.Encode(member.Value); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// UnmarshalJSON reads an object.
func (m *Members) UnmarshalJSON(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	if start, err := d.Token(); err != nil || start != json.Delim('{') {
		return errors.New("not an object")
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		member := Member{Name: fmt.Sprint(name)}
		if err := d.Decode(&member.Value); err != nil {
			return fmt.Errorf("%s: %w", member.Name, err)
		}
		*m = append(*m, member)
	}
	return nil
}
