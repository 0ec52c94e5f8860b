package models

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"agentd/models/wire"
)

// A recording is a file of JSON lines: the spec of each model, and the result of each
// completion with the hash of its request. It contains no request, no header and no key.
type recordedLine struct {
	Spec     *Spec          `json:"spec,omitempty"`
	Exchange *exchangeKeyed `json:"exchange,omitempty"`
	Answer   *Response      `json:"answer,omitempty"`
	Failure  *failureKept   `json:"failure,omitempty"`
}

// exchangeKeyed identifies an exchange. Equal requests of one step are numbered.
type exchangeKeyed struct {
	Model   string `json:"model"`
	Step    string `json:"step,omitempty"`
	Request string `json:"request"` // SHA-256
	Number  int    `json:"number"`  // from 1
}

type failureKept struct {
	Kind    ErrorKind `json:"kind"`
	Status  int       `json:"status,omitempty"`
	Detail  string    `json:"detail"`
	Waste   Waste     `json:"waste,omitzero"`
	Retries int       `json:"retries,omitempty"`
}

// step counts the equal requests of one interaction.
type step struct {
	name   string
	mu     sync.Mutex
	counts map[string]int // by hash
}

type stepKey struct{}

// WithStep names the interaction that requests belong to, so that a recording can tell equal
// requests of different interactions apart. The name must be the same when the experiment is
// run again.
func WithStep(ctx context.Context, name string) context.Context {
	return context.WithValue(ctx, stepKey{}, &step{name: name, counts: map[string]int{}})
}

// keyOf returns the key of a request. Outside a step, equal requests have equal keys.
func keyOf(ctx context.Context, model string, request []byte) exchangeKeyed {
	sum := sha256.Sum256(request)
	key := exchangeKeyed{Model: model, Request: hex.EncodeToString(sum[:]), Number: 1}
	if s, ok := ctx.Value(stepKey{}).(*step); ok {
		s.mu.Lock()
		defer s.mu.Unlock()
		counted := model + " " + key.Request
		s.counts[counted]++
		key.Step, key.Number = s.name, s.counts[counted]
	}
	return key
}

// Recorder writes the models' answers to a file. It is safe for concurrent use.
type Recorder struct {
	mu   sync.Mutex
	file *os.File
}

// NewRecorder appends to a file, which it creates if necessary.
func NewRecorder(path string) (*Recorder, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_RDWR, 0o644)
	if err != nil {
		return nil, fmt.Errorf("opening the recording: %w", err)
	}
	if err := dropCutOff(file); err != nil {
		return nil, errors.Join(fmt.Errorf("opening the recording: %w", err), file.Close())
	}
	return &Recorder{file: file}, nil
}

// dropCutOff removes an incomplete last line, which a killed process may have left.
func dropCutOff(file *os.File) error {
	size, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	chunk := make([]byte, 64<<10)
	for end := size; end > 0; {
		start := max(0, end-int64(len(chunk)))
		part := chunk[:end-start]
		if _, err := file.ReadAt(part, start); err != nil {
			return err
		}
		if at := bytes.LastIndexByte(part, '\n'); at >= 0 {
			return file.Truncate(start + int64(at) + 1)
		}
		end = start
	}
	return file.Truncate(0)
}

// Open opens a model whose answers are recorded.
func (r *Recorder) Open(spec Spec, limiter Limiter) (Model, error) {
	if spec.Replay != "" {
		return nil, fmt.Errorf("model %s: it is replayed from %s, there is nothing to record", spec.Name, spec.Replay)
	}
	m, err := Open(spec, limiter)
	if err != nil {
		return nil, err
	}
	m.(*client).recorder = r
	spec.Headers = nil
	if spec.StandIn {
		spec.BaseURL = "" // the port changes every time
	}
	return m, r.write(recordedLine{Spec: &spec})
}

// Close closes the file of the recording.
func (r *Recorder) Close() error { return r.file.Close() }

// keep records the result of a request, unless the request was interrupted or its error ends
// the work.
func (r *Recorder) keep(ctx context.Context, model string, request []byte, got Response, err error) error {
	key := keyOf(ctx, model, request)
	line := recordedLine{Exchange: &key}
	var failure *Error
	switch {
	case err == nil:
		line.Answer = &got
	case errors.As(err, &failure) && !failure.Kind.EndsWork():
		line.Failure = &failureKept{failure.Kind, failure.Status, failure.Err.Error(), failure.Waste, failure.Retries}
	default:
		return nil
	}
	return r.write(line)
}

// write appends a line with one system call, so that a killed process leaves only complete
// lines.
func (r *Recorder) write(line recordedLine) error {
	raw, err := wire.Write(line)
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, err := r.file.Write(append(raw, '\n')); err != nil {
		return fmt.Errorf("recording: %w", err)
	}
	return nil
}

// readLine parses a line of a recording. number is its line number, for error messages.
func readLine(raw []byte, number int) (recordedLine, error) {
	var line recordedLine
	err := json.Unmarshal(raw, &line)
	if err == nil && line.Spec == nil && (line.Exchange == nil || (line.Answer == nil) == (line.Failure == nil)) {
		err = errors.New("it is neither a spec nor an exchange")
	}
	if err != nil {
		return line, fmt.Errorf("line %d: %w", number, err)
	}
	return line, nil
}

// ReplayPrefix is the prefix of a model name that stands for a recording: replay:FILE.
const ReplayPrefix = "replay:"

// Recorded returns the specs of the models in a recording, in the order in which they were
// first recorded. A model opened with such a spec answers from the recording.
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
		specs[line.Spec.Name] = *line.Spec // a later spec replaces an earlier one
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
	*client // encodes requests, to look up their hashes
	lines   map[exchangeKeyed]span
}

// span is the position of a line in the file. Answers are read on demand, because recordings
// can be large.
type span struct{ start, end int64 }

func openReplay(c *client) (Model, error) {
	r := &replayed{client: c, lines: map[exchangeKeyed]span{}}
	err := eachLine(c.spec.Replay, func(line recordedLine, at span) {
		if line.Exchange != nil && line.Exchange.Model == c.spec.Name {
			r.lines[*line.Exchange] = at // a repeated interaction replaces the earlier one
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
			return nil // an incomplete last line; a resumed run repeats the request
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

// Complete returns the recorded result of an equal request in the same step. If there is none,
// the error has the kind NotRecorded.
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
		return Response{}, r.broken(err)
	}
	if f := line.Failure; f != nil {
		return Response{}, &Error{Kind: f.Kind, Status: f.Status, Model: r.spec.Name, Retries: f.Retries, Waste: f.Waste, Err: errors.New(f.Detail)}
	}
	a := line.Answer
	if a.Streamed && req.Follow != nil {
		follow := &following{tell: req.Follow, verbatim: true, secrets: newSecrets(nil)}
		if _, err := wire.Assemble(strings.NewReader(a.Raw), r.dialect.Reader(), follow.event); err != nil {
			return Response{}, r.broken(err)
		}
	}
	a.Role = Assistant // missing in older recordings
	return *a, nil
}

func (r *replayed) broken(err error) *Error {
	return &Error{Kind: NotRecorded, Model: r.spec.Name, Err: fmt.Errorf("reading the recording: %w", err)}
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
