// Package experiment makes experiments ready to run.
//
// A Spec says what an experiment measures. An experiment file and the flags of agentd
// run fill it in. The manifest in a store is made of it, and Stored makes it of a
// manifest again, so that any machine can go on with the experiment. Open opens
// everything that a Spec names: models, judge, policies, sandbox and programs.
package experiment

import (
	"fmt"
	"slices"
	"strings"

	"agentd/harness"
	"agentd/harness/fleet"
	"agentd/internal/datafile"
	"agentd/internal/usage"
	"agentd/internal/yamlsafe"
	"agentd/models"
	"agentd/models/sim"
	"agentd/policies"
	"agentd/policies/catalog"
	"agentd/policies/prompt/published"
	"agentd/results"
	"agentd/sandbox"
)

// Version is that of agentd, as manifests have it.
const Version = "0.2.0"

// Spec says what an experiment measures.
type Spec struct {
	Name         string         `yaml:"name"`         // the experiment's name; empty for one made of its settings
	Models       []Model        `yaml:"models"`       // the models to measure, each a name or keys as below
	Judge        Judge          `yaml:"judge"`        // the model that scores what no program can, such as fiction
	Policies     []catalog.Spec `yaml:"policies"`     // the ways to edit, each as on a command line or with keys as below
	Environments Environments   `yaml:"environments"` // the documents, with their edits
	Relay        Relay          `yaml:"relay"`        // what the relays are like
	Limits       Limits         `yaml:"limits"`       // bounds of an interaction and of the experiment
	// Prompts is a folder of prompts that replace the built-in ones, as POLICY/FILE.md; or published, for those of the
	// paper's program, which agentd prompts pull downloads. Empty for the policies' own prompts.
	Prompts string `yaml:"prompts"`
	// Unscored says how the summary counts round trips that have no score by the protocol: drop, or zero.
	Unscored string  `yaml:"unscored"`
	Machine  Machine `yaml:"machine"` // how this process works on the experiment; it does not affect results
	// Release is the release that published prompts are read from.
	Release published.Release `yaml:"-"`

	stored *inputs // read from a store; nil if Environments and Prompts say what to read
}

// How round trips count in means that have no score by the protocol.
const (
	DropUnscored = "drop" // they are left out, as in the paper
	ZeroUnscored = "zero" // they count as 0
)

// UnscoredRules lists the values of Spec.Unscored, the default first.
func UnscoredRules() []string { return []string{DropUnscored, ZeroUnscored} }

// Relay says what the relays of an experiment are like. A new key needs a field here, a flag in cmd/agentd (settings.register) or
// a place among those that only the file has (fileKeys), and a line in describe and in fromManifest (manifest.go).
type Relay struct {
	Protocol    string   `yaml:"protocol"`    // published, comparable with the paper, or clean, which reads answers leniently
	OnFault     string   `yaml:"on_fault"`    // what a relay does when no completion can be had: stop, or go-on with what is left
	RoundTrips  int      `yaml:"round_trips"` // how many a relay has, 1 under single-round-trips; each is two interactions
	Schedule    Schedule `yaml:"schedule"`    // round-robin, single-edit, every-edit, single-round-trips, or edits to take in turn
	Distractors bool     `yaml:"distractors"` // whether files that have nothing to do with the edits lie next to the documents
	Repeats     int      `yaml:"repeats"`     // relays of each model and policy on each environment
	Seed        uint64   `yaml:"seed"`        // decides the order of edits and files; all arms have the same

	// Conversation is fresh, where each interaction begins one, or carried, where a relay has one.
	Conversation string `yaml:"conversation"`
	Turns        string `yaml:"turns"`     // whole instructions, or parts, each a user turn
	Revisions    int    `yaml:"revisions"` // requests of each forward step that are taken back
	Compact      string `yaml:"compact"`   // what happens where a conversation becomes too long, of policies.Compacts
}

// Length is how many round trips a relay really has: one if each of them is to have a fresh seed,
// else RoundTrips.
func (r *Relay) Length() int {
	if r.Schedule.Kind == harness.SingleRoundTrips {
		return 1
	}
	return r.RoundTrips
}

// Limits bound an interaction and, with USD, the experiment.
type Limits struct {
	MaxTurns  int `yaml:"max_turns" json:"max_turns"`   // completions of an interaction
	MaxTokens int `yaml:"max_tokens" json:"max_tokens"` // tokens in and out of an interaction
	// ContextTokens is how many tokens a request may have; 0 leaves that to the server.
	ContextTokens int      `yaml:"context_tokens" json:"context_tokens,omitempty"`
	USD           *float64 `yaml:"usd" json:"-"` // what the experiment may cost; nil for no limit; it may change between runs
	// MaxFaults is how many interactions may fail because a service was unavailable before the run stops: a number, or a
	// share such as 5%.
	MaxFaults fleet.FaultLimit `yaml:"max_faults" json:"-"`
	// Sandbox has the limits of a script.
	Sandbox sandbox.Limits `yaml:"-" json:"sandbox"`
}

// Judge says which model judges the documents that need a judge.
type Judge struct {
	Model *Model `yaml:"model"` // a name or keys as of models; nil for none
}

// Model is a models.Spec; in an experiment file its name alone is enough.
type Model struct{ models.Spec }

// Named returns the model of that name.
func Named(name string) Model { return Model{models.Spec{Name: name}} }

// AllNamed returns models of these names that are all on the server of a spec: its address,
// dialect and key. Recordings have no server, and stand-ins have the one at that address only
// if it is given.
func AllNamed(names []string, server models.Spec) []Model {
	all := make([]Model, len(names))
	for i, name := range names {
		all[i] = Named(name)
		all[i].API = server.API
		standIn := strings.HasPrefix(name, sim.Prefix) && server.BaseURL == ""
		if !standIn && !strings.HasPrefix(name, models.ReplayPrefix) {
			all[i].BaseURL, all[i].KeyEnv, all[i].Context = server.BaseURL, server.KeyEnv, server.Context
		}
	}
	return all
}

// UnmarshalYAML takes a name or a spec.
func (m *Model) UnmarshalYAML(n *yamlsafe.Node) error {
	if yamlsafe.Decode(n, &m.Name) == nil {
		return nil
	}
	if err := yamlsafe.Decode(n, &m.Spec); err != nil {
		return err
	}
	if m.Name == "" {
		return fmt.Errorf("line %d: a model needs a name", n.Line)
	}
	return nil
}

// Default returns the built-in demonstration: the stand-in models, agentic and direct
// editing, all built-in environments.
func Default() Spec {
	limits := policies.DefaultLimits()
	return Spec{
		Relay: Relay{
			Protocol: string(policies.Published), OnFault: string(harness.StopRelay),
			RoundTrips: 10, Schedule: Schedule{Kind: harness.RoundRobin}, Distractors: true, Repeats: 1, Seed: 1,
			Conversation: FreshConversation, Turns: WholeInstructions, Compact: string(policies.NoCompact),
		},
		Limits:   Limits{MaxTurns: limits.Turns, MaxTokens: limits.Tokens, Sandbox: sandbox.DefaultLimits()},
		Unscored: DropUnscored,
		Machine:  DefaultMachine(),
		Release:  published.Pinned(),
	}
}

// Read reads an experiment file over what the Spec has. A key that a Spec does not have
// is an error.
func (s *Spec) Read(file string) error {
	raw, err := datafile.Read(file, int64(yamlsafe.DefaultLimits().Bytes))
	if err != nil {
		return usage.Errorf("reading the experiment: %w", err)
	}
	if err := yamlsafe.Unmarshal(raw, s); err != nil {
		return usage.Errorf("%s: %w", file, err)
	}
	return nil
}

// Check returns a usage.Error for a Spec that no experiment could be made of, with any
// environments.
func (s *Spec) Check() error {
	r := &s.Relay
	switch {
	case r.RoundTrips < 1 || r.RoundTrips > results.MostRoundTrips:
		return usage.Errorf("round trips: %d is not a number from 1 to %d", r.RoundTrips, results.MostRoundTrips)
	case r.Repeats < 1 || r.Repeats > results.MostRoundTrips:
		return usage.Errorf("repeats: %d is not a number from 1 to %d", r.Repeats, results.MostRoundTrips)
	case s.Environments.PerDomain < 0:
		return usage.Errorf("per_domain: %d is not a number of environments; leave it out to take all", s.Environments.PerDomain)
	case s.Environments.Derived < 0 || s.Environments.Derived > results.MostRoundTrips:
		return usage.Errorf("derived: %d is not a number of edits from 0 to %d", s.Environments.Derived, results.MostRoundTrips)
	case s.Environments.Judged && s.Judge.Model == nil:
		return usage.Errorf("judged edits are scored by a judge: name one with --judge, or judge: {model: NAME}")
	case s.Limits.MaxTurns < 1 || s.Limits.MaxTokens < 1:
		return usage.Errorf("limits: max_turns and max_tokens must be at least 1")
	case !slices.Contains(policies.Protocols(), policies.Protocol(r.Protocol)):
		return usage.Unknown("protocol", r.Protocol, policies.Protocols())
	case !slices.Contains(harness.FaultRules(), harness.FaultRule(r.OnFault)):
		return usage.Unknown("on_fault", r.OnFault, harness.FaultRules())
	case s.Limits.ContextTokens < 0:
		return usage.Errorf("context_tokens: %d is not a number of tokens; leave it out for what the server takes", s.Limits.ContextTokens)
	case !slices.Contains(UnscoredRules(), s.Unscored):
		return usage.Unknown("unscored", s.Unscored, UnscoredRules())
	}
	if err := s.Machine.Check(); err != nil {
		return err
	}
	return r.checkTurns()
}
