// Package catalog lists the policies there are.
package catalog

import (
	"agentd/models"
	"agentd/policies"
	"agentd/policies/agentic"
	"agentd/policies/direct"
	"agentd/policies/noop"
	"agentd/policies/oracle"
	"agentd/policies/prompt"
)

// Ingredients are what policies are made of. A policy that needs no model
// ignores Model and Price.
type Ingredients struct {
	Model   models.Model
	Price   *models.Price // nil if unknown
	Limits  agentic.Limits
	Prompts *prompt.Source
}

// Entry is one policy that an experiment can name.
type Entry struct {
	Name       string
	Summary    string
	NeedsModel bool
	New        func(Ingredients) (policies.Policy, error)
}

// All returns every policy, in name order.
func All() []Entry {
	return []Entry{
		{"agentic", "a loop of tool calls: read_file, write_file, delete_file, run_python, finish", true,
			func(i Ingredients) (policies.Policy, error) {
				return agentic.New(i.Model, i.Price, i.Limits, i.Prompts)
			}},
		{"direct", "one prompt with all files, one answer with the files to produce, no tools", true,
			func(i Ingredients) (policies.Policy, error) { return direct.New(i.Model, i.Price, i.Prompts) }},
		{"noop", "returns the files untouched; needs no model", false,
			func(Ingredients) (policies.Policy, error) { return noop.Policy{}, nil }},
		{"oracle", "carries every edit out exactly; needs no model", false,
			func(Ingredients) (policies.Policy, error) { return oracle.Policy{}, nil }},
	}
}

// Lookup returns the named policy; false if there is none.
func Lookup(name string) (Entry, bool) {
	for _, e := range All() {
		if e.Name == name {
			return e, true
		}
	}
	return Entry{}, false
}
