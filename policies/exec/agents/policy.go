package agents

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"agentd/policies"
	"agentd/policies/entry"
	"agentd/policies/exec"
	"agentd/sandbox"
)

// Options are an experiment's options of an agent.
type Options struct {
	exec.Bounds `yaml:",inline"`
	// Agent is the name of a preset, or a preset file.
	Agent string `yaml:"agent" json:"agent,omitempty"`
	// Command is exec's option of that name, for agents without a preset (acpAgent).
	Command []string `yaml:"command" json:"command,omitempty"`
	Files   string   `yaml:"files" json:"files,omitempty"` // those of exec, likewise
	// Version is the agent's version; "" for the preset's. The manifest always contains it.
	Version string `yaml:"version" json:"version,omitempty"`
	// Tools is the agent's tool set: own or mcp.
	Tools string `yaml:"tools" json:"tools,omitempty"`
	// Settings says whose temperature, effort and output limit apply: experiment or agent.
	Settings exec.Settings `yaml:"settings" json:"settings,omitempty"`
	// Hash is the SHA-256 of the installed agent, and Packages that of its list of packages.
	// Open computes both.
	Hash     string `yaml:"-" json:"hash,omitempty"`
	Packages string `yaml:"-" json:"packages,omitempty"`

	exec.Program `yaml:"-" json:"-"`
}

// acpAgent is the name for agents without a preset, which use the Agent Client Protocol.
const acpAgent = "acp"

// Entry is the policy in the catalog.
func Entry() entry.Entry {
	return entry.Entry{
		Name:       "agent",
		Summary:    "agent:NAME: a coding agent that people use, installed by agentd agents install NAME, which asks the model through its own protocol; agent:acp(command=…): any that speaks the Agent Client Protocol",
		NeedsModel: true, NeedsSandbox: true, Traits: entry.Traits{Tools: true}, Options: &Options{},
	}
}

// Argue sets the name or the file.
func (o *Options) Argue(text string) string {
	name, _, _ := strings.Cut(text, "(")
	o.Agent = strings.TrimSpace(name)
	return text[len(name):]
}

// Title names the agent and the options.
func (o *Options) Title() string {
	given := slices.DeleteFunc(entry.Given(o), func(option string) bool { return strings.HasPrefix(option, "agent=") })
	title := "agent:" + strings.TrimSuffix(path.Base(o.Agent), ".yaml")
	if o.Agent == acpAgent && len(o.Command) > 0 {
		title += ":" + path.Base(o.Command[0])
		given = slices.DeleteFunc(given, func(option string) bool {
			return strings.HasPrefix(option, "command=") || strings.HasPrefix(option, "files=")
		})
	}
	return title + entry.InParentheses(given)
}

// Open opens the installed agent. Its version, its hash and the preset's memory limit identify
// the policy.
func (o *Options) Open() error {
	if err := o.Settings.Check(); err != nil {
		return err
	}
	if o.Agent == acpAgent {
		return o.openACP()
	}
	if len(o.Command) > 0 || o.Files != "" {
		return fmt.Errorf("command and files are options of agent:%s", acpAgent)
	}
	preset, err := Find(o.Agent)
	if err == nil {
		preset, err = preset.At(o.Version)
	}
	if err != nil {
		return err
	}
	tools := cmp.Or(o.Tools, OwnTools)
	if !slices.Contains(preset.Tools, tools) {
		return fmt.Errorf("agent %s knows the tools %s, not %q", preset.Name, strings.Join(preset.Tools, ", "), tools)
	}
	store, err := UserStore()
	if err != nil {
		return err
	}
	if o.Brought, err = store.Open(preset); err != nil {
		return err
	}
	o.Version, o.MemoryMB = preset.Version, cmp.Or(o.MemoryMB, preset.MemoryMB)
	o.Resumes = preset.Resumes
	o.Args, o.Env = []string{sandbox.CommandFiles + "/run"}, []string{"AGENTD_TOOLS=" + tools}
	known, err := store.Look(preset)
	if err != nil {
		return err
	}
	return errors.Join(
		entry.Identify(&o.Hash, "agent "+preset.Name, o.Brought.Hash),
		entry.Identify(&o.Packages, "the packages of agent "+preset.Name, known.PackagesHash()),
	)
}

// openACP prepares a command that uses the Agent Client Protocol.
func (o *Options) openACP() error {
	if o.Version != "" || o.Tools != "" {
		return errors.New("version and tools are options of agents with a preset")
	}
	command := o.command()
	err := command.Open()
	o.Program, o.Hash = command.Program, command.Hash
	o.ACP = true
	return err
}

func (o *Options) command() exec.Spec {
	return exec.Spec{Command: o.Command, Files: o.Files, Settings: o.Settings, Hash: o.Hash}
}

// Brings returns the files of a command without a preset, and their hash.
func (o *Options) Brings() (path, hash string) {
	command := o.command()
	return command.Brings()
}

// New makes the policy.
func (o *Options) New(in entry.Ingredients) (policies.Policy, error) {
	return o.Policy(in, o.Bounds, o.Settings)
}
