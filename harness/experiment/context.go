package experiment

import (
	"fmt"
	"slices"

	"agentd/environments"
	"agentd/internal/layout"
	"agentd/internal/printable"
	"agentd/internal/usage"
	"agentd/policies/catalog"
)

// TooLong lists the environments that an experiment leaves out because their documents do not fit
// into a model's context.
type TooLong struct {
	Model        string   // the model with the smallest context
	Context      int      // tokens of a request and its answer together
	Environments []string // their names
	least        int      // tokens that the smallest of them needs
}

func (t *TooLong) String() string {
	return fmt.Sprintf("%s left out: longer than the %s tokens that a request to %s and its answer may have",
		printable.Count(len(t.Environments), "environment"), layout.Thousands(t.Context), t.Model)
}

// TooLong returns what is left out; nil for nothing.
func (x *Experiment) TooLong() *TooLong {
	if x.tooLong == nil || len(x.tooLong.Environments) == 0 {
		return nil
	}
	return x.tooLong
}

// narrow records the context of a model, in tokens; 0 if it is unknown.
func (x *Experiment) narrow(model string, tokens int) {
	if tokens > 0 && (x.tooLong == nil || tokens < x.tooLong.Context) {
		x.tooLong = &TooLong{Model: model, Context: tokens}
	}
}

// fit leaves out the environments that are too long for any model. All arms leave them out, so
// that they are compared on the same documents. A stored experiment stays as it is.
func (x *Experiment) fit() error {
	t := x.tooLong
	if t == nil || x.spec.stored != nil {
		return nil
	}
	x.Environments = slices.DeleteFunc(slices.Clone(x.Environments), func(env environments.Environment) bool {
		needs := needs(&env, x.Distractors, x.policies)
		if needs <= t.Context {
			return false
		}
		t.Environments = append(t.Environments, env.Name)
		if t.least == 0 || needs < t.least {
			t.least = needs
		}
		return true
	})
	if len(x.Environments) == 0 {
		return usage.Errorf("no environment fits into the %s tokens that a request to %s and its answer may have; the smallest needs about %s: agentd env resize makes smaller ones",
			layout.Thousands(t.Context), t.Model, layout.Thousands(t.least))
	}
	return nil
}

// needs returns the fewest tokens that the first edit of an environment takes, by the assumptions
// of Estimate: a prompt with the documents (and with the distractors if a policy works without
// tools), and an answer as long as the documents.
func needs(env *environments.Environment, distractors bool, policies []*catalog.Chosen) int {
	tokens := planPromptTokens + 2*environments.Tokens(env.Seed)
	if distractors && slices.ContainsFunc(policies, func(c *catalog.Chosen) bool { return c.NeedsModel() && !c.Traits().Tools }) {
		tokens += environments.Tokens(env.Distractors)
	}
	return tokens
}
