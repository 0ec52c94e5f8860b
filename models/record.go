package models

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"agentd/models/wire"
)

// A recording is a file of JSON lines: the spec of each model, and the result of each
// completion under the hash of the request that was sent. It holds no request, no
// header and no key.
type recordedLine struct {
	Spec     *Spec          `json:"spec,omitempty"`
	Exchange *exchangeKeyed `json:"exchange,omitempty"`
	Answer   *answerKept    `json:"answer,omitempty"`
	Failure  *failureKept   `json:"failure,omitempty"`
}

// exchangeKeyed names an exchange. Equal requests of one step are numbered.
type exchangeKeyed struct {
	Model   string `json:"model"`
	Step    string `json:"step,omitempty"`
	Request string `json:"request"` // SHA-256
	Number  int    `json:"number"`  // from 1
}

type answerKept struct {
	Content      string        `json:"content,omitempty"`
	ToolCalls    []ToolCall    `json:"tool_calls,omitempty"`
	Pictures     []Picture     `json:"pictures,omitempty"`
	Reasoning    string        `json:"reasoning,omitempty"`
	Replay       *Replay       `json:"replay,omitempty"`
	Raw          string        `json:"raw,omitempty"`
	Streamed     bool          `json:"streamed,omitempty"`
	Without      []string      `json:"without,omitempty"`
	FinishReason string        `json:"finish_reason"`
	Usage        Usage         `json:"usage"`
	Waste        Waste         `json:"waste,omitzero"`
	Retries      int           `json:"retries,omitempty"`
	Duration     time.Duration `json:"duration_ns"`
}

type failureKept struct {
	Kind    ErrorKind `json:"kind"`
	Status  int       `json:"status,omitempty"`
	Detail  string    `json:"detail"`
	Waste   Waste     `json:"waste,omitzero"`
	Retries int       `json:"retries,omitempty"`
}

// step counts the equal requests of an interaction.
type step struct {
	name   string
	mu     sync.Mutex
	counts map[string]int // by hash
}

type stepKey struct{}

// WithStep names the interaction that requests belong to, so that equal
// requests of different interactions can be told apart in a recording. The name
// must be the same when the experiment is run again.
func WithStep(ctx context.Context, name string) context.Context {
	return context.WithValue(ctx, stepKey{}, &step{name: name, counts: map[string]int{}})
}

// keyOf names a request. Outside any step each equal request has the same name.
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

// Recorder keeps what models answer in a file. It is safe for concurrent use.
type Recorder struct {
	mu   sync.Mutex
	file *os.File
}

// NewRecorder appends to a file, which it makes if there is none.
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

// dropCutOff removes an incomplete last line, as a killed process leaves it.
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
		spec.BaseURL = "" // another port every time
	}
	return m, r.write(recordedLine{Spec: &spec})
}

// Close ends the recording.
func (r *Recorder) Close() error { return r.file.Close() }

// keep records the result of a request. A request that was interrupted, or whose error
// ends the work, has none.
func (r *Recorder) keep(ctx context.Context, model string, request []byte, got Response, err error) error {
	key := keyOf(ctx, model, request)
	line := recordedLine{Exchange: &key}
	var failure *Error
	switch {
	case err == nil:
		line.Answer = &answerKept{
			Content: got.Message.Content, ToolCalls: got.Message.ToolCalls, Pictures: got.Message.Pictures, FinishReason: got.FinishReason,
			Reasoning: got.Message.Reasoning, Replay: got.Message.Replay, Without: got.Without, Raw: got.Raw, Streamed: got.Streamed,
			Usage: got.Usage, Waste: got.Waste, Retries: got.Retries, Duration: got.Duration,
		}
	case errors.As(err, &failure) && !failure.Kind.EndsWork():
		line.Failure = &failureKept{failure.Kind, failure.Status, failure.Err.Error(), failure.Waste, failure.Retries}
	default:
		return nil
	}
	return r.write(line)
}

// write adds a line in one system call, so that a killed process leaves whole lines.
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

// readLine reads a line of a recording; its number is for errors.
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
