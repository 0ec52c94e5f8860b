package experiment

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	domaincatalog "agentd/domains/catalog"
	"agentd/environments"
	"agentd/harness/standin"
	"agentd/internal/usage"
	"agentd/models"
	"agentd/models/sim"
)

// opener opens models, and closes them again.
type opener struct {
	limiter  models.Limiter // nil for no rate limits
	record   string         // file that answers are recorded in; empty for none
	planOnly bool           // open no model for requests
	// mayBeAway says that a server that does not answer is not an error yet. The error is kept in
	// away.
	mayBeAway bool
	away      error
	// priced says that every model must have a known price.
	priced bool
	// consent returns an error if the secrets of a spec may not be sent; nil if the user wrote the
	// specs.
	consent func(models.Spec) error
	// environments and seed are for stand-ins.
	environments []environments.Environment
	seed         uint64

	standIns *sim.Server      // nil if no model is a stand-in
	recorder *models.Recorder // nil if nothing is recorded
	opened   []models.Model
}

// close closes the models, the recording and the stand-ins.
func (o *opener) close() error {
	for _, model := range o.opened {
		models.Close(model)
	}
	var err error
	if o.recorder != nil {
		err = o.recorder.Close()
	}
	if o.standIns != nil {
		err = errors.Join(err, o.standIns.Close())
	}
	return err
}

// open opens a model by its complete spec and asks its server what it offers.
func (o *opener) open(ctx context.Context, spec models.Spec) (model models.Model, server models.Facts, err error) {
	if o.consent != nil && !o.planOnly {
		if err := o.consent(spec); err != nil {
			return nil, server, err
		}
	}
	if server, err = o.describe(ctx, spec); err != nil {
		return nil, server, err
	}
	spec.Context = cmp.Or(spec.Context, server.Context)
	switch {
	case o.planOnly:
		model, err = models.Plan(spec)
	case o.record == "":
		model, err = models.Open(spec, o.limiter)
	default:
		if o.recorder == nil {
			if o.recorder, err = models.NewRecorder(o.record); err != nil {
				return nil, server, usage.Wrap(err)
			}
		}
		model, err = o.recorder.Open(spec, o.limiter)
	}
	if err != nil {
		return nil, server, usage.Wrap(err)
	}
	o.opened = append(o.opened, model)
	return model, server, nil
}

// describe returns what a model's server says about it.
func (o *opener) describe(ctx context.Context, spec models.Spec) (models.Facts, error) {
	if o.planOnly || spec.StandIn || spec.Replay != "" {
		return models.Facts{}, nil
	}
	server, err := models.Describe(ctx, spec)
	var failure *models.Error
	switch {
	case !errors.As(err, &failure):
		return server, err
	case failure.Kind == models.NoKey:
		return server, usage.Wrap(err)
	}
	switch failure.Kind {
	case models.Unreachable:
		err = fmt.Errorf("%w; is it running, and is base_url right?", err)
	case models.Denied:
		err = fmt.Errorf("%w; is the key right?", err)
	}
	if o.mayBeAway {
		o.away = errors.Join(o.away, err)
		return server, nil
	}
	return server, err
}

// complete returns the specs of the requested models, with everything that their names imply.
func (o *opener) complete(asked []Model) ([]models.Spec, error) {
	prices, err := models.ListPrices()
	if err != nil {
		return nil, err
	}
	all, err := withRecordings(asked)
	if err != nil {
		return nil, err
	}
	for i, spec := range all {
		if slices.ContainsFunc(all[:i], func(s models.Spec) bool { return s.Name == spec.Name }) {
			return nil, usage.Errorf("model %q is named twice", spec.Name)
		}
		if all[i], err = o.completed(spec, prices); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// completed gives a stand-in the address of its server, and any other model its list
// price.
func (o *opener) completed(spec models.Spec, prices models.Prices) (models.Spec, error) {
	if spec.Replay != "" { // the recording has its whole spec
		return spec, o.checkPrice(spec)
	}
	if profile, ok := strings.CutPrefix(spec.Name, sim.Prefix); ok && spec.BaseURL == "" {
		if _, known := sim.ProfileNamed(profile); !known {
			return spec, usage.Unknown("model", spec.Name, prices.Names())
		}
		var err error
		if spec, err = o.standIn(spec); err != nil {
			return spec, err
		}
	}
	if spec.Model == "" && spec.API == "" && spec.BaseURL == "" && spec.APIVersion == "" {
		spec.Model = models.ServedAs(spec.Name)
	}
	if spec.Price == nil {
		spec.Price = cmp.Or(prices.Find(spec.Name), prices.Find(spec.Model))
	}
	if spec.Price == nil && spec.BaseURL == "" && spec.API == "" && misspelt(cmp.Or(spec.Model, spec.Name), prices) {
		return spec, fmt.Errorf("%w; if it is meant, say what its server speaks (--api chat)", usage.Unknown("model", spec.Name, prices.Names()))
	}
	api, err := spec.Dialect()
	if err != nil {
		return spec, usage.Errorf("model %s: %w", spec.Name, err)
	}
	if api != models.Chat {
		spec.API = api // the API affects results
	}
	return spec, o.checkPrice(spec)
}

// misspelt reports whether the model is unknown, but a known one has almost the same name.
func misspelt(model string, prices models.Prices) bool {
	known, err := models.KnownProfiles()
	if _, ok := known.Find(model); ok || err != nil || models.HasMaker(model) {
		return false
	}
	return slices.ContainsFunc(prices.Names(), func(name string) bool { return usage.Near(model, name) })
}

// checkPrice returns an error if the limit in USD could not be enforced.
func (o *opener) checkPrice(spec models.Spec) error {
	if o.priced && spec.Price == nil {
		return usage.Errorf("the price of %s is unknown, so a limit in USD cannot be kept: give the model a price in an experiment file ({input: 0, output: 0} if it costs nothing)", spec.Name)
	}
	return nil
}

// withRecordings returns the specs of the models. A recording is replaced by all models in it.
func withRecordings(asked []Model) ([]models.Spec, error) {
	var all []models.Spec
	for _, model := range asked {
		file, ok := strings.CutPrefix(model.Name, models.ReplayPrefix)
		if !ok {
			all = append(all, model.Spec)
			continue
		}
		path, err := filepath.Abs(file) // a run may be resumed in another folder
		if err != nil {
			return nil, err
		}
		recorded, err := models.Recorded(path)
		if err != nil {
			return nil, usage.Wrap(err)
		}
		all = append(all, recorded...)
	}
	return all, nil
}

// standInStall is how long a stand-in stalls when it plays a stalled server.
const standInStall = 50 * time.Millisecond

// standIn gives a spec the address of the stand-in server. The first stand-in starts that server.
func (o *opener) standIn(spec models.Spec) (models.Spec, error) {
	if o.standIns == nil {
		var err error
		o.standIns, err = sim.Listen("127.0.0.1:0", standin.NewIndex(o.environments, domaincatalog.Lookup),
			sim.Options{Seed: o.seed, Stall: standInStall})
		if err != nil {
			return spec, err
		}
	}
	spec.BaseURL, spec.Seeded, spec.StandIn = o.standIns.URL(), true, true // this server speaks all dialects
	return spec, nil
}
