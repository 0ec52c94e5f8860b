// Package editor is the agentic loop with the tools of an editor: parts of files
// are shown, searched and replaced, and files are copied and renamed, so that no
// part of a document is written again that stays as it is.
package editor

import (
	"embed"

	"agentd/policies"
	"agentd/policies/agentic"
	"agentd/policies/entry"
	"agentd/tools"
)

//go:embed *.md
var prompts embed.FS

// Kind is the loop with the tools of an editor.
func Kind() agentic.Kind {
	return agentic.Kind{Name: "editor", Tools: tools.Editor(), Prompts: prompts}
}

// Entry is the policy in the catalog.
func Entry() entry.Entry {
	return agentic.EntryOf(func(policies.Protocol) agentic.Kind { return Kind() },
		"the same loop with the tools of an editor: view, grep, diff, str_replace, insert, copy, rename and more")
}
