package exec

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"agentd/policies"
	"agentd/policies/entry"
	"agentd/sandbox"
	"agentd/sandbox/bundle"
)

// Spec is an experiment's description of a command.
type Spec struct {
	Bounds `yaml:",inline"`
	// Command is a program with its arguments, which may be templates.
	Command []string `yaml:"command" json:"command,omitempty"`
	// Files is a folder or file of this machine that the command needs.
	Files string `yaml:"files" json:"files,omitempty"`
	// Settings says whose temperature, effort and output limit apply: experiment or agent.
	Settings Settings `yaml:"settings" json:"settings,omitempty"`
	// Resumes says that the command can continue a conversation (Program.Resumes).
	Resumes bool `yaml:"resumes" json:"resumes,omitempty"`
	// Hash is the SHA-256 of the files named by Files, or else by Command. Open computes it.
	Hash string `yaml:"-" json:"hash,omitempty"`

	Program `yaml:"-" json:"-"`
}

// Bounds are the limits of a command in an interaction. Zero means the experiment's limit, or
// that of DefaultLimits.
type Bounds struct {
	policies.Limits `yaml:",inline"`
	MaxUSD          float64       `yaml:"max_usd" json:"max_usd,omitempty"`     // what all turns cost
	WallTime        time.Duration `yaml:"wall_time" json:"wall_time,omitempty"` // how long the command may run
	MemoryMB        int64         `yaml:"memory_mb" json:"memory_mb,omitempty"` // memory of the command, in MiB
}

// Settings says whose temperature, effort and output limit apply to a command's requests; ""
// for the experiment's.
type Settings string

// The values of Settings.
const (
	SettingsOfExperiment Settings = "experiment"
	SettingsOfAgent      Settings = "agent"
)

// Check returns an error for any other value.
func (s Settings) Check() error {
	if s != "" && s != SettingsOfExperiment && s != SettingsOfAgent {
		return fmt.Errorf("settings: %q is neither %s nor %s", s, SettingsOfExperiment, SettingsOfAgent)
	}
	return nil
}

// Entry is the policy in the catalog.
func Entry() entry.Entry {
	return entry.Entry{
		Name: "exec", Summary: "exec:COMMAND or exec:FOLDER: any program, which asks the model at OPENAI_BASE_URL and gets the tools by MCP",
		NeedsModel: true, NeedsSandbox: true, Traits: entry.Traits{Tools: true}, Options: &Spec{},
	}
}

// Argue sets the command.
func (s *Spec) Argue(text string) string {
	s.Command = strings.Fields(text)
	return ""
}

// Title returns the policy's name with the program.
func (s *Spec) Title() string {
	if len(s.Command) == 0 {
		return "exec"
	}
	return "exec:" + path.Base(s.Command[0])
}

// Open copies the command's files and locates the command. A command with a slash in its name
// is a file of this machine, or a folder that contains the program run. A command without a
// slash is a program of the system.
func (s *Spec) Open() error {
	if err := s.Settings.Check(); err != nil {
		return err
	}
	if len(s.Command) == 0 {
		return errors.New("it needs a command, such as exec:examples/python")
	}
	s.Args, s.Program.Resumes = slices.Clone(s.Command), s.Resumes
	from, program := s.from(), s.Command[0]
	if from == "" {
		return nil
	}
	info, err := os.Stat(from)
	if err != nil {
		return fmt.Errorf("what it brings along: %w", err)
	}
	if s.Brought, err = bundle.Open(from); err != nil {
		return err
	}
	switch {
	case from != program:
	case info.IsDir():
		s.Args[0] = sandbox.CommandFiles + "/run"
	default:
		s.Args[0] = sandbox.CommandFiles + "/" + path.Base(from)
	}
	return entry.Identify(&s.Hash, from, s.Brought.Hash)
}

// from returns the file or folder of this machine that the command needs; "" for none.
func (s *Spec) from() string {
	if s.Files == "" && len(s.Command) > 0 && strings.Contains(s.Command[0], "/") && !slices.ContainsFunc(everywhere, func(dir string) bool { return strings.HasPrefix(s.Command[0], dir) }) {
		return s.Command[0]
	}
	return s.Files
}

// Brings returns the command's files and their hash.
func (s *Spec) Brings() (path, hash string) { return s.from(), s.Hash }

// everywhere are the folders that every sandbox has.
var everywhere = []string{"/usr/", "/bin/", sandbox.CommandFiles + "/"}

// New makes the policy.
func (s *Spec) New(in entry.Ingredients) (policies.Policy, error) {
	return s.Policy(in, s.Bounds, s.Settings)
}

// Program is a command that is ready to run.
type Program struct {
	Args    []string       // as it is called in the sandbox; they may be templates
	Env     []string       // additional environment variables, as NAME=value
	Brought *bundle.Bundle // nil for none
	// ACP says that the command is an agent of the Agent Client Protocol, which agentd controls
	// through its standard input and output.
	ACP bool
	// Resumes says that the command can continue a conversation, with data stored at
	// AGENTD_SESSION_URL between runs.
	Resumes bool
}

// Converses reports whether the command supports several requests in one conversation.
func (p *Program) Converses() bool { return p.Resumes }

// Close releases the command's files.
func (p *Program) Close() error { return p.Brought.Close() }

// Policy returns a policy that runs the command.
func (p *Program) Policy(in entry.Ingredients, bounds Bounds, settings Settings) (policies.Policy, error) {
	limits, turns := DefaultLimits(), bounds.Limits.Or(in.Limits)
	limits.WallTime = cmp.Or(bounds.WallTime, limits.WallTime)
	limits.MemoryBytes = cmp.Or(bounds.MemoryMB<<20, limits.MemoryBytes)
	return New(in.Model, in.Price, Options{
		Name: "exec", Program: *p, Limits: limits, OwnSettings: settings == SettingsOfAgent, Dialogue: in.Dialogue,
		Turns: turns.Turns, Tokens: turns.Tokens, USD: bounds.MaxUSD,
	})
}
