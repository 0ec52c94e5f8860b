package environments

import (
	"fmt"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/vfs"
)

// Exact applies an edit's oracle to the seed, forward and backward. It returns an
// error if a step refuses its input, makes other files than the edit asks for, does
// not change the document, or does not restore it. An edit without an oracle passes.
func (e *Environment) Exact(edit Edit, d domains.Domain) error {
	d = e.Apply(d)
	oracle, ok := e.OracleFor(edit, d)
	if !ok {
		if !edit.Oracle.IsZero() {
			return fmt.Errorf("the domain has no oracle %q", edit.Oracle)
		}
		return nil
	}
	there, err := oracle.Forward(e.Seed)
	if err != nil {
		return fmt.Errorf("forward: %w", err)
	}
	if err := reaches(there, edit.Targets); err != nil {
		return err
	}
	if there.Equal(e.Seed) {
		return fmt.Errorf("forward changes nothing")
	}
	back, err := oracle.Backward(there)
	if err != nil {
		return fmt.Errorf("backward: %w", err)
	}
	if !slices.Equal(back.Names(), e.Seed.Names()) {
		return fmt.Errorf("backward makes %s", strings.Join(back.Names(), ", "))
	}
	score := d.Compare(e.Seed, back)
	if score.RS == 1 && score.Strict == 1 && back.Equal(e.Seed) {
		return nil
	}
	if review := d.Against(e.Seed).Review(back); score.RS != 1 || !review.Same() {
		return fmt.Errorf("there and back scores %s", Shortfall(score, review.Differences))
	}
	return nil
}

// reaches fails if a forward step does not make exactly the files that an edit asks for.
func reaches(there vfs.Files, targets []string) error {
	if len(there.Match(targets)) != len(there) {
		return fmt.Errorf("forward makes %s, of which not all are targets", strings.Join(there.Names(), ", "))
	}
	for _, target := range targets {
		if len(there.Match([]string{target})) == 0 {
			return fmt.Errorf("forward makes no %s", target)
		}
	}
	return nil
}

// Shortfall describes a score and why it is not 1: its problem, or the first
// difference.
func Shortfall(score domains.Score, differences []domains.Difference) string {
	text := fmt.Sprintf("%.4f, strict %.4f", score.RS, score.Strict)
	switch {
	case score.Problem != "":
		text += ": " + score.Problem
	case len(differences) == 1:
		text += ": " + differences[0].String()
	case len(differences) > 1:
		text += fmt.Sprintf(": %v, and %d more differences", differences[0], len(differences)-1)
	}
	return text
}
