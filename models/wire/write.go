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

// RoomForTools estimates the size of a request's tools, in bytes.
const RoomForTools = 4 << 10

// Write is json.Marshal without HTML escapes.
func Write(value any) ([]byte, error) {
	var b bytes.Buffer
	if err := WriteTo(&b, value); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// WriteTo appends a value to a buffer.
func WriteTo(b *bytes.Buffer, value any) error {
	encoder := json.NewEncoder(b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return fmt.Errorf("writing the conversation: %w", err)
	}
	b.Truncate(b.Len() - len("\n")) // added by the encoder
	return nil
}

// Object builds a JSON object, in the order in which members are added.
type Object struct {
	names  []string
	values []any
}

// Put adds a member. A json.RawMessage is written unchanged, and nil is omitted.
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

// Fields are members that are written sorted by name.
type Fields map[string]any

// PutSome adds a member unless its value is zero.
func (f Fields) PutSome(name string, value any) {
	if !zero(value) {
		f[name] = value
	}
}

// Write returns the object. Members of body replace those of the same name; two objects are
// merged.
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

// over replaces a member's value with own. Two objects are merged, and null in own removes a
// member.
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

// Over returns the object after laying members, and then those of a body, over its own. The
// receiver is not changed.
func (m Members) Over(members, body map[string]any) ([]byte, error) {
	all := maps.Clone(m)
	if err := errors.Join(all.Lay(members), all.Lay(body)); err != nil {
		return nil, err
	}
	return all.Write()
}

// Lay changes m: nil removes a member, objects are merged, and any other value replaces the old
// one.
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

// LayTemperature adds the temperature to over, the members that change a request. own is the
// request's own temperature, which stays if r's is only a default. none says that a default
// temperature must not be sent because the model reasons.
func (r *Request) LayTemperature(over map[string]any, own json.RawMessage, none bool) {
	switch {
	case r.Temperature == nil:
		over[SettingTemperature] = nil
	case !r.Usual || own == nil && !none:
		over[SettingTemperature] = *r.Temperature
	}
}

// Write returns the object with members sorted by name. Their values are unchanged.
func (m Members) Write() ([]byte, error) {
	var all Object
	for _, name := range slices.Sorted(maps.Keys(m)) {
		all.Put(name, m[name])
	}
	return all.Write(nil)
}

// WriteEach encodes the messages that are not encoded yet. write returns nil for a message that
// adds nothing.
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

// WriteParts encodes messages as comma-separated parts. The model's turns are written as a
// server of the dialect sent them, if that is known.
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

// Turns joins messages that WriteParts has encoded. It returns the system messages as one text,
// and the others as a list of turns, with their parts in the named member. assistant is the
// dialect's name of the model's role. goesOn reports whether a message belongs to the same turn
// as the one before. last is the role of the last message.
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

// List joins encoded messages to a JSON list.
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

// Elements returns the text between the brackets of a list; nil if it is not a list.
func Elements(list []byte) []byte {
	list = bytes.TrimSpace(list)
	if len(list) < 2 || list[0] != '[' {
		return nil
	}
	return bytes.TrimSpace(list[1 : len(list)-1])
}

// Object returns a call's arguments as a JSON object, which servers require. Anything else is
// wrapped in an object.
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
