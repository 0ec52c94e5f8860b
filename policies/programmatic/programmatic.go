// Package programmatic is the agentic loop with scripts alone: whatever is read or
// written, a program of the model's does it.
package programmatic

import (
	"embed"

	"agentd/policies/agentic"
	"agentd/tools"
)

//go:embed *.md
var prompts embed.FS

// Kind is the loop with run_python and finish.
func Kind() agentic.Kind {
	return agentic.Kind{Name: "programmatic", Tools: tools.Programmatic(), Prompts: prompts}
}
