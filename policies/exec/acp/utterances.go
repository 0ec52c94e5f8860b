package acp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"sync"

	"agentd/internal/datafile"
)

// Limits on an agent's messages.
const (
	maxUtterance  = 9 << 20   // bytes of one message
	maxUtterances = 100_000   // messages
	maxSaid       = 256 << 20 // all of them, in bytes
	answeredAt    = 4         // requests answered at the same time
)

// utterances reads an agent's messages, one per line, and enforces the limits. Without them the
// protocol package would answer all requests at the same time.
type utterances struct {
	from   *bytes.Buffer // the message that is being read
	lines  func() (datafile.Line, bool)
	stop   func()        // releases lines
	ready  chan struct{} // closed when the messages may be read
	ended  chan struct{} // closed when no more will be read
	room   chan struct{}
	mu     sync.Mutex
	broken error
	number int
	size   int
}

func newUtterances(from io.Reader) *utterances {
	lines, stop := iter.Pull(datafile.Lines(from, maxUtterance))
	return &utterances{
		from: &bytes.Buffer{}, lines: lines, stop: stop, ready: make(chan struct{}), ended: make(chan struct{}),
		room: make(chan struct{}, answeredAt),
	}
}

func (u *utterances) begin() { close(u.ready) }
func (u *utterances) end()   { close(u.ended) }

// answered releases the room of a message.
func (u *utterances) answered() { <-u.room }

// wrong returns what was wrong with the agent's messages; nil for nothing.
func (u *utterances) wrong() error {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.broken
}

// Read returns the messages one after the other.
func (u *utterances) Read(p []byte) (int, error) {
	<-u.ready
	if u.from.Len() == 0 {
		line, err := u.next()
		if err != nil { // the reader asks no more
			u.stop()
			return 0, err
		}
		u.from.Reset()
		u.from.Write(line)
	}
	return u.from.Read(p)
}

// next returns the next message, after waiting for room.
func (u *utterances) next() ([]byte, error) {
	line, more := u.lines()
	for more && line.Err == nil && len(bytes.TrimSpace(line.Text)) == 0 {
		line, more = u.lines()
	}
	if !more || line.Err != nil && !errors.Is(line.Err, datafile.ErrTooLarge) {
		return nil, io.EOF
	}
	var message struct {
		Method string `json:"method"`
	}
	u.number, u.size = u.number+1, u.size+len(line.Text)
	var err error
	switch {
	case line.Err != nil:
		err = fmt.Errorf("it said a message of more than %d bytes", maxUtterance)
	case u.number > maxUtterances || u.size > maxSaid:
		err = fmt.Errorf("it said more than %d messages, or %d bytes", maxUtterances, maxSaid)
	case json.Unmarshal(line.Text, &message) != nil:
		err = fmt.Errorf("it said what is no message: %.200q", line.Text)
	}
	if err != nil {
		u.mu.Lock()
		u.broken = err
		u.mu.Unlock()
		return nil, io.EOF
	}
	if message.Method != "" && message.Method != "$/cancel_request" { // these are answered
		select {
		case u.room <- struct{}{}:
		case <-u.ended:
			return nil, io.EOF
		}
	}
	return append(line.Text, '\n'), nil
}
