package experiment

import (
	"cmp"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"agentd/environments"
	"agentd/harness"
	"agentd/internal/usage"
	"agentd/policies"
	"agentd/policies/catalog"
	"agentd/results"
)

// What shares one conversation.
const (
	FreshConversation   = "fresh"   // one interaction
	CarriedConversation = "carried" // all interactions of a relay
)

// How the user gives instructions.
const (
	WholeInstructions = "whole" // in one message
	PartInstructions  = "parts" // those that have parts, one part at a time
)

// mostRevisions is the maximum number of requests in a forward step that are taken back.
const mostRevisions = 10

// Conversations and InstructionTurns list the valid values, the default first.
func Conversations() []string    { return []string{FreshConversation, CarriedConversation} }
func InstructionTurns() []string { return []string{WholeInstructions, PartInstructions} }

// RegisterTurns adds flags for what the user says in a relay, and when.
func (r *Relay) RegisterTurns(flags *pflag.FlagSet) {
	flags.StringVar(&r.Conversation, "conversation", r.Conversation, "fresh: each interaction is a conversation of its own; carried: one conversation goes on over a relay")
	flags.StringVar(&r.Turns, "turns", r.Turns, "whole: an instruction is one message; parts: instructions with parts are several, each answered before the next")
	flags.IntVar(&r.Revisions, "revisions", r.Revisions, "further requests of each forward step that are taken back in the same conversation")
	flags.StringVar(&r.Compact, "compact", r.Compact, "what happens to a conversation longer than its model takes: "+joined(policies.Compacts()))
}

func joined[T ~string](all []T) string {
	texts := make([]string, len(all))
	for i, one := range all {
		texts[i] = string(one)
	}
	return strings.Join(texts, ", ")
}

// turns returns the part of the settings that the harness needs.
func (r *Relay) turns() harness.Turns {
	return harness.Turns{Carried: r.Conversation == CarriedConversation, Parts: r.Turns == PartInstructions, Revisions: r.Revisions}
}

// checkTurns sets missing values and returns a usage.Error for invalid ones.
func (r *Relay) checkTurns() error {
	r.Conversation, r.Turns = cmp.Or(r.Conversation, FreshConversation), cmp.Or(r.Turns, WholeInstructions)
	r.Compact = cmp.Or(r.Compact, string(policies.NoCompact))
	switch {
	case !slices.Contains(Conversations(), r.Conversation):
		return usage.Unknown("conversation", r.Conversation, Conversations())
	case !slices.Contains(InstructionTurns(), r.Turns):
		return usage.Unknown("turns", r.Turns, InstructionTurns())
	case !slices.Contains(policies.Compacts(), policies.Compact(r.Compact)):
		return usage.Unknown("compact", r.Compact, policies.Compacts())
	case r.Revisions < 0 || r.Revisions > mostRevisions:
		return usage.Errorf("revisions: %d is not a number from 0 to %d", r.Revisions, mostRevisions)
	}
	return nil
}

// dialogue returns the part of the settings that policies need.
func (s *Spec) dialogue() policies.Dialogue {
	return policies.Dialogue{
		Continues: s.Relay.turns().Continue(), Compact: policies.Compact(s.Relay.Compact), ContextTokens: s.Limits.ContextTokens,
	}
}

// inTurns returns the environments as the relay gives their instructions. Parts are no
// part of an environment whose instructions are given whole, nor of its hash.
func (r *Relay) inTurns(envs []environments.Environment) ([]environments.Environment, error) {
	if r.Turns != PartInstructions {
		return environments.WithoutParts(envs), nil
	}
	if !slices.ContainsFunc(envs, func(e environments.Environment) bool { return e.HasParts() }) {
		return nil, usage.Errorf("turns: none of the environments has an instruction in parts; agentd env split makes parts")
	}
	return envs, nil
}

// checkConversing returns an error if the experiment needs several requests in one conversation
// and the policy does not support that, or not on these environments.
func (x *Experiment) checkConversing(chosen *catalog.Chosen) error {
	r := &x.spec.Relay
	if !r.turns().Continue() {
		return nil
	}
	if !chosen.Converses() {
		return usage.Errorf("policy %s cannot be asked several times in one conversation; leave it out, or run with conversation: fresh, turns: whole and revisions: 0", chosen.Title())
	}
	for i := range x.Environments {
		if env := &x.Environments[i]; chosen.ShowsFiles() && env.Seed.HasBinary() {
			return usage.Errorf("policy %s asks for each picture of %s in a conversation of its own, so none can be carried on; leave it out, or the policy", chosen.Title(), env.Name)
		}
	}
	return nil
}

// inManifest records only what differs from the published protocol. Otherwise the manifests of
// older experiments would change.
func (r *Relay) inManifest(m *results.Manifest) {
	if r.Conversation != FreshConversation {
		m.Conversation = r.Conversation
	}
	if r.Turns != WholeInstructions {
		m.Turns = r.Turns
	}
	if r.Compact != string(policies.NoCompact) {
		m.Compact = r.Compact
	}
	m.Revisions = r.Revisions
}

// fromManifest reverses inManifest.
func (r *Relay) fromManifest(m *results.Manifest) {
	r.Conversation, r.Turns = cmp.Or(m.Conversation, FreshConversation), cmp.Or(m.Turns, WholeInstructions)
	r.Compact, r.Revisions = cmp.Or(m.Compact, string(policies.NoCompact)), m.Revisions
}
