package experiment

import (
	"context"

	"agentd/domains"
	domaincatalog "agentd/domains/catalog"
	"agentd/environments"
	"agentd/harness/programs"
)

// Scoring scores documents that are not part of a run. Documents that are programs run in a
// sandbox, which the first of them opens. It must be closed.
type Scoring struct {
	// Find finds a domain by its name.
	Find func(name string) (domains.Domain, bool)

	programs *programs.Programs
}

// Scoring returns a Scoring whose programs run in this sandbox.
func (s Sandbox) Scoring(ctx context.Context) *Scoring {
	runs := s.Programs(ctx)
	return &Scoring{Find: domaincatalog.Running(runs), programs: runs}
}

// Close closes the sandbox, if it was opened.
func (s *Scoring) Close() error { return s.programs.Close() }

// Steps returns the steps of all environments of a data set.
func (s *Scoring) Steps(source Environments) *Steps { return NewSteps(source, s.programs, s.Find) }

// StepsOf returns the steps of the environments that read returns, with their present edits.
func (s *Scoring) StepsOf(read func() ([]environments.Environment, error)) *Steps {
	return StepsOf(read, s.programs, s.Find)
}

// Equip sets the environment's Programs, which run its exact programs.
func (s *Scoring) Equip(env *environments.Environment) { env.Programs = s.programs }
