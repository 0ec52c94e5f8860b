package main

import (
	"errors"
	"slices"

	"agentd/domains"
	domaincatalog "agentd/domains/catalog"
	"agentd/environments"
	"agentd/harness"
	"agentd/harness/judge"
	"agentd/models"
)

// isJudged reports whether an environment is scored by a judge.
func isJudged(env environments.Environment) bool {
	d, _ := domaincatalog.Lookup(env.Domain)
	_, judged := d.(domains.Judged)
	return judged
}

// openJudge opens the judge, if there is one and an environment that needs it.
func (b *builder) openJudge() error {
	if b.Judge.Model == nil || !slices.ContainsFunc(b.experiment.Environments, isJudged) {
		return nil
	}
	return b.judging()
}

// judging makes the model of the settings the experiment's judge.
func (b *builder) judging() error {
	prices, err := models.ListPrices()
	if err != nil {
		return err
	}
	spec, err := b.complete(judge.Spec(b.Judge.Model.Spec), prices)
	if err != nil {
		return err
	}
	model, err := b.openModel(spec)
	if err != nil {
		return usageError{err}
	}
	if b.judgements == nil {
		b.judgements = &judge.Memory{}
	}
	b.judgeSpec = &spec
	b.experiment.Judge, err = judge.New(model, spec, b.judgements)
	return err
}

// warnOfNoJudge says which environments will have no score for want of a judge.
func (a *app) warnOfNoJudge(b *builder) {
	if b.experiment.Judge != nil {
		return
	}
	for _, env := range b.experiment.Environments {
		if isJudged(env) {
			a.log.Warn().Str("environment", env.Name).Msg("only a judge can score it, and none is named (--judge NAME): it will have Strict and the similarity of texts, no RS")
		}
	}
}

// openJudgeOnly opens a judge for no experiment; done lets go of it. Its answers are
// kept in judgements, which may be nil.
func openJudgeOnly(name string, judgements judge.Cache) (j *judge.Judge, done func() error, err error) {
	b := &builder{experiment: &harness.Experiment{}, judgements: judgements}
	b.Judge.Model = &modelSetting{models.Spec{Name: name}}
	if err := b.judging(); err != nil {
		return nil, nil, errors.Join(err, b.close())
	}
	return b.experiment.Judge, b.close, nil
}
