package requests

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"agentd/documents/compare"
	"agentd/harness/grade"
	"agentd/internal/layout"
	"agentd/internal/printable"
	"agentd/internal/usage"
	"agentd/results"
	"agentd/vfs"
)

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

// step grades the result of a step, given on one line.
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

// Grade grades the files after a step; distractors among them are optional. The error is a usage.Error if a name does
// not exist or the edit has no exact program.
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

// Write writes a graded step, as compare.Text or compare.JSON.
func (g *Graded) Write(w io.Writer, format string) error {
	if format == compare.JSON {
		encoder := json.NewEncoder(printable.ForJSON(w))
		encoder.SetEscapeHTML(false)
		return encoder.Encode(g)
	}
	screen := layout.ScreenOf(w)
	t := layout.NewTable(2, "number", "value", "what it is")
	t.Columns[2].Number = false
	done := "no"
	if g.Done {
		done = "yes"
	}
	t.Row("done", done, "all files asked for are there, and one holds something new")
	for _, row := range []struct {
		name  string
		value float64
		what  string
	}{
		{"forward", g.Forward, "how much of what the exact program makes is there"},
		{"idle", g.Idle, "the same of doing nothing"},
		{"progress", g.Progress, "how far from doing nothing to what the exact program makes"},
		{"kept", g.Kept, "what the edit must not touch and is there unchanged"},
		{"reward", g.Reward, "progress × kept; 0 unless done"},
	} {
		t.Row(row.name, fmt.Sprintf("%.4f", row.value), row.what)
	}
	text := t.String(screen)
	for _, file := range g.Files {
		text += screen.Paragraph(printable.Line(file), 2)
	}
	_, err := io.WriteString(printable.Exact(w), text)
	return err
}
