package harness

import (
	"fmt"
	"slices"

	"agentd/environments"
	"agentd/harness/grade"
	"agentd/results"
)

// askedKey identifies an edit in one direction.
type askedKey struct {
	environment, edit string
	direction         results.Direction
}

// asked is an edit that can be graded, or the reason why it cannot.
type asked struct {
	*grade.Asked
	err error
}

// Asked is grade.Ask for an environment and an edit, given by name. It keeps the most recently
// used results.
func (w *Worker) Asked(environment, edit string, direction results.Direction) (*grade.Asked, error) {
	at := slices.IndexFunc(w.Environments, func(e environments.Environment) bool { return e.Name == environment })
	if at < 0 {
		return nil, fmt.Errorf("there is no environment %s", environment)
	}
	env := &w.Environments[at]
	d, ok := env.Scoring(w.Domain)
	if !ok {
		return nil, fmt.Errorf("%s cannot be scored", environment)
	}
	named, err := env.EditNamed(edit)
	if err != nil {
		return nil, err
	}
	a := w.asked.of(askedKey{environment, edit, direction}, func() asked {
		a, err := grade.Ask(env, d, named, direction)
		return asked{a, err}
	})
	return a.Asked, a.err
}
