// Package entry defines what the catalog knows of a policy. Each policy's folder has a function
// Entry, and policies/catalog lists the results.
package entry

import (
	"context"
	"fmt"

	"agentd/models"
	"agentd/policies"
	"agentd/policies/prompt"
	"agentd/policies/prompt/published"
	"agentd/sandbox"
)

// Entry is one policy that an experiment can name.
type Entry struct {
	Name         string
	Summary      string
	NeedsModel   bool
	NeedsSandbox bool
	// Over says that the policy takes an inner policy, as in verify(POLICY).
	Over bool
	// Converses says that the policy supports several requests in one conversation.
	Converses bool
	// ShowsFiles says that the policy's prompts contain the files' contents.
	ShowsFiles bool
	// Prompts names the policy's prompt files, under any protocol. A policy with prompts has
	// the option prompts, which replaces them.
	Prompts []string
	Traits
	// Options are the policy's own options, all zero.
	Options Options
}

// Traits are what tables and estimates need to know of a policy, whatever an experiment calls
// it.
type Traits struct {
	// Tools says that the policy, or the program that it runs, changes files with tools.
	Tools bool
	// Baseline says that other policies of the same model are compared with this one.
	Baseline bool
	// PublishedLoop says that the policy is the published loop of tool calls, with which other
	// harnesses of the same model are compared.
	PublishedLoop bool
}

// Options are a policy's options, and create it. They are a pointer to a struct. Each field
// with a yaml tag is an option of that name, and zero if it was not given. The json tag, with
// omitempty, is its name in the manifest. A struct may embed others as `yaml:",inline"`.
// Options may also implement Argued, Opener, io.Closer and Finder.
type Options interface {
	// New creates the policy for one model.
	New(in Ingredients) (policies.Policy, error)
}

// Argued is implemented by options of policies with an argument, such as exec:COMMAND.
type Argued interface {
	Options
	// Argue sets the argument, which is the text after the colon. It returns the part that
	// contains options in parentheses.
	Argue(text string) (rest string)
	// Title returns the policy's name in tables.
	Title() string
}

// Opener is implemented by options that name files. Open checks the options and opens the
// files. If the options are an io.Closer, Close releases the files, also after an error of
// Open.
type Opener interface{ Open() error }

// Finder is implemented by options of policies that run a command. FindCommand looks for its
// program in a sandbox. Errors are those of exec.Find.
type Finder interface {
	FindCommand(ctx context.Context, backend sandbox.Backend) error
}

// Converser is implemented by options that decide whether the policy supports several requests
// in one conversation.
type Converser interface{ Converses() bool }

// Ingredients are what New needs to create a policy. A policy without a model ignores Model and
// Price.
type Ingredients struct {
	Protocol policies.Protocol
	// FaultsCount says that the files left by a failed request are scored like any other
	// result.
	FaultsCount bool
	Model       models.Model
	Served      string          // what the server calls the model
	Price       *models.Price   // nil if unknown
	Limits      policies.Limits // for policies without limits in their options
	Dialogue    policies.Dialogue
	Prompts     *prompt.Source
	// Release locates the published prompts, for a policy that uses them.
	Release published.Release
	First   policies.Policy // the inner policy, for a policy with Over
}

// Plain reports whether the policy can be named without an argument or inner policy.
func (e Entry) Plain() bool {
	_, argued := e.Options.(Argued)
	return !argued && !e.Over
}

// OptionNames lists the policy's options.
func (e Entry) OptionNames() []string {
	var names []string
	for _, f := range fields(e.Options) {
		names = append(names, f.name)
	}
	if len(e.Prompts) > 0 {
		names = append(names, PromptsOption)
	}
	return names
}

// PromptsOption is the option of every policy with prompts.
const PromptsOption = "prompts"

// Identify stores the hash of what a path names. It returns an error if another hash is stored
// already, because the file has changed since the experiment began.
func Identify(noted *string, path, hash string) error {
	if *noted != "" && *noted != hash {
		return fmt.Errorf("%s is not what the experiment was begun with (hash %.12s, here %.12s)", path, *noted, hash)
	}
	*noted = hash
	return nil
}
