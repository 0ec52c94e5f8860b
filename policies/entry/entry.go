// Package entry says what the catalog knows of a policy. Each policy's folder has a
// function Entry, and policies/catalog lists what these return.
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
	// Over says that the policy works on what another one did, as verify(POLICY).
	Over bool
	// Converses says that the policy can be asked several times in one conversation.
	Converses bool
	// ShowsFiles says that the contents of files are in the policy's questions.
	ShowsFiles bool
	// Prompts names the files of the policy's prompts, under any protocol. A policy with
	// prompts has the option prompts, which replaces them.
	Prompts []string
	Traits
	// Options are the policy's own, all zero.
	Options Options
}

// Traits are what tables and estimates have to know of a policy, whatever an experiment calls it.
type Traits struct {
	// Tools says that the policy, or the program that it runs, works on the files with tools.
	Tools bool
	// Baseline says that the other policies of the same model are compared with it.
	Baseline bool
	// PublishedLoop says that it is the published loop of tool calls, with which other harnesses
	// of the same model are compared.
	PublishedLoop bool
}

// Options are what an experiment may say of a policy, and what makes it. They are a
// pointer to a struct: each field with a yaml tag is an option of that name, zero if it
// was not given. The json tag is what the manifest calls it, with omitempty. A struct may
// embed others as `yaml:",inline"`. Options may implement Argued, Opener, io.Closer and
// Finder, too.
type Options interface {
	// New makes the policy with one model.
	New(in Ingredients) (policies.Policy, error)
}

// Argued are the options of a policy that is named with an argument, as exec:COMMAND.
type Argued interface {
	Options
	// Argue takes what follows the colon, and returns what of it are options in
	// parentheses.
	Argue(text string) (rest string)
	// Title is what tables call the policy.
	Title() string
}

// Opener are options that name files. Open checks the options and gets the files ready;
// if the options are an io.Closer, Close lets go of them, also after an error of Open.
type Opener interface{ Open() error }

// Finder are the options of a policy that runs a command. FindCommand looks for its
// program in a sandbox. Errors are those of exec.Find.
type Finder interface {
	FindCommand(ctx context.Context, backend sandbox.Backend) error
}

// Converser are the options of a policy of which some can be asked several times in one
// conversation and others not.
type Converser interface{ Converses() bool }

// Ingredients are what policies are made of. A policy that needs no model ignores Model
// and Price.
type Ingredients struct {
	Protocol policies.Protocol
	// FaultsCount says that what a failed request leaves is judged as any other result.
	FaultsCount bool
	Model       models.Model
	Served      string          // what the server calls the model
	Price       *models.Price   // nil if unknown
	Limits      policies.Limits // for policies whose options have none
	Dialogue    policies.Dialogue
	Prompts     *prompt.Source
	// Release is where the published prompts are, for a policy that is to have them.
	Release published.Release
	First   policies.Policy // what a policy that is Over another works on
}

// Plain reports whether a name is all that the policy needs.
func (e Entry) Plain() bool {
	_, argued := e.Options.(Argued)
	return !argued && !e.Over
}

// OptionNames lists the options that the policy has.
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

// PromptsOption is the option of all policies that have prompts.
const PromptsOption = "prompts"

// Identify notes the hash of what a path names. It is an error if another one is noted:
// that of what the path named when the experiment began.
func Identify(noted *string, path, hash string) error {
	if *noted != "" && *noted != hash {
		return fmt.Errorf("%s is not what the experiment was begun with (hash %.12s, here %.12s)", path, *noted, hash)
	}
	*noted = hash
	return nil
}
