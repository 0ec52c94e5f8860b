// Package pairs scores pairs of documents, a reference and a candidate, line by line. In place of a
// reference a line may name a step of an environment, which is graded.
package pairs

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"agentd/domains"
	"agentd/domains/catalog"
	"agentd/environments"
	"agentd/harness/grade"
	"agentd/harness/judge"
	"agentd/internal/datafile"
	"agentd/internal/jsonsafe"
	"agentd/internal/usage"
	"agentd/results"
	"agentd/vfs"
)

// Scorer scores pairs of documents.
type Scorer struct {
	Find  func(name string) (domains.Domain, bool)
	Judge *judge.Judge // of domains that need one; nil for none
	// Asked finds what an edit of an environment asks for; see Steps. nil for no steps.
	Asked func(environment, edit string, direction results.Direction) (*grade.Asked, error)
	// Differences says that the answers to pairs of a file name the differences.
	Differences bool
	// MinStrict is what Strict has to reach, from 0 to 1, for a pair of a file not to count
	// as below it.
	MinStrict float64
}

// Outcome says what became of a file of pairs.
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

// compare scores a candidate with the judge, if the domain needs one and there is one. The
// error is a fault of the machine.
func (s *Scorer) compare(d domains.Domain, scaffold, reference, candidate vfs.Files) (domains.Score, error) {
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

// Step names an edit of an environment in one direction.
type Step struct {
	Env       string            `json:"env"`
	Edit      string            `json:"edit"`      // its name, or its number from 1
	Direction results.Direction `json:"direction"` // forward if empty
}

// Graded is the answer to a step.
type Graded struct {
	ID string `json:"id"`
	Step
	grade.Grade
}

// scored is the answer to a pair; notScored is the answer to a line that cannot be
// scored.
type scored struct {
	ID         string             `json:"id"`
	Domain     string             `json:"domain"`
	Score      float64            `json:"score"`
	Strict     float64            `json:"strict"`
	Components map[string]float64 `json:"components"`
	Elements   domains.Elements   `json:"elements"`
	Problem    string             `json:"problem"`
	// Basis is there where Score is not computed: a judge's opinion, or a fallback
	// that is no score.
	Basis domains.Basis `json:"basis,omitempty"`
	// Approximate is there where limits on work acted, and says which.
	Approximate string `json:"approximate,omitempty"`
	// Differences, and Warnings of domains.Warnings, are there where they were asked for.
	Differences []difference `json:"differences,omitempty"`
	Warnings    []string     `json:"warnings,omitempty"`
}

// answerOf is the answer to a pair that was scored.
func answerOf(id, domain string, score domains.Score) scored {
	components := score.Components
	if components == nil {
		components = map[string]float64{}
	}
	return scored{
		ID: id, Domain: domain, Score: score.Value, Strict: score.Strict, Components: components,
		Elements: score.Elements, Problem: score.Problem, Basis: score.Basis, Approximate: score.Approximate,
	}
}

type notScored struct {
	ID    string `json:"id"`
	Error string `json:"error"`
}

// Score reads pairs, a JSON object a line, and writes the answer to each line before it
// reads the next one, so that another program can wait for it. name is what errors call
// the input. The outcome counts lines that
// cannot be scored, whose answers say why, and pairs below MinStrict. The error
// says at which line reading ended; it wraps datafile.ErrTooLarge if that is too long.
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
		if got, ok := answer.(scored); ok && got.Strict < s.MinStrict {
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
	score, err := s.compare(d, p.Scaffold, p.Reference, p.Candidate)
	if err != nil {
		return nil, err
	}
	answer := answerOf(p.ID, p.Domain, score)
	if s.Differences {
		review := d.Against(p.Reference).Review(p.Candidate)
		answer.Differences = listed(review.Differences, review.Parts)
		answer.Warnings = domains.Warnings(d, p.Reference, p.Candidate)
	}
	return answer, nil
}

// step grades what a line says that a step has left.
func (s *Scorer) step(p pair) (any, error) {
	if p.Candidate == nil || p.Reference != nil || p.Domain != "" {
		return nil, errors.New(`a step needs "env", "edit" and "candidate", and neither "reference" nor "domain"`)
	}
	candidate, err := vfs.FromTexts(p.Candidate)
	if err != nil {
		return nil, err
	}
	graded, err := s.Grade(p.Step, candidate)
	graded.ID = p.ID
	return graded, err
}

// Grade grades what a step has left: the result, with the distractors or without any. Names that
// are not there, and an edit without an exact program, are a usage.Error.
func (s *Scorer) Grade(step Step, left vfs.Files) (Graded, error) {
	step.Direction = cmp.Or(step.Direction, results.Forward)
	if s.Asked == nil {
		return Graded{}, usage.Errorf("steps cannot be graded here")
	}
	asked, err := s.Asked(step.Env, step.Edit, step.Direction)
	if err != nil {
		return Graded{}, err
	}
	return Graded{Step: step, Grade: asked.Grade(asked.WithDistractors(left))}, nil
}

// idOf finds the id of a line that is otherwise no pair.
func idOf(line []byte) string {
	var p struct {
		ID string `json:"id"`
	}
	_ = jsonsafe.Unmarshal(line, &p, jsonsafe.DefaultLimits()) // without one it stays empty
	return p.ID
}
