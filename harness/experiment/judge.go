package experiment

import (
	"context"
	"errors"
	"slices"

	"agentd/domains"
	domaincatalog "agentd/domains/catalog"
	"agentd/environments"
	"agentd/harness/judge"
	"agentd/internal/opinion"
	"agentd/internal/usage"
	"agentd/models"
	"agentd/policies/prompt"
	"agentd/results"
)

// OpenJudge opens a model as a judge for documents that are not part of a running experiment; done
// closes it. Its answers are kept in the cache, or in memory if that is nil. A stand-in answers
// based on the edits of the environments, if there are any.
func OpenJudge(ctx context.Context, name string, cache judge.Cache, envs []environments.Environment) (j *judge.Judge, done func() error, err error) {
	o := &opener{environments: envs}
	j, _, err = o.judge(ctx, Named(name), cache)
	if err != nil {
		return nil, nil, errors.Join(err, o.close())
	}
	return j, o.close, nil
}

// OpenAsker opens a model that gives its opinion, as OpenJudge does. With an empty name, ask is
// nil and done does nothing.
func OpenAsker(ctx context.Context, name string, cache judge.Cache, envs []environments.Environment) (ask opinion.Asker, done func() error, err error) {
	if name == "" {
		return nil, func() error { return nil }, nil
	}
	j, done, err := OpenJudge(ctx, name, cache, envs)
	if err != nil {
		return nil, nil, err
	}
	return j.Session(ctx).Ask, done, nil
}

// judge opens a model as a judge and also returns its complete spec.
func (o *opener) judge(ctx context.Context, model Model, cache judge.Cache) (*judge.Judge, *models.Spec, error) {
	prices, err := models.ListPrices()
	if err != nil {
		return nil, nil, err
	}
	spec, err := o.completed(judge.Spec(model.Spec), prices)
	if err != nil {
		return nil, nil, err
	}
	opened, _, err := o.open(ctx, spec)
	if err != nil {
		return nil, nil, err
	}
	if cache == nil {
		cache = &judge.Memory{}
	}
	j, err := judge.New(opened, spec, cache)
	return j, &spec, err
}

// useJudgePrompts makes the judge use the prompts of judge/DOMAIN.md, if there are any for a domain that
// it judges.
func (x *Experiment) useJudgePrompts(prompts *prompt.Source) error {
	if x.Judge == nil {
		return nil
	}
	worded := map[string]domains.Domain{}
	for i := range x.Environments {
		name := x.Environments[i].Domain
		d, _ := x.Domain(name)
		open, can := d.(domains.Worded)
		if !can || worded[name] != nil {
			continue
		}
		text, there, err := prompts.Text("judge", name+".md")
		if err != nil {
			return usage.Wrap(err)
		}
		if !there {
			continue
		}
		if worded[name], err = open.WithQuestions(text); err != nil {
			return usage.Wrap(err)
		}
	}
	find := x.Domain
	x.Domain = func(name string) (domains.Domain, bool) {
		if d := worded[name]; d != nil {
			return d, true
		}
		return find(name)
	}
	return nil
}

// Unjudged returns the names of the environments that only a judge can score, if the experiment
// has no judge.
func (x *Experiment) Unjudged() []string {
	if x.Judge != nil {
		return nil
	}
	var names []string
	for _, env := range x.Environments {
		if isJudged(env) {
			names = append(names, env.Name)
		}
	}
	return names
}

// OfStandIns reports whether every model is a stand-in. It is false if there are no models.
func (x *Experiment) OfStandIns() bool {
	return len(x.Manifest.Models) > 0 && !slices.ContainsFunc(x.Manifest.Models, func(m results.Model) bool { return !m.StandIn })
}

// needsJudge reports whether an environment has anything that a judge scores.
func needsJudge(env environments.Environment) bool { return isJudged(env) || env.Judged() > 0 }

// isJudged reports whether an environment is scored by a judge.
func isJudged(env environments.Environment) bool {
	d, _ := domaincatalog.Lookup(env.Domain)
	_, judged := d.(domains.Judged)
	return judged
}
