package requests

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"agentd/documents/compare"
	"agentd/domains"
	"agentd/domains/catalog"
	"agentd/environments"
	"agentd/harness/grade"
	"agentd/harness/judge"
	"agentd/internal/charset"
	"agentd/internal/datafile"
	"agentd/internal/jsonsafe"
	"agentd/internal/usage"
	"agentd/results"
	"agentd/vfs"
)

// Scorer scores pairs of documents, a reference and a candidate, and grades steps of environments.
type Scorer struct {
	Find  func(name string) (domains.Domain, bool)
	Judge *judge.Judge // scores domains that need a judge; nil for none
	// Asked returns what an edit of an environment asks for; nil if steps cannot be graded.
	Asked func(environment, edit string, direction results.Direction) (*grade.Asked, error)
	// Differences makes answers to lines name the differences.
	Differences bool
	// MinStrict, from 0 to 1, is the Strict below which a line counts in Outcome.Below.
	MinStrict float64
}

// Outcome counts the failures in a file of pairs.
type Outcome struct {
	Bad   int // lines that cannot be scored
	Below int // pairs whose Strict is below MinStrict
}

// Domain returns the named domain, or a usage.Error.
func (s *Scorer) Domain(name string) (domains.Domain, error) {
	if d, ok := s.Find(catalog.Canonical(name)); ok {
		return d, nil
	}
	return nil, usage.Unknown("domain", name, catalog.Names())
}

// score scores a candidate, with the judge if the domain needs one. An error means that a machine failed, not that the
// candidate is bad.
func (s *Scorer) score(d domains.Domain, scaffold, reference, candidate vfs.Files) (domains.Score, error) {
	d = environments.WithScaffold(d, scaffold)
	if needy, ok := d.(domains.Judged); ok && s.Judge != nil {
		d = needy.WithJudge(s.Judge.Session(context.Background()))
	}
	score := d.Compare(reference, candidate)
	return score, score.Fault
}

// pair is one line of a pairs file.
type pair struct {
	ID        string         `json:"id"`
	Domain    string         `json:"domain"`
	Reference vfs.Files      `json:"reference"`
	Candidate vfs.Files      `json:"candidate"`
	Metadata  map[string]any `json:"metadata"`
	Scaffold  vfs.Files      `json:"scaffold"`
	Step
}

// notScored is the answer to a line that cannot be scored.
type notScored struct {
	ID    string `json:"id"`
	Error string `json:"error"`
}

// Score reads pairs, one JSON object per line. It answers each line before it reads the next one, so that another
// program can wait for the answer. A line that cannot be scored is answered with the reason. name is the input's name
// in errors. The error says at which line reading stopped; it wraps datafile.ErrTooLarge if that line is too long.
func (s *Scorer) Score(ctx context.Context, name string, in io.Reader, out io.Writer) (done Outcome, err error) {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for line := range datafile.Lines(in, datafile.MostLineBytes) {
		if err := cmp.Or(ctx.Err(), line.Err); err != nil {
			return done, fmt.Errorf("reading %s line %d: %w", name, line.Number, err)
		}
		if len(bytes.TrimSpace(line.Text)) == 0 {
			continue
		}
		answer, err := s.Answer(line.Text)
		if err != nil {
			done.Bad++
			answer = notScored{idOf(line.Text), fmt.Sprintf("line %d: %v", line.Number, err)}
		}
		if got, ok := answer.(compare.Scored); ok && got.Strict < s.MinStrict {
			done.Below++
		}
		if err := encoder.Encode(answer); err != nil {
			return done, fmt.Errorf("writing scores: %w", err)
		}
	}
	return done, nil
}

// Answer is the answer to one line, a pair or a step. The error says why it has no score.
func (s *Scorer) Answer(line []byte) (any, error) {
	var p pair
	if err := jsonsafe.Unmarshal(line, &p, jsonsafe.DefaultLimits()); err != nil {
		return nil, err
	}
	if p.Env != "" {
		return s.step(p)
	}
	if p.Reference == nil || p.Candidate == nil {
		return nil, errors.New(`a pair needs "reference" and "candidate", each an object of file names and texts`)
	}
	for _, files := range []*vfs.Files{&p.Reference, &p.Candidate} {
		decoded, err := vfs.FromTexts(*files)
		if err != nil {
			return nil, err
		}
		*files = decoded
	}
	d, err := s.Domain(p.Domain)
	if err != nil {
		return nil, err
	}
	options := domains.Metadata{}
	for key, value := range p.Metadata {
		options[key] = fmt.Sprint(value)
	}
	d = d.With(options)
	if err := d.CheckReference(p.Reference); err != nil {
		return nil, fmt.Errorf("the reference: %w", err)
	}
	score, err := s.score(d, p.Scaffold, p.Reference, p.Candidate)
	if err != nil {
		return nil, err
	}
	answer := compare.ScoredBy(d, score)
	answer.ID, answer.Domain = p.ID, p.Domain
	if s.Differences {
		answer.Name(d, p.Reference, p.Candidate)
		answer.NameBytes(p.Reference, p.Candidate, charset.Encoding{})
		answer.Why = nil
	}
	return answer, nil
}

// idOf finds the id of a line that is not a valid pair.
func idOf(line []byte) string {
	var p struct {
		ID string `json:"id"`
	}
	_ = jsonsafe.Unmarshal(line, &p, jsonsafe.DefaultLimits()) // on failure the id stays empty
	return p.ID
}

// Paths are the files or folders of one pair.
type Paths struct {
	Reference, Candidate, Scaffold string           // Scaffold may be empty
	Encoding                       charset.Encoding // of files that are not UTF-8; the zero value detects it
}

// ScorePaths scores one pair of files or folders and names the differences. The ID is the candidate's path. The error is a
// usage.Error if a path cannot be read, or the domain cannot score against the reference.
func (s *Scorer) ScorePaths(domain string, paths Paths) (scored compare.Scored, err error) {
	d, err := s.Domain(domain)
	if err != nil {
		return scored, err
	}
	read := datafile.Reader{Assumed: paths.Encoding}
	reference, err := compare.DocumentsBy(&read, paths.Reference)
	if err != nil {
		return scored, err
	}
	if err := d.CheckReference(reference); err != nil {
		return scored, usage.Errorf("--reference %s: %w", paths.Reference, err)
	}
	readAfter := datafile.Reader{Assumed: paths.Encoding, Other: reference}
	candidate, err := compare.DocumentsBy(&readAfter, paths.Candidate)
	if err != nil {
		return scored, err
	}
	var scaffold vfs.Files
	if paths.Scaffold != "" {
		if scaffold, err = compare.Documents(paths.Scaffold); err != nil {
			return scored, err
		}
	}
	score, err := s.score(d, scaffold, reference, candidate)
	if err != nil {
		return scored, err
	}
	scored = compare.ScoredBy(d, score)
	scored.ID = paths.Candidate
	scored.Name(d, reference, candidate)
	before, err := read.Encodings.Bytes(reference)
	if err != nil {
		return scored, err
	}
	after, err := readAfter.Encodings.Bytes(candidate)
	if err != nil {
		return scored, err
	}
	scored.NameBytes(before, after, paths.Encoding)
	return scored, nil
}
