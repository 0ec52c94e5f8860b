package models

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// eventStream is the type of a streamed answer.
const eventStream = "text/event-stream"

// endOfStream is the data of the event with which OpenAI's streams end.
const endOfStream = "[DONE]"

var errCutOff = errors.New("the stream ended before the answer did")

// assemble reads a stream of events to its end and returns the body that they make. It
// is bounded as other answers are, and the stream, which repeats itself, by maxStream.
func assemble(stream io.Reader, into assembly) ([]byte, error) {
	bounded := &io.LimitedReader{R: stream, N: maxStream}
	lines := bufio.NewScanner(bounded)
	lines.Buffer(make([]byte, 0, 32<<10), maxAnswer)
	var event string
	var data []byte
	flush := func() error {
		defer func() { event, data = "", data[:0] }()
		if len(data) == 0 || string(data) == endOfStream {
			return nil
		}
		return into.add(event, data)
	}
	for lines.Scan() {
		line := lines.Bytes()
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
			if data = append(data, value...); len(data) > maxAnswer {
				return nil, errTooLarge
			}
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, errTooLarge
	case err != nil:
		return nil, fmt.Errorf("reading the stream: %w", err)
	case bounded.N <= 0:
		return nil, errTooLarge
	}
	if err := flush(); err != nil {
		return nil, err
	}
	body, err := into.whole()
	if err == nil && len(body) > maxAnswer {
		return nil, errTooLarge
	}
	return body, err
}

// kept bounds what an assembly holds of a stream, in bytes.
type kept int

func (k *kept) add(size int) error {
	if *k += kept(size); *k > maxAnswer {
		return errTooLarge
	}
	return nil
}
