// Package programmatic is the agentic loop with scripts alone: what is read or
// written, a program of the model's does it.
package programmatic

import (
	"embed"

	"agentd/policies"
	"agentd/policies/agentic"
	"agentd/policies/entry"
	"agentd/tools"
)

//go:embed *.md
var prompts embed.FS

// Kind is the loop with run_python and finish.
func Kind() agentic.Kind {
	return agentic.Kind{Name: "programmatic", Tools: tools.Programmatic(), Prompts: prompts}
}

// Entry is the policy in the catalog.
func Entry() entry.Entry {
	return agentic.EntryOf(func(policies.Protocol) agentic.Kind { return Kind() },
		"the same loop with run_python and finish alone")
}
