// Package catalog lists the policies there are, and makes them of what an
// experiment says of them.
package catalog

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"

	"agentd/internal/datafile"
	"agentd/models"
	"agentd/policies"
	"agentd/policies/agentic"
	"agentd/policies/direct"
	"agentd/policies/editor"
	"agentd/policies/exec"
	"agentd/policies/exec/agents"
	"agentd/policies/noop"
	"agentd/policies/oracle"
	"agentd/policies/programmatic"
	"agentd/policies/prompt"
	"agentd/policies/prompt/published"
	"agentd/policies/replay"
	"agentd/policies/verify"
	"agentd/sandbox"
	"agentd/sandbox/bundle"
)

// UnknownError says that a policy is not in the catalog.
type UnknownError struct{ Name string }

func (e UnknownError) Error() string { return fmt.Sprintf("unknown policy %q", e.Name) }

// Ingredients are what policies are made of. A policy that needs no model
// ignores Model and Price.
type Ingredients struct {
	Protocol policies.Protocol
	// FaultsCount says that what a failed request leaves is judged as any other result.
	FaultsCount bool
	Model       models.Model
	Served      string         // what the server calls the model
	Price       *models.Price  // nil if unknown
	Limits      agentic.Limits // where a Spec has none of its own
	Prompts     *prompt.Source
	// Release is where the published prompts are, for a Spec that asks for them.
	Release published.Release
}

// loop is the loop of tool calls that the ingredients make, without its tools.
func (in Ingredients) loop(limits agentic.Limits) agentic.Loop {
	l := agentic.Loop{Model: in.Model, Price: in.Price, Limits: limits}
	if in.Protocol == policies.Published {
		l.Terms = agentic.PublishedTerms(in.FaultsCount)
	}
	return l
}

// Entry is one policy that an experiment can name.
type Entry struct {
	Name         string
	Summary      string
	NeedsModel   bool
	NeedsSandbox bool
	Options      []string // of Spec, as experiment files call them
	prompts      []string // files of them, under either protocol
	make         func(*Chosen, Ingredients) (policies.Policy, error)
}

// loopOptions are those of a policy that is a loop of tool calls.
var loopOptions = []string{"max_turns", "max_tokens", "prompts"}

// All returns every policy, in name order.
func All() []Entry {
	return []Entry{
		{"agent", "agent:NAME: a coding agent that people use, installed by agentd agents install NAME, with the model behind its own protocol", true, true,
			[]string{"agent", "version", "tools", "settings", "wall_time", "memory_mb", "max_turns", "max_tokens", "max_usd"}, nil, makeAgent},
		{"agentic", "a loop of tool calls: read_file, write_file, delete_file, run_python, finish", true, true, loopOptions,
			union(agentic.Published().PromptFiles(), agentic.Clean().PromptFiles()),
			func(c *Chosen, in Ingredients) (policies.Policy, error) {
				return agentic.New(agentic.Of(in.Protocol), in.loop(c.limits(in)), in.Prompts)
			}},
		{"direct", "one prompt with all files, one answer with the files to produce, no tools", true, false, []string{"prompts"}, direct.PromptFiles(),
			func(_ *Chosen, in Ingredients) (policies.Policy, error) {
				return direct.New(in.Model, in.Served, in.Price, in.Protocol, in.Prompts)
			}},
		loop(editor.Kind(), "the same loop with the tools of an editor: view, grep, diff, str_replace, insert, copy, rename and more"),
		{"exec", "exec:COMMAND or exec:FOLDER: any program, with the model behind OPENAI_BASE_URL and the tools behind MCP", true, true,
			[]string{"command", "files", "settings", "wall_time", "memory_mb", "max_turns", "max_tokens", "max_usd"}, nil, makeExec},
		{"noop", "returns the files untouched; needs no model", false, false, nil, nil,
			func(*Chosen, Ingredients) (policies.Policy, error) { return noop.Policy{}, nil }},
		{"oracle", "carries every edit out exactly; needs no model", false, false, nil, nil,
			func(*Chosen, Ingredients) (policies.Policy, error) { return oracle.Policy{}, nil }},
		loop(programmatic.Kind(), "the same loop with run_python and finish alone"),
		{"replay", "replay:FILE: the tool calls of a stored experiment again, as agentd export --contents wrote them; needs no model", false, true,
			[]string{"calls", "arm"}, nil, func(c *Chosen, _ Ingredients) (policies.Policy, error) {
				return replay.Policy{Recording: c.recording}, nil
			}},
		{"verify", "verify(POLICY): any other policy, then a second look at what it changed, with tools to correct it", true, true, loopOptions,
			verify.PromptFiles(), makeVerify},
	}
}

// loop is the entry of a loop of tool calls.
func loop(kind agentic.Kind, summary string) Entry {
	return Entry{kind.Name, summary, true, true, loopOptions, kind.PromptFiles(),
		func(c *Chosen, in Ingredients) (policies.Policy, error) {
			return agentic.New(kind, in.loop(c.limits(in)), in.Prompts)
		}}
}

func union(a, b []string) []string {
	both := slices.Concat(a, b)
	slices.Sort(both)
	return slices.Compact(both)
}

// PromptFiles names the prompts of all policies, as POLICY/FILE, under either protocol.
func PromptFiles() []string {
	var names []string
	for _, e := range All() {
		for _, file := range e.prompts {
			names = append(names, e.Name+"/"+file)
		}
	}
	return names
}

// makeExec makes a policy of a command and what it brings along.
func makeExec(c *Chosen, in Ingredients) (policies.Policy, error) {
	limits, all := exec.DefaultLimits(), c.limits(in)
	if c.WallTime > 0 {
		limits.WallTime = c.WallTime
	}
	if c.MemoryMB > 0 {
		limits.MemoryBytes = c.MemoryMB << 20
	}
	return exec.New(in.Model, in.Price, exec.Options{
		Name: c.Title(), Command: c.command, Folder: c.files.Path(), Env: c.env, Limits: limits, OwnSettings: c.Settings == SettingsOfAgent,
		Turns: all.Turns, Tokens: all.Tokens, USD: c.MaxUSD,
	})
}

// makeAgent makes the policy of an installed agent.
func makeAgent(c *Chosen, in Ingredients) (policies.Policy, error) {
	if c.MemoryMB == 0 {
		c.MemoryMB = c.preset.MemoryMB
	}
	return makeExec(c, in)
}

// makeVerify makes the policy that works first, too. The second look has its tools
// if it is a loop, else those of agentic.
func makeVerify(c *Chosen, in Ingredients) (policies.Policy, error) {
	first, err := c.first.New(in)
	if err != nil {
		return nil, err
	}
	look := in.loop(c.limits(in))
	look.Tools = agentic.Clean().Tools
	for _, kind := range []agentic.Kind{agentic.Of(in.Protocol), editor.Kind(), programmatic.Kind()} {
		if kind.Name == c.first.Use {
			look.Tools, look.Published = kind.Tools, kind.Published
		}
	}
	return verify.New(first, look, in.Prompts)
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

func (e Entry) takes(option string) bool { return slices.Contains(e.Options, option) }

// Plain reports whether a name is all that the policy needs.
func (e Entry) Plain() bool {
	return e.Name != "verify" && e.Name != "agent" && e.Name != "exec" && e.Name != "replay"
}

// listed names the options, for messages.
func (e Entry) listed() string {
	if len(e.Options) == 0 {
		return "none"
	}
	return strings.Join(e.Options, ", ")
}

// Chosen is a policy that an experiment names, checked and ready to be made with
// each of its models.
type Chosen struct {
	Spec
	entry Entry
	first *Chosen // of verify

	// Of exec: what it brings along, nil if nothing, and its command as it is called
	// in the sandbox.
	files   *bundle.Bundle
	command []string
	env     []string

	preset agents.Preset // of agent

	recording *replay.Recording // of replay
}

// Choose checks a spec and gets ready what it names; Close lets go of that. The
// error is an UnknownError if there is no such policy.
func Choose(spec Spec) (*Chosen, error) {
	entry, ok := Lookup(spec.Use)
	if !ok {
		return nil, UnknownError{spec.Use}
	}
	if err := spec.check(entry); err != nil {
		return nil, err
	}
	c := &Chosen{Spec: spec, entry: entry}
	if err := c.checkPrompts(); err != nil {
		return nil, err
	}
	if spec.Of != nil {
		var err error
		if c.first, err = Choose(*spec.Of); err != nil {
			return nil, err
		}
		c.Of = &c.first.Spec
	}
	prepare := map[string]func() error{"agent": c.openAgent, "exec": c.bring, "replay": c.record}[entry.Name]
	if prepare == nil {
		return c, nil
	}
	if err := prepare(); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// checkPrompts refuses prompts that the policy could not use.
func (c *Chosen) checkPrompts() error {
	if c.Prompts == "" {
		return nil
	}
	if _, ok := published.Named(c.Prompts); !ok {
		return prompt.CheckFolder(c.Prompts, c.entry.prompts)
	}
	if !slices.Contains(published.Policies(), c.Use) {
		return fmt.Errorf("policy %s has no published prompts; only %s have some", c.Use, strings.Join(published.Policies(), " and "))
	}
	return nil
}

// replacements are the policy's own prompts, nil for none.
func (c *Chosen) replacements(in Ingredients) (prompt.Replacements, error) {
	if c.Prompts == "" {
		return nil, nil
	}
	if dir, ok := published.Named(c.Prompts); ok {
		return in.Release.Replacements(dir, in.Protocol)
	}
	return prompt.FolderOf(c.Prompts), nil
}

// mostCallsBytes is what a file of recorded calls may have.
const mostCallsBytes = 256 << 20

// record reads the calls that are to be repeated.
func (c *Chosen) record() error {
	text, err := datafile.Read(c.Calls, mostCallsBytes)
	if err != nil {
		return fmt.Errorf("policy %s: %w", c.Title(), err)
	}
	sum := sha256.Sum256(text)
	if err := c.identify(c.Calls, hex.EncodeToString(sum[:])); err != nil {
		return err
	}
	if c.recording, err = replay.Read(text, c.Arm); err != nil {
		return fmt.Errorf("policy %s: %s: %w", c.Title(), c.Calls, err)
	}
	return nil
}

// identify notes the hash of what a path names here. It must be what it was when
// the experiment began.
func (c *Chosen) identify(path, hash string) error {
	if c.Hash != "" && c.Hash != hash {
		return fmt.Errorf("policy %s: %s is not what the experiment was begun with (hash %.12s, here %.12s)", c.Title(), path, c.Hash, hash)
	}
	c.Hash = hash
	return nil
}

// bring copies what a command brings along, and finds the command in it. A command
// with a slash in its name is a file of ours, or a folder, which means the program
// named run in it; without one it is a program of the system.
func (c *Chosen) bring() error {
	if len(c.Command) == 0 {
		return errors.New("policy exec needs a command, such as exec:examples/python")
	}
	c.command = slices.Clone(c.Command)
	from, program := c.Files, c.Command[0]
	if from == "" && strings.Contains(program, "/") && !inSandbox(program) {
		from = program
	}
	if from == "" {
		return nil
	}
	info, err := os.Stat(from)
	if err != nil {
		return fmt.Errorf("policy %s: what it brings along: %w", c.Title(), err)
	}
	if c.files, err = bundle.Open(from); err != nil {
		return fmt.Errorf("policy %s: %w", c.Title(), err)
	}
	if err := c.identify(from, c.files.Hash); err != nil {
		return err
	}
	switch {
	case from != c.Command[0]:
	case info.IsDir():
		c.command[0] = sandbox.CommandFiles + "/run"
	default:
		c.command[0] = sandbox.CommandFiles + "/" + path.Base(from)
	}
	return nil
}

// openAgent gets an installed agent ready. Its version and hash identify the policy.
func (c *Chosen) openAgent() error {
	c.Name = c.Title() // before the version is filled in
	preset, err := agents.Find(c.Agent)
	if err == nil {
		preset, err = preset.At(c.Version)
	}
	if err != nil {
		return err
	}
	tools := cmp.Or(c.Tools, agents.OwnTools)
	if !slices.Contains(preset.Tools, tools) {
		return fmt.Errorf("policy %s: agent %s knows the tools %s, not %q", c.Title(), preset.Name, strings.Join(preset.Tools, ", "), tools)
	}
	store, err := agents.UserStore()
	if err != nil {
		return err
	}
	if c.files, err = store.Open(preset); err != nil {
		return err
	}
	c.preset, c.Version = preset, preset.Version
	c.command, c.env = []string{sandbox.CommandFiles + "/run"}, []string{"AGENTD_TOOLS=" + tools}
	return c.identify("agent "+preset.Name, c.files.Hash)
}

// inSandbox reports whether sandboxes have a program anyhow.
func inSandbox(program string) bool {
	for _, dir := range []string{"/usr/", "/bin/", sandbox.CommandFiles + "/"} {
		if strings.HasPrefix(program, dir) {
			return true
		}
	}
	return false
}

// FindCommand looks for the program of an exec policy, or of the one that verify looks
// over, in a sandbox. Errors are those of exec.Find.
func (c *Chosen) FindCommand(ctx context.Context, backend sandbox.Backend) error {
	switch {
	case c.first != nil:
		return c.first.FindCommand(ctx, backend)
	case len(c.command) == 0 || strings.Contains(c.command[0], "{{"): // a task says which
		return nil
	}
	return exec.Find(ctx, backend, c.command[0], c.files.Path())
}

// Close lets go of what Choose has got ready.
func (c *Chosen) Close() error {
	err := c.files.Close()
	if c.first != nil {
		err = errors.Join(err, c.first.Close())
	}
	return err
}

// NeedsModel reports whether the policy asks a model.
func (c *Chosen) NeedsModel() bool { return c.entry.NeedsModel }

// NeedsSandbox reports whether the policy, or the one that it looks over, runs
// anything.
func (c *Chosen) NeedsSandbox() bool {
	return c.entry.NeedsSandbox || c.first != nil && c.first.NeedsSandbox()
}

// New makes the policy. Its name is the spec's title.
func (c *Chosen) New(in Ingredients) (policies.Policy, error) {
	name := c.Title()
	if name == c.Use {
		name = ""
	}
	own, err := c.replacements(in)
	if err != nil {
		return nil, fmt.Errorf("policy %s: %w", c.Title(), err)
	}
	in.Prompts = in.Prompts.For(name, own)
	made, err := c.entry.make(c, in)
	if err != nil {
		return nil, err
	}
	return named{made, c.Title()}, nil
}

// Manifest returns what identifies the policy: its name in tables and, where that
// is not the policy's own, its spec as JSON.
func (c *Chosen) Manifest() (name string, spec json.RawMessage) {
	name = c.Title()
	if name == c.Use {
		return name, nil
	}
	full := c.Spec
	full.Name = name // it may be made of what the JSON leaves out
	raw, err := json.Marshal(full)
	if err != nil {
		panic(err) // texts and numbers always marshal
	}
	return name, raw
}

// FromManifest is the spec that Manifest returned for a name.
func FromManifest(name string, raw json.RawMessage) (Spec, error) {
	spec := Spec{Use: name}
	if raw == nil {
		return spec, nil
	}
	spec = Spec{}
	if err := json.Unmarshal(raw, &spec); err != nil {
		return spec, fmt.Errorf("reading policy %s: %w", name, err)
	}
	return spec, nil
}

// named is a policy under the name that an experiment gives it.
type named struct {
	policies.Policy
	name string
}

func (n named) Name() string { return n.name }

// limits are the spec's where it has them.
func (c *Chosen) limits(in Ingredients) agentic.Limits {
	l := in.Limits
	if c.MaxTurns > 0 {
		l.Turns = c.MaxTurns
	}
	if c.MaxTokens > 0 {
		l.Tokens = c.MaxTokens
	}
	return l
}
