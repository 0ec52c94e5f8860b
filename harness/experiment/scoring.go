package experiment

import (
	"context"

	"agentd/domains"
	domaincatalog "agentd/domains/catalog"
	"agentd/environments"
	"agentd/harness/programs"
)

// Scoring is what documents are scored with that are no part of a run. Documents that are programs run in a sandbox,
// which is opened for the first of them. It must be closed.
type Scoring struct {
	// Find finds a domain by its name.
	Find func(name string) (domains.Domain, bool)

	programs *programs.Programs
}

// Scoring returns what documents are scored with, where programs run in this sandbox.
func (s Sandbox) Scoring(ctx context.Context) *Scoring {
	runs := s.Programs(ctx)
	return &Scoring{Find: domaincatalog.Running(runs), programs: runs}
}

// Close closes the sandbox, if it was opened.
func (s *Scoring) Close() error { return s.programs.Close() }

// Steps returns the steps of all environments of a data set.
func (s *Scoring) Steps(source Environments) *Steps { return NewSteps(source, s.programs, s.Find) }

// StepsOf returns the steps of the environments that read makes, with the edits that they have.
func (s *Scoring) StepsOf(read func() ([]environments.Environment, error)) *Steps {
	return StepsOf(read, s.programs, s.Find)
}

// Equip gives an environment what runs its exact programs.
func (s *Scoring) Equip(env *environments.Environment) { env.Programs = s.programs }
