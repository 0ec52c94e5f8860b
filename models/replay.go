package models

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"agentd/models/wire"
)

// ReplayPrefix begins the name of a recording among models: replay:FILE.
const ReplayPrefix = "replay:"

// Recorded returns the specs of the models in a recording, in the order in which they
// were first recorded. A model that is opened with one answers from the recording.
func Recorded(path string) ([]Spec, error) {
	var names []string
	specs := map[string]Spec{}
	err := eachLine(path, func(line recordedLine, _ span) {
		if line.Spec == nil {
			return
		}
		if _, known := specs[line.Spec.Name]; !known {
			names = append(names, line.Spec.Name)
		}
		specs[line.Spec.Name] = *line.Spec // the last says how it was asked
	})
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("recording %s names no model; agentd run --record makes recordings", path)
	}
	all := make([]Spec, len(names))
	for i, name := range names {
		all[i] = specs[name]
		all[i].Replay = path
	}
	return all, nil
}

// replayed answers from a recording.
type replayed struct {
	*client // writes requests, so that they can be found
	lines   map[exchangeKeyed]span
}

// span is a line's place in the file. Answers are read when they are needed, because
// recordings can be large.
type span struct{ start, end int64 }

func openReplay(c *client) (Model, error) {
	r := &replayed{client: c, lines: map[exchangeKeyed]span{}}
	err := eachLine(c.spec.Replay, func(line recordedLine, at span) {
		if line.Exchange != nil && line.Exchange.Model == c.spec.Name {
			r.lines[*line.Exchange] = at // an interaction that was done again counts as it was then
		}
	})
	return r, err
}

// eachLine reads a recording.
func eachLine(path string, do func(recordedLine, span)) error {
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("opening the recording: %w", err)
	}
	defer file.Close()
	reader := bufio.NewReaderSize(file, 1<<20)
	var at int64
	for number := 1; ; number++ {
		raw, err := reader.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return nil // what has no end was cut off, and done again if the run was resumed
		}
		if err != nil {
			return fmt.Errorf("reading the recording: %w", err)
		}
		end := at + int64(len(raw))
		if len(bytes.TrimSpace(raw)) > 0 {
			line, err := readLine(raw, number)
			if err != nil {
				return fmt.Errorf("reading the recording %s, %w", path, err)
			}
			do(line, span{at, end})
		}
		at = end
	}
}

// Complete returns what was recorded of an equal request in the same step.
func (r *replayed) Complete(ctx context.Context, req Request) (Response, error) {
	if ctx.Err() != nil {
		return Response{}, ctx.Err()
	}
	body, err := r.encode(req, nil)
	if err != nil {
		return Response{}, err
	}
	key := keyOf(ctx, r.spec.Name, body)
	at, ok := r.lines[key]
	if !ok {
		return Response{}, &Error{Kind: NotRecorded, Model: r.spec.Name, Err: fmt.Errorf(
			"%s has no answer to this request (%s, SHA-256 %s, number %d): the experiment, its prompts or agentd differ from what was recorded",
			r.spec.Replay, key.Step, key.Request, key.Number)}
	}
	line, err := r.read(at)
	if err != nil {
		return Response{}, &Error{Kind: NotRecorded, Model: r.spec.Name, Err: fmt.Errorf("reading the recording: %w", err)}
	}
	if f := line.Failure; f != nil {
		return Response{}, &Error{Kind: f.Kind, Status: f.Status, Model: r.spec.Name, Retries: f.Retries, Waste: f.Waste, Err: errors.New(f.Detail)}
	}
	a := line.Answer
	if a.Streamed && req.Follow != nil {
		follow := &following{tell: req.Follow, verbatim: true, secrets: newSecrets(nil)}
		if _, err := wire.Assemble(strings.NewReader(a.Raw), r.dialect.Reader(), follow); err != nil {
			return Response{}, &Error{Kind: NotRecorded, Model: r.spec.Name, Err: fmt.Errorf("reading the recording: %w", err)}
		}
	}
	return Response{
		Message: Message{Role: Assistant, Content: a.Content, ToolCalls: a.ToolCalls, Reasoning: a.Reasoning, Replay: a.Replay, Pictures: a.Pictures},
		Without: a.Without, Raw: a.Raw, Streamed: a.Streamed,
		FinishReason: a.FinishReason, Usage: a.Usage, Waste: a.Waste, Retries: a.Retries, Duration: a.Duration,
	}, nil
}

func (r *replayed) read(at span) (recordedLine, error) {
	file, err := os.Open(r.spec.Replay)
	if err != nil {
		return recordedLine{}, err
	}
	defer file.Close()
	raw := make([]byte, at.end-at.start)
	if _, err := file.ReadAt(raw, at.start); err != nil {
		return recordedLine{}, err
	}
	return readLine(raw, 1)
}
