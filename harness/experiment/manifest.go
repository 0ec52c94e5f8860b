package experiment

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"agentd/domains"
	domaincatalog "agentd/domains/catalog"
	"agentd/environments"
	"agentd/harness"
	"agentd/models"
	"agentd/policies"
	"agentd/policies/catalog"
	"agentd/policies/prompt"
	"agentd/results"
)

// describe makes the manifest of the opened experiment. If the Spec has no name, it makes a name
// from the manifest.
func (x *Experiment) describe(prompts *prompt.Source) error {
	limits, err := json.Marshal(x.spec.Limits)
	if err != nil {
		return err
	}
	m := results.Manifest{
		Version: Version, Environments: map[string]string{}, PolicySpecs: map[string]json.RawMessage{}, Traits: map[string]results.Traits{},
		Protocol: x.spec.Relay.Protocol, OnFault: x.spec.Relay.OnFault,
		RoundTrips: x.RoundTrips, Repeats: x.Repeats, Schedule: string(x.Schedule), ScheduleEdits: x.ScheduleEdits,
		Distractors: x.Distractors, Seed: x.Seed, Prompts: prompts.Hashes(), Limits: limits,
	}
	x.spec.Relay.inManifest(&m)
	for _, spec := range x.models {
		model, err := inManifest(spec)
		if err != nil {
			return err
		}
		m.Models = append(m.Models, model)
	}
	if x.judge != nil {
		model, err := inManifest(*x.judge)
		if err != nil {
			return err
		}
		m.Judge = &model
	}
	for _, chosen := range x.policies {
		name, spec := chosen.Manifest()
		m.Policies = append(m.Policies, name)
		if spec != nil {
			m.PolicySpecs[name] = spec
		}
		traits := chosen.Traits()
		m.Traits[name] = results.Traits{Use: chosen.Use, Tools: traits.Tools, Baseline: traits.Baseline, PublishedLoop: traits.PublishedLoop}
	}
	for i := range x.Environments {
		env := &x.Environments[i]
		m.Environments[env.Name] = env.Hash()
		m.WithoutOracle += withoutOracle(env)
	}
	x.Manifest, x.Texts = m, texts(prompts)
	if x.Name = x.spec.Name; x.Name != "" {
		return nil
	}
	x.Name, err = nameOf(m)
	return err
}

// nameOf makes a name from settings.
func nameOf(m results.Manifest) (string, error) {
	raw, err := json.Marshal(m)
	if err != nil {
		return "", fmt.Errorf("naming the experiment: %w", err)
	}
	sum := sha256.Sum256(raw)
	return "run-" + hex.EncodeToString(sum[:4]), nil
}

// NameForAnyRepeats names the experiment by its settings without Repeats, unless the user has
// named it. The same command with more repeats then continues the experiment.
func (x *Experiment) NameForAnyRepeats() (err error) {
	if x.spec.Name == "" {
		m := x.Manifest
		m.Repeats = 0
		x.Name, err = nameOf(m)
	}
	return err
}

// withoutOracle counts the edits that have no exact program.
func withoutOracle(env *environments.Environment) int {
	var domain domains.Domain
	if d, ok := domaincatalog.Lookup(env.Domain); ok {
		domain = d
	}
	n := 0
	for _, edit := range env.Edits {
		if _, ok := env.OracleFor(edit, domain); !ok {
			n++
		}
	}
	return n
}

// inManifest returns a model as a manifest has it; storedModel reverses it.
func inManifest(spec models.Spec) (results.Model, error) {
	if spec.StandIn {
		spec.BaseURL = "" // the port differs every time
	}
	raw, err := json.Marshal(spec)
	return results.Model{Name: spec.Name, StandIn: spec.StandIn, Spec: raw}, err
}

func storedModel(model results.Model) (Model, error) {
	var spec models.Spec
	if err := json.Unmarshal(model.Spec, &spec); err != nil {
		return Model{}, fmt.Errorf("reading model %s: %w", model.Name, err)
	}
	return Model{spec}, nil
}

// Stored returns the Spec of a stored experiment, with its environments and prompts as they were
// when it began. The error says so if another version of agentd made the experiment.
func Stored(ctx context.Context, store *results.Store, record results.Experiment) (Spec, error) {
	if v := record.Manifest.Version; v != Version {
		return Spec{}, fmt.Errorf("experiment %s was begun with agentd %s, this is %s; use that one, or go on with agentd run --allow-changed", record.Name, v, Version)
	}
	s, err := fromManifest(record)
	if err == nil {
		err = s.Check()
	}
	if err == nil {
		s.stored, err = readStored(ctx, store, record.Manifest)
	}
	if err != nil {
		return Spec{}, fmt.Errorf("experiment %s: %w", record.Name, err)
	}
	return s, nil
}

// fromManifest returns the Spec from which describe made a manifest, without its inputs.
func fromManifest(record results.Experiment) (Spec, error) {
	m, s := record.Manifest, Default()
	s.Name = record.Name
	if err := json.Unmarshal(m.Limits, &s.Limits); err != nil {
		return s, fmt.Errorf("reading the limits: %w", err)
	}
	s.Limits.USD = record.MaxCost
	s.Relay = Relay{
		Protocol: cmp.Or(m.Protocol, string(policies.Clean)), OnFault: cmp.Or(m.OnFault, string(harness.GoOn)),
		RoundTrips: m.RoundTrips, Schedule: Schedule{Kind: harness.ScheduleKind(m.Schedule), Edits: m.ScheduleEdits},
		Distractors: m.Distractors, Repeats: m.Repeats, Seed: m.Seed,
	}
	s.Relay.fromManifest(&m)
	for _, name := range m.Policies {
		spec, err := catalog.FromManifest(name, m.PolicySpecs[name])
		if err != nil {
			return s, err
		}
		s.Policies = append(s.Policies, spec)
	}
	for _, stored := range m.Models {
		model, err := storedModel(stored)
		if err != nil {
			return s, err
		}
		s.Models = append(s.Models, model)
	}
	if m.Judge != nil {
		model, err := storedModel(*m.Judge)
		if err != nil {
			return s, err
		}
		s.Judge.Model = &model
	}
	return s, nil
}

// readStored reads the environments and prompts that a manifest names by their hashes.
func readStored(ctx context.Context, store *results.Store, m results.Manifest) (*inputs, error) {
	envs, err := StoredEnvironments(ctx, store, m)
	if err != nil {
		return nil, err
	}
	prompts := map[string]string{}
	for name, hash := range m.Prompts {
		text, err := store.Content(ctx, hash)
		if err != nil {
			return nil, fmt.Errorf("prompt %s: %w", name, err)
		}
		prompts[name] = text
	}
	return &inputs{environments: envs, prompts: prompt.NewStored(prompts)}, nil
}

// StoredEnvironments reads the environments that a manifest names by their hashes, in
// the order of their names.
func StoredEnvironments(ctx context.Context, store *results.Store, m results.Manifest) ([]environments.Environment, error) {
	var envs []environments.Environment
	for _, name := range slices.Sorted(maps.Keys(m.Environments)) {
		text, err := store.Content(ctx, m.Environments[name])
		if err != nil {
			return nil, fmt.Errorf("environment %s: %w", name, err)
		}
		env, err := environments.Decode(text)
		if err != nil {
			return nil, fmt.Errorf("environment %s: %w", name, err)
		}
		envs = append(envs, env)
	}
	return envs, nil
}
