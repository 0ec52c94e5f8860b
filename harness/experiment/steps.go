package experiment

import (
	"cmp"
	"fmt"
	"strconv"
	"sync"

	lru "github.com/hashicorp/golang-lru/v2"

	"agentd/domains"
	"agentd/environments"
	"agentd/harness/grade"
	"agentd/internal/usage"
	"agentd/results"
	"agentd/vfs"
)

// Steps are the edits of environments, one direction each, to be graded outside of a run. They may
// be used concurrently.
type Steps struct {
	read   func() ([]environments.Environment, error)
	derive func([]environments.Environment) error
	ready  []func() error // by environment: has its edits derived, once; set by read
	find   func(name string) (domains.Domain, bool)
	asked  *lru.Cache[stepName, *grade.Asked]
}

type stepName struct {
	environment, edit string
	direction         results.Direction
}

// mostSteps is how many steps are kept ready. A step on a seed of 5,000 tokens takes about 500 kB.
const mostSteps = 256

// NewSteps returns the steps of all environments of a data set, which is read when the first is asked for. Of each, as
// many edits are derived as Derived says, when it is asked for. programs run oracles that are scripts, and documents that
// are scored by running them; find finds a domain by name.
func NewSteps(source Environments, programs domains.Programs, find func(name string) (domains.Domain, bool)) *Steps {
	s := StepsOf(source.LoadAll, programs, find)
	s.derive = source.derive
	return s
}

// StepsOf returns the steps of the environments that read makes, with the edits that they have. See NewSteps.
func StepsOf(read func() ([]environments.Environment, error), programs domains.Programs, find func(name string) (domains.Domain, bool)) *Steps {
	asked, err := lru.New[stepName, *grade.Asked](mostSteps)
	if err != nil {
		panic(err) // it fails for a size below 1 alone
	}
	s := &Steps{find: find, asked: asked, derive: func([]environments.Environment) error { return nil }}
	s.read = sync.OnceValues(func() ([]environments.Environment, error) {
		all, err := read()
		for i := range all {
			all[i].Programs = programs
			s.ready = append(s.ready, sync.OnceValue(func() error { return s.derive(all[i : i+1]) }))
		}
		return all, err
	})
	return s
}

// Environments returns all environments, which must not be changed.
func (s *Steps) Environments() ([]environments.Environment, error) {
	all, err := s.read()
	if err != nil {
		return nil, err
	}
	for _, ready := range s.ready {
		if err := ready(); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// Environment returns the environment of a name. If there is none, the error is a usage.Error.
func (s *Steps) Environment(name string) (*environments.Environment, error) {
	all, err := s.read()
	if err != nil {
		return nil, err
	}
	names := make([]string, len(all))
	for i := range all {
		if names[i] = all[i].Name; names[i] == name {
			return &all[i], s.ready[i]()
		}
	}
	return nil, usage.Unknown("environment", name, names)
}

// Asked returns what an edit asks for in a direction. edit is a name or a number from 1; an empty
// direction means forward. A usage.Error says which name is wrong, or that the edit has no exact
// program.
func (s *Steps) Asked(environment, edit string, direction results.Direction) (*grade.Asked, error) {
	direction = cmp.Or(direction, results.Forward)
	env, chosen, err := s.edit(environment, edit, direction)
	if err != nil {
		return nil, err
	}
	name := stepName{environment, chosen.Name, direction}
	if known, ok := s.asked.Get(name); ok {
		return known, nil
	}
	d, err := s.scoring(env)
	if err != nil {
		return nil, err
	}
	asked, err := grade.Ask(env, d, chosen, direction)
	if err != nil {
		return nil, usage.Wrap(fmt.Errorf("grading a step: %w", err))
	}
	s.asked.Add(name, asked)
	return asked, nil
}

// AskedOf returns what an edit asks for in the middle of a relay, where a step begins with what the step before it
// has left: of those files, the ones that were to be produced. The usage.Errors are those of Asked, and that
// the exact program refuses the files.
func (s *Steps) AskedOf(environment, edit string, direction results.Direction, left vfs.Files) (*grade.Asked, error) {
	direction = cmp.Or(direction, results.Forward)
	env, chosen, err := s.edit(environment, edit, direction)
	if err != nil {
		return nil, err
	}
	d, err := s.scoring(env)
	if err != nil {
		return nil, err
	}
	produced := env.Targets
	if direction == results.Backward {
		produced = chosen.Targets
	}
	documents := left.Match(produced).Clone()
	for name := range env.Distractors {
		delete(documents, name)
	}
	asked, err := grade.AskOf(env, d, chosen, direction, documents)
	if err != nil {
		return nil, usage.Wrap(fmt.Errorf("grading a step: %w", err))
	}
	return asked, nil
}

// edit returns an edit with its environment.
func (s *Steps) edit(environment, edit string, direction results.Direction) (*environments.Environment, environments.Edit, error) {
	if direction != results.Forward && direction != results.Backward {
		return nil, environments.Edit{}, usage.Unknown("direction", string(direction), []string{string(results.Forward), string(results.Backward)})
	}
	env, err := s.Environment(environment)
	if err != nil {
		return nil, environments.Edit{}, err
	}
	chosen, err := env.EditNamed(edit)
	return env, chosen, err
}

// scoring returns the domain of an environment.
func (s *Steps) scoring(env *environments.Environment) (domains.Domain, error) {
	d, ok := env.Scoring(s.find)
	if !ok {
		return nil, usage.Errorf("%s: no score can be had: %s", env.Name, cmp.Or(env.Unscorable(), "there is no domain "+strconv.Quote(env.Domain)))
	}
	return d, nil
}
