package main

import (
	"slices"

	"agentd/domains"
	domaincatalog "agentd/domains/catalog"
	"agentd/environments"
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
