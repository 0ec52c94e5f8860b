package wire

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// EventStream is the media type of a streamed answer.
const EventStream = "text/event-stream"

// EndOfStream is the data of the last event of OpenAI's streams.
const EndOfStream = "[DONE]"

// BrokenOff is the error type for interrupted streams.
const BrokenOff = "model_error"

// Limits on what a server sends, in bytes.
const (
	MaxAnswer = 8 << 20
	MaxStream = 64 << 20 // of a streamed answer: each token comes in an event of its own
)

// Errors of streams and of answers that are too large.
var (
	ErrCutOff   = errors.New("the stream ended before the answer did")
	ErrTooLarge = fmt.Errorf("the answer has more than %d bytes", MaxAnswer)
)

// Event is an event of a stream to be written.
type Event struct {
	Name string // "" for none
	Data any    // a string is sent unchanged, any other value as JSON
}

// Bytes returns the event as it is sent.
func (e Event) Bytes() ([]byte, error) {
	var b bytes.Buffer
	if e.Name != "" {
		fmt.Fprintf(&b, "event: %s\n", e.Name)
	}
	b.WriteString("data: ")
	if text, ok := e.Data.(string); ok {
		b.WriteString(text)
	} else if err := WriteTo(&b, e.Data); err != nil {
		return nil, err
	}
	b.WriteString("\n\n")
	return b.Bytes(), nil
}

// Follow receives an event of a stream as it was written, its data, and what it adds to the
// answer. last says that the answer is complete. data is nil if the event holds no part of the
// answer, as the comments do that keep connections alive.
type Follow func(raw, data []byte, deltas []Delta, last bool) error

// Assemble reads a stream of events to its end and returns the body that a server would have
// sent without streaming. The body is limited to MaxAnswer bytes and the stream, which repeats
// much, to MaxStream. follow, if not nil, receives the events as they arrive.
func Assemble(stream io.Reader, into Reader, follow Follow) ([]byte, error) {
	bounded := &io.LimitedReader{R: stream, N: MaxStream}
	lines := bufio.NewScanner(bounded)
	lines.Buffer(make([]byte, 0, 32<<10), MaxAnswer)
	var event string
	var data, raw []byte // raw is kept only if the answer is followed
	flush := func() error {
		defer func() { event, data, raw = "", data[:0], raw[:0] }()
		var part []byte
		var deltas []Delta
		last := len(data) > 0
		if last && string(data) != EndOfStream {
			if err := into.Add(event, data); err != nil {
				return err
			}
			part, deltas, last = data, into.Deltas(), into.Ended()
		}
		if follow == nil {
			return nil
		}
		raw = append(raw, '\n')
		return follow(raw, part, deltas, last)
	}
	for lines.Scan() {
		line := lines.Bytes()
		if follow != nil && len(line) > 0 {
			if raw = append(append(raw, line...), '\n'); len(raw) > MaxAnswer {
				return nil, ErrTooLarge
			}
		}
		if len(line) == 0 {
			if err := flush(); err != nil {
				return nil, err
			}
			continue
		}
		name, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch string(name) {
		case "event":
			event = string(value)
		case "data":
			if len(data) > 0 {
				data = append(data, '\n')
			}
			if data = append(data, value...); len(data) > MaxAnswer {
				return nil, ErrTooLarge
			}
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, ErrTooLarge
	case err != nil:
		return nil, fmt.Errorf("reading the stream: %w", err)
	case bounded.N <= 0:
		return nil, ErrTooLarge
	}
	if err := flush(); err != nil {
		return nil, err
	}
	body, err := into.Whole()
	if err == nil && len(body) > MaxAnswer {
		return nil, ErrTooLarge
	}
	return body, err
}

// News are the deltas of a Reader's last event.
type News []Delta

// Deltas implements Reader.
func (n *News) Deltas() []Delta { return *n }

// Kept limits what a Reader keeps of a stream, in bytes.
type Kept int

// Add counts kept bytes. It returns ErrTooLarge if they exceed the limit of an answer.
func (k *Kept) Add(size int) error {
	if *k += Kept(size); *k > MaxAnswer {
		return ErrTooLarge
	}
	return nil
}

// Grown is an object assembled from a stream: fixed members, and texts that grow.
type Grown struct{ members Fields }

// Set sets a member.
func (g *Grown) Set(name string, value any) {
	if g.members == nil {
		g.members = Fields{}
	}
	g.members[name] = value
}

// Get returns a member; nil if it is not there.
func (g *Grown) Get(name string) any { return g.members[name] }

// Add appends to a text, which begins with the value that was set. Empty additions are ignored.
func (g *Grown) Add(name, more string) {
	if more == "" {
		return
	}
	text, grows := g.members[name].(*strings.Builder)
	if !grows {
		text = &strings.Builder{}
		raw, _ := g.members[name].(json.RawMessage)
		text.WriteString(TextOf(raw))
		g.Set(name, text)
	}
	text.WriteString(more)
}

// Object returns the assembled object. The named texts are present even if they are empty.
func (g *Grown) Object(texts ...string) Fields {
	all := Fields{}
	for _, name := range texts {
		all[name] = ""
	}
	for name, value := range g.members {
		if text, ok := value.(*strings.Builder); ok {
			value = text.String()
		}
		all[name] = value
	}
	return all
}
