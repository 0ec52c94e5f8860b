package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// RoomForTools is about what the tools of a request need, in bytes.
const RoomForTools = 4 << 10

// Write is json.Marshal without escapes for HTML.
func Write(value any) ([]byte, error) {
	var b bytes.Buffer
	if err := WriteTo(&b, value); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// WriteTo writes a value after what a buffer has.
func WriteTo(b *bytes.Buffer, value any) error {
	encoder := json.NewEncoder(b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return fmt.Errorf("writing the conversation: %w", err)
	}
	b.Truncate(b.Len() - len("\n")) // which the encoder ends with
	return nil
}

// Object is a JSON object that is being put together, in the order of its members.
type Object struct {
	names  []string
	values []any
}

// Put adds a member. A value that is json.RawMessage is written as it is, and nil not at all.
func (o *Object) Put(name string, value any) {
	o.names, o.values = append(o.names, name), append(o.values, value)
}

// PutSome adds a member unless its value is zero.
func (o *Object) PutSome(name string, value any) {
	if !zero(value) {
		o.Put(name, value)
	}
}

func zero(value any) bool {
	v := reflect.ValueOf(value)
	return !v.IsValid() || v.IsZero()
}

// Fields are members that are written in the order of their names.
type Fields map[string]any

// PutSome adds a member unless its value is zero.
func (f Fields) PutSome(name string, value any) {
	if !zero(value) {
		f[name] = value
	}
}

// Write returns the object, with the members of body in place of those of the same name.
// Where both are objects, body's are put into it.
func (o *Object) Write(body map[string]any) ([]byte, error) {
	size := len("{}")
	for i, name := range o.names {
		raw, _ := o.values[i].(json.RawMessage)
		size += len(name) + len(raw) + len(`"":,`)
	}
	body = maps.Clone(body)
	b := bytes.NewBuffer(make([]byte, 0, size+RoomForTools))
	b.WriteByte('{')
	for i, name := range o.names {
		value := o.values[i]
		if own, said := body[name]; said {
			value = over(value, own)
			delete(body, name)
		}
		if err := put(b, name, value); err != nil {
			return nil, err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(body)) {
		if err := put(b, name, body[name]); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// over returns one value for a member in place of another.
func over(value, own any) any {
	into, ok := value.(map[string]any)
	from, both := own.(map[string]any)
	if !ok || !both {
		return own
	}
	into = maps.Clone(into)
	for name, v := range from {
		into[name] = v
		if v == nil {
			delete(into, name)
		}
	}
	return into
}

// put writes a member of an object.
func put(b *bytes.Buffer, name string, value any) error {
	raw, ok := value.(json.RawMessage)
	if value == nil || ok && raw == nil {
		return nil
	}
	if b.Len() > 1 {
		b.WriteByte(',')
	}
	if err := WriteTo(b, name); err != nil {
		return err
	}
	b.WriteByte(':')
	if ok {
		b.Write(raw)
		return nil
	}
	if err := WriteTo(b, value); err != nil {
		return fmt.Errorf("member %s: %w", name, err)
	}
	return nil
}

// Over returns the object with members, and then those of a body, laid over its own, which stay as
// they are.
func (m Members) Over(members, body map[string]any) ([]byte, error) {
	all := maps.Clone(m)
	if err := errors.Join(all.Lay(members), all.Lay(body)); err != nil {
		return nil, err
	}
	return all.Write()
}

// Lay lays members over others: objects into objects, nil in place of what is to be left
// out, any other value replaces what is there.
func (m Members) Lay(over map[string]any) error {
	for name, value := range over {
		if value == nil {
			delete(m, name)
			continue
		}
		into, ok := value.(map[string]any)
		if !ok {
			raw, err := Write(value)
			if err != nil {
				return err
			}
			m[name] = raw
			continue
		}
		if len(m[name]) > MaxSetting {
			return fmt.Errorf("the member %s has more than %d bytes", name, MaxSetting)
		}
		inside := Members{}
		if bytes.HasPrefix(m[name], []byte("{")) {
			if err := json.Unmarshal(m[name], &inside); err != nil {
				return fmt.Errorf("reading the member %s: %w", name, err)
			}
		}
		if err := inside.Lay(into); err != nil {
			return err
		}
		raw, err := inside.Write()
		if err != nil {
			return err
		}
		m[name] = raw
	}
	return nil
}

// LayTemperature adds to over which temperature is laid over a request with one of its own.
// none says that one that was not chosen must not be sent, as the model reasons.
func (r *Request) LayTemperature(over map[string]any, own json.RawMessage, none bool) {
	switch {
	case r.Temperature == nil:
		over[SettingTemperature] = nil
	case !r.Usual || own == nil && !none:
		over[SettingTemperature] = *r.Temperature
	}
}

// Write returns the object in order of its members' names, whose values are as they were
// written.
func (m Members) Write() ([]byte, error) {
	names := slices.Sorted(maps.Keys(m))
	size := len("{}")
	for _, name := range names {
		size += len(name) + len(m[name]) + len(`"":,`)
	}
	b := bytes.NewBuffer(make([]byte, 0, size))
	b.WriteByte('{')
	for _, name := range names {
		if err := put(b, name, m[name]); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// WriteEach writes messages, each once. write returns nil for a message that adds nothing.
func WriteEach(messages []Message, write func(*Message) ([]byte, error)) error {
	for i := range messages {
		m := &messages[i]
		if m.Written != nil {
			continue
		}
		raw, err := write(m)
		if err != nil {
			return err
		}
		if raw == nil {
			raw = []byte{}
		}
		m.Written = raw
	}
	return nil
}

// WriteParts writes messages as parts with commas between them: the model's turns as the server
// of the dialect sent them, if that is known.
func WriteParts[T any](messages []Message, api API, partsOf func(*Message) []T) error {
	return WriteEach(messages, func(m *Message) ([]byte, error) {
		if raw := m.ReplayIn(api); raw != nil && m.Role == Assistant {
			return Elements(raw), nil
		}
		parts := partsOf(m)
		if len(parts) == 0 {
			return nil, nil
		}
		raw, err := Write(parts)
		return Elements(raw), err
	})
}

// Turns puts messages that were written as parts together: the system's apart, as one text, and the
// others as a list of turns, whose parts are in the named member. assistant is what the dialect
// calls the model. goesOn says that a message belongs to the same turn as the one before. last is
// who speaks last.
func Turns(list []Message, member, assistant string, goesOn func(before, next Role) bool) (system string, turns []byte, last Role) {
	size := 0
	for i := range list {
		size += len(list[i].Written) + len(`{"role":"","":[]},`) + len(member) + len(assistant)
	}
	var said []string
	b := bytes.NewBuffer(make([]byte, 0, size))
	b.WriteByte('[')
	for i := range list {
		m := &list[i]
		if m.Role == System {
			said = append(said, m.Text("\n\n"))
			continue
		}
		if len(m.Written) == 0 {
			continue
		}
		if last != "" && goesOn(last, m.Role) {
			b.WriteByte(',')
		} else {
			if last != "" {
				b.WriteString("]},")
			}
			role := string(User)
			if m.Role == Assistant {
				role = assistant
			}
			fmt.Fprintf(b, `{"role":%q,%q:[`, role, member)
		}
		last = m.Role
		b.Write(m.Written)
	}
	if last != "" {
		b.WriteString("]}")
	}
	b.WriteByte(']')
	return strings.Join(said, "\n\n"), b.Bytes(), last
}

// List puts messages that were written together to a list.
func List(list []Message) json.RawMessage {
	size := len("[]")
	for i := range list {
		size += len(list[i].Written) + len(",")
	}
	b := bytes.NewBuffer(make([]byte, 0, size))
	b.WriteByte('[')
	for i := range list {
		if len(list[i].Written) == 0 {
			continue
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		b.Write(list[i].Written)
	}
	b.WriteByte(']')
	return b.Bytes()
}

// Elements is the inside of a list as it is written.
func Elements(list []byte) []byte {
	list = bytes.TrimSpace(list)
	if len(list) < 2 || list[0] != '[' {
		return nil
	}
	return bytes.TrimSpace(list[1 : len(list)-1])
}

// Object is a call's arguments as the object that a server wants. What is no object
// becomes one that holds the text.
func (c *ToolCall) Object() json.RawMessage {
	value := jsontext.Value(c.Arguments)
	if strings.TrimSpace(c.Arguments) == "" {
		return json.RawMessage("{}")
	}
	if value.IsValid() && value.Kind() == '{' {
		return json.RawMessage(bytes.TrimSpace(value))
	}
	raw, _ := Write(map[string]string{"arguments": c.Arguments}) // a text can always be written
	return raw
}
