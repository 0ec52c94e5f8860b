package main

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	domaincatalog "agentd/domains/catalog"
	"agentd/harness"
	"agentd/harness/standin"
	"agentd/models"
	"agentd/models/sim"
	"agentd/policies/agentic"
	policycatalog "agentd/policies/catalog"
	"agentd/policies/prompt"
)

// addArms makes an arm of each policy with each model, and one of each policy
// that needs none.
func (b *builder) addArms(source *prompt.Source) error {
	limits := agentic.Limits{Turns: b.Limits.MaxTurns, Tokens: b.Limits.MaxTokens}
	if slices.ContainsFunc(b.policies, (*policycatalog.Chosen).NeedsModel) {
		if err := b.chooseModels(); err != nil {
			return err
		}
		for _, spec := range b.specs {
			model, err := b.openModel(spec)
			if err != nil {
				return usageError{err}
			}
			if spec.Concurrency > 0 {
				b.experiment.Seats[spec.Name] = spec.Concurrency
			}
			in := policycatalog.Ingredients{
				Protocol: b.experiment.Protocol, FaultsCount: b.experiment.OnFault == harness.GoOn, Model: model, Served: spec.Model, Price: spec.Price, Limits: limits,
				Prompts: source, Release: b.release,
			}
			for _, chosen := range b.policies {
				if chosen.NeedsModel() {
					if err := b.addArm(spec.Name, chosen, in); err != nil {
						return err
					}
				}
			}
		}
	}
	for _, chosen := range b.policies {
		if !chosen.NeedsModel() {
			if err := b.addArm("", chosen, policycatalog.Ingredients{Protocol: b.experiment.Protocol, Prompts: source}); err != nil {
				return err
			}
		}
	}
	return nil
}

// openModel opens a model; close lets go of it.
func (b *builder) openModel(spec models.Spec) (model models.Model, err error) {
	switch {
	case b.dryRun:
		model, err = models.Plan(spec, b.limiter)
	case b.record == "":
		model, err = models.Open(spec, b.limiter)
	default:
		if b.recorder == nil {
			if b.recorder, err = models.NewRecorder(b.record); err != nil {
				return nil, err
			}
		}
		model, err = b.recorder.Open(spec, b.limiter)
	}
	if err == nil {
		b.opened = append(b.opened, model)
	}
	return model, err
}

func (b *builder) addArm(model string, chosen *policycatalog.Chosen, in policycatalog.Ingredients) error {
	if in.Model != nil {
		in.Model = models.NewGuard(in.Model)
	}
	policy, err := chosen.New(in)
	if err != nil {
		return usageError{err}
	}
	b.experiment.Arms = append(b.experiment.Arms, harness.Arm{Model: model, Policy: policy})
	return nil
}

// chooseModels completes the specs of the models to be measured.
func (b *builder) chooseModels() error {
	prices, err := models.ListPrices()
	if err != nil {
		return err
	}
	if len(b.Models) == 0 {
		b.Models = []modelSetting{{models.Spec{Name: "sim:frontier"}}, {models.Spec{Name: "sim:weak"}}}
	}
	asked, err := withRecordings(b.Models)
	if err != nil {
		return err
	}
	for _, spec := range asked {
		if slices.ContainsFunc(b.specs, func(s models.Spec) bool { return s.Name == spec.Name }) {
			return usagef("model %q is named twice", spec.Name)
		}
		if spec, err = b.complete(spec, prices); err != nil {
			return err
		}
		b.specs = append(b.specs, spec)
	}
	return nil
}

// complete gives a spec what its model's name stands for: a stand-in a server,
// another its list price.
func (b *builder) complete(spec models.Spec, prices models.Prices) (models.Spec, error) {
	if spec.Replay != "" { // it is as it was recorded
		return spec, b.checkPrice(spec)
	}
	if profile, ok := strings.CutPrefix(spec.Name, sim.Prefix); ok && spec.BaseURL == "" {
		if _, known := sim.ProfileNamed(profile); !known {
			return spec, unknown("model", spec.Name, modelNames(prices))
		}
		var err error
		if spec, err = b.standIn(spec); err != nil {
			return spec, err
		}
	}
	if spec.Price == nil {
		spec.Price = cmp.Or(prices.Find(spec.Name), prices.Find(spec.Model))
	}
	if spec.Price == nil && spec.BaseURL == "" && spec.API == "" && misspelt(cmp.Or(spec.Model, spec.Name), prices) {
		return spec, fmt.Errorf("%w; if it is meant, say what its server speaks (--api chat)", unknown("model", spec.Name, modelNames(prices)))
	}
	api, err := spec.Dialect()
	if err != nil {
		return spec, usageError{fmt.Errorf("model %s: %w", spec.Name, err)}
	}
	if api != models.Chat {
		spec.API = api // it is part of what is measured
	}
	return spec, b.checkPrice(spec)
}

// nearName is how many letters a misspelt name differs by at most.
const nearName = 2

// misspelt reports whether nothing is known of a model, but of one whose name is nearly
// the same.
func misspelt(model string, prices models.Prices) bool {
	known, err := models.KnownProfiles()
	if _, ok := known.Find(model); ok || err != nil || models.HasMaker(model) {
		return false
	}
	return slices.ContainsFunc(modelNames(prices), func(name string) bool { return distance(model, name) <= nearName })
}

// checkPrice refuses a limit on the cost that nobody could keep.
func (b *builder) checkPrice(spec models.Spec) error {
	if b.Limits.USD != nil && spec.Price == nil {
		return usagef("the price of %s is unknown, so a limit in USD cannot be kept: give the model a price in an experiment file ({input: 0, output: 0} if it costs nothing)", spec.Name)
	}
	return nil
}

// withRecordings are the specs of the settings, a recording's among them.
func withRecordings(settings []modelSetting) ([]models.Spec, error) {
	var all []models.Spec
	for _, setting := range settings {
		file, ok := strings.CutPrefix(setting.Name, models.ReplayPrefix)
		if !ok {
			all = append(all, setting.Spec)
			continue
		}
		path, err := filepath.Abs(file) // for who resumes the run in another folder
		if err != nil {
			return nil, err
		}
		recorded, err := models.Recorded(path)
		if err != nil {
			return nil, usageError{err}
		}
		all = append(all, recorded...)
	}
	return all, nil
}

// standInStall is how long a stand-in that plays a stalled server does so.
const standInStall = 50 * time.Millisecond

// warnOfPrices says which models' costs will not be known.
func (a *app) warnOfPrices(b *builder) {
	for _, spec := range b.specs {
		if spec.Price == nil {
			a.log.Warn().Str("model", spec.Name).Msg("its price is unknown, so its cost is reported as unknown; an experiment file or agentd models prices may give it one")
		}
	}
}

// standIn points a spec at the stand-in server, which starts with the first.
func (b *builder) standIn(spec models.Spec) (models.Spec, error) {
	if b.standIns == nil {
		var err error
		b.standIns, err = sim.Listen("127.0.0.1:0", standin.NewIndex(b.experiment.Environments, domaincatalog.Lookup),
			sim.Options{Seed: b.Relay.Seed, Stall: standInStall})
		if err != nil {
			return spec, err
		}
	}
	spec.BaseURL, spec.Seeded, spec.StandIn = b.standIns.URL(), true, true // all dialects are served there
	return spec, nil
}
