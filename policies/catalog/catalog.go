// Package catalog lists the policies and creates them from an experiment's specs.
package catalog

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"agentd/internal/usage"
	"agentd/policies"
	"agentd/policies/agentic"
	"agentd/policies/direct"
	"agentd/policies/editor"
	"agentd/policies/entry"
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
)

// All returns every policy, sorted by name.
func All() []entry.Entry {
	return []entry.Entry{
		agents.Entry(),
		agentic.Entry(),
		direct.Entry(),
		editor.Entry(),
		exec.Entry(),
		noop.Entry(),
		oracle.Entry(),
		programmatic.Entry(),
		replay.Entry(),
		verify.Entry(),
	}
}

// Lookup returns the named policy. The error is a usage.Error if there is none.
func Lookup(name string) (entry.Entry, error) {
	var names []string
	for _, e := range All() {
		if e.Name == name {
			return e, nil
		}
		names = append(names, e.Name)
	}
	if strings.ContainsAny(name, "*?[") {
		return entry.Entry{}, usage.Errorf("policy %q is a pattern; with options, and under another policy, name one", name)
	}
	return entry.Entry{}, usage.Unknown("policy", name, names)
}

// PromptFiles returns the prompt files of all policies under both protocols, as POLICY/FILE.
func PromptFiles() []string {
	var names []string
	for _, e := range All() {
		for _, file := range e.Prompts {
			names = append(names, e.Name+"/"+file)
		}
	}
	return names
}

// Chosen is a checked policy of an experiment, ready to be created for each model.
type Chosen struct {
	Spec
	entry entry.Entry
	first *Chosen // the inner policy, nil for none
}

// Choose checks a spec and opens the files that it names; Close releases them. The error is a
// usage.Error if there is no such policy.
func Choose(spec Spec) (*Chosen, error) {
	e, err := Lookup(spec.Use)
	if err != nil {
		return nil, err
	}
	return choose(e, spec)
}

func choose(e entry.Entry, spec Spec) (*Chosen, error) {
	c, title := &Chosen{Spec: spec, entry: e}, spec.Title()
	if c.Options == nil {
		c.Options = e.Options
	}
	c.Options = entry.Fresh(c.Options)
	err := c.check()
	if err == nil {
		err = c.open()
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("policy %s: %w", title, err), c.Close())
	}
	// The title includes the given options and prompts, which the manifest omits, but nothing
	// that Open determines.
	if c.Prompts != "" || c.Title() != title {
		c.Name = title
	}
	return c, nil
}

// check returns an error for options that do not apply to the policy.
func (c *Chosen) check() error {
	switch e := c.entry; {
	case reflect.TypeOf(c.Options) != reflect.TypeOf(e.Options):
		return fmt.Errorf("its options are %T, not %T", c.Options, e.Options)
	case c.Of != nil && !e.Over:
		return fmt.Errorf("it looks over no other; that is verify(%s)", c.Of.Use)
	case c.Of == nil && e.Over:
		return fmt.Errorf("it needs one to look over, such as %s(agentic)", e.Name)
	case c.Prompts != "" && len(e.Prompts) == 0:
		return e.Unknown(entry.PromptsOption)
	}
	if err := entry.Check(c.Options); err != nil || c.Prompts == "" {
		return err
	}
	if _, ok := published.Named(c.Prompts); !ok {
		return prompt.CheckFolder(c.Prompts, c.entry.Prompts)
	}
	if !slices.Contains(published.Policies(), c.Use) {
		return fmt.Errorf("it has no published prompts; only %s have some", strings.Join(published.Policies(), " and "))
	}
	return nil
}

func (c *Chosen) open() (err error) {
	if c.Of != nil {
		if c.first, err = Choose(*c.Of); err != nil {
			return err
		}
		c.Of = &c.first.Spec
	}
	if opener, ok := c.Options.(entry.Opener); ok {
		return opener.Open()
	}
	return nil
}

// replacements returns the policy's own prompts, nil for none.
func (c *Chosen) replacements(in entry.Ingredients) (prompt.Replacements, error) {
	if c.Prompts == "" {
		return nil, nil
	}
	if dir, ok := published.Named(c.Prompts); ok {
		return in.Release.Replacements(dir, in.Protocol)
	}
	return prompt.FolderOf(c.Prompts), nil
}

// FindCommand looks in a sandbox for the program of a policy that runs a command, or of its
// inner policy. Errors are those of exec.Find.
func (c *Chosen) FindCommand(ctx context.Context, backend sandbox.Backend) error {
	if c.first != nil {
		return c.first.FindCommand(ctx, backend)
	}
	if finder, ok := c.Options.(entry.Finder); ok {
		return finder.FindCommand(ctx, backend)
	}
	return nil
}

// Close releases what Choose has opened.
func (c *Chosen) Close() (err error) {
	if closer, ok := c.Options.(io.Closer); ok {
		err = closer.Close()
	}
	if c.first != nil {
		err = errors.Join(err, c.first.Close())
	}
	return err
}

// NeedsModel reports whether the policy asks a model.
func (c *Chosen) NeedsModel() bool { return c.entry.NeedsModel }

// NeedsSandbox reports whether the policy or its inner policy runs programs.
func (c *Chosen) NeedsSandbox() bool {
	return c.entry.NeedsSandbox || c.first != nil && c.first.NeedsSandbox()
}

// Traits returns the traits of the policy itself, not of its inner policy.
func (c *Chosen) Traits() entry.Traits { return c.entry.Traits }

// Converses reports whether the policy and its inner policy support several requests in one
// conversation.
func (c *Chosen) Converses() bool {
	able := c.entry.Converses
	if conversing, ok := c.Options.(entry.Converser); ok {
		able = conversing.Converses()
	}
	return able && (c.first == nil || c.first.Converses())
}

// ShowsFiles reports whether the prompts of the policy or its inner policy contain the files'
// contents, instead of offering tools to read them.
func (c *Chosen) ShowsFiles() bool {
	return c.entry.ShowsFiles || c.first != nil && c.first.ShowsFiles()
}

// New creates the policy. Its name is the spec's title.
func (c *Chosen) New(in entry.Ingredients) (policies.Policy, error) {
	made, err := c.make(in)
	if err != nil {
		return nil, fmt.Errorf("policy %s: %w", c.Title(), err)
	}
	return named{made, c.Title()}, nil
}

func (c *Chosen) make(in entry.Ingredients) (policies.Policy, error) {
	name := c.Title()
	if name == c.Use {
		name = ""
	}
	own, err := c.replacements(in)
	if err != nil {
		return nil, err
	}
	in.Prompts = in.Prompts.For(name, own)
	if c.first != nil {
		if in.First, err = c.first.make(in); err != nil {
			return nil, err
		}
	}
	return c.Options.New(in)
}

// Manifest returns what identifies the policy: its name in tables, and its spec as JSON if the
// name is not enough.
func (c *Chosen) Manifest() (name string, spec json.RawMessage) {
	name = c.Title()
	full := c.Spec
	full.Name = name // the title may depend on fields that the JSON omits
	if raw := asJSON(full); !bytes.Equal(raw, asJSON(Spec{Use: name, Name: name})) {
		return name, raw
	}
	return name, nil
}

func asJSON(s Spec) []byte {
	raw, err := json.Marshal(s)
	if err != nil {
		panic(err) // texts and numbers always marshal
	}
	return raw
}

// FromManifest returns the spec for a name and JSON from Manifest. Files of this machine that
// it names must have a stored hash.
func FromManifest(name string, raw json.RawMessage) (Spec, error) {
	spec := Spec{Use: name}
	if raw == nil {
		return spec, nil
	}
	spec = Spec{}
	if err := json.Unmarshal(raw, &spec); err != nil {
		return spec, fmt.Errorf("reading policy %s: %w", name, err)
	}
	return spec, spec.known(name)
}

// known refuses a stored policy with files of this machine that have no stored hash. Otherwise
// the author of a database could make agentd pass any file to a command.
func (s *Spec) known(name string) error {
	if bringing, ok := s.Options.(interface{ Brings() (path, hash string) }); ok {
		if path, hash := bringing.Brings(); path != "" && hash == "" {
			return fmt.Errorf("policy %s: it brings %s of this machine along, and the database has no hash of it", name, path)
		}
	}
	if s.Of != nil {
		return s.Of.known(name)
	}
	return nil
}

// named is a policy with the name that an experiment gives it.
type named struct {
	policies.Policy
	name string
}

func (n named) Name() string { return n.name }
