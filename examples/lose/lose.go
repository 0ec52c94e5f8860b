// Package lose is a policy with an option, as docs/policies.md tells it: nothing is done,
// and lines get lost.
package lose

import (
	"cmp"
	"context"
	"strings"

	"agentd/policies"
	"agentd/policies/entry"
)

// Entry is the policy in the catalog.
func Entry() entry.Entry {
	return entry.Entry{Name: "lose", Summary: "loses lines of the documents; needs no model", Options: &Options{}}
}

// Options are what an experiment can say of the policy.
type Options struct {
	Every int `yaml:"every" json:"every,omitempty"` // how many lines there are to one that is lost; 10 if left out
}

// New makes the policy.
func (o *Options) New(entry.Ingredients) (policies.Policy, error) {
	return Policy{cmp.Or(o.Every, 10)}, nil
}

// Policy loses one of so many lines.
type Policy struct{ every int }

// Name implements policies.Policy.
func (Policy) Name() string { return "lose" }

// Edit writes the documents again without the lines that are lost.
func (p Policy) Edit(_ context.Context, task *policies.Task) error {
	documents, err := task.Workspace.Documents()
	if err != nil {
		return err
	}
	for name, text := range documents {
		number, kept := 0, strings.Builder{}
		for line := range strings.Lines(text) {
			if number++; number%p.every != 0 {
				kept.WriteString(line)
			}
		}
		documents[name] = kept.String()
	}
	task.Trace.Ending = policies.Finished
	return task.Workspace.ReplaceDocuments(documents)
}
