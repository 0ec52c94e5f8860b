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
// follow, if not nil, hands on what comes.
func assemble(stream io.Reader, into assembly, follow *following) ([]byte, error) {
	bounded := &io.LimitedReader{R: stream, N: maxStream}
	lines := bufio.NewScanner(bounded)
	lines.Buffer(make([]byte, 0, 32<<10), maxAnswer)
	var event string
	var data, raw []byte // raw is kept only if the answer is followed
	flush := func() error {
		defer func() { event, data, raw = "", data[:0], raw[:0] }()
		if follow != nil {
			raw = append(raw, '\n')
		}
		switch {
		case len(data) > 0 && string(data) != endOfStream:
			if err := into.add(event, data); err != nil || follow == nil {
				return err
			}
			return follow.event(raw, data, into.deltas(), into.ended())
		case follow == nil:
		case len(data) > 0:
			return follow.event(raw, nil, nil, true)
		default:
			return follow.rest(raw)
		}
		return nil
	}
	for lines.Scan() {
		line := lines.Bytes()
		if follow != nil && len(line) > 0 {
			if raw = append(append(raw, line...), '\n'); len(raw) > maxAnswer {
				return nil, errTooLarge
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

// news are the deltas of an assembly's last event.
type news []Delta

func (n *news) deltas() []Delta { return *n }

// kept bounds what an assembly holds of a stream, in bytes.
type kept int

func (k *kept) add(size int) error {
	if *k += kept(size); *k > maxAnswer {
		return errTooLarge
	}
	return nil
}
