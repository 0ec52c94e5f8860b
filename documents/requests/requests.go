// Package requests answers another program's questions about documents, one JSON object per line: how much of a document
// survives, what changed, which domains and environments exist, and what the correct result of an edit is.
package requests

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"

	"golang.org/x/sync/errgroup"

	"agentd/documents/compare"
	"agentd/domains"
	"agentd/harness/experiment"
	"agentd/internal/datafile"
	"agentd/internal/jsonsafe"
	"agentd/internal/usage"
	"agentd/results"
	"agentd/vfs"
)

// Server answers requests. It must not be copied after Serve was called.
type Server struct {
	// Scorer scores pairs. Its steps are set for each request.
	Scorer Scorer
	// Steps returns the steps of the environments of a source.
	Steps func(from Source) *experiment.Steps

	mu    sync.Mutex
	known map[string]knownSteps // by source
}

// Source says where environments come from. The zero value stands for the built-in ones.
type Source struct {
	Data    string   `json:"data"`    // data set file or folder of environments
	Derived int      `json:"derived"` // number of edits to derive from each seed
	Paths   []string `json:"paths"`   // documents to use instead of Data; all their edits are derived
}

// The kinds of requests.
const (
	Score          = "score"        // like a line of agentd score --pairs; names the differences if Differences is set
	Diff           = "diff"         // a compare.Report
	Domains        = "domains"      // all, or those that read Files, the most likely first
	Environments   = "environments" // all of Data, without documents
	OneEnvironment = "environment"  // the one that Env names, with documents
	Oracle         = "oracle"       // what the exact program of Edit makes
)

// request is one line. A Score request also has the fields of a pair.
type request struct {
	ID          string    `json:"id"` // repeated in the answer
	Do          string    `json:"do"`
	Differences bool      `json:"differences"`
	Before      vfs.Files `json:"before"`
	After       vfs.Files `json:"after"`
	Domain      string    `json:"domain"` // of Diff; empty to detect it
	Files       vfs.Files `json:"files"`
	Source
	Env       string            `json:"env"`
	Edit      string            `json:"edit"`      // its name, or its number from 1
	Direction results.Direction `json:"direction"` // forward if it is empty
	// Documents are the files that Oracle edits. If there are none, it edits the seed or, backward, the exact forward result.
	Documents vfs.Files `json:"documents"`
}

// answer has one of Result and Error.
type answer struct {
	ID     string `json:"id"`
	Result any    `json:"result,omitempty"`
	Error  string `json:"error,omitempty"`
}

// Serve answers requests until the input ends, as many at the same time as there are processors. Answers may come in
// another order than the requests, so they repeat the ids. A request that fails is answered with "error". The error of
// Serve says at which request reading or writing stopped.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	var writing sync.Mutex
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for line := range datafile.Lines(in, datafile.MostLineBytes) {
		if err := cmp.Or(ctx.Err(), line.Err); err != nil {
			group.Go(func() error { return fmt.Errorf("reading request %d: %w", line.Number, err) })
			break
		}
		if len(bytes.TrimSpace(line.Text)) == 0 {
			continue
		}
		text, number := bytes.Clone(line.Text), line.Number
		group.Go(func() error {
			got := s.answer(text)
			writing.Lock()
			defer writing.Unlock()
			if err := encoder.Encode(got); err != nil {
				return fmt.Errorf("writing the answer to request %d: %w", number, err)
			}
			return nil
		})
	}
	return group.Wait()
}

// answer answers one request.
func (s *Server) answer(line []byte) answer {
	var r request
	result, err := any(nil), jsonsafe.Unmarshal(line, &r, jsonsafe.DefaultLimits())
	if err == nil {
		result, err = s.result(&r, line)
	}
	if err != nil {
		return answer{ID: r.ID, Error: err.Error()}
	}
	return answer{ID: r.ID, Result: result}
}

func (s *Server) result(r *request, line []byte) (any, error) {
	for _, files := range []*vfs.Files{&r.Before, &r.After, &r.Files, &r.Documents} {
		decoded, err := vfs.FromTexts(*files)
		if err != nil {
			return nil, err
		}
		*files = decoded
	}
	switch r.Do {
	case Score:
		scorer := s.Scorer
		scorer.Asked, scorer.Differences = s.steps(r.Source).Asked, r.Differences
		return scorer.Answer(line)
	case Diff:
		return s.diff(r)
	case Domains:
		return listDomains(r.Files)
	case Environments:
		return s.list(s.steps(r.Source))
	case OneEnvironment:
		e, err := s.steps(r.Source).Environment(r.Env)
		if err != nil {
			return nil, err
		}
		return json.RawMessage(e.Encode()), nil
	case Oracle:
		return s.oracle(r)
	}
	return nil, usage.Unknown("request", r.Do, []string{Score, Diff, Domains, Environments, OneEnvironment, Oracle})
}

func (s *Server) diff(r *request) (any, error) {
	if r.Before == nil || r.After == nil {
		return nil, errors.New(`a comparison needs "before" and "after", each an object of file names and texts`)
	}
	var d domains.Domain
	if r.Domain != "" {
		var err error
		if d, err = s.Scorer.Domain(r.Domain); err != nil {
			return nil, err
		}
	}
	return compare.Compare(r.Before, r.After, d), nil
}
